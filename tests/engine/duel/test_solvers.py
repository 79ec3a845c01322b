"""Two solvers and hand-worked fights: one truth."""

import random
from fractions import Fraction

import pytest

from engine.duel.exact import solve_exact
from engine.duel.fast import solve
from engine.duel.fight import Effect, Fight, Mode, Start
from engine.errors import InputError


def coin_fight(hit=Fraction(1, 2), hp=(1, 1), damage=1):
    """Two sides strike in turn; a hit takes `damage`. Mode 0: the first side's turn, mode 1: the second's."""
    strikes = (Effect(hit, 0, -damage, 1), Effect(1 - hit, 0, 0, 1))
    answers = (Effect(hit, -damage, 0, 0), Effect(1 - hit, 0, 0, 0))
    modes = (Mode(0, 0, (strikes,) * 4), Mode(0, 1, (answers,) * 4))
    return Fight(modes, hp, (-1, -1), (Start(0, hp[0], hp[1], Fraction(1)),))


def test_one_blow_kills_on_a_fair_coin():
    # By hand: the first wins with w = 1/2 + w/4, so w = 2/3.
    # Rounds are geometric with p = 3/4: mean 1/p = 4/3, mean square (2 − p)/p² = 20/9.
    verdict = solve_exact(coin_fight())
    assert (verdict.first, verdict.second, verdict.endless) == (Fraction(2, 3), Fraction(1, 3), 0)
    assert (verdict.mean, verdict.mean_square) == (Fraction(4, 3), Fraction(20, 9))
    assert verdict.variance == Fraction(4, 9)


def test_a_fight_that_is_certain_takes_as_many_rounds_as_blows():
    # Each blow hits and takes 2 of 5: the first side strikes third in round 3, before its own third wound.
    verdict = solve_exact(coin_fight(Fraction(1), (5, 5), 2))
    assert (verdict.first, verdict.mean, verdict.variance) == (1, 3, 0)


def test_nobody_can_hit():
    verdict = solve_exact(coin_fight(Fraction(0), (3, 3)))
    assert (verdict.first, verdict.second, verdict.endless) == (0, 0, 1)
    assert solve(coin_fight(Fraction(0), (3, 3))).endless == 1.0


def test_a_pill_below_the_threshold_is_drunk_once():
    # The first side has 2 points and a pill of +1 that it drinks at 1 or less; the foe always takes 1, it never hits.
    # The foe hits (2 -> 1); drink (-> 2), hit (-> 1); no pill left, strike in vain, hit (-> 0): three rounds.
    drink = (Effect(Fraction(1), 1, 0, 3),)
    vain = (Effect(Fraction(1), 0, 0, 1),)
    vain_later = (Effect(Fraction(1), 0, 0, 3),)
    hit = (Effect(Fraction(1), -1, 0, 0),)
    hit_later = (Effect(Fraction(1), -1, 0, 2),)
    modes = (
        Mode(0, 0, (vain, drink, vain, drink)),
        Mode(0, 1, (hit,) * 4),
        Mode(1, 0, (vain_later,) * 4),
        Mode(1, 1, (hit_later,) * 4),
    )
    fight = Fight(modes, (2, 1), (1, -1), (Start(0, 2, 1, Fraction(1)),))
    verdict = solve_exact(fight)
    assert (verdict.second, verdict.mean) == (1, 3)


def random_fight(seed):
    """A fight of two layers with pills, thresholds and damage of several sizes, drawn from a seed."""
    rng = random.Random(seed)

    def split(parts):
        cuts = [rng.randint(1, 9) for _ in parts]
        return tuple(Effect(Fraction(c, sum(cuts)), *part) for c, part in zip(cuts, parts, strict=True))

    modes = []
    for layer in (0, 1):
        mine, theirs = 2 * layer, 2 * layer + 1
        strike = split([(0, -d, theirs) for d in range(rng.randint(2, 4))])
        drink = split([(3, 0, 3), (4, 0, 3)]) if not layer else strike
        back = split([(-d, 0, mine) for d in range(rng.randint(2, 4))])
        modes += [Mode(layer, 0, (strike, drink, strike, drink)), Mode(layer, 1, (back,) * 4)]
    return Fight(tuple(modes), (8, 9), (3, -1), (Start(0, 8, 9, Fraction(1, 3)), Start(1, 8, 9, Fraction(2, 3))))


@pytest.mark.parametrize("seed", range(12))
def test_doubles_agree_with_fractions_within_their_bound(seed):
    fight = random_fight(seed)
    exact, fast = solve_exact(fight), solve(fight)
    for name in ("first", "second", "both", "endless", "mean", "mean_square"):
        true, shown = getattr(exact, name), getattr(fast, name)
        assert abs(Fraction(shown) - true) <= Fraction(fast.bound) * true
    assert fast.bound < 1e-9
    assert exact.first + exact.second + exact.both + exact.endless == 1


def play(fight, rng):
    """One sampled fight: the end and its number of rounds. Knows nothing of the solvers."""
    start = rng.choices(fight.starts, [s.chance for s in fight.starts])[0]
    mode, hp, rounds = start.mode, [start.first, start.second], 1
    while True:
        region = (hp[0] <= fight.low[0]) + 2 * (hp[1] <= fight.low[1])
        effects = fight.modes[mode].effects[region]
        effect = rng.choices(effects, [e.chance for e in effects])[0]
        hp = [min(fight.most[0], hp[0] + effect.first), min(fight.most[1], hp[1] + effect.second)]
        if hp[1] <= 0:
            return "first", rounds
        if hp[0] <= 0:
            return "second", rounds
        rounds += fight.modes[effect.to].phase <= fight.modes[mode].phase
        mode = effect.to


@pytest.mark.parametrize("seed", range(3))
def test_a_sampler_agrees_within_four_standard_errors(seed):
    fight, rng, count = random_fight(seed), random.Random(seed), 20_000
    ends = [play(fight, rng) for _ in range(count)]
    exact = solve_exact(fight)
    wins = sum(end == "first" for end, _ in ends) / count
    rounds = sum(r for _, r in ends) / count
    p = float(exact.first)
    assert abs(wins - p) <= 4 * (p * (1 - p) / count) ** 0.5
    assert abs(rounds - float(exact.mean)) <= 4 * (float(exact.variance) / count) ** 0.5


def test_a_fight_that_heals_without_a_higher_layer_is_refused():
    effects = (Effect(Fraction(1), 1, 0, 0),)
    with pytest.raises(InputError, match="mode 0 heals"):
        Fight((Mode(0, 0, (effects,) * 4),), (2, 2), (-1, -1), (Start(0, 1, 1, Fraction(1)),))


def test_chances_that_do_not_sum_to_one_are_refused():
    effects = (Effect(Fraction(1, 2), 0, -1, 0),)
    with pytest.raises(InputError, match="the chances of mode 0 do not sum to 1"):
        Fight((Mode(0, 0, (effects,) * 4),), (2, 2), (-1, -1), (Start(0, 1, 1, Fraction(1)),))
