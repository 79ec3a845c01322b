"""Which definitions a person would rather look at, and their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from markupsafe import Markup

from conformance.report import svg
from conformance.report.words import plural, shown
from engine.book.domains import Choice, Domain, Range, Truth
from engine.book.model import Book, Clause, DecisionTable, Definition
from engine.errors import InputError, Unspecified
from engine.readings import Answer, Engine

MOST_POINTS = 401
MOST_LINES = 6
MOST_NAMES = 2
MOST_OPEN = Fraction(3, 10)
SIDE = 31
WINDOW = 30
OPEN = "open"

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing, and its numbers as a table."""

    drawing: Markup
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    title: str = ""


def chart_of(engine: Engine, clause: Clause) -> Chart | None:
    """A chart for a definition of one or two numbers, where a picture says more than its formula.

    None for constants, straight lines, plain sums, truth values, and whatever has more than two numbers.
    """
    body = clause.body
    if not isinstance(body, Definition | DecisionTable) or not body.params:
        return None
    domains = [engine.book.domains[p] for p in body.params]
    numbers = [d for d in domains if isinstance(d, Range)]
    words = [d for d in domains if isinstance(d, Choice | Truth)]
    if len(numbers) + len(words) != len(domains) or any(d.step != 1 for d in numbers):
        return None
    try:
        if len(numbers) == 1:
            return _lines(engine, clause, numbers[0], words)
        if len(numbers) == 2 and not words:
            return _map(engine, clause, numbers[0], numbers[1])
    except InputError:  # a window that leaves what the formula bears, such as a division by zero
        return None
    return None


def _lines(engine: Engine, clause: Clause, across: Range, words: Sequence[Domain]) -> Chart | None:
    assert clause.name is not None
    keys = list(product(*(list(d.values()) for d in words)))
    if len(keys) > MOST_LINES:
        return None
    xs = _window(across, MOST_POINTS)
    series: dict[str, list[tuple[Number, Number | None]]] = {}
    for key in keys:
        given = {d.name: v for d, v in zip(words, key, strict=True)}
        named = ", ".join(f"{n} = {shown(v)}" for n, v in given.items())
        answers = [engine.ask(clause.name, {**given, across.name: x}) for x in xs]
        for name, values in _by_reading(engine.book, answers).items():
            label = ", ".join(part for part in (named, name) if part)
            series[label or clause.name] = list(zip(xs, values, strict=True))
    title = f"{clause.title}: {clause.name} by {across.label or across.name}"
    frame = svg.Frame(f"chart-{clause.id}", title, "", across.label or across.name, clause.name)
    return step_chart(frame, across.name, series)


def step_chart(
    frame: svg.Frame,
    across: str,
    series: Mapping[str, Sequence[tuple[Number, Number | None]]],
    marks: Sequence[tuple[Number, Number]] = (),
) -> Chart | None:
    """A line for each series, equal ones as one; None where there is nothing to see, or too much.

    The frame's description is written here; `across` is the short name of what runs across.
    """
    lines = _distinct(series)
    if lines is None or len(lines) > MOST_LINES:
        return None
    open_at = any(y is None for line in lines for _, y in line.points)
    frame = replace(frame, description=_describe(lines, across))
    head, rows = _intervals(across, lines)
    note = "A gap in a line: there the text gives no single value." if open_at else ""
    return Chart(svg.steps(frame, lines, marks), head, rows, note)


def _by_reading(book: Book, answers: Sequence[Answer]) -> dict[str, list[Number | None]]:
    """One line where nothing is open; else one for each combination of readings, as far as they are few."""
    combinations = list(
        {tuple(o.readings.items()): o.readings for a in answers for o in a.outcomes if o.readings}.values()
    )
    asked = {name for readings in combinations for name in readings}
    if not asked or len(combinations) > MOST_LINES:
        return {"": [_number(a) for a in answers]}
    ids = {q.name: q.id for q in book.questions.values()}
    if not asked <= set(ids):
        return {"": [_number(a) for a in answers]}
    found = {}
    for readings in combinations:
        label = ", ".join(f"{ids[q]} {r}" for q, r in readings.items())
        found[label] = [_under(answer, readings) for answer in answers]
    return found


def _under(answer: Answer, readings: Mapping[str, str]) -> Number | None:
    for outcome in answer.outcomes:
        if all(readings.get(q, r) == r for q, r in outcome.readings.items()):
            return _plain(outcome.value)
    return None


def _number(answer: Answer) -> Number | None:
    return _plain(answer.value) if answer.settled else None


def _plain(value: Any) -> Number | None:
    if isinstance(value, Unspecified):
        return None
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise InputError("no number")
    return value


def _distinct(series: Mapping[str, Sequence[tuple[Number, Number | None]]]) -> list[svg.Line] | None:
    """The lines, equal ones under their joint names; None where there is nothing to see."""
    joint: dict[tuple[tuple[Number, Number | None], ...], list[str]] = {}
    for name, points in series.items():
        joint.setdefault(tuple(points), []).append(name)
    lines = [svg.Line(_joined(names), points) for points, names in joint.items()]
    bent = False
    for line in lines:
        ys = [y for _, y in line.points]
        known = [y for y in ys if y is not None]
        if len(known) < 3:
            return None
        bent = bent or len({b - a for a, b in pairwise(known)}) > 1
    return lines if bent else None


