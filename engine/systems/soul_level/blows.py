"""Whether a skill gets through to a target, and the damage of one that did."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from engine.book.model import Record
from engine.procedures import Rules
from engine.systems.soul_level.effects import (
    Die,
    Part,
    attribute,
    attributes,
    bonus,
    conscious_points,
    contest,
    defence,
    passives,
    resisting,
    rolled,
    shielded,
    skill_of,
)
from engine.systems.soul_level.state import Combatant, FightState, Number

AIMED = frozenset({"melee", "magic", "spirit"})


@dataclass(frozen=True, slots=True)
class OneTest:
    """The one test for several targets: its die, and the one defence that it meets, or None for each one's own."""

    die: Die
    DEF: Number | None


@dataclass(frozen=True, slots=True)
class Blow:
    """Damage before mitigation, what mitigation leaves of it, and the same in its parts.

    `doubled` is as much of what mitigation leaves as a critical hit doubles; `target` is left with what shields that
    come before mitigation have not lost.
    """

    original: Number
    mitigated: Number
    doubled: Number
    parts: tuple[Part, ...]
    target: Combatant


def with_bow(user: Combatant, record: Record) -> bool:
    """Whether a blow is shot, by a user with a bow in hand."""
    return record.fields.get("aim") == "melee" and "bow" in user.traits


def lands(
    rules: Rules, state: FightState, user: Combatant, target: Combatant, record: Record, one: OneTest | None = None
) -> tuple[Number, str]:
    """Chance and result of the test: the attacker's where the skill is aimed, else the target's resistance."""
    fields, now = record.fields, attributes(rules, user)
    if fields["aim"] not in AIMED:
        return resistance(rules, state, user, target, record, one.die if one is not None else None)
    if fields.get("critical") and rules.critical_needs_no_test():
        return 100, "critical success"
    A = rules.field(record, "A", **now)
    if A is None:
        kind = "ranged" if with_bow(user, record) else fields["aim"]
        A = rules.attack_A(aimed_kind=kind, **{n: now[n] for n in ("FOR", "VEL", "INT", "ESP")})
    armed = user.traits if fields["damage_kind"] == "physical" else ()
    lasting = bonus(rules, state, user, "hit_bonus", "test_bonus", traits=armed)
    extra = rules.bonus_together(bonus=fields.get("hit_bonus", 0), other_bonus=lasting)
    DEF = one.DEF if one is not None and one.DEF is not None else defence(rules, target)
    chance, result = contest(rules, A, DEF, extra, one.die if one is not None else None)
    if any(skill_of(rules, effect.skill).fields.get("disadvantage") for effect in user.effects):
        chance = rules.disadvantaged_chance(chance=chance)
    return chance, result


def resistance(
    rules: Rules, state: FightState, user: Combatant, target: Combatant, record: Record, die: Die | None
) -> tuple[Number, str]:
    """The target's test of RSOB, with what strengthens it; none of somebody who wants the effect, or is unconscious."""
    if not rules.test_is_asked(willing="willing" in target.traits):
        return 0, "failure"
    if not rules.resists_unconscious(HP=conscious_points(rules, target)):
        return 0, "failure"
    now = attributes(rules, user)
    aim = record.fields.get("aim", "supreme")
    DIF = rules.field(record, "DIF", **now)
    if DIF is None:
        DIF = (
            rules.supreme_DIF(INT=now["INT"], ESP=now["ESP"])
            if aim == "supreme"
            else rules.resist_DIF(instant_kind=aim.removeprefix("instant "), INT=now["INT"], ESP=now["ESP"])
        )
    value, extra = resisting(rules, state, target, "RSOB")
    RSOB = rules.resist_A(RSOB=value)
    if rules.resist_chance(RSOB=RSOB, DIF=DIF) in (0, 100):
        return contest(rules, RSOB, DIF, extra, die)
    return rolled(rules, RSOB, DIF, extra, die)


