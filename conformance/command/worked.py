"""A formula with its inputs filled in: `max(0, 2 × (4 + 1))`."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine.dice import Pool
from engine.errors import InputError
from engine.formula.parse import Formula
from engine.values import show

MOST_CHARACTERS = 200
_DOUBLED = re.compile(r"\(\(([^()]*)\)\)")


def worked(formula: Formula, given: Mapping[str, Any]) -> str:
    """The formula as people would write it down for these inputs; nothing where that says no more than it did."""
    if not isinstance(formula.tree, ast.BinOp | ast.Call | ast.UnaryOp | ast.IfExp | ast.BoolOp | ast.Compare):
        return ""
    tree = _Fill(given).visit(copy.deepcopy(formula.tree))
    text = ast.unparse(ast.fix_missing_locations(tree)).replace(" * ", " × ")
    text = _DOUBLED.sub(r"(\1)", text)
    return text if len(text) <= MOST_CHARACTERS else ""


class _Fill(ast.NodeTransformer):
    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._given:
            return node
        return _literal(self._given[node.id])

    def visit_Call(self, node: ast.Call) -> ast.expr:
        # The name of what is called is no input, though an input may bear it.
        node.args = [self.visit(arg) for arg in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

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
