"""What each reading of a question would change: every case asked again under each of its readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from conformance.report.uses import Uses, clauses_in, uses_of
from conformance.report.words import given_words, shown
from engine.book.model import Book, Case, Clause, ProcedureName, Property, Question
from engine.errors import BoundError, FormulaError, InputError, ScriptError, Unspecified
from engine.readings import Answer, Engine
from engine.values import canonical

MOST_VALUES = 4
HOLDS = "holds"
Judge = Callable[[Engine, Property], Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """A case whose value depends on a question: the value under each of its readings, as text."""

    clause: str
    label: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Turn:
    """A property whose verdict depends on a question: holds (or not, and where) under each reading."""

    property: str
    verdicts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Impact:
    """What hangs on one question."""

    cases: tuple[Difference, ...] = ()
    rules: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()

    @property
    def weight(self) -> tuple[int, int]:
        """How much hangs on it: cases whose outcome changes, then rules that depend on it."""
        return len(self.cases), len(self.rules) + len(self.through)


@dataclass(frozen=True, slots=True)
class Impacts:
    """What hangs on each question of a book, and who consults whom."""

    by_question: Mapping[str, Impact]
    uses: Uses


def find_impacts(engine: Engine) -> Impacts:
    """Asks every case of the book under each reading of each question that it meets."""
    book = engine.book
    questions = {q.name: q for q in book.questions.values()}
    cases: dict[str, list[Difference]] = {id_: [] for id_ in book.questions}
    seen_calls: dict[str, set[str]] = {}
    seen_questions: dict[str, set[str]] = {}
    for clause in book.clauses.values():
        for case in clause.cases:
            met = _meet(engine, clause, case, seen_calls, seen_questions)
            for name in sorted(met | set(case.under)):
                question = questions[name]
                values = _values(engine, question, case)
                if len(set(values.values())) > 1:
                    cases[question.id].append(Difference(clause.id, case.label, values))
    uses = uses_of(book, seen_calls, seen_questions)
    found = {id_: replace(_reach(book, uses, id_), cases=tuple(cases[id_])) for id_ in book.questions}
    return Impacts(found, uses)


def _meet(
    engine: Engine,
    clause: Clause,
    case: Case,
    seen_calls: dict[str, set[str]],
    seen_questions: dict[str, set[str]],
) -> set[str]:
    """The names of the questions that a case meets; for procedures also what its steps call."""
    book = engine.book
    is_procedure = isinstance(clause.body, ProcedureName)
    try:
        answer = engine.ask(case.call, case.given, rolls=case.rolls, under=case.under, traced=is_procedure)
    except InputError:
        return set()
    met = set(answer.consulted) | {q for outcome in answer.outcomes for q in outcome.readings}
    met = {name for name in met if any(q.name == name for q in book.questions.values())}
    if is_procedure:
        steps = [step for outcome in answer.outcomes for step in outcome.steps]
        seen_calls.setdefault(clause.id, set()).update(s.clause for s in steps if s.clause in book.clauses)
        ids = {q.name: q.id for q in book.questions.values()}
        seen_questions.setdefault(clause.id, set()).update(ids[name] for name in met)
    return met


def _values(engine: Engine, question: Question, case: Case) -> dict[str, str]:
    """The case's value under each reading of `question`, as text; of objects only the fields that differ."""
    found: dict[str, Any] = {}
    for reading in question.readings:
        under = {**case.under, question.name: reading.id}
        try:
            found[reading.id] = engine.ask(case.call, case.given, rolls=case.rolls, under=under)
        except ScriptError:
            found[reading.id] = "asks for other rolls"
        except (BoundError, FormulaError) as error:
            found[reading.id] = f"cannot be computed: {error.problem}"
        except InputError as error:
            found[reading.id] = f"refused: {error.problem}"
    only = _differing_fields(found)
    return {id_: a if isinstance(a, str) else tell(a, engine.book, only) for id_, a in found.items()}


def _differing_fields(found: Mapping[str, Any]) -> frozenset[str] | None:
    objects = [canonical(a.value) for a in found.values() if isinstance(a, Answer) and a.settled]
    if len(objects) != len(found) or not all(isinstance(o, dict) for o in objects):
        return None
    names = {name for o in objects for name in o}
    return frozenset(n for n in names if any(o.get(n) != objects[0].get(n) for o in objects)) or None


def tell(answer: Answer, book: Book, only: frozenset[str] | None = None) -> str:
    """An answer in one line: its value, or the values between which open questions leave it."""
    if answer.settled:
        value = canonical(answer.value)
        if only is not None and isinstance(value, dict):
            value = {k: v for k, v in value.items() if k in only}
            return ", ".join(f"{k}: {shown(v)}" for k, v in value.items())
        return shown(value)
    texts = list(dict.fromkeys(_outcome(o.value) for o in answer.outcomes))
    if len(texts) == 1:
        return texts[0]
    some = " or ".join(texts[:MOST_VALUES]) + (" or …" if len(texts) > MOST_VALUES else "")
    names = sorted({q for o in answer.outcomes for q in o.readings})
    ids = {q.name: q.id for q in book.questions.values()}
    return f"{some} (open: {', '.join(ids.get(n, n) for n in names)})"


def _outcome(value: Any) -> str:
    return f"cannot be computed ({value.reference})" if isinstance(value, Unspecified) else shown(value)


def _reach(book: Book, uses: Uses, question: str) -> Impact:
    direct = tuple(c for c, asked in uses.questions.items() if question in asked)
    reached = tuple(c for c in book.clauses if c not in direct and question in uses.consulted([c]))
    properties = tuple(
        p.id
        for p in book.properties.values()
        if question in uses.consulted(clauses_in(book, p.claim)) or book.questions[question].name in p.claim.questions
    )
    return Impact(rules=direct, through=reached, properties=properties)


def find_turns(engine: Engine, question: Question, impact: Impact, judge: Judge) -> tuple[Turn, ...]:
    """The properties that hold under one reading of a question and not under another.

    `judge(engine, property)` gives a verdict with `holds` and `counterexample`.
    """
    turns = []
    for id_ in impact.properties:
        prop = engine.book.properties[id_]
        verdicts = {}
        for reading in question.readings:
            fixed = replace(prop, under={**prop.under, question.name: reading.id})
            try:
                verdicts[reading.id] = _verdict(judge(engine, fixed))
            except InputError as error:
                verdicts[reading.id] = f"cannot be judged: {error.problem}"
        if len({verdict == HOLDS for verdict in verdicts.values()}) > 1:
            turns.append(Turn(id_, verdicts))
    return tuple(turns)


def _verdict(verdict: Any) -> str:
    if verdict.holds:
        return HOLDS
    if not verdict.counterexample:
        return "does not hold"
    return "fails at " + given_words(verdict.counterexample)
