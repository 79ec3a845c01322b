"""What a skill does to its targets once it is paid for: tests, damage, healing, effects."""

from __future__ import annotations

import dataclasses

from engine.book.model import Record
from engine.procedures import Rules
from engine.systems.soul_level.blows import AIMED, Blow, OneTest, lands, struck
from engine.systems.soul_level.effects import (
    attribute,
    attributes,
    bonus,
    condition,
    contest,
    defence,
    filled,
    heal,
    lay,
    succeeded,
    suffer,
    used_up,
)
from engine.systems.soul_level.state import ATTRIBUTES, Choice, Combatant, Effect, FightState, Number, Result


def carried_out(
    rules: Rules, state: FightState, user: Combatant, record: Record, targets: tuple[str, ...], choice: Choice
) -> tuple[FightState, tuple[Result, ...]]:
    """What the skill does to each target in their order; the dead are not struck again."""
    if record.fields.get("summons"):
        return _summoned(rules, state, user, record)
    names = targets or (user.name,)
    hits = rules.field(record, "hits", **attributes(rules, user)) or 1
    one = _one_test(rules, state, record, names)
    results: list[Result] = []
    for name in [name for name in names for _ in range(hits)]:
        if results and condition(rules, state.of(name)) == "dead":
            continue
        result, target = _on_target(rules, state, (state.of(user.name), state.of(name)), record, choice, one)
        state = state.with_(target)
        results.append(result)
    if "aim" in record.fields:
        tested = ("own test",) if record.fields["aim"] in AIMED else ()
        state = state.with_(used_up(rules, state.of(user.name), "own attack", "until attack", *tested))
    return state, tuple(results)


def _one_test(rules: Rules, state: FightState, record: Record, names: tuple[str, ...]) -> OneTest | None:
    """The die of a skill that has one test for all targets, and the defence it meets where that is one as well."""
    aim = record.fields.get("aim")
    if len(names) > 1 and aim is not None and aim not in AIMED and rules.resist_tests(targets=len(names)) == 1:
        return OneTest(rules.roll("d100"), None)
    if len(names) == 1 or not record.fields.get("one_test"):
        return None
    highest = max(defence(rules, state.of(name)) for name in names) if rules.one_defence_for_all() else None
    return OneTest(rules.roll("d100"), highest)


def _on_target(
    rules: Rules,
    state: FightState,
    both: tuple[Combatant, Combatant],
    record: Record,
    choice: Choice,
    one: OneTest | None,
) -> tuple[Result, Combatant]:
    user, target = both
    fields = record.fields
    aim = None if fields.get("in_a_cone") and not rules.cone_is_aimed() else fields.get("aim")
    if choice.mode in ("cancel", "heal", "nullify"):
        return _special(rules, state, user, target, record, choice)
    result = Result(target.name)
    if aim is not None:
        chance, test = lands(rules, state, user, target, record, one)
        result = Result(target.name, test=test, chance=chance)
        target = used_up(rules, target, "attacked" if aim in AIMED else "own test")
        # An aimed attack works where it succeeds; an instant works where the target's resistance fails.
        if succeeded(test) != (aim in AIMED):
            return result, target
    return _worked(rules, state, (user, target), record, choice, result)


def _worked(
    rules: Rules,
    state: FightState,
    both: tuple[Combatant, Combatant],
    record: Record,
    choice: Choice,
    result: Result,
) -> tuple[Result, Combatant]:
    """Damage, healing and effects of a skill that got through."""
    (user, target), fields = both, record.fields
    share: Number = 1
    if "damage" in record.formulas:
        fumbled = result.test == "critical failure" and rules.failed_resistance_doubles()
        critical = result.test == "critical success" or bool(fields.get("critical")) or fumbled
        blow = struck(rules, user, target, record, critical=critical)
        had = target.hit_points
        arrived, target = suffer(rules, state, target, blow.parts, mitigated=fields.get("mitigates", "full") != "none")
        target = _ending(rules, target, record, choice, had, arrived)
        if arrived and target.has("pacified") and rules.peace_breaks():
            target = dataclasses.replace(target, effects=tuple(e for e in target.effects if e.name != "pacified"))
        result = dataclasses.replace(result, original=blow.original, damage=arrived)
        share = _share_after(rules, record, blow, arrived, critical=critical) if "effect" in fields else 1
    elif "effect" in fields and "aim" in fields:
        share = _share(rules, record, 0, 0)
    healing = _healing(rules, user, target, record)
    if healing is not None:
        healed, target = heal(rules, target, healing)
        result = dataclasses.replace(result, healing=healed)
    if fields.get("revives"):
        target = _revived(rules, target, record)
        result = dataclasses.replace(result, healing=target.hit_points - both[1].hit_points)
    if fields.get("stands"):
        target = dataclasses.replace(target, HP=fields["stands"])
    if fields.get("removes"):
        kept = tuple(e for e in target.effects if not rules.is_removed(named_skill=record.name, affliction=e.name))
        target = dataclasses.replace(target, effects=kept)
    if fields.get("effect") and share > 0 and _felt(rules, state, user, target, record):
        target = lay(rules, target, _effect(rules, user, record, choice, share))
        result = dataclasses.replace(result, effect=fields["effect"])
    return result, target


def _share_after(rules: Rules, record: Record, blow: Blow, arrived: Number, *, critical: bool) -> Number:
    """The share of an effect that is left after the damage; what has no rounds to halve happens or does not."""
    final = rules.final_for_effects(mitigated=blow.mitigated, critical=critical)
    if arrived < final:
        final = rules.damage_for_effects(mitigated=final, final=arrived)
    share = _share(rules, record, blow.original, final)
    if 0 < share < 1 and record.fields.get("lasts") != "rounds":
        return 1 if rules.unmeasured_effect(original=blow.original, final=final) else 0
    return share


