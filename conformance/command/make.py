"""`raw report`, `raw vectors`, `raw schema`: files that are made from the books."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from conformance.command.common import AGREES, DISAGREES, Books
from conformance.command.library import default_folder
from conformance.command.page import page
from engine.book.write import write_all


def schema(
    only_check: Annotated[
        bool, typer.Option("--check", help="Write nothing; say which files are not up to date.")
    ] = False,
    books: Books = None,
) -> int:
    """Write JSON Schemas for editors into the books' folder."""
    from engine.book.schema import stale, texts

    folder = (books if books is not None else default_folder()) / "schema"
    old = stale(folder)
    if only_check:
        for name in old:
            print(f"{folder / name}:1: not up to date; run `raw schema`", file=sys.stderr)
        return DISAGREES if old else AGREES
    write_all({folder / name: text for name, text in texts().items() if name in old})
    page().line(f"{folder}: {len(texts())} schemas, {len(old)} written")
    return AGREES


def vectors() -> int:
    """Write."""
    return AGREES


def report() -> int:
    """Write."""
    return AGREES
