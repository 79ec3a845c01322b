"""Falling, dying, and being healed in time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.procedures import Rules, invariant, procedure


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens to a body: damage that arrives, then healing."""

    damage: int = 0
    healing: int = 0


@dataclass(frozen=True, slots=True)
class Suffering:
    """A body after all events, and its condition after each of them."""

    HP: int
    condition: str
    awake: bool
    conditions: tuple[str, ...]


@procedure
def suffer(rules: Rules, HP: int, HP_max: int, events: tuple[Event, ...]) -> Suffering:
    """Wounds and healing, one after another (SOUL-5.57)."""
    condition = rules.condition(HP=HP, maximum=HP_max)
    down = condition != "up"
    conditions: list[str] = []
    for event in events:
        HP = rules.HP_after_damage(HP=HP, damage=event.damage)
        condition = rules.condition(HP=HP, maximum=HP_max)
        down = down or condition != "up"
        if event.healing and condition != "dead":
            HP = rules.HP_healed(HP=HP, healing=event.healing, maximum=HP_max)
            condition = rules.condition(HP=HP, maximum=HP_max)
        conditions.append(condition)
        rules.step("condition", condition, HP=HP)
    awake = condition == "up" and rules.awake(HP=HP, was_down=down)
    return Suffering(HP, condition, awake, tuple(conditions))


@invariant(suffer)
def the_dead_stay_dead(rules: Rules, inputs: Mapping[str, Any], outcome: Suffering) -> bool:
    """After death there is no other condition, and nobody dead or dying is awake."""
    if "dead" in outcome.conditions:
        first = outcome.conditions.index("dead")
        if set(outcome.conditions[first:]) != {"dead"}:
            return False
    return not outcome.awake or outcome.condition == "up"


@invariant(suffer)
def healing_alone_harms_nobody(rules: Rules, inputs: Mapping[str, Any], outcome: Suffering) -> bool:
    """Without damage no hit points are lost, but for those above the maximum; without healing none are won."""
    before = inputs["HP"]
    harmed = any(event.damage for event in inputs["events"])
    healed = any(event.healing for event in inputs["events"])
    return (harmed or outcome.HP >= min(before, inputs["HP_max"])) and (healed or outcome.HP <= before)


@invariant(suffer)
def healing_stops_at_the_maximum(rules: Rules, inputs: Mapping[str, Any], outcome: Suffering) -> bool:
    """Nobody comes out above the maximum who was not above it before, if pools are limits."""
    healed = sum(event.healing for event in inputs["events"])
    most = max(inputs["HP"], inputs["HP_max"])
    return outcome.HP <= most or (rules.reading("Q10") == "beyond" and outcome.HP <= most + healed)
