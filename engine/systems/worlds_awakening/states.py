"""Who and what the procedures act on, and what they give.

Inputs that a call leaves out count as nothing: an attribute of 0, no Outfit, no weapon, no magic points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.dice import Pool

# --- States ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Character:
    """What a level-up changes and needs (WA-2.20)."""

    level: int
    hit_dice: Pool
    CON: int
    MAG: int
    caster: bool
    HP_max: int
    HP: int
    MP: int


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon's line: `Sword STR+1 DM 1d6+1` is STR, contact, bonus 1, dice 1d6, plus 1."""

    attribute: str
    attack_kind: str
    dice: Pool
    bonus: int = 0
    plus: int = 0


@dataclass(frozen=True, slots=True)
class Ability:
    """An offensive ability; without dice it does no damage. `with_weapon`: it works through the weapon in hand."""

    attribute: str
    attack_kind: str
    dice: Pool | None = None
    bonus: int = 0
    plus: int = 0
    cost: int = 0
    with_weapon: bool = False


@dataclass(frozen=True, slots=True)
class Fighter:
    """Somebody in a fight; without a weapon, unarmed."""

    side: Literal["PC", "foe"]
    level: int
    HP: int
    MP: int = 0
    STR: int = 0
    DEX: int = 0
    CON: int = 0
    INT: int = 0
    WIS: int = 0
    CHA: int = 0
    designated: str = "none"
    outfit: int = 0
    listed_for: str = "both"
    weapon: Weapon | None = None


@dataclass(frozen=True, slots=True)
class Contender:
    """What the order of actions depends on."""

    side: Literal["PC", "foe"]
    DEX: int


# --- Outcomes ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LevelUp:
    """The dice that were thrown, what they showed and gave, and the character afterwards."""

    thrown: Pool
    roll: int
    gain: int
    MP_max: int
    character: Character


@dataclass(frozen=True, slots=True)
class Spending:
    """Whether the ability takes place, what it took, and what is left."""

    used: bool
    spent: int
    MP: int


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack; `Def` is the number that had to be overcome, `extra` the progressive bonus that counted."""

    score: int
    Def: int
    success: bool
    margin: int
    extra: int
    damage: int
    falls: bool
    defender: Fighter


@dataclass(frozen=True, slots=True)
class AbilityUse:
    """An ability that was paid for and tested, or neither."""

    used: bool
    spent: int
    attack: Attack | None
    attacker: Fighter
    defender: Fighter


@dataclass(frozen=True, slots=True)
class TurnOrder:
    """Places in the order of actions; those in one place act together. Contenders are numbered from 1.

    `thrown`: dice had a part in it.
    """

    scores: tuple[int, ...]
    order: tuple[tuple[int, ...], ...]
    thrown: bool


@dataclass(frozen=True, slots=True)
class Blow:
    """An attack within a round, and the number of the fighter who made it."""

    by: int
    attack: Attack


@dataclass(frozen=True, slots=True)
class Round:
    """The blows of a round in their order, both fighters afterwards, and who has fallen."""

    blows: tuple[Blow, ...]
    one: Fighter
    other: Fighter
    fallen: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Duel:
    """How a duel ended. `winner` is "one", "other", or "nobody" where both fell or the rounds ran out."""

    winner: Literal["one", "other", "nobody"]
    rounds: int
    blows: int
    one: Fighter
    other: Fighter
    fallen: tuple[int, ...]
