"""Win and average rounds alone, by backward induction: what a sweep of many packed fights asks, in a third of the time.

Cells are met in rising order of hit points, the last layer first, so that whatever a turn leads to is known. Like the
forward sweep it only adds up products of numbers that are not negative.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from engine.duel.fast import SIDES, UNIT, Doubles, Ints, Packed
from engine.duel.fight import REGIONS
from engine.errors import InputError

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Means:
    """The chance that the first side wins, the average of rounds, and the greatest relative error of both."""

    first: float
    mean: float
    bound: float


@dataclass(frozen=True, slots=True)
class Reach:
    """The cells that a packed fight can come to, and its blows as jumps from cell to cell.

    Of the blows of mode m in region r on a side with n hit points, those from `blow_span[m, r, side, 0]` up to
    `stand[m, r, side, n]` leave it standing; `passed[m, r, side, n]` is their chance of ending a round.
    """

    packed: Packed
    reached: Flags  # (modes, first, second)
    jump: Ints  # (blows,)
    stand: Ints  # (modes, REGIONS, SIDES, most + 1)
    passed: Doubles  # as stand


def reach(packed: Packed) -> Reach:
    """Where a fight can come to. Raises `InputError` for one that may never end: `solve_packed` says how likely."""
    if packed.endless.any():
        raise InputError("a fight that may never end has no average", "solve it as a whole")
    reached = _reached(
        packed.most, packed.low, packed.layers, packed.moves, packed.span, packed.visit, packed.visit_span,
        packed.starts,
    )  # fmt: skip
    return Reach(packed, reached, *_jumps(packed))


def _jumps(packed: Packed) -> tuple[Ints, Ints, Doubles]:
    steps = (2 * (int(packed.most[1]) + 1), 2)
    step_mode = steps[0] * (int(packed.most[0]) + 1)
    modes = len(packed.endless)
    jump = np.zeros(len(packed.blow), dtype=np.int64)
    stand = np.zeros((modes, REGIONS, SIDES, int(packed.most.max()) + 1), dtype=np.int64)
    passed = np.zeros(stand.shape)
    points = np.arange(stand.shape[3])
    for (mode, region, side), begin in np.ndenumerate(packed.blow_span[:, :, :, 0]):
        end = packed.blow_span[mode, region, side, 1]
        hits = packed.blow[begin:end, 0]
        jump[begin:end] = packed.blow[begin:end, 1] * step_mode - hits * steps[side]
        standing = np.searchsorted(hits, points, side="left")
        ending = packed.blow_chance[begin:end, 0] * packed.blow[begin:end, 2]
        stand[mode, region, side] = begin + standing
        passed[mode, region, side] = np.concatenate(([0.0], np.cumsum(ending)))[standing]
    return jump, stand, passed


def means(of: Reach) -> Means:
    """Win and average rounds of a fight, in doubles."""
    packed = of.packed
    win, more = _means(
        packed.most, packed.low, packed.layers, packed.chance, packed.moves, packed.blow_chance[:, 0].copy(),
        packed.blow_chance[:, 1].copy(), packed.blow_span, of.jump, of.stand, of.passed, packed.rest, packed.rest_span,
        packed.visit, packed.visit_moment, packed.visit_span, packed.loop_rounds, packed.widest, packed.starts,
        packed.start_chance, packed.start_late, of.reached,
    )  # fmt: skip
    # A late start takes a win off the rounds, which are at least as many: twice the error, of twice the number.
    return Means(float(win), 1.0 + float(more), 4 * packed.longest * UNIT)


@numba.njit(cache=True)
def _reached(  # noqa: PLR0913, PLR0917
    most: Ints,
    low: Ints,
    layers: Ints,
    moves: Ints,
    span: Ints,
    visit: Ints,
    visit_span: Ints,
    starts: Ints,
) -> Flags:
    found = np.zeros((span.shape[0], most[0] + 1, most[1] + 1), dtype=np.bool_)
    for s in range(starts.shape[0]):
        found[starts[s, 0], starts[s, 1], starts[s, 2]] = True
    for layer in range(layers.shape[0] - 1):
        begin, end = layers[layer], layers[layer + 1]
        for first in range(most[0], 0, -1):
            for second in range(most[1], 0, -1):
                region = (1 if first <= low[0] else 0) + (2 if second <= low[1] else 0)
                for mode in range(begin, end):
                    if found[mode, first, second]:
                        for v in range(visit_span[mode, region, 0], visit_span[mode, region, 1]):
                            found[begin + visit[v], first, second] = True
                for mode in range(begin, end):
                    if found[mode, first, second]:
                        for e in range(span[mode, region, 0], span[mode, region, 1]):
                            new_first = min(most[0], first + moves[e, 0])
                            new_second = min(most[1], second + moves[e, 1])
                            if new_first > 0 and new_second > 0:
                                found[moves[e, 2], new_first, new_second] = True
    return found


# One compiled loop over plain arrays: objects and small functions would cost more than they tell.
@numba.njit(cache=True)
def _means(  # noqa: C901, PLR0912, PLR0913, PLR0917
    most: Ints,
    low: Ints,
    layers: Ints,
    chance: Doubles,
    moves: Ints,
    blow_chance: Doubles,
    blow_tail: Doubles,
    blow_span: Ints,
    jump: Ints,
    stand: Ints,
    passed: Doubles,
    rest: Ints,
    rest_span: Ints,
    visit: Ints,
    visit_moment: Doubles,
    visit_span: Ints,
    loop_rounds: Doubles,
    widest: int,
    starts: Ints,
    start_chance: Doubles,
    start_late: Flags,
    reached: Flags,
) -> tuple[float, float]:
    """The chance that the first side wins, and the expected number of rounds that end before the fight does."""
    step_first = 2 * (most[1] + 1)
    step_mode = step_first * (most[0] + 1)
    cells = np.empty(step_mode * reached.shape[0])
    wins = np.zeros(widest)
    ends = np.zeros(widest)
    for layer in range(layers.shape[0] - 2, -1, -1):
        begin = layers[layer]
        size = layers[layer + 1] - begin
        for first in range(1, most[0] + 1):
            for second in range(1, most[1] + 1):
                region = (1 if first <= low[0] else 0) + (2 if second <= low[1] else 0)
                here = first * step_first + second * 2
                for i in range(size):
                    mode = begin + i
                    if not reached[mode, first, second]:
                        continue
                    win, end = 0.0, loop_rounds[mode, region]
                    for side in range(SIDES):
                        points = first if side == 0 else second
                        from_, until = blow_span[mode, region, side, 0], stand[mode, region, side, points]
                        for b in range(from_, until):
                            to = np.uintp(here + jump[b])  # unsigned: no look-out for places from the end
                            win += blow_chance[b] * cells[to]
                            end += blow_chance[b] * cells[to + np.uintp(1)]
                        end += passed[mode, region, side, points]
                        if side == 1 and until < blow_span[mode, region, side, 1]:
                            win += blow_tail[until]  # this one fells the second side, and so does each harder one
                    for r in range(rest_span[mode, region, 0], rest_span[mode, region, 1]):
                        e = rest[r]
                        new_first = min(most[0], first + moves[e, 0])
                        new_second = min(most[1], second + moves[e, 1])
                        if new_first > 0 and new_second > 0:
                            to = moves[e, 2] * step_mode + new_first * step_first + new_second * 2
                            win += chance[e] * cells[to]
                            end += chance[e] * (cells[to + 1] + moves[e, 3])
                        elif new_first > 0:
                            win += chance[e]
                    wins[i], ends[i] = win, end
                for i in range(size):
                    mode = begin + i
                    if not reached[mode, first, second]:
                        continue
                    win, end = 0.0, 0.0
                    for v in range(visit_span[mode, region, 0], visit_span[mode, region, 1]):
                        win += visit_moment[v, 0] * wins[visit[v]]
                        end += visit_moment[v, 0] * ends[visit[v]]
                    cells[mode * step_mode + here] = win
                    cells[mode * step_mode + here + 1] = end
    win, end = 0.0, 0.0
    for s in range(starts.shape[0]):
        at = starts[s, 0] * step_mode + starts[s, 1] * step_first + starts[s, 2] * 2
        win += start_chance[s] * cells[at]
        end += start_chance[s] * (cells[at + 1] - (cells[at] if start_late[s] else 0.0))
    return win, end
