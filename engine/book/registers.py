"""A book's TOML files: settings, passages, rulings, approvals, decisions, profiles."""

from __future__ import annotations

import datetime as dt
import keyword
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.book.domains import Domain, parse_domain
from engine.book.files import refuse_control
from engine.book.markdown import read_text
from engine.book.model import Approval, Decision, Passage, Ruling
from engine.book.parts import CASE_KEYS
from engine.errors import BookError, InputError, Place
from engine.formula.parse import RESERVED, is_question

BOOK_KEYS = {"system", "prefix", "title", "source", "domains", "records", "retired"}
FREE_FIELDS = ("formula", "text")
FIGHTS = "fights.toml"
DECISION_KINDS = ("approved", "rejected", "withdrawn", "adopted", "ruled")
DECISION_KEYS = frozenset({"about", "is", "digest", "by", "on", "why", "parts", "text", "despite", "reading"})
# How TOML may write a control character; whether it does, and not a backslash before such letters, its data show.
_ESCAPE = re.compile(r"\\(?:[bfre]|(?:x|u00|U000000)(?:[01][0-9a-fA-F]|[89][0-9a-fA-F]|7[fF]))")
_HEADING = re.compile(r"\s*\[([^\[\]]+)\]")
_PASSAGE = re.compile(r"[1-9][0-9]{0,8}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_DECIDED = frozenset({"about", "is", "digest", "by", "on", "why"})


def read_toml(file: Path) -> dict[str, Any]:
    """A TOML file as plain data, exact (no floats). Raises `BookError` with its line."""
    try:
        text = read_text(file)
        data: dict[str, Any] = tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        line = int(message.partition("at line ")[2].partition(",")[0] or 1) if "at line" in message else 1
        raise BookError(f"broken TOML: {message.partition(' (at')[0]}", "fix the line", Place(file, line)) from None
    if escape := _ESCAPE.search(text):
        place = Place(file, text.count("\n", 0, escape.start()) + 1)
        for said in _texts(data):
            refuse_control(said.replace("\n", " "), place)
    return data


def _texts(data: Any) -> Iterator[str]:
    """Every key and every text of TOML's data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from _texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)


def read_table(file: Path, name: str) -> dict[str, Any]:
    """The one table that a register holds. Raises `BookError` for anything beside it, and for one that is no table."""
    data = read_toml(file)
    for key in data:
        if key != name:
            raise BookError(f'unknown key "{key}"', f"this file holds [{name}]", line_of_key(file, key))
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise BookError(f"`{name}` is no table", f"[{name}]", line_of(file, name))
    return table


def line_of_key(file: Path, key: str) -> Place:
    """Where the key of the highest level stands, as `key = …`, `[key]`, `[key.…]` or `[[key]]`."""
    for text in (f"[{key}", f"[[{key}", key):
        if (place := line_of(file, text)).line > 1:
            return place
    return Place(file, 1)


def line_of(file: Path, text: str) -> Place:
    """Where `text` first stands at the start of a line of `file`, else its first line."""
    for number, line in enumerate(read_text(file).split("\n"), 1):
        if line.lstrip().startswith(text):
            return Place(file, number)
    return Place(file, 1)


def places_of(file: Path) -> Callable[[str], Place]:
    """Where a key stands, as written before its sign of equality; the file is read once for all of them."""
    first: dict[str, int] = {}
    for number, line in enumerate(read_text(file).split("\n"), 1):
        key = line.lstrip().partition("=")[0].rstrip()
        first.setdefault(key, number)
    return lambda key: Place(file, first.get(key, 1))


def places_in(file: Path) -> Callable[[str, str], Place]:
    """Where an entry of a table stands, as `[TABLE.NAME]` or as `NAME = …` below `[TABLE]`; the file is read once.

    The table of the file's own keys is "".
    """
    first: dict[str, int] = {}
    table = ""
    for number, line in enumerate(read_text(file).split("\n"), 1):
        if match := _HEADING.match(line):
            table = re.sub(r"[\s\"']", "", match[1])
            first.setdefault(table, number)
        elif "=" in line:
            key = line.partition("=")[0].strip(" \t\"'")
            first.setdefault(f"{table}.{key}", number)
    return lambda table, name: Place(file, first.get(f"{table}.{name}", first.get(table, 1)))


def read_settings(folder: Path) -> dict[str, Any]:
    """The keys of `book.toml`. Raises `BookError` with the line of one that is missing or unknown."""
    file = folder / "book.toml"
    settings = read_toml(file)
    for key in settings:
        if key not in BOOK_KEYS:
            raise BookError(f'unknown key "{key}"', f"one of {', '.join(sorted(BOOK_KEYS))}", line_of(file, key))
    for key in ("system", "prefix", "title", "source"):
        if not isinstance(settings.get(key), str) or not settings[key].strip():
            raise BookError(f"`{key}` is missing", f'{key} = "…"', Place(file, 1))
    source = settings["source"]
    if source in (".", "..") or not source.isprintable() or set(source) & {"/", "\\"}:
        raise BookError(f'source "{source[:60]}"', "the bare name of a file, without a folder", line_of(file, "source"))
    retired = settings.get("retired", [])
    shape = re.compile(re.escape(settings["prefix"]) + "-(?:[QP][0-9]+|[0-9]+(?:\\.[0-9]+)+)")
    if not isinstance(retired, list) or not all(isinstance(one, str) and shape.fullmatch(one) for one in retired):
        raise BookError(
            "`retired` is no list of ids", f'retired = ["{settings["prefix"]}-5.4"]', line_of(file, "retired")
        )
    if settings["system"] != folder.name:
        raise BookError(
            f'system "{settings["system"]}"', f'the folder is called "{folder.name}"', line_of(file, "system")
        )
    if not (settings["prefix"].isascii() and settings["prefix"].isalnum() and settings["prefix"].isupper()):
        raise BookError(f'prefix "{settings["prefix"]}"', "capital ASCII letters", line_of(file, "prefix"))
    return settings


def read_record_fields(entries: Any, file: Path) -> dict[str, dict[str, Domain | str]]:
    """What the records of each kind may hold: a domain, "formula" or "text" for each field.

    Raises `BookError` with the line of what is not understood.
    """
    if not isinstance(entries, dict) or not all(isinstance(fields, dict) for fields in entries.values()):
        raise BookError("records without kinds", 'write [records.skill] and `level = "1.."`', line_of(file, "[records"))
    kinds: dict[str, dict[str, Domain | str]] = {}
    for kind, fields in entries.items():
        kinds[kind] = {}
        for name, spec in fields.items():
            try:
                kinds[kind][name] = spec if spec in FREE_FIELDS else parse_domain(name, spec)
            except InputError as error:
                raise BookError(error.problem, f'{error.remedy}; "formula" or "text"', line_of(file, name)) from None
    return kinds


def read_domains(entries: Any, file: Path) -> dict[str, Domain]:
    """The declared domains. Raises `BookError` with the line of one that is not understood."""
    if not isinstance(entries, dict):
        raise BookError("`domains` is no table", "[domains]", line_of(file, "domains"))
    domains = {}
    place_of = places_of(file)
    for name, spec in entries.items():
        place = place_of(name)
        taken = keyword.iskeyword(name) or name in RESERVED | CASE_KEYS or is_question(name)
        if taken or not name.isidentifier() or not name.isascii():
            raise BookError(f'"{name}" cannot be the name of an input', "choose another ASCII name", place)
        try:
            domains[name] = parse_domain(name, spec)
        except InputError as error:
            raise BookError(error.problem, error.remedy, place) from None
    return domains


def read_passages(file: Path) -> dict[int, Passage]:
    """The passages of the source by number."""
    passages = {}
    table = read_table(file, "passages")
    place_of = places_of(file)
    for number, entry in table.items():
        place = place_of(number)
        texts = isinstance(entry, dict) and all(isinstance(value, str) for value in entry.values())
        if not _PASSAGE.fullmatch(number) or not texts or not set(entry) <= {"sha256", "informative"}:
            raise BookError(f"passage {number[:40]}", '1 = {sha256 = "…", informative = "why it rules nothing"}', place)
        digest = entry.get("sha256", "")
        if not _SHA256.fullmatch(digest):
            raise BookError(f"passage {number} has no SHA-256", "64 hexadecimal digits", place)
        passages[int(number)] = Passage(int(number), digest, place, entry.get("informative", ""))
    return passages


def read_rulings(file: Path) -> dict[str, Ruling]:
    """The rulings by question id; none where there is no file."""
    if not file.exists():
        return {}
    rulings: dict[str, Ruling] = {}
    for question, entry in read_table(file, "rulings").items():
        place = line_of(file, f'[rulings."{question}"]')
        by, on, why = _record_of(entry, {"reading"}, place)
        rulings[question] = Ruling(question, str(entry["reading"]), by, on, why, place)
    return rulings


def read_approvals(file: Path) -> dict[str, Approval]:
    """The approvals by the ids of what they bind; none where there is no file."""
    if not file.exists():
        return {}
    approvals = {}
    table = read_table(file, "approved")
    place_of = places_of(file)
    for part, entry in table.items():
        place = place_of(f'"{part}"')
        by, on, why = _record_of(entry, {"digest"}, place)
        approvals[part] = Approval(part, str(entry["digest"]), by, on, why, place)
    return approvals


def read_decisions(file: Path) -> tuple[Decision, ...]:
    """The log of decisions in its order; none where there is no file."""
    if not file.exists():
        return ()
    data = read_toml(file)
    for key in data:
        if key != "decisions":
            raise BookError(f'unknown key "{key}"', "this file holds [[decisions]]", line_of_key(file, key))
    entries = data.get("decisions", [])
    lines = [n for n, text in enumerate(read_text(file).split("\n"), 1) if text.strip() == "[[decisions]]"]
    if not isinstance(entries, list) or len(lines) != len(entries):
        raise BookError("no log of decisions", "each is a table [[decisions]] of its own", Place(file, 1))
    return tuple(_decision(entry, Place(file, line)) for entry, line in zip(entries, lines, strict=True))


def _decision(entry: Any, place: Place) -> Decision:
    if not isinstance(entry, dict) or not _DECIDED <= entry.keys() <= DECISION_KEYS or type(entry["on"]) is not dt.date:
        raise BookError("a decision without what, who, when and why", f"its keys: {', '.join(sorted(_DECIDED))}", place)
    if entry["is"] not in DECISION_KINDS:
        raise BookError(f'a decision that is "{str(entry["is"])[:40]}"', f"one of {', '.join(DECISION_KINDS)}", place)
    parts = entry.get("parts", [])
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise BookError("`parts` is no list of ids", 'parts = ["WA-5.4"]', place)
    return Decision(
        about=str(entry["about"]),
        kind=entry["is"],
        digest=str(entry["digest"]),
        by=str(entry["by"]),
        on=entry["on"],
        why=str(entry["why"]),
        place=place,
        parts=tuple(parts),
        text=str(entry.get("text", "")),
        despite=str(entry.get("despite", "")),
        reading=str(entry.get("reading", "")),
    )


def read_fights(folder: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """The tables of `fights.toml` with their entries; none where there is no such file."""
    file = folder / FIGHTS
    if not file.is_file():
        return {}
    tables = {name: rows for name, rows in read_toml(file).items() if isinstance(rows, dict)}
    return {name: {key: row for key, row in rows.items() if isinstance(row, dict)} for name, rows in tables.items()}


def _record_of(entry: Any, own: set[str], place: Place) -> tuple[str, dt.date, str]:
    """Who, when and why: the keys that rulings and approvals share."""
    keys = own | {"by", "on", "why"}
    good = isinstance(entry, dict) and set(entry) == keys and type(entry["on"]) is dt.date
    if not good or not all(isinstance(entry[key], str) and entry[key].strip() for key in keys - {"on"}):
        raise BookError("an entry without who, when and why", f"its keys: {', '.join(sorted(keys))}", place)
    return entry["by"], entry["on"], entry["why"]


def read_profiles(file: Path) -> dict[str, dict[str, str]]:
    """The profiles by name; none where there is no file."""
    if not file.exists():
        return {}
    profiles = {}
    for name, entry in read_table(file, "profiles").items():
        if not isinstance(entry, dict) or not all(isinstance(reading, str) for reading in entry.values()):
            raise BookError(f"profile {name}", 'Q07 = "half-up"', line_of(file, f"[profiles.{name}"))
        profiles[name] = dict(entry)
    return profiles
