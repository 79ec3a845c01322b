"""Time passes: turns begin and end, rounds end, limits end."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Literal

from engine.procedures import Rules, invariant, procedure
from engine.systems.soul_level.carrying import may_be_shaken_off, shaken_off
from engine.systems.soul_level.effects import (
    Part,
    at_work,
    attribute,
    condition,
    conscious_points,
    entered,
    filled,
    heal,
    passives,
    settled,
    shielded,
    skill_of,
    suffer,
    unlocked,
)
from engine.systems.soul_level.recovery import still_used
from engine.systems.soul_level.state import Combatant, Effect, FightState, Number, Passing, Result

Occasion = Literal["short rest", "long rest", "new day", "24 hours later", "end of combat"]
Ended = tuple[tuple[str, str], ...]  # effects that are over: their names, and who bore them


@procedure
def start_turn(rules: Rules, state: FightState, who: str) -> Passing:
    """The turn of a fighter begins (SOUL-7.0.94)."""
    before = entered(rules, state)
    state = before.with_(dataclasses.replace(before.of(who), dodging=False))
    if rules.reaction_returns_at(moment="own turn"):
        state = state.with_(dataclasses.replace(state.of(who), reacted=False))

    def after(effect: Effect) -> Effect | None:
        own = effect.by == who
        if effect.lasts == "next turn":
            return None if rules.ends_with_turn(own_turn=own) else effect
        return _one_round_less(rules, effect, "own turn") if own else effect

    state, shaken = _tested_again(rules, state, "own turn", who)
    state, ended = _ended(state, after)
    ended = shaken + ended
    state, results = _regenerated(rules, state, who, "start")
    if rules.harm_comes_at(moment="own turn"):
        state, harmed = _harmed(rules, state, state.of(who))
        results += harmed
    return _passing(rules, settled(before, state), ended, results)


@procedure
def end_turn(rules: Rules, state: FightState, who: str) -> Passing:
    """The turn of a fighter ends (SOUL-7.0.95)."""
    before = entered(rules, state)
    state, results = _regenerated(rules, before, who, "end")
    state, ended = _ended(state, lambda effect: None if effect.by == who and effect.lasts == "turn" else effect)
    return _passing(rules, settled(before, state), ended, results)


@procedure
def end_round(rules: Rules, state: FightState) -> Passing:
    """A round ends: harm, durations, reactions (SOUL-7.0.96)."""
    before = state = entered(rules, state)
    results: tuple[Result, ...] = ()
    if rules.harm_comes_at(moment="round"):
        for name in [fighter.name for fighter in state.fighters]:
            state, harmed = _harmed(rules, state, state.of(name))
            results += harmed

    def after(effect: Effect) -> Effect | None:
        effect = dataclasses.replace(effect, passed=effect.passed + 1)
        if effect.lasts in ("minute", "hour"):
            return None if rules.time_is_over(unit=effect.lasts, passed=effect.passed) else effect
        if skill_of(rules, effect.skill).fields.get("delayed") and rules.inspiration_is_over(passed=effect.passed):
            return None
        return _one_round_less(rules, effect, "round")

    state, shaken = _tested_again(rules, state, "round", None)
    state, ended = _ended(state, after)
    ended = shaken + ended
    state = state.each(lambda f: dataclasses.replace(f, rounds_down=f.rounds_down + 1 if f.hit_points <= 0 else 0))
    if rules.reaction_returns_at(moment="round"):
        state = state.each(lambda fighter: dataclasses.replace(fighter, reacted=False))
    if any(fighter.dodging for fighter in state.fighters) and not rules.still_dodging(same_round=False):
        state = state.each(lambda fighter: dataclasses.replace(fighter, dodging=False))
    state = settled(before, dataclasses.replace(state, round=state.round + 1))
    return _passing(rules, state, ended, results)


@procedure
def renew_limits(rules: Rules, state: FightState, occasion: Occasion) -> Passing:
    """What may be used only so often may be used again, and a rest wakes whoever has HP (SOUL-7.0.97)."""
    rests = occasion in ("short rest", "long rest")

    def renew(fighter: Combatant) -> Combatant:
        wakes = rests and fighter.hit_points > 0
        used = still_used(rules, fighter.used, occasion)
        return dataclasses.replace(fighter, used=used, fallen="no" if wakes else fighter.fallen)

    def after(effect: Effect) -> Effect | None:
        return None if effect.name == "knocked out" and (rests or occasion == "end of combat") else effect

    state, ended = _ended(entered(rules, state).each(renew), after)
    return _passing(rules, state, ended, ())


def _one_round_less(rules: Rules, effect: Effect, moment: str) -> Effect | None:
    """The effect with one round less where rounds are counted at this moment; None where it is over."""
    if effect.lasts not in ("rounds", "until attack") or not rules.round_counts_at(moment=moment):
        return effect
    left = effect.left - 1
    if left > 0 or (effect.lasts == "until attack" and not rules.first_limit_ends()):
        return dataclasses.replace(effect, left=max(0, left))
    return None


def _tested_again(rules: Rules, state: FightState, moment: str, who: str | None) -> tuple[FightState, Ended]:
    """What is shaken off as a round of it is counted and more are left, where each round has a test (SOUL-4.60).

    `who`: only what this fighter has laid; None: what everybody has laid who is in the fight.
    """
    if not rules.round_counts_at(moment=moment):
        return state, ()
    laid = [(f.name, e) for f in state.fighters for e in f.effects if e.lasts == "rounds" and who in (None, e.by)]
    present = {fighter.name for fighter in state.fighters}
    ended: Ended = ()
    for name, effect in laid:
        record = skill_of(rules, effect.skill)
        if effect.by not in present or not may_be_shaken_off(record, effect):
            continue
        if rules.tests_against(duration=effect.left) == 1:
            continue
        over, fighter = shaken_off(rules, state, state.of(effect.by), state.of(name), record)
        if over:
            fighter = dataclasses.replace(fighter, effects=tuple(e for e in fighter.effects if e is not effect))
            ended += ((effect.name, name),)
        state = state.with_(fighter)
    return state, ended


def _ended(state: FightState, after: Callable[[Effect], Effect | None]) -> tuple[FightState, Ended]:
    """The fight with every effect as it is afterwards, and the effects that are over."""
    ended: list[tuple[str, str]] = []
    fighters = []
    for fighter in state.fighters:
        kept = []
        for effect in fighter.effects:
            left = after(effect)
            if left is None:
                ended.append((effect.name, fighter.name))
            else:
                kept.append(left)
        fighters.append(dataclasses.replace(fighter, effects=tuple(kept)))
    return dataclasses.replace(state, fighters=tuple(fighters)), tuple(ended)


def _regenerated(rules: Rules, state: FightState, who: str, moment: str) -> tuple[FightState, tuple[Result, ...]]:
    """What skills restore in each turn of whom they work on."""
    if not rules.regenerates_at(part_of_turn=moment):
        return state, ()
    results: tuple[Result, ...] = ()
    fighter = state.of(who)
    if condition(rules, fighter) == "dead":
        return state, ()
    for skill, effect in tuple(at_work(rules, state, fighter)):
        percent = skill.fields.get("regenerates")
        heals_down = rules.regenerates_down if effect is None else rules.aura_heals_down
        if percent is None or not heals_down(HP=conscious_points(rules, fighter)):
            continue
        share = rules.healed_share(
            percent=percent,
            maximum=rules.max_HP(VIT=fighter.VIT),
            HP=fighter.HP,
            says_maximum=bool(skill.fields.get("of_maximum")),
        )
        healed, fighter = heal(rules, fighter, share)
        results += (Result(who, healing=healed, effect=effect.name if effect else skill.fields.get("while", "")),)
    return state.with_(fighter), results + _fury_heals(rules, fighter)


def _fury_heals(rules: Rules, fighter: Combatant) -> tuple[Result, ...]:
    """What the fury itself restores before Primal Regeneration does: nothing, or nobody knows how much (SOUL-5.65)."""
    own = [e for e in fighter.effects if e.name == "fury" and unlocked(rules, fighter, skill_of(rules, e.skill))]
    if not own or any("regenerates" in skill.fields for skill in passives(rules, fighter)):
        return ()
    if not rules.regenerates_down(HP=conscious_points(rules, fighter)):
        return ()
    if not rules.fury_heals(soul_level=fighter.soul_level):
        return ()
    return (Result(fighter.name, healing=rules.fury_healing(soul_level=fighter.soul_level), effect="fury"),)


def _harmed(rules: Rules, state: FightState, fighter: Combatant) -> tuple[FightState, tuple[Result, ...]]:
    """What harms a fighter in each round."""
    results: tuple[Result, ...] = ()
    for effect in fighter.effects:
        record = skill_of(rules, effect.skill)
        if (
            "harm" not in record.formulas
            or effect.name != record.fields["effect"]
            or condition(rules, fighter) == "dead"
        ):
            continue
        kind = record.fields["harm_kind"]
        RSOB = attribute(rules, fighter, "RSOB")
        absorbed: Number = 0
        if rules.shield_is_before():
            absorbed, fighter = shielded(rules, fighter, kind, effect.amount, 1)
        amount = rules.harm_felt(damage=effect.amount - absorbed, RSOB=RSOB)
        mitigated = rules.harm_is_mitigated()
        arrived, fighter = suffer(rules, state, fighter, (Part(kind, amount),), mitigated=mitigated, a_blow=False)
        results += (Result(fighter.name, original=effect.amount, damage=arrived, effect=effect.name),)
    return state.with_(fighter), results


def _passing(rules: Rules, state: FightState, ended: Ended, results: tuple[Result, ...]) -> Passing:
    """What has passed; a summoned creature whose time is over is gone."""
    told = tuple(_told(effect, bearer) for effect, bearer in ended)
    rules.step("ended", told)
    gone = {bearer for effect, bearer in ended if effect == "summoned"}
    left = tuple(fighter for fighter in state.fighters if fighter.name not in gone)
    return Passing(told, results, dataclasses.replace(state, fighters=left))


def _told(effect: str, bearer: str) -> str:
    return f"{effect} on {bearer}"


# --- What must hold ----------------------------------------------------------------------


def _before_and_after(rules: Rules, inputs: Mapping[str, Any], outcome: Passing) -> list[tuple[Combatant, Combatant]]:
    """Each fighter before and after; a creature whose time is over is left out."""
    after = {fighter.name: fighter for fighter in outcome.state.fighters}
    before = filled(rules, inputs["state"]).fighters
    return [(fighter, after[fighter.name]) for fighter in before if fighter.name in after]


def _only_time_passed(rules: Rules, inputs: Mapping[str, Any], outcome: Passing) -> bool:
    """Whether no effect was added, no pool but HP changed, what ended is gone, and nobody but who was summoned."""
    there = {fighter.name for fighter in outcome.state.fighters}
    departed = [fighter for fighter in inputs["state"].fighters if fighter.name not in there]
    over = sum(map(_effects_of, departed), Counter[str]())
    for before, after in _before_and_after(rules, inputs, outcome):
        had, has = _effects_of(before), _effects_of(after)
        if not has <= had or (after.M, after.SP) != (before.M, before.SP):
            return False
        over += had - has
    return Counter(outcome.ended) <= over and all(fighter.has("summoned") for fighter in departed)


def _effects_of(fighter: Combatant) -> Counter[str]:
    return Counter(_told(effect.name, fighter.name) for effect in fighter.effects)


@invariant(start_turn)
def a_turn_begins_without_new_effects(rules: Rules, inputs: Mapping[str, Any], outcome: Passing) -> bool:
    """The beginning of a turn adds no effect, moves no Mana and no SP, and what it ends is gone."""
    return _only_time_passed(rules, inputs, outcome)


@invariant(start_turn)
def nothing_waits_beyond_the_next_turn(rules: Rules, inputs: Mapping[str, Any], outcome: Passing) -> bool:
    """What was to last until somebody's next turn is over when it begins, a dodge too."""
    left = [e for f in outcome.state.fighters for e in f.effects if e.by == inputs["who"] and e.lasts == "next turn"]
    return not left and not any(f.dodging for f in outcome.state.fighters if f.name == inputs["who"])


