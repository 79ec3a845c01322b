"""Decision tables looked through: inputs that no row covers, that two rows answer differently, rows never used."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engine.book.domains import Domain, Range
from engine.book.model import Clause, DecisionTable
from engine.errors import FormulaError, Undetermined, Unspecified
from engine.formula.compile import compile_expression
from engine.points import Axis, Replay, axes_of, case_text, in_order, numbers_in, window
from engine.readings import Engine
from engine.run import Run
from engine.values import show

MOST_COMPLETE = 200_000
MOST_WINDOW = 20_000

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """A hole in a decision table, or a row without use.

    `rows` are the numbers, from 1, of the rows that differ, or of the row that never applies; none for a gap.
    `witness` is the smallest input that shows it, `readings` the combinations of readings under which it does (one
    empty combination where it does whatever is read), `case` the witness as a line to paste below `cases:`.
    """

    kind: Literal["gap", "conflict", "dead row"]
    rows: tuple[int, ...]
    witness: Mapping[str, Any]
    readings: tuple[Mapping[str, str], ...]
    case: str


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found in a table, and where it was looked for.

    `complete` is whether every input of the declared domains was looked at; `searched` says it for people.
    """

    findings: tuple[Finding, ...]
    searched: str
    points: int
    complete: bool


def check(engine: Engine, clause: Clause) -> tuple[Finding, ...]:
    """The gaps, conflicts and dead rows of a clause's decision table; none for other clauses."""
    return survey(engine, clause).findings


def survey(engine: Engine, clause: Clause) -> Survey:
    """Looks through the decision table of `clause` under every reading that its rows consult.

    Over the declared domains, narrowed by the table's `window`; where those have no end or hold too many inputs, over
    the inputs near zero, near the ends, and near each number that the formulas name. Raises `BoundError` where even
    those are too many, `FormulaError` where a condition cannot be computed.
    """
    body = clause.body
    if not isinstance(body, DecisionTable):
        return Survey((), "no decision table", 0, complete=True)
    domains = {param: body.window.get(param) or engine.book.domains[param] for param in body.params}
    axes = axes_of(domains, body.params)
    lists, complete = window(axes, numbers_in(engine.book, body.name), MOST_COMPLETE, MOST_WINDOW)
    points = in_order(axes, lists)
    look = _looker(engine, body)
    replay = Replay(engine.book, {})
    found: dict[tuple[str, tuple[int, ...]], dict[frozenset[tuple[str, str]], int]] = {}
    alive: set[int] = set()
    for index, point in enumerate(points):
        for readings, value in replay.outcomes(look, point):
            if isinstance(value, FormulaError):
                where = ", ".join(f"{n} = {show(v)}" for n, v in zip(body.params, point, strict=True))
                raise FormulaError(f"{clause.id}: {value.problem} at {where}", value.remedy, clause.place)
            if isinstance(value, Unspecified | Undetermined):
                continue  # a condition that the text leaves open elsewhere: that is the other clause's finding
            applying, conflicts = value
            alive.update(applying)
            kinds: list[tuple[str, tuple[int, ...]]] = [("conflict", pair) for pair in conflicts]
            for kind in kinds if applying else [("gap", ())]:
                found.setdefault(kind, {}).setdefault(frozenset(readings.items()), index)
    findings = [
        finding for (kind, rows), where in found.items() for finding in _grouped(kind, rows, where, points, body.params)
    ]
    dead = [i for i in range(1, len(body.rows) + 1) if i not in alive]
    findings += [Finding("dead row", (i,), {}, ({},), "") for i in dead]
    return Survey(tuple(findings), _searched(domains, lists, complete=complete), len(points), complete)


def _looker(engine: Engine, body: DecisionTable) -> Function:
    def compiled(formula: Any) -> Function:
        return compile_expression(formula, body.params, engine.book, engine.functions)

    whens = [(i, compiled(row.when)) for i, row in enumerate(body.rows, 1)]
    values = {i: compiled(row.value) for i, row in enumerate(body.rows, 1)}

    def look(run: Run, *point: Any) -> tuple[tuple[int, ...], list[tuple[int, int]]]:
        applying = tuple(i for i, when in whens if when(run, *point))
        if len(applying) < 2:
            return applying, []
        given = {}
        for i in applying:
            try:
                given[i] = values[i](run, *point)
            except Unspecified as missing:
                given[i] = missing.reference
        pairs = itertools.combinations(applying, 2)
        return applying, [(i, j) for i, j in pairs if type(given[i]) is not type(given[j]) or given[i] != given[j]]

    return look


def _grouped(
    kind: str,
    rows: tuple[int, ...],
    where: Mapping[frozenset[tuple[str, str]], int],
    points: Sequence[tuple[Any, ...]],
    params: Sequence[str],
) -> Iterator[Finding]:
    """One finding for each witness; a combination of readings that adds nothing to a smaller one is left out."""
    groups: dict[int, list[dict[str, str]]] = {}
    for readings, index in where.items():
        if not any(other < readings and at <= index for other, at in where.items()):
            groups.setdefault(index, []).append(dict(sorted(readings)))
    for index in sorted(groups):
        witness = dict(zip(params, points[index], strict=True))
        outcome = "unspecified" if kind == "gap" else "undetermined"
        case = case_text(witness, outcome, groups[index][0])
        yield Finding("gap" if kind == "gap" else "conflict", rows, witness, tuple(groups[index]), case)


def _searched(domains: Mapping[str, Domain], lists: Sequence[Sequence[Any]], *, complete: bool) -> str:
    if complete:
        return "every input: " + (", ".join(f"{name} {domain}" for name, domain in domains.items()) or "there is one")
    parts = []
    for (name, domain), values in zip(domains.items(), lists, strict=True):
        if Axis(domain).size == len(values) or not isinstance(domain, Range):
            parts.append(f"{name} {domain}")
        else:
            parts.append(f"{name} {show(min(values))}..{show(max(values))} ({len(values)} of {domain})")
    return "a window: " + ", ".join(parts)