def struck(
    rules: Rules, user: Combatant, target: Combatant, record: Record, *, critical: bool, weak: bool = False
) -> Blow:
    """The damage of a skill that got through; `weak`: the target has so few HP that a factor of the skill counts."""
    fields, now = record.fields, attributes(rules, user)
    raw: Number = rules.field(record, "damage", **now)
    if with_bow(user, record):
        raw = rules.ranged_damage(FOR=now["FOR"], VEL=now["VEL"])
    added: Number = 0
    own: Number = 0
    apart: list[tuple[str, Number]] = []
    for extra, amount in _extras(rules, user, record):
        if extra is None:
            own += amount
        if extra is None or rules.extra_is_one_sum():
            added += amount
        else:
            apart.append((extra, amount))
    times = _times(rules, user, target, record, weak=weak)
    others: list[tuple[str, Number, Number, str]] = []
    if added or apart:
        factor = rules.extra_factor(times=times)
        others = [(extra, amount, factor, "full") for extra, amount in apart]
        times = (raw * times + added * factor) / Fraction(raw + added) if added else times
    kind = fields.get("damage_kind") or rules.supreme_kind(class_name=fields["class_name"])
    first = (kind, raw + added, times, fields.get("mitigates", "full"))
    RES, RSOB = attribute(rules, target, "RES"), attribute(rules, target, "RSOB")
    original: Number = 0
    parts: list[Part] = []
    for number, (kind, amount, factor, mitigates) in enumerate((first, *others)):
        original += amount * factor
        met, target = _met(rules, target, kind, amount, factor)
        left = rules.struck(damage_kind=kind, damage=met, times=factor, RES=RES, RSOB=RSOB, mitigates=mitigates)
        doubled = critical and (number == 0 or rules.critical_doubles_extra())
        single = rules.kept_single(mitigated=left, added=own) if doubled and number == 0 else 0
        parts.append(Part(kind, left - single, doubled))
        if single:
            parts.append(Part(kind, single))
    mitigated = sum(part.amount for part in parts)
    return Blow(original, mitigated, sum(part.amount for part in parts if part.critical), tuple(parts), target)


def _met(rules: Rules, target: Combatant, kind: str, amount: Number, times: Number) -> tuple[Number, Combatant]:
    """What protections that work before mitigation leave of damage, and the target with what is left of shields."""
    protection = _protection(rules, target)
    dealt = amount * times
    if rules.shield_is_before():
        absorbed, target = shielded(rules, target, kind, dealt, protection)
        if absorbed:
            left = rules.shielded(damage=dealt, absorbed=absorbed, times=protection)
            return amount * Fraction(left) / dealt, target
    return amount * protection, target


def _protection(rules: Rules, target: Combatant) -> Number:
    """What is left of damage before it is mitigated, where a protection works there."""
    left: Number = 1
    for effect in target.effects:
        times = skill_of(rules, effect.skill).fields.get("damage_times")
        if times is not None and rules.protected_before_mitigation():
            left = left * times
    return left


def _extras(rules: Rules, user: Combatant, record: Record) -> list[tuple[str | None, Number]]:
    """Damage beside the skill's own: by its record, and on a weapon by effects that lie on the user."""
    now = attributes(rules, user)
    sources = [record]
    if record.fields.get("damage_kind") == "physical" and not record.fields.get("bare_hands"):
        sources += [skill_of(rules, effect.skill) for effect in user.effects]
    return [
        (source.fields.get("extra_kind"), rules.field(source, "extra", **now))
        for source in sources
        if "extra" in source.formulas
    ]


def _times(rules: Rules, user: Combatant, target: Combatant, record: Record, *, weak: bool) -> Number:
    """The factors of a skill's damage, multiplied."""
    fields = record.fields
    times: Number = fields.get("times", 1)
    if fields.get("against_trait") in target.traits and ("below" not in fields or rules.boss_is_hit_harder(weak=weak)):
        times = times * fields["against_times"]
    if fields.get("spell") and user.element:
        chosen = next((skill for skill in passives(rules, user) if skill.fields.get("chosen_element")), None)
        printed = fields.get("element")
        if chosen is not None and rules.bears_element(
            element_printed=printed is not None, same_element=printed == user.element
        ):
            times = times * chosen.fields["times"]
    return times
