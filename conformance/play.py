"""Random play: each procedure on drawn inputs, drawn rolls and drawn readings."""

from __future__ import annotations

import dataclasses
import random
import typing
import zlib
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from types import UnionType
from typing import Any

from conformance.asking import brief, inputs, step_line
from conformance.checks import Finding, crash, subject
from conformance.context import Context
from engine.book.domains import Choice, Dice, Domain, Range, Truth
from engine.book.model import Clause
from engine.dice import Pool
from engine.errors import BoundError, CallError, DomainError, Unsettled
from engine.procedures import Function, Procedure, Rules, invariants_of
from engine.readings import Engine
from engine.run import Run, Script
from engine.values import same

EXAMPLES = 30
DRAWN_ROLLS = 100
MOST_ROLLS = 20_000  # in one play
MOST_ROLLS_IN_ALL = 6_000  # when these are spent, no further play begins
MOST_SHOWN = 40
FREE = (-20, 60)  # how far a number is drawn where its domain has no end


@dataclasses.dataclass(frozen=True, slots=True)
class Wrong:
    """What a play found, on the smallest example."""

    given: str
    problem: str
    steps: tuple[str, ...] = ()


class _Found(Exception):
    """Tells Hypothesis that an example fails; what failed is kept beside it."""


class _Enough(BaseException):
    """Goes straight through Hypothesis, which would go on: what does not end takes as long at every try."""


def judge_play(context: Context, clause: Clause, item_id: str) -> Finding:
    """Plays the procedure of a clause: no crash, repeatable, every invariant holds."""
    about = subject(clause, "play", context.system, item_id)
    assert clause.name is not None
    checks = invariants_of(context.system).get(clause.name, [])
    expected = "; ".join(["it never crashes", "same rolls, same outcome", *(sentence_of(c) for c in checks)])
    wrong, played, refused = play(context.engine, clause.name, checks)
    detail: dict[str, Any] = {"examples": played + refused, "refused": refused, "invariants": len(checks)}
    if wrong is not None:
        return dataclasses.replace(about, given=wrong.given).found(
            "deviates",
            expected=expected,
            actual=wrong.problem,
            message=wrong.problem,
            steps=wrong.steps,
            blame="engine under test",
            remedy=f"Correct the procedure {clause.name} in engine/systems/{context.system}.py.",
            detail=detail,
        )
    if not played:
        return about.found(
            "missing",
            expected=expected,
            actual=f"{refused} plays, all refused",
            message=f"{clause.name} refuses everything that its declared types and domains allow",
            blame="engine under test",
            remedy="Give its inputs narrower types, or domains in book.toml.",
            detail=detail,
        )
    return about.found("conforms", expected=expected, actual="so it is", detail=detail)


def sentence_of(check: Function) -> str:
    """What an invariant says: the first line of its docstring."""
    lines = (check.__doc__ or check.__name__.replace("_", " ")).strip().splitlines()
    return lines[0].rstrip(".")


def play(engine: Engine, name: str, checks: list[Function], examples: int = EXAMPLES) -> tuple[Wrong | None, int, int]:
    """The smallest wrong play, if any; how many plays got through, and how many inputs were refused."""
    import hypothesis
    from hypothesis import strategies as st

    table = _Table(engine, engine.procedures[name], checks)
    draws = _inputs(engine, table.procedure, st)

    @hypothesis.seed(zlib.crc32(name.encode()))  # the same examples wherever and whenever it is played
    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        verbosity=hypothesis.Verbosity.quiet,
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    )
    @hypothesis.given(st.data())
    def once(data: Any) -> None:
        table.play(data.draw(draws), data)
        if table.rolls > MOST_ROLLS_IN_ALL:
            raise _Enough

    try:
        once()
    except (_Found, _Enough):
        pass
    except hypothesis.errors.Flaky:
        given = table.wrong.given if table.wrong else ""
        table.wrong = Wrong(given, "the same inputs and rolls lead to different outcomes")
    return table.wrong, table.played, table.refused


class _Choices(dict[str, str]):
    """Readings, drawn when they are first asked for."""

    def __init__(self, ruled: Mapping[str, str], readings: Mapping[str, tuple[str, ...]], data: Any) -> None:
        super().__init__(ruled)
        self._readings = readings
        self._data = data

    def get(self, question: str, default: Any = None) -> Any:
        """The reading of `question`, drawn where it is open."""
        if question not in self and question in self._readings:
            self[question] = self._data.draw(_sampled(self._readings[question]))
        return super().get(question, default)


