"""Decisions written into a book: who chose which reading, who approved what, when and why."""

from __future__ import annotations

import datetime as dt
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.book.bound import Bound, bound_parts
from engine.book.decisions import ADOPTED, State, bearing_on, judged_digest, state_of
from engine.book.digests import lines_digest, part_digest, proposal_digest
from engine.book.load import load_book
from engine.book.markdown import read_text
from engine.book.model import Approval, Book, Decision, Ruling
from engine.book.proposals import proposal_of
from engine.book.write import locked, write_book
from engine.errors import CallError

LONGEST = 2000

_RULINGS = """\
# Which reading of each open question was chosen, by whom, when and why.
# Written by `raw rule QUESTION READING --by NAME --why TEXT`.
"""
_DECISIONS = """\
# What was decided, by whom, when and why; entries are only ever added, the last one about a proposal holds.
# Written by `raw approve`, `raw reject`, `raw withdraw`, `raw adopt` and `raw rule`; `raw log` shows it.
"""
_APPROVED = """\
# Who approved each part of the book, when and why; the digest is of what it said.
# Written by `raw approve ID … --by NAME --why TEXT`.

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
    with locked(folder):
        book = load_book(folder)
        _check_choice(book, question, reading)
        old = book.rulings.get(question)
        if old is not None and not instead:
            raise CallError(
                f"{question} is ruled already: {old.reading}, by {old.by} on {old.on} ({old.why})",
                "add --instead to replace that ruling",
            )
        entry = logged(
            question, "ruled", part_digest(book.questions[question]), signed, parts=(question,), reading=reading
        )
        texts = rulings_with(book, {question: reading}, signed)
        write_book(folder, {**texts, **log_with(folder, entry)})
    return old


def rulings_with(
    book: Book, settled: Mapping[str, str], signed: Signature, *, gone: Sequence[str] = ()
) -> dict[Path, str]:
    """`rulings.toml` with these readings of questions, and without those of questions that are gone.

    What a reading replaces stays as a comment. Nothing is written.
    """
    import tomlkit
    from tomlkit.items import KeyType, SingleKey

    gone = [question for question in gone if question in book.rulings]
    if not settled and not gone:
        return {}
    file = book.folder / "rulings.toml"
    document: Any = tomlkit.parse(read_text(file) if file.exists() else _RULINGS)
    rulings = document.setdefault("rulings", tomlkit.table(is_super_table=True))
    for question in gone:
        rulings.remove(question)
    for question, reading in settled.items():
        old = book.rulings.get(question)
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
    return {file: _dumped(document, "rulings", settled)}


def record_approvals(folder: Path, parts: Iterable[str], signed: Signature) -> tuple[str, ...]:
    """Approves parts as they stand now; gives those that were not approved in this form before.

    Raises `CallError` for an id that is no part of the book.
    """
    with locked(folder):
        book = load_book(folder)
        waiting = unapproved(book)
        fresh = tuple(part for part in dict.fromkeys(parts) if part in waiting)
        bound = bound_parts(book)
        for part in parts:
            if part not in bound:
                raise CallError(f"{part[:60]} is no part of {book.system}", "see `raw explain` for its parts")
        if not fresh:
            return ()
        digest = lines_digest(f"{part} {bound[part].digest}" for part in fresh)
        about = fresh[0] if len(fresh) == 1 else f"{len(fresh)} parts"
        entry = logged(about, "approved", digest, signed, parts=fresh)
        texts = log_with(folder, *earlier_approvals(book, fresh), entry)
        digests = {part: bound[part].digest for part in fresh}
        write_book(folder, {**approvals_with(book, digests, signed), **texts})
    return fresh


def earlier_approvals(book: Book, parts: Iterable[str]) -> list[str]:
    """Entries for approvals of these parts that the log does not hold: they are about to be replaced."""
    known = {(part, d.by, d.on) for d in book.decisions for part in d.parts}
    grouped: dict[tuple[str, dt.date, str], list[Approval]] = {}
    for part in parts:
        old = book.approvals.get(part)
        if old is not None and (part, old.by, old.on) not in known:
            grouped.setdefault((old.by, old.on, old.why), []).append(old)
    entries = []
    for key, approvals in grouped.items():
        digest = lines_digest(f"{old.part} {old.digest}" for old in approvals)
        ids = [old.part for old in approvals]
        about = ids[0] if len(ids) == 1 else f"{len(ids)} parts"
        entries.append(logged(about, "approved", digest, Signature(*key), parts=ids))
    return entries


def approvals_with(book: Book, fresh: Mapping[str, str], signed: Signature) -> dict[Path, str]:
    """`approved.toml` of `book` with these digests by id. Nothing is written."""
    import tomlkit

    if not fresh:
        return {}
    file = book.folder / "approved.toml"
    document: Any = tomlkit.parse(read_text(file) if file.exists() else _APPROVED)
    approved = document.setdefault("approved", tomlkit.table())
    for part, digest in fresh.items():
        if part not in approved:
            approved[part] = tomlkit.inline_table()
        _fill(approved[part], {"digest": digest, "by": signed.by, "on": signed.on, "why": signed.why})
    return {file: _dumped(document, "approved", fresh)}


def decide(
    folder: Path, name: str, kind: str, signed: Signature, *, judged: str = "", despite: str = ""
) -> tuple[Decision, State]:
    """Records what an operator decided about a proposal; gives the entry, and the state before it.

    `judged` is the digest of what was looked at: another one means that it changed meanwhile. The book is read under
    the lock, and the log only grows, so that of two operators neither loses a decision. Raises `CallError` for an
    unknown proposal, for an adopted one, and for an approval of one that changes nothing.
    """
    with locked(folder):
        book = load_book(folder)
        done = next((d for d in book.decisions if d.about == name and d.kind == ADOPTED), None)
        if done is not None:
            raise CallError(f"{name} was adopted on {done.on} by {done.by}", "undo it by a proposal of its own")
        proposal = proposal_of(book, name)
        if kind == "approved" and proposal.changes_nothing:
            raise CallError(f"{name} changes nothing: it holds a name for a text that is not written", "write it first")
        digest = judged_digest(book, name)
        if judged and digest != judged:
            raise CallError(f"{name} changed while it was judged", "look at it again")
        before = state_of(book, proposal)
        entry = logged(
            name,
            kind,
            digest,
            signed,
            parts=bearing_on(book, proposal),
            text=proposal_digest(proposal),
            despite=despite,
        )
        write_book(folder, log_with(folder, entry))
        return load_book(folder).decisions[-1], before


def logged(  # noqa: PLR0913 - the columns of the log
    about: str,
    kind: str,
    digest: str,
    signed: Signature,
    *,
    parts: Sequence[str] = (),
    text: str = "",
    despite: str = "",
    reading: str = "",
) -> str:
    """An entry of `decisions.toml` as text."""
    values: dict[str, Any] = {"about": about, "is": kind, "reading": reading, "digest": digest, "text": text}
    values |= {"by": signed.by, "on": signed.on, "why": signed.why, "despite": despite}
    lines = ["[[decisions]]"]
    for key, value in values.items():
        if value:
            lines.append(f"{key} = {value.isoformat() if isinstance(value, dt.date) else _quoted(value)}")
    if parts:
        lines.append(f"parts = [{', '.join(_quoted(part) for part in parts)}]")
    return "\n".join(lines) + "\n"


def log_with(folder: Path, *entries: str) -> dict[Path, str]:
    """`decisions.toml` with these entries at its end, all else byte for byte. Nothing is written."""
    file = folder / "decisions.toml"
    text = read_text(file) if file.exists() else _DECISIONS
    text = "\n".join([text.rstrip("\n") + "\n", *entries])
    # What is added must be read back: an odd end of the file must not swallow a decision.
    assert len(tomllib.loads(text)["decisions"]) == text.count("[[decisions]]")
    return {file: text}


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's, whose escapes are TOML's too."""
    return json.dumps(text, ensure_ascii=False)


def unapproved(book: Book) -> dict[str, Bound]:
    """The parts of the book that are not approved as they stand, by id, in the order of the book."""

    def approved(part: Bound) -> bool:
        approval = book.approvals.get(part.id)
        return approval is not None and approval.digest == part.digest

    return {id_: part for id_, part in bound_parts(book).items() if not approved(part)}


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


def _dumped(document: Any, table: str, keys: Iterable[str]) -> str:
    import tomlkit

    text = tomlkit.dumps(document)
    # What tomlkit wrote is what tomllib reads: an odd layout must not swallow a decision.
    read = tomllib.loads(text).get(table, {})
    assert all(key in read for key in keys)
    return text
