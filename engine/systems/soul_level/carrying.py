"""What a skill does to its targets once it is paid for: tests, damage, healing, effects."""

from __future__ import annotations

import dataclasses
import functools

from engine.book.model import Record
from engine.procedures import Rules
from engine.systems.soul_level.blows import AIMED, Blow, OneTest, lands, resistance, struck
from engine.systems.soul_level.effects import (
    attribute,
    attributes,
    condition,
    conscious_points,
    contest,
    defence,
    filled,
    heal,
    immune,
    lay,
    resisting,
    skill_of,
    succeeded,
    suffer,
    test_made,
    used_up,
)
from engine.systems.soul_level.refusals import AGAINST
from engine.systems.soul_level.state import ATTRIBUTES, Choice, Combatant, Effect, FightState, Number, Result


def carried_out(
    rules: Rules, state: FightState, user: Combatant, record: Record, targets: tuple[str, ...], choice: Choice
) -> tuple[FightState, tuple[Result, ...]]:
    """What the skill does to each target in their order; the dead are not struck again."""
    if record.fields.get("summons"):
        return _summoned(rules, state, user, record)
    names = targets or (user.name,)
    if choice.mode == "nullify":
        return _freed(rules, state, user, names, choice.subject)
    hits = rules.field(record, "hits", **attributes(rules, user))
    one = _one_test(rules, state, record, names)
    results: list[Result] = []
    blows = names if hits is None else [names[hit % len(names)] for hit in range(hits)]
    for number, name in enumerate(blows):
        if name in blows[:number] and condition(rules, state.of(name)) == "dead":
            continue
        result, target = _on_target(rules, state, (state.of(user.name), state.of(name)), record, choice, one)
        state = state.with_(target)
        results.append(result)
    if choice.mode == "cancel" and rules.cancelling_ends_effects():
        state = _undone(state, names, choice.subject)
    if "aim" in record.fields:
        state = state.with_(used_up(rules, state.of(user.name), "own attack", "until attack"))
        for result in results if _aim(rules, record) in AIMED else ():
            state = state.with_(test_made(rules, state.of(user.name), result.chance))
    if record.fields.get("coats") and rules.poisoning_hits(strikes=2) == 2:
        rounds: Number = record.fields["rounds"]
        coat = Effect(record.fields["coats"], record.name, user.name, "rounds", rounds)
        state = state.with_(lay(rules, state.of(user.name), coat))
    return state, tuple(results)


def _aim(rules: Rules, record: Record) -> str | None:
    """How the skill is tested; None where it is not, as in a cone at which nobody aims."""
    aim: str | None = record.fields.get("aim")
    return None if record.fields.get("in_a_cone") and not rules.cone_is_aimed() else aim


def _one_test(rules: Rules, state: FightState, record: Record, names: tuple[str, ...]) -> OneTest | None:
    """The die of a skill that has one test for all targets, and the defence it meets where that is one as well.

    It is thrown when the first test asks for it: of tests that are all settled beforehand none does.
    """
    aim = record.fields.get("aim")
    die = functools.cache(lambda: rules.roll("d100"))
    if aim is not None and aim not in AIMED and rules.resist_tests(targets=len(names)) == 1:
        return OneTest(die, None)
    if not record.fields.get("one_test"):
        return None
    highest = max(defence(rules, state.of(name)) for name in names) if rules.one_defence_for_all() else None
    return OneTest(die, highest)


