"""Rounding and division, against values worked out by hand."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from engine.errors import BoundError, FormulaError
from engine.formula import exact

# value: half-up, half-down, half-even, half-away, floor, ceil
BY_HAND = {
    Fraction(65, 2): (33, 32, 32, 33, 32, 33),
    Fraction(67, 2): (34, 33, 34, 34, 33, 34),
    Fraction(-1, 2): (0, -1, 0, -1, -1, 0),
    Fraction(-3, 2): (-1, -2, -2, -2, -2, -1),
    Fraction(100, 3): (33, 33, 33, 33, 33, 34),
    Fraction(-5, 3): (-2, -2, -2, -2, -2, -1),
    Fraction(7): (7, 7, 7, 7, 7, 7),
}
MODES = ("half-up", "half-down", "half-even", "half-away", "floor", "ceil")


@pytest.mark.parametrize("value", BY_HAND)
def test_rounding(value):
    assert tuple(exact.round_by(value, asking(m)) for m in MODES) == BY_HAND[value]
    assert tuple(exact.round_nearest(value, asking(m)) for m in MODES[:4]) == BY_HAND[value][:4]


@pytest.mark.parametrize("value", BY_HAND)
@pytest.mark.parametrize("scale", [1, 3, -1, -4])
def test_rounding_a_quotient_is_rounding_its_value(value, scale):
    top, bottom = value.numerator * scale, value.denominator * scale
    assert tuple(exact.round_by_ratio(top, bottom, asking(m)) for m in MODES) == BY_HAND[value]
    assert tuple(exact.round_nearest_ratio(top, bottom, asking(m)) for m in MODES[:4]) == BY_HAND[value][:4]
    assert (exact.floor_ratio(top, bottom), exact.ceil_ratio(top, bottom)) == BY_HAND[value][4:]


def asking(mode: str) -> Callable[[], str]:
    return lambda: mode


def never() -> str:
    raise AssertionError("the way to round was asked for")


def test_the_way_to_round_is_asked_for_at_a_tie_only():
    assert exact.round_nearest(Fraction(100, 3), never) == 33
    assert exact.round_nearest_ratio(100, 3, never) == 33
    assert exact.round_by(Fraction(8, 2), never) == 4
    with pytest.raises(AssertionError):
        exact.round_nearest_ratio(65, 2, never)


@pytest.mark.parametrize(
    "divide", [exact.divide, exact.floor_divide, exact.modulo, exact.floor_ratio, exact.ceil_ratio]
)
def test_nothing_is_divided_by_zero(divide):
    with pytest.raises(FormulaError, match="division by zero"):
        divide(1, 0)


def test_a_whole_quotient_is_an_int():
    assert type(exact.divide(6, 3)) is int
    assert exact.divide(1, 3) == Fraction(1, 3)


def test_a_remainder_has_the_sign_of_its_divisor():
    assert (exact.modulo(-7, 5), exact.modulo(7, -5), exact.floor_divide(-7, 5)) == (3, -3, -2)


def test_powers():
    assert exact.power(Fraction(6, 5), 3) == Fraction(216, 125)
    assert exact.power(2, -2) == Fraction(1, 4)
    assert exact.power(7, 0) == 1
    with pytest.raises(FormulaError, match="negative power of zero"):
        exact.power(0, -1)
    for huge in ((2, 5000), (10**300, 30), (Fraction(1, 3), 4000)):
        with pytest.raises(BoundError):
            exact.power(*huge)


def test_crossed_bounds_are_refused():
    assert exact.clamp(7, 1, 5) == 5
    assert exact.clamp(0, 1, 5) == 1
    assert exact.clamp(3, 3, 3) == 3
    with pytest.raises(FormulaError, match="lower bound first"):
        exact.clamp(3, 5, 1)
