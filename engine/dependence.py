"""What becomes of a claim under each reading of each question that it meets, with as little work as that takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.book.model import Property
from engine.claims import judge
from engine.errors import FormulaError, InputError, Undetermined, Unspecified
from engine.formula.compile import compile_expression, link
from engine.formula.met import Meeting
from engine.points import Replay, axes_of, by_distance, size_of
from engine.readings import Engine
from engine.run import OpenQuestion, Run

MOST_REMEMBERED = 200_000
_NO_VALUE = (OpenQuestion, Unspecified, Undetermined, FormulaError, RecursionError)


@dataclass(frozen=True, slots=True)
class Fate:
    """Whether the claim holds under a reading; the smallest input that breaks it; or why nobody can say."""

    holds: bool
    counterexample: Mapping[str, Any] | None = None
    problem: str = ""


class _Remembering(Run):
    """A run that remembers what it has computed: claims ask for the same numbers again and again."""

    __slots__ = ("known",)

    def __init__(self, choices: Mapping[str, str], missing: Mapping[str, tuple[str, str]]) -> None:
        super().__init__(choices, missing)
        self.known: dict[tuple[str, tuple[Any, ...]], Any] = {}


def _remembered(name: str, _clause: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(run: Run, *given: Any) -> Any:
        if type(run) is not _Remembering:
            return function(run, *given)
        key = (name, given)
        if key not in run.known:
            run.known[key] = function(run, *given)
        return run.known[key]

    return call


class Dependence:
    """One property of a book. `holds` is whether it is known already that it holds as it stands."""

    def __init__(self, engine: Engine, prop: Property, *, holds: bool = False) -> None:
        self._engine = engine
        self._prop = prop
        self._holds = holds
        self._fixed = {**engine.book.ruled, **prop.under}

    @cached_property
    def met(self) -> frozenset[str]:
        """The names of the questions on which the verdict can depend."""
        return Meeting(self._engine.book, self._fixed).questions(self._prop.claim)

    def fates(self, question: str) -> dict[str, Fate]:
        """The fate of the claim under each reading of `question`; nothing where it is the same under all."""
        readings = [r.id for q in self._engine.book.questions.values() if q.name == question for r in q.readings]
        if question not in self.met or (self._holds and question not in self._fixed):
            return {}
        return {reading: self._fate(question, reading) for reading in readings}

    def _fate(self, question: str, reading: str) -> Fate:
        if self._fixed.get(question) == reading:
            return self._as_it_stands
        if self._holds and self._remembers:
            return self._where_it_was_met(question, reading)
        return self._judged({**self._prop.under, question: reading})

    @cached_property
    def _as_it_stands(self) -> Fate:
        return Fate(holds=True) if self._holds else self._judged(self._prop.under)

    def _judged(self, under: Mapping[str, str]) -> Fate:
        try:
            verdict = judge(self._engine, replace(self._prop, under=under))
        except InputError as error:
            return Fate(holds=False, problem=error.problem)
        return Fate(verdict.holds, verdict.counterexample)

    # --- a claim that was checked point by point: only where a question was asked can its reading matter --------

    @cached_property
    def _axes(self) -> Any:
        return axes_of(self._prop.domains, tuple(self._prop.domains))

    @cached_property
    def _check(self) -> Any:
        book = self._engine.book
        return compile_expression(self._prop.claim, tuple(self._prop.domains), book, link(book, _remembered))

    @cached_property
    def _remembers(self) -> bool:
        if self._prop.by != "enumeration" or self._prop.broken is not None:
            return False
        size = size_of(self._axes)
        return size is not None and size <= MOST_REMEMBERED

    @cached_property
    def _points(self) -> dict[str, list[tuple[Any, ...]]]:
        """For each fixed question the points at which the claim asks it, near ones first."""
        found: dict[str, list[tuple[Any, ...]]] = {name: [] for name in self._fixed}
        replay = Replay(self._engine.book, self._prop.under)
        check = self._check
        for _, point in by_distance(self._axes):
            run = _Remembering(self._fixed, replay.missing)
            try:
                check(run, *point)
                asked = list(run.consulted)
            except _NO_VALUE:
                asked = list(self._fixed)  # who knows what it asks on other ways
            for name in asked:
                found[name].append(point)
        return found

    def _where_it_was_met(self, question: str, reading: str) -> Fate:
        replay = Replay(self._engine.book, {**self._prop.under, question: reading})
        check, fixed, missing = self._check, replay.fixed, replay.missing
        try:
            for point in self._points[question]:
                try:
                    if check(_Remembering(fixed, missing), *point) is True:
                        continue
                except _NO_VALUE:
                    pass
                if any(value is not True for _, value in replay.outcomes(check, point)):
                    return Fate(holds=False, counterexample=dict(zip(self._prop.domains, point, strict=True)))
        except InputError as error:
            return Fate(holds=False, problem=error.problem)
        return Fate(holds=True)
