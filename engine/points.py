"""The points of declared domains, near ones first, and what a formula gives there under every reading."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import count, islice, product
from math import prod
from typing import Any

from engine.book.domains import Domain, Range
from engine.book.model import Book
from engine.dice import Number, plain
from engine.errors import BoundError, DomainError, FormulaError, Undetermined, Unspecified
from engine.formula.types import called, formulas_of
from engine.run import OpenQuestion, Run
from engine.values import show

MOST_BRANCHES = 4096

_PLAIN = re.compile(r"-?[A-Za-z0-9][A-Za-z0-9 _+./-]*")


def aligned_high(domain: Range) -> Number | None:
    """The greatest value of a range, which is its upper bound only where the steps meet it."""
    if domain.high is None:
        return None
    return plain(domain.high - Fraction(domain.high - (domain.low or 0)) % domain.step)


@dataclass(frozen=True)
class Axis:
    """The values of one name in order of their distance: from the lower bound, or from zero where there is none.

    A word's distance is its place in the list. Distances are whole: steps of the range, places in the list.
    """

    domain: Domain

    def group(self, distance: int) -> tuple[Any, ...]:
        """The values at `distance`: one, or two (the positive first) where a range is open below."""
        if not isinstance(self.domain, Range):
            return self._listed[distance : distance + 1]
        low, high, step = self.domain.low, aligned_high(self.domain), self.domain.step
        ways: tuple[Number, ...]
        if low is not None:
            ways = (low + distance * step,)
        elif high is not None and high < 0:
            ways = (high - distance * step,)
        else:
            ways = (distance * step, -distance * step) if distance else (0,)
        return tuple(plain(v) for v in ways if (high is None or v <= high))

    @cached_property
    def _listed(self) -> tuple[Any, ...]:
        return tuple(self.domain.values())

    @cached_property
    def farthest(self) -> int | None:
        """The greatest distance; None where there is no end of values."""
        if not isinstance(self.domain, Range):
            return len(self._listed) - 1
        if self.domain.low is None or self.domain.high is None:
            return None
        return int((self.domain.high - self.domain.low) // self.domain.step)

    @cached_property
    def size(self) -> int | None:
        """How many values there are; None where there is no end of them."""
        return None if self.farthest is None else self.farthest + 1

    def distance(self, value: Any) -> int:
        """How far `value`, which lies in the domain, is from where the axis begins."""
        if not isinstance(self.domain, Range):
            return self._listed.index(value)
        low, high, step = self.domain.low, aligned_high(self.domain), self.domain.step
        start = low if low is not None else high if high is not None and high < 0 else 0
        return int(abs(value - start) // step)

    def values(self) -> Iterator[Any]:
        """The values in order of their distance."""
        distances = count() if self.farthest is None else range(self.farthest + 1)
        return (value for distance in distances for value in self.group(distance))

    def first(self, most: int) -> tuple[Any, ...]:
        """The nearest values, at most `most` of them."""
        return tuple(islice(self.values(), most))


def axes_of(domains: Mapping[str, Domain], params: Sequence[str]) -> list[Axis]:
    """One axis for each parameter, in their order."""
    return [Axis(domains[param]) for param in params]


def size_of(axes: Sequence[Axis]) -> int | None:
    """How many points there are; None where there is no end of them."""
    total = 1
    for axis in axes:
        if axis.size is None:
            return None
        total *= axis.size
    return total


def by_distance(axes: Sequence[Axis], most: int | None = None) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Points in rising order of the sum of their distances, with that sum; at most `most` of them.

    Among equals, those come first whose first names are nearer. Endless where a domain has no end and `most` is None.
    """
    reach = [axis.farthest for axis in axes]
    ends: list[int | None] = [0]
    for far in reversed(reach):
        ends.insert(0, None if far is None or ends[0] is None else ends[0] + far)

    def shell(at: int, left: int) -> Iterator[tuple[Any, ...]]:
        if at == len(axes):
            yield ()
            return
        rest, far = ends[at + 1], reach[at]
        least = 0 if rest is None else max(0, left - rest)
        for distance in range(least, (left if far is None else min(left, far)) + 1):
            for value in axes[at].group(distance):
                for tail in shell(at + 1, left - distance):
                    yield (value, *tail)

    def all_points() -> Iterator[tuple[int, tuple[Any, ...]]]:
        for total in count() if ends[0] is None else range(ends[0] + 1):
            for point in shell(0, total):
                yield total, point

    return all_points() if most is None else islice(all_points(), most)


def window(
    axes: Sequence[Axis], named: set[Number], most_complete: int, most: int
) -> tuple[list[tuple[Any, ...]], bool]:
    """The values of each axis to look at, and whether those are all.

    All of them where that makes at most `most_complete` points; else at most `most` points: the nearest values, and
    those next to an end or to one of the numbers `named`. Raises `BoundError` where there are too many axes for that.
    """
    size = size_of(axes)
    if size is not None and size <= most_complete:
        return [tuple(axis.values()) for axis in axes], True
    for nearest in (41, 31, 21, 15, 11, 8, 6, 5, 4, 3, 2):
        lists = [_near(axis, nearest, named if nearest > 5 else set()) for axis in axes]
        if prod(len(values) for values in lists) <= most:
            return lists, False
    raise BoundError("too many inputs to look through", "narrow them (a table takes `window:`)")


