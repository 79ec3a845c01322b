"""Soul Level: what is refused, and what the text leaves out."""

import dataclasses
from fractions import Fraction

import pytest

from engine.errors import CallError, DomainError, Unspecified
from tests.engine.systems.soul_table import ENGINE, HERO, HUMAN, play

UNNAMED = {
    "held": [{}],
    "soul_level": 9,
    "level_at_registration": 1,
    "unique_affinities": 9,
    "attributes": HUMAN,
}


@pytest.mark.parametrize(
    ("call", "given", "problem"),
    [
        ("ladder", {"soul_level": 0}, "soul_level = 0"),
        ("passes", {"d100": 0, "chance": 5}, "d100 = 0"),
        ("passes", {"d100": 101, "chance": 5}, "d100 = 101"),
        ("success_chance", {"A": -1, "DEF": 3}, "A = -1"),
        ("raised", {"value": Fraction(1, 2)}, "value = 1/2"),
        ("monster_SXP", {"rank": "royal", "monster_level": 1}, "rank = royal"),
        ("duel", {"one": {"aimed_kind": "melee", **HUMAN, "HP": 1}, "other": {}, "rounds": 21}, "other lacks"),
        ("suffer", {"HP": 1, "HP_max": 0, "events": []}, "HP_max = 0"),
        ("suffer", {"HP": 1, "HP_max": 1, "events": [{"damage": -1}]}, "damage = -1"),
    ],
)
def test_inputs_outside_their_domains_are_refused(call, given, problem):
    with pytest.raises((DomainError, CallError), match=problem) as caught:
        ENGINE.ask(call, given, rolls=[])
    assert "\n" not in str(caught.value)


TWICE = {"actions": [{"means": "standard", "using": ["Sneak Attack", "Sneak Attack"]}]}
UNKNOWN = {"actions": [{"means": "standard", "using": ["Star Fall"]}]}
TWO = [{"name": "a", "VEL": 1}, {"name": "a", "VEL": 2}]


@pytest.mark.parametrize(
    ("call", "given", "problem"),
    [
        ("initiative", {"combatants": TWO}, "two combatants with one name"),
        ("turn", {"actor": {"VEL": 9}, "opponents": TWO, "actions": []}, "two opponents with one name"),
        ("turn", {"actor": {"VEL": 9}, "opponents": [], **TWICE}, "one skill twice"),
        ("turn", {"actor": {"VEL": 9}, "opponents": [], **UNKNOWN}, "no skill Star Fall"),
        ("take_class", {"birth": HUMAN, "hand": {"HP": 200, "M": 100, "SP": 200}}, "without base attributes"),
        ("register_class", {"bearer": UNNAMED, "new": {"class_name": "Mage"}}, "without an end"),
        (
            "register_class",
            {"bearer": {**UNNAMED, "held": [{"class_kind": "unique", "highest_listed": 1}]}, "new": {}},
            "without base attributes",
        ),
        ("level_up", {"character": 3}, "character is no Character"),
        ("attack", {"aimed_kind": "melee", "attacker": dataclasses.asdict(HERO)}, "attack lacks target"),
    ],
)
def test_calls_that_do_not_fit_are_refused(call, given, problem):
    with pytest.raises(CallError, match=problem):
        ENGINE.ask(call, given, rolls=[])


def test_what_the_text_leaves_out_is_unspecified():
    with pytest.raises(Unspecified, match="SOUL-Q05"):
        play("create_character", {"normal_human": False})
    with pytest.raises(Unspecified, match="SOUL-Q72"):
        play(
            "react",
            {"has_reaction_skill": False, "own_turn": True, "own_turn_begun": True, "reacted_since_turn": False},
        )
    with pytest.raises(Unspecified, match="SOUL-Q67"):
        play("turn", {"actor": {"VEL": 9}, "opponents": [{"name": "a", "VEL": 0}], "actions": []})
