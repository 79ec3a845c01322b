"""`raw log`: who decided what, when and why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import typer

from conformance.command.common import AGREES, Books
from conformance.command.library import Library
from conformance.command.page import Page, Part, page
from engine.book.model import Book, Passage
from engine.errors import CallError

MOST_IDS = 6


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision for people. `order` keeps those of one day in the order of the log."""

    on: dt.date
    order: int
    by: str
    what: str
    why: str
    parts: tuple[str, ...]


def log(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SYSTEM or ID …", help="A system, a part such as WA-5.4 or WA-Q03, a proposal.", show_default=False
        ),
    ] = None,
    books: Books = None,
) -> int:
    """Show who decided what, when and why.

    A system's name shows all of its decisions; an id or a proposal's name only
    those that bear on it. Nothing: all systems.
    """
    library = Library(books)
    shown = page()
    words = what or list(library.folders)
    for word in words:
        if word in library.folders:
            _show(shown, library.book(word), "")
        else:
            book, about = _about(library, word)
            _show(shown, book, about)
    return AGREES


def _about(library: Library, word: str) -> tuple[Book, str]:
    name = word.rpartition(".")[2] if word.partition(".")[0] in library.folders else word
    for book in library.books():
        known = {decision.about for decision in book.decisions} | set(book.proposals)
        borne = {part for decision in book.decisions for part in decision.parts}
        about = next((each for each in (name, word, word.upper()) if each in (known if each == name else borne)), "")
        if about:
            return book, about
    if ":" in word and isinstance(library.find(word).part, Passage):
        raise CallError(f"{word[:60]} is a passage", "name a clause, a question or a proposal")
    book, part = library.bound(word)
    return book, part.id


def _show(shown: Page, book: Book, about: str) -> None:
    entries = [e for e in sorted(_entries(book), key=lambda e: (e.on, e.order)) if not about or about in e.parts]
    shown.gap()
    shown.line((about or book.system, "bold cyan"), "  ", (book.title, "dim") if not about else (book.system, "dim"))
    rows: list[list[Part]] = [[str(e.on), (e.by, "bold"), e.what, e.why] for e in entries]
    if rows:
        shown.table(rows, indent=2)
    else:
        shown.line("nothing was decided yet", indent=2)


def _entries(book: Book) -> Iterator[Entry]:
    """The log, and what stands in the registers without an entry of it."""
    logged: set[tuple[str, str, dt.date]] = set()
    for order, decision in enumerate(book.decisions, 1):
        logged |= {(part, decision.by, decision.on) for part in decision.parts}
        parts = decision.parts
        about = decision.about if decision.kind != "approved" or decision.text else _ids(parts)
        reading = f" {decision.reading}" if decision.reading else ""
        despite = f" (despite: {decision.despite})" if decision.despite else ""
        bears = f" ({_ids(parts)})" if decision.text and parts else ""
        what = f"{decision.kind} {about}{reading}{bears}"
        yield Entry(decision.on, order, decision.by, what, decision.why + despite, (decision.about, *parts))
    for ruling in book.rulings.values():
        if (ruling.question, ruling.by, ruling.on) not in logged:
            what = f"ruled {ruling.question} {ruling.reading}"
            yield Entry(ruling.on, 0, ruling.by, what, ruling.why, (ruling.question,))
    grouped: dict[tuple[dt.date, str, str], list[str]] = {}
    for approval in book.approvals.values():
        if (approval.part, approval.by, approval.on) not in logged:
            grouped.setdefault((approval.on, approval.by, approval.why), []).append(approval.part)
    for (on, by, why), ids in grouped.items():
        yield Entry(on, 0, by, f"approved {_ids(ids)}", why, tuple(ids))


def _ids(parts: tuple[str, ...] | list[str]) -> str:
    if len(parts) <= MOST_IDS:
        return ", ".join(parts)
    return f"{', '.join(parts[:3])} and {len(parts) - 3} more"
