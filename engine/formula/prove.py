"""Proofs over domains without end: a formula is executed on polynomials, case by case.

Where a condition is not decided by what is known on the way, both ways are gone. A claim is proved once it comes
out true on every way that can be gone at all. Only then: whatever is not understood is "not proved".
"""

# ruff: noqa: N802 - methods are named after the nodes that they take

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine.book.domains import Domain, Range
from engine.book.model import Book, DecisionTable, Definition, LookupTable
from engine.dice import Number, Pool
from engine.errors import FormulaError
from engine.formula.parse import Formula, is_question
from engine.formula.symbols import Quotient, Symbols
from engine.formula.types import bind, bodies_of
from engine.formula.ways import Impossible, NotProved, Ways
from engine.points import Axis, aligned_high

MOST_WAYS = 4000
MOST_CASES = 3000
MOST_DEPTH = 60
MOST_FRESH = 40
MOST_PARTS = 360

_OF_POOLS: Mapping[str, Callable[[Pool], Number]] = {
    "highest": lambda pool: pool.highest,
    "lowest": lambda pool: pool.lowest,
    "mean": lambda pool: pool.mean,
    "count": lambda pool: len(pool.sides),
}


def prove(
    claim: Formula,
    domains: Mapping[str, Domain],
    book: Book,
    under: Mapping[str, str] | None = None,
    split: Mapping[str, int] | None = None,
) -> int:
    """Proves that `claim` is true everywhere on `domains`, under every reading that `under` and rulings leave open.

    `split` takes a name apart by residue: `{margin: 5}` is margin = 5k + r for each r. Returns the number of cases
    that were gone through. Raises `NotProved`, saying where it stopped, and `FormulaError` for a split of no use.
    """
    for name, parts in (split or {}).items():
        if not isinstance(domains.get(name), Range) or not 2 <= parts <= MOST_PARTS:
            raise FormulaError(f"a split of {name} by {parts}", f"a number of the claim, by 2 to {MOST_PARTS}")
    prover = _Prover(book, domains, under or {}, split or {})
    cases = 0
    for case in prover.cases():
        try:
            cases += prover.run(claim, case)
        except RecursionError:
            raise NotProved("the formulas are nested too deep") from None
        if cases > MOST_WAYS:
            raise NotProved(f"more than {MOST_WAYS} cases; narrow the domains, or say `by: enumeration`")
    if not cases:
        raise NotProved("there is nothing to prove: no input at all")
    return cases


