"""Which kind of value each formula gives, checked before anything is computed.

Text never enters arithmetic, a truth value is no number, and a recursion shrinks: a formula that came with a
proposal is refused here, with its place, and never reaches the evaluator.
"""

# ruff: noqa: N802 - methods are named after the nodes that they take

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Any

from engine.book.domains import Choice, Dice, Domain, Range, Truth
from engine.book.model import Book, DecisionTable, Definition, LookupTable, Record
from engine.dice import Pool
from engine.errors import FormulaError, InputError, Place
from engine.formula.parse import ROUNDING, Formula, is_question


@dataclass(frozen=True, slots=True)
class Kind:
    """What a formula gives: "number", "truth", "text" or "pool"; "nothing" where it never gives a value.

    `words` holds the words that a text can be; it is empty for other kinds.
    """

    name: str
    words: frozenset[str] = frozenset()

    def __str__(self) -> str:
        if self.name == "text":
            shown = sorted(self.words)
            return f"text ({', '.join(shown[:6])}{' …' if len(shown) > 6 else ''})"
        return {"number": "a number", "truth": "true or false", "pool": "a dice pool"}.get(self.name, self.name)


NUMBER = Kind("number")
TRUTH = Kind("truth")
POOL = Kind("pool")
NOTHING = Kind("nothing")

Body = Definition | DecisionTable | LookupTable

_ARITHMETIC = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip


def check_types(book: Book) -> dict[str, Kind]:
    """The kind of everything that formulas may call, once every formula of `book` has been checked.

    Raises `FormulaError` with its place for mixed kinds, for names that stand for nothing, for a comparison with a
    word that cannot occur, and for recursion that is mutual or does not shrink.
    """
    bodies, places = bodies_of(book), {body.name: place for body, place in _bodies(book)}
    kinds: dict[str, Kind] = {}
    for name in _order(bodies, places):
        kinds[name] = _kind_of_body(bodies[name], places[name], book, bodies, kinds)
    for prop in book.properties.values():
        checker = _Checker(prop.domains, book, bodies, kinds)
        try:
            _expect(TRUTH, checker.kind(prop.claim.tree), "a claim", prop.claim.tree)
        except FormulaError as error:
            raise _owned(error, prop.id, prop.place) from None
    return kinds


def kind_of(formula: Formula, domains: Mapping[str, Domain], book: Book) -> Kind:
    """The kind of one formula over `domains` that calls what a checked `book` defines.

    Raises `FormulaError` where it mixes kinds or names nothing.
    """
    return _Checker(domains, book, bodies_of(book), check_types(book)).kind(formula.tree)


def kind_of_domain(domain: Domain) -> Kind:
    """The kind of the values of a domain."""
    if isinstance(domain, Choice):
        return Kind("text", frozenset(domain.words))
    if isinstance(domain, Truth):
        return TRUTH
    return POOL if isinstance(domain, Dice) else NUMBER


def kind_of_value(value: Any) -> Kind:
    """The kind of a value of the language. Raises `FormulaError` for anything else."""
    if isinstance(value, bool):
        return TRUTH
    if isinstance(value, int | Fraction):
        return NUMBER
    if isinstance(value, str):
        return Kind("text", frozenset((value,)))
    if isinstance(value, Pool):
        return POOL
    raise FormulaError(f"{type(value).__name__} is no value of the language", "numbers, text, true, false")


def formulas_of(body: object) -> list[Formula]:
    """Every formula of a clause's body, conditions of rows before their values."""
    if isinstance(body, Definition):
        return [body.formula]
    if isinstance(body, DecisionTable):
        return [formula for row in body.rows for formula in (row.when, row.value)]
    return []


def called(formulas: Iterable[Formula], names: Iterable[str]) -> set[str]:
    """Which of `names` the formulas call, constants included."""
    known = set(names)
    return {name for formula in formulas for name in formula.calls | formula.names if name in known}


