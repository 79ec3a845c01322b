"""Attacks, and the abilities that are paid for."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from engine.procedures import Rules, invariant, procedure
from engine.systems.worlds_awakening.states import Ability, AbilityUse, Attack, Fighter, Weapon


@procedure
def attack(
    rules: Rules,
    attacker: Fighter,
    defender: Fighter,
    ability: Ability | None = None,
    granted: bool = False,
) -> Attack:
    """An attack: the test, then the damage (WA-7.1)."""
    means = _means(attacker, ability)
    kind = _type(rules, means, attacker.weapon, ability)
    d20 = rules.roll("d20")
    score = rules.score_of(
        side=attacker.side,
        d20=d20,
        level=attacker.level,
        charac=_charac(rules, means, kind, attacker, ability),
        bonus=rules.attack_bonus(
            means=means,
            weapon_bonus=attacker.weapon.bonus if attacker.weapon else 0,
            ability_bonus=ability.bonus if ability else 0,
        ),
    )
    defence = _defence(rules, kind, defender)
    thrown = rules.roll("d20") if rules.defender_rolls() else rules.base_defence()
    Def = rules.number_to_overcome(Def=defence, defence_d20=thrown)
    success = rules.attack_succeeds(d20=d20, score=score, Def=Def)
    margin = rules.margin_over(score=score, Def=Def)
    if not success:
        rules.step("the attack fails", 0)
        return Attack(score, Def, success, margin, 0, 0, falls=False, defender=defender)
    damage, extra = _damage(rules, means, attacker, ability, margin, granted=granted)
    damage = rules.damage_let_through(damage=damage, Def=Def)
    falls = rules.falls(HP=defender.HP, damage=damage)
    wounded = dataclasses.replace(defender, HP=rules.hp_after(HP=defender.HP, damage=damage))
    return Attack(score, Def, success, margin, extra, damage, falls, wounded)


def _means(attacker: Fighter, ability: Ability | None) -> str:
    if ability is None:
        return "weapon" if attacker.weapon else "unarmed"
    return "both" if ability.with_weapon and attacker.weapon else "ability"


def _type(rules: Rules, means: str, weapon: Weapon | None, ability: Ability | None) -> str:
    """Physical or magical. What is not in use passes the other's type, which is then not looked at."""
    of_weapon = rules.type_of_kind(attack_kind=weapon.attack_kind) if weapon else None
    of_ability = rules.type_of_kind(attack_kind=ability.attack_kind) if ability else None
    if of_weapon == of_ability and of_weapon is not None:
        return str(of_weapon)
    return str(rules.type_of_attack(means=means, weapon_type=of_weapon, ability_type=of_ability))


def _charac(rules: Rules, means: str, kind: str, attacker: Fighter, ability: Ability | None) -> int:
    """The number of the attribute that the test adds."""
    numbers = {name: getattr(attacker, name) for name in ("STR", "DEX", "CON", "INT", "WIS", "CHA")}

    def number(source: Weapon | Ability | None) -> int:
        return rules.attribute_called(attribute=source.attribute, **numbers) if source else 0

    named: int = rules.attack_charac(
        means=means, weapon_charac=number(attacker.weapon), ability_charac=number(ability), STR=attacker.STR
    )
    MAG = rules.magic_attribute(designated=attacker.designated, **numbers)
    charac: int = rules.charac_for_type(attack_type=kind, charac=named, MAG=MAG)
    return charac


def _defence(rules: Rules, kind: str, defender: Fighter) -> int:
    """The defence that an attack of this type meets."""

    def share(defence: str) -> int:
        number: int = rules.outfit_share(outfit=defender.outfit, listed_for=defender.listed_for, defence=defence)
        return number

    if kind == "physical":
        Def_PHY = rules.def_phy(CON=defender.CON, level=defender.level, outfit=share("physical"))
        Def_MAG = 0
    else:
        Def_PHY = 0
        Def_MAG = rules.def_mag(WIS=defender.WIS, level=defender.level, outfit=share("magical"))
    met: int = rules.attacked_defence(attack_type=kind, Def_PHY=Def_PHY, Def_MAG=Def_MAG)
    return met


def _damage(
    rules: Rules, means: str, attacker: Fighter, ability: Ability | None, margin: int, *, granted: bool
) -> tuple[int, int]:
    """The damage of a hit, and the progressive bonus in it."""
    if means == "unarmed":
        rules.unarmed_damage()
    sources = (attacker.weapon if means in ("weapon", "both") else None, ability)
    thrown = [rules.dice_and_number(rolled=rules.roll(s.dice), plus=s.plus) for s in sources if s and s.dice]
    extra = rules.bonus_that_counts(
        deals_damage=bool(thrown),
        extra=rules.granted_bonus(extra=rules.progressive_bonus(margin=margin), side=attacker.side, granted=granted),
    )
    if not thrown:
        return extra, extra
    damage = thrown[0] if len(thrown) == 1 else rules.damage_of_both(weapon_damage=thrown[0], ability_damage=thrown[1])
    return rules.final_damage(damage=damage, extra=extra), extra


@procedure
def use_ability(
    rules: Rules,
    attacker: Fighter,
    defender: Fighter,
    ability: Ability,
    granted: bool = False,
) -> AbilityUse:
    """An offensive ability is paid for and tested (WA-7.2)."""
    if not rules.can_be_paid(MP=attacker.MP, cost=ability.cost):
        rules.step("the ability is not used", ability.cost)
        return AbilityUse(used=False, spent=0, attack=None, attacker=attacker, defender=defender)
    made = attack(rules, attacker, defender, ability, granted)
    price = rules.price_paid(cost=ability.cost, success=made.success)
    left = rules.mp_after_paying(MP=attacker.MP, cost=price)
    return AbilityUse(
        used=True,
        spent=attacker.MP - left,
        attack=made,
        attacker=dataclasses.replace(attacker, MP=left),
        defender=made.defender,
    )


@invariant(attack)
def a_miss_does_nothing(rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """A failed attack does no damage, earns no bonus and fells nobody."""
    untouched = (outcome.damage, outcome.extra, outcome.falls, outcome.defender) == (0, 0, False, inputs["defender"])
    return outcome.success or untouched


@invariant(attack)
def only_hit_points_change(rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """An attack changes nothing of the defender but hit points."""
    before: Fighter = inputs["defender"]
    return dataclasses.replace(outcome.defender, HP=before.HP) == before


@invariant(attack)
def damage_is_what_is_lost(rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """A hit takes as many hit points as it does damage, or all that were left."""
    before, after = inputs["defender"].HP, outcome.defender.HP
    return after in (before - outcome.damage, min(before, 0))


@invariant(attack)
def the_fallen_have_nothing_left(rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """Whoever falls has no hit points left."""
    return not outcome.falls or outcome.defender.HP <= 0


@invariant(use_ability)
def abilities_are_not_owed(rules: Rules, inputs: Mapping[str, Any], outcome: AbilityUse) -> bool:
    """Using an ability never leaves fewer than 0 magic points, and never costs more than its price."""
    price: int = inputs["ability"].cost
    return outcome.attacker.MP >= 0 and 0 <= outcome.spent <= price


@invariant(use_ability)
def an_unused_ability_does_nothing(rules: Rules, inputs: Mapping[str, Any], outcome: AbilityUse) -> bool:
    """An ability that cannot be paid for changes nothing."""
    unchanged = (outcome.attack, outcome.attacker, outcome.defender) == (None, inputs["attacker"], inputs["defender"])
    return outcome.used or unchanged
