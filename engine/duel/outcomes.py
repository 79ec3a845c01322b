"""What one action can do, and how likely: a procedure played over every roll."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from engine.dice import Pool, distribution
from engine.errors import BoundError, CallError
from engine.procedures import Rules
from engine.readings import Engine
from engine.run import OpenQuestion, Run

MOST_PATHS = 200_000

State = TypeVar("State", bound=Hashable)
Result = TypeVar("Result")
PartKey = tuple[Callable[..., Any], tuple[Hashable, ...]]
Chances = dict[Hashable, Fraction]


@dataclass(frozen=True, slots=True)
class Leaf(Generic[Result]):
    """Where the rolls of a play have led."""

    result: Result


@dataclass(frozen=True, slots=True)
class Split(Generic[Result]):
    """A pool that a play rolls, and what follows for each total in rising order."""

    pool: Pool
    branches: tuple[Tree[Result], ...]


@dataclass(frozen=True, slots=True)
class Joint(Generic[Result]):
    """A part of a play, and what follows on each of its results in the order of `Play.results`."""

    part: PartKey
    branches: tuple[Tree[Result], ...]


# Written out with `Result` wherever it is used: a play's tree branches at rolls and at parts.
Tree = Leaf[Result] | Split[Result] | Joint[Result]


class _Next(Exception):
    """A signal, no error: the path must branch here, at a pool or at a part."""

    def __init__(self, at: Pool | PartKey) -> None:
        super().__init__(at)
        self.at = at


class _Path:
    """What pools and parts gave so far; the next one that is asked for branches."""

    def __init__(self, taken: tuple[Any, ...]) -> None:
        self._taken = taken
        self._next = 0

    def total(self, pool: Pool) -> int:
        """The total that was taken. Raises `_Next` past the end of the path."""
        total: int = self._take(pool)
        return total

    def part(self, part: Callable[..., Any], inputs: tuple[Hashable, ...]) -> Any:
        """The result that was taken. Raises `_Next` past the end of the path."""
        return self._take((part, inputs))

    def _take(self, at: Pool | PartKey) -> Any:
        if self._next == len(self._taken):
            raise _Next(at)
        self._next += 1
        return self._taken[self._next - 1]

    def finish(self) -> None:
        """A path is never longer than the play that made it."""


class Play:
    """Plays procedures over every roll under a full profile of readings, and parts of them once only.

    Every method raises `CallError` where the profile leaves a question open that a play meets, and `BoundError` for a
    play with too many paths.
    """

    def __init__(self, engine: Engine, profile: Mapping[str, str]) -> None:
        self._engine = engine
        self._readings = {**engine.book.ruled, **profile}
        self._chances: dict[PartKey, Chances] = {}
        self._trees: dict[PartKey, Tree[int]] = {}
        self._results: dict[PartKey, tuple[Hashable, ...]] = {}
        self._paths = 0

    def outcomes(self, play: Callable[[Rules], State]) -> dict[State, Fraction]:
        """The exact probability of each result."""
        found: dict[State, Fraction] = {}
        pending: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
        self._paths = 0
        while pending:
            taken, chance = pending.pop()
            try:
                result = self._play(play, taken)
            except _Next as signal:
                ways = self._ways(signal.at)
                pending += [((*taken, way), chance * part if taken else part) for way, part in ways]
                continue
            found[result] = found[result] + chance if result in found else chance
        return found

    def tree(self, play: Callable[[Rules], State], read: Callable[[State], Result]) -> Tree[Result]:
        """Every way in which the rolls of `play` can fall; `read` turns its results into what the leaves hold."""
        self._paths = 0
        return self._grow(play, read, ())

    def part_tree(self, part: PartKey) -> Tree[int]:
        """The tree of a part; its leaves hold places in `results`."""
        if part not in self._trees:
            places: dict[Hashable, int] = {}
            step, inputs = part
            tree: Tree[int] = self.tree(
                lambda rules: step(rules, *inputs), lambda result: places.setdefault(result, len(places))
            )
            self._trees[part], self._results[part] = tree, tuple(places)
        return self._trees[part]

    def results(self, part: PartKey) -> tuple[Hashable, ...]:
        """All that a part can lead to, each once."""
        self.part_tree(part)
        return self._results[part]

    def _grow(
        self, play: Callable[[Rules], State], read: Callable[[State], Result], taken: tuple[Any, ...]
    ) -> Tree[Result]:
        try:
            return Leaf(read(self._play(play, taken)))
        except _Next as signal:
            at = signal.at
        if isinstance(at, Pool):
            return Split(at, tuple(self._grow(play, read, (*taken, total)) for total, _ in distribution(at)))
        spent, results = self._paths, self.results(at)
        self._paths = spent  # a part counts for itself
        return Joint(at, tuple(self._grow(play, read, (*taken, result)) for result in results))

    def _play(self, play: Callable[[Rules], State], taken: tuple[Any, ...]) -> State:
        self._paths += 1
        if self._paths > MOST_PATHS:
            raise BoundError(f"a play with more than {MOST_PATHS} paths of rolls", "split it into smaller steps")
        try:
            return play(self._engine.rules(Run(self._readings, self._engine.missing, _Path(taken))))
        except OpenQuestion as question:
            raise CallError(f"the profile leaves {question.name} open", f"fix it: {question.name} = …") from None

    def _ways(self, at: Pool | PartKey) -> list[tuple[Any, Fraction]]:
        if isinstance(at, Pool):
            return list(distribution(at))
        if at not in self._chances:
            spent, (step, inputs) = self._paths, at
            self._chances[at] = self.outcomes(lambda rules: step(rules, *inputs))
            self._paths = spent  # a part counts for itself
        return list(self._chances[at].items())


def outcomes(engine: Engine, play: Callable[[Rules], State], profile: Mapping[str, str]) -> dict[State, Fraction]:
    """The exact probability of each result of `play` over all rolls, under a full profile of readings.

    Raises what `Play` raises.
    """
    return Play(engine, profile).outcomes(play)
