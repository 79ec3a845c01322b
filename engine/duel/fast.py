"""The same sweep in doubles, compiled, with a stated bound on its error.

Every number is a sum of products of numbers that are not negative, so relative errors only add: after n roundings
a result is off by at most n units of the last place, relatively. `Verdict.bound` is that n times 2**-53.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numba
import numpy as np
import numpy.typing as npt

from engine.duel.fight import REGIONS, Fight, Verdict, endless_modes, loops, visits_matrix
from engine.errors import BoundError

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ENDS = 4  # first, second, both, endless
SIDES = 2
UNIT = 2.0**-53
MOST_STATES = 20_000_000


@dataclass(frozen=True, slots=True)
class Packed:
    """A fight as arrays. Effects of mode m in region r lie at `span[m, r, 0]` to `span[m, r, 1]`.

    Most effects are blows: one side loses hit points, the other none. Those on side s lie once more at
    `blow_span[m, r, s, 0]` to `[…, 1]`, in rising order of damage, each with the chance of itself and all harder ones,
    so that a death is added up at once. What is neither blow nor loop stands in `rest`.
    """

    most: Ints  # (2,)
    low: Ints  # (2,)
    layers: Ints  # (layers + 1,) where each layer's modes begin; modes are renumbered by layer
    chance: Doubles  # (effects,)
    moves: Ints  # (effects, 4): first, second, to, whether a round ends
    span: Ints  # (modes, REGIONS, 2)
    blow: Ints  # (blows, 3): damage, to, whether a round ends
    blow_chance: Doubles  # (blows, 2): its own, and with that of all harder blows
    blow_span: Ints  # (modes, REGIONS, SIDES, 2)
    rest: Ints  # (others,): numbers of effects
    rest_span: Ints  # (modes, REGIONS, 2)
    visit: Ints  # (visits,): the place in its layer of a mode that is visited
    visit_moment: Doubles  # (visits, 3): expected visits, by the moments of the rounds that end on the way
    visit_span: Ints  # (modes, REGIONS, 2): the visits after entering a mode
    loop_rounds: Doubles  # (modes, REGIONS): the chance of a loop that ends a round
    widest: int  # most modes of a layer
    endless: npt.NDArray[np.bool_]  # (modes, REGIONS)
    phase: Ints  # (modes,)
    starts: Ints  # (starts, 3)
    start_chance: Doubles  # (starts,)
    start_late: npt.NDArray[np.bool_]  # (starts,): a round too much is counted when the first side ends the fight
    longest: int  # most roundings on the way of a number


class _Effects:
    """The effects of all modes, in rows."""

    def __init__(self, fight: Fight, order: list[int], endless: npt.NDArray[np.bool_]) -> None:
        number = {mode: i for i, mode in enumerate(order)}
        layer_of = [fight.modes[mode].layer for mode in order]
        shape = (len(order), REGIONS)
        self.span = np.zeros((*shape, 2), dtype=np.int64)
        self.blow_span = np.zeros((*shape, SIDES, 2), dtype=np.int64)
        self.rest_span = np.zeros((*shape, 2), dtype=np.int64)
        self.moves: list[tuple[int, int, int, int]] = []
        self.chance: list[float] = []
        self.blows: list[tuple[int, int, int]] = []
        self.blow_chance: list[tuple[float, float]] = []
        self.rest: list[int] = []
        for i, mode in enumerate(order):
            own = fight.modes[mode]
            for region in range(REGIONS):
                earlier = [r for r in range(region) if own.effects[r] is own.effects[region]]
                if earlier:
                    for spans in (self.span, self.blow_span, self.rest_span):
                        spans[i, region] = spans[i, earlier[0]]
                    continue
                begin, rest = len(self.moves), len(self.rest)
                sides: tuple[list[tuple[int, int, int, float]], ...] = ([], [])
                for effect in own.effects[region]:
                    to, ends = number[effect.to], int(fight.modes[effect.to].phase <= own.phase)
                    chance = float(effect.chance)
                    self.moves.append((effect.first, effect.second, to, ends))
                    self.chance.append(chance)
                    if effect.first < 0 == effect.second:
                        sides[0].append((-effect.first, to, ends, chance))
                    elif effect.second < 0 == effect.first:
                        sides[1].append((-effect.second, to, ends, chance))
                    elif effect.first or effect.second or layer_of[to] != layer_of[i] or endless[to, region]:
                        self.rest.append(len(self.moves) - 1)
                self.span[i, region] = (begin, len(self.moves))
                self.rest_span[i, region] = (rest, len(self.rest))
                for side, blows in enumerate(sides):
                    self._add_blows(blows, self.blow_span[i, region, side])

    def _add_blows(self, blows: list[tuple[int, int, int, float]], span: Ints) -> None:
        begin, harder = len(self.blows), 0.0
        tails = []
        for *_, chance in sorted(blows, reverse=True):
            harder += chance
            tails.append(harder)
        for (damage, to, ends, chance), tail in zip(sorted(blows), reversed(tails), strict=True):
            self.blows.append((damage, to, ends))
            self.blow_chance.append((chance, tail))
        span[:] = (begin, len(self.blows))


Moments = tuple[Fraction, Fraction, Fraction]
Matrix = list[list[Fraction]]


def _loops_closed(fight: Fight, layer: list[int], region: int) -> tuple[set[int], list[list[Moments]], Matrix]:
    """The endless modes of a layer; `[i][j]`: the moments of rounds at visits of j after entering i; and C; all exact.

    With V the expected visits and C the loops that end a round, those are V, VCV, and 2·VCVCV + VCV.
    """
    moves = loops(fight, layer, region)
    lost = endless_modes(layer, moves)
    visits = visits_matrix(layer, moves, lost)
    crossing = [
        [
            moves.get((a, b), Fraction(0))
            if a not in lost and b not in lost and fight.modes[b].phase <= fight.modes[a].phase
            else Fraction(0)
            for b in layer
        ]
        for a in layer
    ]
    once = _times(_times(visits, crossing), visits)
    twice = _times(_times(once, crossing), visits)
    size = range(len(layer))
    moments = [[(visits[i][j], once[i][j], 2 * twice[i][j] + once[i][j]) for j in size] for i in size]
    return lost, moments, crossing


def _times(left: Matrix, right: Matrix) -> Matrix:
    found = []
    for row in left:
        used = [(value, right[k]) for k, value in enumerate(row) if value]
        sums = [sum((value * other[j] for value, other in used if other[j]), Fraction(0)) for j in range(len(row))]
        found.append(sums)
    return found


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
    visit: list[int] = []
    visit_moment: list[tuple[float, float, float]] = []
    visit_span = np.zeros((len(order), REGIONS, 2), dtype=np.int64)
    endless = np.zeros((len(order), REGIONS), dtype=np.bool_)
    loop_rounds = np.zeros((len(order), REGIONS))
    for layer in layers:
        for region in range(REGIONS):
            lost, moments, crossing = _loops_closed(fight, layer, region)
            for a, mode in enumerate(layer):
                endless[number[mode], region] = mode in lost
                loop_rounds[number[mode], region] = float(sum(crossing[a]))
                begin = len(visit)
                for b, found in enumerate(moments[a]):
                    if found[0]:
                        visit.append(b)
                        visit_moment.append((float(found[0]), float(found[1]), float(found[2])))
                visit_span[number[mode], region] = (begin, len(visit))
    effects = _Effects(fight, order, endless)
    most_effects = int((effects.span[:, :, 1] - effects.span[:, :, 0]).max())
    path = len(layers) * (fight.most[0] + fight.most[1])
    return Packed(
        most=np.array(fight.most, dtype=np.int64),
        low=np.array(fight.low, dtype=np.int64),
        layers=np.cumsum([0, *(len(layer) for layer in layers)]).astype(np.int64),
        chance=np.array(effects.chance),
        moves=np.array(effects.moves, dtype=np.int64).reshape(-1, 4),
        span=effects.span,
        blow=np.array(effects.blows, dtype=np.int64).reshape(-1, 3),
        blow_chance=np.array(effects.blow_chance).reshape(-1, 2),
        blow_span=effects.blow_span,
        rest=np.array(effects.rest, dtype=np.int64),
        rest_span=effects.rest_span,
        visit=np.array(visit, dtype=np.int64),
        visit_moment=np.array(visit_moment).reshape(-1, 3),
        visit_span=visit_span,
        loop_rounds=loop_rounds,
        widest=widest,
        endless=endless,
        phase=np.array([fight.modes[mode].phase for mode in order], dtype=np.int64),
        starts=np.array([(number[s.mode], s.first, s.second) for s in fight.starts], dtype=np.int64),
        start_chance=np.array([float(s.chance) for s in fight.starts]),
        start_late=np.array([s.late for s in fight.starts], dtype=np.bool_),
        # A cell adds up at most (modes × effects) inflows, tails of effects, and five products for each loop.
        longest=path * (most_effects * (len(order) + 1) + 6 * widest + 8),
    )


# One compiled loop over plain arrays: objects and small functions would cost more than they tell.
@numba.njit(cache=True)
def _sweep(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917
    most: Ints,
    low: Ints,
    layers: Ints,
    chance: Doubles,
    moves: Ints,
    blow: Ints,
    blow_chance: Doubles,
    blow_span: Ints,
    rest: Ints,
    rest_span: Ints,
    visit: Ints,
    visit_moment: Doubles,
    visit_span: Ints,
    widest: int,
    endless: npt.NDArray[np.bool_],
    starts: Ints,
    start_chance: Doubles,
) -> Doubles:
    """The moments (0, 1, 2) of each end, shape (ENDS, 3)."""
    # Cells lie in one row of numbers, three for each: slices of arrays would cost more than the sums.
    step_first = 3 * (most[1] + 1)
    step_mode = step_first * (most[0] + 1)
    cells = np.zeros(step_mode * endless.shape[0])
    ends = np.zeros((ENDS, 3))
    for s in range(starts.shape[0]):
        cells[starts[s, 0] * step_mode + starts[s, 1] * step_first + starts[s, 2] * 3] += start_chance[s]
    x = np.zeros((widest, 3))
    for layer in range(layers.shape[0] - 1):
        begin = layers[layer]
        size = layers[layer + 1] - begin
        for first in range(most[0], 0, -1):
            for second in range(most[1], 0, -1):
                here = begin * step_mode + first * step_first + second * 3
                total = 0.0
                for i in range(size):
                    total += cells[here + i * step_mode]
                if total == 0.0:
                    continue
                region = (1 if first <= low[0] else 0) + (2 if second <= low[1] else 0)
                for i in range(size):
                    x[i, 0] = x[i, 1] = x[i, 2] = 0.0
                for i in range(size):
                    at = here + i * step_mode
                    zero, one, two = cells[at], cells[at + 1], cells[at + 2]
                    if zero == 0.0:
                        continue
                    if endless[begin + i, region]:
                        ends[3, 0] += zero
                        ends[3, 1] += one
                        ends[3, 2] += two
                        continue
                    for v in range(visit_span[begin + i, region, 0], visit_span[begin + i, region, 1]):
                        j = visit[v]
                        m0, m1, m2 = visit_moment[v, 0], visit_moment[v, 1], visit_moment[v, 2]
                        x[j, 0] += zero * m0
                        x[j, 1] += one * m0 + zero * m1
                        x[j, 2] += two * m0 + 2.0 * one * m1 + zero * m2
                for j in range(size):
                    mode = begin + j
                    zero, one, two = x[j, 0], x[j, 1], x[j, 2]
                    if zero == 0.0 or endless[mode, region]:
                        continue
                    next_one, next_two = one + zero, two + 2.0 * one + zero
                    for side in range(SIDES):
                        points = first if side == 0 else second
                        step = step_first if side == 0 else 3
                        stand = first * step_first + second * 3
                        for b in range(blow_span[mode, region, side, 0], blow_span[mode, region, side, 1]):
                            if blow[b, 0] >= points:
                                # This one fells, and so does each that is harder.
                                p = blow_chance[b, 1]
                                ends[1 - side, 0] += p * zero
                                ends[1 - side, 1] += p * one
                                ends[1 - side, 2] += p * two
                                break
                            p = blow_chance[b, 0]
                            to = blow[b, 1] * step_mode + stand - blow[b, 0] * step
                            cells[to] += p * zero
                            if blow[b, 2]:
                                cells[to + 1] += p * next_one
                                cells[to + 2] += p * next_two
                            else:
                                cells[to + 1] += p * one
                                cells[to + 2] += p * two
                    for r in range(rest_span[mode, region, 0], rest_span[mode, region, 1]):
                        e = rest[r]
                        p = chance[e]
                        new_first = min(most[0], first + moves[e, 0])
                        new_second = min(most[1], second + moves[e, 1])
                        end = -1
                        if new_first <= 0 or new_second <= 0:
                            end = 2 if new_first <= 0 and new_second <= 0 else 1 if new_first <= 0 else 0
                        elif moves[e, 0] == 0 and moves[e, 1] == 0 and begin <= moves[e, 2] < begin + size:
                            end = 3
                        if end >= 0:
                            ends[end, 0] += p * zero
                            ends[end, 1] += p * one
                            ends[end, 2] += p * two
                            continue
                        to = moves[e, 2] * step_mode + new_first * step_first + new_second * 3
                        cells[to] += p * zero
                        cells[to + 1] += p * (next_one if moves[e, 3] else one)
                        cells[to + 2] += p * (next_two if moves[e, 3] else two)
    return ends


def solve_packed(packed: Packed) -> Verdict:
    """The verdict of a packed fight in doubles, with the bound of their relative error."""
    ends, mean, mean_square = np.zeros(ENDS), 0.0, 0.0
    for late in (False, True):
        chosen = packed.start_late == late
        if not chosen.any():
            continue
        found = _sweep(
            packed.most, packed.low, packed.layers, packed.chance, packed.moves, packed.blow, packed.blow_chance,
            packed.blow_span, packed.rest, packed.rest_span, packed.visit, packed.visit_moment, packed.visit_span,
            packed.widest, packed.endless, packed.starts[chosen], packed.start_chance[chosen],
        )  # fmt: skip
        ends += found[:, 0]
        mean += float(found[:3, 1].sum())
        mean_square += float(found[:3, 2].sum())
        # Beside the rounds that have ended, each fight has one in which it ends; a late win has that in them already.
        last = found[late:3]
        mean += float(last[:, 0].sum())
        mean_square += float((last[:, 0] + 2 * last[:, 1]).sum())
    finished = float(ends[:3].sum()) or 1.0
    return Verdict(
        first=float(ends[0]),
        second=float(ends[1]),
        both=float(ends[2]),
        endless=float(ends[3]),
        mean=mean / finished,
        mean_square=mean_square / finished,
        # The mean divides two such sums: twice the roundings of one.
        bound=2 * packed.longest * UNIT,
    )


def solve(fight: Fight) -> Verdict:
    """The verdict of a fight in doubles, with the bound of their relative error."""
    return solve_packed(pack(fight))


def solve_all(fights: Sequence[Fight]) -> list[Verdict]:
    """The verdicts of many fights, in their order."""
    return [solve(fight) for fight in fights]
