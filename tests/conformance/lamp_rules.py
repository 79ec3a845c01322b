"""Procedures for tests: put into `engine.systems` under the name of a book while a test runs."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from engine.dice import Pool
from engine.errors import CallError
from engine.procedures import Rules, invariant, procedure


@dataclass(frozen=True, slots=True)
class Lamp:
    oil: int
    level: int
    lit: bool = True


@procedure
def burn(rules: Rules, lamp: Lamp, draught: Literal["none", "strong"]) -> Lamp:
    roll = rules.roll("d6")
    lost = rules.burnt(oil=lamp.oil) if roll > 1 or draught == "strong" else 0
    return replace(lamp, oil=lamp.oil - lost)


@invariant(burn)
def oil_never_grows(rules: Rules, inputs: dict[str, object], outcome: Lamp) -> bool:
    """No oil appears from nowhere."""
    before = inputs["lamp"]
    assert isinstance(before, Lamp)
    return outcome.oil <= before.oil


@procedure
def overfill(rules: Rules, lamp: Lamp) -> Lamp:
    return replace(lamp, oil=lamp.oil + (1 if lamp.oil >= 7 else 0))


@invariant(overfill)
def holds_no_more(rules: Rules, inputs: dict[str, object], outcome: Lamp) -> bool:
    """A lamp never holds more than before."""
    before = inputs["lamp"]
    assert isinstance(before, Lamp)
    return outcome.oil <= before.oil


@procedure
def crash(rules: Rules, oil: int) -> int:
    return 10 // max(0, 3 - oil)


@procedure
def cheat(rules: Rules, oil: int) -> float:
    return random.randint(1, 10**9)


@procedure
def refuse(rules: Rules, oil: int) -> int:
    raise CallError("never", "nothing")


@procedure
def roll_for_ever(rules: Rules) -> int:
    while True:
        rules.roll("d6")


@procedure
def roll_many(rules: Rules) -> int:
    return sum(rules.roll("d6") for _ in range(1000))


@procedure
def spark(rules: Rules) -> int:
    return rules.roll("d6") if rules.reading("Q04") == "one" else rules.roll("2d6")


@procedure
def every_kind(  # noqa: PLR0917 - one of each
    rules: Rules,
    flame: Pool,
    weather: str,
    free: str,
    number: int,
    share: int | Fraction,
    exact: Fraction,
    pair: tuple[int, bool],
    lamps: tuple[Lamp, ...],
    spare: Lamp | None,
    level: int = 1,
) -> list[object]:
    if rules.reading("Q01") == "half-up" and any(not 1 <= lamp.level <= 10 for lamp in lamps):
        return ["outside"]
    return [flame, weather, free, number, share, exact, pair, lamps, spare, level]
