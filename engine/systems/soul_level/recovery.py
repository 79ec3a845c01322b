"""Rest: what comes back, and what does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.procedures import Rules, invariant, procedure
from engine.systems.soul_level.effects import known, passives, skill_of
from engine.systems.soul_level.state import Combatant


@dataclass(frozen=True, slots=True)
class Pools:
    """What is in hand, and how much there can be."""

    HP: int
    HP_max: int
    M: int
    M_max: int
    SP: int
    SP_max: int


@dataclass(frozen=True, slots=True)
class Sleeper:
    """What classes bring to a rest. `used` names the skills with a limit that were used since it last ended."""

    class_names: tuple[str, ...] = ()
    soul_level: int = 1
    used: tuple[str, ...] = ()


ANYBODY = Sleeper()


@dataclass(frozen=True, slots=True)
class Rest:
    """The kind of rest that it was, what is in hand afterwards, and the skills that are used up still."""

    kind: str
    HP: int
    M: int
    SP: int
    used: tuple[str, ...] = ()


@procedure
def rest(
    rules: Rules, hours: int, activity: str, pools: Pools, hours_after: int = 0, sleeper: Sleeper = ANYBODY
) -> Rest:
    """A rest, disturbed perhaps (SOUL-2.30)."""
    known(rules, sleeper.class_names, sleeper.used)
    rested = rules.hours_rested(hours_before=hours, hours_after=hours_after)
    kind = rules.rest_kind(hours=rested, activity=activity)
    rules.step("rest", kind)
    HP, M, SP = pools.HP, pools.M, pools.SP
    if kind == "long":
        HP = rules.HP_after_long_rest(HP=HP, maximum=pools.HP_max)
        M = rules.M_after_long_rest(M=M, maximum=pools.M_max)
        SP = rules.SP_after_long_rest(SP=SP, maximum=pools.SP_max)
    if kind == "short":
        body = Combatant("", class_names=sleeper.class_names, soul_level=sleeper.soul_level)
        percent = sum(skill.fields.get("rest_percent", 0) for skill in passives(rules, body))
        for _ in range(rules.short_rests_counted(hours=rested)):
            HP = rules.HP_after_short_rest(HP=HP, maximum=pools.HP_max)
            M = rules.M_after_short_rest(M=M, maximum=pools.M_max)
            SP = _soul_points(rules, SP, pools.SP_max, percent)
    used = sleeper.used if kind == "none" else still_used(rules, sleeper.used, f"{kind} rest")
    return Rest(kind, HP, M, SP, used)


def _soul_points(rules: Rules, SP: int, maximum: int, percent: int) -> int:
    """SP after a short rest that brings so many percent more than it brings to others."""
    if percent:
        rested: int = rules.meditated_SP(SP=SP, maximum=maximum, percent=percent)
    else:
        rested = rules.SP_after_short_rest(SP=SP, maximum=maximum)
    return rested


def still_used(rules: Rules, used: tuple[str, ...], occasion: str) -> tuple[str, ...]:
    """Those of the used skills whose limit does not end on this occasion (SOUL-7.0.13)."""
    limits = ((name, skill_of(rules, name).fields["limit"]) for name in used)
    return tuple(name for name, limit in limits if not rules.limit_ends(limit=limit, occasion=occasion))


@invariant(rest)
def rest_takes_nothing(rules: Rules, inputs: Mapping[str, Any], outcome: Rest) -> bool:
    """Nobody has less of anything after a rest."""
    pools: Pools = inputs["pools"]
    return outcome.HP >= pools.HP and outcome.M >= pools.M and outcome.SP >= pools.SP


@invariant(rest)
def rest_uses_no_skill(rules: Rules, inputs: Mapping[str, Any], outcome: Rest) -> bool:
    """Nothing is used up after a rest that was not used up before."""
    return set(outcome.used) <= set(inputs.get("sleeper", ANYBODY).used)


@invariant(rest)
def rest_fills_no_pool_beyond_its_maximum(rules: Rules, inputs: Mapping[str, Any], outcome: Rest) -> bool:
    """A rest goes no further than the maximum, and takes nothing off what was above it."""
    p: Pools = inputs["pools"]
    return outcome.HP <= max(p.HP, p.HP_max) and outcome.M <= max(p.M, p.M_max) and outcome.SP <= max(p.SP, p.SP_max)


@invariant(rest)
def without_a_rest_nothing_returns(rules: Rules, inputs: Mapping[str, Any], outcome: Rest) -> bool:
    """No rest, no points, no skill ready again; and a long one leaves nothing of Mana and SP missing."""
    p: Pools = inputs["pools"]
    if outcome.kind == "none":
        return (outcome.HP, outcome.M, outcome.SP, outcome.used) == (
            p.HP,
            p.M,
            p.SP,
            inputs.get("sleeper", ANYBODY).used,
        )
    return outcome.kind != "long" or (outcome.M >= p.M_max and outcome.SP >= p.SP_max)
