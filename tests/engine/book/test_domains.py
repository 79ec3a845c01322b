"""Declared domains: what they admit, in which order, and what is no domain."""

from fractions import Fraction
from math import comb

import pytest

from engine.book.domains import parse_domain
from engine.dice import parse_pool
from engine.errors import DomainError, InputError


@pytest.mark.parametrize(
    ("spec", "inside", "outside"),
    [
        ("1..20", [1, 20, Fraction(6, 2)], [0, 21, Fraction(3, 2), "3", True, None]),
        ("1..", [1, 10**30], [0]),
        ("..", [-(10**30), 0], [Fraction(1, 2)]),
        ("0..2 by 1/2", [0, Fraction(1, 2), 2], [Fraction(1, 3), Fraction(5, 2)]),
        ("1..9 by 2", [1, 3, 9], [2, 8, 11]),
        ("bool", [True, False], [0, 1, "true"]),
        (["sword", "bow"], ["sword"], ["axe", 1]),
        ("dice d4 d6 up to 2", ["2d4", "1d6+1d4", parse_pool("d6")], ["3d4", "d8", "d4+1", "4", 4]),
    ],
)
def test_a_domain_admits_its_values_and_no_others(spec, inside, outside):
    domain = parse_domain("x", spec)
    for value in inside:
        domain.check(value)
    for value in outside:
        with pytest.raises(DomainError):
            domain.check(value)


def test_values_come_in_rising_order():
    assert list(parse_domain("x", "-1..1").values()) == [-1, 0, 1]
    assert list(parse_domain("x", "0..1 by 1/2").values()) == [0, Fraction(1, 2), 1]
    assert list(parse_domain("x", "bool").values()) == [False, True]


def test_pools_are_counted_as_multisets():
    # 1 to 3 dice out of 2 kinds: n dice can be chosen in C(n + 1, 1) ways.
    pools = list(parse_domain("x", "dice d4 d6 up to 3").values())
    assert len(pools) == len(set(pools)) == sum(comb(n + 1, 1) for n in (1, 2, 3))
    assert [str(p) for p in pools[:3]] == ["1d4", "1d6", "2d4"]


def test_a_domain_without_end_lists_nothing():
    domain = parse_domain("x", "1..")
    assert not domain.finite
    with pytest.raises(DomainError, match="no end"):
        list(domain.values())


@pytest.mark.parametrize(
    "spec",
    ["", "20..1", "0..1 by 0", "0..1 by 1/0", "a..b", [], ["a", "a"], 4, "dice", "dice d4 up to 0", {"label": "x"}],
)
def test_what_is_no_domain_is_refused(spec):
    with pytest.raises(InputError):
        parse_domain("x", spec)
