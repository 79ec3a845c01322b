"""Proposals: a book plus a proposal is another book."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.book.blocks import Map, Seq
from engine.book.domains import Domain
from engine.book.ids import owned, unique
from engine.book.markdown import read_page
from engine.book.model import Band, Book, Clause, Property, Proposal, Question, Ruling, Target
from engine.book.parts import block_of, read_clause, read_property, read_question
from engine.book.registers import read_domains
from engine.errors import BookError, CallError, InputError, Place

HEAD_KEYS = frozenset({"source", "domains", "withdraws", "settles", "promises", "follows", "asks", "fights", "targets"})
BANDS = ("win", "rounds")
TARGET_KEYS = frozenset({*BANDS, "sweep"})
SETTLED_BY = "settled by "

_BAND = re.compile(r"(?P<low>\d+(?:\.\d+|/\d+)?)\s*\.\.\s*(?P<high>\d+(?:\.\d+|/\d+)?)")


# --- Reading -----------------------------------------------------------------------------


def read_proposal(file: Path, prefix: str, domains: Mapping[str, Domain]) -> Proposal:
    """The proposal in `file`, whose name is the file's.

    Raises `BookError` with file and line for anything that is broken.
    """
    page = read_page(file, with_head=True)
    if page.head is None or page.head.id != file.stem:
        raise BookError("the first heading does not name the proposal", f'"# {file.stem} TITLE"', Place(file, 1))
    block = block_of(page.head, HEAD_KEYS)
    specs = _mapping(block, "domains", "{new_input: 1..5}")
    own = _domains(specs, domains)
    known = {**domains, **own}
    clauses: list[Clause] = []
    questions: list[Question] = []
    properties: list[Property] = []
    for section in page.sections:
        number = section.id.partition("-")[2]
        if number.startswith("Q"):
            questions.append(read_question(owned(section, prefix, "Q")))
        elif number.startswith("P"):
            properties.append(read_property(owned(section, prefix, "P"), known))
        else:
            clauses.append(read_clause(owned(section, prefix, ""), "", known))
    settles = _mapping(block, "settles", "{Q07: half-up}")
    return Proposal(
        name=file.stem,
        prefix=prefix,
        title=page.head.title,
        prose=page.head.prose,
        text=page.text,
        place=page.head.place,
        sources=tuple(_listed(block, "source", int)),
        clauses=tuple(unique(clauses).values()),
        questions=tuple(unique(questions).values()),
        properties=tuple(unique(properties).values()),
        withdraws=tuple(_listed(block, "withdraws", str)),
        settles={f"{prefix}-{question}": str(reading) for question, reading in settles.items()},
        promises=tuple(_listed(block, "promises", str)),
        follows=tuple(_listed(block, "follows", str)),
        asks=tuple(_listed(block, "asks", str)),
        targets=_targets(block),
        domains=own,
        domain_specs=dict(specs),
        fights=_fights(block),
        places=dict(block.places),
    )


def _listed(block: Map, key: str, kind: type) -> Seq:
    value = block.get(key, Seq(block.place))
    if not isinstance(value, Seq) or any(not isinstance(item, kind) for item in value):
        raise BookError(f"`{key}` is no list", f"{key}: [ … ]", block.places[key])
    return value


def _mapping(block: Map, key: str, like: str) -> Map:
    value = block.get(key, Map(block.place))
    if not isinstance(value, Map):
        raise BookError(f"`{key}` is no mapping", f"{key}: {like}", block.places[key])
    return value


def _domains(specs: Map, known: Mapping[str, Domain]) -> dict[str, Domain]:
    for name, place in specs.places.items():
        if name in known:
            raise BookError(f"the input {name} is declared already", f"it is {known[name]}: choose another name", place)
    try:
        return read_domains(dict(specs), specs.place.file)
    except InputError as error:
        line = next((p for name, p in specs.places.items() if name in error.problem), specs.place)
        raise BookError(error.problem, error.remedy, line) from None


def _fights(block: Map) -> dict[str, dict[str, Any]]:
    entries = _mapping(block, "fights", "{weak: {the_chat: 1}}")
    for name, fields in entries.items():
        if not isinstance(fields, Map) or not fields:
            raise BookError(f"fights: {name} has no fields", f"{{{name}: {{field: value}}}}", entries.places[name])
    return {name: dict(fields) for name, fields in entries.items()}


def _targets(block: Map) -> tuple[Target, ...]:
    entries = block.get("targets", Seq(block.place))
    if not isinstance(entries, Seq):
        raise BookError("`targets` is no list", "- {build: weak, gap: 0, win: 35..45}", block.places["targets"])
    return tuple(_target(entry, place) for entry, place in zip(entries, entries.places, strict=True))


def _target(entry: Any, place: Place) -> Target:
    if not isinstance(entry, Map) or not any(key in entry for key in BANDS):
        raise BookError("a target without a band", "{build: weak, gap: 0, win: 35..45}", place)
    bands: dict[str, Band | None] = dict.fromkeys(BANDS)
    for key in BANDS:
        if key in entry:
            bands[key] = read_band(entry[key], entry.places[key], key)
    for key, value in entry.items():
        if isinstance(value, Map | Seq):
            raise BookError(f"the target's {key} is no single value", "one target for each", entry.places[key])
    inputs = {key: value for key, value in entry.items() if key not in TARGET_KEYS}
    return Target(inputs, bands["win"], bands["rounds"], str(entry.get("sweep", "")), place)


def read_band(text: Any, place: Place | None, key: str = "win") -> Band:
    """`35..45` as a band; wins are in percent. Raises `BookError` for anything else."""
    match = _BAND.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise BookError(f"the band {key}: {str(text)[:40]}", "from lowest to highest, both within: 35..45", place)
    low, high = Fraction(match["low"]), Fraction(match["high"])
    if low > high or (key == "win" and high > 100):
        raise BookError(f"the band {key}: {text} holds nothing", "from lowest to highest: 35..45", place)
    return Band(low, high)


# --- Order -------------------------------------------------------------------------------


def followed_by(book: Book, name: str) -> tuple[str, ...]:
    """The open proposals that `name` follows, directly or by way of others, each after those that it follows.

    Raises `BookError` for one that is neither open nor adopted, and where one follows itself.
    """
    adopted = {decision.about for decision in book.decisions if decision.kind == "adopted"}
    found: dict[str, None] = {}

    def visit(each: str, path: tuple[str, ...]) -> None:
        proposal = book.proposals[each]
        for other in proposal.follows:
            place = proposal.at("follows")
            if other in (*path, each):
                raise BookError(f"{other} follows itself, by way of {each}", "take one `follows` out", place)
            if other in book.proposals:
                visit(other, (*path, each))
                found[other] = None
            elif other not in adopted:
                known = ", ".join(n for n in book.proposals if n != each) or "none"
                raise BookError(f"{each} follows {other[:60]}, which is no proposal", f"others: {known}", place)

    visit(name, ())
    return tuple(found)


def check_order(book: Book) -> None:
    """Raises `BookError` where a proposal follows itself or nothing that there is, or takes an adopted one's name."""
    adopted = {d.about: d for d in book.decisions if d.kind == "adopted"}
    for name, proposal in book.proposals.items():
        if name in adopted:
            problem = f"{name} was adopted on {adopted[name].on}"
            raise BookError(problem, "give another proposal another name", proposal.place)
        followed_by(book, name)


