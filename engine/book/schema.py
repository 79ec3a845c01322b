"""JSON Schemas for editors: what may stand in a book's files and blocks.

The reader's own constants are the truth: a key that the reader knows and a schema lacks, or the other way round,
is an error when the schemas are made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.book import bound, domains, parts, proposals, registers

Schema = dict[str, Any]

_ID = r"^[A-Z][A-Z0-9]*-(Q[0-9]+|P[0-9]+|[0-9]+(\.[0-9]+)+)$"
_DECLARED = rf"^[A-Z][A-Z0-9]*-((?:{'|'.join(bound.KINDS)})-[A-Za-z0-9_][A-Za-z0-9_.-]*|{bound.PASSAGES})$"
_ANY: Schema = {"type": ["number", "string", "boolean", "object", "array"]}
_TEXT: Schema = {"type": "string", "minLength": 1}
_FORMULA: Schema = {"type": ["string", "number", "boolean"], "description": "A formula, in Python's expression syntax."}


def schemas() -> dict[str, Schema]:
    """The schemas by file name."""
    made: dict[str, Callable[[], Schema]] = {
        "book": _book,
        "passages": _passages,
        "approved": _approved,
        "rulings": _rulings,
        "decisions": _decisions,
        "profiles": _profiles,
        "clause": _clause,
        "question": _question,
        "property": _property,
        "proposal": _proposal,
    }
    return {f"{name}.json": _titled(name, make()) for name, make in made.items()}


def texts() -> dict[str, str]:
    """The schemas as they are written, by file name: same code, same bytes."""
    return {name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in schemas().items()}


def stale(folder: Path) -> list[str]:
    """The names of schema files below `folder` that are missing or not up to date."""
    return [
        name
        for name, text in texts().items()
        if not (folder / name).is_file() or (folder / name).read_bytes() != text.encode()
    ]


def _titled(name: str, schema: Schema) -> Schema:
    files = ("book", "passages", "approved", "rulings", "decisions", "profiles")
    what = f"{name}.toml" if name in files else f"block of a {name}"
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": f"Rules As Written: {what}", **schema}


def _object(properties: Schema, required: tuple[str, ...] = (), *, known: frozenset[str] | set[str]) -> Schema:
    """A closed object with exactly the keys that the reader knows."""
    if properties.keys() != known:
        raise AssertionError(f"schema and reader differ in {sorted(properties.keys() ^ known)}")
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _map(value: Schema, keys: str | None = None) -> Schema:
    if keys is None:
        return {"type": "object", "additionalProperties": value}
    return {"type": "object", "patternProperties": {keys: value}, "additionalProperties": False}


def _list(item: Schema, least: int = 1) -> Schema:
    return {"type": "array", "items": item, "minItems": least}


def _said(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


def _pattern(pattern: re.Pattern[str]) -> str:
    """One of Python's patterns as JavaScript writes it."""
    return f"^(?:{re.sub(r'[?]P<[a-z]+>', '', pattern.pattern)})$"


def _domain() -> Schema:
    text: Schema = {
        "anyOf": [
            {"const": "bool"},
            {"type": "string", "pattern": _pattern(domains._RANGE)},  # noqa: SLF001 - the reader is the truth
            {"type": "string", "pattern": _pattern(domains._DICE)},  # noqa: SLF001
        ]
    }
    simple: Schema = {"anyOf": [*text["anyOf"], {**_list(_TEXT), "uniqueItems": True}]}
    table = _object({"is": simple, "label": _TEXT, "why": _TEXT}, ("is",), known={"is", "label", "why"})
    return _said({"anyOf": [*simple["anyOf"], table]}, domains.REMEDY)


def _record_field() -> Schema:
    return {"anyOf": [{"enum": list(registers.FREE_FIELDS)}, *_domain()["anyOf"]]}


def _sources() -> Schema:
    return _said(_list({"type": "integer", "minimum": 1}), "The passages (lines of the source) that it rests on.")


def _under() -> Schema:
    fixed = _map(_TEXT, "^(Q[0-9]{2,}|profile)$")
    return _said({"anyOf": [_TEXT, fixed]}, "Readings that are fixed: {Q07: half-up}, or a profile's name.")


def _record(own: str, description: str) -> Schema:
    """Who, when and why."""
    properties = {
        own: _said(_TEXT, description),
        "by": _said(_TEXT, "Who decided."),
        "on": {"description": "The day, as a TOML date: 2026-01-31."},
        "why": _said(_TEXT, "The reason."),
    }
    return _object(properties, tuple(properties), known={own, "by", "on", "why"})


