"""The d20 check roller: one check by the core's seven steps, its degree, and the dice line.

The page gives its dice line no format (TU-Q68); the one shown here is this tool's own.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from conformance.tools.boxes import domain_of
from conformance.tools.page import Page, once
from conformance.tools.said import Reader, Said
from conformance.tools.words import ABILITIES, INJURED, MODES, degree, number, signed
from engine.dice import pool_of
from engine.run import Script

Roller = Callable[[int], int]
"""Gives a face of a die with so many sides, 1 to `sides`."""


def system_roller() -> Roller:
    """Faces from the operating system's randomness: like the page's roller, it cannot be made to repeat itself."""
    source = secrets.SystemRandom()
    return lambda sides: source.randint(1, sides)


def scripted(*faces: int) -> Roller:
    """Faces that are given beforehand, in order. The roller raises `ScriptError` for one that a die has not."""
    script = Script(faces)
    return lambda sides: script.total(pool_of([(sides, 1)]))


@dataclass(frozen=True, slots=True)
class Setting:
    """What is rolled: `modifier` is what stands in the box, `cap` and `stage` give R."""

    ability: str
    modifier: int
    DC: int
    cap: int = 1
    stage: int = 1
    mode: str = "normal"
    injured: bool = False


@dataclass(frozen=True, slots=True)
class Roll:
    """A check that was rolled. `dice` is empty where the book leaves open how many there are."""

    setting: Setting
    dice: tuple[int, ...]
    kept: Said
    natural: Said
    R: Said
    penalty: Said
    total: Said
    margin: Said
    degree: Said
    notes: tuple[str, ...]

    def head(self) -> str:
        """Whose roll it is, in which mode."""
        parts = [
            ABILITIES[self.setting.ability],
            MODES[self.setting.mode],
            *([INJURED] if self.setting.injured else []),
        ]
        return " · ".join(parts)

    def line(self) -> str:
        """The dice line, in our own format: `d20 [6, 14] → 14 + 2 + R 2 = 18 vs DC 15 (+3): thành công (success)`."""
        if not self.dice:
            return "d20: " + self.kept.text()
        parts = [
            f"d20 [{', '.join(map(str, self.dice))}] → {self.kept.cell(unsettled='?')}",
            _added(self.setting.modifier),
        ]
        if not self.R.settled or self.R.value:
            parts.append(f"+ R {self.R.cell(unsettled='?')}")
        if self.setting.injured:
            parts.append(_added(self.penalty.value) if self.penalty.settled else "− ?")
        total, margin = self.total.cell(number, "?"), self.margin.cell(signed, "?")
        natural = f" · natural {self.natural.value}" if self.natural.settled and self._is_natural() else ""
        return f"{' '.join(parts)} = {total} vs DC {self.setting.DC} ({margin}): {self.degree.cell(degree)}{natural}"

    def _is_natural(self) -> bool:
        """Whether the die alone decided, or another die than the kept one is the natural one."""
        return self.natural.value in (1, 20) or (self.kept.settled and self.natural.value != self.kept.value)

    def page(self) -> Page:
        """The dice line, what is open about it, and what other readings would have made of it."""
        return Page((self.head(), self.line()), notes=self.notes)


def _added(value: int) -> str:
    return f"+ {value}" if value >= 0 else f"− {-value}"


def roll_check(reader: Reader, setting: Setting, roller: Roller) -> Roll:
    """Rolls a check. Raises `InputError` for an unknown ability or mode, and for a number outside its domain."""
    injuries = int(setting.injured)
    R = reader.ask("realm_bonus", cap=setting.cap, stage=setting.stage)
    reader.ask("serves_in_fights", ability=setting.ability)  # refuses an ability that is none
    count = reader.ask(
        "dice_rolled",
        advantages=int(setting.mode == "advantage"),
        disadvantages=int(setting.mode == "disadvantage"),
    )
    if not count.settled or not R.settled:
        return Roll(setting, (), count, count, R, count, count, count, count, once([_open("dice", count)]))
    sides = domain_of(reader, "die")[1]
    dice = tuple(roller(sides) for _ in range(count.value))
    shown = {"mode": setting.mode, "first": dice[0], "second": dice[-1]}
    kept = reader.ask("kept_die", **shown)
    added = {"modifier_box": setting.modifier, "injuries": injuries}
    total = reader.work(lambda rules: rules.roller_total(die=rules.kept_die(**shown), R=R.value, **added))
    counted = reader.work(
        lambda rules: rules.roller_total(die=0, R=R.value, **added) - rules.roller_total(die=0, R=0, **added)
    )
    margin = reader.work(
        lambda rules: rules.margin_of(
            total=rules.roller_total(die=rules.kept_die(**shown), R=R.value, **added), target=setting.DC
        )
    )
    result = reader.ask("roller_degree", **shown, R=R.value, DC=setting.DC, **added)
    return Roll(
        setting,
        dice,
        kept,
        reader.ask("natural_die", **shown),
        counted,
        reader.ask("injury_penalty", injuries=injuries),
        total,
        margin,
        result,
        _notes(reader, setting, total, result),
    )


def _notes(reader: Reader, setting: Setting, total: Said, result: Said) -> tuple[str, ...]:
    notes = []
    if (why := total.why(number)) != "":
        notes.append(f"tổng (total) {OTHERS if total.settled else OPEN_IS} {why}")
    if (why := result.why(degree)) != "":
        notes.append(f"kết quả (degree) {OTHERS if result.settled else OPEN_IS} {why}")
    if result.settled:
        effect = reader.ask("check_effect", result=result.value)
        notes.append(_open("what a critical check does", effect, reader))
    if not reader.ask("serves_in_fights", ability=setting.ability).value:
        notes.append(_open("DC of an event check", reader.ask("difficulty", task="event", DC=setting.DC), reader))
    format_ = reader.ask("dice_line", rolled=1)
    notes.append(_open("dice line, here in a format of our own", format_, reader))
    return once(notes)


OTHERS = "under other readings:"
OPEN_IS = "is open:"


def _open(what: str, said: Said, reader: Reader | None = None) -> str:
    """A note on what is open; empty where it is not."""
    if said.settled:
        return ""
    return f"{what}: {reader.title_of(said.why()) if reader else said.why()}"
