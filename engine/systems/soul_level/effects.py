"""What lies on a fighter: attributes, bonuses, defences and damage as the effects and passive skills make them.

Every number comes from a record of the book: an effect is told by the skill that laid it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.book.model import Record
from engine.errors import CallError
from engine.procedures import Rules
from engine.systems.soul_level.contests import SUCCESSES
from engine.systems.soul_level.state import ATTRIBUTES, Combatant, Effect, FightState, Number

Die = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Part:
    """Damage of one kind as mitigation leaves it, and whether a critical hit doubles it."""

    kind: str
    amount: Number
    critical: bool = False


# --- What is at work ---------------------------------------------------------------------


def entered(rules: Rules, state: FightState) -> FightState:
    """The fight as it is played: known by the book, and every pool filled. Raises `CallError` as `known` does."""
    for fighter in state.fighters:
        known(rules, fighter.class_names, fighter.used)
    return filled(rules, state)


def known(rules: Rules, class_names: tuple[str, ...], used: tuple[str, ...]) -> None:
    """Raises `CallError` for a class of the book that is misspelt, and a used skill that has no limit.

    A class that the book does not have is allowed: there are unique ones.
    """
    if class_names:
        ours = {skill.fields["class_name"] for skill in rules.records("skill")}
        spelt = {_bare(name): name for name in ours}
        for name in class_names:
            meant = spelt.get(_bare(name), name)
            if meant != name:
                raise CallError(f"the book has no class {name[:60]}", f"did you mean {meant}?")
    for name in used:
        if "limit" not in skill_of(rules, name).fields:
            raise CallError(f"{name} has no limit of use", "in used stand skills with a limit alone")


def _bare(name: str) -> str:
    return "".join(name.split()).casefold()


def filled(rules: Rules, state: FightState) -> FightState:
    """The fight with every pool that was not given filled to its maximum."""

    def fill(fighter: Combatant) -> Combatant:
        full = maxima(rules, fighter)
        pools = {pool: full[pool] for pool in full if getattr(fighter, pool) is None}
        return dataclasses.replace(fighter, **pools)

    return state.each(fill)


def maxima(rules: Rules, fighter: Combatant) -> dict[str, Any]:
    """The maximum of each pool."""
    return {
        "HP": rules.max_HP(VIT=fighter.VIT),
        "M": rules.max_M(ESP=fighter.ESP, soul_level=fighter.soul_level),
        "SP": rules.max_SP(ESP=fighter.ESP, soul_level=fighter.soul_level),
    }


def condition(rules: Rules, fighter: Combatant) -> str:
    """Up, dying or dead."""
    return str(rules.condition(HP=fighter.HP, maximum=rules.max_HP(VIT=fighter.VIT)))


def awake(rules: Rules, fighter: Combatant) -> bool:
    """Whether the fighter is conscious: he has HP, and has not been down, or was woken by having them again."""
    return bool(rules.awake(HP=fighter.HP, was_down=fighter.fallen != "no"))


def conscious_points(rules: Rules, fighter: Combatant) -> Number:
    """HP, or nothing where the fighter is unconscious all the same: for rules that tell the unconscious by their HP."""
    return fighter.hit_points * awake(rules, fighter)


def settled(before: FightState, after: FightState) -> FightState:
    """The fight afterwards, where those whose HP have come down to nothing since `before` have just fallen."""
    had = {fighter.name: fighter for fighter in before.fighters}

    def settle(fighter: Combatant) -> Combatant:
        old = had.get(fighter.name, fighter)
        if fighter.hit_points <= 0 < old.hit_points:
            return dataclasses.replace(fighter, fallen="now")
        was_down = old.fallen != "no" or old.hit_points <= 0
        return dataclasses.replace(fighter, fallen="before" if was_down else "no")

    return after.each(settle)


def skill_of(rules: Rules, name: str) -> Record:
    """The record of a skill. Raises `CallError` where the book has none of this name."""
    return rules.record("skill", name)


def unlocked(rules: Rules, fighter: Combatant, skill: Record) -> bool:
    """Whether a class of the fighter grants the skill, and the Soul Level suffices."""
    fields = skill.fields
    return fields["class_name"] in fighter.class_names and bool(
        rules.skill_is_gained(skill_level=fields["level"], soul_level=fighter.soul_level)
    )


def passives(rules: Rules, fighter: Combatant) -> Iterator[Record]:
    """Passive skills that work now: those that need an effect only while it lasts."""
    for skill in rules.records("skill"):
        if skill.fields["kind"] == "passive" and unlocked(rules, fighter, skill):
            needed = skill.fields.get("while")
            if (needed is None or fighter.has(needed)) and not _silenced(rules, fighter, skill):
                yield skill


def _silenced(rules: Rules, fighter: Combatant, skill: Record) -> bool:
    """Whether a passive skill of the fighter is cancelled for now."""
    cancelled = any(effect.subject == skill.name for effect in fighter.effects)
    return cancelled and bool(rules.passive_can_be_cancelled())


def at_work(rules: Rules, state: FightState, fighter: Combatant) -> Iterator[tuple[Record, Effect | None]]:
    """Records that bear on a fighter: of effects, of passive skills, of auras of the same team."""
    for effect in fighter.effects:
        yield skill_of(rules, effect.skill), effect
    for other in state.team_of(fighter):
        own = other.name == fighter.name
        bearer = fighter if own else other
        for skill in passives(rules, bearer):
            if not skill.fields.get("wider"):
                if own:
                    yield skill, None
            elif rules.aura_works(body=_body(rules, bearer)) and (not own or rules.user_is_ally()):
                yield skill, None


def _body(rules: Rules, fighter: Combatant) -> str:
    """The condition of somebody, in which whoever has not woken is down still."""
    body = condition(rules, fighter)
    return "dying" if body == "up" and not awake(rules, fighter) else body


# --- Attributes and chances --------------------------------------------------------------


def attribute(rules: Rules, fighter: Combatant, name: str) -> Number:
    """An attribute as it is now: the animal's in its form, doubled by what doubles it."""
    value: Number = getattr(fighter, name)
    for effect in fighter.effects:
        fields = skill_of(rules, effect.skill).fields
        if effect.shape is not None and name in fields.get("shape", ()):
            value = getattr(effect.shape, name)
            if name in fields.get("doubles", ()):
                value = rules.larger_base(value=getattr(fighter, name), value_now=value)
    doublings = sum(name in skill_of(rules, e.skill).fields.get("doubles", ()) for e in fighter.effects)
    stacked: Number = value * rules.stacked(doublings=doublings) if doublings else value
    return stacked