def _near(axis: Axis, nearest: int, named: set[Number]) -> tuple[Any, ...]:
    domain = axis.domain
    if not isinstance(domain, Range) or (axis.size is not None and axis.size <= nearest):
        return axis.first(10 * nearest)
    values = list(axis.first(nearest))
    last = aligned_high(domain)
    ends: set[Number] = set() if last is None else {last}
    for value in sorted({plain(n + d * domain.step) for n in named for d in (-1, 0, 1)} | ends):
        if value not in values and _holds(domain, value):
            values.append(value)
    return tuple(values)


def _holds(domain: Range, value: Any) -> bool:
    try:
        domain.check(value)
    except DomainError:
        return False
    return True


def in_order(axes: Sequence[Axis], lists: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Every combination of the values, in rising order of the sum of their distances."""
    distances = [{v: axis.distance(v) for v in values} for axis, values in zip(axes, lists, strict=True)]

    def far(point: tuple[Any, ...]) -> tuple[int, tuple[int, ...]]:
        each = tuple(known[value] for known, value in zip(distances, point, strict=True))
        return sum(each), each

    return sorted(product(*lists), key=far)


def numbers_in(book: Book, name: str) -> set[Number]:
    """The numbers, and their opposites, that a definition's formulas name, and those of all that it calls."""
    bodies = {c.body.name: c.body for c in book.clauses.values() if c.body is not None}
    numbers: set[Number] = set()
    waiting, seen = [name], {name}
    while waiting:
        formulas = formulas_of(bodies.get(waiting.pop()))
        for formula in formulas:
            for node in ast.walk(formula.tree):
                value: Any = node.value if isinstance(node, ast.Constant) else None
                if isinstance(value, int | Fraction) and not isinstance(value, bool):
                    numbers |= {value, -value}
        new = called(formulas, bodies.keys() - seen)
        waiting += sorted(new)
        seen |= new
    return numbers


class Replay:
    """Evaluates compiled formulas of a book under every reading that they meet."""

    def __init__(self, book: Book, under: Mapping[str, str]) -> None:
        self.fixed: Mapping[str, str] = {**book.ruled, **under}
        self.missing = {q.name: (q.id, q.title) for q in book.questions.values() if not q.readings}
        self.readings = {q.name: tuple(r.id for r in q.readings) for q in book.questions.values() if q.readings}
        self._met: dict[Callable[..., Any], list[dict[str, str]]] = {}

    def outcomes(self, function: Callable[..., Any], point: Sequence[Any]) -> Iterable[tuple[dict[str, str], Any]]:
        """What `function` gives at `point` under each combination of the open readings that it meets.

        A value may be an `Unspecified`, an `Undetermined` (rows of a table that differ) or a `FormulaError` (a
        division by zero). Raises `BoundError` where there are too many combinations, or no end of calls.
        """
        # Most points meet the questions that the point before them met: then no question has to be come upon first.
        again = self._again(function, point)
        return self._found(function, point) if again is None else again

    def _found(self, function: Callable[..., Any], point: Sequence[Any]) -> Iterator[tuple[dict[str, str], Any]]:
        """The outcomes, as questions are come upon one after another."""
        met: list[dict[str, str]] = []
        pending: list[dict[str, str]] = [{}]
        branches = 0
        while pending:
            chosen = pending.pop()
            try:
                value = self._value(function, point, self._run(chosen))
            except OpenQuestion as question:
                pending.extend({**chosen, question.name: r} for r in reversed(self.readings[question.name]))
                branches += 1
                if branches > MOST_BRANCHES:
                    raise BoundError(f"more than {MOST_BRANCHES} combinations of readings", "fix some") from None
                continue
            met.append(chosen)
            yield chosen, value
        self._met[function] = met

    def _again(self, function: Callable[..., Any], point: Sequence[Any]) -> list[tuple[dict[str, str], Any]] | None:
        """The outcomes under the combinations that were met last; None where this point does not meet just these."""
        found = []
        for chosen in self._met.get(function, ()):
            run = self._run(chosen)
            try:
                found.append((chosen, self._value(function, point, run)))
            except OpenQuestion:
                return None
            if run.consulted.keys() - self.fixed.keys() != chosen.keys():
                return None
        return found or None

    def _run(self, chosen: Mapping[str, str]) -> Run:
        return Run({**self.fixed, **chosen} if chosen else self.fixed, self.missing)

    @staticmethod
    def _value(function: Callable[..., Any], point: Sequence[Any], run: Run) -> Any:
        try:
            return function(run, *point)
        except (Unspecified, Undetermined, FormulaError) as problem:
            return problem
        except RecursionError:
            raise BoundError("a recursion that does not end", "give it a base case") from None


def case_text(given: Mapping[str, Any], outcome: str, under: Mapping[str, str]) -> str:
    """A line to paste below a clause's `cases:`: `- {AP: 4, BPI: 8, is: unspecified, under: {Q19: half}}`."""
    parts = [f"{name}: {_scalar(show(value))}" for name, value in given.items()] + [f"is: {_scalar(outcome)}"]
    if under:
        parts.append("under: {" + ", ".join(f"{q}: {_scalar(r)}" for q, r in under.items()) + "}")
    return "- {" + ", ".join(parts) + "}"


def _scalar(text: str) -> str:
    """`text` as YAML that is read back as it is, in quotes where it must be."""
    return text if _PLAIN.fullmatch(text) and text not in ("null", "is") else json.dumps(text, ensure_ascii=False)
