"""From a system's procedures to a `Fight`: what each turn can do is found by playing it over every roll."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

from engine.dice import Number
from engine.duel.fight import REGIONS, Effect, Fight, Mode, Start
from engine.duel.outcomes import Play
from engine.errors import BoundError, InputError
from engine.procedures import Rules
from engine.readings import Engine

MOST_MODES = 20_000

State = TypeVar("State", bound=Hashable)


class Duel(Protocol[State]):
    """A fight of two sides as a system plays it, bots included. States are immutable and hashable.

    `most` and `low` hold both sides' greatest hit points and the thresholds at or below which a bot acts otherwise
    (−1 for none), in the system's own unit; `unit` is the smallest step of hit points (1, or 1/2 where halves occur).
    """

    @property
    def most(self) -> tuple[Number, Number]:
        """Both sides' greatest hit points."""

    @property
    def low(self) -> tuple[Number, Number]:
        """Both sides' thresholds; −1 for none."""

    @property
    def unit(self) -> Number:
        """The smallest step of hit points."""

    def start(self, rules: Rules) -> State:
        """The state in which the fight begins, after rolls for initiative."""

    def turn(self, rules: Rules, state: State) -> State:
        """One turn of the side whose turn it is, by its bot."""

    def hit_points(self, state: State) -> tuple[Number, Number]:
        """Both sides' hit points; 0 or less has fallen."""

    def mode(self, state: State) -> Hashable:
        """Everything of the state except hit points."""

    def at(self, mode: Hashable, hit_points: tuple[Number, Number]) -> State:
        """The state of this mode with these hit points."""

    def roomy(self, mode: Hashable, region: int) -> State:
        """A state of this mode and region in which no hurt kills and no cure reaches the limit."""

    def layer(self, mode: Hashable) -> int:
        """Rises wherever something is used up, and never falls."""

    def phase(self, mode: Hashable) -> int:
        """The turn's place within its round."""


class _Builder(Generic[State]):
    """Numbers modes as they are met, and finds what a turn of each can do."""

    def __init__(self, engine: Engine, duel: Duel[State], profile: Mapping[str, str]) -> None:
        self._duel: Duel[State] = duel
        self._play = Play(engine, profile)
        self.numbers: dict[Hashable, int] = {}
        self._pending: list[Hashable] = []

    def fight(self) -> Fight:
        """The whole fight."""
        duel = self._duel
        starts = []
        for state, chance in self._play.outcomes(duel.start).items():
            first, second = (_units(duel, points) for points in duel.hit_points(state))
            mode = duel.mode(state)
            starts.append(Start(self._number(mode), first, second, chance, late=begins_late(duel, mode)))
        modes: dict[int, Mode] = {}
        while self._pending:
            mode = self._pending.pop()
            effects: list[tuple[Effect, ...]] = []
            for region in range(REGIONS):
                # A side without a threshold is never low.
                never = any(region >> side & 1 and duel.low[side] < 0 for side in (0, 1))
                effects.append(effects[0] if never else self._effects(mode, region))
            modes[self.numbers[mode]] = Mode(duel.layer(mode), duel.phase(mode), tuple(effects))
        first, second = (_units(duel, points) for points in duel.most)
        low_first, low_second = (_units(duel, points, down=True) for points in duel.low)
        return Fight(
            tuple(modes[i] for i in range(len(modes))), (first, second), (low_first, low_second), tuple(starts)
        )

    def turn(self, state: State) -> Mapping[State, Fraction]:
        """What a turn in this state can lead to."""
        return self._play.outcomes(lambda rules: self._duel.turn(rules, state))

    def _effects(self, mode: Hashable, region: int) -> tuple[Effect, ...]:
        duel = self._duel
        state = duel.roomy(mode, region)
        chances: dict[tuple[int, int, int], Fraction] = {}
        for after, chance in self.turn(state).items():
            first, second = change(duel, state, after)
            key = (first, second, self._number(duel.mode(after)))
            chances[key] = chances[key] + chance if key in chances else chance
        return tuple(Effect(chance, *key) for key, chance in sorted(chances.items()))

    def _number(self, mode: Hashable) -> int:
        if mode not in self.numbers:
            if len(self.numbers) == MOST_MODES:
                raise BoundError(f"a fight of more than {MOST_MODES} modes", "give the bots less to choose from")
            self.numbers[mode] = len(self.numbers)
            self._pending.append(mode)
        return self.numbers[mode]


def build_fight(engine: Engine, duel: Duel[State], profile: Mapping[str, str], *, check: int = 40) -> Fight:
    """The fight as numbers, under a full profile of readings.

    `check` turns are also played at real hit points (1, the thresholds, the most, and their neighbours) and compared.
    Raises `CallError` for a profile that leaves open what a turn meets, `BoundError` beyond `MOST_MODES` modes, and
    `InputError` where hit points matter to a turn in a way that modes and thresholds do not show.
    """
    builder = _Builder(engine, duel, profile)
    fight = builder.fight()
    cells = [
        (mode, first, second)
        for mode in builder.numbers
        for first in _corners(fight.most[0], fight.low[0])
        for second in _corners(fight.most[1], fight.low[1])
    ]
    for mode, first, second in cells[:: max(1, len(cells) // check)] if check else []:
        played: dict[tuple[object, ...], Fraction] = {}
        state = duel.at(mode, (first * duel.unit, second * duel.unit))
        for after, chance in builder.turn(state).items():
            left = tuple(_units(duel, points) for points in duel.hit_points(after))
            _count(played, left, builder.numbers.get(duel.mode(after), -1), chance)
        summed: dict[tuple[object, ...], Fraction] = {}
        for effect in fight.modes[builder.numbers[mode]].effects[fight.region(first, second)]:
            left = (min(fight.most[0], first + effect.first), min(fight.most[1], second + effect.second))
            _count(summed, left, effect.to, effect.chance)
        if played != summed:
            raise InputError(f"hit points matter to the turn of {mode} at {first}, {second}", "add a threshold")
    return fight


def begins_late(duel: Duel[State], mode: Hashable) -> bool:
    """Whether a fight that begins in this mode counts a round too much when the first side ends it.

    So it is for a duel with a true `turnabout`: two sides in turn, whose rounds begin with whoever began the fight and
    whose phases say no more than whose turn it is. A turn of the first side then opens a round, though it ends one.
    """
    return bool(getattr(duel, "turnabout", False)) and duel.phase(mode) > 0


def change(duel: Duel[State], before: State, after: State) -> tuple[int, int]:
    """By how many units both sides' hit points change. Raises `InputError` where the unit is too large."""
    pairs = zip(duel.hit_points(before), duel.hit_points(after), strict=True)
    first, second = (_units(duel, then - now) for now, then in pairs)
    return first, second


def _count(found: dict[tuple[object, ...], Fraction], left: tuple[int, ...], mode: int, chance: Fraction) -> None:
    """Adds a result; how far below zero someone fell, and the mode after a fall, do not count."""
    fallen = tuple(max(0, points) for points in left)
    key = (*fallen, mode if all(fallen) else None)
    found[key] = found.get(key, Fraction(0)) + chance


def _corners(most: int, low: int) -> list[int]:
    return sorted({n for n in (1, 2, low - 1, low, low + 1, most - 1, most) if 1 <= n <= most})


def _units(duel: Duel[State], points: Number, *, down: bool = False) -> int:
    if duel.unit == 1 and isinstance(points, int):
        return points
    units = Fraction(points) / duel.unit
    if units.denominator != 1 and not down:
        raise InputError(f"{points} hit points are no multiple of {duel.unit}", "choose a smaller unit")
    return units.numerator // units.denominator
