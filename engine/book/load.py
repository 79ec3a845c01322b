"""Reads a rule book from its folder and holds it to its own promises."""

from __future__ import annotations

import datetime
import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from engine.book.domains import Domain, parse_domain
from engine.book.markdown import Page, Section, read_page, read_text
from engine.book.model import (
    Approval,
    Book,
    Clause,
    Passage,
    ProcedureName,
    Property,
    Question,
    Ruling,
)
from engine.book.parts import CASE_KEYS, read_clause, read_property, read_question
from engine.errors import BookError, InputError, Place
from engine.formula.parse import RESERVED, is_question

BOOK_KEYS = {"system", "prefix", "title", "source", "domains", "retired"}
TABLES = ("questions.md", "properties.md")


def find_books(folder: Path) -> list[Path]:
    """The folders below `folder` that hold a book, in the order of their names."""
    if not folder.is_dir():
        raise BookError("there is no such folder", "point --books at a folder of rule books", Place(folder, 1))
    return sorted(file.parent for file in folder.glob("*/book.toml"))


def load_book(folder: Path) -> Book:
    """The book in `folder`.

    Raises `BookError`, with file and line, for anything that is broken, unclaimed, doubled or unknown.
    """
    settings = _settings(folder)
    prefix, file = settings["prefix"], folder / "book.toml"
    domains = _domains(settings.get("domains", {}), file)
    pages = [read_page(path) for path in sorted(folder.glob("[0-9][0-9]-*.md"))]
    if not pages:
        raise BookError("no chapter", "add one, named like 01-attributes.md", Place(folder, 1))
    clauses = _unique(
        read_clause(_owned(s, prefix, ""), page.file.stem, domains) for page in pages for s in page.sections
    )
    questions = _unique(read_question(_owned(s, prefix, "Q")) for s in _sections(folder / "questions.md"))
    properties = _unique(read_property(_owned(s, prefix, "P"), domains) for s in _sections(folder / "properties.md"))
    passages = _passages(folder / "passages.toml")
    book = Book(
        system=settings["system"],
        prefix=prefix,
        title=settings["title"],
        folder=folder,
        source_file=settings["source"],
        chapters={page.file.stem: page.title for page in pages},
        domains=domains,
        clauses=clauses,
        questions=questions,
        properties=properties,
        passages=passages,
        rulings=_rulings(folder / "rulings.toml"),
        approvals=_approvals(folder / "approved.toml"),
        profiles=_profiles(folder / "profiles.toml"),
        retired=frozenset(settings.get("retired", [])),
    )
    for check in (_check_ids, _check_names, _check_passages, _check_readings, _check_rulings):
        check(book)
    return book


def clause_digest(clause: Clause) -> str:
    """SHA-256 of the clause as written (trailing blanks and line ends aside)."""
    return hashlib.sha256(clause.text.encode()).hexdigest()


def read_toml(file: Path) -> dict[str, Any]:
    """A TOML file as plain data, exact (no floats). Raises `BookError` with its line."""
    try:
        data: dict[str, Any] = tomllib.loads(read_text(file), parse_float=str)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        line = int(message.partition("at line ")[2].partition(",")[0] or 1) if "at line" in message else 1
        raise BookError(f"broken TOML: {message.partition(' (at')[0]}", "fix the line", Place(file, line)) from None
    return data


def line_of(file: Path, text: str) -> Place:
    """Where `text` first stands at the start of a line of `file`, else its first line."""
    for number, line in enumerate(read_text(file).split("\n"), 1):
        if line.lstrip().startswith(text):
            return Place(file, number)
    return Place(file, 1)


