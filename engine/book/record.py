"""Decisions written into a book: who chose which reading, who approved which clause, when and why."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.book.digests import part_digest
from engine.book.load import load_book
from engine.book.markdown import read_text
from engine.book.model import Book, Ruling
from engine.book.write import locked, write_whole
from engine.errors import CallError

LONGEST = 2000

_RULINGS = """\
# Which reading of each open question was chosen, by whom, when and why.
# Written by `raw rule QUESTION READING --by NAME --why TEXT`.
"""
_APPROVED = """\
# Who approved the wording of each clause, when and why; the digest is of the clause as it stood.
# Written by `raw approve CLAUSE … --by NAME --why TEXT`.

[approved]
"""


@dataclass(frozen=True, slots=True)
class Signature:
    """Who decides, on which day, and why."""

    by: str
    on: dt.date
    why: str


def sign(by: str, on: dt.date, why: str) -> Signature:
    """A signature in one line each. Raises `CallError` where a name or a reason is empty or no plain text."""
    signed = Signature(" ".join(by.split()), on, " ".join(why.split()))
    for text, option, remedy in (
        (signed.by, "--by", "give the name of who decides"),
        (signed.why, "--why", "give the reason"),
    ):
        if not text:
            raise CallError(f"{option} is empty", remedy)
        if len(text) > LONGEST or not text.isprintable():
            raise CallError(f"{option} is no plain line of text", f"printable characters, at most {LONGEST}")
    return signed


def record_ruling(
    folder: Path, question: str, reading: str, signed: Signature, *, instead: bool = False
) -> Ruling | None:
    """Writes a ruling into `rulings.toml`; gives the one that it replaces, which stays in the file as a comment.

    The book is read under the lock, so that of two operators none overwrites the other unknowingly. Raises
    `CallError` for an unknown question or reading, and for one that is ruled already unless `instead`.
    """
    import tomlkit
    from tomlkit.items import KeyType, SingleKey

    with locked(folder):
        book = load_book(folder)
        _check_choice(book, question, reading)
        old = book.rulings.get(question)
        if old is not None and not instead:
            raise CallError(
                f"{question} is ruled already: {old.reading}, by {old.by} on {old.on} ({old.why})",
                "add --instead to replace that ruling",
            )
        file = folder / "rulings.toml"
        document: Any = tomlkit.parse(read_text(file) if file.exists() else _RULINGS)
        rulings = document.setdefault("rulings", tomlkit.table(is_super_table=True))
        entry = rulings.get(question)
        if entry is None:
            entry = tomlkit.table()
            # Quoted, as `registers` looks for it to say where a ruling stands.
            rulings.append(SingleKey(question, t=KeyType.Basic), entry)
        chosen = tomlkit.string(reading)
        if old is not None:
            earlier = entry["reading"].trivia.comment.lstrip("# ")
            before = f"until {signed.on}: {old.reading}, by {old.by} on {old.on}: {old.why}"
            chosen.comment("; ".join(text for text in (before, earlier) if text))
        _fill(entry, {"reading": chosen, "by": signed.by, "on": signed.on, "why": signed.why})
        _write(file, document, ("rulings", question))
    return old


def record_approvals(folder: Path, clauses: tuple[str, ...], signed: Signature) -> tuple[str, ...]:
    """Approves clauses as they stand now; gives those that were not approved in this form before.

    Raises `CallError` for an id that is no clause of the book.
    """
    import tomlkit

    with locked(folder):
        book = load_book(folder)
        fresh = tuple(clause for clause in dict.fromkeys(clauses) if not is_approved(book, clause))
        if not fresh:
            return ()
        file = folder / "approved.toml"
        document: Any = tomlkit.parse(read_text(file) if file.exists() else _APPROVED)
        approved = document.setdefault("approved", tomlkit.table())
        for clause in fresh:
            digest = part_digest(book.clauses[clause])
            values = {"digest": digest, "by": signed.by, "on": signed.on, "why": signed.why}
            if clause not in approved:
                approved[clause] = tomlkit.inline_table()
            _fill(approved[clause], values)
        _write(file, document, ("approved", fresh[-1]))
    return fresh


def is_approved(book: Book, clause: str) -> bool:
    """Whether the clause is approved as it stands. Raises `CallError` where there is none of this id."""
    if clause not in book.clauses:
        raise CallError(f"{clause[:60]} is no clause of {book.system}", "see `raw explain` for its clauses")
    approval = book.approvals.get(clause)
    return approval is not None and approval.digest == part_digest(book.clauses[clause])


def _check_choice(book: Book, question: str, reading: str) -> None:
    if question not in book.questions:
        raise CallError(f"{question[:60]} is no question of {book.system}", "name one of questions.md")
    readings = [r.id for r in book.questions[question].readings]
    if not readings:
        raise CallError(f"{question} has no readings to choose from", "write them into questions.md first")
    if reading not in readings:
        raise CallError(f'{question} has no reading "{reading[:60]}"', f"one of {', '.join(readings)}")


def _fill(entry: Any, values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        entry[key] = value


def _write(file: Path, document: Any, path: tuple[str, str]) -> None:
    import tomlkit

    text = tomlkit.dumps(document)
    # What tomlkit wrote is what tomllib reads: an odd layout must not swallow a decision.
    assert path[1] in tomllib.loads(text)[path[0]]
    write_whole(file, text)