class _Drawn:
    """Rolls, drawn and remembered; of a long play, those that follow from the first ones."""

    def __init__(self, data: Any) -> None:
        self._data = data
        self._rest: random.Random | None = None
        self.rolls: list[int] = []

    def total(self, pool: Pool) -> int:
        """The total of drawn rolls. Raises `BoundError` where there are very many."""
        if len(self.rolls) + len(pool.sides) > MOST_ROLLS:
            raise BoundError(f"more than {MOST_ROLLS} rolls", "let the procedure end")
        if len(self.rolls) < DRAWN_ROLLS:
            rolls = [int(self._data.draw(_die(sides))) for sides in pool.sides]
        else:
            if self._rest is None:
                self._rest = random.Random(str(self.rolls))
            rolls = [self._rest.randint(1, sides) for sides in pool.sides]
        self.rolls += rolls
        return sum(rolls) + pool.plus

    def finish(self) -> None:
        """Drawn rolls are never left over."""


@lru_cache(maxsize=256)
def _die(sides: int) -> Any:
    from hypothesis import strategies as st

    return st.integers(1, sides)


@lru_cache(maxsize=256)
def _sampled(words: tuple[str, ...]) -> Any:
    from hypothesis import strategies as st

    return st.sampled_from(words)


class _Table:
    """Where a procedure is played: what was found so far, and what was spent."""

    def __init__(self, engine: Engine, procedure: Procedure, checks: list[Function]) -> None:
        self.engine = engine
        self.procedure = procedure
        self.checks = checks
        self.missing = {q.name: (q.id, q.title) for q in engine.book.questions.values() if not q.readings}
        self.ruled = engine.book.ruled
        self.readings = {q.name: tuple(r.id for r in q.readings) for q in engine.book.questions.values() if q.readings}
        self.wrong: Wrong | None = None
        self.played = self.refused = self.rolls = 0

    def play(self, given: Mapping[str, Any], data: Any) -> None:
        """One play. Raises `_Found` or `_Enough` where something is wrong with it, which is kept in `wrong`."""
        choices, drawn = _Choices(self.ruled, self.readings, data), _Drawn(data)
        run = Run(choices, self.missing, drawn)
        try:
            prepared = self.procedure.prepare(given, self.engine.book.domains)
            outcome = self.procedure.function(self._rules(run), **prepared)
        except (DomainError, CallError):
            self.refused += 1
            return
        except Unsettled:
            self.played += 1
            return
        except (BoundError, RecursionError) as error:
            problem = str(error) if isinstance(error, BoundError) else "a recursion that does not end"
            self._keep(problem, given, drawn, run)
            raise _Enough from None
        except Exception as error:  # noqa: BLE001 - any crash is what is looked for
            self._keep(crash(error), given, drawn, run)
            raise _Found from None
        finally:
            self.rolls += len(drawn.rolls)
        self.played += 1
        problem = self._again(given, choices, drawn.rolls, outcome) or self._broken(prepared, choices, outcome)
        if problem:
            self._keep(problem, given, drawn, run)
            raise _Found

    def _again(self, given: Mapping[str, Any], choices: Mapping[str, str], rolls: list[int], outcome: Any) -> str:
        """What differs when the same is played again."""
        run = Run(dict(choices), self.missing, Script(tuple(rolls)))
        try:
            prepared = self.procedure.prepare(given, self.engine.book.domains)
            second = self.procedure.function(self._rules(run), **prepared)
            run.finish()
        except Exception as error:  # noqa: BLE001 - the first run went through
            return f"the same rolls played again do not go through: {crash(error)}"
        if same(outcome, second):
            return ""
        return f"the same rolls played again give {brief(second)}, not {brief(outcome)}"

    def _broken(self, prepared: Mapping[str, Any], choices: Mapping[str, str], outcome: Any) -> str:
        """The first invariant that does not hold."""
        for check in self.checks:
            try:
                if not check(self._rules(Run(choices, self.missing)), prepared, outcome):
                    return f'it does not hold that "{sentence_of(check)}": the outcome is {brief(outcome)}'
            except Unsettled:
                continue
            except Exception as error:  # noqa: BLE001 - an invariant that crashes does not hold
                return f"{sentence_of(check)}: {crash(error)}"
        return ""

    def _keep(self, problem: str, given: Mapping[str, Any], drawn: _Drawn, run: Run) -> None:
        ruled = self.engine.book.ruled
        under = {q: r for q, r in run.consulted.items() if q not in ruled}
        shown = inputs(given, drawn.rolls[:MOST_SHOWN], under)
        self.wrong = Wrong(shown, problem, tuple(step_line(step) for step in run.steps[-30:]))

    def _rules(self, run: Run) -> Rules:
        return Rules(run, self.engine.functions, self.engine.params, self.engine.records)


