"""Every case of the books as language-neutral vectors: JSON lines that any program can run (see PROTOCOL.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.adapter import PROTOCOL
from conformance.items import collect
from engine.book.digests import book_digest
from engine.book.model import Book, Case, Clause, Question, Witness
from engine.book.write import write_whole
from engine.readings import Engine
from engine.values import canonical

SCHEMA = "rules-as-written/vectors/1"


def export(engines: Sequence[Engine], file: Path) -> int:
    """Writes the vectors of these books, and returns how many. Same books, same bytes.

    Raises `InputError` for a book whose items clash, and where `file` cannot be written.
    """
    collect(engines)  # ids are unique and calls within their domains, or this raises
    vectors = [vector for engine in engines for vector in vectors_of(engine.book)]
    head = {
        "kind": "header",
        "schema": SCHEMA,
        "protocol": PROTOCOL,
        "books": [{"system": e.book.system, "title": e.book.title, "digest": book_digest(e.book)} for e in engines],
    }
    lines = [head, *vectors, {"kind": "footer", "vectors": len(vectors)}]
    write_whole(file, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return len(vectors)


def vectors_of(book: Book) -> Iterator[dict[str, Any]]:
    """The cases of a book, then its readings and open questions, in the order of the book."""
    for clause in book.clauses.values():
        for case in clause.cases:
            yield _case(book, clause, case)
    for question in book.questions.values():
        for reading in question.readings:
            for number, witness in enumerate(question.witnesses, 1):
                yield _reading(book, question, reading.id, number, witness)
        if question.id not in book.rulings:
            yield from _question(book, question)


def _call(book: Book, call: str, given: Mapping[str, Any], rolls: Any, readings: Mapping[str, str]) -> dict[str, Any]:
    return {
        "system": book.system,
        "call": call,
        "given": canonical(given),
        "rolls": None if rolls is None else list(rolls),
        "readings": {**book.ruled, **readings},
    }


def _case(book: Book, clause: Clause, case: Case) -> dict[str, Any]:
    return {
        "kind": "case",
        "id": f"{clause.id}[{case.label}]",
        "clause": clause.id,
        "title": clause.title,
        **_call(book, case.call, case.given, case.rolls, case.under),
        "value": canonical(case.expected),
        "origin": case.kind,
        "passage": case.passage,
    }


def _reading(book: Book, question: Question, reading: str, number: int, witness: Witness) -> dict[str, Any]:
    more = f" {number}" if number > 1 else ""
    rolls = witness.rolls[reading] if isinstance(witness.rolls, Mapping) else witness.rolls
    return {
        "kind": "reading",
        "id": f"{question.id}[{reading}{more}]",
        "clause": question.id,
        "title": question.title,
        **_call(book, witness.call, witness.given, rolls, {**witness.under, question.name: reading}),
        "value": canonical(witness.gives[reading]),
    }


def _question(book: Book, question: Question) -> Iterator[dict[str, Any]]:
    """The witnesses without a reading: which of the values comes out tells which reading an engine takes."""
    for number, witness in enumerate(question.witnesses, 1):
        more = f"[{number}]" if number > 1 else ""
        scripts = witness.rolls if isinstance(witness.rolls, Mapping) else None
        yield {
            "kind": "question",
            "id": f"{question.id}{more}",
            "clause": question.id,
            "title": question.title,
            **_call(book, witness.call, witness.given, None if scripts else witness.rolls, witness.under),
            **({"rolls_by_reading": {name: list(rolls) for name, rolls in scripts.items()}} if scripts else {}),
            "values": {reading.id: canonical(witness.gives[reading.id]) for reading in question.readings},
        }
