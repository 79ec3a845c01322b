"""How the total attack power comes about (BP-2.22)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.procedures import Rules, invariant, procedure

CLOSE, RANGED, MAGIC = "close", "ranged", "magic"


@dataclass(frozen=True, slots=True)
class Item:
    """An item of attack: the values that it prints (absent: not printed), and the methods that it names."""

    OFF: int | None = None
    COF: int | None = None
    ROF: int | None = None
    MOF: int | None = None
    special: int | None = None
    serves: tuple[str, ...] = ()
    long_sword: bool = False


@dataclass(frozen=True, slots=True)
class Attacker:
    """The three skills of a character."""

    CAT: int
    RAT: int
    MPF: int


@dataclass(frozen=True, slots=True)
class Attack:
    """Whether there is an attack, the rule that built it, what the item and the skill bring, and the total."""

    available: bool
    rule: str
    OFF: int
    skill: int
    AP: int


NO_ATTACK = Attack(available=False, rule="none", OFF=0, skill=0, AP=0)


@procedure
def build_attack(rules: Rules, attacker: Attacker, method: str, distance: str, item: Item | None = None) -> Attack:
    """One attack by `method`, with `item` or with empty hands."""
    by_distance = {
        CLOSE: rules.close_available,
        RANGED: rules.ranged_available,
        MAGIC: rules.magic_available,
    }
    within_reach = by_distance[method](distance=distance)
    rules.step(f"{method} attack on a {distance} target", within_reach, "BP-2.1")
    if not within_reach:
        return NO_ATTACK
    if method == MAGIC and (item is None or MAGIC not in item.serves):
        OFF = _printed(rules, item.OFF if item is not None else None)
        return _bare(rules, rules.bare_magic_power(OFF=OFF, MPF=attacker.MPF), attacker.MPF, "BP-2.17")
    value = rules.special_offence(method=method)
    skill = getattr(attacker, rules.skill_beside(value=value))
    if item is None:
        return _bare(rules, rules.unarmed_power(skill=skill), skill, "BP-2.18")
    if not rules.may_use(marked=method in item.serves):
        rules.step(f"the item does not name {method} attacks", value=False, clause="BP-2.15")
        return NO_ATTACK
    if item.long_sword and method == CLOSE:
        skill = rules.long_sword_skill(CAT=attacker.CAT, RAT=attacker.RAT)
    return _with(rules, item, method, _printed(rules, getattr(item, value)), skill)


def _with(rules: Rules, item: Item, method: str, SPEC: int, skill: int) -> Attack:
    rule = rules.building_rule(
        has_special=item.special is not None,
        only_general=item.OFF is not None and item.COF is None and item.ROF is None and item.MOF is None,
        methods=rules.method_count(
            for_close=CLOSE in item.serves, for_ranged=RANGED in item.serves, for_magic=MAGIC in item.serves
        ),
    )
    OFF = _printed(rules, item.OFF)
    if item.special is not None:
        brings, AP = item.special, rules.special_power(special=item.special, skill=skill)
    elif rule == "general":
        brings, AP = OFF, rules.general_only_power(OFF=OFF, skill=skill)
    elif method == MAGIC:
        AP = rules.magic_power(OFF=OFF, MOF=SPEC, MPF=skill)
        brings = AP - rules.counted_skill(SPEC=SPEC, skill=skill)
    else:
        brings, AP = rules.item_part(OFF=OFF, SPEC=SPEC), rules.attack_power(OFF=OFF, SPEC=SPEC, skill=skill)
    rules.step("total attack power", AP, "BP-2.11", rule=rule, item=brings, skill=AP - brings)
    return Attack(available=True, rule=rule, OFF=brings, skill=AP - brings, AP=AP)


def _bare(rules: Rules, AP: int, skill: int, clause: str) -> Attack:
    """An attack without an item for it; one without any power is none."""
    rules.step("power without an item for it", AP, clause)
    if not AP:
        return NO_ATTACK
    return Attack(available=True, rule="bare", OFF=AP - skill, skill=skill, AP=AP)


def _printed(rules: Rules, value: int | None) -> int:
    number: int = rules.value_or_zero(is_printed=value is not None, printed=value or 0)
    return number


@invariant(build_attack)
def the_item_and_the_skill_make_the_power(_rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """The power is what the item brings and a skill that the attacker has, and never negative."""
    who = inputs["attacker"]
    return (
        outcome.AP == outcome.OFF + outcome.skill
        and outcome.OFF >= 0
        and outcome.skill in (0, who.CAT, who.RAT, who.MPF)
        and (outcome.available or outcome.AP == 0)
    )
