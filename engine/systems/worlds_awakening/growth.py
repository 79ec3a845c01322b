"""Level-ups, and the spending of magic points."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from engine.dice import Pool
from engine.procedures import Rules, invariant, procedure
from engine.systems.worlds_awakening.states import Character, LevelUp, Spending


@procedure
def level_up(rules: Rules, character: Character) -> LevelUp:
    """A level is gained (WA-2.20)."""
    level = rules.next_level(level=character.level)
    thrown = _dice_thrown(rules, character.hit_dice)
    roll = rules.roll(thrown)
    gain = rules.level_up_gain(roll=roll, CON=character.CON)
    HP_max = rules.maximum_after_level_up(HP_max=character.HP_max, gain=gain)
    HP = rules.hp_after_level_up(HP=character.HP, HP_max=character.HP_max, new_HP_max=HP_max)
    old_MP = rules.mp_pool(MAG=character.MAG, level=character.level, caster=character.caster)
    MP_max = rules.mp_pool(MAG=character.MAG, level=level, caster=character.caster)
    MP = rules.mp_after_rise(MP=character.MP, MP_max=old_MP, new_MP_max=MP_max)
    risen = dataclasses.replace(character, level=level, HP_max=HP_max, HP=HP, MP=MP)
    return LevelUp(thrown, roll, gain, MP_max, risen)


def _dice_thrown(rules: Rules, hit_dice: Pool) -> Pool:
    """All hit dice, or one of them."""
    sides = hit_dice.sides
    if rules.level_up_dice(count_dice=len(sides)) == len(sides):
        return hit_dice
    one_size = min(sides) == max(sides)
    return Pool(((max(sides) if one_size or rules.largest_die_is_thrown() else min(sides), 1),))


@procedure
def spend_mp(rules: Rules, MP: int, cost: int) -> Spending:
    """Magic points are spent on an ability (WA-3.11)."""
    if not rules.can_be_paid(MP=MP, cost=cost):
        rules.step("the ability is not used", cost)
        return Spending(used=False, spent=0, MP=MP)
    left = rules.mp_after_paying(MP=MP, cost=cost)
    return Spending(used=True, spent=MP - left, MP=left)


@invariant(level_up)
def one_level(rules: Rules, inputs: Mapping[str, Any], outcome: LevelUp) -> bool:
    """A level-up raises the level by one."""
    before: Character = inputs["character"]
    return outcome.character.level == before.level + 1


@invariant(level_up)
def dice_within_reach(rules: Rules, inputs: Mapping[str, Any], outcome: LevelUp) -> bool:
    """The roll is one that the thrown dice can show."""
    return outcome.thrown.lowest <= outcome.roll <= outcome.thrown.highest


@invariant(level_up)
def hit_points_within_the_maximum(rules: Rules, inputs: Mapping[str, Any], outcome: LevelUp) -> bool:
    """Nobody comes out with more hit points than the maximum, but for points kept when the maximum fell."""
    before: Character = inputs["character"]
    after = outcome.character
    kept = after.HP_max < before.HP_max and after.HP == before.HP
    return before.HP > before.HP_max or after.HP <= after.HP_max or kept


@invariant(level_up)
def a_rise_wounds_nobody(rules: Rules, inputs: Mapping[str, Any], outcome: LevelUp) -> bool:
    """A maximum that does not fall takes no hit points away."""
    before: Character = inputs["character"]
    after = outcome.character
    return after.HP_max < before.HP_max or before.HP > before.HP_max or after.HP >= before.HP


@invariant(level_up)
def magic_points_not_negative(rules: Rules, inputs: Mapping[str, Any], outcome: LevelUp) -> bool:
    """A level-up leaves no fewer than 0 magic points."""
    return outcome.character.MP >= 0 and outcome.MP_max >= 0


@invariant(spend_mp)
def nothing_is_owed(rules: Rules, inputs: Mapping[str, Any], outcome: Spending) -> bool:
    """Magic points in hand are never negative."""
    return outcome.MP >= 0


@invariant(spend_mp)
def nothing_is_lost(rules: Rules, inputs: Mapping[str, Any], outcome: Spending) -> bool:
    """What was spent is what is missing, and never more than the price."""
    before: int = inputs["MP"]
    price: int = inputs["cost"]
    return outcome.MP + outcome.spent == before and 0 <= outcome.spent <= price


@invariant(spend_mp)
def unused_is_free(rules: Rules, inputs: Mapping[str, Any], outcome: Spending) -> bool:
    """An ability that is not used costs nothing."""
    return outcome.used or outcome.spent == 0
