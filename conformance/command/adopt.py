"""`raw adopt`: an approved proposal becomes part of its rule book."""

from __future__ import annotations

import contextlib
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from conformance.command.common import AGREES, DISAGREES, Books, By, On, day
from conformance.command.library import Library, near
from conformance.command.page import Page, Part, counted, page
from conformance.command.progress import progress
from engine.book.adopt import Adoption, plan_adoption
from engine.book.load import load_book
from engine.book.model import Book
from engine.book.record import sign
from engine.book.write import locked, write_book
from engine.errors import CallError
from engine.terminal import clean

MOST_SHOWN = 12


def adopt(
    name: Annotated[str, typer.Argument(metavar="PROPOSAL", help="Its name, such as C4-a.")],
    by: By,
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="The reason, where it adds to the approval's.")
    ] = "",
    on: On = None,
    books: Books = None,
) -> int:
    """Write an approved proposal into its rule book.

    Only the text of what it touches is edited. Approvals, rulings, the log and
    CHANGELOG.md follow, all at once or not at all. The suite runs on a copy
    first: where something would fail, nothing is written (exit status 1).
    """
    from conformance.proposed.adopting import edited_lines, would_fail

    library = Library(books)
    book, proposal = library.proposal(name)
    signed = sign(by, day(on), why or "as approved")
    tried = plan_adoption(book, proposal.name, signed)
    with progress() as tell:
        failing = would_fail(book, tried, partial(tell, "the suite, on a copy with it adopted"))
    if failing:
        for item in failing[:MOST_SHOWN]:
            print(clean(f"{item.where}: {item.id}: {item.message}".replace("\n", "; ")), file=sys.stderr)
        more = f" (and {len(failing) - MOST_SHOWN} more)" if len(failing) > MOST_SHOWN else ""
        print(f"{counted(len(failing), 'item')} would fail{more}; nothing was written", file=sys.stderr)
        return DISAGREES
    with locked(book.folder):
        now = plan_adoption(load_book(book.folder), proposal.name, signed)
        with locked(now.changelog.parent) if now.changelog is not None else contextlib.nullcontext():
            # The line is added to the file as it stands now that nobody else can write to it.
            now = plan_adoption(load_book(book.folder), proposal.name, signed)
            if _of_book(book.folder, now) != _of_book(book.folder, tried):
                raise CallError(f"{proposal.name} or its book changed while it was tried", "adopt it again")
            edits = edited_lines(now)
            write_book(book.folder, now.texts)
    _show(page(), book, now, edits)
    return AGREES


def _of_book(folder: Path, adoption: Adoption) -> dict[Path, str | None]:
    """What is written below the book's folder."""
    home = folder.resolve()
    return {file: text for file, text in adoption.texts.items() if file.resolve().is_relative_to(home)}


def _show(shown: Page, book: Book, adoption: Adoption, edits: dict[Path, tuple[int, int]]) -> None:
    proposal = adoption.proposal
    shown.line((proposal.name, "bold cyan"), f" {proposal.title}: adopted into {book.system}", hang=4)
    rows: list[list[Part]] = [[str(near(file)), f"-{gone} +{come}"] for file, (gone, come) in sorted(edits.items())]
    shown.table(rows, indent=2)
    if adoption.changelog is None:
        shown.line("no CHANGELOG.md above the books: nothing was written there", indent=2)
    if adoption.unsettled:
        names = ", ".join(adoption.unsettled)
        shown.line(f"undecided again, for they touch the same parts: {names}", indent=2, hang=4)
    shown.gap()
    shown.line(("Next: ", "bold"), f"pytest conformance --system {book.system}")
