"""Checked formulas as Python functions.

Each definition, decision table and look-up table becomes one function whose first input is the `Run` that
answers questions and counts calls. Only trees that `parse` has passed are compiled.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from math import ceil, floor
from typing import Any, cast

from engine.book.model import Body, Book, DecisionTable, Definition, LookupTable, Record
from engine.errors import CallError, FormulaError, Undetermined, Unspecified
from engine.formula import exact
from engine.formula.parse import FUNCTIONS, ROUNDING, Formula, cloned, is_question

Function = Callable[..., Any]


def _pick(clause: str, rows: tuple[tuple[int, Any] | None, ...]) -> Any:
    applying = [row for row in rows if row is not None]
    if not applying:
        raise Unspecified(clause, "no row of its table applies")
    first = applying[0][1]
    if any(type(value) is not type(first) or value != first for _, value in applying[1:]):
        raise Undetermined(tuple(({clause: f"row {number}"}, value) for number, value in applying))
    return first


_HELPERS: dict[str, Any] = {
    "_pick": _pick,
    "_keep": exact.keep,
    "_divide": exact.divide,
    "_floor_divide": exact.floor_divide,
    "_modulo": exact.modulo,
    "_power": exact.power,
    "_round_by": exact.round_by,
    "_round_nearest": exact.round_nearest,
    "_round_by_ratio": exact.round_by_ratio,
    "_round_nearest_ratio": exact.round_nearest_ratio,
    "_floor_ratio": exact.floor_ratio,
    "_ceil_ratio": exact.ceil_ratio,
    "clamp": exact.clamp,
    "floor": floor,
    "ceil": ceil,
    "abs": abs,
    "min": min,
    "max": max,
    "sum": lambda *numbers: sum(numbers),
    "highest": lambda pool: pool.highest,
    "lowest": lambda pool: pool.lowest,
    "mean": lambda pool: pool.mean,
    "count": lambda pool: len(pool.sides),
    "__builtins__": {},
}
_SINCE_312: dict[str, Any] = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}
_OPERATORS = {
    ast.Div: "_divide",
    ast.FloorDiv: "_floor_divide",
    ast.Mod: "_modulo",
    ast.Pow: "_power",
}
_NEAREST = {"half-up", "half-down", "half-even", "half-away"}


def signatures(book: Book) -> dict[str, tuple[str, ...]]:
    """The parameters of everything in the book that formulas may call."""
    found: dict[str, tuple[str, ...]] = {}
    for clause in book.clauses.values():
        for body in _parts(clause.body):
            if isinstance(body, Definition | DecisionTable | LookupTable):
                found[body.name] = body.params
    return found


def link(
    book: Book,
    wrap: Callable[[str, str, Function], Function] | None = None,
    namespace: dict[str, Any] | None = None,
) -> dict[str, Function]:
    """The functions of a book by name, calling one another.

    `wrap(name, clause id, function)` may put a recorder around each; `namespace` is where they find one another.
    Raises `FormulaError` with its place for a name that nothing defines.
    """
    known = signatures(book)
    modes = {q.name: {r.id for r in q.readings} for q in book.questions.values()}
    namespace = {} if namespace is None else namespace
    namespace.update(_HELPERS)
    functions: dict[str, Function] = {}
    for clause in book.clauses.values():
        for body in _parts(clause.body):
            if not isinstance(body, Definition | DecisionTable | LookupTable):
                continue
            try:
                function = _function(body, clause.id, known, modes, namespace)
            except FormulaError as error:
                raise error.at(clause.place) from None
            if wrap is not None:
                function = wrap(body.name, clause.id, function)
            namespace[_python_name(body.name)] = functions[body.name] = function
    return functions


class Workbench:
    """The linked functions of a book, one of which can be exchanged for a while: what a changed rule would do."""

    def __init__(self, book: Book) -> None:
        self._known = signatures(book)
        self._modes = {q.name: {r.id for r in q.readings} for q in book.questions.values()}
        self._namespace: dict[str, Any] = {}
        self.functions = link(book, namespace=self._namespace)

    @contextmanager
    def exchanged(self, body: Definition | DecisionTable, clause: str) -> Iterator[Function]:
        """Puts `body`, in place of what has its name, into `functions`; takes it out again at the end."""
        name, python_name = body.name, _python_name(body.name)
        before = self.functions[name]
        made = _function(body, clause, self._known, self._modes, self._namespace)
        self._namespace[python_name] = self.functions[name] = made
        try:
            yield made
        finally:
            self._namespace[python_name] = self.functions[name] = before


def compile_expression(
    formula: Formula, params: tuple[str, ...], book: Book, functions: Mapping[str, Function]
) -> Function:
    """A claim or a mutated formula as a function of `params`, calling the linked `functions` of its book."""
    modes = {q.name: {r.id for r in q.readings} for q in book.questions.values()}
    namespace = dict(_HELPERS) | {_python_name(name): function for name, function in functions.items()}
    return _function(Definition("_claim", params, formula), "", signatures(book), modes, namespace)


def _parts(body: Body | None) -> list[Body]:
    if isinstance(body, Record):
        return list(body.formulas.values())
    return [body] if body is not None else []


def _function(
    body: Definition | DecisionTable | LookupTable,
    clause: str,
    known: Mapping[str, tuple[str, ...]],
    modes: Mapping[str, set[str]],
    namespace: dict[str, Any],
) -> Function:
    if isinstance(body, LookupTable):
        return _lookup(body, clause)
    writer = _Writer(frozenset(body.params), known, modes)
    if isinstance(body, DecisionTable):
        value = _decide(body, clause, writer)
    else:
        value = _call("_keep", [writer.rewrite(body.formula)])
    function = ast.FunctionDef(
        name="formula",
        args=ast.arguments(
            posonlyargs=[],
            args=[ast.arg(arg=n) for n in ("_run", *body.params)],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        ),
        body=[
            *([ast.Expr(_call("_run.spend", []))] if writer.calls else []),
            ast.Return(value=value),
        ],
        decorator_list=[],
        **_SINCE_312,
    )
    module = ast.fix_missing_locations(ast.Module(body=[function], type_ignores=[]))
    # The namespace is shared, so that functions find those that are linked after them.
    namespace.update(writer.fractions)
    scope: dict[str, Any] = {}
    exec(compile(module, f"<{body.name}>", "exec"), namespace, scope)  # noqa: S102 - whitelisted tree only
    made: Function = scope["formula"]
    return made


def _decide(body: DecisionTable, clause: str, writer: _Writer) -> ast.expr:
    """`_pick(clause, (row if when else None, …))`: values are computed for rows that apply only."""
    rows = [
        ast.IfExp(
            test=writer.rewrite(row.when),
            body=ast.Tuple(elts=[ast.Constant(i), _call("_keep", [writer.rewrite(row.value)])], ctx=ast.Load()),
            orelse=ast.Constant(None),
        )
        for i, row in enumerate(body.rows, 1)
    ]
    return _call("_pick", [ast.Constant(clause), ast.Tuple(elts=list(rows), ctx=ast.Load())])


def _lookup(body: LookupTable, clause: str) -> Function:
    cells = body.cells

    def table(_run: Any, *key: Any) -> Any:
        try:
            return cells[key]
        except KeyError:
            shown = ", ".join(str(k) for k in key)
            raise CallError(f"{body.name}({shown}) stands in no row and column of {clause}", "see the table") from None

    return table


def _python_name(name: str) -> str:
    """The name in Python code: never that of an input, nor of a helper, and no two names share one.

    Definitions of record fields are called `skill.field`.
    """
    owner, point, field = name.partition(".")
    return f"_r{len(owner)}_{owner}_{field}" if point else f"_f_{name}"


def _call(name: str, args: list[ast.expr]) -> ast.expr:
    target: ast.expr = ast.Name(id=name.partition(".")[0], ctx=ast.Load())
    if "." in name:
        target = ast.Attribute(value=target, attr=name.partition(".")[2], ctx=ast.Load())
    return ast.Call(func=target, args=args, keywords=[])


Ratio = tuple[ast.expr, ast.expr | None]


def _times(factor: ast.expr, other: ast.expr | None) -> ast.expr:
    return factor if other is None else ast.BinOp(left=factor, op=ast.Mult(), right=cloned(other))


def _product(divisor: ast.expr | None, other: ast.expr | None) -> ast.expr | None:
    return other if divisor is None else _times(divisor, other)


class _Writer(ast.NodeTransformer):
    """Rewrites a checked tree for exact evaluation."""

    def __init__(
        self, params: frozenset[str], known: Mapping[str, tuple[str, ...]], modes: Mapping[str, set[str]]
    ) -> None:
        self._params = params
        self._known = known
        self._modes = modes
        self.calls = False
        self.fractions: dict[str, Fraction] = {}

    def rewrite(self, formula: Formula) -> ast.expr:
        """The formula's tree, rewritten; the formula keeps its own."""
        rewritten: ast.expr = self.visit(cloned(formula.tree))
        return rewritten

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        value: Any = node.value
        if not isinstance(value, Fraction):
            return node
        name = f"_{value.numerator}_over_{value.denominator}"
        self.fractions[name] = value
        return ast.Name(id=name, ctx=ast.Load())

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self._close(*self._ratio(node))

    def _ratio(self, node: ast.expr) -> Ratio:
        """`node` as dividend and divisor (None for one), so that a formula divides once, at its end.

        Only divisors that are cheap to repeat are carried along; any other division is done at once.
        """
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            dividend, divisor = self._ratio(node.operand)
            return ast.UnaryOp(op=ast.USub(), operand=dividend), divisor
        if isinstance(node, ast.Constant) and isinstance(cast("object", node.value), Fraction):
            fraction = cast("Fraction", node.value)
            return ast.Constant(fraction.numerator), ast.Constant(fraction.denominator)
        if not isinstance(node, ast.BinOp):
            return self.visit(node), None
        left, right = self._ratio(node.left), self._ratio(node.right)
        if isinstance(node.op, ast.Add | ast.Sub):
            dividend = ast.BinOp(left=_times(left[0], right[1]), op=node.op, right=_times(right[0], left[1]))
            return dividend, _product(left[1], right[1])
        if isinstance(node.op, ast.Mult):
            return _times(left[0], right[0]), _product(left[1], right[1])
        # A divisor's own divisor would move above the line, and a zero there would go unseen: only a number may.
        plain = right[1] is None or isinstance(right[1], ast.Constant)
        if isinstance(node.op, ast.Div) and plain and isinstance(right[0], ast.Name | ast.Constant):
            return _times(left[0], right[1]), _product(left[1], right[0])
        helper = _OPERATORS[type(node.op)]
        return _call(helper, [self._close(*left), self._close(*right)]), None

    def _close(self, dividend: ast.expr, divisor: ast.expr | None) -> ast.expr:
        return dividend if divisor is None else _call("_divide", [dividend, divisor])

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        sides = [node.left, *node.comparators]
        questions = [s.id for s in sides if isinstance(s, ast.Name) and is_question(s.id)]
        for question in questions:
            for side in sides:
                if isinstance(side, ast.Constant) and str(side.value) not in self._modes.get(
                    question, {str(side.value)}
                ):
                    allowed = ", ".join(sorted(self._modes[question]))
                    raise FormulaError(f'{question} has no reading "{side.value!s}"', f"its readings: {allowed}")
        visited: ast.expr = self.generic_visit(node)  # type: ignore[assignment]
        return visited

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._params:
            return node
        if is_question(node.id):
            if node.id not in self._modes:
                raise FormulaError(f"{node.id} is no question of this book", "add it to questions.md")
            return _call("_run.reading", [ast.Constant(node.id)])
        if self._known.get(node.id) == ():
            self.calls = True
            return _call(_python_name(node.id), [ast.Name(id="_run", ctx=ast.Load())])
        raise FormulaError(f'"{node.id}" names nothing here', "a parameter, a constant, or a question")

    def visit_Call(self, node: ast.Call) -> ast.expr:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name == "round":
            return self._round(node)
        if name in ("floor", "ceil"):
            dividend, divisor = self._ratio(node.args[0])
            return _call(name, [dividend]) if divisor is None else _call(f"_{name}_ratio", [dividend, divisor])
        if name in FUNCTIONS:
            return _call(name, [self.visit(arg) for arg in node.args])
        if name not in self._known:
            raise FormulaError(f'"{name}" names nothing', "a definition, a table or a function of the language")
        self.calls = True
        arguments = self._arguments(name, node)
        return _call(_python_name(name), [ast.Name(id="_run", ctx=ast.Load()), *arguments])

    def _arguments(self, name: str, node: ast.Call) -> list[ast.expr]:
        params = self._known[name]
        bound: dict[str, ast.expr] = dict(zip(params, node.args, strict=False))
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg not in params or keyword.arg in bound:
                raise FormulaError(f"{name} takes no {keyword.arg} here", f"{name}({', '.join(params)})")
            bound[keyword.arg] = keyword.value
        if len(node.args) > len(params) or len(bound) != len(params):
            raise FormulaError(f"{name} is called with other inputs than it has", f"{name}({', '.join(params)})")
        return [self.visit(bound[p]) for p in params]

    def _round(self, node: ast.Call) -> ast.expr:
        value, mode = node.args
        helper = "_round_by"
        if isinstance(mode, ast.Constant):
            if mode.value not in ROUNDING:
                raise FormulaError(f'"{mode.value!s}" is no way to round', f"one of {', '.join(ROUNDING)}")
            helper = "_round_nearest" if mode.value in _NEAREST else "_round_by"
        elif isinstance(mode, ast.Name) and is_question(mode.id):
            readings = self._modes.get(mode.id, set())
            if not readings <= set(ROUNDING):
                raise FormulaError(f"the readings of {mode.id} are no ways to round", f"among {', '.join(ROUNDING)}")
            helper = "_round_nearest" if readings and readings <= _NEAREST else "_round_by"
        thunk = ast.Lambda(
            args=ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]),
            body=self.visit(mode),
        )
        dividend, divisor = self._ratio(value)
        if divisor is None:
            return _call(helper, [dividend, thunk])
        return _call(f"{helper}_ratio", [dividend, divisor, thunk])
