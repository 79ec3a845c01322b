"""Sections of a page as clauses, questions and properties."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.book.blocks import Map, Seq, read_block, read_scalar
from engine.book.domains import Domain, parse_domain
from engine.book.markdown import Section
from engine.book.model import (
    Body,
    Case,
    Clause,
    DecisionTable,
    Definition,
    LookupTable,
    ProcedureName,
    Property,
    Question,
    Reading,
    Record,
    Row,
    Witness,
)
from engine.dice import Pool, parse_pool
from engine.errors import BookError, InputError, Place
from engine.formula.parse import parse, parse_definition, parse_signature
from engine.values import show

CASE_KEYS = frozenset({"is", "example", "boundary", "work", "under", "rolls", "name", "call"})
BODY_KEYS = ("define", "decide", "table", "procedure", "record", "no_case")
CLAUSE_KEYS = frozenset({*BODY_KEYS, "source", "cases", "rows", "window", "holes", "fields"})
QUESTION_KEYS = frozenset({"source", "readings", "ask", "given", "rolls", "under", "witnesses"})
PROPERTY_KEYS = frozenset({"source", "claim", "for", "by", "split", "under", "broken"})
PROFILE = "profile"
WITNESS_KEYS = frozenset({"ask", "given", "gives", "rolls", "under"})
METHODS = ("proof", "enumeration", "sampling")
MOST_LABEL = 90
_READING = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,59}")
_POOL = re.compile(r"\d*d\d+(\s*[+-]\s*\d*d?\d+)*")


def block_of(section: Section, keys: frozenset[str]) -> Map:
    """The section's block. Raises `BookError` for a key that does not belong there."""
    block = read_block(section.block, section.place.file, section.block_line)
    for key in block:
        if key not in keys:
            raise BookError(
                f'{section.id}: unknown key "{key}"', f"one of {', '.join(sorted(keys))}", block.places[key]
            )
    return block


def read_clause(section: Section, chapter: str, domains: Mapping[str, Domain]) -> Clause:
    """A clause from its section. Raises `BookError` with the line of what is wrong."""
    block = block_of(section, CLAUSE_KEYS)
    kinds = [key for key in BODY_KEYS if key in block]
    if len(kinds) != 1:
        raise BookError(
            f"{section.id} has {len(kinds)} of {', '.join(BODY_KEYS)}", "a clause states exactly one", block.place
        )
    kind = kinds[0]
    place = block.places[kind]
    try:
        body = _body(kind, block, section, domains)
    except InputError as error:
        raise _at(error, section.id, place) from None
    cases = _cases(section, block, body)
    if body is not None and not cases:
        raise BookError(
            f"{section.id} has no case", "give it cases, or say why none is possible with no_case", section.place
        )
    if body is None and "cases" in block:
        raise BookError(f"{section.id} has cases, but nothing to call", "define something, or drop them", place)
    return Clause(
        id=section.id,
        title=section.title,
        chapter=chapter,
        prose=section.prose,
        text=section.text,
        place=section.place,
        block=block,
        sources=read_sources(block, section),
        body=body,
        cases=cases,
        no_case=_text(block, "no_case") if kind == "no_case" else "",
    )


def read_question(section: Section) -> Question:
    """A question from its section. Raises `BookError` with the line of what is wrong."""
    block = block_of(section, QUESTION_KEYS)
    readings: list[Reading] = []
    gives: dict[str, Any] = {}
    for i, entry in enumerate(_list(block, "readings")):
        place = block["readings"].places[i]
        if not isinstance(entry, Map) or not {"id", "says"} <= entry.keys() <= {"id", "says", "gives"}:
            raise BookError(f"{section.id}: a reading without id and says", "{id: …, says: …, gives: …}", place)
        reading = Reading(str(entry["id"]), _said(entry, "says", section.id, place))
        if any(r.id == reading.id for r in readings) or not _READING.fullmatch(reading.id):
            remedy = "short ids of ASCII letters, digits and hyphens, each once"
            raise BookError(f'{section.id}: reading "{reading.id[:60]}"', remedy, place)
        readings.append(reading)
        if "gives" in entry:
            gives[reading.id] = entry["gives"]
    if len(readings) == 1:
        raise BookError(f"{section.id} has one reading", "a question has two or more, or none", block.place)
    entries: list[Any] = [block]
    if "witnesses" in block:
        entries = _list(block, "witnesses")
        if double := sorted(block.keys() & WITNESS_KEYS):
            problem = f"{section.id} has `witnesses` and `{double[0]}`"
            raise BookError(problem, "write each witness as one entry of the list", block.places[double[0]])
    witnesses = tuple(_witness(section, entry, gives, [r.id for r in readings]) for entry in entries)
    for i, one in enumerate(readings):
        for other in readings[i + 1 :]:
            if all(show(w.gives[one.id]) == show(w.gives[other.id]) for w in witnesses):
                raise BookError(
                    f'{section.id}: no witness tells "{one.id}" from "{other.id}"',
                    "give a call on which they differ",
                    section.place,
                )
    return Question(
        id=section.id,
        title=section.title,
        prose=section.prose,
        text=section.text,
        place=section.place,
        block=block,
        sources=read_sources(block, section),
        readings=tuple(readings),
        witnesses=witnesses,
    )


