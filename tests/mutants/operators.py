"""Small changes of a procedure's code, one at a time, each as an exchange of a few bytes of its file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.mutants.sources import Function, Module, unused

MOST_SHOWN = 110

_COMPARED = {
    ast.Lt: (r"<", b"<="),
    ast.LtE: (r"<=", b"<"),
    ast.Gt: (r">", b">="),
    ast.GtE: (r">=", b">"),
    ast.Eq: (r"==", b"!="),
    ast.NotEq: (r"!=", b"=="),
    ast.In: (r"\bin\b", b"not in"),
    ast.NotIn: (r"\bnot\s+in\b", b"in"),
    ast.Is: (r"\bis\b", b"is not"),
    ast.IsNot: (r"\bis\s+not\b", b"is"),
}
_ARITHMETIC = {
    ast.Add: (r"\+", b"-"),
    ast.Sub: (r"-", b"+"),
    ast.Mult: (r"\*", b"//"),
    ast.Div: (r"/", b"*"),
    ast.FloorDiv: (r"//", b"*"),
    ast.Mod: (r"%", b"//"),
}
_FUNCTIONS = {"min": b"max", "max": b"min", "any": b"all", "all": b"any"}
_NO_NUMBER = (ast.Tuple, ast.List, ast.JoinedStr, ast.ListComp, ast.Dict)

Exchange = tuple[str, int, int, bytes]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change. Items that execute one of `lines` can notice it; None: any item that uses the system's code."""

    module: Module
    function: str
    line: int
    operator: str
    start: int
    end: int
    text: bytes
    lines: frozenset[int] | None

    @property
    def source(self) -> bytes:
        """The changed file."""
        return self.module.source[: self.start] + self.text + self.module.source[self.end :]

    def diff(self) -> tuple[str, str]:
        """The changed lines, as they stood and as they are now, each on one line."""
        source = self.module.source
        if self.operator == "loop once":
            last = source[source.rfind(b"\n", 0, self.start) + 1 : self.start]
            return _one_line(last), _one_line(last + b"; break")
        begin = source.rfind(b"\n", 0, self.start) + 1
        stop = source.find(b"\n", self.end)
        return _one_line(source[begin:stop]), _one_line(
            source[begin : self.start] + self.text + source[self.end : stop]
        )


def _one_line(text: bytes) -> str:
    line = " ".join(text.decode().split())
    return line if len(line) <= MOST_SHOWN else line[: MOST_SHOWN - 1] + "…"


def mutants(modules: Sequence[Module], readings: Mapping[str, Sequence[str]]) -> list[Mutant]:
    """Every change of the rules in these modules, in the order of their lines.

    `readings` are those of each question that has some. Left alone: what no procedure uses (invariants among it, for
    they judge), the log of steps, messages, assertions, annotations and decorators.
    """
    left_alone = unused(modules)
    found = [m for module in modules for m in _Search(module, left_alone, readings).run()]
    seen: set[tuple[str, bytes]] = set()
    once = []
    for mutant in found:
        key = (mutant.module.name, mutant.source)
        if key not in seen and mutant.source != mutant.module.source:
            seen.add(key)
            once.append(mutant)
    return sorted(once, key=lambda m: (m.module.file, m.line, m.start, m.end, m.operator, m.text))


