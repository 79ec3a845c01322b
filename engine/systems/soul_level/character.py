"""Who a character is: attributes, pools, the first class, and classes that follow."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.errors import CallError
from engine.procedures import Rules, invariant, procedure

ATTRIBUTES = ("FOR", "VEL", "INT", "RES", "RSOB", "ESP", "VIT")


@dataclass(frozen=True, slots=True)
class Attributes:
    """The seven attributes."""

    FOR: int
    VEL: int
    INT: int
    RES: int
    RSOB: int
    ESP: int
    VIT: int


@dataclass(frozen=True, slots=True)
class Points:
    """What is in hand."""

    HP: int
    M: int
    SP: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """A character as it stands: `soul_level` 0 means that there is no class yet."""

    FOR: int
    VEL: int
    INT: int
    RES: int
    RSOB: int
    ESP: int
    VIT: int
    soul_level: int
    SXP: int | Fraction
    HP: int
    M: int
    SP: int
    HP_max: int
    M_max: int
    SP_max: int


@dataclass(frozen=True, slots=True)
class HeldClass:
    """A class that was taken: its kind, and the highest level at which it lists a skill, or its name in the book."""

    class_kind: str = "standard"
    highest_listed: int | None = None
    class_name: str | None = None


@dataclass(frozen=True, slots=True)
class Bearer:
    """Somebody who holds classes, in the order in which they were taken."""

    held: tuple[HeldClass, ...]
    soul_level: int
    level_at_registration: int
    unique_affinities: int
    attributes: Attributes
    invented: int = 0


@dataclass(frozen=True, slots=True)
class NewClass:
    """A class on offer: its kind, its base attributes and the levels at which it lists skills, or its name in the book.

    What is given beside a name goes before what the book says.
    """

    class_kind: str = "standard"
    base_attributes: Attributes | None = None
    skill_levels: tuple[int, ...] = ()
    revealed_at_first: bool = True
    class_name: str | None = None


@dataclass(frozen=True, slots=True)
class Registration:
    """Whether the class was registered, the skills that come with it, and what stands on the sheet afterwards."""

    registered: bool
    classes: int
    skills: tuple[int, ...]
    soul_level: int
    attributes: Attributes
    ended: bool


def base_of(rules: Rules, given: Attributes | None, class_name: str | None) -> Attributes:
    """The base attributes of a class: as given, else those of the book. Raises `CallError` where there are none."""
    if given is not None:
        return given
    if class_name is None:
        raise CallError("a class without base attributes", "give them, or the class_name of a class of the book")
    return Attributes(**{name: rules.base_attribute(class_name=class_name, attribute=name) for name in ATTRIBUTES})


def _skill_levels(rules: Rules, new: NewClass) -> list[int]:
    """The levels at which a class lists skills: as given, else those of the book."""
    skills = [skill.fields for skill in rules.records("skill") if skill.fields["class_name"] == new.class_name]
    return sorted(set(new.skill_levels or (fields["level"] for fields in skills)))


def _highest_listed(rules: Rules, held: HeldClass) -> int:
    if held.highest_listed is None and held.class_name is None:
        raise CallError("a class without an end", "give highest_listed, or the class_name of a class of the book")
    highest: int = held.highest_listed or rules.last_skill_level(class_name=held.class_name)
    return highest


def maxima(rules: Rules, body: Attributes | Sheet, soul_level: int) -> Points:
    """The pools of somebody who has a class, full (SOUL-2.1, SOUL-2.10, SOUL-2.11)."""
    return Points(
        HP=rules.max_HP(VIT=body.VIT),
        M=rules.max_M(ESP=body.ESP, soul_level=soul_level),
        SP=rules.max_SP(ESP=body.ESP, soul_level=soul_level),
    )


def classless_maxima(rules: Rules, body: Attributes) -> Points:
    """The pools of somebody who has no class, full (SOUL-2.1, SOUL-2.17, SOUL-2.18)."""
    return Points(HP=rules.max_HP(VIT=body.VIT), M=rules.classless_M(ESP=body.ESP), SP=rules.classless_SP(ESP=body.ESP))


def carried_over(rules: Rules, hand: Points, old: Points, new: Points) -> Points:
    """What is in hand when the maxima rise from `old` to `new` (SOUL-2.28)."""

    def pool(name: str) -> int:
        points: int = rules.points_after_rise(
            points=getattr(hand, name), maximum=getattr(old, name), new_maximum=getattr(new, name)
        )
        return points

    return Points(pool("HP"), pool("M"), pool("SP"))


def sheet_of(attributes: Attributes, soul_level: int, SXP: int | Fraction, hand: Points, full: Points) -> Sheet:
    """All of it on one sheet."""
    values = {name: getattr(attributes, name) for name in ATTRIBUTES}
    pools = {"HP": hand.HP, "M": hand.M, "SP": hand.SP, "HP_max": full.HP, "M_max": full.M, "SP_max": full.SP}
    return Sheet(**values, **pools, soul_level=soul_level, SXP=SXP)


@procedure
def create_character(rules: Rules, normal_human: bool, birth: Attributes | None = None) -> Sheet:
    """Somebody without a class (SOUL-1.16)."""
    if birth is None or normal_human:
        value: int = rules.natural_attribute(normal_human=normal_human)
        birth = Attributes(**dict.fromkeys(ATTRIBUTES, value))
    full = classless_maxima(rules, birth)
    rules.step("a character without a class", 0)
    return sheet_of(birth, 0, 0, full, full)


@procedure
def take_class(
    rules: Rules,
    birth: Attributes,
    hand: Points,
    base_attributes: Attributes | None = None,
    class_name: str | None = None,
    SXP_saved: int = 0,
) -> Sheet:
    """The first class (SOUL-6.10)."""
    bases = base_of(rules, base_attributes, class_name)
    level = rules.chosen_soul_level()
    taken = {}
    for name in ATTRIBUTES:
        higher = rules.chosen_attribute(natural=getattr(birth, name), base=getattr(bases, name))
        taken[name] = rules.attribute_at(value=higher, soul_level=level)
    attributes = Attributes(**taken)
    full = maxima(rules, attributes, level)
    left = carried_over(rules, hand, classless_maxima(rules, birth), full)
    SXP = rules.classless_SXP(gain=SXP_saved)
    return sheet_of(attributes, level, SXP, left, full)


@procedure
def register_class(rules: Rules, bearer: Bearer, new: NewClass) -> Registration:
    """Another class (SOUL-6.34)."""
    before = Registration(
        registered=False,
        classes=len(bearer.held),
        skills=(),
        soul_level=bearer.soul_level,
        attributes=bearer.attributes,
        ended=bool(bearer.held) and rules.chain_ends(class_kind=bearer.held[-1].class_kind, classes=len(bearer.held)),
    )
    names = [held.class_name for held in bearer.held if held.class_name is not None]
    if len(set(names)) < len(names) or new.class_name in names:
        raise CallError("one class twice", "name each class once: another one is registered")
    if not bearer.held:
        rules.step("no first class, so no other", 0)
        return before
    if not _may_register(rules, bearer, new):
        rules.step("the class is not registered", len(bearer.held))
        return before
    held = len(bearer.held) + 1
    bases = base_of(rules, new.base_attributes, new.class_name)
    grown = {
        name: rules.attribute_with_second(
            value=getattr(bearer.attributes, name),
            base=getattr(bases, name),
            soul_level=bearer.soul_level,
        )
        for name in ATTRIBUTES
    }
    return Registration(
        registered=True,
        classes=held,
        skills=tuple(
            level
            for level in _skill_levels(rules, new)
            if rules.skill_is_gained(skill_level=level, soul_level=bearer.soul_level)
        ),
        soul_level=rules.level_after_registration(soul_level=bearer.soul_level),
        attributes=Attributes(**grown),
        ended=rules.chain_ends(class_kind=new.class_kind, classes=held),
    )


def _may_register(rules: Rules, bearer: Bearer, new: NewClass) -> bool:
    latest, held = bearer.held[-1], len(bearer.held)
    highest = _highest_listed(rules, latest)
    if held == 1:
        mastered = rules.mastered(soul_level=bearer.soul_level, highest_listed=highest)
    else:
        mastered = rules.second_is_mastered(
            level_at_registration=bearer.level_at_registration,
            soul_level=bearer.soul_level,
            highest_listed=highest,
        )
    most = rules.most_classes_later(unique_affinities=bearer.unique_affinities, invented=bearer.invented)
    may = rules.may_register(
        class_kind=latest.class_kind,
        class_mastered=mastered,
        classes=held,
        unique_affinities=most - rules.most_classes(unique_affinities=0),
    )
    return bool(may) and bool(rules.may_be_second(revealed_at_first=new.revealed_at_first))


@invariant(create_character)
def a_newcomer_is_whole(rules: Rules, inputs: Mapping[str, Any], outcome: Sheet) -> bool:
    """Whoever begins is unhurt, owes nothing, and has no Soul Level and no SXP."""
    hand = (outcome.HP, outcome.M, outcome.SP)
    return hand == (outcome.HP_max, outcome.M_max, outcome.SP_max) and (outcome.soul_level, outcome.SXP) == (0, 0)


@invariant(take_class)
def a_class_takes_nothing_away(rules: Rules, inputs: Mapping[str, Any], outcome: Sheet) -> bool:
    """No attribute is lower than it was by nature, nor than the class's base."""
    bases = base_of(rules, inputs.get("base_attributes"), inputs.get("class_name"))
    return all(
        getattr(outcome, name) >= max(getattr(inputs["birth"], name), getattr(bases, name)) for name in ATTRIBUTES
    )


