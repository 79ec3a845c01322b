"""Soul Level: what is refused, and what the text leaves out."""

import dataclasses
from fractions import Fraction
from typing import Any

import pytest

from engine.errors import CallError, DomainError, Unspecified
from engine.systems.soul_level import Effect
from tests.engine.systems.soul_table import ENGINE, HERO, HUMAN, play

FAST = {"actor": {"VEL": 10}, "opponents": []}
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


def alone(**fields):
    return {"state": {"fighters": [{"name": "a", **fields}]}, "who": "a"}


TWICE = {"actions": [{"means": "standard", "using": ["Sneak Attack", "Sneak Attack"]}]}
UNKNOWN = {"actions": [{"means": "standard", "using": ["Star Fall"]}]}
DODGED = {"means": "standard", "what": "dodge"}
TAKEN = {"held": [{"class_kind": "unique", "class_name": "Mage"}], "level_at_registration": 1, "unique_affinities": 9}
RESTING = {"hours": 1, "activity": "other", "pools": {"HP": 1, "HP_max": 9, "M": 1, "M_max": 9, "SP": 1, "SP_max": 9}}
SHIELD = {"name": "shield", "skill": "Arcane Shield", "lasts": "rounds", "left": 1, "amount": 100}
TWO = [{"name": "a", "VEL": 1}, {"name": "a", "VEL": 2}]


@pytest.mark.parametrize(
    ("call", "given", "problem"),
    [
        ("initiative", {"combatants": TWO}, "two combatants with one name"),
        ("turn", {"actor": {"VEL": 9}, "opponents": TWO, "actions": []}, "two opponents with one name"),
        ("turn", {"actor": {"VEL": 9}, "opponents": [], **TWICE}, "one skill twice"),
        ("turn", {"actor": {"VEL": 9}, "opponents": [], **UNKNOWN}, "no skill Star Fall"),
        ("turn", FAST | {"actions": [{**DODGED, "using": ["Flaming Justice"]}]}, "a skill beside dodge"),
        ("turn", FAST | {"actions": [{**DODGED, "skill_kind": "action"}]}, "a skill beside dodge"),
        (
            "turn",
            FAST | {"actions": [{"means": "standard", "what": "item", "using": ["War Cry"]}]},
            "a skill beside item",
        ),
        ("start_turn", alone(class_names=["Mage", "monk"]), "no class monk; did you mean Monk"),
        ("start_turn", alone(class_names=[" Monk"]), "no class Monk; did you mean Monk"),
        ("rest", {**RESTING, "sleeper": {"class_names": ["monk"]}}, "no class monk; did you mean Monk"),
        ("start_turn", alone(used=["Fireball"]), "Fireball has no limit"),
        ("end_turn", alone(used=["Fireball"]), "Fireball has no limit"),
        ("end_round", {"state": alone(used=["Fireball"])["state"]}, "Fireball has no limit"),
        ("renew_limits", {"state": alone(used=["Fireball"])["state"], "occasion": "new day"}, "Fireball has no limit"),
        (
            "use_skill",
            {"state": alone(used=["Fireball"])["state"], "user": "a", "skill": "War Cry"},
            "Fireball has no limit",
        ),
        ("start_turn", alone(used=["Star Fall"]), "no skill Star Fall"),
        (
            "end_round",
            {"state": {"fighters": [{"name": "a"}, {"name": "b", "used": ["Fireball"]}]}},
            "Fireball has no limit",
        ),
        ("rest", {**RESTING, "sleeper": {"used": ["Fireball"]}}, "Fireball has no limit"),
        ("start_turn", alone(effects=[{**SHIELD, "amount": -1}]), r"effects\[0\]: amount of shield is below 0"),
        (
            "register_class",
            {"bearer": {**TAKEN, "soul_level": 10, "attributes": HUMAN}, "new": {"class_name": "Mage"}},
            "one class twice",
        ),
        (
            "register_class",
            {"bearer": {**UNNAMED, "held": [{"class_name": "Mage"}] * 2}, "new": {"class_name": "Monk"}},
            "one class twice",
        ),
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


@pytest.mark.parametrize("measure", ["left", "passed", "amount"])
def test_no_effect_measures_less_than_nothing(measure):
    least: dict[str, Any] = {measure: 0}
    less: dict[str, Any] = {measure: -1}
    assert getattr(Effect("shield", "Arcane Shield", **least), measure) == 0
    with pytest.raises(CallError, match=f"{measure} of shield is below 0"):
        Effect("shield", "Arcane Shield", **less)


def test_what_is_spelt_as_in_the_book_or_stands_in_none_is_taken():
    asked = play("start_turn", alone(class_names=["Monk", "Star Singer"], used=["Soul Fist"]))
    assert asked.state.fighters[0].used == ("Soul Fist",)
    sleeper = {"class_names": ["Star Singer"], "used": ["Soul Fist"]}
    assert play("rest", {**RESTING, "sleeper": sleeper}).used == ("Soul Fist",)
    bearer = {**TAKEN, "soul_level": 10, "attributes": HUMAN}
    assert play("register_class", {"bearer": bearer, "new": {"class_name": "Monk"}}).registered
    joined = {"means": "standard", "what": "spell", "using": ["Basic Magic"]}
    assert play("turn", FAST | {"actions": [joined]}).done == (True,)


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
