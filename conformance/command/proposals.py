"""`raw proposals`: the register of proposed changes, and what was decided about each."""

from __future__ import annotations

from typing import Annotated

import typer

from conformance.command.common import AGREES, Books
from conformance.command.library import Library
from conformance.command.page import Part, page
from engine.book.decisions import state_of
from engine.book.ids import by_number
from engine.book.model import Book, Proposal
from engine.errors import InputError

_STYLES = {"approved": "green", "rejected": "red", "withdrawn": "dim", "undecided": "yellow"}


def proposals(
    system: Annotated[
        list[str] | None, typer.Argument(metavar="SYSTEM …", help="Only these.", show_default=False)
    ] = None,
    books: Books = None,
) -> int:
    """List proposed changes and their state."""
    library = Library(books)
    chosen = [library.book(name) for name in system] if system else library.books()
    shown = page()
    some = False
    for book in chosen:
        adopted = [decision for decision in book.decisions if decision.kind == "adopted"]
        if not book.proposals and not adopted:
            continue
        some = True
        shown.gap()
        shown.line((book.system, "bold"), f"  {book.folder / 'proposals'}")
        rows: list[list[Part]] = []
        for proposal in book.proposals.values():
            word, text = _state(book, proposal)
            rows.append([(proposal.name, "bold cyan"), (text, _STYLES.get(word, "")), _what(proposal), proposal.title])
        rows += [[(d.about, "bold cyan"), f"adopted by {d.by} on {d.on}", _listed(d.parts), ""] for d in adopted]
        shown.table(rows, indent=2)
    if not some:
        shown.line("no proposal; write one as spec/SYSTEM/proposals/NAME.md")
    return AGREES


def _state(book: Book, proposal: Proposal) -> tuple[str, str]:
    try:
        state = state_of(book, proposal)
    except InputError as error:
        return "", f"does not fit the book: {error.problem}"
    return state.word, str(state)


def _what(proposal: Proposal) -> str:
    if proposal.changes_nothing:
        return "text lost" if proposal.asks else "changes nothing yet"
    return _listed(sorted(proposal.touches, key=by_number))


def _listed(parts: tuple[str, ...] | list[str], most: int = 4) -> str:
    more = f" and {len(parts) - most} more" if len(parts) > most else ""
    return ", ".join(parts[:most]) + more