def _inputs(engine: Engine, procedure: Procedure, st: Any) -> Any:
    """Inputs as data: drawn by type and domain, or those of the procedure's own cases."""
    printed = [
        dict(case.given)
        for clause in engine.book.clauses.values()
        for case in clause.cases
        if case.call == procedure.name
    ]
    words = _words(printed)
    domains = engine.book.domains
    required = {
        n: _strategy(kind, n, domains, words, st) for n, kind in procedure.inputs.items() if n not in procedure.optional
    }
    optional = {n: _strategy(procedure.inputs[n], n, domains, words, st) for n in sorted(procedure.optional)}
    drawn = st.fixed_dictionaries(required, optional=optional)
    return st.one_of(drawn, st.sampled_from(printed)) if printed else drawn


def _words(data: Any) -> list[str]:
    """Every text that stands in the inputs of the cases, for inputs that are free text."""
    if isinstance(data, str):
        return [data]
    parts = data.values() if isinstance(data, Mapping) else data if isinstance(data, list | tuple) else ()
    return sorted({word for part in parts for word in _words(part)})


def _strategy(kind: Any, name: str, domains: Mapping[str, Domain], words: list[str], st: Any) -> Any:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (UnionType, typing.Union):
        real = [a for a in args if a is not type(None)]
        if set(real) == {int, Fraction}:
            one = domain_strategy(domains[name], st) if name in domains else _halves(st)
        else:
            one = _strategy(real[0], name, domains, words, st)
        return st.none() | one if len(real) < len(args) else one
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return st.lists(_strategy(args[0], "", domains, words, st), max_size=3)
        return st.tuples(*(_strategy(a, "", domains, words, st) for a in args)).map(list)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type) and kind is not Pool:
        return _record_strategy(kind, domains, words, st)
    if name in domains:
        return domain_strategy(domains[name], st)
    if origin is typing.Literal:
        return st.sampled_from(args)
    return _plain(kind, words, st)


def _record_strategy(kind: type, domains: Mapping[str, Domain], words: list[str], st: Any) -> Any:
    hints = typing.get_type_hints(kind)
    required: dict[str, Any] = {}
    optional: dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        if not field.init:
            continue
        defaulted = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        strategy = _strategy(hints[field.name], field.name, domains, words, st)
        (optional if defaulted else required)[field.name] = strategy
    return st.fixed_dictionaries(required, optional=optional)


def _plain(kind: Any, words: list[str], st: Any) -> Any:
    if kind is bool:
        return st.booleans()
    if kind is int:
        return st.integers(*FREE)
    if kind is Fraction:
        return _halves(st)
    if kind is Pool:
        return st.builds(lambda count, sides: f"{count}d{sides}", st.integers(1, 3), st.sampled_from((4, 6, 8, 10, 12)))
    if kind is str:
        return st.sampled_from(words or ["a"])
    raise CallError(f"no way to draw an input of type {kind}", "use dataclasses, tuples, numbers, words, pools")


def _halves(st: Any) -> Any:
    return st.integers(2 * FREE[0], 2 * FREE[1]).map(lambda n: Fraction(n, 2))


def domain_strategy(domain: Domain, st: Any) -> Any:
    """Values of a declared domain; where it has no end, those of a stretch at its beginning."""
    if isinstance(domain, Range):
        low = domain.low if domain.low is not None else min(FREE[0], (domain.high or 0) + FREE[0])
        high = domain.high if domain.high is not None else max(FREE[1], low + FREE[1])
        if domain.step == 1:
            return st.integers(low, high)
        step = domain.step
        return st.integers(0, int((high - low) / step)).map(lambda n: low + n * step)
    if isinstance(domain, Choice):
        return st.sampled_from(domain.words)
    if isinstance(domain, Truth):
        return st.booleans()
    assert isinstance(domain, Dice)
    return st.lists(st.sampled_from(domain.kinds), min_size=1, max_size=domain.most).map(
        lambda dice: " + ".join(f"1d{sides}" for sides in sorted(dice, reverse=True))
    )
