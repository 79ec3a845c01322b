"""Checked formulas as sympy expressions, exact and with every definition written out.

For algebra and for plots, not for verdicts: `prove` decides claims. Expressions are built from the checked tree; no
text ever reaches sympy's own parser.
"""

# ruff: noqa: N802 - methods are named after the nodes that they take

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from engine.book.model import Book, DecisionTable, Definition
from engine.dice import Pool
from engine.errors import BoundError, CallError, FormulaError, Unspecified
from engine.formula.parse import Formula, is_question
from engine.formula.types import bind, bodies_of

MOST_STEPS = 20_000
MOST_DEPTH = 60


@dataclass(frozen=True, slots=True)
class _Words:
    """A text that depends on numbers: each word with the condition under which it is the one."""

    choices: tuple[tuple[str, Any], ...]


def symbolic(book: Book, formula: Formula, symbols: Mapping[str, Any], under: Mapping[str, str] | None = None) -> Any:
    """`formula` as a sympy expression (a sympy truth value for a claim, text where it gives a fixed word).

    `symbols` holds for each name of the formula a sympy expression, a number, a word, a truth value or a `Pool`.
    `under` and rulings fix readings. Where no row of a table applies the expression is nan; of rows that overlap the
    first counts. Raises `CallError` for a name without symbol or a question that is open, `Unspecified` for a question
    without readings, `BoundError` for what grows too large, `FormulaError` for text that depends on numbers.
    """
    writer = _Writer(book, {**book.ruled, **(under or {})})
    value = writer.value(formula.tree, {name: _lift(value) for name, value in symbols.items()})
    if isinstance(value, _Words):
        raise FormulaError("a text that depends on numbers is no expression", "compare it with a word")
    return value


