"""What the pages of single systems share: a book at hand, values under readings, and parts of a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from conformance.report import svg
from conformance.report.addresses import places
from conformance.report.charts import Chart, Number, step_chart
from conformance.report.opening import folder_of
from conformance.report.pagetext import render
from conformance.report.prose import Prose
from conformance.report.sections import Section
from conformance.report.words import listed, shown
from engine.book.domains import Choice
from engine.book.load import load_book
from engine.book.model import Book, Question
from engine.errors import InputError, Unspecified
from engine.readings import Engine

Series = dict[str, Sequence[tuple[Number, Number | None]]]


Cell = str | tuple[str, ...]
"""A cell of a table: its text, or its lines, of which those after the first are smaller."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose first column heads its rows.

    On a narrow screen it is shown as it is, "wide" where it scrolls, a "matrix" that keeps its first column in sight,
    or "stacked", a row below the other with each cell under its heading.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    shape: Literal["simple", "wide", "matrix", "stacked"] = "simple"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a section: words, pictures, a table."""

    title: str = ""
    texts: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    table: Table | None = None


@dataclass(frozen=True)
class Desk:
    """A book, its engine, and whether sections show as pages."""

    book: Book
    html: bool = False

    @cached_property
    def engine(self) -> Engine:
        """The built-in engine for the book."""
        return Engine(self.book)

    def value(self, name: str, given: Mapping[str, Any], under: Mapping[str, str]) -> Any:
        """What a call gives under these readings; None where there is no single value."""
        try:
            answer = self.engine.ask(name, given, under=under, first_difference=True)
        except InputError:
            return None
        return answer.value if answer.settled else None

    def met(self, name: str, givens: Sequence[Mapping[str, Any]], under: Mapping[str, str]) -> list[Question]:
        """The questions with readings that any of these calls consults under these readings."""
        names: set[str] = set()
        for given in givens:
            names |= self.engine.ask(name, given, under=under).consulted.keys()
        return [q for q in self.book.questions.values() if q.name in names and q.readings]

    def bearing(self, calls: Sequence[tuple[str, Mapping[str, Any]]], under: Mapping[str, str]) -> str:
        """Which open questions move any of these calls, one at a time from these readings, as a sentence."""
        met: dict[str, Question] = {}
        for name, given in calls:
            met |= {question.id: question for question in self.met(name, [given], under)}
        if not met:
            return "No open question bears on these numbers."
        before = [self.value(name, given, under) for name, given in calls]
        words = []
        for question in met.values():
            moved: set[int] = set()
            most = Fraction(0)
            for reading in question.readings:
                now = {**under, question.name: reading.id}
                for at, (name, given) in enumerate(calls):
                    value = self.value(name, given, now)
                    if value != before[at]:
                        moved.add(at)
                        one, other = number(value), number(before[at])
                        if one is not None and other is not None:
                            most = max(most, abs(Fraction(one) - Fraction(other)))
            by = f" by at most {shown(most)}" if most else ""
            words.append(f"{question.id} moves {len(moved) or 'none'}{by}")
        return f"Open questions, one at a time: of these {len(calls)} numbers {listed(words)}."

    def section(self, id_: str, title: str, intro: str, parts: Sequence[Part]) -> Section:
        """A section of the page; its figures are the rows of its tables and pictures."""
        html = render("pictures.html.j2", Prose(places(self.book).parts), id=id_, title=title, intro=intro, parts=parts)
        lines = []
        for part in parts:
            tables: list[tuple[tuple[str, ...], Sequence[tuple[Cell, ...]]]] = [(c.head, c.rows) for c in part.charts]
            tables += [(part.table.head, part.table.rows)] if part.table else []
            for head, rows in tables:
                lines += [part.title or title, *("  " + " | ".join(map(_said, row)) for row in (head, *rows))]
        return Section(html, "\n".join(lines), self.html)


def _said(cell: Cell) -> str:
    return cell if isinstance(cell, str) else ", ".join(cell)


def open_desk(books: str, system: str, *, html: bool = False) -> Desk:
    """The book of one system of the folder `books`. Raises `InputError` for what is not there."""
    return Desk(load_book(folder_of(Path(books), system)), html)


def one_at_a_time(
    desk: Desk,
    frame: svg.Frame,
    across: str,
    base: Mapping[str, str],
    calls: tuple[str, Callable[[int], Mapping[str, Any]], Sequence[int]],
) -> list[tuple[Question, Chart]]:
    """For each question that changes the curve: the curve under each of its readings, all else being under `base`.

    `calls` names a definition, makes its inputs from a number, and says for which numbers.
    """
    name, given, xs = calls
    found = []
    for question in desk.met(name, [given(x) for x in xs], base):
        series: Series = {}
        for reading in question.readings:
            under = {**base, question.name: reading.id}
            series[reading.id] = [(x, number(desk.value(name, given(x), under))) for x in xs]
        if len({tuple(points) for points in series.values()}) < 2:
            continue
        own = svg.Frame(f"{frame.id}-{question.name}", f"{frame.title}, {question.id}", "", frame.across, frame.up)
        drawn = step_chart(own, across, series)
        if drawn is not None:
            found.append((question, replace(drawn, title=f"{question.id} {question.title}")))
    return found


def number(value: Any) -> Number | None:
    """A value as a number of a picture; None where it is none."""
    return None if value is None or isinstance(value, bool | str | Unspecified) else value


def words_of(book: Book, name: str) -> tuple[str, ...]:
    """The words of a domain that is a choice."""
    domain = book.domains[name]
    assert isinstance(domain, Choice)
    return tuple(domain.words)


def tenth(value: Fraction) -> str:
    """A number to the nearest tenth, a half away from zero: `17.7`."""
    tenths = int(abs(value) * 10 + Fraction(1, 2))
    sign = "\N{MINUS SIGN}" if value < 0 and tenths else ""
    return f"{sign}{tenths // 10}.{tenths % 10}"
