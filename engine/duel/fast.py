"""The same sweep in doubles, compiled, with a stated bound on its error.

Every number is a sum of products of numbers that are not negative, so relative errors only add: after n roundings
a result is off by at most n units of the last place, relatively. `Verdict.bound` is that n times 2**-53.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from engine.duel.fight import REGIONS, Fight, Verdict, endless_modes, loops, visits_matrix
from engine.errors import BoundError

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ENDS = 4  # first, second, both, endless
UNIT = 2.0**-53
MOST_STATES = 20_000_000


@dataclass(frozen=True, slots=True)
class Packed:
    """A fight as arrays. Effects of mode m in region r lie at `span[m, r, 0]` to `span[m, r, 1]`."""

    most: Ints  # (2,)
    low: Ints  # (2,)
    layers: Ints  # (layers + 1,) where each layer's modes begin; modes are renumbered by layer
    chance: Doubles  # (effects,)
    moves: Ints  # (effects, 4): first, second, to, whether a round ends
    span: Ints  # (modes, REGIONS, 2)
    visits: Doubles  # (layers, REGIONS, widest, widest)
    crossing: Doubles  # (layers, REGIONS, widest, widest)
    endless: npt.NDArray[np.bool_]  # (modes, REGIONS)
    phase: Ints  # (modes,)
    starts: Ints  # (starts, 3)
    start_chance: Doubles  # (starts,)
    longest: int  # most roundings on the way of a number


def pack(fight: Fight) -> Packed:
    """The arrays of a fight. Loops are closed exactly before they are rounded once.

    Raises `BoundError` for a fight with very many states.
    """
    states = len(fight.modes) * (fight.most[0] + 1) * (fight.most[1] + 1)
    if states > MOST_STATES:
        raise BoundError(
            f"a fight of {states:,} states", f"at most {MOST_STATES:,}: fewer hit points, pills or choices"
        )
    layers = fight.layers()
    order = [mode for layer in layers for mode in layer]
    number = {mode: i for i, mode in enumerate(order)}
    widest = max(len(layer) for layer in layers)
    visits = np.zeros((len(layers), REGIONS, widest, widest))
    crossing = np.zeros_like(visits)
    endless = np.zeros((len(order), REGIONS), dtype=np.bool_)
    for i, layer in enumerate(layers):
        for region in range(REGIONS):
            moves = loops(fight, layer, region)
            lost = endless_modes(layer, moves)
            matrix = visits_matrix(layer, moves, lost)
            for a, mode in enumerate(layer):
                endless[number[mode], region] = mode in lost
                for b, other in enumerate(layer):
                    visits[i, region, a, b] = float(matrix[a][b])
                    ends_round = fight.modes[other].phase <= fight.modes[mode].phase
                    if ends_round and mode not in lost and other not in lost:
                        crossing[i, region, a, b] = float(moves.get((mode, other), 0))
    chance: list[float] = []
    rows: list[tuple[int, int, int, int]] = []
    span = np.zeros((len(order), REGIONS, 2), dtype=np.int64)
    for mode in order:
        for region in range(REGIONS):
            begin = len(rows)
            for effect in fight.modes[mode].effects[region]:
                to = fight.modes[effect.to]
                chance.append(float(effect.chance))
                rows.append((effect.first, effect.second, number[effect.to], int(to.phase <= fight.modes[mode].phase)))
            span[number[mode], region] = (begin, len(rows))
    most_effects = int((span[:, :, 1] - span[:, :, 0]).max())
    path = len(layers) * (fight.most[0] + fight.most[1])
    return Packed(
        most=np.array(fight.most, dtype=np.int64),
        low=np.array(fight.low, dtype=np.int64),
        layers=np.cumsum([0, *(len(layer) for layer in layers)]).astype(np.int64),
        chance=np.array(chance),
        moves=np.array(rows, dtype=np.int64).reshape(-1, 4),
        span=span,
        visits=visits,
        crossing=crossing,
        endless=endless,
        phase=np.array([fight.modes[mode].phase for mode in order], dtype=np.int64),
        starts=np.array([(number[s.mode], s.first, s.second) for s in fight.starts], dtype=np.int64),
        start_chance=np.array([float(s.chance) for s in fight.starts]),
        # A cell adds up at most (modes × effects) inflows and three products with the loops' matrices.
        longest=path * (most_effects * len(order) + 6 * widest + 8),
    )


# One compiled loop over plain arrays: objects and small functions would cost more than they tell.
@numba.njit(cache=True)
def _sweep(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917
    most: Ints,
    low: Ints,
    layers: Ints,
    chance: Doubles,
    moves: Ints,
    span: Ints,
    visits: Doubles,
    crossing: Doubles,
    endless: npt.NDArray[np.bool_],
    starts: Ints,
    start_chance: Doubles,
) -> Doubles:
    """The moments (0, 1, 2) of each end, shape (ENDS, 3)."""
    modes = span.shape[0]
    cells = np.zeros((modes, most[0] + 1, most[1] + 1, 3))
    ends = np.zeros((ENDS, 3))
    for s in range(starts.shape[0]):
        cells[starts[s, 0], starts[s, 1], starts[s, 2], 0] += start_chance[s]
    widest = visits.shape[2]
    enter = np.zeros((widest, 3))
    x = np.zeros((widest, 3))
    for layer in range(layers.shape[0] - 1):
        begin = layers[layer]
        size = layers[layer + 1] - begin
        for first in range(most[0], 0, -1):
            for second in range(most[1], 0, -1):
                total = 0.0
                for i in range(size):
                    total += cells[begin + i, first, second, 0]
                if total == 0.0:
                    continue
                region = (1 if first <= low[0] else 0) + (2 if second <= low[1] else 0)
                inverse = visits[layer, region]
                cross = crossing[layer, region]
                for i in range(size):
                    for k in range(3):
                        value = cells[begin + i, first, second, k]
                        if endless[begin + i, region]:
                            ends[3, k] += value
                            value = 0.0
                        enter[i, k] = value
                for j in range(size):
                    x[j, 0] = 0.0
                    for i in range(size):
                        x[j, 0] += enter[i, 0] * inverse[i, j]
                for j in range(size):
                    for i in range(size):
                        enter[j, 1] += x[i, 0] * cross[i, j]
                for j in range(size):
                    x[j, 1] = 0.0
                    for i in range(size):
                        x[j, 1] += enter[i, 1] * inverse[i, j]
                for j in range(size):
                    for i in range(size):
                        enter[j, 2] += (2.0 * x[i, 1] + x[i, 0]) * cross[i, j]
                for j in range(size):
                    x[j, 2] = 0.0
                    for i in range(size):
                        x[j, 2] += enter[i, 2] * inverse[i, j]
                for j in range(size):
                    mode = begin + j
                    if x[j, 0] == 0.0 or endless[mode, region]:
                        continue
                    for e in range(span[mode, region, 0], span[mode, region, 1]):
                        p = chance[e]
                        d_first, d_second, to, ends_round = moves[e, 0], moves[e, 1], moves[e, 2], moves[e, 3]
                        if d_first == 0 and d_second == 0 and begin <= to < begin + size:
                            if endless[to, region]:
                                for k in range(3):
                                    ends[3, k] += p * x[j, k]
                            continue
                        new_first = min(most[0], first + d_first)
                        new_second = min(most[1], second + d_second)
                        if new_first <= 0 or new_second <= 0:
                            end = 2 if new_first <= 0 and new_second <= 0 else 1 if new_first <= 0 else 0
                            for k in range(3):
                                ends[end, k] += p * x[j, k]
                            continue
                        zero, one, two = x[j, 0], x[j, 1], x[j, 2]
                        if ends_round:
                            two += 2.0 * one + zero
                            one += zero
                        cells[to, new_first, new_second, 0] += p * zero
                        cells[to, new_first, new_second, 1] += p * one
                        cells[to, new_first, new_second, 2] += p * two
    return ends


def solve_packed(packed: Packed) -> Verdict:
    """The verdict of a packed fight in doubles, with the bound of their relative error."""
    ends = _sweep(
        packed.most, packed.low, packed.layers, packed.chance, packed.moves, packed.span, packed.visits,
        packed.crossing, packed.endless, packed.starts, packed.start_chance,
    )  # fmt: skip
    finished = float(ends[:3, 0].sum()) or 1.0
    return Verdict(
        first=float(ends[0, 0]),
        second=float(ends[1, 0]),
        both=float(ends[2, 0]),
        endless=float(ends[3, 0]),
        mean=float((ends[:3, 0] + ends[:3, 1]).sum()) / finished,
        mean_square=float((ends[:3, 0] + 2 * ends[:3, 1] + ends[:3, 2]).sum()) / finished,
        # The mean divides two such sums: twice the roundings of one.
        bound=2 * packed.longest * UNIT,
    )


def solve(fight: Fight) -> Verdict:
    """The verdict of a fight in doubles, with the bound of their relative error."""
    return solve_packed(pack(fight))


def solve_all(fights: Sequence[Fight]) -> list[Verdict]:
    """The verdicts of many fights, in their order."""
    return [solve(fight) for fight in fights]