def bodies_of(book: Book) -> dict[str, Body]:
    """Everything that formulas may call, by name, in the order of the book."""
    return {body.name: body for body, _ in _bodies(book)}


def _bodies(book: Book) -> Iterator[tuple[Body, Place]]:
    for clause in book.clauses.values():
        body = clause.body
        if isinstance(body, Record):
            for definition in body.formulas.values():
                yield definition, clause.place
        elif isinstance(body, Definition | DecisionTable | LookupTable):
            yield body, clause.place


def _order(bodies: Mapping[str, Body], places: Mapping[str, Place]) -> list[str]:
    """The names so that each stands after what it calls. Raises `FormulaError` for mutual recursion."""
    graph = {
        name: called(formulas_of(body), bodies.keys() - set(body.params)) - {name} for name, body in bodies.items()
    }
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        cycle = list(dict.fromkeys(error.args[1]))
        raise FormulaError(
            f"{' and '.join(sorted(cycle))} call one another",
            "a definition may call itself only, and must shrink",
            places[min(cycle)],
        ) from None


def _kind_of_body(body: Body, place: Place, book: Book, bodies: Mapping[str, Body], kinds: Mapping[str, Kind]) -> Kind:
    try:
        for param in body.params:
            if param not in book.domains:
                raise FormulaError(f"{param} has no domain", f"declare it in book.toml: {param} = …")
        if isinstance(body, LookupTable):
            return _join([kind_of_value(cell) for cell in body.cells.values()], f"the cells of {body.name}")
        _check_recursion(body)
        domains = {param: book.domains[param] for param in body.params}
        # What a recursive call gives is known only after a first pass, in which it gives nothing.
        first = _kind_of_formulas(body, _Checker(domains, book, bodies, {**kinds, body.name: NOTHING}))
        return _kind_of_formulas(body, _Checker(domains, book, bodies, {**kinds, body.name: first}))
    except FormulaError as error:
        raise _owned(error, body.name, place) from None


def _kind_of_formulas(body: Definition | DecisionTable, checker: _Checker) -> Kind:
    if isinstance(body, Definition):
        return checker.kind(body.formula.tree)
    values = []
    for row in body.rows:
        try:
            _expect(TRUTH, checker.kind(row.when.tree), "a condition", row.when.tree)
            values.append(checker.kind(row.value.tree))
        except FormulaError as error:
            raise _owned(error, body.name, row.place) from None
    return _join(values, f"the rows of {body.name}")


def _check_recursion(body: Definition | DecisionTable) -> None:
    """Each call of itself stands behind a condition, and passes a parameter less a constant."""

    def walk(node: ast.expr, *, guarded: bool) -> None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == body.name:
            if not guarded:
                raise FormulaError(f"{body.name} calls itself without a condition", 'write "BASE if n == 1 else …"')
            if not any(_shrinks(argument, param) for param, argument in bind(node, body.params).items()):
                raise FormulaError(f"{body.name} calls itself with nothing smaller", f"pass {body.params[0]} - 1, say")
        elif isinstance(node, ast.Name) and node.id == body.name and not body.params:
            raise FormulaError(f"{body.name} is defined by itself", "a constant has a value of its own")
        if isinstance(node, ast.IfExp):
            walk(node.test, guarded=guarded)
            walk(node.body, guarded=True)
            walk(node.orelse, guarded=True)
            return
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.keyword):
                walk(child.value, guarded=guarded)
            elif isinstance(child, ast.expr) and not (isinstance(node, ast.Call) and child is node.func):
                walk(child, guarded=guarded)

    if isinstance(body, Definition):
        walk(body.formula.tree, guarded=False)
    else:
        for row in body.rows:
            walk(row.when.tree, guarded=False)
            walk(row.value.tree, guarded=True)


