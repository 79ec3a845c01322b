"""Outcomes that change: of every case of both books, and of every definition over its domain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.asking import brief, inputs
from conformance.proposed.stack import Stack
from conformance.report.uses import uses_of
from engine.book.model import Book, Case
from engine.errors import CallError, InputError, ScriptError, Unsettled, Unspecified
from engine.points import axes_of, by_distance, size_of
from engine.readings import Engine
from engine.values import canonical, show

Progress = Callable[[int, int], None]
MOST_POINTS = 2000
NEAREST = 400
MOST_READINGS = 8


@dataclass(frozen=True, slots=True)
class Shift:
    """A call whose outcome changes. `part` is the clause or question whose case or witness it is."""

    part: str
    call: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Figures:
    """A definition whose values change: how many of the inputs that were looked at, and every one of those."""

    clause: str
    name: str
    params: tuple[str, ...]
    looked_at: int
    whole: bool
    rows: tuple[tuple[Mapping[str, Any], str, str], ...]


def shifts(stack: Stack, tell: Progress) -> tuple[Shift, ...]:
    """Every case and witness of both books whose outcome differs, each call once."""
    calls = list(_calls(stack))
    found = []
    for done, (part, name, given, rolls, under) in enumerate(calls):
        if done % 50 == 0:
            tell(done, len(calls))
        if name in _new_names(stack):
            continue
        before = outcome(stack.before, name, given, rolls, under)
        after = outcome(stack.after, name, given, rolls, under)
        if before != after:
            before, after = _fields_that_differ(stack, name, given, rolls, under) or (before, after)
            found.append(Shift(part, f"{name}({inputs(given, rolls, under)})", before, after))
    tell(len(calls), len(calls))
    return tuple(found)


def _new_names(stack: Stack) -> set[str]:
    """What only the new book defines: nothing can be compared with it."""
    return set(stack.after.params) - set(stack.before.params)


def _fields_that_differ(
    stack: Stack, name: str, given: Mapping[str, Any], rolls: Sequence[int] | None, under: Mapping[str, str]
) -> tuple[str, str] | None:
    """Of two outcomes with fields only those that differ; None where there are no two such."""
    pair = []
    for engine in (stack.before, stack.after):
        try:
            pair.append(canonical(engine.ask(name, given, rolls=rolls, under=under).value))
        except (InputError, Unsettled):
            return None
    before, after = pair
    if not isinstance(before, dict) or not isinstance(after, dict):
        return None
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    texts = [", ".join(f"{key}: {show(each.get(key))}" for key in keys) for each in (before, after)]
    return texts[0], texts[1]


_Call = tuple[str, str, Mapping[str, Any], Sequence[int] | None, Mapping[str, str]]


def _calls(stack: Stack) -> Iterator[_Call]:
    seen: set[str] = set()
    for engine in (stack.after, stack.before):
        for part, name, given, rolls, under in _calls_of(engine.book):
            # What is no procedure rolls nothing: it is shown under every reading that it meets.
            fixed = under if name in engine.procedures else {}
            key = show([name, dict(given), list(rolls or ()), dict(fixed)])
            if key not in seen:
                seen.add(key)
                yield part, name, given, rolls, fixed


def _calls_of(book: Book) -> Iterator[_Call]:
    for clause in book.clauses.values():
        for case in clause.cases:
            yield clause.id, case.call, case.given, _rolls(case), case.under
    for question in book.questions.values():
        for witness in question.witnesses:
            if not isinstance(witness.rolls, Mapping):
                yield question.id, witness.call, witness.given, witness.rolls, witness.under


def _rolls(case: Case) -> Sequence[int] | None:
    return case.rolls


def outcome(
    engine: Engine,
    name: str,
    given: Mapping[str, Any],
    rolls: Sequence[int] | None = None,
    under: Mapping[str, str] | None = None,
) -> str:
    """What a call gives, in words, under every reading that it meets."""
    known = {q.name: [r.id for r in q.readings] for q in engine.book.questions.values()}
    fixed = {q: r for q, r in (under or {}).items() if r in known.get(q, ())}
    if name not in engine.params and name not in engine.procedures:
        return "not defined"
    try:
        answer = engine.ask(name, given, rolls=rolls, under=fixed)
    except ScriptError:
        return "asks for other dice"
    except CallError as error:
        return f"cannot be asked ({error.problem})"
    except InputError as error:
        return f"no value ({error.problem})"
    if answer.settled:
        return brief(answer.value)
    values = [
        (dict(each.readings), str(each.value) if isinstance(each.value, Unspecified) else brief(canonical(each.value)))
        for each in answer.outcomes
    ]
    return by_reading(values)


def by_reading(outcomes: Sequence[tuple[Mapping[str, str], str]]) -> str:
    """`12 (Q20=power); 14 (Q20=product)`: of the readings only those that make a difference."""
    asked = list(dict.fromkeys(question for readings, _ in outcomes for question in readings))
    telling = list(asked)
    for question in asked:
        fewer = [each for each in telling if each != question]
        if _told(outcomes, fewer):
            telling = fewer
    ways: dict[str, list[str]] = {}
    for readings, value in outcomes:
        words = " ".join(f"{question}={readings[question]}" for question in telling if question in readings)
        if words not in ways.setdefault(value, []):
            ways[value].append(words)
    if len(ways) == 1:
        return next(iter(ways))
    rows = [f"{value} ({' or '.join(each[:MOST_READINGS]) or 'else'})" for value, each in ways.items()]
    return "; ".join(rows)


def _told(outcomes: Sequence[tuple[Mapping[str, str], str]], questions: Sequence[str]) -> bool:
    """Whether these questions alone tell the outcomes apart."""
    seen: dict[tuple[str, ...], str] = {}
    return all(seen.setdefault(tuple(r.get(q, "") for q in questions), value) == value for r, value in outcomes)


def figures(stack: Stack, tell: Progress) -> tuple[Figures, ...]:
    """Every definition and table with values that change: over its whole domain, or its nearest inputs."""
    names = _affected(stack)
    found = []
    for done, (clause, name) in enumerate(names):
        tell(done, len(names))
        rows = _changed_rows(stack, clause, name)
        if rows.rows:
            found.append(rows)
    tell(len(names), len(names))
    return tuple(found)


def _affected(stack: Stack) -> list[tuple[str, str]]:
    """The definitions of both books that rest on something that changes."""
    before, after = stack.before.book, stack.after.book
    roots = {p.id for p in after.clauses.values() if getattr(before.clauses.get(p.id), "text", None) != p.text}
    roots |= {p.id for p in before.clauses.values() if p.id not in after.clauses}
    ruled = {q for q in {*before.rulings, *after.rulings} if before.rulings.get(q) != after.rulings.get(q)}
    uses = uses_of(after, {}, {})
    found = []
    for clause in after.clauses.values():
        if clause.name is None or clause.name not in stack.after.params or clause.name not in stack.before.params:
            continue
        if roots & uses.reach([clause.id]).keys() or ruled & set(uses.consulted([clause.id])):
            found.append((clause.id, clause.name))
    return found


def _changed_rows(stack: Stack, clause: str, name: str) -> Figures:
    params = stack.after.params[name]
    axes = axes_of(stack.after.book.domains, params)
    size = size_of(axes)
    whole = size is not None and size <= MOST_POINTS
    rows = []
    looked_at = 0
    if stack.before.params[name] == params:
        for _, point in by_distance(axes, None if whole else NEAREST):
            given = dict(zip(params, point, strict=True))
            looked_at += 1
            before, after = outcome(stack.before, name, given), outcome(stack.after, name, given)
            if before != after:
                rows.append((given, before, after))
    return Figures(clause, name, params, looked_at, whole, tuple(rows))
