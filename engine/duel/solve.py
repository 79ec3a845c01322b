"""A duel solved: who wins, and how long it takes, as its system counts rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from engine.dice import Number
from engine.duel.build import Duel, build_fight
from engine.duel.fast import UNIT, Packed, pack, solve_packed
from engine.duel.rounds import MOST_ROUNDS, Rounds, rounds_of
from engine.readings import Engine

LEFT_OVER = 1e-13  # chance of fights that last longer than is looked at
FIRST_LOOK = 64


@runtime_checkable
class Counted(Protocol):
    """A duel whose rounds are not simply counted: what a fight of so many rounds adds to the average."""

    def average(self, rounds: int, *, won: bool) -> Number | None:
        """The length that counts, or None where the fight is no part of the average."""


@dataclass(frozen=True, slots=True)
class Length:
    """How long fights are: each length with its chance, among those that count; `left` lie beyond them."""

    length: tuple[float, ...]
    chance: tuple[float, ...]
    left: float

    @property
    def mean(self) -> float:
        """The average length."""
        return float(np.dot(self.length, self.chance) / (sum(self.chance) or 1.0))

    @property
    def variance(self) -> float:
        """The variance of the length."""
        square = np.dot(np.square(self.length), self.chance) / (sum(self.chance) or 1.0)
        return float(square - self.mean**2)


@dataclass(frozen=True, slots=True)
class Solved:
    """Chances of the ends, and the mean and variance of rounds; `bound` is the greatest relative error.

    Endless fights are part of no average.
    """

    win: float
    loss: float
    both: float
    endless: float
    rounds: float
    variance: float
    bound: float


def solve_duel(engine: Engine, duel: Duel[Any], profile: Mapping[str, str], *, check: int = 0) -> Solved:
    """The duel in doubles. Raises what `build_fight` raises; `check` is its number of turns that are played again."""
    packed = pack(build_fight(engine, duel, profile, check=check))
    verdict = solve_packed(packed)
    rounds, variance, bound = float(verdict.mean), float(verdict.variance), verdict.bound
    if not _plain(duel):
        length = _length(packed, duel)
        rounds, variance, bound = length.mean, length.variance, max(bound, length.left, 4 * UNIT * len(length.chance))
    return Solved(
        win=float(verdict.first),
        loss=float(verdict.second),
        both=float(verdict.both),
        endless=float(verdict.endless),
        rounds=rounds,
        variance=variance,
        bound=bound,
    )


def length_of(engine: Engine, duel: Duel[Any], profile: Mapping[str, str]) -> Length:
    """How long the fights of a duel are, length by length. Raises what `build_fight` raises."""
    return _length(pack(build_fight(engine, duel, profile, check=0)), duel)


def _plain(duel: Duel[Any]) -> bool:
    """Whether every fight counts, with its number of rounds."""
    if not isinstance(duel, Counted):
        return True
    return all(duel.average(rounds, won=won) == rounds for rounds in (1, 2, 3) for won in (True, False))


def _length(packed: Packed, duel: Duel[Any]) -> Length:
    seen = _rounds(packed)
    chances: dict[float, float] = {}
    for number, ends in enumerate(seen.chance.tolist()):
        for end, chance in enumerate(ends):
            counts = duel.average(number, won=end == 0) if isinstance(duel, Counted) else number
            if number and counts is not None and chance:
                chances[float(counts)] = chances.get(float(counts), 0.0) + chance
    lengths = sorted(chances)
    return Length(tuple(lengths), tuple(chances[n] for n in lengths), seen.left)


def _rounds(packed: Packed) -> Rounds:
    """Rounds until next to nothing is left, or nothing more happens."""
    most = FIRST_LOOK
    while True:
        seen = rounds_of(packed, most)
        if seen.left < LEFT_OVER or most == MOST_ROUNDS or not seen.chance[most // 2 :].any():
            return seen
        most = min(MOST_ROUNDS, 4 * most)