def _book() -> Schema:
    return _object(
        {
            "system": _said({"type": "string", "pattern": "^[a-z][a-z0-9_]*$"}, "The name of the folder."),
            "prefix": _said({"type": "string", "pattern": "^[A-Z0-9]+$"}, "What every id begins with: WA."),
            "title": _said(_TEXT, "The name for people."),
            "source": _said(_TEXT, "The file name of the original text."),
            "domains": _said(_map(_domain(), "^[A-Za-z][A-Za-z0-9_]*$"), "Which values each name may take."),
            "records": _said(
                _map(_map(_record_field()), "^[a-z]+$"), "Which fields the records of each kind may have."
            ),
            "retired": _said(_list({"type": "string", "pattern": _ID}, 0), "Ids that are never used again."),
        },
        ("system", "prefix", "title", "source"),
        known=registers.BOOK_KEYS,
    )


def _passages() -> Schema:
    entry = _object(
        {
            "sha256": _said({"type": "string", "pattern": "^[0-9a-f]{64}$"}, "Of the line's bytes."),
            "informative": _said({"type": "string"}, "Why it rules nothing."),
        },
        ("sha256",),
        known={"sha256", "informative"},
    )
    return _object({"passages": _map(entry, "^[0-9]+$")}, ("passages",), known={"passages"})


def _approved() -> Schema:
    entry = _record("digest", "SHA-256 of what the part said when it was approved.")
    return _object({"approved": _map(entry, f"{_ID}|{_DECLARED}")}, known={"approved"})


def _rulings() -> Schema:
    entry = _record("reading", "The id of the reading that was chosen.")
    return _object({"rulings": _map(entry, _ID)}, known={"rulings"})


def _decisions() -> Schema:
    entry = _object(
        {
            "about": _said(_TEXT, "A proposal, a question, or what parts were approved."),
            "is": {"enum": list(registers.DECISION_KINDS)},
            "digest": _said({"type": "string", "pattern": "^[0-9a-f]{64}$"}, "SHA-256 of exactly what was judged."),
            "by": _said(_TEXT, "Who decided."),
            "on": {"description": "The day, as a TOML date: 2026-01-31."},
            "why": _said(_TEXT, "The reason."),
            "parts": _said(_list(_TEXT, 0), "The ids that the decision bears on."),
            "text": _said({"type": "string", "pattern": "^[0-9a-f]{64}$"}, "SHA-256 of the proposal's own text."),
            "despite": _said(_TEXT, "Broken promises that were accepted."),
            "reading": _said(_TEXT, "The reading that was chosen."),
        },
        ("about", "is", "digest", "by", "on", "why"),
        known=registers.DECISION_KEYS,
    )
    return _object({"decisions": _list(entry, 0)}, known={"decisions"})


def _profiles() -> Schema:
    return _object({"profiles": _map(_map(_TEXT, "^Q[0-9]{2,}$"))}, known={"profiles"})


def _case() -> Schema:
    """A case is open: beside its own keys stand the inputs by their names."""
    own: Schema = {
        "is": _said(_ANY, "The expected outcome; of a procedure's, the fields that are compared."),
        "example": _said({"type": "integer", "minimum": 1}, "The passage in which it is printed."),
        "boundary": _said({"type": ["string", "number", "boolean"]}, "Why this point is on an edge."),
        "work": _said({"type": ["string", "number"]}, "The calculation by hand."),
        "under": _under(),
        "rolls": _said(_list({"type": "integer", "minimum": 1}, 0), "What the dice showed, in order."),
        "name": _said({"type": ["string", "number"]}, "Tells it from a case with the same inputs."),
        "call": _said(_TEXT, "What to call instead of what the clause defines."),
    }
    if own.keys() != parts.CASE_KEYS:
        raise AssertionError(f"schema and reader differ in {sorted(own.keys() ^ parts.CASE_KEYS)}")
    return {"type": "object", "properties": own, "required": ["is"], "additionalProperties": _ANY}


