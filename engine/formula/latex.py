"""Formulas as LaTeX, for people who read mathematics rather than code.

Only a checked tree is printed. Text of a rule is data: whatever a constant holds, it is shown and never obeyed, by
LaTeX nor by what turns LaTeX into MathML.
"""

# ruff: noqa: N802 - methods are named after the nodes that they take

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine.book.model import Body, DecisionTable, Definition
from engine.dice import Pool
from engine.formula.parse import MOST_DIGITS, Formula

# How tightly an operator binds; a part that binds less tightly than its surroundings is put in brackets.
_CASES, _OR, _AND, _NOT, _COMPARE, _MODULO, _SUM, _TERM, _SIGN, _POWER, _ATOM = range(11)

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "=",
    ast.NotEq: r"\neq",
    ast.Lt: "<",
    ast.LtE: r"\leq",
    ast.Gt: ">",
    ast.GtE: r"\geq",
    ast.In: r"\in",
    ast.NotIn: r"\notin",
}
# What \text{} shows as it stands, in LaTeX and in its converters alike.
_HARMLESS = frozenset(" -.,:;()/+*=!?@")
_SPELT = {
    "_": r"\_",
    "%": r"\%",
    "#": r"\#",
    "$": r"\$",
    "&": r"\&",
    "{": r"\{",
    "}": r"\}",
    "\\": r"\backslash",
    "<": r"\lt",
    ">": r"\gt",
    "~": r"\sim",
    "^": r"\wedge",
    "|": r"\vert",
}


def latex(formula: Formula) -> str:
    r"""A checked formula: `\frac{a}{b}`, `\left\lfloor x \right\rfloor`, conditionals as cases."""
    return _Printer().show(formula.tree, _CASES)


def latex_body(body: Body | None, title: str = "") -> str:
    """What a clause defines, as an equation under its own name or under `title`; "" where there is no formula.

    A definition is `name(inputs) = formula`, a decision table lists its rows as cases. Look-up tables, procedures and
    records are no formulas.
    """
    if isinstance(body, Definition):
        right = latex(body.formula)
    elif isinstance(body, DecisionTable):
        printer = _Printer()
        rows = [
            rf"{printer.show(row.value.tree, _OR)} & \text{{if }} {printer.show(row.when.tree, _OR)}"
            for row in body.rows
        ]
        right = _cases(rows)
    else:
        return ""
    inputs = rf"\left({', '.join(latex_name(p) for p in body.params)}\right)" if body.params else ""
    return f"{latex_text(title) if title else latex_name(body.name)}{inputs} = {right}"


def latex_name(name: str) -> str:
    r"""A name: `\mathrm{Q07}`, `\mathrm{max\_mp}`; a single letter stays a letter."""
    if len(name) == 1 and name.isalpha():
        return name
    return r"\mathrm{" + "".join(_escaped(c) for c in name) + "}"


def latex_text(text: str) -> str:
    r"""Any text, shown letter by letter: `\text{half-up}`. Control characters are left out."""
    parts: list[str] = []
    plain = ""
    for character in " ".join(text.split()):
        if character.isalnum() or character in _HARMLESS or (ord(character) > 127 and character.isprintable()):
            plain += character
        elif character in _SPELT:
            parts += [rf"\text{{{plain}}}"] * bool(plain) + [_SPELT[character] + " "]
            plain = ""
        elif character.isprintable():
            plain += "'"  # quotes and the like
    parts += [rf"\text{{{plain}}}"] * bool(plain or not parts)
    return "{" + "".join(parts) + "}" if len(parts) > 1 else "".join(parts)


def latex_value(value: Any) -> str:
    """A value of the language: a number, a truth value, a word, a pool of dice."""
    if isinstance(value, bool):
        return r"\text{true}" if value else r"\text{false}"
    if isinstance(value, Fraction) and value.denominator != 1:
        sign = "-" if value < 0 else ""
        return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    if isinstance(value, int | Fraction):
        return str(value)
    return latex_text(str(value) if isinstance(value, Pool) else value)


def _decimal(value: Fraction) -> str:
    """A number that was written with a decimal point, as it was written."""
    digits = 0
    while value.denominator != 1 and digits < MOST_DIGITS:
        value, digits = value * 10, digits + 1
    text = str(abs(value.numerator)).rjust(digits + 1, "0")
    return ("-" if value < 0 else "") + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)


def _escaped(character: str) -> str:
    if character.isascii() and character.isalnum():
        return character
    return r"\_" if character in "_." else ""


def _cases(rows: list[str]) -> str:
    return r"\begin{cases}" + r" \\ ".join(rows) + r"\end{cases}"


