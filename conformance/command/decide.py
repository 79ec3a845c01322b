"""`raw reject` and `raw withdraw`: what becomes of a proposal that is not wanted."""

from __future__ import annotations

from typing import Annotated

import typer

from conformance.command.common import AGREES, Books, By, On, Why, day
from conformance.command.library import Library
from conformance.command.page import page
from engine.book.record import decide, sign

Names = Annotated[list[str], typer.Argument(metavar="PROPOSAL …", help="Its name, such as C4-a.")]


def reject(names: Names, by: By, why: Why, on: On = None, books: Books = None) -> int:
    """Reject a proposal as it is written: into decisions.toml."""
    return _record(names, "rejected", by, why, on, books)


def withdraw(names: Names, by: By, why: Why, on: On = None, books: Books = None) -> int:
    """Withdraw a proposal, as who made it: into decisions.toml."""
    return _record(names, "withdrawn", by, why, on, books)


def _record(names: list[str], kind: str, by: str, why: str, on: str | None, books: Books) -> int:
    signed = sign(by, day(on), why)
    library = Library(books)
    found = [library.proposal(name) for name in names]
    shown = page()
    for book, proposal in found:
        entry, before = decide(book.folder, proposal.name, kind, signed)
        shown.line((proposal.name, "bold cyan"), f" {proposal.title}: {kind} (it was {before})", hang=4)
        shown.line(f"written to {entry.place}", indent=2)
    return AGREES
