"""What a turn affords, reactions, and the active dodge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine.errors import CallError
from engine.procedures import Rules, invariant, procedure
from engine.systems.soul_level.blows import AIMED

FLURRY = "Flurry of Blows"
ONE_BLOW = AIMED | {"attack"}  # skills that aim alike may be joined; "attack": a skill that the book does not list
WITH_SKILLS = ("attack", "spell", "skill")  # what somebody does who uses skills

# --- A turn ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody against whom extra actions are counted. `VEL_at_start`: left out, the present VEL."""

    name: str
    VEL: int
    VEL_at_start: int | None = None


@dataclass(frozen=True, slots=True)
class Actor:
    """Whose turn it is."""

    VEL: int
    has_bonus_skill: bool = False
    VEL_at_start: int | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """Something that is tried in a turn.

    `what` is attack, maneuver, spell, skill, dodge or item; movement, a Supreme, a requirement task and the call of
    the Class Sheet are named by `means` alone. `using` names skills of the book: one, or several that are joined in one
    blow. Of skills that no class of the book has, `skill_kind` says the kind, and `what` whether they attack.
    """

    means: Literal["move", "standard", "bonus", "extra", "supreme", "task", "sheet"]
    what: Literal["attack", "maneuver", "spell", "skill", "dodge", "item"] = "attack"
    target: str = ""
    distance: int = 0
    using: tuple[str, ...] = ()
    skill_kind: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """Which actions were allowed, and what is left of the turn; extra actions by the order of the opponents."""

    done: tuple[bool, ...]
    metres_left: int
    standard_left: int
    bonus_left: int
    extra_left: Mapping[str, int]
    dodging: bool


class _Allowance:
    """What a turn affords while its actions are taken one after another."""

    def __init__(self, rules: Rules, actor: Actor, opponents: tuple[Opponent, ...]) -> None:
        self.rules = rules
        self.actor = actor
        self.metres = rules.metres(VEL=actor.VEL)
        self.walked = 0
        self.standard = 1
        self.bonus = rules.bonus_actions(has_bonus_skill=actor.has_bonus_skill)
        self.VEL = {foe.name: (_counted(rules, actor), _counted(rules, foe)) for foe in opponents}
        self.extra = {name: rules.extra_actions(VEL=own, other_VEL=other) for name, (own, other) in self.VEL.items()}
        self.dodging = False
        self.has_struck = False

    def take(self, action: Action) -> bool:
        """Whether the action is allowed; if so it is paid for."""
        skills = _skills(self.rules, action)
        if not self._fits(action, skills):
            return False
        if action.means == "move":
            return self._move(action.distance)
        if action.means == "bonus":
            return self._bonus()
        if action.means in ("standard", "extra"):
            what = "skill" if skills else action.what
            done = self._standard(what) if action.means == "standard" else self._extra(what, action.target)
            self.has_struck |= done and (what == "attack" or any(aim for _, aim in skills))
            return done
        cost = {
            "supreme": self.rules.supreme_cost,
            "task": self.rules.task_cost,
            "sheet": lambda: self.rules.sheet_cost(in_combat=True),
        }[action.means]()
        if cost > self.standard:
            return False
        self.standard -= cost
        return True

    def _fits(self, action: Action, skills: list[tuple[str, str]]) -> bool:
        """Whether these skills can be used by these means, and joined where they are several."""
        if not all(self._by_means(kind, action.means) for kind, _ in skills):
            return False
        if FLURRY in action.using and not self.has_struck and not self.rules.flurry_alone():
            return False
        aims = {aim for _, aim in skills}
        if action.means == "extra" and "" in aims:
            return False
        if len(skills) < 2:
            return True
        one_blow = len(aims) == 1 and not aims.isdisjoint(ONE_BLOW)
        return one_blow and bool(self.rules.skills_in_one_blow(skills=len(skills)) == len(skills))

    def _by_means(self, kind: str, means: str) -> bool:
        if kind == "supreme":
            return means == "supreme"
        taken = self.rules.action_taken(skill_kind=kind)
        if means == "standard" and taken == "bonus":
            return bool(self.rules.uses_of_bonus_skill(has_bonus_skill=self.actor.has_bonus_skill) > 1)
        return bool(taken == ("standard" if means == "extra" else means))

    def _move(self, metres: int) -> bool:
        if metres > self.metres:
            return False
        self.walked += metres
        self.metres = self.rules.metres_left(VEL=self.actor.VEL, walked=self.walked)
        return True

    def _bonus(self) -> bool:
        if self.bonus < 1:
            return False
        self.bonus -= 1
        return True

    def _extra(self, what: str, target: str) -> bool:
        if not self.extra.get(target) or not self.rules.extra_action_may(action=what):
            return False
        self.extra[target] -= 1
        self.dodging = self.dodging or what == "dodge"
        return True

    def _standard(self, what: str) -> bool:
        if self.standard < 1 or not self.rules.standard_action_may(action=what):
            return False
        self.standard -= 1
        if what == "dodge":
            self.dodging = True
            for name, (own, other) in self.VEL.items():
                most = self.rules.extra_while_dodging(VEL=own, other_VEL=other)
                self.extra[name] = min(self.extra[name], most)
        return True