@invariant(end_turn)
def a_turn_ends_without_new_effects(rules: Rules, inputs: Mapping[str, Any], outcome: Passing) -> bool:
    """The end of a turn adds no effect, moves no Mana and no SP, and what it ends is gone."""
    return _only_time_passed(rules, inputs, outcome)


@invariant(end_round)
def a_round_ends_without_new_effects(rules: Rules, inputs: Mapping[str, Any], outcome: Passing) -> bool:
    """The end of a round adds no effect, moves no Mana and no SP, and counts one round."""
    return _only_time_passed(rules, inputs, outcome) and outcome.state.round == inputs["state"].round + 1


@invariant(end_round)
def no_round_lasts_for_ever(rules: Rules, inputs: Mapping[str, Any], outcome: Passing) -> bool:
    """Where the end of a round counts, each effect that lasts rounds has fewer of them, or is over."""
    if not rules.round_counts_at(moment="round"):
        return True
    for before, after in _before_and_after(rules, inputs, outcome):
        rounds = sum(effect.left for effect in after.effects if effect.lasts == "rounds")
        if rounds and rounds >= sum(effect.left for effect in before.effects if effect.lasts == "rounds"):
            return False
    return True


@invariant(renew_limits)
def limits_only_end(rules: Rules, inputs: Mapping[str, Any], outcome: Passing) -> bool:
    """Whatever the occasion, only the record of used skills and who is down change, and neither grows."""
    for before, after in _before_and_after(rules, inputs, outcome):
        kept = tuple(effect for effect in before.effects if effect in after.effects)
        same = dataclasses.replace(before, used=after.used, fallen=after.fallen, effects=kept)
        if after != same or after.fallen not in (before.fallen, "no") or not set(after.used) <= set(before.used):
            return False
    return True
