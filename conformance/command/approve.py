"""`raw approve`: an operator approves clauses as they stand."""

from __future__ import annotations

from typing import Annotated

import typer

from conformance.command.common import AGREES, Books, By, On, Why, day
from conformance.command.library import Library
from conformance.command.page import page
from engine.book.model import Book, Clause
from engine.book.record import is_approved, record_approvals, sign
from engine.errors import CallError


def approve(
    by: By,
    why: Why,
    names: Annotated[list[str] | None, typer.Argument(metavar="CLAUSE …", show_default=False)] = None,
    whole: Annotated[
        list[str] | None,
        typer.Option("--all-of", metavar="SYSTEM", help="Every clause of a system.", show_default=False),
    ] = None,
    on: On = None,
    books: Books = None,
) -> int:
    """Approve clauses as they stand: into approved.toml."""
    signed = sign(by, day(on), why)
    library = Library(books)
    chosen = _chosen(library, names or [], whole or [])
    shown = page()
    # Every name is known before the first book is written to.
    for book, clauses in chosen.values():
        fresh = record_approvals(book.folder, tuple(clauses), signed)
        for clause in clauses:
            state = "approved" if clause in fresh else "was approved already"
            shown.line((clause, "bold cyan"), f" {book.clauses[clause].title}: {state}", hang=4)
        if fresh:
            shown.line(f"written to {book.folder / 'approved.toml'}", indent=2)
    shown.gap()
    shown.line(("Next: ", "bold"), " ".join(["pytest conformance", *(f"--system {s}" for s in chosen)]))
    return AGREES


def _chosen(library: Library, names: list[str], whole: list[str]) -> dict[str, tuple[Book, list[str]]]:
    chosen: dict[str, tuple[Book, list[str]]] = {}
    for name in names:
        found = library.find(name)
        if not isinstance(found.part, Clause):
            raise CallError(f"{name[:60]} is no clause", f"{found.book.prefix}-1.1 is the form of a clause's id")
        chosen.setdefault(found.book.system, (found.book, []))[1].append(found.part.id)
    for system in whole:
        book = library.book(system)
        changed = [clause for clause in book.clauses if not is_approved(book, clause)]
        chosen.setdefault(system, (book, []))[1].extend(changed)
    if not chosen:
        raise CallError("nothing to approve", "name clauses, or --all-of SYSTEM")
    return {system: (book, list(dict.fromkeys(clauses))) for system, (book, clauses) in chosen.items()}
