"""Evaluation under every reading: the engine never guesses.

A call is replayed once for each reading of each open question that it meets. Where all give one value, that is the
answer, whatever the text leaves open; where they differ, it is undetermined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.book.model import Book, ProcedureName, Record
from engine.errors import (
    BookError,
    BoundError,
    CallError,
    FormulaError,
    ScriptError,
    Undetermined,
    Unspecified,
)
from engine.formula.compile import link, signatures
from engine.procedures import Procedure, Rules, procedures_of
from engine.run import OpenQuestion, Rolls, Run, Script, Step
from engine.values import check_inputs, same

MOST_BRANCHES = 4096


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one combination of readings led to. `value` may be an `Unspecified`."""

    readings: Mapping[str, str]
    value: Any
    steps: tuple[Step, ...]
    consulted: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """All outcomes of a call, one for each combination of the open readings that it met."""

    outcomes: tuple[Outcome, ...]

    @property
    def settled(self) -> bool:
        """Whether there is one value, whatever the text leaves open."""
        first = self.outcomes[0].value
        if isinstance(first, Unspecified):
            return False
        return all(same(first, o.value) for o in self.outcomes[1:])

    @property
    def value(self) -> Any:
        """The value. Raises `Unspecified` or `Undetermined` where there is none."""
        if self.settled:
            return self.outcomes[0].value
        if all(isinstance(o.value, Unspecified) for o in self.outcomes):
            raise self.outcomes[0].value
        raise Undetermined(tuple((o.readings, o.value) for o in self.outcomes))

    @property
    def consulted(self) -> dict[str, str]:
        """Every question that was consulted, with a reading that was taken."""
        return {q: r for o in self.outcomes for q, r in o.consulted.items()}


class Engine:
    """A book made executable. Holds no state between calls."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.params = signatures(book)
        self.functions = link(book)
        self.procedures: Mapping[str, Procedure] = procedures_of(book.system)
        self.records = {(c.body.kind, c.body.name): c.body for c in book.clauses.values() if isinstance(c.body, Record)}
        self._readings = {q.name: tuple(r.id for r in q.readings) for q in book.questions.values()}
        self.missing = {q.name: (q.id, q.title) for q in book.questions.values() if not q.readings}
        self._ruled = book.ruled
        for clause in book.clauses.values():
            if isinstance(clause.body, ProcedureName) and clause.body.name not in self.procedures:
                raise BookError(
                    f"{clause.id} names the procedure {clause.body.name}, which engine/systems/ has not",
                    f"write it in engine/systems/{book.system}.py",
                    clause.place,
                )

    @cached_property
    def _traced(self) -> Mapping[str, Callable[..., Any]]:
        return link(self.book, _recorder(self.params))

    def rules(self, run: Run, *, traced: bool = False) -> Rules:
        """What a procedure sees of the book during `run`."""
        return Rules(run, self._traced if traced else self.functions, self.params, self.records)

    def ask(
        self,
        name: str,
        given: Mapping[str, Any],
        *,
        rolls: Sequence[int] | Callable[[], Rolls] | None = None,
        under: Mapping[str, str] | None = None,
        traced: bool = False,
        first_difference: bool = False,
    ) -> Answer:
        """Evaluates a call under every reading that it meets.

        `under` fixes readings (over rulings); `rolls` is a script, or makes a fresh source of rolls for each replay.
        `first_difference` stops as soon as two outcomes differ. Raises `InputError` for a bad call or formula.
        """
        functions = self._traced if traced else self.functions
        function = functions.get(name)
        if function is not None and name in self.params:
            inputs = check_inputs(given, self.params[name], self.book.domains, name)
            arguments = tuple(inputs.values())

            def play(run: Run) -> Any:
                try:
                    return function(run, *arguments)
                except TypeError as error:
                    raise FormulaError(f"{name} mixes kinds of values ({error})", "check its formula") from None
        elif name in self.procedures:
            procedure = self.procedures[name]
            inputs = procedure.prepare(given, self.book.domains)

            def play(run: Run) -> Any:
                return procedure.function(self.rules(run, traced=traced), **inputs)
        else:
            self.book.clause_of(name)
            raise CallError(f"{name} is not callable", "ask for a definition, a table or a procedure")
        return self.explore(play, rolls=rolls, under=under, first_difference=first_difference)

    def explore(
        self,
        play: Callable[[Run], Any],
        *,
        rolls: Sequence[int] | Callable[[], Rolls] | None = None,
        under: Mapping[str, str] | None = None,
        first_difference: bool = False,
    ) -> Answer:
        """Replays `play` once for each combination of the open readings that it meets."""
        fixed = {**self._ruled, **(under or {})}
        outcomes: list[Outcome] = []
        pending: list[dict[str, str]] = [{}]
        while pending:
            chosen = pending.pop()
            source = Script(rolls) if isinstance(rolls, Sequence) else rolls() if rolls is not None else None
            run = Run({**fixed, **chosen} if chosen else fixed, self.missing, source)
            try:
                value = play(run)
                run.finish()
            except OpenQuestion as question:
                pending.extend({**chosen, question.name: r} for r in reversed(self._readings[question.name]))
                if len(pending) + len(outcomes) > MOST_BRANCHES:
                    raise BoundError(
                        f"more than {MOST_BRANCHES} combinations of readings", "fix some with --reading"
                    ) from None
                continue
            except Unspecified as missing:
                value = missing
            except Undetermined as conflict:
                outcomes.extend(
                    Outcome({**chosen, **rows}, v, tuple(run.steps), dict(run.consulted)) for rows, v in conflict.values
                )
                continue
            except ScriptError as error:
                if not chosen:
                    raise
                shown = ", ".join(f"{question}={reading}" for question, reading in chosen.items())
                raise ScriptError(f"under {shown}: {error.problem}", error.remedy, error.place) from None
            except RecursionError:
                raise BoundError("a recursion that does not end", "give it a base case") from None
            outcomes.append(Outcome(chosen, value, tuple(run.steps), dict(run.consulted)))
            if first_difference and len(outcomes) > 1 and not same(outcomes[0].value, value):
                break
        return Answer(tuple(outcomes))

    def value(self, name: str, /, *, under: Mapping[str, str] | None = None, **given: Any) -> Any:
        """The one value of a definition. Raises `Undetermined` or `Unspecified` where there is none."""
        return self.ask(name, given, under=under).value


def _recorder(params: Mapping[str, tuple[str, ...]]) -> Callable[[str, str, Callable[..., Any]], Callable[..., Any]]:
    def wrap(name: str, clause: str, function: Callable[..., Any]) -> Callable[..., Any]:
        names = params[name]

        def recorded(run: Run, *arguments: Any) -> Any:
            at = len(run.steps)
            run.depth += 1
            try:
                value = function(run, *arguments)
            finally:
                run.depth -= 1
            given = dict(zip(names, arguments, strict=True))
            # Before the steps that it led to, so that the log reads from the question to its parts.
            run.steps.insert(at, Step(name, clause, given, value, run.depth))
            return value

        return recorded

    return wrap
