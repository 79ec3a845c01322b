"""The order of actions, what a turn affords, reactions, and the active dodge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine.errors import CallError
from engine.procedures import Rules, invariant, procedure

# --- Initiative --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Combatant:
    """Somebody who takes a place in the order."""

    name: str
    VEL: int


@dataclass(frozen=True, slots=True)
class Order:
    """Places in the order of actions, by name; those in one place act together."""

    order: tuple[tuple[str, ...], ...]
    dice: int


@procedure
def initiative(rules: Rules, combatants: tuple[Combatant, ...]) -> Order:
    """Who acts before whom (SOUL-5.6)."""
    names = [combatant.name for combatant in combatants]
    if len(set(names)) < len(names):
        raise CallError("two combatants with one name", "give each a name of their own")
    order: list[tuple[str, ...]] = []
    dice = 0
    for VEL in sorted({combatant.VEL for combatant in combatants}, reverse=True):
        tied = [combatant.name for combatant in combatants if combatant.VEL == VEL]
        places, thrown = _places(rules, tied)
        order += places
        dice += thrown
    rules.step("order of actions", len(order))
    return Order(tuple(order), dice)


def _places(rules: Rules, tied: list[str]) -> tuple[list[tuple[str, ...]], int]:
    """The places of those who are equally fast, and how many dice it took."""
    if len(tied) == 1:
        return [(tied[0],)], 0
    thrown = {name: rules.roll("d100") for name in tied}
    dice = len(thrown)
    places: list[tuple[str, ...]] = []
    for shown in sorted(set(thrown.values()), reverse=True):
        level = [name for name in tied if thrown[name] == shown]
        if len(level) > 1 and rules.first_of_tie(d100=shown, other_d100=shown) == "roll again":
            more, again = _places(rules, level)
            places += more
            dice += again
        else:
            places.append(tuple(level))
    return places, dice


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
    the Class Sheet are named by `means` alone. `bonus_skill`: the skill is one that grants a Bonus Action.
    """

    means: Literal["move", "standard", "bonus", "extra", "supreme", "task", "sheet"]
    what: Literal["attack", "maneuver", "spell", "skill", "dodge", "item"] = "attack"
    target: str = ""
    distance: int = 0
    bonus_skill: bool = False


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

    def take(self, action: Action) -> bool:
        """Whether the action is allowed; if so it is paid for."""
        if action.means == "move":
            return self._move(action.distance)
        if action.means == "bonus":
            return self._bonus()
        if action.means == "extra":
            return self._extra(action)
        if action.means == "standard":
            return self._standard(action)
        cost = {
            "supreme": self.rules.supreme_cost,
            "task": self.rules.task_cost,
            "sheet": lambda: self.rules.sheet_cost(in_combat=True),
        }[action.means]()
        if cost > self.standard:
            return False
        self.standard -= cost
        return True

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

    def _extra(self, action: Action) -> bool:
        left = self.extra.get(action.target, 0)
        if left < 1 or not self.rules.extra_action_may(action=action.what):
            return False
        self.extra[action.target] = left - 1
        self.dodging = self.dodging or action.what == "dodge"
        return True

    def _standard(self, action: Action) -> bool:
        if self.standard < 1 or not self.rules.standard_action_may(action=action.what):
            return False
        if action.bonus_skill and self.rules.uses_of_bonus_skill(has_bonus_skill=self.actor.has_bonus_skill) < 2:
            return False
        self.standard -= 1
        if action.what == "dodge":
            self.dodging = True
            for name, (own, other) in self.VEL.items():
                most = self.rules.extra_while_dodging(VEL=own, other_VEL=other)
                self.extra[name] = min(self.extra[name], most)
        return True


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
        rules.step(f"{action.what if action.means in ('standard', 'extra') else action.means}", allowed)
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


@invariant(initiative)
def everybody_has_one_place(rules: Rules, inputs: Mapping[str, Any], outcome: Order) -> bool:
    """Everybody stands in the order exactly once."""
    placed = sorted(name for place in outcome.order for name in place)
    return placed == sorted(combatant.name for combatant in inputs["combatants"])


@invariant(initiative)
def nobody_slower_acts_first(rules: Rules, inputs: Mapping[str, Any], outcome: Order) -> bool:
    """Nobody acts before somebody faster, and those who act together are equally fast."""
    VEL = {combatant.name: combatant.VEL for combatant in inputs["combatants"]}
    speeds = [[VEL[name] for name in place] for place in outcome.order]
    firsts = [place[0] for place in speeds]
    return firsts == sorted(firsts, reverse=True) and all(len(set(place)) == 1 for place in speeds)


@invariant(initiative)
def only_ties_are_rolled(rules: Rules, inputs: Mapping[str, Any], outcome: Order) -> bool:
    """Without a tie there is no die, with one at least a die for everybody who is tied."""
    speeds = [combatant.VEL for combatant in inputs["combatants"]]
    tied = [VEL for VEL in speeds if speeds.count(VEL) > 1]
    return outcome.dice >= len(tied) if tied else outcome.dice == 0


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
