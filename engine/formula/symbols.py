"""Polynomials and their quotients in whole-number variables, on sympy's exact rings."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import floor, gcd, lcm
from typing import Any

from engine.dice import Number
from engine.formula.inequalities import Inequality, at_least_zero


@dataclass(frozen=True, slots=True)
class Quotient:
    """`top / bottom`, two elements of one sympy ring; `bottom` is positive wherever the quotient is used."""

    top: Any
    bottom: Any = field(default=None)

    def __post_init__(self) -> None:
        if self.bottom is None:
            object.__setattr__(self, "bottom", self.top.ring.one)

    def plus(self, other: Quotient) -> Quotient:
        """The sum."""
        if self.bottom == other.bottom:
            return Quotient(self.top + other.top, self.bottom)
        return Quotient(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def lead(self, other: Quotient) -> Any:
        """A polynomial with the sign of `self - other`."""
        if self.bottom == other.bottom:
            return self.top - other.top
        return self.top * other.bottom - other.top * self.bottom


@cache
def _ring(size: int) -> Any:
    from sympy import QQ
    from sympy.polys.rings import ring

    return ring([f"x{i}" for i in range(size)], QQ)[0]


class Symbols:
    """The variables of one proof: one for each name, and fresh ones that stand for rounded quotients."""

    def __init__(self, names: tuple[str, ...], most_fresh: int) -> None:
        self._names = {name: i for i, name in enumerate(names)}
        self._ring = _ring(len(names) + most_fresh)
        self._next = len(names)
        self._floors: dict[Any, Any] = {}
        self._defining: dict[int, tuple[Inequality, Inequality]] = {}
        self.nonnegative: frozenset[int] = frozenset()

    def of(self, name: str, *, nonnegative: bool) -> Any:
        """The variable that a name's value is made of."""
        index = self._names[name]
        if nonnegative:
            self.nonnegative |= {index}
        return self._ring.gens[index]

    def number(self, value: Number) -> Any:
        """A constant polynomial."""
        from sympy import QQ

        return self._ring.ground_new(QQ(value.numerator, value.denominator))

    def constant(self, polynomial: Any) -> Fraction | None:
        """The value of a polynomial without variables, else None."""
        if not polynomial.is_ground:
            return None
        value = polynomial.coeff(1)
        return Fraction(int(value.numerator), int(value.denominator))

    def constant_of(self, value: Quotient) -> Fraction | None:
        """The value of a quotient without variables, else None."""
        top, bottom = self.constant(value.top), self.constant(value.bottom)
        return None if top is None or bottom is None else top / bottom

    def reduced(self, top: Any, bottom: Any) -> Quotient:
        """`top / bottom`, as a plain polynomial where `bottom` has no variables."""
        constant = self.constant(bottom)
        return Quotient(top, bottom) if constant is None else Quotient(top * self.number(1 / constant))

    def whole(self, value: Quotient) -> bool:
        """Whether the quotient is plainly a whole number wherever the variables are."""
        return value.bottom == 1 and all(int(c.denominator) == 1 for c in value.top.values())

    def floor(self, value: Quotient) -> Quotient:
        """The value rounded down: its whole part, and a fresh variable for what is left.

        Raises `OverflowError` where there are too many fresh variables.
        """
        if value.bottom == 1:
            whole, rest = self._parted(value.top)
            constant = self.constant(rest)
            if constant is not None:
                return Quotient(whole + floor(constant))
            return Quotient(whole + self._fresh(rest, self._ring.one))
        return Quotient(self._fresh(value.top, value.bottom))

    def _parted(self, polynomial: Any) -> tuple[Any, Any]:
        """Into a part with whole coefficients and one with coefficients from 0 to below 1."""
        whole = self._ring.zero
        for monomial, coefficient in polynomial.terms():
            down = floor(Fraction(int(coefficient.numerator), int(coefficient.denominator)))
            whole += self._ring({monomial: self._ring.domain(down)})
        return whole, polynomial - whole

    def _fresh(self, top: Any, bottom: Any) -> Any:
        key = (top, bottom)
        if key not in self._floors:
            if self._next == len(self._ring.gens):
                raise OverflowError
            variable = self._ring.gens[self._next]
            top, bottom = _cleared(top, bottom)
            # bottom × q <= top < bottom × (q + 1)
            lower, upper = top - bottom * variable, bottom * variable + bottom - top
            self._defining[self._next] = (at_least_zero(lower), at_least_zero(upper, strict=True))
            self._floors[key] = variable
            if self._plainly_not_negative(top) and self._plainly_not_negative(bottom):
                self.nonnegative |= {self._next}
            self._next += 1
        return self._floors[key]

    def _plainly_not_negative(self, polynomial: Any) -> bool:
        return all(
            c >= 0 and all(not p or i in self.nonnegative or p % 2 == 0 for i, p in enumerate(m))
            for m, c in polynomial.items()
        )

    def relevant(self, facts: list[Inequality]) -> list[Inequality]:
        """The facts, and what defines the fresh variables that they speak of."""
        found, waiting, seen = list(facts), list(facts), set()
        while waiting:
            terms, _ = waiting.pop()
            for monomial, _ in terms:
                for i, power in enumerate(monomial):
                    if power and i in self._defining and i not in seen:
                        seen.add(i)
                        found.extend(self._defining[i])
                        waiting.extend(self._defining[i])
        return found


def _cleared(top: Any, bottom: Any) -> tuple[Any, Any]:
    """Both times the number that makes all their coefficients whole."""
    coefficients = [*top.values(), *bottom.values()]
    scale = lcm(*(int(c.denominator) for c in coefficients))
    shared = gcd(*(int(c.numerator) * (scale // int(c.denominator)) for c in coefficients)) or 1
    return top * scale / shared, bottom * scale / shared
