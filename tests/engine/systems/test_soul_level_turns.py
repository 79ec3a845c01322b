"""Soul Level: who acts before whom, what a turn affords, and whole duels."""

import itertools
from fractions import Fraction

import pytest

from engine.procedures import Rules
from engine.systems import soul_level as soul
from engine.systems.soul_level import fight, order
from tests.engine.systems.soul_table import HUMAN, PLAIN, chance_of, play


@pytest.mark.parametrize("listed", list(itertools.permutations(["a", "b", "c", "d"])))
def test_the_order_does_not_depend_on_the_list_where_the_dice_do_not(listed):
    speed = {"a": 9, "b": 5, "c": 5, "d": 1}
    dice = {"b": 20, "c": 70}
    combatants = [{"name": name, "VEL": speed[name]} for name in listed]
    rolls = [dice[name] for name in listed if name in dice]
    assert play("initiative", {"combatants": combatants}, rolls).order == (("a",), ("c",), ("b",), ("d",))


def test_a_tie_of_three_is_split_and_thrown_again():
    combatants = [{"name": name, "VEL": 7} for name in "abc"]
    made = play("initiative", {"combatants": combatants}, [50, 80, 50, 3, 4])
    assert (made.order, made.dice) == ((("b",), ("c",), ("a",)), 5)
    made = play("initiative", {"combatants": combatants}, [50, 80, 50], Q64="together")
    assert made.order == (("b",), ("a", "c"))


def test_each_of_two_who_are_tied_is_first_half_of_the_time():
    def first(rules: Rules) -> str:
        places = soul.initiative(rules, (order.Combatant("a", 7), order.Combatant("b", 7))).order
        return places[0][0] if len(places[0]) == 1 else "both"

    found = chance_of(first, {**PLAIN, "Q64": "together"})
    assert found == {"a": Fraction(99, 200), "b": Fraction(99, 200), "both": Fraction(1, 100)}


def test_a_turn_against_two_slower_opponents():
    given = {
        "actor": {"VEL": 60},
        "opponents": [{"name": "slow", "VEL": 30}, {"name": "slower", "VEL": 20}, {"name": "quick", "VEL": 31}],
        "actions": [
            {"means": "extra", "target": "slow"},
            {"means": "extra", "target": "slow"},  # 60 ÷ 30 − 1 = 1: no second one
            {"means": "extra", "target": "slower"},
            {"means": "extra", "target": "quick"},
            {"means": "move", "distance": 240},
            {"means": "standard", "target": "quick"},
        ],
    }
    made = play("turn", given)
    assert made.done == (True, False, True, False, True, True)
    assert dict(made.extra_left) == {"slow": 0, "slower": 1, "quick": 0}


def test_a_duel_by_hand():
    one = {"aimed_kind": "melee", **HUMAN, "FOR": 6, "VEL": 6, "VIT": 2, "HP": 150}
    other = {"aimed_kind": "spirit", **HUMAN, "VEL": 5, "ESP": 8, "RES": 1, "VIT": 1, "HP": 100, "soul_level": 2}
    # 12 against 10: 60. 13 against 12: 54⅙. 12 × 5 − 5 = 55; (8 + 2) × 10 − 10 = 90.
    made = play("duel", {"one": one, "other": other, "rounds": 9}, [61, 54, 60, 55, 6])
    assert [(blow.by, blow.damage, blow.HP) for blow in made.blows] == [
        ("one", 0, 100),
        ("other", 90, 60),
        ("one", 55, 45),
        ("other", 0, 60),
        ("one", 55, -10),
    ]
    assert (made.winner, made.rounds, made.one, made.other) == ("one", 3, 60, -10)


def test_striking_first_is_worth_the_second_ones_chance():
    quick = fight.Duellist("melee", FOR=5, VEL=6, INT=2, RES=2, RSOB=2, ESP=2, VIT=1, HP=10)
    slow = fight.Duellist("melee", FOR=7, VEL=5, INT=2, RES=2, RSOB=2, ESP=2, VIT=1, HP=10)
    # 11 against 10: 55. 12 against 12: 50. Every hit fells.
    found = chance_of(lambda rules: soul.duel(rules, quick, slow, 1).winner)
    assert found == {"one": Fraction(55, 100), "other": Fraction(45 * 50, 10000), "nobody": Fraction(45 * 50, 10000)}