def _witness(section: Section, entry: Any, gives: Mapping[str, Any], readings: list[str]) -> Witness:
    if not isinstance(entry, Map) or "ask" not in entry:
        raise BookError(f"{section.id} has no witness", "say what to call: `ask:` and `given:`", section.place)
    for key in entry.keys() - WITNESS_KEYS - QUESTION_KEYS:
        raise BookError(f'{section.id}: unknown key "{key}"', f"one of {', '.join(sorted(WITNESS_KEYS))}", entry.place)
    given = entry.get("given", {})
    if not isinstance(given, Mapping):
        raise BookError(f"{section.id}: given is no mapping", "given: {name: value}", entry.place)
    given_here = entry.get("gives", gives) if "readings" not in entry else gives
    if not isinstance(given_here, Mapping) or set(given_here) != set(readings):
        raise BookError(f"{section.id}: a reading without its value", "`gives` for each reading", entry.place)
    rolls = entry.get("rolls")
    if isinstance(rolls, Mapping):
        if set(rolls) != set(readings):
            raise BookError(f"{section.id}: rolls for some readings", "for all, or one script", entry.place)
        scripts: Any = {reading: _script(script, section.id, entry.place) for reading, script in rolls.items()}
    else:
        scripts = None if rolls is None else _script(rolls, section.id, entry.place)
    return Witness(str(entry["ask"]), dict(given), dict(given_here), entry.place, scripts, _under(entry, section.id))


def read_property(section: Section, domains: Mapping[str, Domain]) -> Property:
    """A property from its section. Raises `BookError` with the line of what is wrong."""
    block = block_of(section, PROPERTY_KEYS)
    try:
        claim = parse(_text(block, "claim"))
        narrowed = {name: parse_domain(name, spec) for name, spec in _mapping(block, "for").items()}
    except InputError as error:
        raise _at(error, section.id, block.place) from None
    by = _text(block, "by")
    if by not in METHODS:
        raise BookError(f'{section.id}: by "{by}"', f"one of {', '.join(METHODS)}", block.places["by"])
    own = {n: narrowed.get(n) or domains[n] for n in sorted(claim.names) if n in narrowed or n in domains}
    for name in narrowed:
        if name not in own:
            raise BookError(f"{section.id}: the claim has no {name}", "drop it from `for`", block.places["for"])
    return Property(
        id=section.id,
        title=section.title,
        prose=section.prose,
        text=section.text,
        place=section.place,
        block=block,
        sources=read_sources(block, section) if "source" in block else (),
        claim=claim,
        domains=own,
        by=by,
        split=_split(block, section.id, own),
        under=_under(block, section.id),
        broken=dict(_mapping(block, "broken")) if "broken" in block else None,
    )


def _split(block: Map, owner: str, names: Mapping[str, Domain]) -> dict[str, int]:
    split = _mapping(block, "split")
    if split and block["by"] != "proof":
        raise BookError(
            f"{owner}: split, but by {block['by']}", "split helps a proof only: drop it", block.places["split"]
        )
    for name in split:
        if name not in names:
            raise BookError(f"{owner}: the claim has no {name}", "drop it from `split`", block.places["split"])
    for name, parts in split.items():
        if type(parts) is not int or parts < 2:
            raise BookError(f"{owner}: split {name}: {parts}", "a whole number: {margin: 5}", block.places["split"])
    return dict(split)


def read_sources(block: Map, section: Section) -> tuple[int, ...]:
    """The passages that a part claims. Raises `BookError` where they are no list of line numbers."""
    sources = block.get("source")
    if not isinstance(sources, Seq) or not sources or any(type(n) is not int or n < 1 for n in sources):
        place = block.places.get("source", block.place)
        raise BookError(f"{section.id} names no source", "list its passages: `source: [14, 16]`", place)
    return tuple(sources)