def _settings(folder: Path) -> dict[str, Any]:
    file = folder / "book.toml"
    settings = read_toml(file)
    for key in settings:
        if key not in BOOK_KEYS:
            raise BookError(f'unknown key "{key}"', f"one of {', '.join(sorted(BOOK_KEYS))}", line_of(file, key))
    for key in ("system", "prefix", "title", "source"):
        if not isinstance(settings.get(key), str) or not settings[key]:
            raise BookError(f"`{key}` is missing", f'{key} = "…"', Place(file, 1))
    if settings["system"] != folder.name:
        raise BookError(f'system "{settings["system"]}"', f'the folder is called "{folder.name}"', line_of(file, "system"))
    if not (settings["prefix"].isascii() and settings["prefix"].isalnum() and settings["prefix"].isupper()):
        raise BookError(f'prefix "{settings["prefix"]}"', "capital ASCII letters", line_of(file, "prefix"))
    return settings


def _domains(entries: Any, file: Path) -> dict[str, Domain]:
    if not isinstance(entries, dict):
        raise BookError("`domains` is no table", "[domains]", line_of(file, "domains"))
    domains = {}
    for name, spec in entries.items():
        place = line_of(file, name)
        if name in RESERVED or name in CASE_KEYS or is_question(name) or not name.isidentifier() or not name.isascii():
            raise BookError(f'"{name}" cannot be the name of an input', "choose another ASCII name", place)
        try:
            domains[name] = parse_domain(name, spec)
        except InputError as error:
            raise BookError(error.problem, error.remedy, place) from None
    return domains


def _sections(file: Path) -> tuple[Section, ...]:
    return read_page(file).sections if file.exists() else ()


def _owned(section: Section, prefix: str, kind: str) -> Section:
    """The section, once its id is of the right kind: WA-5.4, WA-Q07 or WA-P3."""
    own, _, number = section.id.partition("-")
    shape = "5.4" if not kind else f"{kind}07"
    good = number.replace(".", "").isdigit() and "." in number if not kind else number[1:].isdigit() and number[:1] == kind
    if own != prefix or not good:
        raise BookError(f'the id "{section.id}"', f"write it like {prefix}-{shape}", section.place)
    return section


Part = TypeVar("Part", Clause, Question, Property)


def _unique(parts: Iterator[Part]) -> dict[str, Part]:
    found: dict[str, Part] = {}
    for part in parts:
        if part.id in found:
            raise BookError(f"{part.id} is used twice", f"first at {found[part.id].place}; take a free id", part.place)
        found[part.id] = part
    return found


def _passages(file: Path) -> dict[int, Passage]:
    passages = {}
    for number, entry in read_toml(file).get("passages", {}).items():
        place = line_of(file, f"{number} ")
        if not number.isdigit() or not isinstance(entry, dict) or not set(entry) <= {"sha256", "informative"}:
            raise BookError(f"passage {number}", '1 = {sha256 = "…", informative = "why it rules nothing"}', place)
        digest = entry.get("sha256", "")
        if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            raise BookError(f"passage {number} has no SHA-256", "64 hexadecimal digits", place)
        passages[int(number)] = Passage(int(number), digest, place, str(entry.get("informative", "")))
    return passages


def _rulings(file: Path) -> dict[str, Ruling]:
    if not file.exists():
        return {}
    rulings: dict[str, Ruling] = {}
    for question, entry in read_toml(file).get("rulings", {}).items():
        place = line_of(file, f'[rulings."{question}"]')
        by, on, why = _record_of(entry, {"reading"}, place)
        rulings[question] = Ruling(question, str(entry["reading"]), by, on, why, place)
    return rulings


def _approvals(file: Path) -> dict[str, Approval]:
    if not file.exists():
        return {}
    approvals = {}
    for clause, entry in read_toml(file).get("approved", {}).items():
        place = line_of(file, f'"{clause}"')
        by, on, why = _record_of(entry, {"digest"}, place)
        approvals[clause] = Approval(clause, str(entry["digest"]), by, on, why, place)
    return approvals


