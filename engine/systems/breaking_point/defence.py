"""What one blow does to whoever defends (BP-6.9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.errors import CallError
from engine.procedures import Rules, invariant, procedure


@dataclass(frozen=True, slots=True)
class Target:
    """Whoever is struck. Without a BPI there is no armour; without an ARM_full it is new."""

    DEF: int
    HEL: int | Fraction
    BPI: int = 0
    ARM: int | Fraction = 0
    ARM_full: int | Fraction | None = None

    def __post_init__(self) -> None:
        if not self.BPI and self.ARM > 0:
            raise CallError("an ARM without a BPI", "name the index of the armour, or leave both out")
        if self.ARM_full is not None and self.ARM > self.ARM_full:
            raise CallError("more ARM than the armour had when new", "raise ARM_full, or leave it out")

    @property
    def when_new(self) -> int | Fraction:
        """The ARM before any wear."""
        return max(0, self.ARM) if self.ARM_full is None else self.ARM_full


@dataclass(frozen=True, slots=True)
class Blow:
    """What a blow took from armour and health, what is left, and whether either is at its end."""

    wear: int | Fraction
    ARM: int | Fraction
    broke: bool
    loss: int | Fraction
    HEL: int | Fraction
    dead: bool


@procedure
def defend(rules: Rules, AP: int, target: Target, OFF: int | None = None) -> Blow:
    """One blow of power `AP`, of which the item brings `OFF` (all of it where left out)."""
    return take_blow(rules, AP, OFF, target)


def take_blow(rules: Rules, AP: int, OFF: int | None, target: Target) -> Blow:
    """Armour first, body second."""
    brings = AP if OFF is None else OFF
    if brings > AP:
        raise CallError(f"an item of OFF {brings} in a blow of {AP}", "the item is a part of the power")
    BPI, ARM, DEF, full = target.BPI, target.ARM, target.DEF, target.when_new
    wear = rules.wear(AP=rules.tested_power(OFF=brings, AP=AP), BPI=BPI, ARM=ARM, ARM_full=full)
    left = rules.armour_left(ARM=ARM, wear_taken=wear)
    broke = rules.breaks(ARM=ARM, wear_taken=wear)
    rules.step("wear of the armour", wear, "BP-3.27", ARM=ARM, left=left, breaks=broke)
    loss = rules.blow_loss(AP=AP, DEF=DEF, BPI=BPI, ARM=ARM, ARM_full=full, wear_taken=wear)
    loss = rules.loss_by_item(OFF=brings, AP=AP, DEF=DEF, loss=loss)
    health = rules.health_left(HEL=target.HEL, loss=loss)
    dead = rules.dies(HEL=health)
    rules.step("loss of health", loss, "BP-6.7", HEL=target.HEL, left=health, dies=dead)
    return Blow(wear, left, broke, loss, health, dead)


@invariant(defend)
def armour_never_grows(_rules: Rules, inputs: Mapping[str, Any], outcome: Blow) -> bool:
    """Armour never grows: what is left is what there was, less the wear."""
    return outcome.wear >= 0 and outcome.ARM == inputs["target"].ARM - outcome.wear


@invariant(defend)
def health_never_grows(_rules: Rules, inputs: Mapping[str, Any], outcome: Blow) -> bool:
    """Health never grows: what is left is what there was, less the loss."""
    return outcome.loss >= 0 and outcome.HEL == inputs["target"].HEL - outcome.loss


@invariant(defend)
def broken_armour_does_not_break_again(_rules: Rules, inputs: Mapping[str, Any], outcome: Blow) -> bool:
    """Armour that is broken wears no more and does not break again."""
    return inputs["target"].ARM > 0 or (outcome.wear == 0 and not outcome.broke)
