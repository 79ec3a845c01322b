"""Backward induction against the forward sweep in Fractions: two directions, one truth."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from engine.duel.exact import solve_exact
from engine.duel.fast import pack, solve
from engine.duel.fight import Effect, Fight, Mode, Start
from engine.duel.means import means, reach
from engine.duel.rounds import rounds_of
from engine.errors import InputError

HALF = Fraction(1, 2)


def coins(*, late: bool = False, hp: tuple[int, int] = (3, 4)) -> Fight:
    """Two sides in turn; a fair coin each time for 1 or 2 points. The second side begins where it is late."""
    mine = (Effect(HALF, 0, 0, 1), Effect(HALF / 2, 0, -1, 1), Effect(HALF / 2, 0, -2, 1))
    theirs = (Effect(HALF, 0, 0, 0), Effect(HALF / 2, -1, 0, 0), Effect(HALF / 2, -2, 0, 0))
    modes = (Mode(0, 0, (mine,) * 4), Mode(0, 1, (theirs,) * 4))
    return Fight(modes, hp, (-1, -1), (Start(int(late), hp[0], hp[1], Fraction(1), late=late),))


@pytest.mark.parametrize("late", [False, True])
def test_both_directions_agree(late):
    fight = coins(late=late)
    exact: Any = solve_exact(fight)
    found = means(reach(pack(fight)))
    assert abs(Fraction(found.first) - exact.first) <= Fraction(found.bound) * exact.first
    assert abs(Fraction(found.mean) - exact.mean) <= Fraction(found.bound) * exact.mean


def test_who_begins_is_a_matter_of_names():
    # The same fight seen from the other side: the late side's loss is the early side's win, in as many rounds.
    one, other = solve_exact(coins()), solve_exact(coins(late=True, hp=(4, 3)))
    assert (one.first, one.mean, one.mean_square) == (other.second, other.mean, other.mean_square)


def test_rounds_of_late_fights_have_their_moments_too():
    fight = coins(late=True)
    exact, seen = solve_exact(fight), rounds_of(pack(fight), 300)
    chance = seen.chance.sum(axis=1)
    assert sum(n * p for n, p in enumerate(chance)) == pytest.approx(float(exact.mean), rel=1e-12)
    assert sum(n * n * p for n, p in enumerate(chance)) == pytest.approx(float(exact.mean_square), rel=1e-12)
    assert solve(fight).mean_square == pytest.approx(float(exact.mean_square), rel=1e-12)


def test_half_late_is_half_of_each():
    both = replace(coins(), starts=(Start(0, 3, 4, HALF), Start(1, 3, 4, HALF, late=True)))
    early: Any = solve_exact(coins())
    late: Any = solve_exact(coins(late=True))
    mixed = solve_exact(both)
    assert mixed.first == (early.first + late.first) / 2
    assert mixed.mean == (early.mean + late.mean) / 2
    assert means(reach(pack(both))).mean == pytest.approx(float(mixed.mean))


def test_one_certain_blow_ends_a_late_fight_in_its_first_round():
    kill = Fight(
        (Mode(0, 0, ((Effect(Fraction(1), 0, -9, 1),),) * 4), Mode(0, 1, ((Effect(Fraction(1), 0, 0, 0),),) * 4)),
        (1, 1),
        (-1, -1),
        (Start(1, 1, 1, Fraction(1), late=True),),
    )
    # The second side does nothing, the first fells it: one round, though a turn of the first side opens the next.
    assert (solve_exact(kill).mean, solve(kill).mean, means(reach(pack(kill))).mean) == (1, 1.0, 1.0)


def test_a_fight_that_may_never_end_has_no_average():
    idle = Fight(
        (Mode(0, 0, ((Effect(Fraction(1), 0, 0, 0),),) * 4),), (1, 1), (-1, -1), (Start(0, 1, 1, Fraction(1)),)
    )
    with pytest.raises(InputError, match="may never end"):
        reach(pack(idle))
