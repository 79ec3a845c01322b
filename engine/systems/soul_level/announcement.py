"""What the narrator says whenever SXP are won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.procedures import Rules, invariant, procedure
from engine.values import show


@dataclass(frozen=True, slots=True)
class Announcement:
    """The sentence, and its three figures: gained, accumulated, needed."""

    text: str
    X: int | Fraction
    Y: int | Fraction
    Z: int


@procedure
def announce(rules: Rules, soul_level: int, SXP: int | Fraction, gain: int | Fraction) -> Announcement:
    """The announcement of a gain, word for word (SOUL-3.43)."""
    figures = {
        "X": rules.announced_gain(gain=gain),
        "Y": rules.announced_total(soul_level=soul_level, SXP=SXP, gain=gain),
        "Z": rules.announced_need(soul_level=soul_level, SXP=SXP, gain=gain),
    }
    words = [rules.announcement_piece(place=1)]
    for place in range(1, len(figures) + 1):
        letter = rules.figure_letter(figure_place=place)
        words += [show(figures[letter]), rules.announcement_piece(place=place + 1)]
    text = " ".join(words)
    rules.step("announcement", text)
    return Announcement(text, **figures)


@invariant(announce)
def the_figures_stand_in_their_order(rules: Rules, inputs: Mapping[str, Any], outcome: Announcement) -> bool:
    """The sentence holds what was gained, what is accumulated and what is needed, in this order."""
    figures = [show(outcome.X), show(outcome.Y), show(outcome.Z)]
    words = [word for word in outcome.text.split(" ") if word[0].isdigit()]
    return words == figures


@invariant(announce)
def the_total_holds_the_gain(rules: Rules, inputs: Mapping[str, Any], outcome: Announcement) -> bool:
    """Where no step is filled the total is what was there and what was gained, and the step is not reached."""
    total = inputs["SXP"] + inputs["gain"]
    if rules.ready(soul_level=inputs["soul_level"], SXP=total):
        return True
    return bool(total == outcome.Y) and outcome.Y < outcome.Z
