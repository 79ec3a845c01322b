"""Dice pools and their exact distributions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from engine.errors import InputError

Number = int | Fraction

MOST_DICE = 100
MOST_SIDES = 1000
MOST_SUMS = 200_000

_TERM = re.compile(r"\s*(?P<sign>[+-])?\s*(?:(?P<count>\d+)?d(?P<sides>\d+)|(?P<plain>\d+))\s*")


@dataclass(frozen=True, slots=True)
class Pool:
    """A sum of dice and a whole number: `2d4 + 1d6 + 1`.

    `dice` holds (sides, count) in falling order of sides; equal pools compare equal however they were written.
    """

    dice: tuple[tuple[int, int], ...]
    plus: int = 0

    def __str__(self) -> str:
        terms = [f"{count}d{sides}" for sides, count in self.dice]
        text = " + ".join(terms) or "0"
        if self.plus and terms:
            text += f" {'+' if self.plus > 0 else '-'} {abs(self.plus)}"
        return text if terms else str(self.plus)

    def __add__(self, other: Pool) -> Pool:
        return pool_of(list(self.dice) + list(other.dice), self.plus + other.plus)

    @property
    def lowest(self) -> int:
        """The least total that the pool can show."""
        return sum(count for _, count in self.dice) + self.plus

    @property
    def highest(self) -> int:
        """The greatest total that the pool can show."""
        return sum(sides * count for sides, count in self.dice) + self.plus

    @property
    def mean(self) -> Number:
        """The exact average total."""
        return plain(sum((Fraction(count * (sides + 1), 2) for sides, count in self.dice), Fraction(self.plus)))

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of each die, one entry a die, in the order in which a script lists their rolls."""
        return tuple(sides for sides, count in self.dice for _ in range(count))


def plain(value: Fraction | int) -> Number:
    """A whole Fraction as an int, anything else as it is."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def pool_of(dice: list[tuple[int, int]], plus: int = 0) -> Pool:
    """A pool of (sides, count) pairs, merged and ordered.

    Raises `InputError` where a bound is exceeded.
    """
    merged: dict[int, int] = {}
    for sides, count in dice:
        merged[sides] = merged.get(sides, 0) + count
    if sum(merged.values()) > MOST_DICE or any(not 1 <= sides <= MOST_SIDES for sides in merged):
        raise InputError("a dice pool beyond bounds", f"at most {MOST_DICE} dice of at most {MOST_SIDES} sides")
    return Pool(tuple(sorted(((s, c) for s, c in merged.items() if c), reverse=True)), plus)


@lru_cache(maxsize=1024)
def parse_pool(text: str) -> Pool:
    """`2d4 + 1d6`, `d20`, `1d6+1` as a `Pool`.

    Raises `InputError` where the text is no dice pool.
    """
    position, dice, plus = 0, [], 0
    if len(text) > 200:
        raise InputError("a dice pool of more than 200 characters", 'write it like "2d4 + 1d6"')
    while position < len(text):
        match = _TERM.match(text, position)
        first = position == 0
        if match is None or (not first and match["sign"] is None) or (match["sides"] and match["sign"] == "-"):
            raise InputError(f'"{text}" is no dice pool', 'write it like "2d4 + 1d6"')
        if match["sides"]:
            dice.append((int(match["sides"]), int(match["count"] or 1)))
        else:
            plus += int(match["plain"]) * (-1 if match["sign"] == "-" else 1)
        position = match.end()
    if not dice:
        raise InputError(f'"{text}" is no dice pool', 'write it like "2d4 + 1d6"')
    return pool_of(dice, plus)


@lru_cache(maxsize=1024)
def distribution(pool: Pool) -> tuple[tuple[int, Fraction], ...]:
    """The exact probability of each total of `pool`, as (total, probability) in rising order.

    Raises `InputError` for a pool beyond bounds.
    """
    if len(pool.sides) * pool.highest > MOST_SUMS:
        raise InputError(f"the distribution of {pool} is beyond bounds", "use fewer dice")
    ways: dict[int, int] = {pool.plus: 1}
    for sides in pool.sides:
        grown: dict[int, int] = {}
        for total, count in ways.items():
            for face in range(1, sides + 1):
                grown[total + face] = grown.get(total + face, 0) + count
        ways = grown
    whole = sum(ways.values())
    return tuple((total, Fraction(count, whole)) for total, count in sorted(ways.items()))