def _joined(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return "; ".join(names[:MOST_NAMES]) + (f"; and {more} more" if more > 0 else "")


def _map(engine: Engine, clause: Clause, across: Range, up: Range) -> Chart | None:
    assert clause.name is not None
    xs, ys = _window(across, SIDE), _window(up, SIDE)
    values = [[_cell(engine, clause.name, {across.name: x, up.name: y}) for x in xs] for y in ys]
    flat = [value for row in values for value in row]
    words = {v for v in flat if isinstance(v, str)}
    if flat.count(None) > MOST_OPEN * len(flat):  # a map of what is open says less than the question does
        return None
    if len(set(flat)) < 3 or len(words) > MOST_LINES or (not words and _flat_plane(values)):
        return None
    title = f"{clause.title}: {clause.name} by {across.label or across.name} and {up.label or up.name}"
    described = f"Across, {across.name} from {xs[0]} to {xs[-1]}; up, {up.name} from {ys[0]} to {ys[-1]}. "
    numbers = [v for v in flat if v is not None and not isinstance(v, str)]
    if numbers:
        described += f"Lowest {shown(min(numbers))}, highest {shown(max(numbers))}. "
    if None in flat:
        described += f"Open at {sum(v is None for v in flat)} of {len(flat)} points."
    frame = svg.Frame(f"chart-{clause.id}", title, described.strip(), across.name, up.name)
    some_x, some_y = _sample(len(xs)), _sample(len(ys))
    head = (f"{up.name} \\ {across.name}", *(shown(xs[i]) for i in some_x))
    rows = tuple((shown(ys[j]), *(_cell_text(values[j][i]) for i in some_x)) for j in reversed(some_y))
    shades = (
        f"The stronger the colour, the higher: from {shown(min(numbers))} to {shown(max(numbers))}." if numbers else ""
    )
    gap = " Squares in the colour of open questions: the text gives no single value." if None in flat else ""
    return Chart(svg.heat(frame, xs, ys, values), head, rows, shades + gap)


def word_map(frame: svg.Frame, xs: Sequence[int], ys: Sequence[int], values: Sequence[Sequence[str | None]]) -> Chart:
    """A map of words, `values[row][column]` for each of `ys` and `xs`; None where there is no single value."""
    flat = [value for row in values for value in row]
    counts = [f"{word}: {flat.count(word)}" for word in sorted({value for value in flat if value is not None})]
    counts += [f"{OPEN}: {flat.count(None)}"] if None in flat else []
    described = f"{len(flat):,} points. {'; '.join(counts)}."
    frame = replace(frame, description=described)
    some_x, some_y = _sample(len(xs)), _sample(len(ys))
    head = (f"{frame.up} \\ {frame.across}", *(shown(xs[i]) for i in some_x))
    rows = tuple((shown(ys[j]), *(_cell_text(values[j][i]) for i in some_x)) for j in reversed(some_y))
    return Chart(svg.heat(frame, xs, ys, values), head, rows, described)


def _cell(engine: Engine, name: str, given: Mapping[str, Any]) -> Number | str | None:
    answer = engine.ask(name, given, first_difference=True)
    if not answer.settled:
        return None
    value = answer.value
    return value if isinstance(value, str) else _plain(value)


def _cell_text(value: Number | str | None) -> str:
    return OPEN if value is None else shown(value)


def _flat_plane(values: Sequence[Sequence[Any]]) -> bool:
    """Whether each step to the right and each step up changes the value by the same everywhere: a plain sum."""
    if any(v is None for row in values for v in row):
        return False
    right = {b - a for row in values for a, b in pairwise(row)}
    above = {b - a for low, high in pairwise(values) for a, b in zip(low, high, strict=True)}
    return len(right) <= 1 and len(above) <= 1


def _window(domain: Range, most: int) -> list[int]:
    """The numbers that are drawn: the domain, thinned out where it is long, cut where it has no end."""
    if domain.low is None and domain.high is None:
        low, high = -WINDOW // 2, WINDOW // 2
    elif domain.high is None:
        assert domain.low is not None
        low, high = domain.low, domain.low + WINDOW
    elif domain.low is None:
        low, high = domain.high - WINDOW, domain.high
    else:
        low, high = domain.low, domain.high
    stride = max(1, -(-(high - low + 1) // most))
    return list(range(low, high + 1, stride))


def _sample(length: int) -> list[int]:
    stride = max(1, -(-length // 11))
    return list(range(0, length, stride))


def _describe(lines: Sequence[svg.Line], across: str) -> str:
    first, last = lines[0].points[0][0], lines[0].points[-1][0]
    parts = []
    for line in lines:
        known = [y for _, y in line.points if y is not None]
        jumps = sum(a != b for a, b in pairwise(known))
        moved = f"from {shown(known[0])} to {shown(known[-1])}, {plural(jumps, 'step')}"
        parts.append(f"{line.name}: {moved}" if len(lines) > 1 else moved)
    return f"Steps over {across} from {first} to {last}: " + "; ".join(parts) + "."


def _intervals(name: str, lines: Sequence[svg.Line]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The numbers as a table: one row for each stretch over which no line moves."""
    xs = [x for x, _ in lines[0].points]
    columns = list(zip(*([y for _, y in line.points] for line in lines), strict=True))
    rows: list[tuple[str, ...]] = []
    start = 0
    for i in range(1, len(xs) + 1):
        if i < len(xs) and columns[i] == columns[start]:
            continue
        span = shown(xs[start]) if i - 1 == start else f"{shown(xs[start])} to {shown(xs[i - 1])}"
        rows.append((span, *(_cell_text(y) for y in columns[start])))
        start = i
    names: Iterable[str] = [line.name for line in lines] if len(lines) > 1 else ["value"]
    return (name, *names), tuple(rows)
