"""Exact arithmetic for compiled formulas: ints and Fractions in, ints and Fractions out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any

from engine.dice import Number, plain
from engine.errors import BoundError, FormulaError

MOST_BITS = 4096
_LIMIT = 1 << MOST_BITS
MOST_EXPONENT = 1000


def keep(value: Any) -> Any:
    """A result in its plain form, refused where it has grown beyond bounds."""
    kind = type(value)
    if kind is int:
        if -_LIMIT < value < _LIMIT:
            return value
        raise BoundError(f"a number of more than {MOST_BITS} bits", "narrow the inputs")
    if kind is Fraction:
        if value.denominator == 1:
            return keep(value.numerator)
        if value.denominator < _LIMIT and -_LIMIT < value.numerator < _LIMIT:
            return value
        raise BoundError(f"a number of more than {MOST_BITS} bits", "narrow the inputs")
    return value


def divide(dividend: Number, divisor: Number) -> Number:
    """The exact quotient. Raises `FormulaError` for a divisor of zero."""
    if not divisor:
        raise FormulaError("a division by zero", "exclude it by a condition or by the domain")
    if type(dividend) is int and type(divisor) is int:
        quotient, rest = divmod(dividend, divisor)
        return quotient if not rest else Fraction(dividend, divisor)
    return Fraction(dividend) / divisor


def floor_divide(dividend: Number, divisor: Number) -> Number:
    """The quotient rounded down."""
    if not divisor:
        raise FormulaError("a division by zero", "exclude it by a condition or by the domain")
    return dividend // divisor


def modulo(dividend: Number, divisor: Number) -> Number:
    """What a rounded-down division leaves; never negative for a positive divisor."""
    if not divisor:
        raise FormulaError("a division by zero", "exclude it by a condition or by the domain")
    return dividend % divisor


def power(base: Number, exponent: Number) -> Number:
    """The exact power. The exponent is a whole number within bounds."""
    whole = plain(exponent)
    if type(whole) is not int:
        raise FormulaError(f"the exponent {exponent}", "exponents are whole numbers")
    size = max(abs(base.numerator), base.denominator).bit_length()
    if abs(whole) > MOST_EXPONENT or size * abs(whole) > MOST_BITS:
        raise BoundError(f"a power beyond {MOST_BITS} bits", "narrow the inputs")
    if not base and whole < 0:
        raise FormulaError("a negative power of zero", "exclude it by a condition or by the domain")
    return plain(Fraction(base) ** whole) if whole < 0 else base**whole


def clamp(value: Number, low: Number, high: Number) -> Number:
    """`value`, kept between `low` and `high`. Raises `FormulaError` where the two are crossed."""
    if low > high:
        raise FormulaError(f"a clamp between {low} and {high}", "the lower bound first")
    return low if value < low else min(value, high)


def _half_even(value: Number) -> int:
    return round(Fraction(value))


_ROUND: dict[str, Callable[[Number], int]] = {
    "half-up": lambda value: floor(value + Fraction(1, 2)),
    "half-down": lambda value: ceil(value - Fraction(1, 2)),
    "half-even": _half_even,
    "half-away": lambda value: floor(value + Fraction(1, 2)) if value >= 0 else ceil(value - Fraction(1, 2)),
    "floor": floor,
    "ceil": ceil,
}


def round_by(value: Number, mode: Callable[[], str]) -> int:
    """`value` as a whole number by the mode, which is asked for only where there is something to round."""
    if type(value) is int:
        return value
    if value.denominator == 1:
        return value.numerator
    return _ROUND[mode()](value)


def round_nearest(value: Number, mode: Callable[[], str]) -> int:
    """Like `round_by` where every possible mode rounds to the nearest: the mode matters at a tie only."""
    if type(value) is int:
        return value
    if value.denominator != 2:
        return floor(value + Fraction(1, 2))
    return _ROUND[mode()](value)


def floor_ratio(dividend: Number, divisor: Number) -> int:
    """The quotient rounded down."""
    return int(floor_divide(dividend, divisor))


def ceil_ratio(dividend: Number, divisor: Number) -> int:
    """The quotient rounded up."""
    return -int(floor_divide(-dividend, divisor))


def round_by_ratio(dividend: Number, divisor: Number, mode: Callable[[], str]) -> int:
    """`round_by` of a quotient."""
    return round_by(divide(dividend, divisor), mode)


def round_nearest_ratio(dividend: Number, divisor: Number, mode: Callable[[], str]) -> int:
    """`round_nearest` of a quotient, without making a Fraction of it unless it is a tie."""
    if type(dividend) is not int or type(divisor) is not int or not divisor:
        return round_nearest(divide(dividend, divisor), mode)
    # floor(n/d + 1/2) is the nearest; nothing is left over exactly where n/d lies halfway.
    nearest, rest = divmod(2 * dividend + divisor, 2 * divisor)
    return nearest if rest else _ROUND[mode()](Fraction(dividend, divisor))
