"""Whether a property's claim holds on its whole domain: proved, checked point by point, or sampled."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from engine.book.domains import Domain
from engine.book.model import Property
from engine.errors import BoundError, DomainError, FormulaError, InputError, Undetermined, Unspecified
from engine.formula.compile import compile_expression
from engine.formula.prove import prove
from engine.formula.ways import NotProved
from engine.points import Replay, axes_of, by_distance, size_of
from engine.readings import Engine
from engine.run import OpenQuestion, Run
from engine.values import show

MOST_EVALUATIONS = 2_000_000
WINDOW = 400
SEARCH = 20_000

Method = Literal["proved", "checked", "sampled"]
_METHODS: Mapping[str, Method] = {"proof": "proved", "enumeration": "checked", "sampling": "sampled"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a claim.

    `holds` is whether it is established on the whole domain (for "sampled": on every example). Else
    `counterexample` is the smallest input that breaks it, where one was found, and `readings` the readings under which
    it does. `points` counts evaluations (examples, for "sampled"). `fault` says what is wrong with a `broken:` that
    does not fit: the claim holds, the declared input does not break it, or a smaller one does.
    """

    holds: bool
    method: Method
    counterexample: Mapping[str, Any] | None
    readings: Mapping[str, str]
    points: int
    note: str
    fault: str = ""


@dataclass(frozen=True, slots=True)
class _Break:
    """Where and why a claim fails."""

    distance: int
    point: tuple[Any, ...]
    readings: Mapping[str, str]
    reason: str


def judge(engine: Engine, prop: Property) -> Verdict:
    """The verdict on `prop`, by the method that it names and no other.

    Under every reading of every question that the claim meets, `prop.under` and rulings aside. A value that the text
    leaves unspecified, two rows that differ and a division by zero break a claim. Raises `BoundError` beyond 2,000,000
    evaluations, `DomainError` for an enumeration of a domain without end.
    """
    claim = _Claim(engine, prop)
    try:
        return _by_method(claim) if prop.broken is None else _known_defect(claim, prop.broken)
    except InputError as error:
        raise error.at(prop.place) from None


def _by_method(claim: _Claim) -> Verdict:
    return {"proof": _prove, "enumeration": _enumerate, "sampling": _sample}[claim.prop.by](claim)


class _Claim:
    """A property's claim, compiled once."""

    def __init__(self, engine: Engine, prop: Property) -> None:
        self.prop = prop
        self.book = engine.book
        self.params = tuple(prop.domains)
        self.domains: Mapping[str, Domain] = prop.domains
        self.axes = axes_of(prop.domains, self.params)
        self.check = compile_expression(prop.claim, self.params, engine.book, engine.functions)
        self.replay = Replay(engine.book, prop.under)

    def breaks(self, point: Sequence[Any]) -> tuple[Mapping[str, str], str] | None:
        """The readings and the reason why the claim fails at `point`; None where it holds."""
        for readings, value in self.replay.outcomes(self.check, point):
            if value is not True:
                return readings, _reason(value)
        return None

    def broken_points(self, points: Iterator[tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], dict[str, str], str]]:
        """The points at which the claim fails. Evaluates without detours while nothing is open."""
        check, fixed, missing = self.check, self.replay.fixed, self.replay.missing
        closed = True
        for point in points:
            if closed:
                try:
                    if check(Run(fixed, missing), *point) is True:
                        continue
                except OpenQuestion:
                    closed = False
                except (Unspecified, Undetermined, FormulaError, RecursionError):
                    pass
            found = self.breaks(point)
            if found is not None:
                yield point, dict(found[0]), found[1]

    def distance(self, point: Sequence[Any]) -> int:
        return sum(axis.distance(value) for axis, value in zip(self.axes, point, strict=True))

    def named(self, point: Sequence[Any]) -> dict[str, Any]:
        return dict(zip(self.params, point, strict=True))

    def failed(self, found: _Break, method: Method, points: int, note: str) -> Verdict:
        under = ", ".join(f"{q} = {r}" for q, r in found.readings.items())
        where = ", ".join(f"{n} = {show(v)}" for n, v in self.named(found.point).items()) or "always"
        text = f"broken at {where}"
        text += f" under {under}" if under else ""
        text += f": {found.reason}" if found.reason else ""
        text += f"; {note}" if note else ""
        return Verdict(
            holds=False,
            method=method,
            counterexample=self.named(found.point),
            readings=found.readings,
            points=points,
            note=text,
        )


def _without_counterexample(method: Method, points: int, note: str, *, holds: bool) -> Verdict:
    return Verdict(holds=holds, method=method, counterexample=None, readings={}, points=points, note=note)


def _reason(value: Any) -> str:
    if value is False:
        return ""
    if isinstance(value, FormulaError):
        return value.problem
    return str(value)


