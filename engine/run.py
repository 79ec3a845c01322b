"""One evaluation: which reading it takes of each question, which rolls it is given, which steps it took."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.dice import Pool, parse_pool
from engine.errors import BoundError, CallError, ScriptError, Unspecified

MOST_CALLS = 200_000


class OpenQuestion(Exception):
    """An unruled question was consulted. Only `readings.ask` catches it, and tries each reading."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was looked up or done: `Attack test (WA-5.4): attack_test(d20=14, …) = 18`."""

    name: str
    clause: str
    given: Mapping[str, Any]
    value: Any
    depth: int = 0


class Rolls(Protocol):
    """Where rolls come from: a script, a random generator, or an enumeration of all of them.

    An enumeration may have a method `part(part, inputs)` as well, which says what a part of a procedure gives.
    """

    def total(self, pool: Pool) -> int:
        """The total of a pool, one roll for each die, highest dice first."""

    def finish(self) -> None:
        """Called when the procedure has ended. Raises `ScriptError` where rolls are left over."""


class Script:
    """Rolls that were made already, taken in order."""

    def __init__(self, rolls: Sequence[int]) -> None:
        self._rolls = rolls
        self._next = 0

    def total(self, pool: Pool) -> int:
        """The total of the next scripted rolls. Raises `ScriptError` where one lacks, or a die cannot show it."""
        return sum(self._take(sides) for sides in pool.sides) + pool.plus

    def _take(self, sides: int) -> int:
        if self._next >= len(self._rolls):
            raise ScriptError(f"the script of {len(self._rolls)} roll(s) is too short", f"add a d{sides}")
        roll = self._rolls[self._next]
        self._next += 1
        if type(roll) is not int or not 1 <= roll <= sides:
            raise ScriptError(f"roll {self._next} is {roll}", f"a d{sides} shows 1 to {sides}")
        return roll

    def finish(self) -> None:
        """Raises `ScriptError` where rolls are left over."""
        left = len(self._rolls) - self._next
        if left:
            raise ScriptError(f"the script is {left} roll(s) too long", f"give {self._next} roll(s)")


class Run:
    """The state of one evaluation under a (partial) choice of readings."""

    __slots__ = ("_choices", "_missing", "_rolls", "_spent", "consulted", "depth", "steps")

    def __init__(
        self,
        choices: Mapping[str, str],
        missing: Mapping[str, tuple[str, str]],
        rolls: Rolls | None = None,
    ) -> None:
        self._choices = choices
        self._missing = missing
        self._rolls = rolls
        self._spent = 0
        self.consulted: dict[str, str] = {}
        self.steps: list[Step] = []
        self.depth = 0

    def reading(self, question: str) -> str:
        """The reading of `question` in this run.

        Raises `Unspecified` for a question that has no readings, `OpenQuestion` for one that is not chosen yet.
        """
        chosen = self._choices.get(question)
        if chosen is None:
            if question in self._missing:
                raise Unspecified(*self._missing[question])
            raise OpenQuestion(question)
        self.consulted[question] = chosen
        return chosen

    def spend(self) -> None:
        """Counts a call. Raises `BoundError` where there have been too many."""
        self._spent += 1
        if self._spent > MOST_CALLS:
            raise BoundError(f"more than {MOST_CALLS} calls", "narrow the inputs, or break the recursion")

    def roll(self, dice: str | Pool) -> int:
        """The total of a pool of dice, one roll for each die, highest dice first."""
        if self._rolls is None:
            raise CallError("this call needs rolls", "give it a script of rolls")
        return self._rolls.total(parse_pool(dice) if isinstance(dice, str) else dice)

    def part(self, rules: Any, part: Callable[..., Any], inputs: tuple[Hashable, ...]) -> Any:
        """What `part(rules, *inputs)` gives; a source of rolls that knows parts may answer by itself."""
        known = getattr(self._rolls, "part", None)
        return part(rules, *inputs) if known is None else known(part, inputs)

    def finish(self) -> None:
        """Checks that no roll is left over."""
        if self._rolls is not None:
            self._rolls.finish()
