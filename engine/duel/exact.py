"""Fights solved in exact Fractions: a forward sweep over expected visits.

Hit points only fall within a layer, so that the cells (first, second) of a layer are met in falling order; the only
cycles are turns in which nobody is hurt, and those are summed in closed form.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from engine.duel.fight import REGIONS, Fight, Verdict, endless_modes, loops, visits_matrix

Moments = tuple[Fraction, Fraction, Fraction]
_ZERO: Moments = (Fraction(0), Fraction(0), Fraction(0))


def solve_exact(fight: Fight) -> Verdict:
    """Who wins, how likely, and the first two moments of the number of rounds, as Fractions."""
    cells: dict[tuple[int, int, int], Moments] = defaultdict(lambda: _ZERO)
    for start in fight.starts:
        cells[start.mode, start.first, start.second] = _add(
            cells[start.mode, start.first, start.second], (start.chance, Fraction(0), Fraction(0))
        )
    ends = {"first": _ZERO, "second": _ZERO, "both": _ZERO, "endless": _ZERO}
    for layer in fight.layers():
        solved = [_closed(fight, layer, region) for region in range(REGIONS)]
        for first in range(fight.most[0], 0, -1):
            for second in range(fight.most[1], 0, -1):
                entering = [cells.pop((m, first, second), _ZERO) for m in layer]
                if any(e[0] for e in entering):
                    _spread(fight, layer, (first, second), entering, solved[fight.region(first, second)], cells, ends)
    mean = sum((e[0] + e[1] for k, e in ends.items() if k != "endless"), Fraction(0))
    square = sum((e[0] + 2 * e[1] + e[2] for k, e in ends.items() if k != "endless"), Fraction(0))
    finished = sum((e[0] for k, e in ends.items() if k != "endless"), Fraction(0)) or Fraction(1)
    return Verdict(
        first=ends["first"][0],
        second=ends["second"][0],
        both=ends["both"][0],
        endless=ends["endless"][0],
        mean=mean / finished,
        mean_square=square / finished,
        bound=0.0,
    )


_Closed = tuple[list[list[Fraction]], dict[tuple[int, int], Fraction], set[int]]


def _closed(fight: Fight, layer: list[int], region: int) -> _Closed:
    moves = loops(fight, layer, region)
    endless = endless_modes(layer, moves)
    return visits_matrix(layer, moves, endless), moves, endless


def _spread(
    fight: Fight,
    layer: list[int],
    cell: tuple[int, int],
    entering: list[Moments],
    closed: _Closed,
    cells: dict[tuple[int, int, int], Moments],
    ends: dict[str, Moments],
) -> None:
    """Adds up the visits of a cell's modes, loops included, and hands them on to where they lead."""
    visits, moves, endless = closed
    for mode, moments in zip(layer, entering, strict=True):
        if mode in endless:
            ends["endless"] = _add(ends["endless"], moments)
    flow = [_ZERO if m in endless else e for m, e in zip(layer, entering, strict=True)]
    x0 = _times([e[0] for e in flow], visits)
    crossing = _crossings(fight, layer, moves, endless, x0)
    x1 = _times([e[1] + c for e, c in zip(flow, crossing, strict=True)], visits)
    twice = _crossings(fight, layer, moves, endless, [2 * one + zero for one, zero in zip(x1, x0, strict=True)])
    x2 = _times([e[2] + c for e, c in zip(flow, twice, strict=True)], visits)
    region = fight.region(*cell)
    for mode, x in zip(layer, zip(x0, x1, x2, strict=True), strict=True):
        if mode in endless or not x[0]:
            continue
        for effect in fight.modes[mode].effects[region]:
            if (mode, effect.to) in moves and not effect.first and not effect.second:
                if effect.to in endless:
                    ends["endless"] = _add(ends["endless"], _scale(x, effect.chance))
                continue
            first = min(fight.most[0], cell[0] + effect.first)
            second = min(fight.most[1], cell[1] + effect.second)
            if first <= 0 or second <= 0:
                end = "both" if first <= 0 and second <= 0 else "second" if first <= 0 else "first"
                ends[end] = _add(ends[end], _scale(x, effect.chance))
                continue
            on = _next_round(x) if fight.modes[effect.to].phase <= fight.modes[mode].phase else x
            key = (effect.to, first, second)
            cells[key] = _add(cells[key], _scale(on, effect.chance))


def _crossings(
    fight: Fight,
    layer: list[int],
    moves: dict[tuple[int, int], Fraction],
    endless: set[int],
    weights: list[Fraction],
) -> list[Fraction]:
    """For each mode the weight that enters it by a loop that ends a round."""
    found = [Fraction(0)] * len(layer)
    position = {mode: i for i, mode in enumerate(layer)}
    for (a, b), chance in moves.items():
        if a not in endless and b not in endless and fight.modes[b].phase <= fight.modes[a].phase:
            found[position[b]] += chance * weights[position[a]]
    return found


def _times(row: list[Fraction], matrix: list[list[Fraction]]) -> list[Fraction]:
    return [sum((value * matrix[i][j] for i, value in enumerate(row) if value), Fraction(0)) for j in range(len(row))]


def _next_round(x: Moments) -> Moments:
    """The moments of a round count that is one higher."""
    return (x[0], x[1] + x[0], x[2] + 2 * x[1] + x[0])


def _add(x: Moments, y: Moments) -> Moments:
    return (x[0] + y[0], x[1] + y[1], x[2] + y[2])


def _scale(x: Moments, by: Fraction) -> Moments:
    return (x[0] * by, x[1] * by, x[2] * by)
