"""Small changes of a book's formulas: those of the thresholds, and arithmetic, branches and rows as well."""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.book.model import Body, Book, Clause, DecisionTable, Definition, Property, Record
from engine.formula.mutants import mutants, source_of
from engine.formula.parse import Formula

_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}

Rule = Definition | DecisionTable


@dataclass(frozen=True, slots=True)
class RuleMutant:
    """One change of a formula or a table of a clause."""

    clause: Clause
    rule: Rule
    changed: Rule
    before: str
    after: str

    def book(self, book: Book) -> Book:
        """The book with the changed rule."""
        body: Body = self.changed
        if isinstance(self.clause.body, Record):
            formulas = {
                f: self.changed if d.name == self.rule.name else d for f, d in self.clause.body.formulas.items()
            }
            body = dataclasses.replace(self.clause.body, formulas=formulas)  # type: ignore[arg-type]
        return dataclasses.replace(
            book, clauses={**book.clauses, self.clause.id: dataclasses.replace(self.clause, body=body)}
        )


def rule_mutants(book: Book) -> list[RuleMutant]:
    """Every change of every rule of a book, in the order of the book."""
    return [
        RuleMutant(clause, rule, changed, before, after)
        for clause in book.clauses.values()
        for rule in _rules_of(clause.body)
        for changed, before, after in _changes(rule)
    ]


def _rules_of(body: Body | None) -> list[Rule]:
    if isinstance(body, Record):
        return list(body.formulas.values())
    return [body] if isinstance(body, Rule) else []


def _changes(rule: Rule) -> Iterator[tuple[Rule, str, str]]:
    if isinstance(rule, Definition):
        for formula, before, after in formula_mutants(rule.formula):
            yield dataclasses.replace(rule, formula=formula), before, after
        return
    for i, row in enumerate(rule.rows):
        rest = (rule.rows[:i], rule.rows[i + 1 :])
        changes = [(dataclasses.replace(row, when=f), before, after) for f, before, after in formula_mutants(row.when)]
        changes += [
            (dataclasses.replace(row, value=f), before, after) for f, before, after in formula_mutants(row.value)
        ]
        for changed, before, after in changes:
            yield dataclasses.replace(rule, rows=(*rest[0], changed, *rest[1])), before, after
        if len(rule.rows) > 1:
            yield dataclasses.replace(rule, rows=(*rest[0], *rest[1])), f"row {i + 1}: {row.when.text}", "no such row"


def formula_mutants(formula: Formula) -> Iterator[tuple[Formula, str, str]]:
    """The changes that the thresholds know, then swapped arithmetic, swapped branches and a dropped `not`."""
    yield from mutants(formula)
    for at, node in enumerate(ast.walk(formula.tree)):
        changed = _other(node)
        if changed is not None:
            tree = _exchanged(formula.tree, at, changed)
            text = source_of(tree)
            yield dataclasses.replace(formula, tree=tree, text=text), source_of(node), source_of(changed)


def _other(node: ast.AST) -> ast.expr | None:
    """The node changed; None where it has nothing to change."""
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        return ast.BinOp(left=node.left, op=_ARITHMETIC[type(node.op)](), right=node.right)
    if isinstance(node, ast.IfExp):
        return ast.IfExp(test=node.test, body=node.orelse, orelse=node.body)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        return node.operand
    return None


def _exchanged(tree: ast.expr, at: int, new: ast.expr) -> ast.expr:
    """A copy of `tree`, in which `new` stands in the place of the node number `at`."""
    twin = copy.deepcopy(tree)
    if at == 0:
        return copy.deepcopy(new)
    old = list(ast.walk(twin))[at]
    for parent in ast.walk(twin):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, copy.deepcopy(new))
            elif isinstance(value, list) and any(part is old for part in value):
                setattr(parent, name, [copy.deepcopy(new) if part is old else part for part in value])
    return twin


def reaches(book: Book, part: Property | Clause) -> frozenset[str]:
    """Every rule that a claim or a table depends on, by name."""
    bodies: dict[str, Any] = {}
    for clause in book.clauses.values():
        for rule in _rules_of(clause.body):
            bodies[rule.name] = rule
    formulas = [part.claim] if isinstance(part, Property) else [f for r in _rules_of(part.body) for f in _formulas(r)]
    reached = {rule.name for rule in _rules_of(part.body)} if isinstance(part, Clause) else set()
    while formulas:
        formula = formulas.pop()
        for name in (formula.calls | formula.names) & bodies.keys() - reached:
            reached.add(name)
            formulas += _formulas(bodies[name])
    return frozenset(reached)


def _formulas(rule: Rule) -> list[Formula]:
    if isinstance(rule, Definition):
        return [rule.formula]
    return [formula for row in rule.rows for formula in (row.when, row.value)]


def readings_of(book: Book) -> Mapping[str, tuple[str, ...]]:
    """The readings of each question that has some, by its name in formulas."""
    return {q.name: tuple(r.id for r in q.readings) for q in book.questions.values() if q.readings}