def _first_break(claim: _Claim, most: int | None, nearer_than: int | None = None) -> tuple[_Break | None, int]:
    """The first failure in order of distance, among `most` points nearer than a distance; and the points looked at."""
    points = 0
    for distance, point in by_distance(claim.axes, most):
        if nearer_than is not None and distance >= nearer_than:
            break
        points += 1
        found = claim.breaks(point)
        if found is not None:
            return _Break(distance, point, *found), points
    return None, points


def _prove(claim: _Claim) -> Verdict:
    prop = claim.prop
    try:
        cases = prove(prop.claim, claim.domains, claim.book, prop.under, prop.split)
    except NotProved as stopped:
        found, points = _first_break(claim, SEARCH)
        if found is not None:
            return claim.failed(found, "proved", points, "")
        note = f"not proved: {stopped} (no counterexample among the {points:,} nearest inputs)"
        return _without_counterexample("proved", points, note, holds=False)
    # A second, independent look: what is proved must hold where it can be computed.
    found, points = _first_break(claim, WINDOW)
    if found is not None:
        raise AssertionError(f"{prop.id} was proved, but {claim.failed(found, 'proved', points, '').note}")
    plural = "" if cases == 1 else "s"
    note = f"proved in {cases} case{plural}; {points} points agree"
    return _without_counterexample("proved", points, note, holds=True)


def _enumerate(claim: _Claim) -> Verdict:
    size = size_of(claim.axes)
    if size is None:
        endless = ", ".join(a.domain.name for a in claim.axes if a.size is None)
        raise DomainError(f"{claim.prop.id} runs over {endless}, which has no end", "narrow it with `for`, or prove it")
    if size > MOST_EVALUATIONS:
        remedy = f"at most {MOST_EVALUATIONS:,}: narrow it with `for`"
        raise BoundError(f"{claim.prop.id} runs over {size:,} inputs", remedy)
    values = [tuple(axis.values()) for axis in claim.axes]
    best: tuple[tuple[Any, ...], _Break] | None = None
    for point, readings, reason in claim.broken_points(itertools.product(*values)):
        distances = tuple(axis.distance(value) for axis, value in zip(claim.axes, point, strict=True))
        key = (sum(distances), distances)
        if best is None or key < best[0]:
            best = (key, _Break(sum(distances), point, readings, reason))
    if best is not None:
        return claim.failed(best[1], "checked", size, f"{size:,} inputs checked")
    return _without_counterexample("checked", size, f"checked at every one of {size:,} inputs", holds=True)


def _sample(claim: _Claim) -> Verdict:
    from engine.sampling import smallest_failure

    found, examples = smallest_failure(claim.axes, lambda point: claim.breaks(point) is not None)
    if found is None:
        note = f"held on {examples} examples: sampled, not proved"
        return _without_counterexample("sampled", examples, note, holds=True)
    failure = claim.breaks(found)
    assert failure is not None
    return claim.failed(_Break(claim.distance(found), found, *failure), "sampled", examples, f"{examples} examples")


def _known_defect(claim: _Claim, declared: Mapping[str, Any]) -> Verdict:
    """Holds a `broken:` to what it says: its input breaks the claim, and no smaller one does.

    That takes no more than the inputs that are smaller, so the domain may be without end whatever the method.
    """
    prop = claim.prop
    if declared.keys() != set(claim.params):
        names = ", ".join(claim.params)
        raise InputError(f"{prop.id}: `broken` does not name the claim's inputs", f"give {names}", prop.place)
    point = tuple(claim.domains[name].check(declared[name]) for name in claim.params)
    found = claim.breaks(point)
    if found is None:
        return _not_broken_there(claim)
    here = _Break(claim.distance(point), point, *found)
    smaller, points = _first_break(claim, MOST_EVALUATIONS, nearer_than=here.distance)
    method = _METHODS[prop.by]
    if smaller is not None:
        shown = claim.failed(smaller, method, points, "")
        return replace(shown, fault=f"a smaller input breaks the claim: {shown.note}")
    cut = points == MOST_EVALUATIONS
    note = "there is no smaller input"
    if points:
        note = f"none of the {points:,} {'nearest' if cut else 'smaller'} inputs does"
    return claim.failed(here, method, points, note)


def _not_broken_there(claim: _Claim) -> Verdict:
    fault = "the declared input does not break the claim"
    endless = claim.prop.by == "enumeration" and size_of(claim.axes) is None
    if endless:
        found, points = _first_break(claim, SEARCH)
        if found is None:
            note = f"not broken at any of the {points:,} nearest inputs"
            return replace(_without_counterexample("checked", points, note, holds=False), fault=fault)
        verdict = claim.failed(found, "checked", points, "")
    else:
        verdict = _by_method(claim)
    return replace(verdict, fault=fault if verdict.counterexample is None else f"{fault}; {verdict.note}")