def _lift(value: Any) -> Any:
    if isinstance(value, bool):
        return sympy.true if value else sympy.false
    if isinstance(value, int | Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    if isinstance(value, str | Pool | sympy.Basic):
        return value
    raise CallError(f"{type(value).__name__} is no symbol", "a sympy expression, a number, a word, a pool")


class _Writer:
    def __init__(self, book: Book, fixed: Mapping[str, str]) -> None:
        self._fixed = fixed
        self._questions = {q.name: q for q in book.questions.values()}
        self._bodies = bodies_of(book)
        self._steps = 0
        self._depth = 0

    def value(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise BoundError(f"an expression of more than {MOST_STEPS} parts", "ask for less at once")
        return getattr(self, f"_{type(node).__name__}")(node, names)

    def _Constant(self, node: ast.Constant, _names: Mapping[str, Any]) -> Any:
        return _lift(node.value)

    def _Name(self, node: ast.Name, names: Mapping[str, Any]) -> Any:
        if node.id in names:
            return names[node.id]
        if not is_question(node.id):
            if node.id not in self._bodies:
                raise CallError(f"{node.id} has no symbol", "give it one")
            return self._apply(node.id, {})
        if node.id not in self._fixed:
            question = self._questions[node.id]
            if not question.readings:
                raise Unspecified(question.id, question.title)
            raise CallError(f"{node.id} is open", f"fix a reading: {', '.join(r.id for r in question.readings)}")
        return self._fixed[node.id]

    def _BinOp(self, node: ast.BinOp, names: Mapping[str, Any]) -> Any:
        left, right = self.value(node.left, names), self.value(node.right, names)
        op = node.op
        if isinstance(op, ast.Add):
            return left + right
        if isinstance(op, ast.Sub):
            return left - right
        if isinstance(op, ast.Mult):
            return left * right
        if isinstance(op, ast.Pow):
            return left**right
        if right == 0:
            raise FormulaError("a division by zero", "exclude it by a condition or by the domain")
        if isinstance(op, ast.Div):
            return left / right
        whole = sympy.floor(left / right)
        return whole if isinstance(op, ast.FloorDiv) else left - right * whole

    def _UnaryOp(self, node: ast.UnaryOp, names: Mapping[str, Any]) -> Any:
        value = self.value(node.operand, names)
        if isinstance(node.op, ast.Not):
            return sympy.Not(value)
        return -value if isinstance(node.op, ast.USub) else value

    def _BoolOp(self, node: ast.BoolOp, names: Mapping[str, Any]) -> Any:
        joined, decides = (sympy.And, sympy.false) if isinstance(node.op, ast.And) else (sympy.Or, sympy.true)
        values: list[Any] = []
        for part in node.values:  # as evaluation does, what follows a decided part is not looked at
            values.append(self.value(part, names))
            if values[-1] == decides:
                break
        return joined(*values)

    def _IfExp(self, node: ast.IfExp, names: Mapping[str, Any]) -> Any:
        test = self.value(node.test, names)
        if test in (sympy.true, sympy.false):
            return self.value(node.body if test == sympy.true else node.orelse, names)
        return _pieces([(self.value(node.body, names), test), (self.value(node.orelse, names), sympy.true)])

    def _Compare(self, node: ast.Compare, names: Mapping[str, Any]) -> Any:
        left, parts = self.value(node.left, names), []
        for op, side in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                assert isinstance(side, ast.Tuple)
                among = sympy.Or(*(_equal(left, self.value(e, names)) for e in side.elts))
                parts.append(among if isinstance(op, ast.In) else sympy.Not(among))
                continue
            right = self.value(side, names)
            parts.append(_compared(op, left, right))
            left = right
        return sympy.And(*parts)

    def _Call(self, node: ast.Call, names: Mapping[str, Any]) -> Any:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in self._bodies:
            params = self._bodies[name].params
            return self._apply(name, {p: self.value(a, names) for p, a in bind(node, params).items()})
        values = [self.value(a, names) for a in node.args]
        if name == "round":
            return _round(*values)
        if name in ("highest", "lowest", "mean"):
            return _lift(getattr(values[0], name))
        if name == "count":
            return _lift(len(values[0].sides))
        if name == "clamp":
            return sympy.Min(sympy.Max(values[0], values[1]), values[2])
        return {
            "floor": sympy.floor,
            "ceil": sympy.ceiling,
            "abs": sympy.Abs,
            "min": sympy.Min,
            "max": sympy.Max,
            "sum": sympy.Add,
        }[name](*values)

    def _apply(self, name: str, given: Mapping[str, Any]) -> Any:
        body = self._bodies[name]
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise BoundError(f"{name} calls itself without an end in sight", "give its input a number")
        if isinstance(body, Definition):
            value = self.value(body.formula.tree, given)
        elif isinstance(body, DecisionTable):
            rows = []
            for row in body.rows:
                when = self.value(row.when.tree, given)
                if when != sympy.false:
                    rows.append((self.value(row.value.tree, given), when))
            value = _pieces(rows)
        else:
            keys = [given[p] for p in body.params]
            value = _pieces(
                [
                    (_lift(cell), sympy.And(*(_equal(k, _lift(w)) for k, w in zip(keys, wanted, strict=True))))
                    for wanted, cell in body.cells.items()
                ]
            )
        self._depth -= 1
        return value


def _pieces(rows: Sequence[tuple[Any, Any]]) -> Any:
    """One value for each condition; the first that is true counts, and nan where none is."""
    possible = [(value, when) for value, when in rows if when != sympy.false]
    if possible and possible[0][1] == sympy.true:
        return possible[0][0]
    if any(isinstance(value, str | _Words) for value, _ in possible):
        earlier: Any = sympy.false
        words: list[tuple[str, Any]] = []
        for value, when in possible:
            now = sympy.And(when, sympy.Not(earlier))
            parts = value.choices if isinstance(value, _Words) else ((value, sympy.true),)
            words += [(word, sympy.And(now, condition)) for word, condition in parts]
            earlier = sympy.Or(earlier, when)
        return _Words(tuple(words))
    if possible and isinstance(possible[0][0], sympy.logic.boolalg.Boolean):
        earlier, parts_ = sympy.false, []
        for value, when in possible:
            parts_.append(sympy.And(when, sympy.Not(earlier), value))
            earlier = sympy.Or(earlier, when)
        return sympy.Or(*parts_)
    return sympy.Piecewise(*possible, (sympy.nan, sympy.true))


def _compared(op: ast.cmpop, left: Any, right: Any) -> Any:
    if isinstance(op, ast.Eq | ast.NotEq):
        equal = _equal(left, right)
        return equal if isinstance(op, ast.Eq) else sympy.Not(equal)
    return {ast.Lt: sympy.Lt, ast.LtE: sympy.Le, ast.Gt: sympy.Gt, ast.GtE: sympy.Ge}[type(op)](left, right)


def _equal(left: Any, right: Any) -> Any:
    if isinstance(left, _Words):
        return sympy.Or(*(sympy.And(condition, _equal(word, right)) for word, condition in left.choices))
    if isinstance(right, _Words):
        return _equal(right, left)
    if isinstance(left, str | Pool):
        return sympy.true if left == right else sympy.false
    if isinstance(left, sympy.logic.boolalg.Boolean):
        return sympy.Equivalent(left, right)
    return sympy.Eq(left, right)


def _round(value: Any, mode: Any) -> Any:
    if isinstance(mode, _Words):
        return _pieces([(_round(value, word), condition) for word, condition in mode.choices])
    half = sympy.Rational(1, 2)
    up, down = sympy.floor(value + half), sympy.ceiling(value - half)
    if mode in ("floor", "ceil"):
        return sympy.floor(value) if mode == "floor" else sympy.ceiling(value)
    if mode == "half-even":
        # Away from a tie both are one number; at a tie they are neighbours, of which one is even.
        return _pieces([(up, sympy.Eq(up - 2 * sympy.floor(up / 2), 0)), (down, sympy.true)])
    if mode == "half-away":
        return _pieces([(up, sympy.Ge(value, 0)), (down, sympy.true)])
    return up if mode == "half-up" else down
