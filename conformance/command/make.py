"""`raw report`, `raw vectors`, `raw schema`: files that are made from the books."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from conformance.command.common import AGREES, DISAGREES, Books
from conformance.command.library import Library, default_folder
from conformance.command.page import counted, page
from conformance.command.progress import progress
from engine.book.write import write_all
from engine.errors import InputError, Place


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


def vectors(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write them, such as vectors.jsonl.")],
    system: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this system.", show_default=False)
    ] = None,
    books: Books = None,
) -> int:
    """Write every case as a vector for engines in any language."""
    from conformance.vectors import export
    from engine.readings import Engine

    library = Library(books)
    chosen = [library.book(name) for name in system] if system else library.books()
    if file.is_dir():
        raise InputError("is a folder", "name a file, such as vectors.jsonl", Place(file, 1))
    number = export([Engine(book) for book in chosen], file)
    page().line((str(file), "bold"), f": {counted(number, 'vector')} of {', '.join(book.system for book in chosen)}")
    return AGREES


def report(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the site goes.")] = Path("report"),
    system: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this system.", show_default=False)
    ] = None,
    engine: Annotated[str, typer.Option(metavar="CMD", help="An engine under test.", show_default=False)] = "",
    texts: Annotated[
        Path | None,
        typer.Option("--sources", metavar="DIR", help="The folder with the original texts.", show_default=False),
    ] = None,
    reading: Annotated[
        list[str] | None, typer.Option(metavar="WA-Q07=half-up", help="Under this reading.", show_default=False)
    ] = None,
    profile: Annotated[
        str, typer.Option(metavar="NAME", help="Under the readings of a profile.", show_default=False)
    ] = "",
    proposal: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="As if this were adopted.", show_default=False)
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Results of a run, instead of running the suite.", show_default=False),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Make everything anew.")] = False,
    books: Books = None,
) -> int:
    """Build the report: a site that opens from disk.

    It is built, and the exit status is 0, whether rules agree or not: what
    gates a change is `pytest conformance`.
    """
    from conformance.options import Options
    from conformance.report.build import build
    from conformance.results import read_results

    library = Library(books)
    for name in system or ():
        library.folder_of(name)
    if out.exists() and not out.is_dir():
        raise InputError("is a file", "name a folder for the report", Place(out, 1))
    given = read_results(results) if results is not None else None
    began = time.monotonic()
    with progress() as tell:
        index = build(
            library.folder,
            out,
            Options(
                systems=tuple(system or library.chosen),
                proposals=tuple(proposal or ()),
                readings=tuple(reading or ()),
                profile=profile,
                engine=engine,
                sources=texts,
            ),
            results=given,
            fresh=fresh,
            progress=tell,
        )
    made = read_results(out / "results.jsonl")
    shown = page()
    counts = ", ".join(f"{number} {status}" for status, number in made.footer.by_status.items())
    shown.line(f"{counted(made.footer.items, 'item')}: {counts}", hang=4)
    shown.line("Report: ", (str(index), "bold"), f"  (made in {time.monotonic() - began:.0f} s)")
    return AGREES