@invariant(take_class)
def a_class_begins_at_the_first_level(rules: Rules, inputs: Mapping[str, Any], outcome: Sheet) -> bool:
    """The Soul Level of the first class is the first one, and no SXP appear from nowhere."""
    saved: int = inputs.get("SXP_saved", 0)
    return outcome.soul_level == rules.first_soul_level() and outcome.SXP in (0, saved)


@invariant(register_class)
def never_more_classes_than_allowed(rules: Rules, inputs: Mapping[str, Any], outcome: Registration) -> bool:
    """One class more at most, and never more than the greatest number, invented ones counted."""
    bearer: Bearer = inputs["bearer"]
    most = rules.most_classes(unique_affinities=bearer.unique_affinities) + bearer.invented
    return outcome.classes == len(bearer.held) + outcome.registered and (
        not outcome.registered or outcome.classes <= most
    )


@invariant(register_class)
def a_refusal_changes_nothing(rules: Rules, inputs: Mapping[str, Any], outcome: Registration) -> bool:
    """A class that is refused brings no skill and changes no attribute."""
    return outcome.registered or (outcome.skills, outcome.attributes) == ((), inputs["bearer"].attributes)


@invariant(register_class)
def nothing_of_the_first_class_is_lost(rules: Rules, inputs: Mapping[str, Any], outcome: Registration) -> bool:
    """Neither the Soul Level nor an attribute falls when a class is added."""
    bearer: Bearer = inputs["bearer"]
    before, after = dataclasses.asdict(bearer.attributes), dataclasses.asdict(outcome.attributes)
    return outcome.soul_level == bearer.soul_level and all(after[name] >= before[name] for name in ATTRIBUTES)