def _skills(rules: Rules, action: Action) -> list[tuple[str, str]]:
    """The kind and the aim of each skill that is used with an action; "" aims at nobody's life."""
    if len(set(action.using)) < len(action.using):
        raise CallError("one skill twice in one blow", "name each skill once")
    if (action.using or action.skill_kind is not None) and action.what not in WITH_SKILLS:
        raise CallError(f"a skill beside {action.what}", f"what a skill is used for: {', '.join(WITH_SKILLS)}")
    if action.skill_kind is not None:
        return [(action.skill_kind, "attack" if action.what == "attack" else "")] * max(1, len(action.using))
    records = [rules.record("skill", name) for name in action.using]
    return [(r.fields["kind"], r.fields["aim"] if "damage" in r.formulas else "") for r in records]


def _counted(rules: Rules, body: Actor | Opponent) -> int:
    """The VEL that counts for extra actions (SOUL-5.9)."""
    start = body.VEL if body.VEL_at_start is None else body.VEL_at_start
    VEL: int = rules.VEL_for_extra(VEL_at_start=start, VEL_now=body.VEL)
    return VEL


@procedure
def turn(rules: Rules, actor: Actor, opponents: tuple[Opponent, ...], actions: tuple[Action, ...]) -> Turn:
    """What a turn affords, and which of the wanted actions it pays for (SOUL-5.22)."""
    names = [foe.name for foe in opponents]
    if len(set(names)) < len(names):
        raise CallError("two opponents with one name", "give each a name of their own")
    allowance = _Allowance(rules, actor, opponents)
    done = []
    for action in actions:
        allowed = allowance.take(action)
        rules.step(" and ".join(action.using) or (action.what if action.means == "standard" else action.means), allowed)
        done.append(allowed)
    return Turn(tuple(done), allowance.metres, allowance.standard, allowance.bonus, allowance.extra, allowance.dodging)


# --- Reactions and the active dodge ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reaction:
    """Whether the reaction is allowed, and whether one is spent now."""

    allowed: bool
    reacted_since_turn: bool


@procedure
def react(
    rules: Rules, has_reaction_skill: bool, own_turn: bool, own_turn_begun: bool, reacted_since_turn: bool
) -> Reaction:
    """A reaction (SOUL-5.61)."""
    allowed = bool(
        rules.common_reaction(has_reaction_skill=has_reaction_skill)
        and rules.may_react(own_turn=own_turn)
        and rules.reaction_ready(own_turn_begun=own_turn_begun, reacted_since_turn=reacted_since_turn)
    )
    rules.step("reaction", allowed)
    return Reaction(allowed, reacted_since_turn or allowed)


@dataclass(frozen=True, slots=True)
class Dodge:
    """Whether the dodge is allowed, what is left, and the defence until it ends."""

    allowed: bool
    standard_left: int
    DEF: int


@procedure
def active_dodge(rules: Rules, VEL: int, standard_actions: int, means: Literal["standard", "extra"]) -> Dodge:
    """The Standard Action is spent on dodging (SOUL-5.49)."""
    if means == "extra":
        allowed, spent = bool(rules.extra_action_may(action="dodge")), 0
    else:
        allowed, spent = standard_actions > 0, 1
    rules.step("active dodge", allowed)
    if not allowed:
        return Dodge(allowed, standard_actions, rules.dodge_DEF(VEL=VEL))
    return Dodge(allowed, standard_actions - spent, rules.active_DEF(VEL=VEL))


