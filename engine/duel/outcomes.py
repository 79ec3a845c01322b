"""What one action can do, and how likely: a procedure played over every roll."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import TypeVar

from engine.dice import Pool, distribution
from engine.errors import BoundError, CallError
from engine.procedures import Rules
from engine.readings import Engine
from engine.run import OpenQuestion, Run

MOST_PATHS = 200_000

State = TypeVar("State", bound=Hashable)


class _NextRoll(Exception):
    """A signal, no error: the path must branch here."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self.pool = pool


class _Path:
    """Totals that were chosen already; the next one that is asked for branches."""

    def __init__(self, totals: tuple[int, ...]) -> None:
        self._totals = totals
        self._next = 0

    def total(self, pool: Pool) -> int:
        """The chosen total. Raises `_NextRoll` past the end of the path."""
        if self._next == len(self._totals):
            raise _NextRoll(pool)
        total = self._totals[self._next]
        self._next += 1
        return total

    def finish(self) -> None:
        """A path is never longer than the play that made it."""


def outcomes(engine: Engine, play: Callable[[Rules], State], profile: Mapping[str, str]) -> dict[State, Fraction]:
    """The exact probability of each result of `play` over all rolls, under a full profile of readings.

    Raises `CallError` where the profile leaves a question open that the play meets, `BoundError` for a play with
    too many paths.
    """
    found: dict[State, Fraction] = {}
    pending: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    fixed = {**engine.book.ruled, **profile}
    paths = 0
    while pending:
        totals, chance = pending.pop()
        paths += 1
        if paths > MOST_PATHS:
            raise BoundError(f"a play with more than {MOST_PATHS} paths of rolls", "split it into smaller steps")
        try:
            result = play(engine.rules(Run(fixed, engine.missing, _Path(totals))))
        except _NextRoll as roll:
            pending.extend(((*totals, total), chance * p) for total, p in distribution(roll.pool))
        except OpenQuestion as question:
            raise CallError(f"the profile leaves {question.name} open", f"fix it: {question.name} = …") from None
        else:
            found[result] = found.get(result, Fraction(0)) + chance
    return found
