"""A book and what came of it, joined: what the pages of one system show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from conformance.report.impact import Impact, Impacts, Turn, find_impacts, find_turns
from conformance.report.stored import impacts_of
from conformance.report.words import WORST_FIRST
from conformance.results import FAILING, BookDigest, Item, Results, Status
from engine.book.digests import book_digest
from engine.book.load import load_book
from engine.book.model import Book, Case, Clause, Property, Question
from engine.errors import CallError, Place
from engine.readings import Engine


@dataclass(frozen=True)
class View:
    """One system: its book, its items, and what hangs on its questions. Everything else is computed when asked.

    `html` is whether sections show as pages; else they show their figures alone, as text.
    """

    book: Book
    results: Results
    html: bool = False

    @cached_property
    def engine(self) -> Engine:
        """The built-in engine for the book."""
        return Engine(self.book)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items of this system, in the order of the run."""
        return tuple(item for item in self.results.items if item.system == self.book.system)

    @cached_property
    def totals(self) -> dict[Status, int]:
        """How many items there are, by status, worst first."""
        return count(self.items)

    @cached_property
    def by_part(self) -> Mapping[str, tuple[Item, ...]]:
        """The items that belong to a clause, question or property."""
        found: dict[str, list[Item]] = {}
        for item in self.items:
            found.setdefault(item.clause, []).append(item)
        return {id_: tuple(items) for id_, items in found.items()}

    @cached_property
    def impacts(self) -> Impacts:
        """What each reading of each question would change."""
        return impacts_of(self.engine) if self.html else find_impacts(self.engine)

    def case_items(self, clause: Clause) -> list[tuple[Case, Item | None]]:
        """Each case of a clause with its item; None where the run has none for it."""
        mine = [item for item in self.by_part.get(clause.id, ()) if item.what == "case"]
        by_id: dict[str, Item] = {item.id: item for item in mine}
        by_line: dict[str, list[Item]] = {}
        for item in mine:
            by_line.setdefault(item.where.rpartition(":")[2], []).append(item)
        pairs: list[tuple[Case, Item | None]] = []
        for case in clause.cases:
            there = by_line.get(str(case.place.line), [])
            guess = there[0] if len(there) == 1 else None
            pairs.append((case, by_id.get(f"{clause.id}[{case.label}]", guess)))
        return pairs

    def other_items(self, part: Clause | Question | Property) -> list[Item]:
        """The items of a part that are not shown with one of its cases."""
        shown = (
            {item.id for _, item in self.case_items(part) if item is not None} if isinstance(part, Clause) else set()
        )
        return [item for item in self.by_part.get(part.id, ()) if item.id not in shown]

    @cached_property
    def loose_items(self) -> list[Item]:
        """The items that belong to no clause, question or property: checks of the book as a whole."""
        known = {part.id for part in self.book.parts}
        return [item for item in self.items if item.clause not in known]

    def status(self, id_: str) -> Status | None:
        """The worst status among the items of a part; None where it has none."""
        return worst(self.by_part.get(id_, ()))

    def status_word(self, id_: str) -> str:
        """The word for a part where its worst status says too little: a rule that no one has approved yet."""
        bad = [item for item in self.by_part.get(id_, ()) if item.status in FAILING]
        if bad and all(item.what == "approval" for item in bad):
            return "not approved" if bad[0].status == "missing" else "changed without approval"
        return ""

    def impact(self, question: Question) -> Impact:
        """What hangs on a question."""
        return self.impacts.by_question[question.id]

    @cached_property
    def _turns(self) -> Mapping[str, tuple[Turn, ...]]:
        asked = [q for q in self.book.questions.values() if q.readings]
        found: dict[str, list[Turn]] = {}
        for prop in self.book.properties.values():
            for id_, turn in find_turns(self.engine, prop, asked, holds=self._holds(prop)).items():
                found.setdefault(id_, []).append(turn)
        return {id_: tuple(turns) for id_, turns in found.items()}

    def turns(self, question: Question) -> tuple[Turn, ...]:
        """The properties that hold under one reading of a question and not under another."""
        return self._turns.get(question.id, ())

    def _holds(self, prop: Property) -> bool:
        """Whether the run established a property as it stands in the book: under no readings but its own."""
        fixed = self.results.header.options.keys() & {"readings", "profile"}
        return not fixed and self.status(prop.id) == "conforms"

    @cached_property
    def decisions(self) -> list[Question]:
        """The open questions that have readings, those on which most hangs first."""
        waiting = [q for q in self.book.questions.values() if q.readings and q.id not in self.book.rulings]
        return sorted(waiting, key=lambda q: tuple(-n for n in self.impact(q).weight))

    @cached_property
    def missing(self) -> list[Question]:
        """The questions where nothing can be computed until the text says more, most wanted first."""
        blank = [q for q in self.book.questions.values() if not q.readings]
        return sorted(blank, key=lambda q: -self.impact(q).weight[1])

    @cached_property
    def ruled(self) -> list[Question]:
        """The questions that an operator has decided."""
        return [q for q in self.book.questions.values() if q.id in self.book.rulings and q.readings]

    @cached_property
    def failing(self) -> list[Item]:
        """What must be mended, worst first."""
        bad = [item for item in self.items if item.status in FAILING]
        return sorted(bad, key=lambda item: WORST_FIRST.index(item.status))

    def tidy(self, text: str) -> str:
        """`text` in which files of the book are named from its folder on: the rest differs from machine to machine."""
        return self._paths.sub("", text)

    @cached_property
    def _paths(self) -> re.Pattern[str]:
        return re.compile(rf"[^\s\"'(`:]*/(?={re.escape(self.book.folder.name)}/[\w./\-]+\.(?:md|toml)\b)")

    def where(self, place: Place) -> str:
        """A place by its path from the folder of books: `worlds_awakening/02-magic.md:35`."""
        return f"{relative(place.file, self.book.folder.parent)}:{place.line}"