def _record_of(entry: Any, own: set[str], place: Place) -> tuple[str, datetime.date, str]:
    """Who, when and why: the keys that rulings and approvals share."""
    keys = own | {"by", "on", "why"}
    if not isinstance(entry, dict) or set(entry) != keys or type(entry["on"]) is not datetime.date:
        raise BookError("an entry without who, when and why", f"its keys: {', '.join(sorted(keys))}", place)
    return str(entry["by"]), entry["on"], str(entry["why"])


def _profiles(file: Path) -> dict[str, dict[str, str]]:
    if not file.exists():
        return {}
    profiles = {}
    for name, entry in read_toml(file).get("profiles", {}).items():
        if not isinstance(entry, dict) or not all(isinstance(reading, str) for reading in entry.values()):
            raise BookError(f"profile {name}", 'Q07 = "half-up"', line_of(file, f"[profiles.{name}"))
        profiles[name] = dict(entry)
    return profiles


def _check_ids(book: Book) -> None:
    for part in (*book.clauses.values(), *book.questions.values(), *book.properties.values()):
        if part.id in book.retired:
            raise BookError(f"{part.id} was retired", "ids are never reused; take a free one", part.place)


def _check_names(book: Book) -> None:
    seen: dict[str, str] = {}
    for clause in book.clauses.values():
        name = clause.name
        if name is None:
            continue
        if name in seen:
            raise BookError(f"{clause.id} defines {name} again", f"{seen[name]} defines it already", clause.place)
        if name in book.domains and not isinstance(clause.body, ProcedureName):
            raise BookError(f"{clause.id} defines {name}, which is an input", "choose another name", clause.place)
        seen[name] = clause.id


def _check_passages(book: Book) -> None:
    file = book.folder / "passages.toml"
    cited = [
        *((part.id, part.place, part.sources) for part in (*book.clauses.values(), *book.questions.values())),
        *((part.id, part.place, part.sources) for part in book.properties.values()),
        *((c.id, k.place, (k.passage,)) for c in book.clauses.values() for k in c.cases if k.passage is not None),
    ]
    for owner, place, numbers in cited:
        for number in numbers:
            if number not in book.passages:
                raise BookError(
                    f"{owner} cites passage {number}, which the source has not", f"see {file.name} for its passages", place
                )


def _check_readings(book: Book) -> None:
    """Every `under` and every profile names questions and readings that exist."""
    choices: list[tuple[str, Place, Mapping[str, str]]] = [
        *((p.id, p.place, p.under) for p in book.properties.values()),
        *((q.id, w.place, w.under) for q in book.questions.values() for w in q.witnesses),
        *((c.id, k.place, k.under) for c in book.clauses.values() for k in c.cases),
        *((f"profile {n}", Place(book.folder / "profiles.toml", 1), p) for n, p in book.profiles.items()),
    ]
    readings = {q.name: [r.id for r in q.readings] for q in book.questions.values()}
    for owner, place, under in choices:
        for question, reading in under.items():
            check_reading(readings, question, reading, owner, place)


def check_reading(readings: Mapping[str, list[str]], question: str, reading: str, owner: str, place: Place | None) -> None:
    """Raises `BookError` where there is no such question or reading."""
    if question not in readings:
        raise BookError(f"{owner}: there is no question {question}", "name one of questions.md, like Q07", place)
    if reading not in readings[question]:
        raise BookError(
            f'{owner}: {question} has no reading "{reading}"', f"one of {', '.join(readings[question]) or 'none'}", place
        )


def _check_rulings(book: Book) -> None:
    readings = {q.id: [r.id for r in q.readings] for q in book.questions.values()}
    for ruling in book.rulings.values():
        check_reading(readings, ruling.question, ruling.reading, "ruling", ruling.place)
    for approval in book.approvals.values():
        if approval.clause not in book.clauses and approval.clause not in book.retired:
            raise BookError(
                f"approval of {approval.clause}, which is no clause", "retire the id in book.toml, or bring it back", approval.place
            )
