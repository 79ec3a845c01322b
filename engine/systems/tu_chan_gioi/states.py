"""Who and what the procedures act on, and what they give.

Modifiers, not scores: what enters the formulas is settled before a fighter stands here (TU-Q12, TU-Q13).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Side = Literal["player", "foe"]

# --- States ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fighter:
    """Somebody in a fight, as the sheet stands at this moment. `ho_the_base` is hộ thể without guard."""

    cap: int
    stage: int
    the_phach: int
    than_phap: int
    than_thuc: int
    ho_the_base: int
    R: int
    HP: int
    HP_max: int
    linh_luc_left: int
    injuries: int = 0
    guarding: bool = False
    pills: int = 0
    art: Literal["bi phap", "than thong"] = "bi phap"
    side: Side = "player"


@dataclass(frozen=True, slots=True)
class Policy:
    """How a fighter chooses: a pill, else a guard, at or below so many HP; else an art from so much linh lực on.

    None: never.
    """

    art_from: int | None = None
    guard_below: int | None = None
    pill_below: int | None = None


# --- Outcomes ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dice:
    """The die that is kept, and the one that is natural."""

    die: int
    natural: int


@dataclass(frozen=True, slots=True)
class Check:
    """A check or a save."""

    die: int
    natural: int
    total: int
    margin: int
    success: bool
    degree: str


@dataclass(frozen=True, slots=True)
class Blow:
    """What an attack does to whomever it meets: `injures` says that one more injury follows."""

    die: int
    natural: int
    total: int
    hit: bool
    critical: bool
    damage: int
    injures: bool


@dataclass(frozen=True, slots=True)
class Attack:
    """A blow, and what it leaves of the foe."""

    die: int
    natural: int
    total: int
    hit: bool
    critical: bool
    damage: int
    HP: int
    foe_injuries: int


@dataclass(frozen=True, slots=True)
class Art:
    """What an art does to whomever it meets; `save` is the target's."""

    DC: int
    save: Check
    damage: int


@dataclass(frozen=True, slots=True)
class Cast:
    """An art that was cast and saved against, or could not be paid for."""

    cast: bool
    DC: int | None
    total: int | None
    degree: str | None
    damage: int
    HP: int
    linh_luc_left: int


@dataclass(frozen=True, slots=True)
class Pill:
    """A pill that was taken, or none."""

    taken: bool
    healed: int
    HP: int
    pills: int
    injuries: int
    poisoned: bool


@dataclass(frozen=True, slots=True)
class StepUp:
    """A fighter one stage, or one realm, higher."""

    cap: int
    stage: int
    HP_max: int
    HP: int
    pool: int
    linh_luc_left: int
    R: int


@dataclass(frozen=True, slots=True)
class Defeat:
    """What is left of a beaten fighter, and what each stack lost."""

    HP: int
    injuries: int
    hours: int
    linh_luc_left: int
    pills: int
    stacks: tuple[int, ...]
    lost: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """Both fighters after a round of `turns` turns."""

    player: Fighter
    foe: Fighter
    turns: int
    over: bool


@dataclass(frozen=True, slots=True)
class FightEnd:
    """How a fight ended, after `rounds` rounds that began and `turns` turns."""

    result: str
    rounds: int
    turns: int
    player: Fighter
    foe: Fighter
