"""`raw new`: a loadable rule book from any prose document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from conformance.command.common import AGREES, Books
from conformance.command.page import counted, page
from engine.book.scaffold import plan, read_document, scaffold


def new(
    document: Annotated[Path, typer.Argument(metavar="DOCUMENT", help="A prose document in UTF-8.")],
    system: Annotated[str, typer.Option(metavar="NAME", help="The new book's name, like soul_level.")],
    prefix: Annotated[
        str | None, typer.Option(metavar="P", help="What its ids begin with, like SOUL.", show_default=False)
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Its name for people.", show_default=False)] = None,
    books: Books = None,
) -> int:
    """Make a rule book from a prose document.

    Every passage is listed with its digest; one clause is an example.
    """
    from conformance.command.library import default_folder

    folder = books if books is not None else default_folder()
    read_document(document)
    book = scaffold(document, folder, plan(folder, system, prefix, title))
    clause = next(iter(book.clauses))
    shown = page()
    shown.line(
        (book.system, "bold"), f"  {book.folder}: {counted(len(book.passages), 'passage')}, all but one unclaimed"
    )
    shown.line(f"{clause} is an example: replace it with your first rule", indent=2)
    shown.line(
        f"nothing is approved yet; once it is read: raw approve --all-of {book.system} --by NAME --why TEXT", indent=2
    )
    shown.gap()
    shown.line(("Next: ", "bold"), f"raw explain {clause} --books {folder}")
    return AGREES
