"""Small changes of a formula, one at a time: what a slip of the pen would have made of it."""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, cast

from engine.formula.parse import Formula, cloned

MOST_SHOWN = 40
MOST_PART = 16

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_FUNCTIONS = {"floor": "ceil", "ceil": "floor", "min": "max", "max": "min", "highest": "lowest", "lowest": "highest"}
_ROUNDING = {
    "half-up": ("half-down",),
    "half-down": ("half-up",),
    "half-even": ("half-up", "half-down"),
    "half-away": ("half-down",),
    "floor": ("ceil",),
    "ceil": ("floor",),
}


def mutants(formula: Formula) -> Iterator[tuple[Formula, str, str]]:
    """Each changed formula, with the part that was changed as it stood and as it is now.

    The changed trees hold the same kinds of nodes as the checked one, so that they may be compiled. Their `text` is
    that of the whole changed formula.
    """
    parents = {id(child): parent for parent in ast.walk(formula.tree) for child in ast.iter_child_nodes(parent)}
    for at, node in enumerate(ast.walk(formula.tree)):
        for change in _changes(node):
            tree = cloned(formula.tree)
            around = parents.get(id(node)) if isinstance(node, ast.Constant) else None
            shown: Any = around if isinstance(around, ast.expr) else node
            nodes = list(ast.walk(tree))
            change(nodes[at])
            twin: Any = next(n for o, n in zip(ast.walk(formula.tree), nodes, strict=True) if o is shown)
            changed = dataclasses.replace(formula, tree=tree, text=source_of(tree))
            yield changed, _brief(shown, node), _brief(twin, nodes[at])


def _changes(node: ast.AST) -> list[Any]:
    """Functions that change a copy of `node` in place."""
    if isinstance(node, ast.Compare):
        return [_operator(i, _COMPARISONS[type(op)]) for i, op in enumerate(node.ops)]
    if isinstance(node, ast.BoolOp):
        return [_set("op", ast.Or() if isinstance(node.op, ast.And) else ast.And())]
    if isinstance(node, ast.Constant):
        return [_set("value", value) for value in _neighbours(node.value)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        other = _FUNCTIONS.get(node.func.id)
        if other is not None and not (other in ("min", "max") and len(node.args) == 1):
            return [_set("func", ast.Name(id=other, ctx=ast.Load()))]
        if node.func.id == "round" and isinstance(node.args[1], ast.Constant):
            return [_mode(mode) for mode in _ROUNDING[str(node.args[1].value)]]
    return []


def _neighbours(value: Any) -> list[int | Fraction]:
    if isinstance(value, Fraction):
        return [value * Fraction(9, 10), value * Fraction(11, 10)]
    return [value - 1, value + 1] if isinstance(value, int) and not isinstance(value, bool) else []


def _set(field: str, value: Any) -> Any:
    return lambda node: setattr(node, field, value)


def _operator(at: int, op: type[ast.cmpop]) -> Any:
    def change(node: ast.Compare) -> None:
        node.ops[at] = op()

    return change


def _mode(mode: str) -> Any:
    def change(node: ast.Call) -> None:
        node.args[1] = ast.Constant(mode)

    return change


def source_of(node: ast.AST) -> str:
    """A tree as a formula's text again, decimals with their point."""
    if any(isinstance(n, ast.Constant) and isinstance(cast("object", n.value), Fraction) for n in ast.walk(node)):
        node = _Decimals().visit(cloned(node))
    return ast.unparse(node)


def _brief(node: ast.expr, changed: ast.AST) -> str:
    """The text of `node`; where that is long, its long parts other than `changed` are left out."""
    text = source_of(node)
    if len(text) <= MOST_SHOWN:
        return text
    twin = copy.copy(node)
    for name, part in ast.iter_fields(node):
        if isinstance(part, list):
            setattr(twin, name, [_left_out(p, changed) for p in part])
        elif isinstance(part, ast.expr) and name != "func":
            setattr(twin, name, _left_out(part, changed))
    return source_of(twin)


def _left_out(part: Any, changed: ast.AST) -> Any:
    long = isinstance(part, ast.expr) and part is not changed and len(source_of(part)) > MOST_PART
    return ast.Name(id="…", ctx=ast.Load()) if long else part


class _Decimals(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        value: Any = node.value
        if not isinstance(value, Fraction):
            return node
        digits = 0
        while value.denominator != 1:
            value, digits = value * 10, digits + 1
        text = str(abs(value.numerator)).rjust(digits + 1, "0")
        sign = "-" if value < 0 else ""
        return ast.Name(id=sign + (f"{text[:-digits]}.{text[-digits:]}" if digits else text), ctx=ast.Load())
