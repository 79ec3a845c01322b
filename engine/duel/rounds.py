"""The distribution of a fight's number of rounds, round by round."""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from engine.duel.fast import UNIT, Doubles, Ints, Packed
from engine.errors import InputError

MOST_ROUNDS = 10_000


@dataclass(frozen=True, slots=True)
class Rounds:
    """`chance[n, end]`: the chance that the fight ends in round n (from 1) by end 0 first, 1 second, 2 both.

    `left` is the chance that it goes on beyond the last round; `bound` the greatest relative error of each number.
    """

    chance: Doubles
    left: float
    bound: float


def rounds_of(packed: Packed, most: int) -> Rounds:
    """The chance of each number of rounds from 1 to `most`, and of more.

    Raises `InputError` for a `most` beyond bounds.
    """
    if not 1 <= most <= MOST_ROUNDS:
        raise InputError(f"{most} rounds", f"1 to {MOST_ROUNDS}")
    order = np.argsort(packed.phase, kind="stable").astype(np.int64)
    chance, left = np.zeros((most + 1, 3)), 0.0
    for late in (False, True):
        chosen = packed.start_late == late
        if not chosen.any():
            continue
        found, beyond = _step(
            packed.most, packed.low, packed.chance, packed.moves, packed.span, order, packed.starts[chosen],
            packed.start_chance[chosen], most + late,
        )  # fmt: skip
        left += float(beyond)
        if late:  # a win counts a round too much; of what else ends in the round that was looked at for it, it is more
            found[:-1, 0] = found[1:, 0]
            left += float(found[-1, 1:].sum())
            found = found[:-1]
        chance += found
    effects = int((packed.span[:, :, 1] - packed.span[:, :, 0]).max())
    turns = most * len(np.unique(packed.phase))
    return Rounds(chance, left, turns * (effects * len(order) + 2) * UNIT)


# One compiled loop over plain arrays: objects and small functions would cost more than they tell.
@numba.njit(cache=True)
def _step(  # noqa: PLR0913, PLR0917
    most: Ints,
    low: Ints,
    chance: Doubles,
    moves: Ints,
    span: Ints,
    order: Ints,
    starts: Ints,
    start_chance: Doubles,
    rounds: int,
) -> tuple[Doubles, float]:
    """Carries the chance of every cell through one round after another."""
    modes = span.shape[0]
    now = np.zeros((modes, most[0] + 1, most[1] + 1))
    ended = np.zeros((rounds + 1, 3))
    for s in range(starts.shape[0]):
        now[starts[s, 0], starts[s, 1], starts[s, 2]] += start_chance[s]
    for number in range(1, rounds + 1):
        later = np.zeros_like(now)
        for i in range(modes):
            mode = order[i]
            for first in range(1, most[0] + 1):
                for second in range(1, most[1] + 1):
                    here = now[mode, first, second]
                    if here == 0.0:
                        continue
                    region = (1 if first <= low[0] else 0) + (2 if second <= low[1] else 0)
                    for e in range(span[mode, region, 0], span[mode, region, 1]):
                        new_first = min(most[0], first + moves[e, 0])
                        new_second = min(most[1], second + moves[e, 1])
                        part = here * chance[e]
                        if new_first <= 0 or new_second <= 0:
                            end = 2 if new_first <= 0 and new_second <= 0 else 1 if new_first <= 0 else 0
                            ended[number, end] += part
                        elif moves[e, 3]:
                            later[moves[e, 2], new_first, new_second] += part
                        else:
                            now[moves[e, 2], new_first, new_second] += part
        now = later
    return ended, now.sum()
