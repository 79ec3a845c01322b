"""Formulas: Python's expression syntax, held to a whitelist and to bounds.

Nothing is evaluated here. A tree that leaves this module holds only the node types of `_NODES`, names and
numbers; nothing else may be compiled.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from engine.errors import FormulaError

MOST_CHARACTERS = 4000
MOST_NODES = 600
MOST_DEPTH = 60
MOST_DIGITS = 30

_NODES = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.keyword,
    ast.Name, ast.Constant, ast.Load, ast.Tuple,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.UAdd, ast.USub, ast.Not,
    ast.And, ast.Or, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
)  # fmt: skip
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_QUESTION = re.compile(r"Q[0-9]{2,}")
_SIGNATURE = re.compile(r"\s*(?P<name>[A-Za-z][A-Za-z0-9_]*)\s*(?:\((?P<params>[^()]*)\))?\s*")

FUNCTIONS: dict[str, tuple[int, int | None]] = {
    # name: (least arguments, most arguments or None for any number)
    "floor": (1, 1),
    "ceil": (1, 1),
    "abs": (1, 1),
    "round": (2, 2),
    "min": (1, None),
    "max": (1, None),
    "sum": (1, None),
    "clamp": (3, 3),
    "highest": (1, 1),
    "lowest": (1, 1),
    "mean": (1, 1),
    "count": (1, 1),
}
RESERVED = frozenset(FUNCTIONS) | {
    "true",
    "false",
    "True",
    "False",
    "None",
    "and",
    "or",
    "not",
    "in",
    "if",
    "else",
    "is",
    "lambda",
}
ROUNDING = ("half-up", "half-down", "half-even", "half-away", "floor", "ceil")


@dataclass(frozen=True, slots=True)
class Formula:
    """A checked expression: its text, its tree, and the names that it uses."""

    text: str
    tree: ast.expr
    names: frozenset[str]
    calls: frozenset[str]
    questions: frozenset[str]


def parse(text: str) -> Formula:
    """The checked tree of `text`.

    Raises `FormulaError` for anything outside the language: attributes, subscripts, lambdas, comprehensions,
    numbers beyond bounds, an expression too long or too deep.
    """
    if len(text) > MOST_CHARACTERS:
        raise FormulaError(f"a formula of {len(text)} characters", f"at most {MOST_CHARACTERS}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what Python only warns of ("1if x else 2") is refused, always
            tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else "too deep"
        raise FormulaError(f'"{_short(text)}" is no formula ({reason})', "use Python's expression syntax") from None
    _join_fields(tree)
    _check_shape(tree, text)
    tree = _Exact(text).visit(tree)
    names: set[str] = set()
    calls: set[str] = set()
    questions: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            calls.add(node.func.id)
        elif isinstance(node, ast.Name):
            (questions if _QUESTION.fullmatch(node.id) else names).add(node.id)
    # A call's own name was walked as a plain name too; it is one only where it stands alone.
    names -= calls - set(_plain_names(tree))
    for name in names | calls:
        if not all(_NAME.fullmatch(part) for part in name.split(".")):
            raise FormulaError(f'the name "{name}" in "{_short(text)}"', "names are ASCII letters, digits and _")
    return Formula(text.strip(), tree.body, frozenset(names), frozenset(calls), frozenset(questions))


def parse_signature(text: str) -> tuple[str, tuple[str, ...]]:
    """`max_mp(MAG, level)` as ("max_mp", ("MAG", "level")); a constant has no parameters.

    Raises `FormulaError` where it is no signature.
    """
    match = _SIGNATURE.fullmatch(text)
    if match is None:
        raise FormulaError(f'"{_short(text)}" is no signature', "write it like max_mp(MAG, level)")
    params = tuple(p.strip() for p in match["params"].split(",")) if (match["params"] or "").strip() else ()
    for name in (match["name"], *params):
        if not _NAME.fullmatch(name) or name in RESERVED or _QUESTION.fullmatch(name):
            raise FormulaError(f'"{name}" cannot be a name in "{_short(text)}"', "choose a free ASCII name")
    if len(set(params)) != len(params):
        raise FormulaError(f'"{_short(text)}" names a parameter twice', "each parameter once")
    return match["name"], params


def parse_definition(text: str) -> tuple[str, tuple[str, ...], Formula]:
    """`NAME(PARAMETERS) = EXPRESSION` as name, parameters and formula."""
    head, equals, body = text.partition("=")
    if not equals or body.startswith("="):
        raise FormulaError(f'"{_short(text)}" is no definition', "write it like max_mp(MAG, level) = 2 * (MAG + level)")
    name, params = parse_signature(head)
    return name, params, parse(body)


Node = TypeVar("Node", bound=ast.AST)


def cloned(node: Node) -> Node:
    """A copy of a tree, all of its nodes new. `copy.deepcopy` does the same in four times the time."""
    twin = node.__class__.__new__(node.__class__)
    for name, value in vars(node).items():
        parts = [_part(part) for part in value] if isinstance(value, list) else _part(value)
        setattr(twin, name, parts)
    return twin


def _part(part: object) -> object:
    return cloned(part) if isinstance(part, ast.AST) else part


def is_question(name: str) -> bool:
    """Whether `name` stands for an open question in formulas: Q07."""
    return _QUESTION.fullmatch(name) is not None


def _plain_names(tree: ast.AST) -> Iterator[str]:
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and id(node) not in functions:
            yield node.id


def _join_fields(tree: ast.AST) -> None:
    """Makes `fireball.damage(…)`, a record's field, a call of that one name.

    A dot joins two plain names where they are called, and nowhere else: any other dot is refused by its shape.
    """
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            name = ast.Name(id=f"{node.func.value.id}.{node.func.attr}", ctx=ast.Load())
            node.func = ast.copy_location(name, node.func)


def _check_shape(tree: ast.AST, text: str) -> None:
    def depth(node: ast.AST, level: int) -> None:
        if level > MOST_DEPTH:
            raise FormulaError(f'"{_short(text)}" is nested too deep', f"at most {MOST_DEPTH} levels")
        for child in ast.iter_child_nodes(node):
            depth(child, level + 1)

    depth(tree, 0)
    for count, node in enumerate(ast.walk(tree)):
        if count > MOST_NODES:
            raise FormulaError(f'"{_short(text)}" is too large', f"at most {MOST_NODES} parts")
        if not isinstance(node, _NODES):
            what = type(node).__name__
            raise FormulaError(f'"{_short(text)}" holds what the language lacks ({what})', "see spec/README.md")
        if isinstance(node, ast.Name | ast.keyword) and not text.isascii():
            _check_spelling(node, text)
        if isinstance(node, ast.Call):
            _check_call(node, text)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            divisor = node.right
            if isinstance(divisor, ast.Constant) and type(divisor.value) in (int, float) and not divisor.value:
                raise FormulaError(f'"{_short(text)}" divides by zero', "another divisor")


def _check_spelling(node: ast.Name | ast.keyword, text: str) -> None:
    """Python reads a name in fancy letters as the plain one; a person does not, so it is refused."""
    name = node.id if isinstance(node, ast.Name) else node.arg
    written = ast.get_source_segment(text.strip(), node) or ""
    if name is not None and not written.startswith(name):
        raise FormulaError(f'the name "{written}" in "{_short(text)}"', "names are ASCII letters, digits and _")


def _check_call(node: ast.Call, text: str) -> None:
    if not isinstance(node.func, ast.Name):
        raise FormulaError(f'"{_short(text)}" calls something that has no name', "call a definition by its name")
    if node.func.id in ("true", "false"):
        raise FormulaError(f'"{_short(text)}" calls {node.func.id}', "call a definition by its name")
    bounds = FUNCTIONS.get(node.func.id)
    if any(k.arg is None for k in node.keywords) or (bounds and node.keywords):
        raise FormulaError(f'"{_short(text)}" passes inputs in a way that {node.func.id} has not', "pass them plainly")
    if bounds and not bounds[0] <= len(node.args) <= (bounds[1] or len(node.args)):
        raise FormulaError(f"{node.func.id} takes {bounds[0]} input(s), not {len(node.args)}", f'see "{_short(text)}"')


class _Exact(ast.NodeTransformer):
    """Turns `1.2` into the Fraction 6/5 by its digits, so that no float ever arises."""

    def __init__(self, text: str) -> None:
        self._text = text.strip()

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """`true` and `false`, as the rest of a rule book writes them."""
        if node.id in ("true", "false"):
            return ast.copy_location(ast.Constant(node.id == "true"), node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        value = node.value
        if isinstance(value, bool | str):
            return node
        literal = ast.get_source_segment(self._text, node) or ""
        if isinstance(value, int) and len(literal) <= MOST_DIGITS and re.fullmatch(r"[0-9]+", literal):
            return node
        if isinstance(value, float) and len(literal) <= MOST_DIGITS and re.fullmatch(r"[0-9]*\.[0-9]*", literal):
            exact = Fraction(literal if not literal.startswith(".") else "0" + literal)
            return ast.copy_location(ast.Constant(exact), node)  # type: ignore[arg-type]
        raise FormulaError(
            f'"{_short(literal or repr(value))}" is no number of the language', f"plain digits, at most {MOST_DIGITS}"
        )


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:77] + "..."