class _Search:
    """Goes through one module, statement by statement."""

    def __init__(self, module: Module, left_alone: frozenset[int], readings: Mapping[str, Sequence[str]]) -> None:
        self._module = module
        self._source = module.source
        self._left_alone = left_alone
        self._readings = readings
        self._function: Function | None = None
        self._place: list[str] = []
        self._lines: frozenset[int] | None = None
        self._found: list[Mutant] = []

    def run(self) -> list[Mutant]:
        self._block(self._module.tree.body, top=True)
        return self._found

    # --- statements --------------------------------------------------------------------

    def _block(self, statements: Sequence[ast.stmt], *, top: bool) -> None:
        for statement in statements:
            if id(statement) in self._left_alone:
                continue
            if isinstance(statement, Function):
                self._def(statement)
            elif isinstance(statement, ast.ClassDef):
                self._place.append(statement.name)
                self._block(statement.body, top=True)
                self._place.pop()
            elif not _ignored(statement):
                self._statement(statement, top=top)

    def _def(self, function: Function) -> None:
        before, outer = self._lines, self._function
        body = frozenset(range(function.body[0].lineno, (function.end_lineno or 0) + 1))
        self._place.append(function.name)
        self._function, self._lines = function, body
        for default in (*function.args.defaults, *function.args.kw_defaults):
            if default is not None:
                self._expression(default)
        self._block(function.body, top=True)
        self._place.pop()
        self._lines, self._function = before, outer

    def _statement(self, statement: ast.stmt, *, top: bool) -> None:
        if self._function is not None:
            self._lines = _header(statement)
        self._keep_all(statement, self._of_statement(statement, top=top))
        if isinstance(statement, ast.Raise):
            return
        for name, value in ast.iter_fields(statement):
            if name in ("annotation", "target", "targets"):
                continue
            self._part(value)

    def _part(self, value: Any) -> None:
        if isinstance(value, ast.expr):
            self._expression(value)
        elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            lines = self._lines
            self._block(value, top=False)
            self._lines = lines
        elif isinstance(value, list):
            for part in value:
                if isinstance(part, ast.expr):
                    self._expression(part)
                elif isinstance(part, ast.AST):
                    for _, inner in ast.iter_fields(part):
                        self._part(inner)

    def _of_statement(self, node: ast.stmt, *, top: bool) -> Iterator[Exchange]:
        start, end = self._module.span(node)
        inside = self._function is not None
        dropped = isinstance(node, ast.Raise | ast.Break | ast.Continue | ast.AugAssign | ast.Delete)
        dropped |= isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        dropped |= isinstance(node, ast.Return) and not top
        dropped |= isinstance(node, ast.Assign | ast.AnnAssign) and self._bound_elsewhere(node)
        if inside and dropped:
            yield "dropped", start, end, b"pass"
        if isinstance(node, ast.AugAssign):
            yield from self._token("arithmetic", node.target, node.value, _ARITHMETIC.get(type(node.op)))
        if isinstance(node, ast.If | ast.While) and not _turned_anyway(node.test):
            yield self._negated(node.test)
        if isinstance(node, ast.For):
            yield ("loop never", *self._module.span(node.iter), b"()")
        if isinstance(node, ast.For | ast.While) and not isinstance(node.body[-1], ast.Break | ast.Return):
            last = self._module.span(node.body[-1])[1]
            yield "loop once", last, last, b"\n" + b" " * node.body[-1].col_offset + b"break"

    def _bound_elsewhere(self, node: ast.Assign | ast.AnnAssign) -> bool:
        """Whether the targets of an assignment have a value without it."""
        if self._function is None or node.value is None:
            return False
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        own = {id(n) for target in targets for n in ast.walk(target)}
        names = {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name) and _stored(n)}
        before = {arg.arg for arg in ast.walk(self._function.args) if isinstance(arg, ast.arg)}
        before |= {
            n.id
            for n in ast.walk(self._function)
            if isinstance(n, ast.Name) and _stored(n) and id(n) not in own and n.lineno < node.lineno
        }
        return names <= before

    # --- expressions -------------------------------------------------------------------

    def _expression(self, node: ast.expr) -> None:
        if isinstance(node, ast.JoinedStr):
            return
        if isinstance(node, ast.Constant):
            self._keep_all(node, self._constant(node))
        elif isinstance(node, ast.Call):
            self._keep_all(node, self._call(node))
        else:
            self._keep_all(node, self._of_expression(node))
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._expression(child)
            elif isinstance(child, ast.keyword) and child.arg != "strict":
                self._expression(child.value)
            elif isinstance(child, ast.comprehension):
                for part in (child.iter, *child.ifs):
                    self._expression(part)

    def _of_expression(self, node: ast.expr) -> Iterator[Exchange]:
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
                yield from self._token("comparison", left, right, _COMPARED[type(op)])
        elif isinstance(node, ast.BoolOp):
            yield from self._and_or(node)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
            start, end = self._module.span(node)
            yield "not", start, end, re.sub(rb"^(not\b|-)\s*", b"", self._source[start:end])
        elif isinstance(node, ast.BinOp) and not (_no_number(node.left) or _no_number(node.right)):
            yield from self._token("arithmetic", node.left, node.right, _ARITHMETIC.get(type(node.op)))
        elif isinstance(node, ast.IfExp) and not _turned_anyway(node.test):
            yield self._negated(node.test)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            for test in (test for part in node.generators for test in part.ifs):
                yield ("filter", *self._module.span(test), b"True")

    def _and_or(self, node: ast.BoolOp) -> Iterator[Exchange]:
        """All operators of one chain together, so that it stays one chain."""
        start, end = self._module.span(node)
        word = b"or" if isinstance(node.op, ast.And) else b"and"
        text, at = b"", start
        for left, right in zip(node.values, node.values[1:], strict=False):
            begin, stop = self._module.span(left)[1], self._module.span(right)[0]
            text += self._source[at:begin] + re.sub(rb"\b(and|or)\b", word, self._source[begin:stop], count=1)
            at = stop
        yield "and/or", start, end, text + self._source[at:end]

    def _constant(self, node: ast.Constant) -> Iterator[Exchange]:
        start, end = self._module.span(node)
        if isinstance(node.value, bool):
            yield "constant", start, end, str(not node.value).encode()
        elif isinstance(node.value, int):
            for value in (node.value - 1, node.value + 1):
                yield "constant", start, end, str(value).encode() if value >= 0 else f"({value})".encode()
        elif isinstance(node.value, str) and self._function is not None:
            other = self._other_reading(node.value)
            if other is not None:
                yield "reading", start, end, f'"{other}"'.encode()

    def _other_reading(self, word: str) -> str | None:
        """Another question for the name of one, another reading for a reading of a question asked in this function."""
        assert self._function is not None
        asked = [
            str(node.args[0].value)
            for node in ast.walk(self._function)
            if isinstance(node, ast.Call) and _method(node) == "reading" and isinstance(node.args[0], ast.Constant)
        ]
        lists = [list(self._readings)] if word in asked else [list(self._readings.get(q, ())) for q in asked]
        for words in lists:
            if word in words:
                return words[(words.index(word) + 1) % len(words)]
        return None

    def _call(self, node: ast.Call) -> Iterator[Exchange]:
        if isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
            yield ("function", *self._module.span(node.func), _FUNCTIONS[node.func.id])
        if _method(node) == "replace" or (isinstance(node.func, ast.Name) and node.func.id == "replace"):
            for keyword in node.keywords:
                if keyword.arg is not None:
                    start, end = self._module.span(keyword)
                    comma = re.match(rb"\s*,", self._source[end:])
                    yield "replace", start, end + (comma.end() if comma else 0), b""

    def _negated(self, test: ast.expr) -> Exchange:
        start, end = self._module.span(test)
        return "branches", start, end, b"not (" + self._source[start:end] + b")"

    def _token(
        self, operator: str, left: ast.expr, right: ast.expr, change: tuple[str, bytes] | None
    ) -> Iterator[Exchange]:
        begin, stop = self._module.span(left)[1], self._module.span(right)[0]
        found = re.search(change[0].encode(), self._source[begin:stop]) if change else None
        if change and found:
            yield operator, begin + found.start(), begin + found.end(), change[1]

    def _keep_all(self, node: ast.stmt | ast.expr, exchanges: Iterator[Exchange]) -> None:
        for operator, start, end, text in exchanges:
            line = self._source.count(b"\n", 0, start) + 1
            where = ".".join(self._place)
            self._found.append(Mutant(self._module, where, line, operator, start, end, text, self._lines))


def _ignored(node: ast.stmt) -> bool:
    """Imports, docstrings, assertions, the log of steps, and what a module shows."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert):
        return True
    if isinstance(node, ast.Assign):
        return any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets)
    if not isinstance(node, ast.Expr):
        return False
    return isinstance(node.value, ast.Constant) or (isinstance(node.value, ast.Call) and _method(node.value) == "step")


def _method(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _no_number(node: ast.expr) -> bool:
    return isinstance(node, _NO_NUMBER) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _turned_anyway(test: ast.expr) -> bool:
    """Whether another operator turns this test into its opposite."""
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not)
    turned = ast.Eq | ast.NotEq | ast.In | ast.NotIn | ast.Is | ast.IsNot
    return isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], turned)


def _header(node: ast.stmt) -> frozenset[int]:
    """The lines of a statement without those of its blocks."""
    last = node.end_lineno or node.lineno
    for name in ("body", "cases"):
        block = getattr(node, name, None)
        if isinstance(block, list) and block:
            first = block[0].pattern.lineno if isinstance(block[0], ast.match_case) else block[0].lineno
            last = max(node.lineno, first - 1)
    return frozenset(range(node.lineno, last + 1))