def relative(file: Path, folder: Path) -> str:
    """A path for people: never one of this machine."""
    try:
        return file.relative_to(folder).as_posix()
    except ValueError:
        return file.name


def count(items: Iterable[Item]) -> dict[Status, int]:
    """How many items there are, by status, worst first."""
    counts = Counter(item.status for item in items)
    return {status: counts[status] for status in WORST_FIRST if counts[status]}


def worst(items: Iterable[Item]) -> Status | None:
    """The status that asks most urgently for a look."""
    statuses = {item.status for item in items}
    return next((status for status in WORST_FIRST if status in statuses), None)


def open_view(folder: Path, results: Results, *, html: bool = False) -> View:
    """The view of the book in `folder`, with the proposals of the run.

    Raises `CallError` where `results` are of another text of the book.
    """
    proposals = [name for name in results.header.options.get("proposals", "").split(", ") if name]
    book = load_book(folder, [name for name in proposals if (folder / "proposals" / f"{name}.md").is_file()])
    header = digest_of(results, book.system)
    if header.digest != book_digest(book):
        raise CallError(
            f"the results are of another text of {book.system} than {folder.name} holds",
            "run `pytest conformance --results FILE` again",
        )
    return View(book, results, html)


def digest_of(results: Results, system: str) -> BookDigest:
    """The header's entry of a system. Raises `CallError` where the run did not include it."""
    for entry in results.header.books:
        if entry.system == system:
            return entry
    there = ", ".join(entry.system for entry in results.header.books) or "none"
    raise CallError(f"the results hold no {system[:60]}", f"systems in it: {there}")


def plain_dict(value: Any) -> dict[str, Any]:
    """`value` where it is a mapping, else nothing: what an item's detail holds is its kind's own affair."""
    return dict(value) if isinstance(value, Mapping) else {}
