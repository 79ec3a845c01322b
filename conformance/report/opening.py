"""What the first cell of each notebook calls."""

from __future__ import annotations

from pathlib import Path

from conformance.options import Options, open_engines
from conformance.report.overview import Overview
from conformance.report.view import View, open_view
from conformance.results import Results, read_results
from conformance.suite import run
from engine.book.load import find_books
from engine.errors import CallError, Place


def open_system(books: str, system: str, results: str = "", *, html: bool = False) -> View:
    """The view of one system of the folder `books`.

    `results` is a results file; without one the suite runs now. Raises `InputError` for what is not there, and for
    results of another text of the book.
    """
    folder = folder_of(Path(books), system)
    return open_view(folder, _results(Path(books), (system,), results), html=html)


def open_overview(books: str, results: str = "", *, html: bool = False) -> Overview:
    """All systems that `results` (or a run of the suite now) speak of."""
    found = _results(Path(books), (), results)
    views = tuple(open_view(folder_of(Path(books), b.system), found, html=html) for b in found.header.books)
    return Overview(found, views, html)


def _results(books: Path, systems: tuple[str, ...], file: str) -> Results:
    if file:
        return read_results(Path(file))
    options = Options(books=books, systems=systems)
    return run(open_engines(options), options)


def folder_of(books: Path, system: str) -> Path:
    """The folder of a system's book. Raises `InputError` where there is none."""
    folders = {folder.name: folder for folder in find_books(books)}
    if system not in folders:
        known = ", ".join(folders) or "none"
        raise CallError(f"there is no system {system[:60]}", f"one of {known}").at(Place(books, 1))
    return folders[system]
