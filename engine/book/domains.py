"""Declared domains: which values a name may take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.dice import MOST_SIDES, Number, Pool, parse_pool, plain
from engine.errors import DomainError, InputError

REMEDY = (
    'write a range ("1..20", "1..", "0..40 by 1/2"), a list of words, "bool", '
    'or dice ("dice d4 d6", "dice d4 d6 up to 3")'
)
MOST_POOL = 20

# At most 30 digits, as in formulas and cases: longer ones are no rule, and Python refuses to read the longest.
_RANGE = re.compile(
    r"\s*(?P<low>-?[0-9]{1,30})?\s*\.\.\s*(?P<high>-?[0-9]{1,30})?\s*"
    r"(?:by\s+(?P<step>[0-9]{1,30}(?:/[0-9]{1,30})?))?\s*"
)
_DICE = re.compile(r"\s*dice(?P<kinds>(?:\s+d[0-9]{1,4})+)(?:\s+up\s+to\s+(?P<most>[0-9]{1,3}))?\s*")


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that a name may take, its label for people, and why its bounds are what they are."""

    name: str
    label: str = ""
    why: str = ""

    def check(self, value: Any) -> Any:
        """`value` in its exact form. Raises `DomainError` where it lies outside."""
        raise NotImplementedError

    def values(self) -> Iterator[Any]:
        """Every value in rising order. Raises `DomainError` where there is no end of them."""
        raise NotImplementedError

    @property
    def finite(self) -> bool:
        """Whether `values` ends."""
        return True

    def _refuse(self, value: Any) -> DomainError:
        shown = value if isinstance(value, str) else str(value)
        return DomainError(f"{self.name} = {shown[:60]} lies outside its domain", f"{self.name} is {self}")


@dataclass(frozen=True, slots=True)
class Range(Domain):
    """Numbers from `low` to `high` in steps; a bound of None is open."""

    low: int | None = None
    high: int | None = None
    step: Number = 1

    def __str__(self) -> str:
        low = "" if self.low is None else self.low
        high = "" if self.high is None else self.high
        return f"{low}..{high}" + ("" if self.step == 1 else f" by {self.step}")

    def check(self, value: Any) -> Number:
        """A whole number or Fraction on the grid of the range."""
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise self._refuse(value)
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise self._refuse(value)
        if self.step == 1:
            if isinstance(value, Fraction) and value.denominator != 1:
                raise self._refuse(value)
        elif (Fraction(value) - (self.low or 0)) % self.step:
            raise self._refuse(value)
        return plain(value)

    @property
    def finite(self) -> bool:
        """Whether both ends are given."""
        return self.low is not None and self.high is not None

    def values(self) -> Iterator[Number]:
        """Every number of the range in rising order."""
        if self.low is None or self.high is None:
            raise DomainError(f"{self.name} is {self}, which has no end", "narrow it to a finite range")
        value: Number = self.low
        while value <= self.high:
            yield value
            value = plain(value + self.step)


@dataclass(frozen=True, slots=True)
class Choice(Domain):
    """One of a few words."""

    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "one of " + ", ".join(self.words)

    def check(self, value: Any) -> str:
        """One of the words."""
        if not isinstance(value, str) or value not in self.words:
            raise self._refuse(value)
        return value

    def values(self) -> Iterator[str]:
        """The words in the order in which the book lists them."""
        return iter(self.words)


@dataclass(frozen=True, slots=True)
class Truth(Domain):
    """Yes or no."""

    def __str__(self) -> str:
        return "true or false"

    def check(self, value: Any) -> bool:
        """True or False, nothing that merely resembles them."""
        if not isinstance(value, bool):
            raise self._refuse(value)
        return value

    def values(self) -> Iterator[bool]:
        """False, then True."""
        return iter((False, True))


@dataclass(frozen=True, slots=True)
class Dice(Domain):
    """A pool of up to `most` dice of the given kinds."""

    kinds: tuple[int, ...] = ()
    most: int = 4

    def __str__(self) -> str:
        return f"a pool of 1 to {self.most} dice out of " + ", ".join(f"d{k}" for k in self.kinds)

    def check(self, value: Any) -> Pool:
        """A `Pool`, from one or from its text."""
        if isinstance(value, str):
            try:
                value = parse_pool(value)
            except InputError as error:
                raise DomainError(f"{self.name}: {error.problem}", error.remedy) from None
        if not isinstance(value, Pool) or value.plus or not 1 <= len(value.sides) <= self.most:
            raise self._refuse(value)
        if any(sides not in self.kinds for sides in value.sides):
            raise self._refuse(value)
        return value

    def values(self) -> Iterator[Pool]:
        """Every pool, small ones first."""

        def grow(kinds: tuple[int, ...], left: int) -> Iterator[tuple[tuple[int, int], ...]]:
            if not kinds or not left:
                yield ()
                return
            for count in range(left + 1):
                for rest in grow(kinds[1:], left - count):
                    yield (((kinds[0], count),) if count else ()) + rest

        pools = {tuple(sorted(p, reverse=True)) for p in grow(self.kinds, self.most) if p}
        for dice in sorted(pools, key=lambda d: (sum(c for _, c in d), d)):
            yield Pool(dice)


def parse_domain(name: str, spec: Any) -> Domain:
    """A domain from its entry in `book.toml`, a property's `for` or a table's `check`.

    `spec` is the text of a range, of dice or "bool"; a list of words; or a table {is, label, why}.
    Raises `InputError` where it is none of these.
    """
    label, why = "", ""
    if isinstance(spec, dict):
        unknown = set(spec) - {"is", "label", "why"}
        if unknown or "is" not in spec:
            raise InputError(
                f"domain of {name}: unknown or missing keys {sorted(unknown)}", "its keys are is, label, why"
            )
        label, why, spec = str(spec.get("label", "")), str(spec.get("why", "")), spec["is"]
    if isinstance(spec, list) and spec and all(isinstance(word, str) and word for word in spec):
        if len(set(spec)) != len(spec):
            raise InputError(f"domain of {name} lists a word twice", "each word once")
        return Choice(name, label, why, tuple(spec))
    if spec == "bool":
        return Truth(name, label, why)
    if isinstance(spec, str):
        if match := _RANGE.fullmatch(spec):
            low, high = (None if match[k] is None else int(match[k]) for k in ("low", "high"))
            step = Fraction(match["step"] or 1) if not (match["step"] or "").endswith("/0") else Fraction(0)
            if step <= 0 or (low is not None and high is not None and low > high):
                raise InputError(f'domain of {name}: "{spec}" holds nothing', "write it from low to high")
            return Range(name, label, why, low, high, plain(step))
        if match := _DICE.fullmatch(spec):
            most = int(match["most"] or 4)
            if not 1 <= most <= MOST_POOL:
                raise InputError(f"domain of {name}: a pool of {most} dice", f"1 to {MOST_POOL} dice")
            kinds = sorted({int(k[1:]) for k in match["kinds"].split()})
            if not 1 <= kinds[0] <= kinds[-1] <= MOST_SIDES:
                raise InputError(f"domain of {name}: dice of {kinds[-1]} sides", f"1 to {MOST_SIDES} sides")
            return Dice(name, label, why, tuple(kinds), most)
    raise InputError(f'domain of {name}: "{spec}" is not understood', REMEDY)
