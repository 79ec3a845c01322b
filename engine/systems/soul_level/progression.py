"""Soul Experience Points: what a fight pays, what is said of it, and how levels rise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.procedures import Rules, invariant, procedure
from engine.systems.soul_level.announcement import Announcement, announce
from engine.systems.soul_level.character import (
    ATTRIBUTES,
    Attributes,
    Points,
    Sheet,
    carried_over,
    maxima,
    sheet_of,
)

# --- Level up ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Character:
    """What a rise changes. `first`: the attributes with which level 1 began; left out, the present ones count."""

    attributes: Attributes
    soul_level: int
    SXP: int | Fraction
    hand: Points
    first: Attributes | None = None


@dataclass(frozen=True, slots=True)
class LevelUp:
    """How many rises there were, and the sheet afterwards."""

    rises: int
    sheet: Sheet


@procedure
def level_up(rules: Rules, character: Character) -> LevelUp:
    """All the rises that the SXP in hand pay for (SOUL-3.39)."""
    level, SXP, hand = character.soul_level, character.SXP, character.hand
    attributes = character.attributes
    full = maxima(rules, attributes, level)
    rises = rules.level_after_award(soul_level=level, SXP=SXP) - level
    for rise in range(1, rises + 1):
        SXP = rules.SXP_left(soul_level=level, SXP=SXP)
        level += 1
        attributes = _grown(rules, character, rise)
        risen = maxima(rules, attributes, level)
        hand = carried_over(rules, hand, full, risen)
        full = risen
    rules.step("rises", rises)
    return LevelUp(rises, sheet_of(attributes, level, SXP, hand, full))


def _grown(rules: Rules, character: Character, rise: int) -> Attributes:
    """The attributes after so many rises: each from the one before, or all from the beginning (SOUL-Q22)."""
    start, raises = character.attributes, rise
    if character.first is not None and rules.reading("Q22") == "from-the-start":
        start, raises = character.first, character.soul_level - rules.first_soul_level() + rise
    return Attributes(**{name: rules.raised_times(value=getattr(start, name), raises=raises) for name in ATTRIBUTES})


@invariant(level_up)
def levels_only_rise(rules: Rules, inputs: Mapping[str, Any], outcome: LevelUp) -> bool:
    """The Soul Level rises by the number of rises, which is never negative."""
    before: Character = inputs["character"]
    return outcome.rises >= 0 and outcome.sheet.soul_level == before.soul_level + outcome.rises


@invariant(level_up)
def a_rise_weakens_nobody(rules: Rules, inputs: Mapping[str, Any], outcome: LevelUp) -> bool:
    """No attribute falls, unless it stood above its growth from the start; without a rise nothing changes."""
    before: Character = inputs["character"]
    after = outcome.sheet
    if outcome.rises == 0:
        return all(getattr(after, name) == getattr(before.attributes, name) for name in ATTRIBUTES)
    return before.first is not None or all(
        getattr(after, name) >= getattr(before.attributes, name) for name in ATTRIBUTES
    )


@invariant(level_up)
def points_stay_within_their_pools(rules: Rules, inputs: Mapping[str, Any], outcome: LevelUp) -> bool:
    """Whoever had no more than the maximum has no more than it afterwards, unless attributes were set anew."""
    before: Character = inputs["character"]
    old = maxima(rules, before.attributes, before.soul_level)
    after = outcome.sheet
    pairs = (
        (before.hand.HP, old.HP, after.HP, after.HP_max),
        (before.hand.M, old.M, after.M, after.M_max),
        (before.hand.SP, old.SP, after.SP, after.SP_max),
    )
    return before.first is not None or all(now <= most for had, limit, now, most in pairs if had <= limit)


@invariant(level_up)
def every_step_is_paid_once(rules: Rules, inputs: Mapping[str, Any], outcome: LevelUp) -> bool:
    """SXP are neither lost nor made: what the steps cost is what is missing, as far as steps cost anything."""
    before: Character = inputs["character"]
    left = outcome.sheet.SXP
    if outcome.rises == 0:
        return left == before.SXP
    levels = range(before.soul_level, outcome.sheet.soul_level)
    paid = sum(rules.ladder(soul_level=level) for level in levels)
    return bool(left == {"carried": before.SXP - paid, "set-back": 0}.get(rules.reading("Q23"), before.SXP))


# --- SXP ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Enemy:
    """An enemy that was fought, and how its fight ended."""

    rank: str
    monster_level: int
    ending: str = "killed"


@dataclass(frozen=True, slots=True)
class Party:
    """The company in which the character fought."""

    members: int = 1
    struck_last: bool = True


ALONE = Party()


@dataclass(frozen=True, slots=True)
class Award:
    """What was won, every announcement as it is spoken, and what stands on the sheet afterwards."""

    gain: int | Fraction
    announcements: tuple[str, ...]
    soul_level: int
    SXP: int | Fraction


@procedure
def award_sxp(rules: Rules, soul_level: int, SXP: int, enemies: tuple[Enemy, ...], party: Party = ALONE) -> Award:
    """What a fight pays, is announced, and leads to (SOUL-3.40)."""
    paying = [enemy for enemy in enemies if rules.pays_when(ending=enemy.ending)]
    spoken = rules.announcements(defeated=len(paying))
    groups = [paying] if spoken <= 1 else [[enemy] for enemy in paying]
    gained: int | Fraction = 0
    told: list[Announcement] = []
    total: int | Fraction = SXP
    for group in groups if paying else []:
        gain = rules.share_of_SXP(gain=_reward(rules, group), members=party.members, struck_last=party.struck_last)
        told.append(announce(rules, soul_level, total, gain))
        soul_level, total = (
            rules.level_after_award(soul_level=soul_level, SXP=total + gain),
            rules.SXP_after_award(soul_level=soul_level, SXP=total + gain),
        )
        gained += gain
    return Award(gained, tuple(announcement.text for announcement in told), soul_level, total)


def _reward(rules: Rules, enemies: list[Enemy]) -> int | Fraction:
    """What these enemies pay together: whole rewards, or one sum that is made whole (SOUL-3.42)."""
    rewards = [rules.monster_SXP(rank=enemy.rank, monster_level=enemy.monster_level) for enemy in enemies]
    exact = [rules.exact_SXP_of(rank=enemy.rank, monster_level=enemy.monster_level) for enemy in enemies]
    total: int | Fraction = rules.fight_SXP(defeated=len(enemies), whole_rewards=sum(rewards), exact_rewards=sum(exact))
    return total


@invariant(award_sxp)
def nothing_defeated_pays_nothing(rules: Rules, inputs: Mapping[str, Any], outcome: Award) -> bool:
    """Without a defeated enemy nothing is won, said or raised."""
    if inputs["enemies"]:
        return True
    return outcome == Award(0, (), inputs["soul_level"], inputs["SXP"])


@invariant(award_sxp)
def awards_never_lower_a_level(rules: Rules, inputs: Mapping[str, Any], outcome: Award) -> bool:
    """Winning SXP costs no level."""
    return outcome.gain >= 0 and bool(outcome.soul_level >= inputs["soul_level"])


@invariant(award_sxp)
def what_was_won_is_on_the_sheet(rules: Rules, inputs: Mapping[str, Any], outcome: Award) -> bool:
    """The SXP before and those won are the SXP after and the steps paid for, unless a rise sets them back."""
    levels = range(inputs["soul_level"], outcome.soul_level)
    if not levels:
        return bool(outcome.SXP == inputs["SXP"] + outcome.gain)
    how = rules.reading("Q23")
    paid = sum(rules.ladder(soul_level=level) for level in levels) if how == "carried" else 0
    return how == "set-back" or bool(outcome.SXP + paid == inputs["SXP"] + outcome.gain)


@invariant(award_sxp)
def one_announcement_or_one_for_each(rules: Rules, inputs: Mapping[str, Any], outcome: Award) -> bool:
    """There is one announcement, or one for each enemy that pays."""
    paying = sum(1 for enemy in inputs["enemies"] if rules.pays_when(ending=enemy.ending))
    return len(outcome.announcements) in (min(1, paying), paying)