def _shrinks(argument: ast.expr, param: str) -> bool:
    return (
        isinstance(argument, ast.BinOp)
        and isinstance(argument.op, ast.Sub)
        and isinstance(argument.left, ast.Name)
        and argument.left.id == param
        and isinstance(argument.right, ast.Constant)
        and isinstance(argument.right.value, int | Fraction)
        and argument.right.value > 0
    )


def bind(node: ast.Call, params: tuple[str, ...]) -> dict[str, ast.expr]:
    """The inputs of a call by parameter. Raises `FormulaError` for one too many, missing, unknown or doubled."""
    name = node.func.id if isinstance(node.func, ast.Name) else "?"
    bound: dict[str, ast.expr] = dict(zip(params, node.args, strict=False))
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg not in params or keyword.arg in bound:
            raise FormulaError(f"{name} takes no {keyword.arg} here", f"{name}({', '.join(params)})")
        bound[keyword.arg] = keyword.value
    if len(node.args) > len(params) or len(bound) != len(params):
        raise FormulaError(f"{name} is called with other inputs than it has", f"{name}({', '.join(params)})")
    return bound


def _owned(error: InputError, owner: str, place: Place) -> FormulaError:
    if error.place is not None and isinstance(error, FormulaError):
        return error
    problem = error.problem if error.problem.startswith(owner) else f"{owner}: {error.problem}"
    return FormulaError(problem, error.remedy, place)


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 60 else text[:57] + "..."


def _expect(wanted: Kind, kind: Kind, what: str, node: ast.expr) -> None:
    if kind.name not in (wanted.name, "nothing"):
        raise FormulaError(f"{what} must be {wanted}, but `{_shown(node)}` is {kind}", "mend the formula")


def _join(kinds: Iterable[Kind], what: str) -> Kind:
    """The one kind of several values, with the words of all of them."""
    real = [kind for kind in kinds if kind is not NOTHING]
    if not real:
        return NOTHING
    if any(kind.name != real[0].name for kind in real):
        seen = list(dict.fromkeys(str(kind) for kind in real))
        raise FormulaError(f"{what} mix {' and '.join(seen)}", "all of one kind")
    return Kind(real[0].name, frozenset().union(*(kind.words for kind in real)))


