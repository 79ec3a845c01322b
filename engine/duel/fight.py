"""A fight as plain numbers: modes, hit points, and what each turn can do.

A **mode** is everything about a fight except hit points: whose turn it is, pills and casts left, injuries, guards.
What a turn does depends on the mode and on which sides are at or below their threshold (where a bot drinks a pill,
say); it changes hit points by fixed amounts and moves to another mode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from engine.errors import InputError

REGIONS = 4  # neither side low, the first low, the second low, both low


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that a turn can do: with `chance`, hit points change by (first, second) and the mode becomes `to`."""

    chance: Fraction
    first: int
    second: int
    to: int


@dataclass(frozen=True, slots=True)
class Mode:
    """`layer` never falls during a fight, and rises wherever hit points do; `phase` orders turns within a round.

    A turn that leads to the same or an earlier phase ends the round. `effects` holds one list for each region.
    """

    layer: int
    phase: int
    effects: tuple[tuple[Effect, ...], ...]


@dataclass(frozen=True, slots=True)
class Start:
    """Where a fight begins, with its chance; `late`: it counts a round too much when the first side ends it."""

    mode: int
    first: int
    second: int
    chance: Fraction
    late: bool = False


@dataclass(frozen=True, slots=True)
class Fight:
    """A whole fight. `most` holds both sides' greatest hit points, `low` their thresholds (−1 for none)."""

    modes: tuple[Mode, ...]
    most: tuple[int, int]
    low: tuple[int, int]
    starts: tuple[Start, ...]

    def __post_init__(self) -> None:
        """Raises `InputError` where the promises of `Mode` are broken."""
        if not _whole([s.chance for s in self.starts]):
            raise InputError("the chances of a fight's starts do not sum to 1", "split the whole")
        for number, mode in enumerate(self.modes):
            if len(mode.effects) != REGIONS:
                raise InputError(f"mode {number} has {len(mode.effects)} regions", f"{REGIONS}")
            for region, effects in enumerate(mode.effects):
                if not any(effects is other for other in mode.effects[:region]):
                    self._check(number, mode, effects)

    def _check(self, number: int, mode: Mode, effects: tuple[Effect, ...]) -> None:
        if effects and not _whole([e.chance for e in effects]):
            raise InputError(f"the chances of mode {number} do not sum to 1", "split the whole")
        for effect in effects:
            rises = self.modes[effect.to].layer - mode.layer
            if rises < 0 or (rises == 0 and (effect.first > 0 or effect.second > 0)):
                raise InputError(f"mode {number} heals, or goes back, without a higher layer", "layers only rise")

    def region(self, first: int, second: int) -> int:
        """Which sides are low at these hit points."""
        return (first <= self.low[0]) + 2 * (second <= self.low[1])

    def layers(self) -> list[list[int]]:
        """The modes of each layer, in rising order."""
        found: dict[int, list[int]] = {}
        for number, mode in enumerate(self.modes):
            found.setdefault(mode.layer, []).append(number)
        return [found[layer] for layer in sorted(found)]


def _whole(chances: Sequence[Fraction]) -> bool:
    """Whether chances sum to 1; over one denominator, since a sum of Fractions reduces each step."""
    over = lcm(*(chance.denominator for chance in chances))
    return sum(chance.numerator * (over // chance.denominator) for chance in chances) == over


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a fight ends: chances of each end, and the moments of the number of rounds.

    `bound` is the greatest relative error of each number; 0 where they are exact Fractions.
    """

    first: Fraction | float
    second: Fraction | float
    both: Fraction | float
    endless: Fraction | float
    mean: Fraction | float
    mean_square: Fraction | float
    bound: float

    @property
    def variance(self) -> Fraction | float:
        """Of the number of rounds of fights that end."""
        return self.mean_square - self.mean * self.mean


def loops(fight: Fight, layer: list[int], region: int) -> dict[tuple[int, int], Fraction]:
    """For a layer and region: the chance of each move between its modes that changes no hit points."""
    inside = set(layer)
    found: dict[tuple[int, int], Fraction] = {}
    for number in layer:
        for effect in fight.modes[number].effects[region]:
            if effect.to in inside and not effect.first and not effect.second:
                found[number, effect.to] = found.get((number, effect.to), Fraction(0)) + effect.chance
    return found


def endless_modes(layer: list[int], moves: Mapping[tuple[int, int], Fraction]) -> set[int]:
    """The modes of a layer from which nothing but loops can ever follow."""
    leaving = {m for m in layer if sum(p for (a, _), p in moves.items() if a == m) < 1}
    reaching = set(leaving)
    while True:
        more = {a for (a, b), p in moves.items() if p and b in reaching} - reaching
        if not more:
            return set(layer) - reaching
        reaching |= more


def visits_matrix(
    layer: list[int], moves: Mapping[tuple[int, int], Fraction], endless: set[int]
) -> list[list[Fraction]]:
    """`[i][j]`: the expected visits of mode j after entering mode i, before hit points change; exact.

    The inverse of I − P by Gauss's elimination; rows and columns of endless modes are those of the identity.
    """
    size = len(layer)
    rows = []
    for i, a in enumerate(layer):
        row = [Fraction(int(i == j)) for j in range(size)]
        if a not in endless:
            for j, b in enumerate(layer):
                if b not in endless:
                    row[j] -= moves.get((a, b), Fraction(0))
        rows.append(row + [Fraction(int(i == j)) for j in range(size)])
    for pivot in range(size):
        swap = next(r for r in range(pivot, size) if rows[r][pivot])
        rows[pivot], rows[swap] = rows[swap], rows[pivot]
        scale = rows[pivot][pivot]
        rows[pivot] = [value / scale for value in rows[pivot]]
        for r in range(size):
            factor = rows[r][pivot]
            if r != pivot and factor:
                rows[r] = [value - factor * own for value, own in zip(rows[r], rows[pivot], strict=True)]
    return [row[size:] for row in rows]
