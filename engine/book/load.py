"""Reads a rule book from its folder, with or without proposed changes, and holds it to its own promises."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.book.checks import check_book
from engine.book.ids import owned, unique
from engine.book.markdown import Section, read_page
from engine.book.model import Book
from engine.book.parts import read_clause, read_property, read_question
from engine.book.profiles import expand_profiles
from engine.book.proposals import apply_proposals, check_order, read_proposal
from engine.book.registers import (
    read_approvals,
    read_decisions,
    read_domains,
    read_passages,
    read_profiles,
    read_record_fields,
    read_rulings,
    read_settings,
)
from engine.book.write import refuse_unfinished
from engine.errors import BookError, Place
from engine.formula.types import check_types

_CHAPTERS = "[0-9][0-9]-*.md"
_QUESTIONS = "questions*.md"
_PROPERTIES = "properties*.md"


def find_books(folder: Path) -> list[Path]:
    """The folders below `folder` that hold a book, in the order of their names."""
    if not folder.is_dir():
        raise BookError("there is no such folder", "point --books at a folder of rule books", Place(folder, 1))
    return sorted(file.parent for file in folder.glob("*/book.toml"))


def load_book(folder: Path, proposals: Sequence[str] = ()) -> Book:
    """The book in `folder`, as if `proposals` were adopted in their order.

    Raises `BookError`, with file and line, for anything that is broken, doubled or unknown.
    """
    with _uncollected():
        return _load_book(folder, proposals)


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """All that is read stays, so that looking for garbage meanwhile finds none: a sixth of the time goes into it."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _load_book(folder: Path, proposals: Sequence[str]) -> Book:
    refuse_unfinished(folder)
    settings = read_settings(folder)
    prefix = settings["prefix"]
    domains = read_domains(settings.get("domains", {}), folder / "book.toml")
    _refuse_strays(folder)
    pages = [read_page(path) for path in sorted(folder.glob(_CHAPTERS))]
    if not pages:
        raise BookError("no chapter", "add one, named like 01-attributes.md", Place(folder, 1))
    book = Book(
        system=settings["system"],
        prefix=prefix,
        title=settings["title"],
        folder=folder,
        source_file=settings["source"],
        chapters={page.file.stem: page.title for page in pages},
        leads={page.file.stem: page.lead for page in pages},
        domains=domains,
        clauses=unique(
            read_clause(owned(s, prefix, ""), page.file.stem, domains) for page in pages for s in page.sections
        ),
        questions=unique(read_question(owned(s, prefix, "Q")) for s in _sections(folder, _QUESTIONS)),
        properties=unique(read_property(owned(s, prefix, "P"), domains) for s in _sections(folder, _PROPERTIES)),
        passages=read_passages(folder / "passages.toml"),
        rulings=read_rulings(folder / "rulings.toml"),
        approvals=read_approvals(folder / "approved.toml"),
        profiles=read_profiles(folder / "profiles.toml"),
        retired=frozenset(settings.get("retired", [])),
        decisions=read_decisions(folder / "decisions.toml"),
        record_fields=read_record_fields(settings.get("records", {}), folder / "book.toml"),
        proposals={
            p.name: p for p in (read_proposal(f, prefix, domains) for f in sorted(folder.glob("proposals/*.md")))
        },
    )
    check_order(book)
    return with_proposals(book, proposals)


def with_proposals(book: Book, names: Sequence[str]) -> Book:
    """The book as if the proposals were adopted in their order, held to the same promises.

    Raises `BookError`, with file and line, for anything that is broken, doubled or unknown in it.
    """
    book = expand_profiles(apply_proposals(book, names))
    check_book(book)
    check_types(book)
    return book


def _refuse_strays(folder: Path) -> None:
    """A page under another name would be read by people and by nobody else."""
    for file in sorted(folder.glob("*.md")):
        if file.name != "README.md" and not any(
            file.match(pattern) for pattern in (_CHAPTERS, _QUESTIONS, _PROPERTIES)
        ):
            remedy = "name a chapter like 07-a-fight.md, or move it elsewhere"
            raise BookError("a page that is no chapter, questions or properties", remedy, Place(file, 1))


def _sections(folder: Path, pattern: str) -> list[Section]:
    return [section for file in sorted(folder.glob(pattern)) for section in read_page(file).sections]
