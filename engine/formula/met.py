"""Which questions a formula can meet once some readings are fixed: what lies behind a closed branch is not met."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.book.model import Book, DecisionTable, Definition
from engine.formula.parse import Formula, is_question
from engine.formula.types import bodies_of


class Meeting:
    """Finds the questions on which formulas of a book depend, through all that they call.

    `fixed` readings close branches: `a if Q01 == "x" else b` meets Q01 and what `a` meets where Q01 is fixed to x. What
    is left out is never met; what is named may still be met by no input at all.
    """

    def __init__(self, book: Book, fixed: Mapping[str, str]) -> None:
        self._bodies = bodies_of(book)
        self._fixed = fixed

    def questions(self, formula: Formula) -> frozenset[str]:
        """The names of the questions that `formula` can meet."""
        waiting = [formula.tree]
        found: set[str] = set()
        called: set[str] = set()
        while waiting:
            for name in self._names(waiting.pop()):
                if is_question(name):
                    found.add(name)
                elif name in self._bodies and name not in called:
                    called.add(name)
                    waiting += self._trees(name)
        return frozenset(found)

    def _trees(self, name: str) -> Sequence[ast.expr]:
        body = self._bodies[name]
        if isinstance(body, Definition):
            return [body.formula.tree]
        if isinstance(body, DecisionTable):
            closed = [self._known(row.when.tree) is False for row in body.rows]
            whens = [row.when.tree for row in body.rows]
            return whens + [row.value.tree for row, shut in zip(body.rows, closed, strict=True) if not shut]
        return []

    def _names(self, node: ast.expr) -> Iterator[str]:
        """The names in a tree, closed branches aside."""
        match node:
            case ast.Name():
                yield node.id
            case ast.IfExp():
                yield from self._names(node.test)
                known = self._known(node.test)
                if known is not False:
                    yield from self._names(node.body)
                if known is not True:
                    yield from self._names(node.orelse)
            case ast.BoolOp():
                stops = isinstance(node.op, ast.Or)
                for part in node.values:
                    yield from self._names(part)
                    if self._known(part) is stops:
                        break
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.keyword):
                        yield from self._names(child.value)
                    elif isinstance(child, ast.expr):
                        yield from self._names(child)

    def _known(self, node: ast.expr) -> bool | None:
        """The truth value of a condition that fixed readings alone decide; None for any other."""
        match node:
            case ast.Constant(value=bool(value)):
                return value
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                known = self._known(operand)
                return None if known is None else not known
            case ast.BoolOp(op=op, values=values):
                stops = isinstance(op, ast.Or)
                parts = [self._known(part) for part in values]
                if stops in parts:
                    return stops
                return None if None in parts else not stops
            case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[other]) if name in self._fixed:
                return _compared(self._fixed[name], op, other)
        return None


def _compared(reading: str, op: ast.cmpop, other: ast.expr) -> bool | None:
    words: list[Any]
    if isinstance(other, ast.Constant):
        words = [other.value]
    elif isinstance(other, ast.Tuple) and all(isinstance(each, ast.Constant) for each in other.elts):
        words = [each.value for each in other.elts if isinstance(each, ast.Constant)]
    else:
        return None
    if isinstance(op, ast.Eq | ast.In):
        return reading in words
    if isinstance(op, ast.NotEq | ast.NotIn):
        return reading not in words
    return None
