"""The order of actions, rounds and duels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cmp_to_key
from itertools import groupby, pairwise
from typing import Any, Literal

from engine.procedures import Rules, invariant, procedure
from engine.systems.worlds_awakening.attacks import attack
from engine.systems.worlds_awakening.states import Blow, Contender, Duel, Fighter, Round, TurnOrder


@procedure
def turn_order(rules: Rules, contenders: tuple[Contender, ...]) -> TurnOrder:
    """Who acts before whom (WA-7.3)."""
    rolled = bool(contenders) and rules.initiative_is_rolled()
    scores = tuple(
        rules.turn_score(DEX=c.DEX, d20=rules.roll("d20") if rolled else rules.base_initiative()) for c in contenders
    )

    def first(a: int, b: int) -> Any:
        return rules.acts_first(
            score_A=scores[a], score_B=scores[b], side_A=contenders[a].side, side_B=contenders[b].side
        )

    def compare(a: int, b: int) -> int:
        return {"A": -1, "B": 1}.get(first(a, b), 0)

    places: list[list[int]] = []
    for number in sorted(range(len(contenders)), key=cmp_to_key(compare)):
        if places and compare(places[-1][0], number) == 0:
            places[-1].append(number)
        else:
            places.append([number])
    order: list[tuple[int, ...]] = []
    thrown = rolled
    for place in places:
        if len(place) > 1 and first(place[0], place[1]) == "roll-off":
            thrown = True
            order += _rolled_off(rules, place)
        else:
            order.append(tuple(place))
    numbered = tuple(tuple(number + 1 for number in place) for place in order)
    rules.step("order of actions", numbered)
    return TurnOrder(scores, numbered, thrown)


def _rolled_off(rules: Rules, tied: Sequence[int]) -> list[tuple[int, ...]]:
    """Each throws a d20, in the order in which they are listed; the higher goes first, and a tie throws again."""
    thrown = {number: rules.roll("d20") for number in sorted(tied)}
    order: list[tuple[int, ...]] = []
    for face in sorted(set(thrown.values()), reverse=True):
        level = [number for number in thrown if thrown[number] == face]
        order += _rolled_off(rules, level) if len(level) > 1 else [(level[0],)]
    return order


@procedure
def fight_round(
    rules: Rules,
    one: Fighter,
    other: Fighter,
    attacks: int,
    granted: bool = False,
) -> Round:
    """One round between two fighters (WA-7.4)."""
    order = _order_of_two(rules, one, other)
    return _blows(rules, (one, other), order, attacks, granted=granted)


@procedure
def duel(
    rules: Rules,
    one: Fighter,
    other: Fighter,
    attacks: int,
    rounds: int,
    granted: bool = False,
) -> Duel:
    """Rounds between two fighters until somebody falls, or the rounds run out (WA-7.5)."""
    order = _order_of_two(rules, one, other)
    played, blows = 0, 0
    fallen: tuple[int, ...] = ()
    while not fallen and played < rounds:
        if played and order.thrown and rules.order_is_settled_anew():
            order = _order_of_two(rules, one, other)
        played += 1
        rules.step("round", played)
        made = _blows(rules, (one, other), order, attacks, granted=granted)
        one, other, fallen = made.one, made.other, made.fallen
        blows += len(made.blows)
    winner: Literal["one", "other", "nobody"] = "nobody"
    if len(fallen) == 1:
        winner = "other" if fallen == (1,) else "one"
    return Duel(winner, played, blows, one, other, fallen)


def _order_of_two(rules: Rules, one: Fighter, other: Fighter) -> TurnOrder:
    order: TurnOrder = turn_order(rules, (Contender(one.side, one.DEX), Contender(other.side, other.DEX)))
    return order


def _blows(rules: Rules, fighters: tuple[Fighter, Fighter], order: TurnOrder, attacks: int, *, granted: bool) -> Round:
    """Everybody in turn; the fallen do not act, except together with those who fell them."""
    standing = list(fighters)
    fallen: list[int] = []
    blows: list[Blow] = []
    for place in order.order:
        acting = [number for number in place if number not in fallen]
        for number in acting:
            target = 2 - number  # of fighters 1 and 2 the other one, counted from 0
            for _ in range(attacks):
                if target + 1 in fallen:
                    break
                made = attack(rules, standing[number - 1], standing[target], granted=granted)
                blows.append(Blow(number, made))
                standing[target] = made.defender
                if made.falls:
                    fallen.append(target + 1)
    one, other = standing
    return Round(tuple(blows), one, other, tuple(sorted(fallen)))


@invariant(turn_order)
def everybody_once(rules: Rules, inputs: Mapping[str, Any], outcome: TurnOrder) -> bool:
    """Everybody stands in the order exactly once."""
    placed = sorted(number for place in outcome.order for number in place)
    return placed == list(range(1, len(inputs["contenders"]) + 1))


@invariant(turn_order)
def order_follows_scores(rules: Rules, inputs: Mapping[str, Any], outcome: TurnOrder) -> bool:
    """Nobody acts before one whose score comes earlier, and those who act together have level scores."""
    scores = [[outcome.scores[number - 1] for number in place] for place in outcome.order]
    level = all(len(set(place)) == 1 for place in scores)
    pairs = [(a[0], b[0]) for a, b in pairwise(scores) if a[0] != b[0]]
    return level and all(rules.comes_earlier(score_A=a, score_B=b) for a, b in pairs)


@invariant(fight_round)
def one_turn_each(rules: Rules, inputs: Mapping[str, Any], outcome: Round) -> bool:
    """Nobody has two turns in a round, nor more attacks in a turn than there are."""
    turns = Counter(by for by, _ in groupby(blow.by for blow in outcome.blows))
    most = Counter(blow.by for blow in outcome.blows)
    return max(turns.values(), default=0) <= 1 and max(most.values(), default=0) <= inputs["attacks"]


@invariant(fight_round)
def hit_points_are_passed_on(rules: Rules, inputs: Mapping[str, Any], outcome: Round) -> bool:
    """Each fighter leaves the round as the last blow left them."""
    for fighter, before, striker in ((outcome.one, inputs["one"], 2), (outcome.other, inputs["other"], 1)):
        states = [before, *(blow.attack.defender for blow in outcome.blows if blow.by == striker)]
        if fighter != states[-1]:
            return False
    return True


@invariant(fight_round)
def nobody_strikes_the_fallen(rules: Rules, inputs: Mapping[str, Any], outcome: Round) -> bool:
    """A blow that fells is its striker's last of the round."""
    return not any(a.by == b.by and a.attack.falls for a, b in pairwise(outcome.blows))


@invariant(duel)
def a_duel_has_an_end(rules: Rules, inputs: Mapping[str, Any], outcome: Duel) -> bool:
    """A duel ends because somebody has fallen, or because the rounds have run out."""
    return bool(outcome.fallen) or outcome.rounds == inputs["rounds"]


@invariant(duel)
def the_winner_stands(rules: Rules, inputs: Mapping[str, Any], outcome: Duel) -> bool:
    """The winner has not fallen, and the loser has."""
    return outcome.fallen == {"one": (2,), "other": (1,)}.get(outcome.winner, outcome.fallen)


@invariant(duel)
def blows_fit_into_the_rounds(rules: Rules, inputs: Mapping[str, Any], outcome: Duel) -> bool:
    """There are no more blows than two fighters have attacks in the rounds played."""
    attacks: int = inputs["attacks"]
    return outcome.blows <= 2 * attacks * outcome.rounds
