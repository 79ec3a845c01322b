"""Worlds Awakening: level-ups, magic points, attacks, turn orders, rounds and duels.

Every number and every choice comes from `spec/worlds_awakening`; here stands only what follows what.
Inputs that a case leaves out count as nothing: an attribute of 0, no Outfit, no weapon, no magic points.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any, Literal

from engine.dice import Pool
from engine.procedures import Rules, invariant, procedure

# --- States ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Character:
    """What a level-up changes and needs (WA-2.20)."""

    level: int
    hit_dice: Pool
    CON: int
    MAG: int
    caster: bool
    max_HP: int
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
    max_MP: int
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


# --- Levels and magic points -------------------------------------------------------------


@procedure
def level_up(rules: Rules, character: Character) -> LevelUp:
    """A level is gained (WA-2.20)."""
    level = rules.next_level(level=character.level)
    thrown = _dice_thrown(rules, character.hit_dice)
    roll = rules.roll(thrown)
    gain = rules.level_up_gain(roll=roll, CON=character.CON)
    max_HP = rules.maximum_after_level_up(max_HP=character.max_HP, gain=gain)
    HP = rules.HP_after_level_up(HP=character.HP, max_HP=character.max_HP, new_max_HP=max_HP)
    old_MP = rules.mp_pool(MAG=character.MAG, level=character.level, caster=character.caster)
    max_MP = rules.mp_pool(MAG=character.MAG, level=level, caster=character.caster)
    MP = rules.mp_after_rise(MP=character.MP, max_MP=old_MP, new_max_MP=max_MP)
    risen = dataclasses.replace(character, level=level, max_HP=max_HP, HP=HP, MP=MP)
    return LevelUp(thrown, roll, gain, max_MP, risen)


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


# --- Attacks -----------------------------------------------------------------------------


@procedure
def attack(
    rules: Rules,
    attacker: Fighter,
    defender: Fighter,
    ability: Ability | None = None,
    granted: bool = False,  # noqa: FBT001, FBT002 - a case passes it by name
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
        extra=rules.granted_bonus(
            extra=rules.progressive_bonus(margin=margin), side=attacker.side, granted=granted
        ),
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
    granted: bool = False,  # noqa: FBT001, FBT002 - a case passes it by name
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


# --- Order, rounds, duels ----------------------------------------------------------------


@procedure
def turn_order(rules: Rules, contenders: tuple[Contender, ...]) -> TurnOrder:
    """Who acts before whom (WA-7.3)."""
    rolled = bool(contenders) and rules.initiative_is_rolled()
    scores = tuple(
        rules.turn_score(DEX=c.DEX, d20=rules.roll("d20") if rolled else rules.base_initiative()) for c in contenders
    )

    def first(a: int, b: int) -> Any:
        return rules.acts_first(
            score_A=scores[a], score_B=scores[b], side_A=contenders[a].side, side_B=contenders[b].side
        )

    def compare(a: int, b: int) -> int:
        return {"A": -1, "B": 1}.get(first(a, b), 0)

    places: list[list[int]] = []
    for number in sorted(range(len(contenders)), key=cmp_to_key(compare)):
        if places and compare(places[-1][0], number) == 0:
            places[-1].append(number)
        else:
            places.append([number])
    order: list[tuple[int, ...]] = []
    thrown = rolled
    for place in places:
        if len(place) > 1 and first(place[0], place[1]) == "roll-off":
            thrown = True
            order += _rolled_off(rules, place)
        else:
            order.append(tuple(place))
    numbered = tuple(tuple(number + 1 for number in place) for place in order)
    rules.step("order of actions", numbered)
    return TurnOrder(scores, numbered, thrown)


def _rolled_off(rules: Rules, tied: Sequence[int]) -> list[tuple[int, ...]]:
    """Each throws a d20, in the order in which they are listed; the higher goes first, and a tie throws again."""
    thrown = {number: rules.roll("d20") for number in sorted(tied)}
    order: list[tuple[int, ...]] = []
    for face in sorted(set(thrown.values()), reverse=True):
        level = [number for number in thrown if thrown[number] == face]
        order += _rolled_off(rules, level) if len(level) > 1 else [(level[0],)]
    return order


@procedure
def fight_round(
    rules: Rules,
    one: Fighter,
    other: Fighter,
    attacks: int,
    granted: bool = False,  # noqa: FBT001, FBT002 - a case passes it by name
) -> Round:
    """One round between two fighters (WA-7.4)."""
    order = _order_of_two(rules, one, other)
    return _blows(rules, (one, other), order, attacks, granted=granted)


@procedure
def duel(
    rules: Rules,
    one: Fighter,
    other: Fighter,
    attacks: int,
    rounds: int,
    granted: bool = False,  # noqa: FBT001, FBT002 - a case passes it by name
) -> Duel:
    """Rounds between two fighters until somebody falls, or the rounds run out (WA-7.5)."""
    order = _order_of_two(rules, one, other)
    played, blows = 0, 0
    fallen: tuple[int, ...] = ()
    while not fallen and played < rounds:
        if played and order.thrown and rules.order_is_settled_anew():
            order = _order_of_two(rules, one, other)
        played += 1
        rules.step("round", played)
        made = _blows(rules, (one, other), order, attacks, granted=granted)
        one, other, fallen = made.one, made.other, made.fallen
        blows += len(made.blows)
    winner: Literal["one", "other", "nobody"] = {(2,): "one", (1,): "other"}.get(fallen, "nobody")  # type: ignore[assignment]
    return Duel(winner, played, blows, one, other, fallen)


def _order_of_two(rules: Rules, one: Fighter, other: Fighter) -> TurnOrder:
    return turn_order(rules, (Contender(one.side, one.DEX), Contender(other.side, other.DEX)))


def _blows(
    rules: Rules, fighters: tuple[Fighter, Fighter], order: TurnOrder, attacks: int, *, granted: bool
) -> Round:
    """Everybody in turn; the fallen do not act, except together with those who fell them."""
    standing = list(fighters)
    fallen: list[int] = []
    blows: list[Blow] = []
    for place in order.order:
        acting = [number for number in place if number not in fallen]
        for number in acting:
            target = 2 - number  # of fighters 1 and 2 the other one, counted from 0
            for _ in range(attacks):
                if target + 1 in fallen:
                    break
                made = attack(rules, standing[number - 1], standing[target], granted=granted)
                blows.append(Blow(number, made))
                standing[target] = made.defender
                if made.falls:
                    fallen.append(target + 1)
    one, other = standing
    return Round(tuple(blows), one, other, tuple(sorted(fallen)))
