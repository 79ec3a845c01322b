"""Procedures: the rules that are sequences of steps, and what they may consult."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import typing
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.book.domains import Domain
from engine.book.model import Record
from engine.dice import Pool
from engine.errors import CallError
from engine.run import Run, Step
from engine.values import build

Function = Callable[..., Any]


class Rules:
    """What a procedure sees of its book: definitions by name, readings, records, rolls, and a log of steps."""

    def __init__(
        self,
        run: Run,
        functions: Mapping[str, Function],
        params: Mapping[str, tuple[str, ...]],
        records: Mapping[tuple[str, str], Record],
    ) -> None:
        self._run = run
        self._functions = functions
        self._params = params
        self._records = records

    def __getattr__(self, name: str) -> Function:
        """The definition, decision table or look-up table `name`, to be called with keyword inputs."""
        try:
            function, params = self._functions[name], self._params[name]
        except KeyError:
            raise CallError(f"the book defines no {name}", "the procedure and the book must agree on names") from None
        run = self._run

        def call(**given: Any) -> Any:
            return function(run, *[given[p] for p in params])

        return call

    def reading(self, question: str) -> str:
        """The reading of an open question in this run."""
        return self._run.reading(question)

    def roll(self, dice: str | Pool) -> int:
        """The total of a pool of dice that the table has rolled."""
        total = self._run.roll(dice)
        self.step("roll", total, dice=str(dice))
        return total

    def part(self, part: Function, *inputs: Hashable) -> Any:
        """What `part(rules, *inputs)` gives: a part of a procedure that hangs on its inputs and rolls alone.

        It is the same as calling it; but where every roll is played, a part is played over its rolls once, and from
        then on counts as one roll of what it can lead to.
        """
        return self._run.part(self, part, inputs)

    def step(self, name: str, value: Any, clause: str = "", **given: Any) -> None:
        """Records something that was done, for the log of steps."""
        self._run.steps.append(Step(name, clause, given, value, self._run.depth))

    def records(self, kind: str) -> tuple[Record, ...]:
        """Every record of this kind, in the order of the book."""
        return tuple(record for (of, _), record in self._records.items() if of == kind)

    def field(self, record: Record, name: str, **given: Any) -> Any:
        """A field of a record: its value, or what its formula gives for those of `given` that it takes.

        None where the record has no such field.
        """
        formula = record.formulas.get(name)
        return record.fields.get(name) if formula is None else getattr(self, formula.name)(**given)

    def record(self, kind: str, name: str) -> Record:
        """A record of the book (a skill, a class). Raises `CallError` where there is none."""
        try:
            return self._records[kind, name]
        except KeyError:
            raise CallError(f"the book has no {kind} {name[:60]}", "see its chapters") from None


@dataclass(frozen=True, slots=True)
class Procedure:
    """A Python function `run(rules, **inputs)` with typed inputs."""

    name: str
    function: Function
    inputs: Mapping[str, Any]
    optional: frozenset[str]

    def prepare(self, given: Mapping[str, Any], domains: Mapping[str, Domain]) -> dict[str, Any]:
        """The inputs as the function declares them. Raises `CallError` or `DomainError`."""
        unknown = [g for g in given if g not in self.inputs]
        missing = [i for i in self.inputs if i not in given and i not in self.optional]
        if unknown or missing:
            problem = (
                f"{self.name} lacks {', '.join(missing)}" if missing else f"{self.name} takes no {unknown[0][:60]}"
            )
            raise CallError(problem, f"{self.name}({', '.join(self.inputs)})")
        prepared = {}
        for name, value in given.items():
            prepared[name] = build(self.inputs[name], value, domains, name)
            if name in domains:
                prepared[name] = domains[name].check(prepared[name])
        return prepared


_MARK = "_raw_procedure"
_INVARIANT = "_raw_invariant"


def procedure(function: Function) -> Function:
    """Marks a function of `engine/systems/` as the procedure that a clause names."""
    setattr(function, _MARK, True)
    return function


def invariant(of: Function) -> Callable[[Function], Function]:
    """Marks `check(rules, inputs, outcome) -> bool` as what must hold after every run of the procedure `of`.

    The first line of its docstring is the sentence that people read. `inputs` are the prepared inputs by name.
    """

    def mark(check: Function) -> Function:
        setattr(check, _INVARIANT, of.__name__)
        return check

    return mark


def invariants_of(system: str) -> dict[str, list[Function]]:
    """The invariants of a system by procedure; none where it has no module."""
    module_name = f"engine.systems.{system}"
    if importlib.util.find_spec(module_name) is None:
        return {}
    found: dict[str, list[Function]] = {}
    for check in vars(importlib.import_module(module_name)).values():
        of = getattr(check, _INVARIANT, None)
        if of is not None:
            found.setdefault(of, []).append(check)
    return found


def procedures_of(system: str) -> dict[str, Procedure]:
    """The procedures of a system by name; none where it has no module.

    A package's procedures are those that its `__init__` shows.
    """
    module_name = f"engine.systems.{system}"
    if importlib.util.find_spec(module_name) is None:
        return {}
    module = importlib.import_module(module_name)
    found = {}
    for name, function in vars(module).items():
        if not getattr(function, _MARK, False):
            continue
        hints = typing.get_type_hints(function)
        params = list(inspect.signature(function).parameters.values())[1:]
        inputs = {p.name: hints[p.name] for p in params}
        optional = frozenset(p.name for p in params if p.default is not inspect.Parameter.empty)
        found[name] = Procedure(name, function, inputs, optional)
    return found
