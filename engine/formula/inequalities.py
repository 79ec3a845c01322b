"""Whether inequalities between polynomials in whole-number variables can all hold.

The method is Fourier and Motzkin's elimination, each product of variables taken as a variable of its own, and each
derived inequality tightened to whole numbers. It can only ever say "impossible" where that is so; where it says
nothing, nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd, lcm
from typing import Any

Monomial = tuple[int, ...]
# The inequality "sum of coefficient × monomial, plus constant, is at least zero".
Inequality = tuple[tuple[tuple[Monomial, int], ...], int]

MOST_INEQUALITIES = 1500
MOST_PRODUCTS = 14


def at_least_zero(polynomial: Any, *, strict: bool = False) -> Inequality:
    """`polynomial >= 0` (or `> 0`) over whole numbers, in lowest terms and as tight as whole numbers allow.

    `polynomial` is an element of a sympy ring over the rationals.
    """
    scale = lcm(*(int(c.denominator) for c in polynomial.values())) if polynomial else 1
    constant, terms = 0, []
    for monomial, coefficient in polynomial.items():
        whole = int(coefficient.numerator) * (scale // int(coefficient.denominator))
        if any(monomial):
            terms.append((monomial, whole))
        else:
            constant = whole
    return _tight(dict(terms), constant - strict)


def _tight(terms: Mapping[Monomial, int], constant: int) -> Inequality:
    if not terms:
        return (), constant
    divisor = gcd(*terms.values())
    return tuple(sorted((m, c // divisor) for m, c in terms.items())), constant // divisor


def impossible(inequalities: Iterable[Inequality], nonnegative: frozenset[int]) -> bool:
    """Whether no whole numbers satisfy all `inequalities`. `nonnegative` are variables known to be zero or more.

    False means that nothing is known.
    """
    system = _Strongest()
    for inequality in inequalities:
        system.add(inequality)
    if system.contradiction:
        return True
    for inequality in _known(system, nonnegative):
        system.add(inequality)
    for inequality in _products(system):
        system.add(inequality)
    smaller: _Strongest | None = system
    while smaller is not None and smaller.bounds and not smaller.contradiction:
        smaller = _cheapest(smaller)
    return smaller is not None and smaller.contradiction


class _Strongest:
    """Inequalities, of each direction only the tightest."""

    def __init__(self) -> None:
        self.bounds: dict[tuple[tuple[Monomial, int], ...], int] = {}
        self.contradiction = False

    def add(self, inequality: Inequality) -> None:
        terms, constant = inequality
        if not terms:
            self.contradiction = self.contradiction or constant < 0
        elif terms not in self.bounds or constant < self.bounds[terms]:
            self.bounds[terms] = constant

    def monomials(self) -> set[Monomial]:
        return {monomial for terms in self.bounds for monomial, _ in terms}


def _known(system: _Strongest, nonnegative: frozenset[int]) -> Iterable[Inequality]:
    """What holds for products whatever the facts: signs, x² >= ±x of whole numbers, and x² ± 2xy + y² >= 0."""
    monomials = system.monomials()
    for monomial in monomials:
        powers = [(i, p) for i, p in enumerate(monomial) if p]
        if all(i in nonnegative or p % 2 == 0 for i, p in powers):
            yield ((monomial, 1),), 0
        if len(powers) == 1 and powers[0][1] == 2:
            single = tuple(1 if i == powers[0][0] else 0 for i in range(len(monomial)))
            for sign in (1, -1):
                yield tuple(sorted(((monomial, 1), (single, sign)))), 0
        if len(powers) == 2 and powers[0][1] == powers[1][1] == 1:
            squares = [tuple(2 if i == at else 0 for i in range(len(monomial))) for at, _ in powers]
            if all(square in monomials for square in squares):
                for sign in (2, -2):
                    yield tuple(sorted(((squares[0], 1), (squares[1], 1), (monomial, sign)))), 0


def _products(system: _Strongest) -> list[Inequality]:
    """Products of two facts, where they speak of no new monomial: zero or more times zero or more."""
    monomials = system.monomials()
    if all(sum(monomial) == 1 for monomial in monomials):
        return []
    facts = [(dict(terms), constant) for terms, constant in system.bounds.items()]
    linear = [fact for fact in facts if all(sum(m) == 1 for m in fact[0])][:MOST_PRODUCTS]
    found = []
    for i, (one, one_constant) in enumerate(linear):
        for other, other_constant in linear[i:]:
            product: dict[Monomial, int] = {}
            for left, a in one.items():
                for right, b in other.items():
                    monomial = tuple(x + y for x, y in zip(left, right, strict=True))
                    product[monomial] = product.get(monomial, 0) + a * b
                product[left] = product.get(left, 0) + a * other_constant
            for right, b in other.items():
                product[right] = product.get(right, 0) + b * one_constant
            product = {m: c for m, c in product.items() if c}
            if product.keys() <= monomials:
                found.append(_tight(product, one_constant * other_constant))
    return found


def _cheapest(system: _Strongest) -> _Strongest | None:
    """The system without one of its monomials, chosen so that it grows least; None where it grows beyond bounds."""
    counts: dict[Monomial, list[int]] = {}
    for terms in system.bounds:
        for monomial, coefficient in terms:
            counts.setdefault(monomial, [0, 0])[coefficient > 0] += 1
    out = min(counts, key=lambda m: (counts[m][0] * counts[m][1] - sum(counts[m]), m))
    below: list[tuple[dict[Monomial, int], int, int]] = []
    above: list[tuple[dict[Monomial, int], int, int]] = []
    rest = _Strongest()
    for terms, constant in system.bounds.items():
        coefficients = dict(terms)
        coefficient = coefficients.get(out, 0)
        if not coefficient:
            rest.add((terms, constant))
        else:
            (above if coefficient > 0 else below).append((coefficients, constant, abs(coefficient)))
    if len(rest.bounds) + len(below) * len(above) > MOST_INEQUALITIES:
        return None
    for one, one_constant, p in above:
        for other, other_constant, n in below:
            terms_ = {m: n * c for m, c in one.items() if m != out}
            for m, c in other.items():
                if m != out:
                    terms_[m] = terms_.get(m, 0) + p * c
            rest.add(_tight({m: c for m, c in terms_.items() if c}, n * one_constant + p * other_constant))
    return rest
