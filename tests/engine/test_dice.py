"""Pools of dice: written in many ways, equal in one; exact distributions."""

from fractions import Fraction

import pytest

from engine.dice import Pool, distribution, parse_pool
from engine.errors import InputError


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("d20", "1d20"),
        ("2d4", "2d4"),
        ("1d6+1", "1d6 + 1"),
        ("1d6 - 2", "1d6 - 2"),
        ("1d4 + 1d8 + 1d4", "1d8 + 2d4"),
    ],
)
def test_a_pool_is_shown_in_one_way(text, shown):
    assert str(parse_pool(text)) == shown


def test_equal_pools_compare_equal_however_they_were_written():
    assert parse_pool("1d4 + 1d6") == parse_pool("1d6+1d4") == Pool(((6, 1), (4, 1)))


def test_bounds_and_mean_of_two_kinds_of_dice():
    pool = parse_pool("2d4 + 1d6")
    assert (pool.lowest, pool.highest, pool.mean) == (3, 14, Fraction(17, 2))


@pytest.mark.parametrize("text", ["", "4", "d", "2d", "d4 d6", "1d6-1d4", "d0", "d1001", "101d6", "2d4;", "x" * 300])
def test_what_is_no_pool_is_refused(text):
    with pytest.raises(InputError):
        parse_pool(text)


def test_two_dice_fall_in_a_triangle():
    # By hand: 36 pairs, 1 way to 2, 6 ways to 7, 1 way to 12.
    chances = dict(distribution(parse_pool("2d6")))
    assert chances[2] == chances[12] == Fraction(1, 36)
    assert chances[7] == Fraction(6, 36)
    assert sum(chances.values()) == 1


def test_a_distribution_too_large_to_compute_is_refused():
    with pytest.raises(InputError, match="beyond"):
        distribution(parse_pool("100d1000"))