class _Printer:
    def show(self, node: ast.expr, around: int) -> str:
        """`node`, in brackets where it binds less tightly than what stands around it."""
        text, binding = getattr(self, f"_{type(node).__name__}")(node)
        return rf"\left({text}\right)" if binding < around else text

    def _Constant(self, node: ast.Constant) -> tuple[str, int]:
        value: Any = node.value
        return _decimal(value) if isinstance(value, Fraction) else latex_value(value), _ATOM

    def _Name(self, node: ast.Name) -> tuple[str, int]:
        return latex_name(node.id), _ATOM

    def _Tuple(self, node: ast.Tuple) -> tuple[str, int]:
        return rf"\left\{{{', '.join(self.show(e, _OR) for e in node.elts)}\right\}}", _ATOM

    def _BinOp(self, node: ast.BinOp) -> tuple[str, int]:
        op = node.op
        if isinstance(op, ast.Div):
            return rf"\frac{{{self.show(node.left, _CASES)}}}{{{self.show(node.right, _CASES)}}}", _TERM
        if isinstance(op, ast.FloorDiv):
            inner = rf"\frac{{{self.show(node.left, _CASES)}}}{{{self.show(node.right, _CASES)}}}"
            return rf"\left\lfloor {inner} \right\rfloor", _ATOM
        if isinstance(op, ast.Pow):
            return rf"{{{self.show(node.left, _ATOM)}}}^{{{self.show(node.right, _CASES)}}}", _POWER
        if isinstance(op, ast.Mod):
            return rf"{self.show(node.left, _POWER)} \bmod {self.show(node.right, _POWER)}", _MODULO
        if isinstance(op, ast.Mult):
            return rf"{self.show(node.left, _TERM)} \cdot {self._right(node.right, _TERM)}", _TERM
        sign = "+" if isinstance(op, ast.Add) else "-"
        return f"{self.show(node.left, _SUM)} {sign} {self._right(node.right, _SUM + (sign == '-'))}", _SUM

    def _right(self, node: ast.expr, around: int) -> str:
        """A right side: a sign there is put in brackets, so that no two operators meet."""
        return self.show(node, _ATOM + 1 if self.show(node, around).startswith(("-", "+")) else around)

    def _UnaryOp(self, node: ast.UnaryOp) -> tuple[str, int]:
        if isinstance(node.op, ast.Not):
            simple = isinstance(node.operand, ast.UnaryOp) and isinstance(node.operand.op, ast.Not)
            return rf"\lnot {self.show(node.operand, _NOT if simple else _ATOM)}", _NOT
        sign = "-" if isinstance(node.op, ast.USub) else "+"
        return f"{sign}{self._right(node.operand, _TERM)}", _SIGN

    def _BoolOp(self, node: ast.BoolOp) -> tuple[str, int]:
        word, binding = (r" \land ", _AND) if isinstance(node.op, ast.And) else (r" \lor ", _OR)
        return word.join(self.show(v, binding + 1) for v in node.values), binding

    def _Compare(self, node: ast.Compare) -> tuple[str, int]:
        text = self.show(node.left, _MODULO)
        for op, side in zip(node.ops, node.comparators, strict=True):
            text += f" {_COMPARISONS[type(op)]} {self.show(side, _MODULO)}"
        return text, _COMPARE

    def _IfExp(self, node: ast.IfExp) -> tuple[str, int]:
        rows = []
        branch: ast.expr = node
        while isinstance(branch, ast.IfExp):  # "else if" is one more row, not a case within a case
            rows.append(rf"{self.show(branch.body, _OR)} & \text{{if }} {self.show(branch.test, _OR)}")
            branch = branch.orelse
        rows.append(rf"{self.show(branch, _OR)} & \text{{otherwise}}")
        return _cases(rows), _CASES

    def _Call(self, node: ast.Call) -> tuple[str, int]:
        assert isinstance(node.func, ast.Name)
        name, args = node.func.id, node.args
        around = _AROUND.get(name)
        if around is not None:
            return rf"\left{around[0]} {self.show(args[0], _CASES)} \right{around[1]}", _ATOM
        if name == "sum" and len(args) > 1:
            return " + ".join([self.show(args[0], _SUM), *(self._right(a, _SUM) for a in args[1:])]), _SUM
        if name == "round":
            how, mode = rf"\operatorname{{round}}\left({self.show(args[0], _CASES)}\right)", args[1]
            return rf"{{{how}}}_{{{self.show(mode, _CASES)}}}", _ATOM
        shown = [self.show(a, _OR) for a in args]
        shown += [rf"{latex_name(k.arg or '')} \colon {self.show(k.value, _OR)}" for k in node.keywords]
        head = _FUNCTIONS.get(name) or latex_name(name)
        return rf"{head}\left({', '.join(shown)}\right)" if shown else head, _ATOM


_AROUND: Mapping[str, tuple[str, str]] = {
    "floor": (r"\lfloor", r"\rfloor"),
    "ceil": (r"\lceil", r"\rceil"),
    "abs": ("|", "|"),
}
_FUNCTIONS: Mapping[str, str] = {
    "min": r"\min",
    "max": r"\max",
    **{name: rf"\operatorname{{{name}}}" for name in ("clamp", "highest", "lowest", "mean", "count", "sum")},
}
