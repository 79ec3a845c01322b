"""What one action can do, and how likely: a procedure played over every roll."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

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


Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Leaf(Generic[Result]):
    """Where the rolls of a play have led."""

    result: Result


@dataclass(frozen=True, slots=True)
class Split(Generic[Result]):
    """A pool that a play rolls, and what follows for each total in rising order."""

    pool: Pool
    branches: tuple[Leaf[Result] | Split[Result], ...]


def roll_tree(
    engine: Engine,
    play: Callable[[Rules], State],
    profile: Mapping[str, str],
    read: Callable[[State], Result],
) -> Leaf[Result] | Split[Result]:
    """Every way in which the rolls of `play` can fall, as a tree, under a full profile of readings.

    `read` turns each state in which the play ends into what the leaves hold. Raises `CallError` where the profile
    leaves a question open that the play meets, `BoundError` for a play with too many paths.
    """
    fixed = {**engine.book.ruled, **profile}
    paths = 0

    def grow(totals: tuple[int, ...]) -> Leaf[Result] | Split[Result]:
        nonlocal paths
        paths += 1
        if paths > MOST_PATHS:
            raise BoundError(f"a play with more than {MOST_PATHS} paths of rolls", "split it into smaller steps")
        try:
            return Leaf(read(play(engine.rules(Run(fixed, engine.missing, _Path(totals))))))
        except _NextRoll as roll:
            pool = roll.pool
        except OpenQuestion as question:
            raise CallError(f"the profile leaves {question.name} open", f"fix it: {question.name} = …") from None
        return Split(pool, tuple(grow((*totals, total)) for total, _ in distribution(pool)))

    return grow(())


def outcomes(engine: Engine, play: Callable[[Rules], State], profile: Mapping[str, str]) -> dict[State, Fraction]:
    """The exact probability of each result of `play` over all rolls, under a full profile of readings.

    Raises what `roll_tree` raises.
    """
    found: dict[State, Fraction] = {}

    def add(tree: Leaf[State] | Split[State], chance: Fraction) -> None:
        if isinstance(tree, Leaf):
            found[tree.result] = found.get(tree.result, Fraction(0)) + chance
            return
        for (_, part), branch in zip(distribution(tree.pool), tree.branches, strict=True):
            add(branch, chance * part)

    add(roll_tree(engine, play, profile, lambda state: state), Fraction(1))
    return found