def _body(kind: str, block: Map, section: Section, domains: Mapping[str, Domain]) -> Body | None:
    if kind == "no_case":
        return None
    text = _text(block, kind)
    if kind == "procedure":
        return ProcedureName(parse_signature(text)[0])
    if kind == "define":
        name, params, formula = parse_definition(text)
        body: Body = Definition(name, params, formula)
    elif kind == "decide":
        name, params = parse_signature(text)
        rows = tuple(_row(row, block["rows"].places[i], section.id) for i, row in enumerate(_list(block, "rows")))
        window = {name: parse_domain(name, spec) for name, spec in _mapping(block, "window").items()}
        body = DecisionTable(name, params, rows, window, tuple(map(str, _list(block, "holes"))))
    elif kind == "table":
        name, params = parse_signature(text)
        body = _lookup(name, params, section, domains)
    else:
        return _record(text, block, section)
    for param in params:
        if param not in domains:
            raise BookError(
                f"{section.id}: {param} has no domain", f"declare it in book.toml: {param} = …", block.places[kind]
            )
    return body


def _row(row: Any, place: Place, owner: str) -> Row:
    if not isinstance(row, Map) or set(row) != {"when", "is"}:
        raise BookError(f"{owner}: a row without when and is", "{when: CONDITION, is: VALUE}", place)
    try:
        return Row(parse(_formula_text(row["when"])), parse(_formula_text(row["is"])), place)
    except InputError as error:
        raise _at(error, owner, place) from None


def _formula_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else f"({value})"


def _lookup(name: str, params: tuple[str, ...], section: Section, domains: Mapping[str, Domain]) -> LookupTable:
    if len(section.grids) != 1 or len(params) not in (1, 2):
        raise BookError(f"{section.id} has {len(section.grids)} tables", "one table, looked up by one or two names")
    (grid,) = section.grids
    head, *rows = grid.rows
    if len(params) == 1 and len(head) != 2:
        raise BookError(f"{section.id}: {len(head)} columns", "two: the key and the value", grid.places[0])
    cells: dict[tuple[Any, ...], Any] = {}
    for row, place in zip(rows, grid.places[1:], strict=True):
        for column, cell in list(zip(head, row, strict=True))[1:]:
            try:
                key: tuple[Any, ...] = (domains[params[0]].check(read_scalar(row[0], place)),)
                if len(params) == 2:
                    key += (domains[params[1]].check(read_scalar(column, place)),)
            except KeyError as error:
                raise BookError(f"{section.id}: {error.args[0]} has no domain", "declare it in book.toml") from None
            except InputError as error:
                raise _at(error, section.id, place) from None
            if key in cells:
                raise BookError(f"{section.id}: {row[0]} stands twice", "one row each", place)
            value = parse_pool(cell) if _POOL.fullmatch(cell) else read_scalar(cell, place)
            if value is None:
                raise BookError(f"{section.id}: an empty cell", "give every cell a value", place)
            cells[key] = value
    return LookupTable(name, params, cells, tuple(head))


def _record(text: str, block: Map, section: Section) -> Record:
    kind, _, name = text.partition(" ")
    if not kind or not name:
        raise BookError(
            f"{section.id}: a record without kind and name", "record: skill Seismic Blow", block.places["record"]
        )
    fields: dict[str, Any] = {}
    formulas: dict[str, Definition] = {}
    for key, value in _mapping(block, "fields").items():
        if isinstance(value, str) and "=" in value and "(" in key:
            remedy = "write `NAME(PARAMETERS) = FORMULA` as the value of NAME"
            raise BookError(f"{section.id}: field {key}", remedy, block.places["fields"])
        if isinstance(value, str) and value.startswith(f"{key}("):
            own, params, formula = parse_definition(value)
            formulas[key] = Definition(f"{_slug(name)}.{own}", params, formula)
        else:
            fields[key] = value
    return Record(kind, name, fields, formulas)


def _slug(name: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in name.lower())