# --- Applying ----------------------------------------------------------------------------


def apply_proposals(book: Book, names: Sequence[str]) -> Book:
    """The book as if the proposals were adopted in this order.

    Raises `CallError` for an unknown one, `BookError` where two touch one part and neither follows the other.
    """
    touched: dict[str, str] = {}
    for position, name in enumerate(names):
        proposal = proposal_of(book, name)
        before = followed_by(book, name)
        late = [other for other in names[position:] if other in before]
        if late:
            remedy = f"name {late[0]} before {name}"
            raise BookError(f"{name} follows {late[0]}, which stands after it", remedy, proposal.at("follows"))
        for part in sorted(proposal.touches):
            if part in touched and touched[part] not in before:
                raise BookError(
                    f"{name} and {touched[part]} both touch {part}",
                    f"if {name} comes second, say so: `follows: [{touched[part]}]`",
                    proposal.place,
                )
            touched[part] = name
        book = _apply(book, proposal)
    return book


def proposal_of(book: Book, name: str) -> Proposal:
    """A proposal by its name. Raises `CallError` for an unknown one."""
    if name not in book.proposals:
        known = ", ".join(book.proposals) or "none"
        raise CallError(f"{book.system} has no proposal {name[:60]}", f"its proposals: {known}")
    return book.proposals[name]


def _apply(book: Book, proposal: Proposal) -> Book:
    clauses, questions, properties = dict(book.clauses), dict(book.questions), dict(book.properties)
    for withdrawn in proposal.withdraws:
        holder: dict[str, Any] | None = next((h for h in (clauses, questions, properties) if withdrawn in h), None)
        if holder is None:
            raise BookError(
                f"{proposal.name} withdraws {withdrawn}, which is no clause, question or property",
                "see `raw explain`",
                proposal.at("withdraws"),
            )
        del holder[withdrawn]
    for clause in proposal.clauses:
        chapter = clauses[clause.id].chapter if clause.id in clauses else chapter_for(book, clause)
        clauses[clause.id] = dataclasses.replace(clause, chapter=chapter)
    questions |= {q.id: q for q in proposal.questions}
    properties |= {p.id: p for p in proposal.properties}
    for promise in proposal.promises:
        if promise not in properties:
            problem = f"{proposal.name} promises {promise}, which is no property"
            raise BookError(problem, "see properties.md", proposal.at("promises"))
        # What is promised holds: it is no known defect any more.
        properties[promise] = dataclasses.replace(properties[promise], broken=None)
    for asked in proposal.asks:
        if asked not in questions:
            raise BookError(
                f"{proposal.name} asks {asked}, which is no question", "see questions.md", proposal.at("asks")
            )
    rulings = {question: ruling for question, ruling in book.rulings.items() if question in questions}
    for question, reading in proposal.settles.items():
        why = f"{SETTLED_BY}{proposal.name}"
        rulings[question] = Ruling(question, reading, proposal.name, dt.date.min, why, proposal.at("settles"))
    fights = {name: dict(fields) for name, fields in book.fights.items()}
    for name, fields in proposal.fights.items():
        fights[name] = {**fights.get(name, {}), **fields}
    return dataclasses.replace(
        book,
        domains={**book.domains, **proposal.domains},
        clauses=clauses,
        questions=questions,
        properties=properties,
        rulings=rulings,
        fights=fights,
        retired=book.retired | set(proposal.withdraws),
        applied=(*book.applied, proposal.name),
    )


def chapter_for(book: Book, clause: Clause) -> str:
    """The chapter that holds clauses of the same first number, else the last one."""
    stem = clause.id.rpartition(".")[0]
    return next((c.chapter for c in book.clauses.values() if c.id.rpartition(".")[0] == stem), list(book.chapters)[-1])
