"""Every item of the suite, collected from books. Knows no pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from conformance.asking import UnderTest
from conformance.checks import Check, Finding, KnownDefect
from conformance.context import Context
from conformance.judge import judge_case, judge_question, judge_reading
from conformance.options import Options, fix, fixed_readings
from conformance.results import Kind
from conformance.scan import suite_checks
from conformance.sourced import source_checks
from conformance.trace import approval_check, book_checks, cited_ids, passage_checks
from engine.book.load import load_book
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
    checks += suite_checks(options.books)
    _check_ids(checks)
    return tuple(checks)


def _context(engine: Engine, options: Options, fixed: dict[str, str], remote: UnderTest | None) -> Context:
    book = engine.book
    source = None
    if options.sources is not None:
        file = options.sources / book.source_file
        source = file.read_bytes() if file.is_file() else None
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
    for clause in book.clauses.values():
        yield from _clause(context, clause)
    strict: list[str] = []
    for question in book.questions.values():
        for check in _question(context, question):
            if check.raises is not None:
                strict.append(question.id)
            yield check
    for prop in book.properties.values():
        yield _property(context, prop)
    yield from passage_checks(context)
    yield from book_checks(context, known, strict)
    yield from source_checks(context)


def _clause(context: Context, clause: Clause) -> Iterator[Check]:
    from conformance.proofs import judge_table, judge_thresholds

    for case in clause.cases:
        id = f"{clause.id}[{case.label}]"
        yield Check(
            id,
            context.system,
            clause.id,
            "case",
            case.place,
            lambda case=case, id=id: judge_case(context, clause, case, id),
        )
    if isinstance(clause.body, DecisionTable) and find_spec("engine.tables"):
        yield _check(context, clause, "table", "table", judge_table)
    if isinstance(clause.body, Definition | DecisionTable | Record) and find_spec("engine.thresholds"):
        yield _check(context, clause, "threshold", "thresholds", judge_thresholds)
    if isinstance(clause.body, ProcedureName):
        from conformance.play import judge_play

        yield _check(context, clause, "play", "play", judge_play)
    yield approval_check(context, clause)


def _check(
    context: Context, clause: Clause, what: Kind, label: str, judge: Callable[[Context, Clause, str], Finding]
) -> Check:
    id = f"{clause.id}[{label}]"
    return Check(id, context.system, clause.id, what, clause.place, lambda: judge(context, clause, id))


def _question(context: Context, question: Question) -> Iterator[Check]:
    for reading in question.readings:
        id = f"{question.id}[{reading.id}]"
        yield Check(
            id,
            context.system,
            question.id,
            "reading",
            question.place,
            lambda reading=reading, id=id: judge_reading(context, question, reading.id, id),
        )
    raises = Undetermined if question.readings else Unspecified
    yield Check(
        question.id,
        context.system,
        question.id,
        "question",
        question.place,
        lambda: judge_question(context, question, question.id),
        None if question.id in context.book.rulings else raises,
    )


def _property(context: Context, prop: Property) -> Check:
    from conformance.proofs import judge_property

    return Check(
        prop.id,
        context.system,
        prop.id,
        "property",
        prop.place,
        lambda: judge_property(context, prop, prop.id),
        KnownDefect if prop.broken is not None else None,
    )


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
    seen: dict[str, Place] = {}
    for check in checks:
        if not (check.id.isascii() and check.id.isprintable()) or "::" in check.id:
            raise BookError(
                f"the item id {ascii(check.id)}", "give the case a `name:` of printable ASCII without ::", check.place
            )
        if check.id in seen:
            raise BookError(f"two items {check.id}", f"first at {seen[check.id]}; give one a `name:`", check.place)
        seen[check.id] = check.place


def default_books() -> Path:
    """The books that come with this project."""
    return Path(__file__).resolve().parent.parent / "spec"