def _cases(section: Section, block: Map, body: Body | None) -> tuple[Case, ...]:
    cases: list[Case] = []
    labels: dict[str, int] = {}
    for i, entry in enumerate(_list(block, "cases")):
        place = block["cases"].places[i]
        if not isinstance(entry, Map) or "is" not in entry:
            raise BookError(f"{section.id}: a case without `is`", "{inputs…, is: VALUE}", place)
        if "example" in entry and "boundary" in entry:
            raise BookError(f"{section.id}: a case that is example and boundary", "keep one", place)
        given = {key: value for key, value in entry.items() if key not in CASE_KEYS}
        rolls = None if entry.get("rolls") is None else _script(entry["rolls"], section.id, place)
        label = str(entry.get("name") or _label(given, rolls))
        labels[label] = labels.get(label, 0) + 1
        if labels[label] > 1:
            if "name" in entry or not entry.get("under"):
                raise BookError(f'{section.id}: two cases "{label}"', "drop one, or give it a `name:`", place)
            label += " under " + " ".join(f"{q}={r}" for q, r in _under(entry, section.id).items())
        example = entry.get("example")
        if example is not None and type(example) is not int:
            raise BookError(f"{section.id}: example: {example}", "the passage in which it is printed", place)
        call = str(entry.get("call", getattr(body, "name", None)))
        if isinstance(body, Record) and call in body.formulas:
            call = body.formulas[call].name
        cases.append(
            Case(
                label=label,
                call=call,
                given=given,
                expected=entry["is"],
                kind="example" if example is not None else "boundary" if "boundary" in entry else "derived",
                place=place,
                passage=example,
                rolls=rolls,
                under=_under(entry, section.id),
                why=_said(entry, "boundary", section.id, place) if "boundary" in entry else "",
                work=_said(entry, "work", section.id, place) if "work" in entry else "",
            )
        )
    return tuple(cases)


def _script(rolls: Any, owner: str, place: Place) -> tuple[int, ...]:
    """What the dice showed."""
    if not isinstance(rolls, Seq) or not all(type(roll) is int for roll in rolls):
        raise BookError(f"{owner}: rolls: {show(rolls)[:60]}", "a list of whole numbers: `rolls: [14, 3]`", place)
    return tuple(rolls)


def _said(entry: Map, key: str, owner: str, place: Place) -> str:
    """A text for people: a word or a number, never nothing."""
    value = entry[key]
    if isinstance(value, Map | Seq) or value is None or not str(value).strip():
        raise BookError(f"{owner}: `{key}` is empty or no text", "say it in a few words", place)
    return str(value)


def _label(given: Mapping[str, Any], rolls: Any) -> str:
    parts = [f"{name}={_brief(value)}" for name, value in given.items()]
    if rolls is not None:
        parts.append("rolls=" + ",".join(str(r) for r in rolls))
    label = " ".join(parts) or "constant"
    return label if len(label) <= MOST_LABEL else label[: MOST_LABEL - 1] + "~"


def _brief(value: Any) -> str:
    if isinstance(value, Mapping):
        return "(" + " ".join(f"{k}={_brief(v)}" for k, v in value.items()) + ")"
    if isinstance(value, Pool):
        return str(value).replace(" ", "")
    text = show(value).replace(" ", "")
    return text if text.isascii() else text.encode("ascii", "replace").decode()


def _under(entry: Map, owner: str) -> dict[str, str]:
    if isinstance(entry.get("under"), str):
        return {PROFILE: entry["under"]}
    under = _mapping(entry, "under")
    for question, reading in under.items():
        if not isinstance(reading, str):
            raise BookError(f"{owner}: under {question}: {reading}", "name a reading: {Q05: half-up}", entry.place)
    return {question: str(reading) for question, reading in under.items()}


def _text(block: Map, key: str) -> str:
    value = block.get(key)
    if isinstance(value, bool) or value is None:
        raise BookError(f"`{key}` is empty or missing", "give it its text", block.places.get(key, block.place))
    return value if isinstance(value, str) else str(value)


def _list(block: Map, key: str) -> Seq:
    value = block.get(key, Seq(block.place))
    if not isinstance(value, Seq):
        raise BookError(f"`{key}` is no list", f"{key}: followed by `- …` lines", block.places[key])
    return value


def _mapping(block: Map, key: str) -> Map:
    value = block.get(key, Map(block.place))
    if not isinstance(value, Map):
        raise BookError(f"`{key}` is no mapping", f"{key}: {{name: value}}", block.places[key])
    return value


def _at(error: InputError, owner: str, place: Place) -> InputError:
    if error.place is not None:
        return error
    problem = error.problem if error.problem.startswith(owner) else f"{owner}: {error.problem}"
    return BookError(problem, error.remedy, place)
