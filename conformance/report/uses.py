"""Who consults what: definitions call one another and consult questions, directly or through others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.book.model import Body, Book, DecisionTable, Definition, Record
from engine.formula.parse import Formula


@dataclass(frozen=True, slots=True)
class Uses:
    """For each clause its direct calls (ids of clauses) and questions (ids), as its formulas and runs show them."""

    calls: Mapping[str, tuple[str, ...]]
    questions: Mapping[str, tuple[str, ...]]

    def users(self, clause: str) -> tuple[str, ...]:
        """The clauses that call `clause` directly."""
        return tuple(user for user, calls in self.calls.items() if clause in calls)

    def reach(self, clauses: Iterable[str]) -> dict[str, None]:
        """`clauses` and everything that they call, through others too, nearest first."""
        found = dict.fromkeys(clauses)
        for each in (queue := list(found)):
            for called in self.calls.get(each, ()):
                if called not in found:
                    found[called] = None
                    queue.append(called)
        return found

    def consulted(self, clauses: Iterable[str]) -> tuple[str, ...]:
        """The questions on which `clauses` depend, through others too."""
        return tuple(dict.fromkeys(q for c in self.reach(clauses) for q in self.questions.get(c, ())))


def uses_of(book: Book, seen_calls: Mapping[str, Iterable[str]], seen_questions: Mapping[str, Iterable[str]]) -> Uses:
    """The uses in a book. What procedures consult is not in their text: `seen_…` add what their cases met."""
    clauses = {name: clause.id for clause in book.clauses.values() for name in _names(clause.body)}
    questions = {question.name: question.id for question in book.questions.values()}
    calls: dict[str, tuple[str, ...]] = {}
    asked: dict[str, tuple[str, ...]] = {}
    order = {id_: i for i, id_ in enumerate((*book.clauses, *book.questions))}
    for clause in book.clauses.values():
        formulas = list(_formulas(clause.body))
        called = {clauses[n] for f in formulas for n in f.calls | f.names if n in clauses}
        called |= set(seen_calls.get(clause.id, ()))
        met = {questions[n] for f in formulas for n in f.questions if n in questions}
        met |= set(seen_questions.get(clause.id, ()))
        calls[clause.id] = tuple(sorted(called - {clause.id}, key=order.__getitem__))
        asked[clause.id] = tuple(sorted(met, key=order.__getitem__))
    return Uses(calls, asked)


def clauses_in(book: Book, formula: Formula) -> tuple[str, ...]:
    """The clauses whose definitions a claim names."""
    names = formula.calls | formula.names
    return tuple(c.id for c in book.clauses.values() if any(name in names for name in _names(c.body)))


def _names(body: Body | None) -> list[str]:
    if isinstance(body, Record):
        return [definition.name for definition in body.formulas.values()]
    return [body.name] if body is not None else []


def _formulas(body: Body | None) -> Iterable[Formula]:
    if isinstance(body, Definition):
        yield body.formula
    elif isinstance(body, DecisionTable):
        for row in body.rows:
            yield from (row.when, row.value)
    elif isinstance(body, Record):
        yield from (definition.formula for definition in body.formulas.values())
