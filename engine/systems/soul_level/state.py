"""Who fights, what lies on them, and what using a skill gives.

Inputs that a call leaves out count as those of a normal human with full pools and nothing on him. Whoever is listed
as a fighter stands in reach of every skill: distances are the narrator's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.errors import CallError

Number = int | Fraction
ATTRIBUTES = ("FOR", "VEL", "INT", "RES", "RSOB", "ESP", "VIT")

Team = Literal["heroes", "foes"]
Lasting = Literal[
    "open", "rounds", "next turn", "turn", "minute", "hour", "attacked", "own attack", "own test", "until attack"
]
Fallen = Literal["no", "now", "before"]
Trait = Literal["unaware", "flanked", "undead", "evil", "boss", "chosen weapon", "bow", "willing"]

# --- States ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shape:
    """What an animal brings to whoever takes its form; the narrator defines it."""

    FOR: int
    VEL: int
    RES: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What a skill has laid on somebody. The skill's record says what it does; here stands what is its own.

    `left` and `passed` are rounds, `amount` what is left to absorb or what it harms each round, `subject` the skill
    that is cancelled. Raises `CallError` where a measure is below 0.
    """

    name: str
    skill: str
    by: str = ""
    lasts: Lasting = "open"
    left: int | Fraction = 0
    passed: int = 0
    amount: int | Fraction = 0
    subject: str = ""
    shape: Shape | None = None

    def __post_init__(self) -> None:
        for measure in ("left", "passed", "amount"):
            if getattr(self, measure) < 0:
                raise CallError(f"{measure} of {self.name[:60]} is below 0", "0 or more")


@dataclass(frozen=True, slots=True)
class Combatant:
    """Somebody in a fight. A pool that is not given is full.

    `used` names the skills with a limit that were used since the limit last ended. `fallen`: HP have just come down to
    nothing (`now`), or did so earlier, and no rest came since (`before`); who is given with no HP and `no` has just
    fallen. `rounds_down`: how many rounds have ended since he fell. `dodging`: his Standard Action went into an active
    dodge, and his next turn has not begun. `traits` are what the narrator knows of him, for words that the text does
    not define, and a `bow` in hand.
    """

    name: str
    team: Team = "foes"
    class_names: tuple[str, ...] = ()
    soul_level: int = 1
    FOR: int = 2
    VEL: int = 2
    INT: int = 2
    RES: int = 2
    RSOB: int = 2
    ESP: int = 2
    VIT: int = 2
    HP: int | Fraction | None = None
    M: int | Fraction | None = None
    SP: int | Fraction | None = None
    effects: tuple[Effect, ...] = ()
    used: tuple[str, ...] = ()
    reacted: bool = False
    dodging: bool = False
    fallen: Fallen = "no"
    rounds_down: int = 0
    traits: tuple[Trait, ...] = ()
    element: str = ""

    @property
    def hit_points(self) -> Number:
        """HP of somebody whose pools are filled in."""
        assert self.HP is not None
        return self.HP

    def has(self, effect: str) -> bool:
        """Whether an effect of this name lies on him."""
        return any(e.name == effect for e in self.effects)


@dataclass(frozen=True, slots=True)
class FightState:
    """A fight at one moment. Raises `CallError` where two fighters share a name."""

    fighters: tuple[Combatant, ...]
    round: int = 1

    def __post_init__(self) -> None:
        names = [fighter.name for fighter in self.fighters]
        if len(set(names)) < len(names):
            raise CallError("two fighters with one name", "give each fighter a name of his own")

    def of(self, name: str) -> Combatant:
        """The fighter of this name. Raises `CallError` where there is none."""
        for fighter in self.fighters:
            if fighter.name == name:
                return fighter
        raise CallError(f"nobody here is called {name[:60]}", f"one of {', '.join(f.name for f in self.fighters)}")

    def team_of(self, fighter: Combatant) -> Iterator[Combatant]:
        """The fighter and everybody of the same team."""
        return (other for other in self.fighters if other.team == fighter.team)

    def with_(self, fighter: Combatant) -> FightState:
        """The same fight, with this fighter as he is now."""
        fighters = tuple(fighter if other.name == fighter.name else other for other in self.fighters)
        return dataclasses.replace(self, fighters=fighters)

    def each(self, change: Callable[[Combatant], Combatant]) -> FightState:
        """The same fight, with every fighter changed."""
        return dataclasses.replace(self, fighters=tuple(change(fighter) for fighter in self.fighters))


@dataclass(frozen=True, slots=True)
class Choice:
    """What the user of a skill decides beyond its targets.

    `mode` is one of the modes that the skill offers, `subject` the skill to be cancelled, `animal` the form to take.
    `countered_by` and `counter` name who cancels this use as it happens, and the skill with which.
    `extra_against`: the opponent against whom it is used as an extra action.
    """

    mode: str = ""
    subject: str = ""
    animal: Shape | None = None
    countered_by: str = ""
    counter: str = ""
    extra_against: str = ""


# --- Outcomes ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    """What a skill did to one target.

    `test` is the result of the attack's or of the target's test, "none" where there was none. `original` is the
    damage before mitigation. `effect` names what was laid on, "" where nothing was.
    """

    target: str
    test: str = "none"
    chance: int | Fraction = 0
    original: int | Fraction = 0
    damage: int | Fraction = 0
    healing: int | Fraction = 0
    effect: str = ""


@dataclass(frozen=True, slots=True)
class SkillUse:
    """A use of a skill: why it was refused ("" where it was not), what it cost and did, and the fight afterwards.

    `metres` is how far the user may move with it, 0 where the skill says nothing of moving.
    """

    refused: str
    cost: int | Fraction
    metres: int | Fraction
    results: tuple[Result, ...]
    state: FightState


@dataclass(frozen=True, slots=True)
class Passing:
    """What the time that passes brings: effects that ended, as `NAME on FIGHTER`, and the fight afterwards."""

    ended: tuple[str, ...]
    results: tuple[Result, ...]
    state: FightState