def _on_target(
    rules: Rules,
    state: FightState,
    both: tuple[Combatant, Combatant],
    record: Record,
    choice: Choice,
    one: OneTest | None,
) -> tuple[Result, Combatant]:
    user, target = both
    aim = _aim(rules, record)
    if choice.mode in ("cancel", "heal"):
        return _special(rules, state, user, target, record, choice)
    result = Result(target.name)
    if aim is not None:
        chance, test = lands(rules, state, user, target, record, one)
        result = Result(target.name, test=test, chance=chance)
        target = used_up(rules, target, "attacked") if aim in AIMED else test_made(rules, target, chance)
        # An aimed attack works where it succeeds; an instant works where the target's resistance fails.
        if succeeded(test) != (aim in AIMED):
            shaken = record.fields.get("in_a_cone") and rules.shock_fells_unhit()
            return _laid(rules, state, (user, target), record, choice, (result, 0)) if shaken else (result, target)
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
    source = record if "effect" in fields else _coat(rules, user, record)
    final: Number = 0
    if "damage" in record.formulas:
        fumbled = result.test == "critical failure" and rules.failed_resistance_doubles()
        critical = result.test == "critical success" or bool(fields.get("critical")) or fumbled
        blow, arrived, target = _damaged(rules, state, both, record, choice, critical=critical)
        if arrived and target.has("pacified") and rules.peace_breaks():
            target = dataclasses.replace(target, effects=tuple(e for e in target.effects if e.name != "pacified"))
        out = "knocked out" if len(target.effects) > len(both[1].effects) else ""
        result = dataclasses.replace(result, original=blow.original, damage=arrived, effect=out)
        if source is not None:
            final = rules.final_for_effects(mitigated=blow.doubled, critical=critical)
            final += blow.mitigated - blow.doubled
            final = rules.damage_for_effects(mitigated=final, final=min(arrived, final))
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
    if source is not None and not _untouched(rules, state, both[1], record):
        return _laid(rules, state, (user, target), source, choice, (result, final))
    return result, target


def _coat(rules: Rules, user: Combatant, record: Record) -> Record | None:
    """The skill that lies on the user's blade and works with each hit of it, where this is one."""
    if record.fields.get("damage_kind") != "physical" or record.fields.get("bare_hands"):
        return None
    laid = [(effect.name, skill_of(rules, effect.skill)) for effect in user.effects]
    return next((skill for name, skill in laid if name == skill.fields.get("coats")), None)


def _laid(
    rules: Rules,
    state: FightState,
    both: tuple[Combatant, Combatant],
    record: Record,
    choice: Choice,
    told: tuple[Result, Number],
) -> tuple[Result, Combatant]:
    """The effect of a skill, as far as its damage leaves it; `told` ends with the damage that decides about that."""
    (user, target), (result, final) = both, told
    share = _share(rules, record, result.original, final)
    felt, target = _felt(rules, state, user, target, record) if share > 0 else (False, target)
    if felt:
        target = lay(rules, target, _effect(rules, user, record, choice, share))
        result = dataclasses.replace(result, effect=record.fields["effect"])
    return result, target


def _untouched(rules: Rules, state: FightState, target: Combatant, record: Record) -> bool:
    """Whether the blow goes through somebody whom its kind of damage cannot harm, and so is no hit."""
    kind = record.fields.get("damage_kind")
    return bool(kind and immune(rules, state, target, kind) and not rules.untouched_is_hit())


def _damaged(
    rules: Rules,
    state: FightState,
    both: tuple[Combatant, Combatant],
    record: Record,
    choice: Choice,
    *,
    critical: bool,
) -> tuple[Blow, Number, Combatant]:
    """The blow, what of it arrives, and the target afterwards: spared, killed outright, or struck harder for it."""
    (user, target), fields = both, record.fields
    mitigated = rules.mitigation_share(mitigates=fields.get("mitigates", "full")) > 0
    maximum = rules.max_HP(VIT=target.VIT)
    blow = struck(rules, user, target, record, critical=critical)
    arrived, hurt = suffer(rules, state, blow.target, blow.parts, mitigated=mitigated)
    if choice.mode == "knock out":
        return blow, arrived, _spared(rules, user, target, hurt, record)
    if "below" not in fields or not rules.weak_enough(
        HP=target.HP, damage=arrived, maximum=maximum, percent=fields["below"]
    ):
        return blow, arrived, hurt
    if fields["against_trait"] not in target.traits:
        return blow, arrived, dataclasses.replace(hurt, HP=min(hurt.hit_points, -maximum))
    blow = struck(rules, user, target, record, critical=critical, weak=True)
    return blow, *suffer(rules, state, blow.target, blow.parts, mitigated=mitigated)


