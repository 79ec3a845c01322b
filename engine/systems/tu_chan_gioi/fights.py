"""Turns, rounds and whole fights between two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from engine.procedures import Rules, invariant, procedure
from engine.systems.tu_chan_gioi.blows import art_strike, strike, take_pill
from engine.systems.tu_chan_gioi.states import FightEnd, Fighter, Policy, Round

Action = Literal["attack", "art", "guard", "pill"]
Actions = tuple[Action, ...]
NO_POLICY = Policy()


def choose(policy: Policy, fighter: Fighter) -> Actions:
    """What a bot means to do, in this order; whatever takes the turn ends it."""
    actions: list[Action] = []
    if policy.pill_below is not None and fighter.pills and policy.pill_below >= fighter.HP:
        actions.append("pill")
    if policy.guard_below is not None and policy.guard_below >= fighter.HP:
        actions.append("guard")
    casts = policy.art_from is not None and fighter.linh_luc_left >= policy.art_from
    return (*actions, "art" if casts else "attack")


def turn(rules: Rules, own: Fighter, other: Fighter, actions: Actions) -> tuple[Fighter, Fighter]:
    """One turn: one action after another, until one takes the turn (TU-8.1)."""
    if own.guarding:  # until the next turn (TU-8.8); between two it is no matter where in it
        own = replace(own, guarding=False)
    for number, action in enumerate(actions, 1):
        own, other = _act(rules, own, other, action)
        if number == len(actions) or rules.takes_the_turn(choice=action):
            break
    return own, other


def _act(rules: Rules, own: Fighter, other: Fighter, action: Action) -> tuple[Fighter, Fighter]:
    if action == "guard":
        return replace(own, guarding=True), other
    if action == "pill":
        drunk = take_pill(rules, own.cap, own.cap, own.HP, own.HP_max, own.pills, own.injuries, poisoned=False)
        return replace(own, HP=drunk.HP, pills=drunk.pills), other
    if action == "art":
        return _cast(rules, own, other)
    ho_the = rules.ho_the_with_guard(ho_the_now=other.ho_the_base, guarding=other.guarding)
    damage, injures = rules.part(strike, _up(rules, own, other), own.the_phach, own.R, own.injuries, ho_the)
    injuries = rules.injuries_with_one_more(injuries=other.injuries) if injures else other.injuries
    return own, _hurt(other, damage, injuries)


def _cast(rules: Rules, own: Fighter, other: Fighter) -> tuple[Fighter, Fighter]:
    """An art as in TU-6.12; without its price nothing happens."""
    if not rules.can_afford(linh_luc_left=own.linh_luc_left, art=own.art):
        return own, other
    damage = rules.part(
        art_strike,
        own.art,
        _up(rules, own, other),
        rules.art_dc_now(R=own.R, than_thuc=rules.term_of(modifier=own.than_thuc), injuries=own.injuries),
        own.than_thuc,
        rules.art_save_modifier(than_phap=other.than_phap, than_thuc=other.than_thuc),
        other.R,
        other.injuries,
        other.guarding,
    )
    left = own.linh_luc_left - rules.art_price(art=own.art)
    return replace(own, linh_luc_left=left), _hurt(other, damage, other.injuries)


def _up(rules: Rules, own: Fighter, other: Fighter) -> int:
    up: int = rules.realms_felt(up=rules.realms_up(cap=own.cap, foe_cap=other.cap), side=own.side)
    return up


def _hurt(fighter: Fighter, damage: int, injuries: int) -> Fighter:
    return replace(fighter, HP=fighter.HP - damage, injuries=injuries) if damage or injuries else fighter


def settle_first(rules: Rules, player: Fighter, foe: Fighter) -> bool:
    """Whether the player acts first (TU-8.2 to TU-8.6)."""
    first: bool = rules.part(first_of, player.than_phap, player.R, player.injuries, foe.than_phap, foe.R, foe.injuries)
    return first


def first_of(  # noqa: PLR0913, PLR0917
    rules: Rules, than_phap: int, R: int, injuries: int, foe_than_phap: int, foe_R: int, foe_injuries: int
) -> bool:
    """Whether the player acts first. Rolls: both dice where there are any, then a coin on a tie."""
    rolled = rules.initiative_is_rolled()
    own, other = (
        rules.initiative(die=rules.roll("d20") if rolled else 1, than_phap=than, R=bonus, injuries=hurt)
        for than, bonus, hurt in ((than_phap, R, injuries), (foe_than_phap, foe_R, foe_injuries))
    )
    coin = rules.roll("d2") if own == other and rules.tie_is_tossed() else 1
    first: bool = rules.player_first(player_initiative=own, foe_initiative=other, coin=coin)
    return first


@procedure
def fight_round(
    rules: Rules, player: Fighter, foe: Fighter, player_first: bool, player_actions: Actions, foe_actions: Actions
) -> Round:
    """A turn for each side, unless the first one ends the fight (TU-8.20)."""
    turns = 0
    for players_turn in (player_first, not player_first):
        turns += 1
        if players_turn:
            player, foe = turn(rules, player, foe, player_actions)
        else:
            foe, player = turn(rules, foe, player, foe_actions)
        if rules.beaten(HP=foe.HP if players_turn else player.HP):
            return Round(player, foe, turns, over=True)
    return Round(player, foe, turns, over=False)


@procedure
def fight(
    rules: Rules,
    player: Fighter,
    foe: Fighter,
    rounds: int,
    player_policy: Policy = NO_POLICY,
    foe_policy: Policy = NO_POLICY,
) -> FightEnd:
    """Initiative, then rounds until one side is beaten, or `rounds` are played (TU-8.21)."""
    played, turns, over, first = 0, 0, False, True
    while not over and played < rounds:
        if not played or rules.initiative_is_settled_anew():
            first = settle_first(rules, player, foe)
        played += 1
        rules.step("round", played)
        done = fight_round(rules, player, foe, first, choose(player_policy, player), choose(foe_policy, foe))
        player, foe, over = done.player, done.foe, done.over
        turns += done.turns
    result = rules.fight_result(player_beaten=rules.beaten(HP=player.HP), foe_beaten=rules.beaten(HP=foe.HP))
    return FightEnd(result, played, turns, player, foe)


@invariant(fight_round)
def a_round_has_two_turns_at_most(rules: Rules, inputs: Mapping[str, Any], outcome: Round) -> bool:
    """A round has one turn or two, and one only where it ended the fight."""
    return outcome.turns == 2 or (outcome.turns == 1 and outcome.over)


@invariant(fight_round)
def nothing_comes_back(rules: Rules, inputs: Mapping[str, Any], outcome: Round) -> bool:
    """Pills and linh lực only go, injuries stay."""
    pairs = ((inputs["player"], outcome.player), (inputs["foe"], outcome.foe))
    return all(
        now.pills <= then.pills
        and now.linh_luc_left <= then.linh_luc_left
        and (now.injuries >= then.injuries or then.injuries > 1)
        for then, now in pairs
    )


@invariant(fight_round)
def a_fighter_is_the_same_person(rules: Rules, inputs: Mapping[str, Any], outcome: Round) -> bool:
    """A round changes HP, linh lực, injuries, pills and guard, and nothing else."""
    pairs = ((inputs["player"], outcome.player), (inputs["foe"], outcome.foe))
    return all(
        replace(
            then,
            HP=now.HP,
            linh_luc_left=now.linh_luc_left,
            injuries=now.injuries,
            pills=now.pills,
            guarding=now.guarding,
        )
        == now
        for then, now in pairs
    )


@invariant(fight)
def somebody_has_won(rules: Rules, inputs: Mapping[str, Any], outcome: FightEnd) -> bool:
    """Of two who stood, whoever has won is not beaten, and the other is."""
    if any(rules.beaten(HP=one.HP) for one in (inputs["player"], inputs["foe"])):
        return True
    beaten = [rules.beaten(HP=one.HP) for one in (outcome.player, outcome.foe)]
    return beaten == {"win": [False, True], "loss": [True, False]}.get(outcome.result, beaten)


@invariant(fight)
def turns_fit_into_the_rounds(rules: Rules, inputs: Mapping[str, Any], outcome: FightEnd) -> bool:
    """There are two turns a round, less one where the first ended the fight."""
    return outcome.turns in (2 * outcome.rounds, 2 * outcome.rounds - 1) and outcome.rounds <= inputs["rounds"]
