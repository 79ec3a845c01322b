"""`raw rule`: an operator chooses one reading of a question."""

from __future__ import annotations

from typing import Annotated

import typer

from conformance.command.common import AGREES, Books, By, On, Why, day
from conformance.command.library import Library, suggest
from conformance.command.page import page
from engine.book.model import Question
from engine.book.record import record_ruling, sign
from engine.errors import CallError


def rule(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="Its id, like WA-Q03.")],
    reading: Annotated[str, typer.Argument(metavar="READING", help="The id of one of its readings.")],
    by: By,
    why: Why,
    on: On = None,
    instead: Annotated[bool, typer.Option("--instead", help="Replace a ruling that stands.")] = False,
    books: Books = None,
) -> int:
    """Choose a reading of an open question: into rulings.toml."""
    signed = sign(by, day(on), why)
    found = Library(books).find(question)
    part, book = found.part, found.book
    if not isinstance(part, Question):
        raise CallError(f"{question[:60]} is no question", f"{book.prefix}-Q01 is the form of a question's id")
    readings = [r.id for r in part.readings]
    if readings and reading not in readings:
        raise CallError(f'{part.id} has no reading "{reading[:60]}"', suggest(reading, readings))
    old = record_ruling(book.folder, part.id, reading, signed, instead=instead)
    says = next(r.says for r in part.readings if r.id == reading)
    shown = page()
    shown.line((part.id, "bold cyan"), f" {part.title}", hang=4)
    shown.line(("ruled: ", "bold"), (reading, "bold green"), f", {says}", indent=2, hang=4)
    if old is not None:
        shown.line(f"before: {old.reading}, by {old.by} on {old.on} (kept as a comment)", indent=2, hang=4)
    shown.line(f"written to {book.folder / 'rulings.toml'}", indent=2)
    shown.gap()
    shown.line(("Next: ", "bold"), f"pytest conformance --system {book.system}")
    return AGREES
