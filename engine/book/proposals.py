"""Proposals: a book plus a proposal is another book."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.book.blocks import Map, Seq
from engine.book.domains import Domain
from engine.book.ids import owned, unique
from engine.book.markdown import read_page
from engine.book.model import Book, Clause, Property, Proposal, Question, Ruling
from engine.book.parts import block_of, read_clause, read_property, read_question
from engine.errors import BookError, CallError, Place

HEAD_KEYS = frozenset({"source", "withdraws", "settles", "promises", "follows", "asks", "targets"})


def read_proposal(file: Path, prefix: str, domains: Mapping[str, Domain]) -> Proposal:
    """The proposal in `file`, whose name is the file's.

    Raises `BookError` with file and line for anything that is broken.
    """
    page = read_page(file, with_head=True)
    if page.head is None or page.head.id != file.stem:
        raise BookError("the first heading does not name the proposal", f'"# {file.stem} TITLE"', Place(file, 1))
    block = block_of(page.head, HEAD_KEYS)
    clauses: list[Clause] = []
    questions: list[Question] = []
    properties: list[Property] = []
    for section in page.sections:
        number = section.id.partition("-")[2]
        if number.startswith("Q"):
            questions.append(read_question(owned(section, prefix, "Q")))
        elif number.startswith("P"):
            properties.append(read_property(owned(section, prefix, "P"), domains))
        else:
            clauses.append(read_clause(owned(section, prefix, ""), "", domains))
    settles = block.get("settles", Map(block.place))
    if not isinstance(settles, Map):
        raise BookError("`settles` is no mapping", "settles: {Q07: half-up}", block.places["settles"])
    return Proposal(
        name=file.stem,
        title=page.head.title,
        prose=page.head.prose,
        text=page.text,
        place=page.head.place,
        sources=tuple(_words(block, "source", int)),
        clauses=tuple(unique(clauses).values()),
        questions=tuple(unique(questions).values()),
        properties=tuple(unique(properties).values()),
        withdraws=tuple(_words(block, "withdraws", str)),
        settles={f"{prefix}-{question}": str(reading) for question, reading in settles.items()},
        promises=tuple(_words(block, "promises", str)),
        follows=tuple(_words(block, "follows", str)),
        asks=tuple(_words(block, "asks", str)),
        targets=tuple(dict(target) for target in _words(block, "targets", Map)),
    )


def _words(block: Map, key: str, kind: type) -> Seq:
    value = block.get(key, Seq(block.place))
    if not isinstance(value, Seq) or any(not isinstance(item, kind) for item in value):
        raise BookError(f"`{key}` is no list", f"{key}: [ … ]", block.places[key])
    return value


def apply_proposals(book: Book, names: Sequence[str]) -> Book:
    """The book as if the proposals were adopted in this order.

    Raises `CallError` for an unknown one, `BookError` where two touch one part and neither follows the other.
    """
    touched: dict[str, str] = {}
    for name in names:
        proposal = book.proposals.get(name)
        if proposal is None:
            known = ", ".join(book.proposals) or "none"
            raise CallError(f"{book.system} has no proposal {name[:60]}", f"its proposals: {known}")
        for part in sorted(proposal.touches):
            if part in touched and touched[part] not in proposal.follows:
                raise BookError(
                    f"{name} and {touched[part]} both touch {part}",
                    f"if {name} comes second, say so: `follows: [{touched[part]}]`",
                    proposal.place,
                )
            touched[part] = name
        book = _apply(book, proposal)
    return book


def _apply(book: Book, proposal: Proposal) -> Book:
    clauses = dict(book.clauses)
    for withdrawn in proposal.withdraws:
        if withdrawn not in clauses:
            raise BookError(
                f"{proposal.name} withdraws {withdrawn}, which is no clause", "see `raw explain`", proposal.place
            )
        del clauses[withdrawn]
    for clause in proposal.clauses:
        chapter = clauses[clause.id].chapter if clause.id in clauses else _chapter(book, clause)
        clauses[clause.id] = dataclasses.replace(clause, chapter=chapter)
    questions = {**book.questions, **{q.id: q for q in proposal.questions}}
    properties = {**book.properties, **{p.id: p for p in proposal.properties}}
    for promise in proposal.promises:
        if promise not in properties:
            raise BookError(
                f"{proposal.name} promises {promise}, which is no property", "see properties.md", proposal.place
            )
    for asked in proposal.asks:
        if asked not in questions:
            raise BookError(f"{proposal.name} asks {asked}, which is no question", "see questions.md", proposal.place)
    rulings = dict(book.rulings)
    for question, reading in proposal.settles.items():
        why = f"settled by {proposal.name}"
        rulings[question] = Ruling(question, reading, proposal.name, dt.date.min, why, proposal.place)
    return dataclasses.replace(
        book,
        clauses=clauses,
        questions=questions,
        properties=properties,
        rulings=rulings,
        retired=book.retired | set(proposal.withdraws),
        applied=(*book.applied, proposal.name),
    )


def _chapter(book: Book, clause: Clause) -> str:
    """The chapter that holds clauses of the same first number, else the last one."""
    stem = clause.id.rpartition(".")[0]
    return next((c.chapter for c in book.clauses.values() if c.id.rpartition(".")[0] == stem), list(book.chapters)[-1])