def _share(rules: Rules, record: Record, original: Number, final: Number) -> Number:
    """How much of a secondary effect is left after the damage: all, half or nothing."""
    aim = record.fields.get("aim", "melee")
    share: Number = (
        rules.supreme_share(original=original, final=final)
        if aim == "supreme"
        else rules.effect_share_of(attack_kind=aim, original=original, final=final)
    )
    return share


def _felt(rules: Rules, state: FightState, user: Combatant, target: Combatant, record: Record) -> bool:
    """Whether the target's own test against the effect fails; without such a test it is felt."""
    fields = record.fields
    if "resist" not in fields:
        return True
    _, outcome = contest(
        rules,
        attribute(rules, target, fields["resist"]),
        attribute(rules, user, fields["against"]),
        bonus(rules, state, target, "resist_bonus", "test_bonus"),
    )
    rules.step("the target resists", succeeded(outcome))
    return not succeeded(outcome)


def _effect(rules: Rules, user: Combatant, record: Record, choice: Choice, share: Number) -> Effect:
    fields, now = record.fields, attributes(rules, user)
    left = fields.get("rounds", 0)
    amount: Number = 0
    for formula in ("absorbs", "harm"):
        if formula in record.formulas:
            amount = rules.field(record, formula, **now)
    shape = None
    if fields.get("shape"):
        shape = choice.animal
        if shape is None:
            rules.animal_attribute(attribute="FOR")
    return Effect(
        name=fields["effect"],
        skill=record.name,
        by=user.name,
        lasts=fields.get("lasts", "open"),
        left=rules.half_duration(duration=left) if share < 1 else left,
        amount=amount,
        shape=shape,
    )


def _healing(rules: Rules, user: Combatant, target: Combatant, record: Record) -> Number | None:
    """The points that a skill heals at once; None where it heals nothing."""
    if "heals" in record.formulas:
        points: Number = rules.field(record, "heals", **attributes(rules, user))
        return points
    if "heals_percent" not in record.fields or record.fields.get("revives"):
        return None
    return _share_of_hp(rules, target, record)


def _share_of_hp(rules: Rules, target: Combatant, record: Record) -> Number:
    """The percentage of somebody's HP that a skill restores."""
    share: Number = rules.healed_share(
        percent=record.fields["heals_percent"],
        maximum=rules.max_HP(VIT=target.VIT),
        HP=target.HP,
        says_maximum=bool(record.fields.get("of_maximum")),
    )
    return share


def _revived(rules: Rules, target: Combatant, record: Record) -> Combatant:
    """The fallen with the share of HP that the skill gives back."""
    return dataclasses.replace(target, HP=_share_of_hp(rules, target, record))


def _ending(rules: Rules, target: Combatant, record: Record, choice: Choice, had: Number, arrived: Number) -> Combatant:
    """Skills that kill outright, or spare."""
    maximum = rules.max_HP(VIT=target.VIT)
    if choice.mode == "knock out":
        return dataclasses.replace(target, HP=max(target.hit_points, rules.knocked_out_HP()))
    below = record.fields.get("below")
    if (
        below
        and "boss" not in target.traits
        and rules.weak_enough(HP=had, damage=arrived, maximum=maximum, percent=below)
    ):
        return dataclasses.replace(target, HP=min(target.hit_points, -maximum))
    return target


# --- What no pattern fits ----------------------------------------------------------------


def _special(
    rules: Rules, state: FightState, user: Combatant, target: Combatant, record: Record, choice: Choice
) -> tuple[Result, Combatant]:
    """The modes of Supremes that are no attack: cancelling a skill, healing or freeing a whole group."""
    if choice.mode == "cancel":
        effect = Effect("cancelled", record.name, user.name, "rounds", 1, subject=choice.subject)
        over = rules.cancelling_ends_effects()
        kept = tuple(e for e in target.effects if not (over and e.skill == choice.subject))
        return Result(target.name, effect=effect.name), dataclasses.replace(target, effects=(*kept, effect))
    if choice.mode == "heal":
        full = rules.max_HP(VIT=target.VIT)
        if condition(rules, target) == "dead" and rules.miracle_wakes_the_dead():
            return Result(target.name, healing=full - target.hit_points), dataclasses.replace(target, HP=full)
        healed, target = heal(rules, target, full - target.hit_points)
        return Result(target.name, healing=healed), target
    enemies = {fighter.name for fighter in state.fighters if fighter.team != user.team}
    kept = tuple(e for e in target.effects if e.by not in enemies)
    return Result(target.name, effect="freed"), dataclasses.replace(target, effects=kept)


def _summoned(
    rules: Rules, state: FightState, user: Combatant, record: Record
) -> tuple[FightState, tuple[Result, ...]]:
    """A creature with half of the user's attributes joins the user's team for some rounds."""
    halves = {
        name: rules.half_attribute(value=rules.summoners_value(value=getattr(user, name), value_now=now))
        for name, now in attributes(rules, user).items()
        if name in ATTRIBUTES
    }
    name = f"{record.fields['summons']} of {user.name}"
    bond = Effect("summoned", record.name, user.name, record.fields["lasts"], record.fields["rounds"])
    creature = Combatant(name, user.team, soul_level=user.soul_level, effects=(bond,), **halves)
    fighters = tuple(fighter for fighter in state.fighters if fighter.name != name)
    state = filled(rules, dataclasses.replace(state, fighters=(*fighters, creature)))
    return state, (Result(name, effect="summoned"),)
