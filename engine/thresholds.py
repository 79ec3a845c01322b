"""Whether the cases of a book pin every comparison and every number of a clause.

Each is changed a little, as a slip of the pen would: where no case and no witness of the whole book then comes out
differently, a case is missing.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from engine.book.model import Body, Clause, DecisionTable, Definition, Record
from engine.errors import BoundError, FormulaError, RawError, Undetermined, Unspecified
from engine.formula.compile import Function, Workbench, link
from engine.formula.mutants import mutants
from engine.formula.parse import Formula
from engine.formula.prove import prove
from engine.formula.ways import NotProved
from engine.points import Replay, axes_of, case_text, in_order, numbers_in, window
from engine.readings import Answer, Engine
from engine.run import Run
from engine.values import canonical, same, show

MOST_POINTS = 1200

State = Literal["pinned", "same", "loose"]


@dataclass(frozen=True, slots=True)
class Threshold:
    """One small change of a clause's formula, and whether a case would notice.

    `text` is the part as it stands, `change` what it was changed to. `state` is "pinned" where some case or witness
    comes out differently, "same" where no input does, "loose" where only a case is missing: then `case` is one that
    would notice, as a line to paste (its value is the formula's own: check it by hand). `why` is for people.
    """

    text: str
    change: str
    state: State
    why: str
    case: str = ""

    @property
    def pinned(self) -> bool:
        """Whether nothing is missing: a case notices, or no case could."""
        return self.state != "loose"


@dataclass(frozen=True, slots=True)
class Change:
    """A small change of a clause's formula: `changed` stands in for `body`, which is `before` become `after`."""

    clause: Clause
    body: Definition | DecisionTable
    changed: Definition | DecisionTable
    before: str
    after: str

    def found(self, state: State, why: str, case: str = "") -> Threshold:
        """The verdict on it."""
        return Threshold(self.before, self.after, state, why, case)

    @property
    def nothing_tells(self) -> str:
        """How the reason begins where no input tells the two apart."""
        return f"nothing tells `{self.before}` from `{self.after}`: "


@dataclass(frozen=True, slots=True)
class _Probe:
    """One call that the suite makes, and how it comes out."""

    owner: str
    call: str
    given: Mapping[str, Any]
    rolls: tuple[int, ...] | None
    under: Mapping[str, str]
    expected: Any
    outcome: Any = None


def check(engine: Engine, clause: Clause) -> tuple[Threshold, ...]:
    """Every small change of the formulas of `clause`, in the order of the formulas; none where it has no formula.

    Comparisons to their neighbours, numbers by one (decimals by a tenth of themselves), floor and ceil, min and max,
    `and` and `or`, ways to round. A change counts as noticed where any case or witness of the book that reaches the
    definition comes out differently or not at all.
    """
    bench = _bench(engine)
    found = []
    for body in _changeable(clause.body):
        for changed, before, after in _changes(body):
            found.append(bench.judge(Change(clause, body, changed, before, after)))
    return tuple(found)


def _changeable(body: Body | None) -> list[Definition | DecisionTable]:
    if isinstance(body, Record):
        return list(body.formulas.values())
    return [body] if isinstance(body, Definition | DecisionTable) else []


def _changes(body: Definition | DecisionTable) -> Iterator[tuple[Definition | DecisionTable, str, str]]:
    if isinstance(body, Definition):
        for formula, before, after in mutants(body.formula):
            yield dataclasses.replace(body, formula=formula), before, after
        return
    for i, row in enumerate(body.rows):
        changed_rows = [
            *((dataclasses.replace(row, when=f), before, after) for f, before, after in mutants(row.when)),
            *((dataclasses.replace(row, value=f), before, after) for f, before, after in mutants(row.value)),
        ]
        for changed, before, after in changed_rows:
            yield dataclasses.replace(body, rows=(*body.rows[:i], changed, *body.rows[i + 1 :])), before, after


@lru_cache(maxsize=8)
def _bench(engine: Engine) -> _Bench:
    """What is the same for every clause of a book: its calls, how they come out, and what they reach."""
    return _Bench(engine)


class _Bench:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._workbench = Workbench(engine.book)
        self._changed = _with_functions(engine, self._workbench.functions)
        self._probes: dict[str, list[_Probe]] = {}
        reached: set[str] = set()

        def wrap(name: str, _clause: str, function: Function) -> Function:
            def noted(run: Run, *arguments: Any) -> Any:
                reached.add(name)
                return function(run, *arguments)

            return noted

        noting = _with_functions(engine, link(engine.book, wrap))
        for probe in _probes_of(engine):
            reached.clear()
            settled = dataclasses.replace(probe, outcome=_outcome(noting, probe))
            for name in reached:
                self._probes.setdefault(name, []).append(settled)

    def judge(self, change: Change) -> Threshold:
        """What becomes of the book's calls under a change."""
        probes = self._probes.get(change.body.name, [])
        own = [probe for probe in probes if probe.owner == change.clause.id]
        others = [probe for probe in probes if probe.owner != change.clause.id]
        with self._workbench.exchanged(change.changed, change.clause.id) as function:
            return (
                self._told(own, change)
                # A proof is sooner at hand than whole fights: no call within the domains tells what is proved the same.
                or self._proved(change)
                or self._told(others, change)
                or self._search(change, function)
            )

    def untold(self, change: Change, function: Function) -> Threshold:
        """What becomes of a change that no call of the book tells: proved the same, or an input that would tell it."""
        return self._proved(change) or self._search(change, function)

    def _told(self, probes: Sequence[_Probe], change: Change) -> Threshold | None:
        """The first of the book's calls that comes out differently."""
        for probe in probes:
            if _outcome(self._changed, probe) != probe.outcome:
                return change.found("pinned", f"a case of {probe.owner} tells `{change.before}` from `{change.after}`")
        return None

    def _search(self, change: Change, function: Function) -> Threshold:
        """Looks for an input that tells the two apart: the case that is missing."""
        book, body = self._engine.book, change.body
        axes = axes_of(book.domains, body.params)
        numbers = numbers_in(book, body.name)
        try:
            lists, complete = window(axes, numbers, MOST_POINTS, MOST_POINTS)
        except BoundError:
            lists, complete = [axis.first(2) for axis in axes[:10]] + [axis.first(1) for axis in axes[10:]], False
        replay = Replay(book, {})
        original = self._engine.functions[body.name]
        points = in_order(axes, lists)
        for point in points:
            told = _difference(replay, original, function, point)
            if told is not None:
                case = case_text(dict(zip(body.params, point, strict=True)), *told)
                told_by = f"tells `{change.before}` from `{change.after}`; this one would: {case}"
                return change.found("loose", f"no case of {change.clause.id} {told_by}", case)
        if complete:
            return change.found("same", f"{change.nothing_tells}they agree on every input")
        looked_at = f"they agree on the {len(points):,} inputs looked at, not proved"
        return change.found("same", change.nothing_tells + looked_at)

    def _proved(self, change: Change) -> Threshold | None:
        book, body = self._engine.book, change.body
        twin = dataclasses.replace(change.changed, name=f"{body.name}.changed")
        other = dataclasses.replace(change.clause, id=f"{change.clause.id}.changed", body=twin)
        both = dataclasses.replace(book, clauses={**book.clauses, other.id: other})
        inputs: list[ast.expr] = [ast.Name(id=p, ctx=ast.Load()) for p in body.params]
        sides = [
            ast.Call(func=ast.Name(id=n, ctx=ast.Load()), args=inputs, keywords=[]) for n in (body.name, twin.name)
        ]
        tree = ast.Compare(left=sides[0], ops=[ast.Eq()], comparators=[sides[1]])
        claim = Formula("", tree, frozenset(body.params), frozenset(), frozenset())
        try:
            prove(claim, {p: book.domains[p] for p in body.params}, both)
        except NotProved:
            return None
        return change.found("same", f"{change.nothing_tells}proved")


def _with_functions(engine: Engine, functions: Mapping[str, Function]) -> Engine:
    """The engine, calling other functions."""
    other = copy.copy(engine)
    other.functions = functions  # type: ignore[assignment]
    return other


def _probes_of(engine: Engine) -> Iterator[_Probe]:
    for clause in engine.book.clauses.values():
        for case in clause.cases:
            yield _Probe(clause.id, case.call, case.given, case.rolls, case.under, case.expected)
    for question in engine.book.questions.values():
        for witness in question.witnesses:
            for reading in question.readings:
                rolls = witness.rolls[reading.id] if isinstance(witness.rolls, Mapping) else witness.rolls
                under = {**witness.under, question.name: reading.id}
                yield _Probe(question.id, witness.call, witness.given, rolls, under, witness.gives.get(reading.id))


def _outcome(engine: Engine, probe: _Probe) -> Any:
    """How a call comes out, as far as the suite compares it."""
    try:
        answer = engine.ask(probe.call, probe.given, rolls=probe.rolls, under=probe.under)
        return _compared(answer, probe.expected)
    except (RawError, ArithmeticError, TypeError, ValueError, AttributeError, KeyError):
        return ("an error",)


def _compared(answer: Answer, expected: Any) -> Any:
    if not answer.settled:
        missing = all(isinstance(o.value, Unspecified) for o in answer.outcomes)
        return ("unspecified",) if missing else ("undetermined",)
    value = canonical(answer.outcomes[0].value)
    if isinstance(expected, Mapping) and isinstance(value, Mapping):
        value = {key: value.get(key) for key in expected}
    return "value", value, type(value)


def _difference(
    replay: Replay, original: Function, changed: Function, point: Sequence[Any]
) -> tuple[str, Mapping[str, str]] | None:
    """What the original gives where the two differ, as a case shows it, with the readings; None where they agree."""
    before, after = _all(replay, original, point), _all(replay, changed, point)
    # A change may consult a question that the original leaves alone: only values under readings that go together count.
    apart = [(r, v) for r, v in before for s, w in after if _together(r, s) and not _alike(v, w)]
    if not apart:
        return None
    readings, value = apart[0]
    return _label(value), {} if len({_label(v) for _, v in before}) == 1 else readings


def _together(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return all(other.get(question, reading) == reading for question, reading in one.items())


def _all(replay: Replay, function: Function, point: Sequence[Any]) -> list[tuple[dict[str, str], Any]]:
    try:
        return list(replay.outcomes(function, point))
    except BoundError as error:
        return [({}, error)]


def _alike(left: Any, right: Any) -> bool:
    if isinstance(left, Exception) or isinstance(right, Exception):
        return type(left) is type(right)
    return same(left, right)


def _label(value: Any) -> str:
    if isinstance(value, Unspecified):
        return "unspecified"
    if isinstance(value, Undetermined):
        return "undetermined"
    return "error" if isinstance(value, FormulaError | BoundError) else show(value)
