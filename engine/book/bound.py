"""What approvals bind: every part of a book that says something, under its id and with its digest.

Clauses, questions and properties under their own ids; what TOML files declare under ids like `WA-input-level`; a
retired id under itself, so that no rule goes unseen either. Names of the book, its chapters and its files bind nothing;
rulings and decisions carry signatures of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.book.blocks import Map
from engine.book.digests import text_digest
from engine.book.domains import Choice, Dice, Domain, Truth, parse_domain
from engine.book.model import FIGHTER, INPUT, Book
from engine.book.registers import FIGHTS, FREE_FIELDS, places_in, read_fights
from engine.errors import BookError, InputError, Place

KINDS = (INPUT, "record", "profile", FIGHTER, "sweep")
PASSAGES = "passages"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Bound:
    """A part of a book as an approval binds it.

    `text` is what is compared: a part as written, or what was declared, a line a fact. `prose` says it to people.
    """

    id: str
    title: str
    text: str
    place: Place
    prose: str
    block: Map | None = None

    @property
    def digest(self) -> str:
        """SHA-256 of what it says: layout, comments and an order that carries no meaning aside."""
        return text_digest(self.text, self.block)


@dataclass(frozen=True, slots=True)
class _Declared:
    """One entry of a TOML file: where it stands there, and what it says."""

    kind: str
    name: str
    table: str
    title: str
    text: str

    @property
    def id(self) -> str:
        """Its id within the book."""
        return f"{self.kind}-{self.name}" if self.name else self.kind


def bound_parts(book: Book) -> dict[str, Bound]:
    """Every part that an approval binds, by id: what is written, what is declared, what was retired.

    Raises `BookError` where an entry has a name that makes no id, and for a `fights.toml` that cannot be read.
    """
    found = {part.id: Bound(part.id, part.title, part.text, part.place, part.prose, part.block) for part in book.parts}
    settings = book.folder / "book.toml"
    for file, declared in (
        (settings, (*_inputs(book.domains), *_records(book.record_fields))),
        (book.folder / "profiles.toml", tuple(_profiles(book.profiles))),
        (book.folder / FIGHTS, tuple(_fights(_fights_of(book)))),
        (
            book.folder / "passages.toml",
            tuple(_passages({n: (p.sha256, p.informative) for n, p in book.passages.items()})),
        ),
    ):
        place_of = places_in(file) if declared else None
        for entry in declared:
            assert place_of is not None
            place = _proposed(book, entry) or place_of(entry.table, entry.name)
            if entry.name and not _NAME.fullmatch(entry.name):
                problem = f'"{entry.name[:60]}" cannot be the name of a {entry.kind}'
                raise BookError(problem, "ASCII letters, digits, points, hyphens and _", place)
            id_ = f"{book.prefix}-{entry.id}"
            if id_ in found:
                raise BookError(f'two entries are called "{entry.name}"', "rename one", place)
            prose = entry.text.partition("\n")[0] if entry.kind == INPUT else ""
            found[id_] = Bound(id_, entry.title, entry.text, place, prose)
    if book.retired:
        place = places_in(settings)("", "retired")
        found |= {id_: Bound(id_, "(retired)", f"{id_} is retired.", place, "") for id_ in sorted(book.retired)}
    return found


def texts_in(file: str, data: Mapping[str, Any], prefix: str) -> dict[str, str]:
    """The texts of what such a file declared at some time, by id; nothing where it was no such file."""
    try:
        declared = list(_of_file(file, data))
    except (InputError, AttributeError, KeyError, TypeError):
        return {}
    return {f"{prefix}-{entry.id}": entry.text for entry in declared}


def _of_file(file: str, data: Mapping[str, Any]) -> Iterator[_Declared]:
    if file == "book.toml":
        yield from _inputs({name: parse_domain(name, spec) for name, spec in data.get("domains", {}).items()})
        for kind, fields in data.get("records", {}).items():
            rules = {name: s if s in FREE_FIELDS else parse_domain(name, s) for name, s in fields.items()}
            yield from _records({kind: rules})
    elif file == "profiles.toml":
        yield from _profiles(data.get("profiles", {}))
    elif file == FIGHTS:
        yield from _fights(data)
    elif file == "passages.toml":
        entries = data.get("passages", {})
        yield from _passages({int(n): (e["sha256"], e.get("informative", "")) for n, e in entries.items()})


def _proposed(book: Book, entry: _Declared) -> Place | None:
    """Where an input stands that a proposal of this run adds."""
    if entry.kind == INPUT:
        for name in book.applied:
            proposal = book.proposals[name]
            if entry.name in proposal.domains:
                return proposal.at("domains")
    return None


def _fights_of(book: Book) -> dict[str, Any]:
    """The tables of fights.toml, as the proposals of this run leave them."""
    tables: dict[str, Any] = {name: dict(rows) for name, rows in read_fights(book.folder).items()}
    for name, fields in book.fights.items():
        holder = next((rows for table, rows in tables.items() if table != "sweeps" and name in rows), None)
        if holder is not None:
            holder[name] = {**holder[name], **fields}
    return tables


# --- What each kind says -----------------------------------------------------------------


def _inputs(domains: Mapping[str, Domain]) -> Iterator[_Declared]:
    for name, domain in domains.items():
        yield _Declared(INPUT, name, "domains", domain.label or f"the input {name}", _domain(name, domain))


def _records(kinds: Mapping[str, Mapping[str, Domain | str]]) -> Iterator[_Declared]:
    for kind, fields in kinds.items():
        lines = [f"record {kind}"]
        for name in sorted(fields):
            rule = fields[name]
            lines.append(_domain(name, rule) if isinstance(rule, Domain) else f"{name}: {rule}")
        yield _Declared("record", kind, "records", f"the fields of a {kind}", "\n".join(lines))


def _profiles(profiles: Mapping[str, Mapping[str, str]]) -> Iterator[_Declared]:
    for name, readings in profiles.items():
        lines = [f"profile {name}", *(f"{question} = {_word(readings[question])}" for question in sorted(readings))]
        yield _Declared("profile", name, "profiles", f"the profile {name}", "\n".join(lines))


def _fights(tables: Mapping[str, Any]) -> Iterator[_Declared]:
    for table, rows in tables.items():
        kind = "sweep" if table == "sweeps" else FIGHTER
        for name, fields in rows.items():
            title = f"the sweep {name}" if kind == "sweep" else f"{name}, one of the {table}"
            lines = [f"{table}.{name}", *(f"{key} = {_plain(fields[key])}" for key in sorted(fields))]
            yield _Declared(kind, name, table, title, "\n".join(lines))


def _passages(passages: Mapping[int, tuple[str, str]]) -> Iterator[_Declared]:
    """The lines of the source in their order, and which of them rule nothing; their numbers may change."""
    lines = [
        f"the line {sha}{f' rules nothing: {_word(why)}' if why else ''}" for _, (sha, why) in sorted(passages.items())
    ]
    yield _Declared(PASSAGES, "", "", "the lines of the source", "\n".join(lines) or "no line of a source")


def _domain(name: str, domain: Domain) -> str:
    """A domain as data: its words in their order, which is that of its values."""
    if isinstance(domain, Choice):
        values = _plain(domain.words)
    elif isinstance(domain, Dice):
        values = f"dice {' '.join(f'd{kind}' for kind in domain.kinds)} up to {domain.most}"
    else:
        values = "bool" if isinstance(domain, Truth) else str(domain)
    said = [f"{key}: {_word(text)}" for key, text in (("label", domain.label), ("why", domain.why)) if text]
    return "\n".join([f"{name}: {values}", *said])


def _word(text: str) -> str:
    """A text in one line, whatever it holds."""
    return text if text.isprintable() and '"' not in text else json.dumps(text, ensure_ascii=False)


def _plain(value: Any) -> str:
    """TOML's data in one line: keys sorted, text in quotes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
