"""`raw impact`: what a proposal changes, breaks, mends and leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from conformance.command.common import AGREES, DISAGREES, Books
from conformance.command.library import Library
from conformance.command.page import page
from conformance.command.progress import progress
from engine.book.model import Book
from engine.errors import CallError


def impact(
    names: Annotated[list[str], typer.Argument(metavar="PROPOSAL …", help="One or more, in their order.")],
    every: Annotated[bool, typer.Option("--all", help="Show every changed case and figure.")] = False,
    site: Annotated[
        Path | None, typer.Option("--page", metavar="DIR", help="Write it as a page too.", show_default=False)
    ] = None,
    books: Books = None,
) -> int:
    """Show what a proposal would do, before anybody decides.

    Clauses before and after, every case and figure that changes, properties
    won and lost, questions opened and settled, fights solved exactly. The exit
    status is 1 where it breaks a promise or misses a target.
    """
    from conformance.command.evidence import Evidence
    from conformance.proposed.impact import impact as impact_of

    library = Library(books)
    book, chosen = _chosen(library, names)
    with progress() as tell:
        found = impact_of(book, chosen, tell)
    shown = page()
    Evidence(shown, found, every=every).all()
    if site is not None:
        from conformance.report.proposal import write_alone

        file = write_alone(found, site)
        shown.gap()
        shown.line("Page: ", (str(file), "bold"))
    return DISAGREES if found.broken else AGREES


def _chosen(library: Library, names: Sequence[str]) -> tuple[Book, list[str]]:
    found = [library.proposal(name) for name in names]
    systems = {book.system for book, _ in found}
    if len(systems) > 1:
        raise CallError(f"proposals of {len(systems)} systems", "one system at a time")
    return found[0][0], [proposal.name for _, proposal in found]
