"""What is typed becomes exact values."""

from fractions import Fraction

import pytest

from conformance.command.given import inputs, rolls, value_of
from engine.book.domains import Choice
from engine.errors import CallError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4), ("-4", -4), ("37.5", Fraction(75, 2)), ("75/2", Fraction(75, 2)), ("6/2", 3), ("true", True),
        ("false", False), ("hoi an", "hoi an"), ("2d4+1d6", "2d4+1d6"), ('"true"', "true"), ("1e5", "1e5"),
        ('{"HP": 1.5, "arts": ["a", true, null]}', {"HP": Fraction(3, 2), "arts": ["a", True, None]}),
        ("[1, 2]", [1, 2]),
    ],
)  # fmt: skip
def test_values(text, value):
    typed = value_of(text, None, "x")
    assert typed == value
    assert type(typed) is type(value)


def test_a_word_of_the_domain_stays_a_word():
    assert value_of("true", Choice("x", words=("true", "4")), "x") == "true"
    assert value_of("4", Choice("x", words=("true", "4")), "x") == "4"


def test_fields_of_a_state_may_be_given_one_by_one():
    assert inputs(["hero.HP=12", "hero.armour.AP=3", "round=1"], {}) == {
        "hero": {"HP": 12, "armour": {"AP": 3}},
        "round": 1,
    }


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (["a"], '"a" is no input'),
        (["=4"], '"=4" is no input'),
        (["a=1", "a=2"], "a is given twice"),
        (["a=1", "a.b=2"], "a.b is given twice"),
        (["a.b=1", "a=2"], "a is given twice"),
        (["a="], "a has no value"),
        (["a={"], "a is no JSON"),
        (['a={"b": 1, "b": 2}'], "a holds a key twice"),
        (['a={"b": NaN}'], "a holds NaN"),
        (["a=" + "[" * 10_000], "a is no JSON"),
        (["a=" + "1" * 30_000], "a of 30000 characters"),
        (["a=1/0"], "a: 1/0 divides by zero"),
    ],
)
def test_what_is_no_input_is_refused(pairs, message):
    with pytest.raises(CallError, match=message.replace("(", r"\(")):
        inputs(pairs, {})


def test_rolls_are_whole_numbers_in_order():
    assert rolls("14, 3") == (14, 3)
    assert rolls("") == ()
    assert rolls(None) is None
    with pytest.raises(CallError, match='--rolls holds "1.5"'):
        rolls("1.5")


@pytest.mark.parametrize("text", ['{"HP": 1e99999999}', "[1e-31]", '{"HP": 0.' + "1" * 60 + "}"])
def test_a_figure_of_any_size_in_a_few_characters_is_refused_at_once(text):
    with pytest.raises(CallError, match="a number in digits"):
        value_of(text, None, "hero")
