"""A fight built from procedures: the d20 duel of two sides with 20 hit points, by three methods."""

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from engine.duel.build import build_fight
from engine.duel.exact import solve_exact
from engine.duel.fast import pack
from engine.duel.outcomes import outcomes
from engine.duel.rounds import rounds_of
from engine.duel.sample import grow, sample
from engine.errors import CallError, InputError
from engine.readings import Engine
from tests.scratch import book_of

CLAUSE = """
### TT-1.1 Hit

An 11 hits.

```yaml
source: [1]
define: hits(die) = die >= 11 if Q01 == "high" else die <= 10
cases:
  - {die: 11, is: true, under: {Q01: high}}
```
"""
QUESTION = """
### TT-Q01 Which half?

High or low.

```yaml
source: [1]
readings:
  - {id: high, says: high, gives: true}
  - {id: low, says: low, gives: false}
ask: hits
given: {die: 11}
```
"""


@dataclass(frozen=True)
class State:
    hp: tuple[int, int]
    turn: int = 0
    room: int = 20


class _Toy:
    """Each side in turn: d20, a hit takes 1d6."""

    most = (20, 20)
    low = (-1, -1)
    unit = 1

    def start(self, rules):
        return State((20, 20))

    def turn(self, rules, state):
        hp = list(state.hp)
        if rules.hits(die=rules.roll("d20")):
            hp[1 - state.turn] -= rules.roll("1d6")
        return replace(state, hp=tuple(hp), turn=1 - state.turn)

    def hit_points(self, state):
        return state.hp

    def mode(self, state):
        return state.turn

    def at(self, mode, hit_points):
        return State(hit_points, mode)

    def roomy(self, mode, region):
        return State((1000, 1000), mode)

    def layer(self, mode):
        return 0

    def phase(self, mode):
        return mode


def toy() -> Any:
    return _Toy()


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return Engine(book_of(tmp_path_factory.mktemp("b"), CLAUSE, questions=QUESTION, domains={"die": "1..20"}))


def test_a_turn_is_played_over_every_roll(engine):
    found = outcomes(engine, lambda rules: toy().turn(rules, State((20, 20))), {"Q01": "high"})
    assert found[State((20, 20), 1)] == Fraction(1, 2)
    assert found[State((20, 14), 1)] == Fraction(1, 12)


def test_an_open_question_must_be_fixed(engine):
    with pytest.raises(CallError, match="the profile leaves Q01 open"):
        build_fight(engine, toy(), {})


def value_iteration():
    """P(first side wins) by plain recursion on who strikes next, misses resolved by hand: an independent method.

    W(a, b): the striker has a, the other b. W = 1/2·mean(1 − W(b − d, a)) + 1/2·(1 − W(b, a)), solved for each pair.
    """
    half = Fraction(1, 2)
    win: dict[tuple[int, int], Any] = {}

    def wounds(a, b):
        """The part of W(a, b) that hits decide."""
        return half * sum((Fraction(1 if b <= d else 1 - win[b - d, a]) / 6 for d in range(1, 7)), Fraction(0))

    for total in range(2, 41):
        for a in range(1, 21):
            b = total - a
            if not 1 <= b <= 20 or (a, b) in win:
                continue
            # W(a,b) = x + 1/2·(1 − W(b,a)), W(b,a) = y + 1/2·(1 − W(a,b))
            x, y = wounds(a, b), wounds(b, a)
            mine = (x + half - half * y - half * half) / (1 - half * half)
            win[a, b] = mine
            win[b, a] = y + half - half * mine
    return win[20, 20]


def test_the_solved_fight_agrees_with_value_iteration(engine):
    verdict = solve_exact(build_fight(engine, toy(), {"Q01": "high"}))
    assert verdict.first == value_iteration()
    assert verdict.first + verdict.second == 1


def test_the_solved_fight_agrees_with_play(engine):
    verdict = solve_exact(build_fight(engine, toy(), {"Q01": "low"}))
    rng, count = random.Random(1), 4000
    wins = rounds = 0
    for _ in range(count):
        hp, turn, n = [20, 20], 0, 1
        while True:
            if rng.randint(1, 20) <= 10:
                hp[1 - turn] -= rng.randint(1, 6)
            if min(hp) <= 0:
                break
            n += turn
            turn = 1 - turn
        wins += hp[0] > 0
        rounds += n
    p = float(verdict.first)
    assert abs(wins / count - p) <= 4 * (p * (1 - p) / count) ** 0.5
    assert abs(rounds / count - float(verdict.mean)) <= 4 * (float(verdict.variance) / count) ** 0.5


def test_dice_that_are_rolled_agree_within_four_standard_errors(engine):
    verdict = solve_exact(build_fight(engine, toy(), {"Q01": "high"}))
    count = 1_000_000
    seen = sample(grow(engine, toy(), {"Q01": "high"}), count, seed=7)
    p = float(verdict.first)
    assert sum(seen.ends) == count
    assert abs(seen.ends[0] / count - p) <= 4 * (p * (1 - p) / count) ** 0.5
    assert abs(seen.rounds / count - float(verdict.mean)) <= 4 * (float(verdict.variance) / count) ** 0.5


def test_the_same_seed_gives_the_same_fights(engine):
    trees = grow(engine, toy(), {"Q01": "high"})
    assert sample(trees, 1000, seed=3) == sample(trees, 1000, seed=3) != sample(trees, 1000, seed=4)


def test_the_rounds_of_a_fight_have_the_moments_that_the_sweep_finds(engine):
    fight = build_fight(engine, toy(), {"Q01": "high"})
    verdict, rounds = solve_exact(fight), rounds_of(pack(fight), 400)
    chance = rounds.chance.sum(axis=1)
    assert rounds.left < 1e-12
    assert sum(n * p for n, p in enumerate(chance)) == pytest.approx(float(verdict.mean), rel=1e-9)
    assert rounds.chance[:, 0].sum() == pytest.approx(float(verdict.first), rel=1e-9)
    # By hand: 20 points need at least four hits of 6, so nobody falls before round 4.
    assert chance[3] == 0 < chance[4]


def test_hit_points_that_matter_are_found(engine):
    class Berserk(_Toy):
        def turn(self, rules, state):
            if state.hp[state.turn] == 1:
                return replace(state, hp=(0, 0))
            return super().turn(rules, state)

    berserk: Any = Berserk()
    with pytest.raises(InputError, match="hit points matter to the turn of"):
        build_fight(engine, berserk, {"Q01": "high"})