def _spared(rules: Rules, user: Combatant, target: Combatant, hurt: Combatant, record: Record) -> Combatant:
    """The target with what is left to whoever is knocked out; with a point left he is out of the fight all the same."""
    left = max(hurt.hit_points, min(target.hit_points, rules.knocked_out_HP()))
    if hurt.hit_points <= 0 < left:
        hurt = lay(rules, hurt, Effect("knocked out", record.name, user.name))
    return dataclasses.replace(hurt, HP=left)


def _share(rules: Rules, record: Record, original: Number, final: Number) -> Number:
    """How much of an effect is left after the damage: all, half or nothing.

    What is no attack is not weakened; what has no rounds to halve happens or does not.
    """
    aim = rules.shock_kind() if record.fields.get("in_a_cone") else record.fields.get("aim")
    if aim is None:
        return 1
    share: Number = (
        rules.supreme_share(original=original, final=final)
        if aim == "supreme"
        else rules.effect_share_of(attack_kind=aim, original=original, final=final)
    )
    if share < 1 and record.fields.get("lasts") != "rounds":
        return int(rules.unmeasured_effect(original=original, final=final))
    return share


def _felt(
    rules: Rules, state: FightState, user: Combatant, target: Combatant, record: Record
) -> tuple[bool, Combatant]:
    """Whether the target's own test against the effect fails, and the target after it; without one it is felt."""
    fields = record.fields
    if "resist" not in fields or not rules.resists_unconscious(HP=conscious_points(rules, target)):
        return True, target
    value, extra = resisting(rules, state, target, fields["resist"])
    chance, outcome = contest(rules, value, attribute(rules, user, fields["against"]), extra)
    rules.step("the target resists", succeeded(outcome))
    return not succeeded(outcome), test_made(rules, target, chance)


def may_be_shaken_off(record: Record, effect: Effect) -> bool:
    """Whether there is a test against what a skill has laid on somebody."""
    tested = "resist" in record.fields or record.fields.get("aim", "").startswith("instant")
    return tested and effect.name == record.fields.get("effect")


def shaken_off(
    rules: Rules, state: FightState, user: Combatant, target: Combatant, record: Record
) -> tuple[bool, Combatant]:
    """Whether a further test ends what the skill has laid on the target, and the target after it."""
    if "resist" in record.fields:
        felt, target = _felt(rules, state, user, target, record)
        return not felt, target
    chance, test = resistance(rules, state, user, target, record, None)
    return succeeded(test), test_made(rules, target, chance)