def attributes(rules: Rules, fighter: Combatant) -> dict[str, Number]:
    """All attributes as they are now, and the Soul Level: the inputs of a skill's formulas."""
    return {name: attribute(rules, fighter, name) for name in ATTRIBUTES} | {"soul_level": fighter.soul_level}


def bonus(rules: Rules, state: FightState, fighter: Combatant, *kinds: str, traits: tuple[str, ...] = ()) -> Number:
    """The bonuses of these kinds that bear on a fighter's test, taken together; `traits` are his that count there."""
    together: Number = 0
    for skill, effect in at_work(rules, state, fighter):
        if effect is not None and skill.fields.get("delayed") and not rules.has_begun(passed=effect.passed):
            continue
        for kind in kinds:
            one = skill.fields.get(kind, 0)
            if one and skill.fields.get("needs") in (None, *traits):
                together = rules.bonus_together(bonus=together, other_bonus=one)
    return together


def resisting(rules: Rules, state: FightState, fighter: Combatant, name: str) -> tuple[Number, Number]:
    """An attribute in a test of resistance, and the bonus to its chance, as auras and effects make them."""
    value = attribute(rules, fighter, name)
    aura, extra = bonus(rules, state, fighter, "resist_bonus"), bonus(rules, state, fighter, "test_bonus")
    if aura and not rules.aura_helps(attribute=name):
        aura = 0
    if aura and rules.aura_raises_RSOB():
        return value + aura, extra
    return value, rules.bonus_together(bonus=aura, other_bonus=extra)


def contest(rules: Rules, A: Number, DEF: Number, extra: Number, die: Die | None = None) -> tuple[Number, str]:
    """The chance and the result of a test with a bonus; no roll where none is asked for. `die`: one for many tests."""
    band = rules.band(A=A, DEF=DEF)
    if band == "rolled" or (extra and band == "automatic failure" and rules.bonus_rescues()):
        return rolled(rules, A, DEF, extra, die)
    wins = band == "automatic success"
    result = "success" if wins else "failure"
    if rules.outright_dice(succeeds=wins):
        result = str(rules.outright_result(succeeds=wins, d100=_thrown(rules, die)))
    return (100 if wins else 0), result


def rolled(rules: Rules, A: Number, DEF: Number, extra: Number, die: Die | None = None) -> tuple[Number, str]:
    """The chance and the result of a test that a die decides, whatever the band."""
    chance = rules.chance_with_bonus(A=A, DEF=DEF, bonus=extra) if extra else rules.success_chance(A=A, DEF=DEF)
    return chance, str(rules.roll_result(d100=_thrown(rules, die), chance=chance))


def _thrown(rules: Rules, die: Die | None) -> int:
    return rules.roll("d100") if die is None else die()


def immune(rules: Rules, state: FightState, fighter: Combatant, kind: str) -> bool:
    """Whether damage of this kind does nothing to the fighter."""
    return any(skill.fields.get("immune") == kind for skill, _ in at_work(rules, state, fighter))


def succeeded(result: str) -> bool:
    """Whether a test with this result succeeded."""
    return result in SUCCESSES


