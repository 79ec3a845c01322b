"""Outcomes in the fewest words."""

from conformance.command.grouped import grouped, merged
from engine.readings import Outcome

READINGS = {"Q1": ["a", "b"], "Q2": ["x", "y", "z"]}


def outcome(value, /, **readings):
    return Outcome(readings, value, (), readings)


def test_values_in_the_order_of_meeting_with_true_apart_from_one():
    groups = grouped([outcome(value, Q1=reading) for value, reading in ((True, "a"), (1, "b"))], READINGS)
    assert [group.value for group in groups] == [True, 1]
    assert type(groups[0].value) is bool


def test_a_question_all_of_whose_readings_lead_to_the_same_is_left_out():
    outcomes = [outcome(5, Q1="a", Q2=q) for q in "xyz"] + [outcome(6, Q1="b")]
    assert [(g.value, g.ways) for g in grouped(outcomes, READINGS)] == [(5, ({"Q1": "a"},)), (6, ({"Q1": "b"},))]


def test_two_of_three_readings_stay_two_ways():
    ways = [{"Q2": "x"}, {"Q2": "y"}]
    assert merged(ways, READINGS) == ways


def test_merging_goes_on_until_nothing_more_merges():
    every = [{"Q1": one, "Q2": two} for one in "ab" for two in "xyz"]
    assert merged(every, READINGS) == [{}]


def test_a_way_that_says_less_holds_for_those_that_say_more():
    assert merged([{"Q1": "a"}, {"Q1": "a", "Q2": "x"}], READINGS) == [{"Q1": "a"}]
