"""A formula with its inputs filled in."""

from fractions import Fraction

import pytest

from conformance.command.ask import number_words
from conformance.command.worked import worked
from engine.dice import parse_pool
from engine.formula.parse import parse


@pytest.mark.parametrize(
    ("formula", "given", "text"),
    [
        ("max(0, 2 * (MAG + level))", {"MAG": 4, "level": 1}, "max(0, 2 × (4 + 1))"),
        ("2 * (MAG + level)", {"MAG": -1, "level": 1}, "2 × ((-1) + 1)"),
        ("a ** b * 1.2", {"a": Fraction(1, 2), "b": 2}, "(1/2) ** 2 × (6/5)"),
        ("highest(pool)", {"pool": parse_pool("2d4")}, "highest(2d4)"),
        ('kind == "contact" or stormy', {"kind": "far", "stormy": True}, "'far' == 'contact' or true"),
        ("a if a > 3 else b", {"a": 2, "b": 5}, ""),
        ("a + 1 if a >= 3 and not a % 2 == 1 else b", {"a": 4, "b": 5}, "4 + 1"),
        ('b * 2 if kind in ("far", "near") or ask(a) else 0', {"kind": "far", "b": 5, "a": 1}, "5 × 2"),
        ("b * 2 if ask(a) else 0", {"b": 5, "a": 1}, "5 × 2 if ask(1) else 0"),
        ('b * 2 if Q07 == "double" else b - 1', {"b": 5}, "5 - 1"),
        ("b if 1 / (a - 1) > 0 else 0 - b", {"a": 1, "b": 5}, "5 if 1 / (1 - 1) > 0 else 0 - 5"),
        ("rope(rope)", {"rope": 3}, "rope(3)"),
        ("level", {"level": 1}, ""),
        ("7", {}, ""),
    ],
)
def test_filled_in(formula, given, text):
    assert worked(parse(formula), given, {"Q07": "single"}) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(75, 2), "75/2 (37.5)"), (Fraction(-1, 8), "-1/8 (-0.125)"), (Fraction(100, 3), "100/3 (33 and 1/3)"),
        (Fraction(-100, 3), "-100/3 (-33 and 1/3)"), (Fraction(1, 3), "1/3"), (4, "4"), (True, "true"),
    ],
)  # fmt: skip
def test_fractions_are_said_in_two_ways(value, text):
    assert number_words(value) == text