def defence(rules: Rules, fighter: Combatant) -> Number:
    """DEF against what can be dodged: its doublings, the dodge among them, together; then what else bears on it."""
    VEL = attribute(rules, fighter, "VEL")
    DEF: Number = rules.DEF_of_body(VEL=VEL, HP=conscious_points(rules, fighter))
    laid = [(effect.name, skill_of(rules, effect.skill).fields) for effect in fighter.effects]
    if DEF:
        doublings = sum("doubles_DEF" in fields for _, fields in laid) + fighter.dodging
        DEF = rules.doubled_DEF(VEL=VEL, doublings=doublings)
    for name, fields in laid:
        if fields.get("affliction"):
            DEF = rules.DEF_while(affliction=name, DEF=DEF)
        if "DEF_times" in fields:
            DEF = rules.word_DEF(VEL=VEL, DEF=DEF, times=fields["DEF_times"])
    return DEF


# --- Damage and healing ------------------------------------------------------------------


def suffer(
    rules: Rules,
    state: FightState,
    fighter: Combatant,
    parts: tuple[Part, ...],
    *,
    mitigated: bool,
    a_blow: bool = True,
) -> tuple[Number, Combatant]:
    """Damage that has passed mitigation meets what protects the target; then it comes off the HP.

    `a_blow` is false for harm that comes by itself in each round. Gives what arrived, and the target afterwards.
    """
    bearing = [skill for skill, _ in at_work(rules, state, fighter)]
    times: Number = 1
    steel: Number = 0
    for skill in bearing:
        if "damage_times" in skill.fields and not (a_blow and rules.protected_before_mitigation()):
            times = times * skill.fields["damage_times"]
        if "reduces" in skill.formulas and rules.reduction_applies(was_mitigated=mitigated):
            steel += rules.field(skill, "reduces", **attributes(rules, fighter))
    arrived: Number = 0
    for part in parts:
        if any(skill.fields.get("immune") == part.kind for skill in bearing):
            continue
        met = rules.damage_met(mitigated=part.amount, critical=part.critical)
        absorbed: Number = 0
        if not rules.shield_is_before():
            absorbed, fighter = shielded(rules, fighter, part.kind, met, times, steel)
        taken = rules.critical_taken if part.critical else rules.taken
        arrived += taken(damage=part.amount, absorbed=absorbed, times=times, reduced=steel)
        spent = rules.steel_spent(damage=met, absorbed=absorbed, times=times, reduced=steel)
        steel = rules.steel_left(reduced=steel, spent=spent)
    left = rules.HP_after_damage(HP=fighter.HP, damage=arrived)
    return arrived, dataclasses.replace(fighter, HP=left)


def shielded(
    rules: Rules, fighter: Combatant, kind: str, amount: Number, times: Number, reduced: Number = 0
) -> tuple[Number, Combatant]:
    """What shields take of such damage, one after the other, and the fighter with what is left of them."""
    absorbed: Number = 0
    effects = []
    for effect in fighter.effects:
        if skill_of(rules, effect.skill).fields.get("shields") and rules.is_shielded(damage_kind=kind):
            met = rules.meets_shield(damage=amount, times=times, reduced=reduced) - absorbed
            taken = min(effect.amount, met)
            absorbed += taken
            left = rules.shield_left(points=effect.amount, absorbed=taken)
            if left > 0:
                effects.append(dataclasses.replace(effect, amount=left))
        else:
            effects.append(effect)
    return absorbed, dataclasses.replace(fighter, effects=tuple(effects))


def heal(rules: Rules, fighter: Combatant, healing: Number) -> tuple[Number, Combatant]:
    """How many HP the fighter, who is not dead, wins, and he afterwards."""
    HP = rules.HP_healed(HP=fighter.HP, healing=healing, maximum=rules.max_HP(VIT=fighter.VIT))
    return HP - fighter.hit_points, dataclasses.replace(fighter, HP=HP)


# --- Laying on and taking off ------------------------------------------------------------


def lay(rules: Rules, fighter: Combatant, effect: Effect) -> Combatant:
    """The fighter with one more effect; the same effect of the same skill is renewed or comes on top."""
    same = next((e for e in fighter.effects if (e.skill, e.name) == (effect.skill, effect.name)), None)
    if same is None or rules.same_effect_adds():
        return dataclasses.replace(fighter, effects=(*fighter.effects, effect))
    if effect.lasts == "rounds":
        effect = dataclasses.replace(effect, left=rules.duration_together(left=same.left, duration=effect.left))
    others = tuple(e for e in fighter.effects if (e.skill, e.name) != (effect.skill, effect.name))
    return dataclasses.replace(fighter, effects=(*others, effect))


def test_made(rules: Rules, fighter: Combatant, chance: Number) -> Combatant:
    """The fighter after a test of his with this chance: what was for one test is gone, if the test counts as one."""
    if any(effect.lasts == "own test" for effect in fighter.effects) and rules.counts_as_test(chance=chance):
        return used_up(rules, fighter, "own test")
    return fighter


def used_up(rules: Rules, fighter: Combatant, *lasting: str) -> Combatant:
    """The fighter without the effects that last like this; those that have not begun yet stay."""

    def stays(effect: Effect) -> bool:
        waits = skill_of(rules, effect.skill).fields.get("delayed") and not rules.has_begun(passed=effect.passed)
        return effect.lasts not in lasting or bool(waits)

    return dataclasses.replace(fighter, effects=tuple(filter(stays, fighter.effects)))
