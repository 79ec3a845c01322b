"""A sweep as one SVG file: wins above, with the bands where they ought to lie; average rounds below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from markupsafe import Markup

from conformance.sweep.run import Row
from engine.errors import CallError
from engine.values import show

# Told apart by people who see few colours as well (Okabe and Ito).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MOST_LINES = 12
WIDTH, LEFT, RIGHT, TOP = 760, 64, 150, 58
WINS, ROUNDS, BETWEEN, BOTTOM = 260, 130, 44, 46
LINE_HEIGHT = 15

Value = int | Fraction | str | bool


@dataclass(frozen=True, slots=True)
class _Line:
    name: str
    colour: str
    points: tuple[tuple[float, float, float], ...]  # place across, win in percent, rounds
    band: tuple[float, float] | None


def plot(rows: Sequence[Row], title: str, bands: str = "band") -> str:
    """The SVG of a sweep: the input that was named last runs across, everything else makes a line.

    Raises `CallError` where there is nothing to draw, or too much.
    """
    solved = [row for row in rows if row.solved]
    if not solved or not solved[0].labels:
        raise CallError("nothing to draw", "sweep something: --vary stage=1..10")
    across = list(solved[0].labels)[-1]
    ticks = list(dict.fromkeys(row.labels[across] for row in solved))
    places = _places(ticks)
    lines = _lines(solved, across, places)
    if len(lines) > MOST_LINES:
        raise CallError(f"{len(lines)} lines", f"a picture bears {MOST_LINES}: vary fewer, or name the longest last")
    height = TOP + WINS + BETWEEN + ROUNDS + BOTTOM
    low, high = min(places.values()), max(places.values())
    upper = _Panel(TOP, WINS, (low, high), (0, 100))
    longest = max(point[2] for line in lines for point in line.points)
    lower = _Panel(TOP + WINS + BETWEEN, ROUNDS, (low, high), (0, max(1, ceil(longest))))
    marks = [
        _words(LEFT, 24, title, size=15, weight="bold"),
        *_bands(upper, lines, bands),
        *upper.frame("win, %"),
        *lower.frame("average rounds"),
        *(mark for line in lines for mark in upper.series(line, 1)),
        *(mark for line in lines for mark in lower.series(line, 2)),
        *_names(upper, lines),
        *_across(lower, ticks, places, across),
    ]
    return str(
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
            'font-family="system-ui, sans-serif" font-size="12" fill="#222"><title>{title}</title><desc>{words}</desc>'
            '<rect width="{w}" height="{h}" fill="#fff"/>{marks}</svg>\n'
        ).format(w=WIDTH, h=height, title=title, words=_described(solved), marks=Markup("\n").join(marks))
    )


class _Panel:
    def __init__(self, top: int, height: int, across: tuple[float, float], up: tuple[float, float]) -> None:
        self.top, self.height, self._across, self._up = top, height, across, up

    def x(self, value: float) -> float:
        low, high = self._across
        return LEFT + 24 + (WIDTH - LEFT - RIGHT - 48) * ((value - low) / (high - low) if high > low else 0.5)

    def y(self, value: float) -> float:
        low, high = self._up
        return self.top + self.height * (1 - (value - low) / (high - low))

    def frame(self, name: str) -> list[Markup]:
        """Lines across at round numbers, and what is measured."""
        high = self._up[1]
        step = next(s for s in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 10000) if high / s <= 5)
        marks = []
        for number in range(floor(high / step) + 1):
            y = _n(self.y(number * step))
            marks.append(
                Markup('<line x1="{}" x2="{}" y1="{y}" y2="{y}" stroke="#222" stroke-opacity="{}"/>').format(
                    LEFT, WIDTH - RIGHT, 0.6 if not number else 0.12, y=y
                )
            )
            marks.append(_words(LEFT - 8, self.y(number * step) + 4, str(number * step), anchor="end"))
        marks.append(_words(LEFT, self.top - 8, f"↑ {name}"))
        return marks

    def series(self, line: _Line, which: int) -> list[Markup]:
        """A line with a dot at each cell."""
        at = [(self.x(point[0]), self.y(point[which])) for point in line.points]
        path = " ".join(f"{_n(x)},{_n(y)}" for x, y in at)
        return [
            Markup('<polyline points="{}" fill="none" stroke="{}" stroke-width="2"/>').format(path, line.colour),
            *(Markup('<circle cx="{}" cy="{}" r="3.5" fill="{}"/>').format(_n(x), _n(y), line.colour) for x, y in at),
        ]


def _places(ticks: Sequence[Value]) -> dict[Any, float]:
    """Numbers lie where they belong, words side by side."""
    if all(isinstance(t, int | Fraction) and not isinstance(t, bool) for t in ticks):
        return {t: float(t) for t in ticks}
    return {t: float(i) for i, t in enumerate(ticks)}


def _lines(rows: Sequence[Row], across: str, places: Mapping[Any, float]) -> list[_Line]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        others = [(name, value) for name, value in row.labels.items() if name != across]
        name = ", ".join(show(v) if isinstance(v, str) else f"{n} {show(v)}" for n, v in others)
        found.setdefault(name, []).append(row)
    lines = []
    for number, (name, own) in enumerate(found.items()):
        points = [
            (places[row.labels[across]], 100 * row.solved.win, row.solved.rounds)
            for row in own
            if row.solved is not None
        ]
        band = next((row.band for row in own if row.band), None)
        lines.append(_Line(name, COLOURS[number % len(COLOURS)], tuple(points), band))
    return lines


def _bands(panel: _Panel, lines: Sequence[_Line], word: str) -> list[Markup]:
    marks = []
    owners: dict[tuple[float, float], list[_Line]] = {}
    for line in lines:
        if line.band:
            owners.setdefault(line.band, []).append(line)
    for (low, high), own in owners.items():
        top, bottom = panel.y(high), panel.y(low)
        marks.append(
            Markup('<rect x="{}" y="{}" width="{}" height="{}" fill="{}" fill-opacity=".16"/>').format(
                LEFT, _n(top), WIDTH - LEFT - RIGHT, _n(bottom - top), own[0].colour
            )
        )
        text = f"{word} {low:g}–{high:g} %" + (f": {own[0].name}" if len(own) == 1 and own[0].name else "")
        marks.append(_words(WIDTH - RIGHT - 6, top + 14, text, anchor="end", colour=own[0].colour))
    return marks


def _names(panel: _Panel, lines: Sequence[_Line]) -> list[Markup]:
    """Each line's name at its end, pushed apart where ends lie close."""
    ends = sorted(lines, key=lambda line: panel.y(line.points[-1][1]))
    at = float(panel.top)
    marks = []
    free = panel.top + panel.height - LINE_HEIGHT * (len(ends) - 1)
    for number, line in enumerate(ends):
        at = min(max(at, panel.y(line.points[-1][1])), free + LINE_HEIGHT * number)
        marks.append(_words(WIDTH - RIGHT + 8, at + 4, line.name, colour=line.colour, weight="bold"))
        at += LINE_HEIGHT
    return marks


def _across(panel: _Panel, ticks: Sequence[Value], places: Mapping[Any, float], name: str) -> list[Markup]:
    every = max(1, -(-len(ticks) // 20))
    base = panel.top + panel.height
    marks = [_words(panel.x(places[t]), base + 18, show(t), anchor="middle") for t in ticks[::every]]
    return [*marks, _words(WIDTH - RIGHT, base + 36, f"{name} →", anchor="end")]


def _described(rows: Sequence[Row]) -> str:
    cells = []
    for row in rows:
        assert row.solved is not None
        names = ", ".join(f"{name} {show(value)}" for name, value in row.labels.items())
        cells.append(f"{names}: {100 * row.solved.win:.2f} % wins in {row.solved.rounds:.2f} rounds")
    return "; ".join(cells)


def _words(  # noqa: PLR0913 - what an SVG text has
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    size: int = 12,
    weight: str = "normal",
    colour: str = "#222",
) -> Markup:
    return Markup('<text x="{}" y="{}" text-anchor="{}" font-size="{}" font-weight="{}" fill="{}">{}</text>').format(
        _n(x), _n(y), anchor, size, weight, colour, text
    )


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
