"""Every item of the suite, collected from books. Knows no pytest."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from conformance import proofs
from conformance.asking import UnderTest
from conformance.cases import judge_case
from conformance.checks import Check, Finding, KnownDefect
from conformance.context import Context
from conformance.decided import proposal_checks
from conformance.options import Options, fix, fixed_readings
from conformance.play import judge_play
from conformance.questions import judge_question, judge_reading
from conformance.results import Kind
from conformance.scan import suite_checks
from conformance.sourced import source_checks
from conformance.trace import approval_checks, book_checks, cited_ids, passage_checks
from engine.book.files import read_raw
from engine.book.load import load_book
from engine.book.markdown import MOST_BYTES
from engine.book.model import (
    Clause,
    DecisionTable,
    Definition,
    ProcedureName,
    Property,
    Question,
    Record,
)
from engine.errors import BookError, InputError, Place, Undetermined, Unspecified
from engine.readings import Engine
from engine.values import check_inputs

# What is asked of an engine under test; everything else judges the books, and the built-in engine does that.
ASKED: frozenset[Kind] = frozenset({"case", "reading", "question"})


def collect(
    engines: Sequence[Engine], options: Options | None = None, remote: UnderTest | None = None
) -> tuple[Check, ...]:
    """Every item of these books, in the order of the books, and those of the suite as a whole.

    Raises `InputError` for an id that is not ASCII or stands twice, and for a call outside its domain.
    """
    options = options or Options()
    readings = fixed_readings(engines, options)
    known = set().union(*(cited_ids(engine.book) for engine in engines))
    checks: list[Check] = []
    for engine in engines:
        check_calls(engine)
        checks += _book(_context(engine, options, readings[engine.book.system], remote), known)
    if remote is not None:
        checks = [check if check.what in ASKED else _by_built_in(check) for check in checks]
    checks += suite_checks(options.books)
    _check_ids(checks)
    return tuple(checks)


def _by_built_in(check: Check) -> Check:
    """The check, whose items say that the engine under test had no part in them."""

    def look() -> Finding:
        finding = check.look()
        detail = {**finding.item.detail, "engine": "built-in"}
        return dataclasses.replace(finding, item=finding.item.model_copy(update={"detail": detail}))

    return dataclasses.replace(check, look=look)


def _context(engine: Engine, options: Options, fixed: dict[str, str], remote: UnderTest | None) -> Context:
    book = engine.book
    source = None
    if options.sources is not None:
        file = options.sources / book.source_file
        source = read_raw(file, MOST_BYTES) if file.exists() else None
    return Context(
        engine=engine,
        fixed_engine=fix(engine, fixed),
        fixed=fixed,
        remote=remote,
        base=load_book(book.folder) if book.applied else None,
        source=source,
        wants_source=options.sources is not None,
    )


def _book(context: Context, known: set[str]) -> Iterator[Check]:
    book = context.book
    approvals = {check.clause: check for check in approval_checks(context)}
    for clause in book.clauses.values():
        yield from _clause(context, clause)
        yield approvals.pop(clause.id)
    strict: list[str] = []
    for question in book.questions.values():
        for check in _question(context, question):
            if check.raises is not None:
                strict.append(question.id)
            yield check
        yield approvals.pop(question.id)
    for prop in book.properties.values():
        yield _property(context, prop)
        yield approvals.pop(prop.id)
    yield from approvals.values()
    yield from passage_checks(context)
    yield from book_checks(context, known, strict)
    yield from source_checks(context)
    yield from proposal_checks(context)


def _clause(context: Context, clause: Clause) -> Iterator[Check]:
    for case in clause.cases:
        item_id = f"{clause.id}[{case.label}]"
        judge = partial(judge_case, context, clause, case, item_id)
        yield Check(item_id, context.system, clause.id, "case", case.place, judge, part=clause)
    if isinstance(clause.body, DecisionTable):
        yield _check(context, clause, "table", "table", proofs.judge_table)
    if isinstance(clause.body, Definition | DecisionTable | Record):
        yield _check(context, clause, "threshold", "thresholds", proofs.judge_thresholds)
    if isinstance(clause.body, ProcedureName):
        yield _check(context, clause, "play", "play", judge_play)


def _check(
    context: Context, clause: Clause, what: Kind, label: str, judge: Callable[[Context, Clause, str], Finding]
) -> Check:
    item_id = f"{clause.id}[{label}]"
    look = partial(judge, context, clause, item_id)
    return Check(item_id, context.system, clause.id, what, clause.place, look, part=clause)


def _question(context: Context, question: Question) -> Iterator[Check]:
    own = question.id
    for reading in question.readings:
        item_id = f"{own}[{reading.id}]"
        judge = partial(judge_reading, context, question, reading.id, item_id)
        yield Check(item_id, context.system, own, "reading", question.place, judge, part=question)
    raises = Undetermined if question.readings else Unspecified
    yield Check(
        own,
        context.system,
        own,
        "question",
        question.place,
        partial(judge_question, context, question, own),
        None if own in context.book.rulings else raises,
        question,
    )


def _property(context: Context, prop: Property) -> Check:
    judge = partial(proofs.judge_property, context, prop, prop.id)
    raises = KnownDefect if prop.broken is not None else None
    return Check(prop.id, context.system, prop.id, "property", prop.place, judge, raises, prop)


def check_calls(engine: Engine) -> None:
    """Raises `InputError`, with its place, for a case or witness that calls nothing or lies outside its domain."""
    for clause in engine.book.clauses.values():
        for case in clause.cases:
            _check_call(engine, case.call, case.given, clause.id, case.place)
    for question in engine.book.questions.values():
        for witness in question.witnesses:
            _check_call(engine, witness.call, witness.given, question.id, witness.place)


def _check_call(engine: Engine, call: str, given: object, owner: str, place: Place) -> None:
    assert isinstance(given, dict)
    try:
        if call in engine.params:
            check_inputs(given, engine.params[call], engine.book.domains, call)
        elif call in engine.procedures:
            engine.procedures[call].prepare(given, engine.book.domains)
        else:
            engine.book.clause_of(call)
            raise InputError(f"{call} cannot be called", "call a definition, a table or a procedure")
    except InputError as error:
        raise type(error)(f"{owner}: {error.problem}", error.remedy, error.place or place) from None


def _check_ids(checks: Sequence[Check]) -> None:
    seen: dict[str, Check] = {}
    for check in checks:
        if not (check.id.isascii() and check.id.isprintable()) or "::" in check.id:
            remedy = "give the case a `name:` of printable ASCII without ::"
            raise BookError(f"the item id {check.id!a}", remedy, check.place)
        if check.id in seen:
            case = min(check, seen[check.id], key=lambda one: one.what != "case")
            raise BookError(f"two items {check.id}", "give the case another `name:`", case.place)
        seen[check.id] = check