class _Checker:
    """Infers the kind of a checked tree."""

    def __init__(
        self, domains: Mapping[str, Domain], book: Book, bodies: Mapping[str, Body], kinds: Mapping[str, Kind]
    ) -> None:
        self._domains = domains
        self._book = book
        self._bodies = bodies
        self._kinds = kinds

    def kind(self, node: ast.expr) -> Kind:
        """The kind of `node`. Raises `FormulaError` where kinds are mixed."""
        visit = getattr(self, f"_{type(node).__name__}", None)
        if visit is None:
            raise FormulaError(f"`{_shown(node)}` cannot stand alone", "a list belongs behind `in`")
        kind: Kind = visit(node)
        return kind

    def _numbers(self, nodes: Iterable[ast.expr], what: str) -> Kind:
        for node in nodes:
            _expect(NUMBER, self.kind(node), f"{what} takes numbers: an input", node)
        return NUMBER

    def _Constant(self, node: ast.Constant) -> Kind:
        return kind_of_value(node.value)

    def _Name(self, node: ast.Name) -> Kind:
        name = node.id
        if name in self._domains:
            return kind_of_domain(self._domains[name])
        if is_question(name):
            question = self._book.questions.get(f"{self._book.prefix}-{name}")
            if question is None:
                raise FormulaError(f"{name} is no question of this book", "add it to questions.md")
            words = frozenset(reading.id for reading in question.readings)
            return Kind("text", words) if words else NOTHING
        body = self._bodies.get(name)
        if body is None or body.params:
            remedy = f"call it: {name}({', '.join(body.params)})" if body else "a parameter, a constant, or a question"
            raise FormulaError(f'"{name}" names nothing here', remedy)
        return self._kinds[name]

    def _BinOp(self, node: ast.BinOp) -> Kind:
        if isinstance(node.op, ast.Add):
            left, right = self.kind(node.left), self.kind(node.right)
            if left is POOL and right is POOL:
                return POOL
        return self._numbers((node.left, node.right), _ARITHMETIC[type(node.op)])

    def _UnaryOp(self, node: ast.UnaryOp) -> Kind:
        if isinstance(node.op, ast.Not):
            _expect(TRUTH, self.kind(node.operand), "`not` takes true or false: its input", node.operand)
            return TRUTH
        return self._numbers((node.operand,), "a sign")

    def _BoolOp(self, node: ast.BoolOp) -> Kind:
        word = "and" if isinstance(node.op, ast.And) else "or"
        for value in node.values:
            _expect(TRUTH, self.kind(value), f"`{word}` takes true or false: an input", value)
        return TRUTH

    def _IfExp(self, node: ast.IfExp) -> Kind:
        _expect(TRUTH, self.kind(node.test), "a condition", node.test)
        return _join((self.kind(node.body), self.kind(node.orelse)), f"the branches of `{_shown(node)}`")

    def _Compare(self, node: ast.Compare) -> Kind:
        sides = [node.left, *node.comparators]
        for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
            if isinstance(op, ast.In | ast.NotIn):
                if not isinstance(right, ast.Tuple) or not right.elts:
                    raise FormulaError(f"`in` before `{_shown(right)}`", 'a list in brackets: x in ("a", "b")')
                for choice in right.elts:
                    self._comparable(left, choice)
            elif isinstance(op, ast.Eq | ast.NotEq):
                self._comparable(left, right)
            else:
                self._numbers((left, right), "an order")
        return TRUTH

    def _comparable(self, left: ast.expr, right: ast.expr) -> None:
        one, other = self.kind(left), self.kind(right)
        shown = f"`{_shown(left)}` and `{_shown(right)}`"
        _join((one, other), f"{shown} are compared, but")
        if one.name == other.name == "text" and not one.words & other.words:
            raise FormulaError(f"{shown} can never be equal", f"the first is {one}, the second {other}")

    def _Call(self, node: ast.Call) -> Kind:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name == "round":
            return self._round(node)
        if name in ("highest", "lowest", "mean", "count"):
            _expect(POOL, self.kind(node.args[0]), f"{name} takes a dice pool: its input", node.args[0])
            return NUMBER
        if name in ("floor", "ceil", "abs", "min", "max", "sum", "clamp"):
            return self._numbers(node.args, name)
        body = self._bodies.get(name)
        if body is None:
            raise FormulaError(f'"{name}" names nothing', "a definition, a table or a function of the language")
        for param, argument in bind(node, body.params).items():
            domain = self._book.domains.get(param)
            if domain is None:
                raise FormulaError(f"{param} has no domain", f"declare it in book.toml: {param} = …")
            wanted, kind = kind_of_domain(domain), self.kind(argument)
            _expect(wanted, kind, f"{param} of {name}", argument)
            if kind.name == "text" and not kind.words & wanted.words:
                raise FormulaError(f"{param} of {name} is never `{_shown(argument)}`", f"it is {wanted}")
            if isinstance(argument, ast.Constant) and isinstance(domain, Range) and not _within(domain, argument.value):
                raise FormulaError(f"{param} of {name} is never {_shown(argument)}", f"{param} is {domain}")
        return self._kinds[name]

    def _round(self, node: ast.Call) -> Kind:
        value, mode = node.args
        self._numbers((value,), "round")
        kind = self.kind(mode)
        _expect(Kind("text", frozenset(ROUNDING)), kind, "the way to round", mode)
        if not kind.words <= set(ROUNDING):
            strange = ", ".join(sorted(kind.words - set(ROUNDING)))
            raise FormulaError(
                f"`{_shown(mode)}` may be {strange}, which is no way to round", f"among {', '.join(ROUNDING)}"
            )
        return NUMBER


def _within(domain: Range, value: Any) -> bool:
    try:
        domain.check(value)
    except InputError:
        return False
    return True
