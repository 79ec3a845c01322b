"""Small charts as inline SVG: same numbers, same bytes; colours and fonts are the page's own.

A chart carries its title and a description for those who do not see it; the numbers stand beside it as a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, log10

from markupsafe import Markup

WIDTH, HEIGHT = 560, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 26, 44
SHADES = 16  # as many as an eye tells apart

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Line:
    """A named series of points; None where there is no single value."""

    name: str
    points: tuple[tuple[Number, Number | None], ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What every chart has: an id that is unique on its page, words, and the names of its axes."""

    id: str
    title: str
    description: str
    across: str
    up: str


@dataclass(frozen=True, slots=True)
class Band:
    """Where a value ought to lie, over a stretch of what runs across."""

    start: Number
    end: Number
    low: Number | float
    high: Number | float


def steps(frame: Frame, lines: Sequence[Line], circled: Sequence[tuple[Number, Number]] = ()) -> Markup:
    """A chart of steps: each value holds until the next one, as it does for whole numbers.

    `circled` are points that an eye is to find.
    """
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points if y is not None]
    plane = _Plane(min(xs), max(xs) + 1, min([0, *ys]), max([0, *ys]))
    marks = []
    for number, line in enumerate(lines, 1):
        marks.append(
            Markup('<path class="series s{}" fill="none" stroke="currentColor" stroke-width="2" d="{}"/>').format(
                number, _path(plane, line)
            )
        )
    marks += [
        Markup(
            '<circle class="circled" r="6" fill="none" stroke="currentColor" stroke-width="2" cx="{}" cy="{}"/>'
        ).format(_n((plane.x(x) + plane.x(x + 1)) / 2), _n(plane.y(y)))
        for x, y in circled
    ]
    return _chart(frame, plane, Markup("").join(marks), _key([line.name for line in lines]) if len(lines) > 1 else "")


def dots(frame: Frame, lines: Sequence[Line], bands: Sequence[Band] = (), *, high: Number = 0) -> Markup:
    """Points at whole numbers, joined line by line, before the bands in which they ought to lie."""
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points if y is not None]
    plane = _Plane(min(xs) - Fraction(1, 2), max(xs) + Fraction(1, 2), 0, max([high, *ys]))
    plane.across = sorted({float(x) for x in xs})
    marks = [
        Markup('<path class="band" fill="currentColor" fill-opacity=".2" d="M{} {}H{}V{}H{}z"/>').format(
            _n(plane.x(b.start)), _n(plane.y(b.low)), _n(plane.x(b.end)), _n(plane.y(b.high)), _n(plane.x(b.start))
        )
        for b in bands
    ]
    for number, line in enumerate(lines, 1):
        places = [(_n(plane.x(x)), _n(plane.y(y))) for x, y in line.points if y is not None]
        path = "L".join(f"{x} {y}" for x, y in places)
        marks.append(
            Markup('<path class="series s{}" fill="none" stroke="currentColor" stroke-width="2" d="M{}"/>').format(
                number, path
            )
        )
        marks += [Markup('<circle class="dot s{}" r="4" cx="{}" cy="{}"/>').format(number, x, y) for x, y in places]
    return _chart(frame, plane, Markup("").join(marks), _key([line.name for line in lines]))


def heat(
    frame: Frame, across: Sequence[Number], up: Sequence[Number], values: Sequence[Sequence[Number | str | None]]
) -> Markup:
    """A map of squares: `values[row][column]` for each of `up` and `across`; None where it is open.

    Numbers are shades of one colour from the lowest to the highest, words a colour each.
    """
    plane = _Plane(across[0], across[-1] + _gap(across), up[0], up[-1] + _gap(up), exact=True)
    flat = [value for row in values for value in row if value is not None]
    words = sorted({value for value in flat if isinstance(value, str)})
    numbers = [value for value in flat if not isinstance(value, str)]
    low, high = (min(numbers), max(numbers)) if numbers else (0, 1)
    # All squares of one shade are one path: a map of a thousand squares stays small.
    shades: dict[Markup, list[str]] = {}
    for j, row in enumerate(values):
        for i, length, shade in _runs([_shade(value, low, high, words) for value in row]):
            x0, x1 = plane.x(across[i]), plane.x(across[i] + _gap(across) * length)
            y0, y1 = plane.y(up[j] + _gap(up)), plane.y(up[j])
            shades.setdefault(shade, []).append(f"M{_n(x0)} {_n(y0)}H{_n(x1)}V{_n(y1)}H{_n(x0)}z")
    cells = [
        Markup('<path shape-rendering="crispEdges" {} d="{}"/>').format(shade, "".join(squares))
        for shade, squares in shades.items()
    ]
    key = _key(words) if words else ""
    return _chart(frame, plane, Markup("").join(cells), key)


