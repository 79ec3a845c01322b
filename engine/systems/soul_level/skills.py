"""Using a skill: refused, or paid for, tested and carried out as its record says."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from engine.book.model import Record
from engine.procedures import Rules, invariant, procedure
from engine.systems.soul_level.blows import AIMED, resistance
from engine.systems.soul_level.carrying import carried_out
from engine.systems.soul_level.effects import (
    attribute,
    condition,
    entered,
    filled,
    settled,
    skill_of,
    succeeded,
    test_made,
)
from engine.systems.soul_level.refusals import ENEMIES, price, refusal
from engine.systems.soul_level.state import Choice, Combatant, FightState, Number, Result, SkillUse


@procedure
def use_skill(
    rules: Rules,
    state: FightState,
    user: str,
    skill: str,
    on: tuple[str, ...] = (),
    choice: Choice | None = None,
) -> SkillUse:
    """A fighter uses a skill on those named in `on` (SOUL-7.0.93)."""
    record, chosen, before = skill_of(rules, skill), choice or Choice(), entered(rules, state)
    who = before.of(user)
    why = refusal(rules, before, who, record, on, chosen)
    if not why and chosen.countered_by:
        why = _counter_refused(rules, before, who, record, chosen)
    if why:
        rules.step("refused", why)
        return SkillUse(why, 0, 0, (), before)
    if chosen.countered_by:
        before, withstood = _withstood(rules, before, who, chosen)
        who = before.of(user)
        if not withstood:
            return _countered(rules, before, who, record, chosen)
    metres = _metres(rules, who, record)
    after, results = carried_out(rules, _marked(before, who, record), who, record, on, chosen)
    aimed = record.fields.get("aim") in AIMED
    success = any(r.test == "none" or succeeded(r.test) == aimed for r in results)
    cost, after = _paid(rules, after, after.of(user), record, success=success)
    after = settled(before, after)
    if record.fields.get("stands"):
        after = after.with_(dataclasses.replace(after.of(user), fallen="no"))
    return SkillUse("", cost, metres, results, after)


def _marked(state: FightState, user: Combatant, record: Record) -> FightState:
    """The user has used what can be used only so often, and has reacted if it was a reaction."""
    used = (*user.used, record.name) if record.fields.get("limit") else user.used
    reacted = user.reacted or record.fields["kind"] == "reaction"
    return state.with_(dataclasses.replace(user, used=used, reacted=reacted))


def _paid(
    rules: Rules, state: FightState, user: Combatant, record: Record, *, success: bool
) -> tuple[Number, FightState]:
    full = price(rules, user, record)
    if full is None:
        return 0, state
    pool, points = full
    cost: Number = rules.price_paid(cost=points, success=success)
    rules.step("paid", cost, pool=pool)
    return cost, state.with_(dataclasses.replace(user, **{pool: getattr(user, pool) - cost}))


def _metres(rules: Rules, user: Combatant, record: Record) -> Number:
    times = record.fields.get("movement")
    return rules.metres(VEL=attribute(rules, user, "VEL")) * times if times else 0


# --- Cancelling --------------------------------------------------------------------------


def _counter_refused(rules: Rules, state: FightState, user: Combatant, record: Record, choice: Choice) -> str:
    """Why somebody cannot cancel a skill as it is used; "" where he can."""
    other, counter = state.of(choice.countered_by), skill_of(rules, choice.counter)
    what = counter.fields.get("counters")
    if what is None or (what == "supreme" and record.fields["kind"] != "supreme"):
        return "the counter cancels no such skill"
    hostile = record.fields.get("target") in ENEMIES
    if not rules.counter_reaches(named_skill=counter.name, hostile=hostile):
        return "the counter cancels no such skill"
    if not rules.counters_at_once(named_skill=counter.name):
        return "the counter is no reaction"
    if other.reacted:
        return "the counter's reaction is spent"
    aims_at = (user.name,) if counter.fields.get("target") in ENEMIES else None
    return refusal(rules, state, other, counter, aims_at, None)


def _withstood(rules: Rules, state: FightState, user: Combatant, choice: Choice) -> tuple[FightState, bool]:
    """Whether the user's own test wipes out what would cancel his skill, and the fight after it: then that is spent."""
    other, counter = state.of(choice.countered_by), skill_of(rules, choice.counter)
    if not rules.counter_is_tested(named_skill=counter.name):
        return state, False
    chance, test = resistance(rules, state, other, user, counter, None)
    state = state.with_(test_made(rules, user, chance))
    if not succeeded(test):
        return state, False
    state = _marked(state, other, counter)
    return state.with_(dataclasses.replace(state.of(other.name), reacted=True)), True


