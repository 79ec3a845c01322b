"""Fights solved in exact Fractions: a forward sweep over expected visits.

Hit points only fall within a layer, so that the cells (first, second) of a layer are met in falling order; the only
cycles are turns in which nobody is hurt, and those are summed in closed form.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from engine.duel.fight import REGIONS, Fight, Start, Verdict, endless_modes, loops, visits_matrix

Moments = tuple[Fraction, Fraction, Fraction]
_ZERO: Moments = (Fraction(0), Fraction(0), Fraction(0))


def solve_exact(fight: Fight) -> Verdict:
    """Who wins, how likely, and the first two moments of the number of rounds, as Fractions."""
    ends = dict.fromkeys(("first", "second", "both", "endless"), _ZERO)
    for late in (False, True):
        starts = [start for start in fight.starts if start.late == late]
        if starts:
            sweep = _Sweep(fight, starts)
            for layer in fight.layers():
                sweep.layer(layer)
            if late:
                sweep.ends["first"] = _one_round_less(sweep.ends["first"])
            ends = {end: _add(moments, sweep.ends[end]) for end, moments in ends.items()}
    over = [moments for end, moments in ends.items() if end != "endless"]
    finished = sum((e[0] for e in over), Fraction(0)) or Fraction(1)
    return Verdict(
        first=ends["first"][0],
        second=ends["second"][0],
        both=ends["both"][0],
        endless=ends["endless"][0],
        mean=sum((e[0] + e[1] for e in over), Fraction(0)) / finished,
        mean_square=sum((e[0] + 2 * e[1] + e[2] for e in over), Fraction(0)) / finished,
        bound=0.0,
    )


_Closed = tuple[list[list[Fraction]], dict[tuple[int, int], Fraction], set[int]]


def _closed(fight: Fight, layer: list[int], region: int) -> _Closed:
    moves = loops(fight, layer, region)
    endless = endless_modes(layer, moves)
    return visits_matrix(layer, moves, endless), moves, endless


class _Sweep:
    """What has flowed where so far: expected visits of cells, and of the four ends."""

    def __init__(self, fight: Fight, starts: Sequence[Start]) -> None:
        self._fight = fight
        self._cells: dict[tuple[int, int, int], Moments] = defaultdict(lambda: _ZERO)
        self.ends = {"first": _ZERO, "second": _ZERO, "both": _ZERO, "endless": _ZERO}
        for start in starts:
            self._flow((start.mode, start.first, start.second), (start.chance, Fraction(0), Fraction(0)))

    def _flow(self, cell: tuple[int, int, int], moments: Moments) -> None:
        self._cells[cell] = _add(self._cells[cell], moments)

    def _end(self, end: str, moments: Moments) -> None:
        self.ends[end] = _add(self.ends[end], moments)

    def layer(self, layer: list[int]) -> None:
        """Sweeps a layer's cells in falling order of hit points."""
        fight = self._fight
        closed = [_closed(fight, layer, region) for region in range(REGIONS)]
        for first in range(fight.most[0], 0, -1):
            for second in range(fight.most[1], 0, -1):
                entering = [self._cells.pop((m, first, second), _ZERO) for m in layer]
                if any(e[0] for e in entering):
                    self._spread(layer, (first, second), entering, closed[fight.region(first, second)])

    def _spread(self, layer: list[int], cell: tuple[int, int], entering: list[Moments], closed: _Closed) -> None:
        """Adds up the visits of a cell's modes, loops included, and hands them on to where they lead."""
        visits, _moves, endless = closed
        for mode, moments in zip(layer, entering, strict=True):
            if mode in endless:
                self._end("endless", moments)
        flow = [_ZERO if m in endless else e for m, e in zip(layer, entering, strict=True)]
        x0 = _times([e[0] for e in flow], visits)
        once = _crossings(self._fight, layer, closed, x0)
        x1 = _times([e[1] + c for e, c in zip(flow, once, strict=True)], visits)
        twice = _crossings(self._fight, layer, closed, [2 * b + a for a, b in zip(x0, x1, strict=True)])
        x2 = _times([e[2] + c for e, c in zip(flow, twice, strict=True)], visits)
        for mode, x in zip(layer, zip(x0, x1, x2, strict=True), strict=True):
            if mode not in endless and x[0]:
                self._leave(mode, cell, x, closed)

    def _leave(self, mode: int, cell: tuple[int, int], x: Moments, closed: _Closed) -> None:
        fight, (_, moves, endless) = self._fight, closed
        for effect in fight.modes[mode].effects[fight.region(*cell)]:
            part = _scale(x, effect.chance)
            if (mode, effect.to) in moves and not effect.first and not effect.second:
                if effect.to in endless:
                    self._end("endless", part)
                continue
            first = min(fight.most[0], cell[0] + effect.first)
            second = min(fight.most[1], cell[1] + effect.second)
            if first <= 0 or second <= 0:
                self._end("both" if first <= 0 and second <= 0 else "second" if first <= 0 else "first", part)
                continue
            ends_round = fight.modes[effect.to].phase <= fight.modes[mode].phase
            self._flow((effect.to, first, second), _next_round(part) if ends_round else part)


def _crossings(fight: Fight, layer: list[int], closed: _Closed, weights: list[Fraction]) -> list[Fraction]:
    """For each mode the weight that enters it by a loop that ends a round."""
    _, moves, endless = closed
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


def _one_round_less(x: Moments) -> Moments:
    """The moments of a round count that is one lower."""
    return (x[0], x[1] - x[0], x[2] - 2 * x[1] + x[0])


def _add(x: Moments, y: Moments) -> Moments:
    return (x[0] + y[0], x[1] + y[1], x[2] + y[2])


def _scale(x: Moments, by: Fraction) -> Moments:
    return (x[0] * by, x[1] * by, x[2] * by)