class _Plane:
    def __init__(self, x0: Number, x1: Number, y0: Number, y1: Number, *, exact: bool = False) -> None:
        y1 = y1 if y1 > y0 else y0 + 1
        self.across = _ticks(float(x0), float(x1), 8)
        self.up = _ticks(float(y0), float(y1), 5)
        self.x0, self.x1 = float(x0), float(x1)
        self.y0, self.y1 = float(y0), float(y1)
        if not exact:
            self.y0, self.y1 = min(self.y0, self.up[0]), max(self.y1, self.up[-1])

    def x(self, value: Number | float) -> float:
        return LEFT + (float(value) - self.x0) / (self.x1 - self.x0) * (WIDTH - LEFT - RIGHT)

    def y(self, value: Number | float) -> float:
        return HEIGHT - BOTTOM - (float(value) - self.y0) / (self.y1 - self.y0) * (HEIGHT - TOP - BOTTOM)


def _path(plane: _Plane, line: Line) -> str:
    """The steps as one path; what lies level is one stroke."""
    parts: list[str] = []
    level = None
    for x, y in line.points:
        if y is None:
            level = None
            continue
        height = _n(plane.y(y))
        end = f"H{_n(plane.x(x + 1))}"
        if height == level:
            parts[-1] = end
        else:
            parts += [f"V{height}" if level else f"M{_n(plane.x(x))} {height}", end]
        level = height
    return "".join(parts)


def _chart(frame: Frame, plane: _Plane, marks: Markup, key: Markup | str) -> Markup:
    grid = [
        Markup(
            '<line class="grid" stroke="currentColor" stroke-opacity=".15" x1="{}" x2="{}" y1="{y}" y2="{y}"/>'
        ).format(LEFT, WIDTH - RIGHT, y=_n(plane.y(tick)))
        for tick in plane.up
    ]
    labels = [
        Markup('<text text-anchor="end" x="{}" y="{}">{}</text>').format(LEFT - 8, _n(plane.y(t) + 4), _label(t))
        for t in plane.up
    ]
    labels += [
        Markup('<text text-anchor="middle" x="{}" y="{}">{}</text>').format(
            _n(plane.x(t)), HEIGHT - BOTTOM + 18, _label(t)
        )
        for t in plane.across
    ]
    return Markup(
        '<svg class="chart" viewBox="0 0 {w} {h}" role="img" aria-labelledby="{id}-t {id}-d" fill="currentColor"'
        ' font-size="12"><title id="{id}-t">{title}</title><desc id="{id}-d">{description}</desc>'
        '{grid}{marks}<line class="axis" stroke="currentColor" x1="{left}" x2="{right}" y1="{base}" y2="{base}"/>'
        '{labels}<text class="axis-name" text-anchor="end" x="{right}" y="{bottom}">{across} →</text>'
        '<text class="axis-name" x="4" y="12">↑ {up}</text></svg>{key}'
    ).format(
        w=WIDTH,
        h=HEIGHT,
        id=frame.id,
        title=frame.title,
        description=frame.description,
        grid=Markup("").join(grid),
        marks=marks,
        labels=Markup("").join(labels),
        left=LEFT,
        right=WIDTH - RIGHT,
        base=HEIGHT - BOTTOM,
        bottom=HEIGHT - 8,
        across=frame.across,
        up=frame.up,
        key=key,
    )


def _shade(value: Number | str | None, low: Number, high: Number, words: Sequence[str]) -> Markup:
    if value is None:
        return Markup('class="cell open" fill-opacity=".5"')
    if isinstance(value, str):
        return Markup('class="cell s{}"').format(words.index(value) + 1)
    share = round(float(value - low) / float(high - low) * SHADES) / SHADES if high > low else 1.0
    return Markup('class="cell s1" fill-opacity="{}"').format(f"{0.06 + 0.94 * share:.2f}".rstrip("0").rstrip("."))


def _runs(row: Sequence[Markup]) -> list[tuple[int, int, Markup]]:
    """Neighbours of one shade as one rectangle: (first column, length, shade)."""
    runs: list[tuple[int, int, Markup]] = []
    for i, shade in enumerate(row):
        if runs and runs[-1][2] == shade:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1, shade)
        else:
            runs.append((i, 1, shade))
    return runs


def _key(names: Sequence[str]) -> Markup:
    entries = [
        Markup('<li><span class="swatch s{}" aria-hidden="true"></span>{}</li>').format(number, name)
        for number, name in enumerate(names, 1)
    ]
    return Markup('<ul class="key">{}</ul>').format(Markup("").join(entries))


def _gap(values: Sequence[Number]) -> Number:
    return values[1] - values[0] if len(values) > 1 else 1


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers between `low` and `high`, at most `most` of them apart from the ends."""
    rough = (high - low) / most
    power = 10.0 ** floor(log10(rough)) if rough > 0 else 1.0
    step = next((power * m for m in (1, 2, 5, 10) if power * m >= rough * 0.999), power * 10)
    if step < 1 and float(low).is_integer() and float(high).is_integer() and high - low >= 3:
        step = 1.0
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [n * step for n in range(first, last + 1)]


def _label(value: float) -> str:
    text = f"{value:.6g}"
    return text.replace("-", "−")


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