def _effect(rules: Rules, user: Combatant, record: Record, choice: Choice, share: Number) -> Effect:
    fields, now = record.fields, attributes(rules, user)
    left: Number = fields.get("rounds", 0)
    amount: Number = 0
    for formula in ("absorbs", "harm"):
        if formula in record.formulas:
            amount = rules.field(record, formula, **now)
    if share != 1:
        measures = {"has_duration": True, "has_intensity": "harm" in record.formulas}
        left = rules.half_duration(duration=left) if rules.halves(measure="duration", **measures) else left
        if rules.halves(measure="intensity", **measures):
            amount = -rules.half_intensity(intensity=-amount)  # harm is a penalty with its sign turned
    return Effect(
        name=fields["effect"],
        skill=record.name,
        by=user.name,
        lasts=fields.get("lasts", "open"),
        left=left,
        amount=amount,
        shape=choice.animal if fields.get("shape") else None,
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


# --- What no pattern fits ----------------------------------------------------------------


def _special(
    rules: Rules, state: FightState, user: Combatant, target: Combatant, record: Record, choice: Choice
) -> tuple[Result, Combatant]:
    """The modes of Supremes that are no attack and no freeing: cancelling a skill, healing a whole group."""
    if choice.mode == "cancel":
        effect = Effect("cancelled", record.name, user.name, "rounds", 1, subject=choice.subject)
        return Result(target.name, effect=effect.name), dataclasses.replace(target, effects=(*target.effects, effect))
    full = max(target.hit_points, rules.max_HP(VIT=target.VIT))
    return Result(target.name, healing=full - target.hit_points), dataclasses.replace(target, HP=full)


def _freed(
    rules: Rules, state: FightState, user: Combatant, names: tuple[str, ...], first: str
) -> tuple[FightState, tuple[Result, ...]]:
    """The fight without what is adverse to these; of what goes, the effect named `first` goes first."""
    enemies = {fighter.name for fighter in state.fighters if fighter.team != user.team}
    borne = [(name, n, effect) for name in names for n, effect in enumerate(state.of(name).effects)]
    adverse = [(name, n) for name, n, effect in borne if effect.by in enemies or _for_enemies(rules, effect)]
    adverse.sort(key=lambda one: state.of(one[0]).effects[one[1]].name != first)
    gone = adverse[: len(adverse) - rules.effects_left(effects_there=len(adverse))]
    for name in names:
        fighter = state.of(name)
        kept = tuple(e for n, e in enumerate(fighter.effects) if (name, n) not in gone)
        state = state.with_(dataclasses.replace(fighter, effects=kept))
    freed = {name for name, _ in gone}
    return state, tuple(Result(name, effect="freed" if name in freed else "") for name in names)


def _for_enemies(rules: Rules, effect: Effect) -> bool:
    """Whether an effect is of those that are laid on enemies, whoever has laid it on whom (SOUL-7.0.141)."""
    fields = skill_of(rules, effect.skill).fields
    return fields.get("target") in AGAINST and effect.name != fields.get("coats")


def _undone(state: FightState, names: tuple[str, ...], skill: str) -> FightState:
    """The fight in which nothing is at work that these fighters have laid on with the skill, or summoned."""

    def over(effect: Effect) -> bool:
        return effect.skill == skill and effect.by in names

    fighters = tuple(
        dataclasses.replace(fighter, effects=tuple(e for e in fighter.effects if not over(e)))
        for fighter in state.fighters
        if not any(e.name == "summoned" and over(e) for e in fighter.effects)
    )
    return dataclasses.replace(state, fighters=fighters)


def _summoned(
    rules: Rules, state: FightState, user: Combatant, record: Record
) -> tuple[FightState, tuple[Result, ...]]:
    """A creature with half of the user's attributes joins the user's team for some rounds."""
    halves = {
        name: rules.half_attribute(value=rules.summoners_value(value=getattr(user, name), value_now=now))
        for name, now in attributes(rules, user).items()
        if name in ATTRIBUTES
    }
    fighters = tuple(fighter for fighter in state.fighters if not _own_creature(user, record, fighter))
    if fighters != state.fighters and rules.same_effect_adds():
        fighters = state.fighters
    name = f"{record.fields['summons']} of {user.name}"
    while any(fighter.name == name for fighter in fighters):
        name = f"another {name}"
    level = rules.elemental_level(soul_level=user.soul_level)
    bond = Effect("summoned", record.name, user.name, record.fields["lasts"], record.fields["rounds"])
    creature = Combatant(name, user.team, soul_level=level, effects=(bond,), **halves)
    state = filled(rules, dataclasses.replace(state, fighters=(*fighters, creature)))
    return state, (Result(name, effect="summoned"),)


def _own_creature(user: Combatant, record: Record, fighter: Combatant) -> bool:
    """Whether the user has summoned this fighter with the skill."""
    return any((effect.skill, effect.by) == (record.name, user.name) for effect in fighter.effects)