class _Prover(Ways):
    def __init__(
        self, book: Book, domains: Mapping[str, Domain], under: Mapping[str, str], split: Mapping[str, int]
    ) -> None:
        symbols = Symbols(tuple(n for n, d in domains.items() if isinstance(d, Range)), MOST_FRESH)
        super().__init__(symbols, {**book.ruled, **under})
        self._bodies = bodies_of(book)
        self._domains = domains
        self._readings = {q.name: tuple(r.id for r in q.readings) for q in book.questions.values()}
        self._split = split
        self._depth = 0

    def cases(self) -> Sequence[dict[str, Any]]:
        """Every combination of words, truth values, pools and residues: what cannot be a polynomial."""
        choices: list[list[tuple[str, Any]]] = []
        size = 1
        for name, domain in self._domains.items():
            if isinstance(domain, Range):
                parts = self._split.get(name, 1)
                choices.append([(name, (parts, rest)) for rest in range(parts)])
            else:
                choices.append([(name, value) for value in Axis(domain).values()])
            size *= len(choices[-1])
            if size > MOST_CASES:
                raise NotProved(f"more than {MOST_CASES} combinations of words, truth values, pools and residues")
        return [dict(case) for case in itertools.product(*choices)]

    def run(self, claim: Formula, case: Mapping[str, Any]) -> int:
        """Goes every way of one case; returns how many there were."""
        ways = 0
        while self.begin():
            ways += 1
            if ways > MOST_WAYS:
                raise NotProved(f"more than {MOST_WAYS} ways through the formula")
            self._depth = 0
            try:
                values = {name: self._start(name, part) for name, part in case.items()}
                if self._value(claim.tree, values) is not True:
                    raise self.stop("the claim is not true")
            except Impossible:
                continue
        return ways

    def _start(self, name: str, part: Any) -> Any:
        """The value of a name at the start: a word, or low + step × (parts × k + rest) with a whole k."""
        domain = self._domains[name]
        if not isinstance(domain, Range):
            self.told.append(f"{name} = {part}")
            return part
        parts, rest = part
        if parts > 1:
            self.told.append(f"{name} = {parts}k + {rest}")
        low, high, step = domain.low, aligned_high(domain), domain.step
        k = self.symbols.of(name, nonnegative=low is not None or high is not None)
        if low is None and high is not None:
            return Quotient(self.symbols.number(high) - self.symbols.number(step) * (k * parts + rest))
        value = Quotient(self.symbols.number(step) * (k * parts + rest) + self.symbols.number(low or 0))
        if high is not None:
            self.fact(self.symbols.number(high) - value.top)
        return value

    # --- values --------------------------------------------------------------------------

    def _value(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        return getattr(self, f"_{type(node).__name__}")(node, names)

    def _Constant(self, node: ast.Constant, _names: Mapping[str, Any]) -> Any:
        value = node.value
        return value if isinstance(value, bool | str) else Quotient(self.symbols.number(value))  # type: ignore[arg-type]

    def _Name(self, node: ast.Name, names: Mapping[str, Any]) -> Any:
        if node.id in names:
            return names[node.id]
        return self._reading(node.id) if is_question(node.id) else self._apply(node.id, {})

    def _reading(self, question: str) -> str:
        if question not in self.chosen:
            readings = self._readings[question]
            if not readings:
                raise self.stop(f"{question} leaves it unspecified")
            self.chosen[question] = readings[self.choose(len(readings))]
        return self.chosen[question]

    def _UnaryOp(self, node: ast.UnaryOp, names: Mapping[str, Any]) -> Any:
        value = self._value(node.operand, names)
        if isinstance(node.op, ast.Not):
            return not value
        return Quotient(-value.top, value.bottom) if isinstance(node.op, ast.USub) else value

    def _BoolOp(self, node: ast.BoolOp, names: Mapping[str, Any]) -> Any:
        stop = isinstance(node.op, ast.Or)
        return stop if any(self._value(v, names) is stop for v in node.values) else not stop

    def _IfExp(self, node: ast.IfExp, names: Mapping[str, Any]) -> Any:
        return self._value(node.body if self._value(node.test, names) else node.orelse, names)

    def _BinOp(self, node: ast.BinOp, names: Mapping[str, Any]) -> Any:
        left, right = self._value(node.left, names), self._value(node.right, names)
        op = node.op
        if not isinstance(left, Quotient):
            return left + right  # two pools of dice
        if isinstance(op, ast.Add | ast.Sub):
            return left.plus(right if isinstance(op, ast.Add) else Quotient(-right.top, right.bottom))
        if isinstance(op, ast.Mult):
            return Quotient(left.top * right.top, left.bottom * right.bottom)
        if isinstance(op, ast.Pow):
            return self._power(left, right)
        quotient = self._divide(left, right, node.right)
        if isinstance(op, ast.Div):
            return quotient
        whole = self._floor(quotient)
        if isinstance(op, ast.FloorDiv):
            return whole
        return left.plus(Quotient(-right.top * whole.top, right.bottom * whole.bottom))

    def _divide(self, left: Quotient, right: Quotient, node: ast.expr) -> Quotient:
        sign = self.sign(right.top, ast.unparse(node))
        if sign == 0:
            raise self.stop(f"a division by zero ({ast.unparse(node)} = 0)")
        return self.symbols.reduced(left.top * right.bottom * sign, left.bottom * right.top * sign)

    def _power(self, base: Quotient, exponent: Quotient) -> Quotient:
        whole = self.symbols.constant_of(exponent)
        if whole is None or whole.denominator != 1 or abs(whole) > 12:
            raise self.stop("an exponent that varies, or is no whole number up to 12")
        if whole < 0:
            base = self._divide(Quotient(self.symbols.number(1)), base, ast.Name("the base"))
        return Quotient(base.top ** abs(int(whole)), base.bottom ** abs(int(whole)))

    def _floor(self, value: Quotient) -> Quotient:
        try:
            return self.symbols.floor(value)
        except OverflowError:
            raise self.stop(f"more than {MOST_FRESH} roundings") from None

    def _ceil(self, value: Quotient) -> Quotient:
        down = self._floor(Quotient(-value.top, value.bottom))
        return Quotient(-down.top, down.bottom)

    def _Compare(self, node: ast.Compare, names: Mapping[str, Any]) -> bool:
        left = self._value(node.left, names)
        shown = ast.unparse(node.left)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                assert isinstance(right_node, ast.Tuple)
                values = [self._value(e, names) for e in right_node.elts]
                holds = any(self._equal(left, v, shown) for v in values) is isinstance(op, ast.In)
                right = values
            else:
                right = self._value(right_node, names)
                holds = self._holds(op, left, right, f"{shown} - {ast.unparse(right_node)}")
            if not holds:
                return False
            left, shown = right, ast.unparse(right_node)
        return True

    def _holds(self, op: ast.cmpop, left: Any, right: Any, told: str) -> bool:
        if isinstance(op, ast.Eq | ast.NotEq):
            return self._equal(left, right, told) is isinstance(op, ast.Eq)
        lead = left.lead(right)
        if isinstance(op, ast.GtE | ast.Lt):
            return self.not_negative(lead, f"{told} >= 0") is isinstance(op, ast.GtE)
        return self.not_negative(-lead, f"{told} <= 0") is isinstance(op, ast.LtE)

    def _equal(self, left: Any, right: Any, told: str) -> bool:
        if not isinstance(left, Quotient):
            return bool(left == right)
        return self.sign(left.lead(right), told) == 0

    # --- calls ---------------------------------------------------------------------------

    def _Call(self, node: ast.Call, names: Mapping[str, Any]) -> Any:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name == "round":
            return self._round(self._value(node.args[0], names), node.args[1], names)
        if name in _OF_POOLS:
            return self._lift(_OF_POOLS[name](self._value(node.args[0], names)))
        builtin = getattr(self, f"_call_{name}", None)
        if builtin is not None:
            return builtin([self._value(a, names) for a in node.args], ast.unparse(node))
        body = self._bodies[name]
        return self._apply(name, {p: self._value(a, names) for p, a in bind(node, body.params).items()})

    def _call_floor(self, values: list[Any], _told: str) -> Quotient:
        return self._floor(values[0])

    def _call_ceil(self, values: list[Any], _told: str) -> Quotient:
        return self._ceil(values[0])

    def _call_abs(self, values: list[Any], told: str) -> Quotient:
        (value,) = values
        positive = self.not_negative(value.top, f"{told[4:-1]} >= 0")
        return value if positive else Quotient(-value.top, value.bottom)

    def _call_max(self, values: list[Any], told: str) -> Quotient:
        best: Quotient = values[0]
        for value in values[1:]:
            best = best if self.not_negative(best.lead(value), f"{told} is its earlier input") else value
        return best

    def _call_min(self, values: list[Any], told: str) -> Quotient:
        best: Quotient = values[0]
        for value in values[1:]:
            best = best if self.not_negative(value.lead(best), f"{told} is its earlier input") else value
        return best

    def _call_sum(self, values: list[Any], _told: str) -> Quotient:
        total: Quotient = values[0]
        for value in values[1:]:
            total = total.plus(value)
        return total

    def _call_clamp(self, values: list[Any], told: str) -> Quotient:
        value, low, high = values
        if not self.not_negative(high.lead(low), f"the bounds of {told} are in order"):
            raise self.stop("a clamp whose bounds are crossed")
        return self._call_min([self._call_max([value, low], told), high], told)

    def _round(self, value: Quotient, mode_node: ast.expr, names: Mapping[str, Any]) -> Quotient:
        # The mode is asked for where there may be something to round: more readings than the engine meets, never fewer.
        if self.symbols.whole(value):
            return value
        mode = self._value(mode_node, names)
        half = Quotient(self.symbols.number(Fraction(1, 2)))
        up = self._floor(value.plus(half))
        if mode == "half-up":
            return up
        down = self._ceil(value.plus(Quotient(-half.top)))
        if mode == "half-down":
            return down
        if mode in ("floor", "ceil"):
            return self._floor(value) if mode == "floor" else self._ceil(value)
        if mode == "half-away":
            return up if self.not_negative(value.top, "the rounded value is not negative") else down
        # half-even: the even one of the two, which are one and the same away from a tie.
        odd = up.plus(Quotient(-self._floor(Quotient(up.top / 2, up.bottom)).top * 2))
        return up if self.sign(odd.top, "the parity") == 0 else down

    def _apply(self, name: str, given: Mapping[str, Any]) -> Any:
        body = self._bodies[name]
        if isinstance(body, LookupTable):
            return self._look_up(body, [given[p] for p in body.params])
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise self.stop(f"{name} calls itself without an end in sight")
        value = self._value(body.formula.tree, given) if isinstance(body, Definition) else self._decide(body, given)
        self._depth -= 1
        return value

    def _decide(self, body: DecisionTable, given: Mapping[str, Any]) -> Any:
        applying = [row for row in body.rows if self._value(row.when.tree, given)]
        if not applying:
            raise self.stop(f"no row of {body.name} applies")
        first, *others = [self._value(row.value.tree, given) for row in applying]
        if not all(self._equal(first, other, f"the rows of {body.name} differ by") for other in others):
            raise self.stop(f"two rows of {body.name} differ")
        return first

    def _look_up(self, body: LookupTable, key: list[Any]) -> Any:
        for cell_key, cell in body.cells.items():
            wanted = [self._lift(k) for k in cell_key]
            if all(self._equal(k, w, f"{p} -") for k, w, p in zip(key, wanted, body.params, strict=True)):
                return self._lift(cell)
        raise self.stop(f"no row of {body.name} is meant")

    def _lift(self, value: Any) -> Any:
        number = isinstance(value, int | Fraction) and not isinstance(value, bool)
        return Quotient(self.symbols.number(value)) if number else value
