"""A formula with its inputs filled in: `max(0, 2 × (4 + 1))`."""

from __future__ import annotations

import ast
import copy
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from engine.dice import Pool
from engine.errors import InputError
from engine.formula.parse import Formula
from engine.values import show

MOST_CHARACTERS = 200

_DOUBLED = re.compile(r"\(\(([^()]*)\)\)")
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: Fraction(left) / right,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}


class _Unknown(Exception):
    """A value that depends on more than the inputs and the readings."""


def worked(formula: Formula, given: Mapping[str, Any], readings: Mapping[str, str] | None = None) -> str:
    """The formula as people would write it down for these inputs; nothing where that says no more than it did.

    Of a choice (`x if c else y`) only the side that was taken is shown, where inputs and readings tell which it was.
    """
    known = {**(readings or {}), **given}
    tree = _Fill(given, known).visit(copy.deepcopy(formula.tree))
    if isinstance(tree, ast.Name | ast.Constant):
        return ""
    text = ast.unparse(ast.fix_missing_locations(tree)).replace(" * ", " × ")
    text = _DOUBLED.sub(r"(\1)", text)
    return text if len(text) <= MOST_CHARACTERS else ""


class _Fill(ast.NodeTransformer):
    def __init__(self, given: Mapping[str, Any], known: Mapping[str, Any]) -> None:
        self._given = given
        self._known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._given:
            return node
        return _literal(self._given[node.id])

    def visit_Call(self, node: ast.Call) -> ast.expr:
        # The name of what is called is no input, though an input may bear it.
        node.args = [self.visit(arg) for arg in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        try:
            taken = node.body if _value(node.test, self._known) else node.orelse
        except _Unknown:
            filled: ast.expr = self.generic_visit(node)  # type: ignore[assignment]
            return filled
        side: ast.expr = self.visit(taken)
        return side

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        value: Any = node.value  # the parser puts Fractions here, which Python's own trees have not
        return _literal(value) if isinstance(value, Fraction) else node


def _literal(value: Any) -> ast.expr:
    """The value as a name that is printed as it stands: what is shown is for people."""
    if isinstance(value, str):
        return ast.Constant(value)
    try:
        text = str(value) if isinstance(value, Pool) else show(value)
    except InputError:
        text = "…"
    alone = isinstance(value, bool) or (isinstance(value, int) and value >= 0)
    return ast.Name(id=text if alone else f"({text})", ctx=ast.Load())


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """What a checked tree comes to by inputs and readings alone. Raises `_Unknown` where it asks the book."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    if isinstance(node, ast.BoolOp):
        return _joined(node, known)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not _value(node.operand, known)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, known)
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        try:
            return _ARITHMETIC[type(node.op)](_value(node.left, known), _value(node.right, known))
        except ZeroDivisionError:
            raise _Unknown from None
    if isinstance(node, ast.Tuple):
        return tuple(_value(item, known) for item in node.elts)
    if isinstance(node, ast.Compare):
        return _compared(node, known)
    raise _Unknown


def _joined(node: ast.BoolOp, known: Mapping[str, Any]) -> bool:
    """As when it is evaluated: what comes after the first that decides is never asked."""
    decides = isinstance(node.op, ast.Or)
    return decides if any(bool(_value(part, known)) is decides for part in node.values) else not decides


def _compared(node: ast.Compare, known: Mapping[str, Any]) -> bool:
    left = _value(node.left, known)
    for op, side in zip(node.ops, node.comparators, strict=True):
        right = _value(side, known)
        if not _COMPARISONS[type(op)](left, right):
            return False
        left = right
    return True
