"""A duel: turns of plain attacks until somebody falls."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine.procedures import Rules, invariant, procedure
from engine.systems.soul_level.attacks import Attack, Attacker, Target, attack
from engine.systems.soul_level.order import Combatant, initiative


@dataclass(frozen=True, slots=True)
class Duellist:
    """Somebody in a duel, and the kind of aimed attack that is used throughout."""

    aimed_kind: str
    FOR: int
    VEL: int
    INT: int
    RES: int
    RSOB: int
    ESP: int
    VIT: int
    HP: int
    soul_level: int = 1


@dataclass(frozen=True, slots=True)
class Blow:
    """One attack of a duel: who made it, whether it hit, the damage, and the HP that it left."""

    by: Literal["one", "other"]
    hit: bool
    damage: int
    HP: int


@dataclass(frozen=True, slots=True)
class Duel:
    """Who won ("nobody" where both stand or both fell), in which round it ended, and how both came out of it."""

    winner: Literal["one", "other", "nobody"]
    rounds: int
    blows: tuple[Blow, ...]
    one: int
    other: int


@procedure
def duel(rules: Rules, one: Duellist, other: Duellist, rounds: int) -> Duel:
    """Rounds of plain attacks until somebody is no longer up, or the rounds run out (SOUL-5.66)."""
    places = initiative(rules, (Combatant("one", one.VEL), Combatant("other", other.VEL))).order
    fighters = {"one": one, "other": other}
    blows: list[Blow] = []
    played = 0
    while played < rounds and all(_up(rules, fighter) for fighter in fighters.values()):
        played += 1
        rules.step("round", played)
        for place in places:
            # Those who act together act though one of them falls to the other.
            for name in [name for name in place if _up(rules, fighters[name])]:
                target = "other" if name == "one" else "one"
                made, fighters[target] = _turn(rules, fighters[name], fighters[target])
                side: Literal["one", "other"] = "one" if name == "one" else "other"
                blows += [Blow(side, a.hit, a.damage, a.HP) for a in made]
    standing = [name for name, fighter in fighters.items() if _up(rules, fighter)]
    winner: Literal["one", "other", "nobody"] = "nobody"
    if len(standing) == 1:
        winner = "one" if standing == ["one"] else "other"
    return Duel(winner, played, tuple(blows), fighters["one"].HP, fighters["other"].HP)


def _up(rules: Rules, fighter: Duellist) -> bool:
    condition = rules.condition(HP=fighter.HP, maximum=rules.max_HP(VIT=fighter.VIT))
    return bool(condition == "up")


def _turn(rules: Rules, actor: Duellist, target: Duellist) -> tuple[list[Attack], Duellist]:
    """The Standard Action, then the extra ones, while the target stands."""
    made: list[Attack] = []
    for _ in range(rules.actions_against(VEL=actor.VEL, other_VEL=target.VEL)):
        blow: Attack = rules.part(_blow, actor, target)
        made.append(blow)
        target = dataclasses.replace(target, HP=blow.HP)
        if blow.condition != "up":
            break
    return made, target


def _blow(rules: Rules, actor: Duellist, target: Duellist) -> Attack:
    made: Attack = attack(
        rules,
        actor.aimed_kind,
        Attacker(actor.FOR, actor.VEL, actor.INT, actor.ESP, actor.soul_level),
        Target(target.VEL, target.RES, target.RSOB, target.HP, rules.max_HP(VIT=target.VIT)),
    )
    return made


@invariant(duel)
def a_duel_comes_to_an_end(rules: Rules, inputs: Mapping[str, Any], outcome: Duel) -> bool:
    """A duel ends because somebody is no longer up, or because the rounds have run out."""
    up = (outcome.one > 0, outcome.other > 0)
    return not all(up) or outcome.rounds == inputs["rounds"]


@invariant(duel)
def the_winner_is_up(rules: Rules, inputs: Mapping[str, Any], outcome: Duel) -> bool:
    """Exactly one of the two is up where there is a winner."""
    up = (outcome.one > 0, outcome.other > 0)
    return up == {"one": (True, False), "other": (False, True)}.get(outcome.winner, (up[0], up[0]))


@invariant(duel)
def nobody_strikes_too_often(rules: Rules, inputs: Mapping[str, Any], outcome: Duel) -> bool:
    """In all rounds nobody has more attacks than a turn grants, and the fallen are not struck again in a turn."""
    for name, foe in (("one", "other"), ("other", "one")):
        granted = rules.actions_against(VEL=inputs[name].VEL, other_VEL=inputs[foe].VEL)
        made = [blow for blow in outcome.blows if blow.by == name]
        if len(made) > granted * outcome.rounds or any(blow.HP <= 0 for blow in made[:-1]):
            return False
    return True


@invariant(duel)
def nothing_heals_in_a_duel(rules: Rules, inputs: Mapping[str, Any], outcome: Duel) -> bool:
    """Hit points only fall, by the damage of the blows or to nothing."""
    for name, left in (("one", outcome.one), ("other", outcome.other)):
        taken = sum(blow.damage for blow in outcome.blows if blow.by != name)
        if left not in (inputs[name].HP - taken, 0):
            return False
    return True
