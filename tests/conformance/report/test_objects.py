"""Objects in words: whoever has a name stands under it, and only what differs is told of two."""

from pathlib import Path

import pytest

from conformance.report.objects import MISSING, PRESENT, spread, tell, told
from conformance.report.pagetext import case_text, expected_text
from conformance.report.words import name_of
from engine.book.model import Case
from engine.errors import Place

FIGHT = {"fighters": [{"name": "hero", "HP": 10, "effects": [{"name": "fury", "left": 2}]}, {"name": "foe", "HP": 7}]}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7, "7"),
        (-7, "−7"),
        (True, "true"),
        ("prone", "prone"),
        ([1, 2], "1, 2"),
        ([], "none"),
        ({}, "nothing"),
        ({"hit": True, "damage": 4}, "hit true, damage 4"),
        ({"cost": 8, "state": FIGHT}, "cost 8; hero: HP 10; hero fury: left 2; foe: HP 7"),
        ({"results": [{"damage": 4}]}, "results: damage 4"),
        ({"results": [{"damage": 4}, {"damage": 5}]}, "results 1: damage 4; results 2: damage 5"),
        ({"fighters": [{"name": "hero"}, {"name": "foe", "HP": 1}]}, "hero; foe: HP 1"),
        (
            {"effects": [{"name": "a", "left": 1}, {"name": "a", "left": 2}]},
            "effects 1: name a, left 1; effects 2: name a, left 2",
        ),
        ({"shape": {"FOR": 4}, "order": [["hero"], ["foe"]]}, "shape: FOR 4; order [hero], [foe]"),
    ],
)
def test_an_object_is_told_in_words(value, words):
    assert told(value) == words


def test_places_without_a_name_take_those_of_the_inputs():
    assert told({"state": {"fighters": [{}, {"HP": 3, "effects": []}]}}, {"state": FIGHT}) == "foe: HP 3, effects none"


def test_values_stand_side_by_side_by_name_and_not_by_place():
    second = {"fighters": [{"name": "foe", "HP": 5}, {"name": "hero", "HP": 10}, {"name": "wolf", "HP": 3}]}
    leaves = spread([{"fighters": [{}, {"HP": 7}]}, FIGHT, second])
    assert leaves["foe", "HP"] == [7, 7, 5]
    assert leaves["hero", "HP"] == [MISSING, 10, 10]
    assert leaves["wolf",] == [MISSING, MISSING, PRESENT]
    paths = [("foe", "HP"), ("wolf",)]
    assert tell(leaves, 1, paths) == "foe: HP 7; no wolf"
    assert tell(leaves, 2, paths) == "foe: HP 5; wolf"


def test_lists_that_nobody_names_and_that_differ_in_length_are_told_whole():
    leaves = spread([{"hits": [{"damage": 1}]}, {"hits": [{"damage": 1}, {"damage": 2}]}])
    assert [tell(leaves, at) for at in (0, 1)] == ["hits damage 1", "hits damage 1; damage 2"]


def case(label, given, expected=1, rolls=None):
    return Case(label, "f", given, expected, "derived", Place(Path("a.md"), 1), rolls=rolls)


@pytest.mark.parametrize(
    ("label", "given", "name"),
    [
        ("n=3", {"n": 3}, ""),
        ("n=3 under Q01=up", {"n": 3}, ""),
        ("constant", {}, ""),
        ("constant under Q01=up", {}, ""),
        ("rolls=3,4", {}, ""),
        ("a critical blow", {"n": 3}, "a critical blow"),
        ("nobody there", {}, "nobody there"),
    ],
)
def test_a_case_has_the_name_that_its_book_gives_it(label, given, name):
    assert name_of(case(label, given)) == name


def test_inputs_and_outcome_of_a_case_are_told_in_words():
    fight = case("a blow", {"n": 2, "state": FIGHT, "on": ["foe"]}, {"state": {"fighters": [{}, {"HP": 3}]}}, (7, 8))
    assert case_text(fight) == "hero: HP 10; hero fury: left 2; foe: HP 7; n = 2, on = [foe]; rolls 7, 8"
    assert expected_text(fight, None) == "foe: HP 3"
    assert case_text(case("constant", {})) == "no inputs"


def test_what_the_results_say_is_not_told_otherwise(lanterns):
    item = next(item for item in lanterns.items if item.what == "case")
    there = case("n=1", {"n": 1}, -4)
    assert expected_text(there, item.model_copy(update={"expected": "-4"})) == "−4"
    assert expected_text(there, item.model_copy(update={"expected": "{HP: -5}"})) == "{HP: −5}"
