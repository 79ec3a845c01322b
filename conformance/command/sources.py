"""`raw sources`: what became of the original text since the book was written from it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from conformance.command.common import AGREES, BAD, DISAGREES, Books
from conformance.command.library import Library
from conformance.command.page import Page, Part, page
from engine.book.accept import accept
from engine.book.files import read_raw
from engine.book.load import load_book
from engine.book.markdown import MOST_BYTES
from engine.book.model import Book
from engine.book.sources import Shift, SourceReport, compare
from engine.book.write import locked, write_book
from engine.errors import BookError, InputError, Place
from engine.terminal import clean

MOST_ROWS = 200


def sources(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the original texts.")],
    take: Annotated[bool, typer.Option("--accept", help="Take the texts as they are now into the books.")] = False,
    system: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this system.", show_default=False)
    ] = None,
    books: Books = None,
) -> int:
    """Compare the original texts with what the books know.

    Says which passages changed, moved, are new or gone, and which clauses,
    questions and properties to look at again. --accept writes the new digests
    and lets citations follow passages that moved.
    """
    library = Library(books)
    if not folder.is_dir():
        raise BookError("there is no such folder", "name the folder with the original texts", Place(folder, 1))
    chosen = [library.book(name) for name in system] if system else library.books()
    status = AGREES
    shown = page()
    for i, book in enumerate(chosen):
        if i:
            shown.gap()
        status = max(status, _one(book, folder / book.source_file, shown, take=take))
    return status


def _one(book: Book, file: Path, shown: Page, *, take: bool) -> int:
    try:
        raw = read_raw(file, MOST_BYTES, "put it there, or name the systems to compare with --system")
    except BookError as error:
        raise BookError(f"the source of {book.system} {error.problem}", error.remedy, error.place) from None
    if take:
        # Read again under the lock: nobody else's edit is overwritten.
        with locked(book.folder):
            book = load_book(book.folder)
            report = compare(book, raw)
            _show(book, file, report, shown)
            if not report.agrees:
                try:
                    texts = accept(book, report)
                except InputError as error:
                    raise error.at(Place(file, report.form[0][0] if report.form else 1)) from None
                write_book(book.folder, texts)
                _show_accepted(book, report, list(texts), shown)
        return AGREES
    report = compare(book, raw)
    _show(book, file, report, shown)
    if report.form:
        sys.stdout.flush()
        for line, problem, remedy in report.form:
            print(clean(f"{Place(file, line)}: {problem}; {remedy}"), file=sys.stderr)
        return BAD
    return AGREES if report.agrees else DISAGREES


def _show(book: Book, file: Path, report: SourceReport, shown: Page) -> None:
    pushed = [shift for shift in report.moved if not shift.displaced]
    displaced = [shift for shift in report.moved if shift.displaced]
    counts = [
        f"{len(report.same)} the same",
        *(f"{len(rows)} {name}" for rows, name in ((report.changed, "changed"), (displaced, "moved"),
          (pushed, "pushed up or down"), (report.new, "new"), (report.gone, "gone")) if rows),
    ]  # fmt: skip
    shown.line((book.system, "bold"), f"  {file}: {', '.join(counts)}", hang=4)
    claims = {number: owners or _informative(book, number) for number, owners in book.claims().items()}
    for name, shifts in (("changed", report.changed), ("moved", tuple(displaced))):
        _rows(shown, name, [[_lines(shift), ", ".join(claims.get(shift.was, ()))] for shift in shifts])
    _rows(shown, "pushed", [[text] for text in _runs(pushed)])
    _rows(shown, "new", [[f"line {number}", "claimed by nothing yet"] for number in report.new])
    _rows(shown, "gone", [[f"line {number}", ", ".join(claims.get(number, ()))] for number in report.gone])
    if report.suspects:
        shown.line(("  look again at", "bold"))
        parts = {part.id: part for part in book.parts}
        shown.table([[(i, "cyan"), parts[i].title, (str(parts[i].place), "dim")] for i in report.suspects], indent=4)


def _informative(book: Book, number: int) -> list[str]:
    why = book.passages[number].informative
    return [f"informative: {why}"] if why else []


def _rows(shown: Page, name: str, rows: list[list[str]]) -> None:
    cells: list[list[Part]] = [[(name, "bold"), *row] for row in rows[:MOST_ROWS]]
    shown.table(cells, indent=2)
    if len(rows) > MOST_ROWS:
        shown.line(f"… and {len(rows) - MOST_ROWS} more that are {name}", indent=2)


def _lines(shift: Shift) -> str:
    return f"line {shift.was}" if shift.was == shift.now else f"line {shift.was}, now line {shift.now}"


def _runs(pushed: list[Shift]) -> list[str]:
    """Passages that were pushed by the same number of lines, as ranges."""
    runs: list[list[Shift]] = []
    for shift in pushed:
        if runs and shift.now - shift.was == runs[-1][-1].now - runs[-1][-1].was:
            runs[-1].append(shift)
        else:
            runs.append([shift])
    return [
        f"lines {run[0].was} to {run[-1].was}, now {run[0].now} to {run[-1].now}" if len(run) > 1 else _lines(run[0])
        for run in runs
    ]


def _show_accepted(book: Book, report: SourceReport, files: list[Path], shown: Page) -> None:
    shown.line("  written: " + ", ".join(str(file) for file in files), hang=4)
    if report.new:
        lines = ", ".join(map(str, report.new[:20])) + (" …" if len(report.new) > 20 else "")
        shown.line(f"  next: claim or mark informative the new lines {lines}", hang=4)
    if report.suspects:
        shown.line(f"  next: look at the parts above, then pytest conformance --system {book.system}", hang=4)
    shown.line(f"  next: if they hold still, raw approve {book.prefix}-passages --by NAME --why TEXT", hang=4)