# --- What must hold ----------------------------------------------------------------------


@invariant(turn)
def no_more_actions_than_granted(rules: Rules, inputs: Mapping[str, Any], outcome: Turn) -> bool:
    """At most one Standard Action, one Bonus Action, and the extra actions against each opponent."""
    taken = [action for action, done in zip(inputs["actions"], outcome.done, strict=True) if done]
    standard = sum(1 for action in taken if action.means == "standard")
    bonus = sum(1 for action in taken if action.means == "bonus")
    if standard > 1 or bonus > (1 if inputs["actor"].has_bonus_skill else 0):
        return False
    for foe in inputs["opponents"]:
        granted = rules.extra_actions(VEL=_counted(rules, inputs["actor"]), other_VEL=_counted(rules, foe))
        if sum(1 for action in taken if action.means == "extra" and action.target == foe.name) > granted:
            return False
    return True


@invariant(turn)
def extra_actions_meet_their_opponent(rules: Rules, inputs: Mapping[str, Any], outcome: Turn) -> bool:
    """No extra action is taken against somebody who is not outrun."""
    taken = [action for action, done in zip(inputs["actions"], outcome.done, strict=True) if done]
    names = {foe.name for foe in inputs["opponents"]}
    return all(action.target in names for action in taken if action.means == "extra")


@invariant(turn)
def nobody_walks_too_far(rules: Rules, inputs: Mapping[str, Any], outcome: Turn) -> bool:
    """Nobody walks farther than VEL allows, and nothing that is left is negative."""
    walked = sum(
        action.distance
        for action, done in zip(inputs["actions"], outcome.done, strict=True)
        if done and action.means == "move"
    )
    left = (outcome.metres_left, outcome.standard_left, outcome.bonus_left, *outcome.extra_left.values())
    return walked <= rules.metres(VEL=inputs["actor"].VEL) and min(left) >= 0


@invariant(turn)
def dodging_takes_the_standard_action(rules: Rules, inputs: Mapping[str, Any], outcome: Turn) -> bool:
    """Whoever dodges with the Standard Action has none left."""
    dodged = any(
        done and action.means == "standard" and action.what == "dodge"
        for action, done in zip(inputs["actions"], outcome.done, strict=True)
    )
    return not dodged or (outcome.dodging and outcome.standard_left == 0)


@invariant(turn)
def skills_go_by_their_kinds(rules: Rules, inputs: Mapping[str, Any], outcome: Turn) -> bool:
    """Nobody uses a passive skill or a reaction as an action, and Supremes go by their own means alone."""
    for action, done in zip(inputs["actions"], outcome.done, strict=True):
        kinds = {kind for kind, _ in _skills(rules, action)} if done else set()
        if kinds & {"passive", "reaction"} or ("supreme" in kinds and action.means != "supreme"):
            return False
    return True


@invariant(react)
def one_reaction_until_it_is_ready_again(rules: Rules, inputs: Mapping[str, Any], outcome: Reaction) -> bool:
    """A reaction that is allowed is spent; one that is refused spends nothing."""
    spent = bool(inputs["reacted_since_turn"])
    return outcome.reacted_since_turn == (spent or outcome.allowed)


@invariant(react)
def no_second_reaction_after_the_own_turn_began(rules: Rules, inputs: Mapping[str, Any], outcome: Reaction) -> bool:
    """Whoever has reacted since the own turn of this round began cannot react again."""
    return not (outcome.allowed and inputs["reacted_since_turn"] and inputs["own_turn_begun"])


@invariant(active_dodge)
def a_dodge_is_paid_once(rules: Rules, inputs: Mapping[str, Any], outcome: Dodge) -> bool:
    """A dodge costs one Standard Action at most, and a refused one nothing."""
    spent = inputs["standard_actions"] - outcome.standard_left
    return spent in ((0, 1) if outcome.allowed else (0,)) and outcome.standard_left >= 0


@invariant(active_dodge)
def a_dodge_doubles_the_defence(rules: Rules, inputs: Mapping[str, Any], outcome: Dodge) -> bool:
    """The defence of a dodger is twice the plain one, that of anybody else the plain one."""
    plain: int = rules.dodge_DEF(VEL=inputs["VEL"])
    return outcome.DEF == (2 * plain if outcome.allowed else plain)