def _clause() -> Schema:
    row = _object({"when": _FORMULA, "is": _FORMULA}, ("when", "is"), known={"when", "is"})
    schema = _object(
        {
            "source": _sources(),
            "define": _said(_TEXT, "NAME(INPUTS) = FORMULA"),
            "decide": _said(_TEXT, "NAME(INPUTS), decided by rows."),
            "rows": _said(_list(row), "Unordered: none that applies is a gap, two that differ are a conflict."),
            "window": _said(_map(_domain()), "Narrows a domain without end for the search of gaps."),
            "holes": _said(_list(_TEXT), "The questions that own the gaps and conflicts of a literal table."),
            "table": _said(_TEXT, "NAME(ROW, COLUMN), looked up in the clause's Markdown table."),
            "procedure": _said(_TEXT, "A sequence of steps, written in engine/systems/."),
            "record": _said(_TEXT, "KIND NAME: a thing with fields."),
            "fields": _said(_map(_ANY), "The fields of a record."),
            "no_case": _said(_TEXT, "Why nothing can compute this rule."),
            "cases": _list(_case()),
        },
        ("source",),
        known=parts.CLAUSE_KEYS,
    )
    schema["oneOf"] = [{"required": [key]} for key in parts.BODY_KEYS]
    return schema


def _question() -> Schema:
    reading = _object(
        {
            "id": _said({"type": "string", "pattern": "^[!-~]+$"}, "A short word without spaces."),
            "says": _said(_TEXT, "The reading in a sentence."),
            "gives": _said(_ANY, "The value that the witness has under it."),
        },
        ("id", "says"),
        known={"id", "says", "gives"},
    )
    script = _list({"type": "integer", "minimum": 1}, 0)
    call: Schema = {
        "ask": _said(_TEXT, "What to call: the witness, on which readings differ."),
        "given": _said(_map(_ANY), "Its inputs by name."),
        "rolls": _said({"anyOf": [script, _map(script)]}, "One script of rolls, or one for each reading."),
        "under": _under(),
    }
    witness = {**call, "gives": _said(_map(_ANY), "The value under each reading.")}
    return _object(
        {
            "source": _sources(),
            "readings": _said(_list(reading, 2), "Two or more; left out where nothing can be computed."),
            **call,
            "witnesses": _list(_object(witness, ("ask",), known={*call, "gives"})),
        },
        ("source",),
        known=parts.QUESTION_KEYS,
    )


def _property() -> Schema:
    return _object(
        {
            "source": _sources(),
            "claim": _said(_FORMULA, "What ought to hold."),
            "for": _said(_map(_domain()), "Domains other than the declared ones."),
            "by": _said({"enum": list(parts.METHODS)}, "How it is judged."),
            "split": _said(_map({"type": "integer", "minimum": 2}), "Cases of a proof: {margin: 5}."),
            "under": _under(),
            "broken": _said(_map(_ANY), "The smallest counterexample of a known defect."),
        },
        ("claim", "by"),
        known=parts.PROPERTY_KEYS,
    )


def _target() -> Schema:
    """A target is open: beside its own keys stand the inputs of a sweep by their names."""
    band: Schema = {"type": "string", "pattern": _pattern(proposals._BAND)}  # noqa: SLF001 - the reader is the truth
    own = {
        "win": _said(band, "Wins of the first side in percent, from lowest to highest: 35..45."),
        "rounds": _said(band, "Rounds on average."),
        "sweep": _said(_TEXT, "A sweep of fights.toml, where there are several."),
    }
    if own.keys() != proposals.TARGET_KEYS:
        raise AssertionError(f"schema and reader differ in {sorted(own.keys() ^ proposals.TARGET_KEYS)}")
    plain: Schema = {"type": ["string", "number", "boolean"]}
    some = [{"required": [key]} for key in proposals.BANDS]
    return {"type": "object", "properties": own, "anyOf": some, "additionalProperties": plain}


def _proposal() -> Schema:
    ids = _list({"type": "string", "pattern": _ID}, 0)
    return _object(
        {
            "source": _sources(),
            "domains": _said(_map(_domain(), "^[A-Za-z][A-Za-z0-9_]*$"), "Inputs that the book has not yet."),
            "withdraws": _said(ids, "Clauses, questions and properties that it takes away."),
            "settles": _said(_map(_TEXT, "^Q[0-9]{2,}$"), "Questions that it answers: {Q07: half-up}."),
            "promises": _said(ids, "Properties that hold after it."),
            "follows": _said(_list(_TEXT, 0), "Proposals after which it may touch the same clauses."),
            "asks": _said(ids, "Questions that it leaves open."),
            "fights": _said(_map(_map(_ANY)), "Fields of entries of fights.toml that it changes."),
            "targets": _said(_list(_target(), 0), "Goals that are no property: win bands of a sweep."),
        },
        known=proposals.HEAD_KEYS,
    )