def _countered(rules: Rules, before: FightState, user: Combatant, record: Record, choice: Choice) -> SkillUse:
    """Both skills are spent, and only the counter works: for a round, where it can do so on the own turn as well."""
    state = _marked(before, user, record) if rules.cancelled_is_spent() else before
    other, counter = state.of(choice.countered_by), skill_of(rules, choice.counter)
    state = _marked(state, other, counter)
    state = state.with_(dataclasses.replace(state.of(other.name), reacted=True))
    cost: Number = 0
    if rules.cancelled_is_spent():
        cost, state = _paid(rules, state, state.of(user.name), record, success=False)
    rules.step("cancelled", record.name, by=other.name)
    results: tuple[Result, ...] = (Result(user.name, effect="cancelled"),)
    if "cancel" in counter.fields.get("modes", ()):
        cancelling = Choice(mode="cancel", subject=record.name)
        state, results = carried_out(rules, state, state.of(other.name), counter, (user.name,), cancelling)
    return SkillUse("", cost, 0, results, settled(before, state))


# --- What must hold ----------------------------------------------------------------------


def _before_and_after(rules: Rules, inputs: Mapping[str, Any], outcome: SkillUse) -> list[tuple[Combatant, Combatant]]:
    """Each fighter before and after; a creature that was there only by a cancelled skill is left out."""
    after = {fighter.name: fighter for fighter in outcome.state.fighters}
    return [(f, after[f.name]) for f in filled(rules, inputs["state"]).fighters if f.name in after]


@invariant(use_skill)
def a_refused_skill_changes_nothing(rules: Rules, inputs: Mapping[str, Any], outcome: SkillUse) -> bool:
    """A refused use costs nothing, does nothing and changes nothing."""
    nothing = (outcome.cost, outcome.metres, outcome.results) == (0, 0, ())
    return not outcome.refused or (nothing and outcome.state == filled(rules, inputs["state"]))


@invariant(use_skill)
def a_skill_is_paid_once(rules: Rules, inputs: Mapping[str, Any], outcome: SkillUse) -> bool:
    """What the user's pools lose is the cost, and nobody else pays."""

    def pools(fighter: Combatant) -> Number:
        assert fighter.M is not None
        assert fighter.SP is not None
        return fighter.M + fighter.SP

    lost = {before.name: pools(before) - pools(after) for before, after in _before_and_after(rules, inputs, outcome)}
    return lost.pop(inputs["user"]) == outcome.cost and not any(lost.values())


@invariant(use_skill)
def pools_stay_within_bounds(rules: Rules, inputs: Mapping[str, Any], outcome: SkillUse) -> bool:
    """Nobody owes Mana or SP, and no healing passes the maximum of HP where a pool has one."""
    for before, after in _before_and_after(rules, inputs, outcome):
        most = rules.max_HP(VIT=after.VIT)
        if after.hit_points > max(before.hit_points, rules.capped(points=after.HP, maximum=most)):
            return False
        if min(after.M or 0, after.SP or 0) < 0:
            return False
    return True


@invariant(use_skill)
def the_dead_do_not_act(rules: Rules, inputs: Mapping[str, Any], outcome: SkillUse) -> bool:
    """The dead and the dying use no skill but what answers a fall, and that only where they may rise."""
    user = filled(rules, inputs["state"]).of(inputs["user"])
    body, trigger = condition(rules, user), skill_of(rules, inputs["skill"]).fields.get("trigger")
    return bool(outcome.refused) or body == "up" or bool(trigger == "falls" and rules.may_rise(body=body))


@invariant(use_skill)
def a_limit_is_noted(rules: Rules, inputs: Mapping[str, Any], outcome: SkillUse) -> bool:
    """A skill with a limit that went through cannot be used again before the limit ends."""
    limited = "limit" in skill_of(rules, inputs["skill"]).fields
    cancelled = any(result.effect == "cancelled" and result.target == inputs["user"] for result in outcome.results)
    noted = inputs["skill"] in outcome.state.of(inputs["user"]).used
    return bool(outcome.refused) or not limited or cancelled or noted
