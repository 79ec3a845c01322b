"""An adoption, tried on a copy before the book is touched."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from conformance.items import collect
from conformance.options import Options
from conformance.results import FAILING, Item
from engine.book.adopt import Adoption
from engine.book.load import load_book
from engine.book.markdown import read_text
from engine.book.model import Book
from engine.errors import BookError, InputError, Place
from engine.readings import Engine

Progress = Callable[[int, int], None]


def would_fail(book: Book, adoption: Adoption, tell: Progress) -> tuple[Item, ...]:
    """What fails in the book once it is adopted, and does not now.

    Raises `BookError` where the new book could not be read.
    """
    with tempfile.TemporaryDirectory() as scratch:
        copy = copied(book, adoption, Path(scratch))
        try:
            fresh = load_book(copy)
        except InputError as error:
            if error.place is None or not error.place.file.is_relative_to(copy):
                raise
            place = Place(book.folder / error.place.file.relative_to(copy), error.place.line)
            raise BookError(f"once adopted, {error.problem}", error.remedy, place) from None
        now = {check.id: check for check in collect([Engine(book)], Options(books=book.folder.parent))}
        checks = collect([Engine(fresh)], Options(books=copy.parent))
        failing = []
        for done, check in enumerate(checks):
            if done % 20 == 0:
                tell(done, len(checks))
            item = check.judge()
            if item.status in FAILING and (item.id not in now or now[item.id].judge().status not in FAILING):
                failing.append(item)
        tell(len(checks), len(checks))
    return tuple(failing)


def copied(book: Book, adoption: Adoption, parent: Path) -> Path:
    """The folder of a copy of the book in `parent`, as it is once the proposal is adopted."""
    copy = parent / book.folder.resolve().name
    shutil.copytree(book.folder, copy, ignore=shutil.ignore_patterns(".*"))
    for file, text in adoption.texts.items():
        if not file.resolve().is_relative_to(book.folder.resolve()):
            continue  # what lies beside the book is no part of it
        target = copy / file.resolve().relative_to(book.folder.resolve())
        if text is None:
            target.unlink()
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    return copy


def edited_lines(adoption: Adoption) -> dict[Path, tuple[int, int]]:
    """For each file that stays or is new: how many lines go, how many come."""
    import difflib

    found = {}
    for file, text in adoption.texts.items():
        if text is None:
            continue
        old = read_text(file).splitlines() if file.exists() else []
        marks = [line[:1] for line in difflib.unified_diff(old, text.splitlines(), n=0, lineterm="")][2:]
        found[file] = (marks.count("-"), marks.count("+"))
    return found
