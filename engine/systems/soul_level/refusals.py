"""Why a skill cannot be used now."""

from __future__ import annotations

from collections.abc import Iterator

from engine.book.model import Record
from engine.procedures import Rules
from engine.systems.soul_level.blows import with_bow
from engine.systems.soul_level.effects import attributes, awake, condition, maxima, skill_of, unlocked
from engine.systems.soul_level.state import Choice, Combatant, FightState, Number

ENEMIES = frozenset({"enemy", "enemies"})
AGAINST = ENEMIES | {"onlookers"}
MANY = frozenset({"enemies", "allies", "onlookers"})


def refusal(
    rules: Rules,
    state: FightState,
    user: Combatant,
    skill: Record,
    targets: tuple[str, ...] | None,
    choice: Choice | None,
) -> str:
    """The first reason why the skill is refused; "" where it is not.

    A skill that cancels another as it happens is used without a choice, and without `targets` where it aims at nobody.
    """
    return (
        _of_the_skill(rules, user, skill, choice)
        or _of_the_user(rules, user, skill)
        or _of_the_bow(rules, user, skill)
        or _of_the_price(rules, user, skill)
        or ("" if targets is None else next(_of_the_targets(rules, state, user, skill, targets, choice), ""))
    )


def _of_the_skill(rules: Rules, user: Combatant, skill: Record, choice: Choice | None) -> str:
    fields = skill.fields
    if fields["class_name"] not in user.class_names:
        return "no skill of the class"
    if not unlocked(rules, user, skill):
        return "level too low"
    if fields["kind"] == "passive":
        return "a passive skill works by itself"
    if skill.name in user.used:
        return f"once each {fields['limit']}"
    if fields["kind"] == "reaction" and user.reacted:
        return "reaction already spent"
    if choice is not None and choice.mode not in fields.get("modes", [""]):
        return "no such mode"
    if choice is not None and choice.mode == "cancel" and choice.subject not in _names(rules):
        return "no such skill"
    if choice is not None and fields.get("shape") and choice.animal is None:
        return "no animal is defined"
    return ""


def _names(rules: Rules) -> Iterator[str]:
    return (skill.name for skill in rules.records("skill"))


def _of_the_user(rules: Rules, user: Combatant, skill: Record) -> str:
    body = condition(rules, user)
    if skill.fields.get("trigger") == "falls":
        if user.fallen == "before" or not rules.may_rise(body=body):
            return "nothing to react to"
        if not rules.may_stand(in_fury=user.has("fury")):
            return "not in fury"
    elif body != "up":
        return f"the user is {body}"
    elif not awake(rules, user):
        return "the user is unconscious"
    return _of_the_effects(rules, user, skill)


def _of_the_effects(rules: Rules, user: Combatant, skill: Record) -> str:
    """What lies on the user, in an order that does not hang on which was laid first."""
    if any(effect.subject == skill.name for effect in user.effects):
        return "the skill is cancelled"
    hostile = skill.fields.get("target") in ENEMIES
    for name in sorted({effect.name for effect in user.effects}):
        if not rules.may_act(affliction=name, hostile=hostile):
            return f"the user is {name}"
    if not _is_spell(rules, skill):
        return ""
    if any(effect.shape is not None for effect in user.effects) and not rules.may_cast_in_shape():
        return "no spell in an animal's form"
    bars = any(skill_of(rules, effect.skill).fields.get("bars_complex_spells") for effect in user.effects)
    return "no complex spell in fury" if bars and not rules.may_cast_in_fury(spell=skill.name) else ""


def _is_spell(rules: Rules, skill: Record) -> bool:
    pool, aim = skill.fields["pool"], skill.fields.get("aim", "")
    return bool(skill.fields.get("spell") or (aim == "instant magic" and rules.is_spell(pool=pool, attack_kind=aim)))


def _of_the_bow(rules: Rules, user: Combatant, skill: Record) -> str:
    allowed = not with_bow(user, skill) or (skill.fields.get("any_weapon") and rules.works_with_bow())
    return "" if allowed else "not with a bow"


def price(rules: Rules, user: Combatant, skill: Record) -> tuple[str, Number] | None:
    """The pool from which a skill is paid, and how much; None where it costs nothing."""
    if "cost" not in skill.formulas:
        return None
    pool = str(rules.pool_paid(pool=skill.fields["pool"]))
    base = rules.cost_base(pool=pool, maximum=maxima(rules, user)[pool], points=getattr(user, pool))
    cost: Number = rules.field(skill, "cost", maximum=base)
    return pool, cost


def _of_the_price(rules: Rules, user: Combatant, skill: Record) -> str:
    full = price(rules, user, skill)
    if full is None:
        return ""
    pool, cost = full
    return "" if rules.can_pay(points=getattr(user, pool), cost=cost) else f"too little {pool}"


def _of_the_targets(
    rules: Rules,
    state: FightState,
    user: Combatant,
    skill: Record,
    targets: tuple[str, ...],
    choice: Choice | None,
) -> Iterator[str]:
    kind = skill.fields["target"]
    if len(set(targets)) < len(targets):
        yield "one target twice"
    if kind == "self" and targets not in ((), (user.name,)):
        yield "it works on the user alone"
    if kind != "self" and (not targets or (kind not in MANY and len(targets) > _most(rules, user, skill))):
        yield "wrong number of targets"
    only = "" if choice is None else choice.extra_against
    others = len([name for name in targets if name != only])
    if only and (only not in targets or rules.bystanders_hit(bystanders=others) < others):
        yield "an extra action is for one opponent"
    for name in targets if kind != "self" else ():
        yield from _of_one_target(rules, user, skill, state.of(name))


def _most(rules: Rules, user: Combatant, skill: Record) -> int:
    """The most targets of a skill for one: as many as it has blows, if those may be shared."""
    blows = rules.field(skill, "hits", **attributes(rules, user))
    return 1 if blows is None else int(rules.targets_allowed(strikes=blows))


def _is_own_ally(rules: Rules, skill: Record) -> bool:
    """Whether a skill for allies may be used on oneself."""
    one = rules.user_is_the_ally if skill.fields["target"] == "ally" else rules.user_is_ally
    return bool(skill.fields.get("user_too") or one())


def _of_one_target(rules: Rules, user: Combatant, skill: Record, target: Combatant) -> Iterator[str]:
    kind, needed = skill.fields["target"], skill.fields.get("needs")
    friend = target.team == user.team
    if kind in ENEMIES and friend and not (skill.fields.get("whoever") and rules.area_hits_friends()):
        yield "wrong target: not an enemy"
    if kind in ("ally", "allies"):
        if not friend:
            yield "wrong target: not an ally"
        if target.name == user.name and not _is_own_ally(rules, skill):
            yield "wrong target: the user is no ally"
    if kind == "onlookers" and friend and not rules.friends_look_on():
        yield "wrong target: not an enemy"
    body = condition(rules, target)
    if skill.fields.get("revives"):
        if not rules.may_be_revived(body=body):
            yield "wrong target: not fallen"
        if not rules.may_still_be_revived(passed=target.rounds_down):
            yield "wrong target: fallen too long ago"
    elif body == "dead" and not ("heal" in skill.fields.get("modes", ()) and rules.miracle_wakes_the_dead()):
        yield "wrong target: dead"
    if needed and needed not in target.traits:
        yield f"wrong target: not {needed}"
