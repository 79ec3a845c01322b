"""What a book promises beyond each part's own form: ids, names, passages and readings that exist."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine.book.bound import bound_parts
from engine.book.domains import Domain
from engine.book.model import Book, Clause, DecisionTable, ProcedureName, Record
from engine.errors import BookError, DomainError, Place

_OWN_ID = re.compile(r"[A-Z0-9]+-[QP]?[0-9.]+")


def check_book(book: Book) -> None:
    """Raises `BookError`, with its place, for the first broken promise."""
    for check in (
        _check_ids,
        _check_names,
        _check_records,
        _check_passages,
        _check_readings,
        _check_holes,
        _check_claims,
        _check_rulings,
        _check_approvals,
    ):
        check(book)


def _check_ids(book: Book) -> None:
    for part in book.parts:
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


def _check_records(book: Book) -> None:
    """A record's formulas have names of their own and inputs with domains; its fields are those of its kind."""
    seen: dict[str, str] = {}
    for clause in book.clauses.values():
        if not isinstance(clause.body, Record):
            continue
        for definition in clause.body.formulas.values():
            if definition.name in seen:
                problem = f"{clause.id} defines {definition.name} again"
                raise BookError(problem, f"{seen[definition.name]} defines it already: rename one", clause.place)
            seen[definition.name] = clause.id
            for param in definition.params:
                if param not in book.domains:
                    problem = f"{clause.id}: {param} of {definition.name} has no domain"
                    raise BookError(problem, f"declare it in book.toml: {param} = …", clause.place)
        if book.record_fields:
            _check_fields(book, clause, clause.body)


def _check_fields(book: Book, clause: Clause, record: Record) -> None:
    allowed = book.record_fields.get(record.kind)
    if allowed is None:
        remedy = f"declare its fields in book.toml: [records.{record.kind}]"
        raise BookError(f"{clause.id}: there is no kind of record {record.kind}", remedy, clause.place)
    for name in (*record.fields, *record.formulas):
        if name not in allowed:
            known = ", ".join(allowed)
            raise BookError(f"{clause.id}: a {record.kind} has no {name}", f"its fields: {known}", clause.place)
    for name in record.formulas:
        if allowed[name] != "formula":
            raise BookError(f"{clause.id}: {name} is no formula", f"one plain value: {allowed[name]}", clause.place)
    for name, value in record.fields.items():
        rule = allowed[name]
        if rule == "formula":
            remedy = f"write it like {name}(INPUTS) = FORMULA"
            raise BookError(f"{clause.id}: {name} is a formula", remedy, clause.place)
        for one in value if isinstance(value, list) else [value]:
            try:
                if isinstance(rule, Domain):
                    rule.check(one)
                elif not isinstance(one, str):
                    raise DomainError(f"{name} is no text", "put it in quotes")
            except DomainError as error:
                raise BookError(f"{clause.id}: {error.problem}", error.remedy, clause.place) from None


def _check_passages(book: Book) -> None:
    file = book.folder / "passages.toml"
    cited: list[tuple[str, Place, Sequence[int]]] = [(part.id, part.place, part.sources) for part in book.parts]
    for clause in book.clauses.values():
        cited += [(clause.id, case.place, (case.passage,)) for case in clause.cases if case.passage is not None]
    for owner, place, numbers in cited:
        for number in numbers:
            if number not in book.passages:
                raise BookError(
                    f"{owner} cites passage {number}, which the source has not",
                    f"see {file.name} for its passages",
                    place,
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


def _check_holes(book: Book) -> None:
    """The holes of a decision table are owned by questions that exist."""
    for clause in book.clauses.values():
        for owner in clause.body.holes if isinstance(clause.body, DecisionTable) else ():
            if owner not in book.questions:
                raise BookError(
                    f"{clause.id}: holes {owner}, which is no question",
                    f"name questions by their ids: {book.prefix}-Q07",
                    clause.place,
                )


def _check_claims(book: Book) -> None:
    """A claim speaks of the book: it calls what a clause defines, or names a question."""
    defined: set[str] = set()
    for clause in book.clauses.values():
        body = clause.body
        defined |= {d.name for d in body.formulas.values()} if isinstance(body, Record) else {clause.name or ""}
    for prop in book.properties.values():
        consulted = (prop.claim.calls | prop.claim.names) - prop.domains.keys()
        if not consulted & defined and not prop.claim.questions:
            raise BookError(
                f"{prop.id}: its claim consults no rule of the book: {prop.claim.text[:60]}",
                "call what a clause defines, or name a question: what holds of numbers alone says nothing of the rules",
                prop.place,
            )


def check_reading(
    readings: Mapping[str, list[str]], question: str, reading: str, owner: str, place: Place | None
) -> None:
    """Raises `BookError` where there is no such question or reading."""
    if question not in readings:
        raise BookError(f"{owner}: there is no question {question}", "name one of questions.md, like Q07", place)
    if reading not in readings[question]:
        raise BookError(
            f'{owner}: {question} has no reading "{reading}"',
            f"one of {', '.join(readings[question]) or 'none'}",
            place,
        )


def _check_rulings(book: Book) -> None:
    readings = {q.id: [r.id for r in q.readings] for q in book.questions.values()}
    for ruling in book.rulings.values():
        check_reading(readings, ruling.question, ruling.reading, "ruling", ruling.place)


def _check_approvals(book: Book) -> None:
    """Every approval is of something that there is."""
    bound = bound_parts(book)
    for approval in book.approvals.values():
        if approval.part not in bound:
            remedy = "retire the id in book.toml" if _OWN_ID.fullmatch(approval.part) else "take the line out"
            problem = f"approval of {approval.part}, which is no part of the book"
            raise BookError(problem, f"{remedy}, or bring it back", approval.place)
