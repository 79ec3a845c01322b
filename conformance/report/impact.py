"""What each reading of a question would change: every case asked again under each of its readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from conformance.report.fixed import fixed_by
from conformance.report.objects import MISSING, spread, tell
from conformance.report.uses import Uses, uses_of
from conformance.report.words import given_words, name_of
from engine.book.model import Book, Case, Clause, ProcedureName, Property, Question
from engine.dependence import Dependence, Fate
from engine.errors import BoundError, FormulaError, InputError, ScriptError, Unspecified
from engine.formula.met import Meeting
from engine.readings import Answer, Engine

MOST_VALUES = 4
HOLDS = "holds"
OTHER_ROLLS = "other dice are thrown"


@dataclass(frozen=True, slots=True)
class Difference:
    """A case whose value depends on a question: the value under each of its readings, as text."""

    clause: str
    inputs: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Turn:
    """A property whose verdict depends on a question: holds (or not, and where) under each reading."""

    property: str
    verdicts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Impact:
    """What hangs on one question.

    `cases` are those whose value differs, `other_dice` counts, by clause, those in which only other dice are thrown;
    `rules` ask the question themselves, `through` by way of others.
    """

    cases: tuple[Difference, ...] = ()
    other_dice: Mapping[str, int] = field(default_factory=dict)
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
    told: dict[str, set[tuple[str, ...]]] = {id_: set() for id_ in book.questions}
    dice: dict[str, dict[str, list[str]]] = {id_: {} for id_ in book.questions}
    seen_calls: dict[str, set[str]] = {}
    seen_questions: dict[str, set[str]] = {}
    for clause in book.clauses.values():
        for case in clause.cases:
            base = _ask(engine, clause, case, seen_calls, seen_questions)
            if base is None:
                continue
            for name in sorted(base.consulted.keys() & questions.keys()):
                question = questions[name]
                answers = {r.id: _under(engine, base, case, name, r.id) for r in question.readings}
                values = _values(answers, case, book)
                if len(set(values.values()) - {OTHER_ROLLS}) > 1:
                    situation = _situation(clause, case, name)
                    if situation not in told[question.id]:  # it stands once for each reading, each time under another
                        told[question.id].add(situation)
                        cases[question.id].append(Difference(clause.id, _inputs(book, case, name), values))
                elif len(set(values.values())) > 1:
                    dice[question.id].setdefault(clause.id, []).append(case.label)
    uses = uses_of(book, seen_calls, seen_questions)
    met = _met_by(book)
    by_question = {
        id_: replace(
            _reach(book, uses, met, id_),
            cases=tuple(cases[id_]),
            other_dice={clause: len(labels) for clause, labels in dice[id_].items()},
        )
        for id_ in book.questions
    }
    return Impacts(by_question, uses)


def _ask(
    engine: Engine,
    clause: Clause,
    case: Case,
    seen_calls: dict[str, set[str]],
    seen_questions: dict[str, set[str]],
) -> Answer | None:
    """The answer to a case as it stands; None where it has none. Notes what procedures call and consult."""
    book = engine.book
    is_procedure = isinstance(clause.body, ProcedureName)
    try:
        answer = engine.ask(case.call, case.given, rolls=case.rolls, under=case.under, traced=is_procedure)
    except InputError:
        return None
    if is_procedure:
        steps = [step for outcome in answer.outcomes for step in outcome.steps]
        seen_calls.setdefault(clause.id, set()).update(s.clause for s in steps if s.clause in book.clauses)
        ids = {q.name: q.id for q in book.questions.values()}
        met = {ids[name] for name in answer.consulted if name in ids}
        seen_questions.setdefault(clause.id, set()).update(met)
    return answer


def _situation(clause: Clause, case: Case, name: str) -> tuple[str, ...]:
    """A case but for its reading of the question `name`."""
    others = sorted(f"{question} {reading}" for question, reading in case.under.items() if question != name)
    return (clause.id, case.call, repr(case.given), repr(case.rolls), *others)


def _inputs(book: Book, case: Case, name: str) -> str:
    """A case for people: its own name, or its inputs and the readings that it fixes besides."""
    own = name_of(case)
    if own:
        return own
    fixed = fixed_by(book, case.under)
    words = [f"the profile {fixed.profile}"] if fixed.profile else []
    words += [f"{question} {reading}" for question, reading in fixed.besides.items() if question != name]
    rolls = f"; rolls {', '.join(map(str, case.rolls))}" if case.rolls else ""
    return (given_words(case.given) or "no inputs") + rolls + (f" under {', '.join(words)}" if words else "")


def _under(engine: Engine, base: Answer, case: Case, name: str, reading: str) -> Answer | str:
    """The answer to a case under one reading: a part of `base` where the question was open there, else asked anew."""
    part = tuple(o for o in base.outcomes if o.readings.get(name) == reading)
    free = all(name in o.readings or name not in o.consulted for o in base.outcomes)
    if free and part:
        return Answer(part + tuple(o for o in base.outcomes if name not in o.readings))
    return _answer(engine, case, {name: reading})


def _answer(engine: Engine, case: Case, under: Mapping[str, str]) -> Answer | str:
    """The answer to a case under one more reading; in words where there is none."""
    try:
        return engine.ask(case.call, case.given, rolls=case.rolls, under={**case.under, **under})
    except ScriptError:
        return OTHER_ROLLS
    except (BoundError, FormulaError) as error:
        return f"cannot be computed: {error.problem}"
    except InputError as error:
        return f"refused: {error.problem}"


def _values(answers: Mapping[str, Answer | str], case: Case, book: Book) -> dict[str, str]:
    """Answers as text. Of an object only the fields that matter: those that differ, of those that the case states."""
    found = [o.value for a in answers.values() if isinstance(a, Answer) for o in a.outcomes if not _blank(o.value)]
    leaves = spread([case.expected if isinstance(case.expected, Mapping) else MISSING, *found], case.given)
    differing = [path for path, (_, *values) in leaves.items() if any(value != values[0] for value in values)]
    stated = [path for path, (expected, *_) in leaves.items() if expected is not MISSING]
    paths = [path for path in differing if path in stated] or differing[:MOST_VALUES] or stated
    numbers = iter(range(1, len(found) + 1))
    texts = {}
    for reading, answer in answers.items():
        if isinstance(answer, str):
            texts[reading] = answer
        else:
            texts[reading] = _told(
                answer, [_missing(o.value) or tell(leaves, next(numbers), paths) for o in answer.outcomes], book
            )
    return texts


def _blank(value: Any) -> bool:
    return isinstance(value, Unspecified)


def _missing(value: Any) -> str:
    return f"cannot be computed ({value.reference})" if isinstance(value, Unspecified) else ""


def _told(answer: Answer, outcomes: Sequence[str], book: Book) -> str:
    """An answer in one line: its value, or the values between which open questions leave it."""
    texts = list(dict.fromkeys(outcomes))
    if len(texts) == 1:
        return texts[0]
    some = " or ".join(texts[:MOST_VALUES]) + (" or …" if len(texts) > MOST_VALUES else "")
    names = sorted({q for o in answer.outcomes for q in o.readings})
    ids = {q.name: q.id for q in book.questions.values()}
    return f"{some} (open: {', '.join(ids.get(n, n) for n in names)})"


def _reach(book: Book, uses: Uses, met: Mapping[str, tuple[str, ...]], question: str) -> Impact:
    direct = tuple(c for c, asked in uses.questions.items() if question in asked)
    reached = tuple(c for c in book.clauses if c not in direct and question in uses.consulted([c]))
    return Impact(rules=direct, through=reached, properties=met.get(book.questions[question].name, ()))


def _met_by(book: Book) -> dict[str, tuple[str, ...]]:
    """By the name of a question, the properties whose claims can meet it under the readings that they fix."""
    met: dict[str, list[str]] = {}
    for prop in book.properties.values():
        for name in Meeting(book, {**book.ruled, **prop.under}).questions(prop.claim):
            met.setdefault(name, []).append(prop.id)
    return {name: tuple(ids) for name, ids in met.items()}


def find_turns(
    engine: Engine, prop: Property, questions: Iterable[Question], *, holds: bool = False
) -> dict[str, Turn]:
    """By question, where the property holds under one of its readings and not under another.

    `holds` is whether the property is known to hold as it stands.
    """
    dependence = Dependence(engine, prop, holds=holds)
    turns = {}
    for question in questions:
        fates = dependence.fates(question.name)
        if len({fate.holds for fate in fates.values()}) > 1:
            turns[question.id] = Turn(prop.id, {reading: _fate(fate) for reading, fate in fates.items()})
    return turns


def _fate(fate: Fate) -> str:
    if fate.holds:
        return HOLDS
    if fate.problem:
        return f"cannot be judged: {fate.problem}"
    return "fails at " + given_words(fate.counterexample) if fate.counterexample else "does not hold"
