"""Tu Chân Giới beyond its cases: scripts worked out by hand, faces counted, fights by other methods."""

import itertools
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine.book.load import load_book
from engine.duel.build import build_fight
from engine.duel.exact import solve_exact
from engine.duel.fast import solve
from engine.duel.kits import make_duel, read_kits
from engine.duel.outcomes import outcomes
from engine.duel.solve import solve_duel
from engine.errors import CallError, DomainError, Unspecified
from engine.readings import Engine
from tests.bench import plain_tu

ENGINE = Engine(load_book(Path(__file__).parents[3] / "spec" / "tu_chan_gioi"))
KITS = read_kits(ENGINE)
CANDIDATE = ENGINE.book.profiles["sweep-candidate"]
CUSTOM = ENGINE.book.profiles["custom"]
FACES = range(1, 21)

# Stage 7 of the first realm. HP 10 + 14 + 3 · 1 = 27 and 10 + 14 + 3 · 2 = 30; R 2 + ⌊6/3⌋ = 4; linh lực 2 + ⌊7/3⌋ = 4.
PLAYER = {"cap": 1, "stage": 7, "the_phach": 1, "than_phap": 0, "than_thuc": -1, "ho_the_base": 10, "R": 4, "HP": 27,
          "HP_max": 27, "linh_luc_left": 4, "pills": 2, "art": "than thong"}  # fmt: skip
FOE = {"side": "foe", "cap": 1, "stage": 7, "the_phach": 2, "than_phap": 1, "than_thuc": 0, "ho_the_base": 11, "R": 4,
       "HP": 30, "HP_max": 30, "linh_luc_left": 4, "art": "than thong"}  # fmt: skip


def play(name: str, rolls: Any = (), /, profile: Any = CANDIDATE, under: Any = None, **given: Any) -> Any:
    """The one outcome of a call, under a profile that `under` changes."""
    return ENGINE.ask(name, given, rolls=list(rolls), under={**profile, **(under or {})}).value


def value(name: str, under: Any = None, /, **given: Any) -> Any:
    return ENGINE.ask(name, given, under=under).value


def duel(readings: Any = None, /, **changes: Any) -> tuple[Any, dict[str, str]]:
    """A duel of the kits, and the readings that it is played under."""
    under = {**CANDIDATE, **(readings or {})}
    given = {"player": "weak", "foe": "mid", "player_bot": "plain", "foe_bot": "plain", "stage": 7, "gap": 0}
    return make_duel(
        ENGINE, under, KITS.filled({**given, **{k.replace("__", "."): v for k, v in changes.items()}})
    ), under


# --- Whole fights, roll by roll ----------------------------------------------------------


def test_a_fight_of_six_rounds_with_arts_a_critical_an_injury_and_a_pill():
    rolls = [
        1,  # the coin: the player first
        5, 4, 4, 4,  # his art, DC 8 + 4 − 1 = 11: 5 + 1 + 4 = 10 fails; 12 − 1 = 11, foe 19
        8, 5, 5, 3,  # the foe's, DC 12: 8 + 0 + 4 = 12 saves; 13, half 6, player 21
        20, 3, 4,  # a natural 20: 3 + 4 + 1 = 8, foe 11 and injured
        8, 7,  # 8 + 2 + 4 − 2 = 12 hits 10: 7 + 2 = 9, player 12
        5,  # 5 + 1 + 4 = 10 misses 11
        3,  # 3 + 2 + 4 − 2 = 7 misses
        15, 6,  # hits: 6 + 1 = 7, foe 4
        10, 3,  # hits: 3 + 2 = 5, player 7
        2, 3,  # 7 is at most 35% of 27 (9.45): a pill heals 5 + 2 = 7, player 14
        1,  # a natural 1 misses
        12, 8,  # hits: 8 + 1 = 9, foe −5
    ]  # fmt: skip
    end = play(
        "fight", rolls, player=PLAYER, foe=FOE, rounds=20,
        player_policy={"art_from": 3, "pill_below": 9}, foe_policy={"art_from": 3},
    )  # fmt: skip
    assert (end.result, end.rounds, end.turns) == ("win", 6, 11)
    assert (end.player.HP, end.player.pills, end.player.linh_luc_left) == (14, 1, 1)
    assert (end.foe.HP, end.foe.injuries, end.foe.linh_luc_left) == (-5, 1, 1)


def test_a_fight_that_runs_out_of_rounds_has_no_result():
    with pytest.raises(Unspecified):
        play("fight", [1, 2, 3], player=PLAYER, foe=FOE, rounds=1)


def test_initiative_is_thrown_anew_each_round_where_that_is_the_reading():
    # 10 + 0 + 4 against 9 + 1 + 4 is a tie, the player's; then 3 + 4 against 20: the foe acts twice in a row.
    under = {"Q41": "check", "Q42": "player", "Q43": "each-round"}
    weak = {**PLAYER, "HP": 12}
    rolls = [10, 9, 2, 11, 4, 3, 15, 11, 6]  # a miss, a hit for 6; then a hit for 8
    end = play("fight", rolls, under=under, player=weak, foe=FOE, rounds=5)
    assert (end.result, end.rounds, end.turns, end.player.HP) == ("loss", 2, 3, -2)


@pytest.mark.parametrize(("reading", "rolls", "left"), [("the-turn", [2, 3], 30), ("free", [2, 3, 10, 5], 24)])
def test_a_free_pill_leaves_the_turn(reading, rolls, left):
    # 5 + 2 = 7 healed; where the pill is free a blow follows: 10 + 1 + 4 hits 11 for 5 + 1.
    done = play(
        "fight_round", [*rolls, 2], under={"Q46": reading}, player={**PLAYER, "HP": 7}, foe=FOE, player_first=True,
        player_actions=["pill", "attack"], foe_actions=["attack"],
    )  # fmt: skip
    seen = (done.player.HP, done.foe.HP)
    assert seen == (14, left)


def test_a_guard_covers_an_attack_and_an_art():
    guarded = {"player": PLAYER, "foe": FOE, "player_first": True, "player_actions": ["guard"]}
    # 7 + 2 + 4 = 13 would hit 10 and misses 14.
    assert play("fight_round", [7], foe_actions=["attack"], **guarded).player.HP == 27
    # DC 12: 3 and 8 are thrown, 8 + 4 = 12 saves; 10 halved is 5.
    assert play("fight_round", [3, 8, 3, 3, 4], foe_actions=["art"], **guarded).player.HP == 22


# --- Attacks and arts by counting --------------------------------------------------------


@pytest.mark.parametrize("gap", [0, 1, 2])
@pytest.mark.parametrize("injuries", [0, 1])
def test_the_damage_of_an_attack_is_that_of_counted_faces(gap, injuries):
    """Thể +3 and R 4 against hộ thể 13 + gap; counted die by die."""
    target, bonus = 13 + gap, 3 + 4 - 2 * injuries
    dice = [(die,) for die in FACES] if gap == 0 else list(itertools.product(FACES, FACES))
    expected: dict[int, Fraction] = {}
    for thrown in dice:
        die = min(thrown)
        hit = die == 20 or (die != 1 and die + bonus >= target)
        rolled = [0]
        if hit:
            rolled = (
                [a + b + 3 for a in range(1, 9) for b in range(1, 9)] if die == 20 else [a + 3 for a in range(1, 9)]
            )
        for damage in rolled:
            taken = damage // 2 if gap == 2 else damage
            expected[taken] = expected.get(taken, Fraction(0)) + Fraction(1, len(dice) * len(rolled))
    given = {"cap": 1, "the_phach": 3, "R": 4, "injuries": injuries, "foe_cap": 1 + gap, "ho_the_now": target, "HP": 0,
             "foe_injuries": 0}  # fmt: skip
    function = ENGINE.procedures["attack"].function
    found: dict[int, Fraction] = {}
    for outcome, chance in outcomes(ENGINE, lambda rules: function(rules, **given), CANDIDATE).items():
        found[outcome.damage] = found.get(outcome.damage, Fraction(0)) + chance
    assert found == expected


def test_the_natural_die_of_two_is_ruled_by_two_questions():
    # Of 400 pairs 39 hold a 20 and 39 a 1; two of those hold both.
    found = {}
    for reading, both in (("kept", "best"), ("either", "best"), ("either", "worst")):
        under = {"Q03": reading, "Q91": both}
        pairs = [value("natural_die", under, mode="disadvantage", first=a, second=b) for a in FACES for b in FACES]
        found[reading, both] = (pairs.count(20), pairs.count(1))
    assert found == {("kept", "best"): (1, 39), ("either", "best"): (39, 37), ("either", "worst"): (37, 39)}


def test_a_foe_may_not_feel_ap_che():
    given = {
        "cap": 1,
        "the_phach": 2,
        "R": 4,
        "injuries": 0,
        "foe_cap": 3,
        "ho_the_now": 12,
        "HP": 20,
        "foe_injuries": 0,
    }
    bound = play("attack", [15, 9, 5], under={"Q95": "everyone"}, side="foe", **given)
    free = play("attack", [15, 5], under={"Q95": "players"}, side="foe", **given)
    assert (bound.die, bound.damage, free.die, free.damage) == (9, 3, 15, 7)


def test_a_than_thong_may_cost_nothing():
    given = {"art": "than thong", "cap": 1, "R": 4, "than_thuc": 0, "injuries": 0, "linh_luc_left": 0, "foe_cap": 1,
             "foe_than_phap": 0, "foe_than_thuc": 0, "foe_R": 4, "foe_injuries": 0, "guarding": False,
             "HP": 20}  # fmt: skip
    assert not play("cast", under={"Q92": "the-same"}, **given).cast
    made = play("cast", [2, 1, 2, 3], under={"Q92": "nothing"}, **given)
    assert (made.cast, made.damage, made.linh_luc_left) == (True, 6, 0)


# --- Growth ------------------------------------------------------------------------------


@pytest.mark.parametrize("the", [-3, 0, 3, 10])
def test_fifty_steps_make_a_sawtooth(the):
    """HP by whole numbers: base × 13^(cấp − 1), and a half of 10^(cấp − 1) added before it is divided."""
    cap, stage, seen = 1, 1, []
    HP = linh_luc = 0
    while (cap, stage) != (5, 10):
        up = play("step_up", cap=cap, stage=stage, the_phach=the, cong_phap=0, HP=HP, linh_luc_left=linh_luc)
        cap, stage = up.cap, up.stage
        ten = 10 ** (cap - 1)
        assert up.HP_max == ((10 + 2 * stage + 3 * the) * 13 ** (cap - 1) + ten // 2) // ten
        seen.append((up.stage, up.HP_max, up.pool))
    falls = [(a[1] - b[1], a[2] - b[2]) for a, b in itertools.pairwise(seen) if b[1] < a[1] or b[2] < a[2]]
    assert len(falls) == 4
    assert all(hp > 0 and spirit == 1 for hp, spirit in falls)
    assert [b[0] for a, b in itertools.pairwise(seen) if b[1] < a[1]] == [1, 1, 1, 1]


@pytest.mark.parametrize(("n", "lost"), [(0, 0), (1, 1), (2, 1), (7, 4)])
def test_half_of_a_stack_is_lost_and_the_odd_piece_with_it(n, lost):
    beaten = play(
        "defeat", cap=1, foe_cap=3, HP=-2, injuries=0, hours=0, linh_luc_left=1, pool=4, pills=3, stacks=[n, n],
        under={"Q94": "winner"},
    )  # fmt: skip
    assert (beaten.lost, beaten.stacks, beaten.pills, beaten.HP, beaten.hours) == (
        (lost, lost),
        (n - lost,) * 2,
        3,
        1,
        24,
    )


def test_inputs_outside_their_domains_are_refused():
    with pytest.raises(DomainError):
        play("step_up", cap=6, stage=1, the_phach=0, cong_phap=0, HP=1, linh_luc_left=0)
    with pytest.raises(CallError, match="fight_round lacks"):
        play("fight_round", player=PLAYER, foe=FOE)


# --- Fights, solved ----------------------------------------------------------------------


def test_two_with_one_hit_point_each():
    """No arts, no pills. The player hits 11 from a 6 on (3/4), the foe 10 from a 4 on (17/20), and any hit fells.

    First he wins 3/4 / (1 − 1/4 · 3/20); second he must be missed before: 3/20 of that. A coin: 69/154.
    """
    changes = {"player__HP": 1, "foe__HP": 1, "player__pills": 0, "player_bot__arts": False, "foe_bot__arts": False}
    made, under = duel({"Q86": "as-left"}, **changes)
    assert solve_exact(build_fight(ENGINE, made, under)).first == Fraction(69, 154)


SMALL: list[tuple[dict[str, str], dict[str, Any]]] = [
    ({}, {}),
    ({"Q36": "ceil", "Q19": "mind"}, {"gap": 1}),
    ({"Q43": "each-round", "Q41": "check"}, {}),
    ({"Q54": "below-zero", "Q52": "both"}, {}),
    ({"Q46": "free", "Q47": "no-bound"}, {}),
    ({"Q10": "each", "Q33": "number-twice"}, {}),
    ({"Q45": "free"}, {"player_bot__when_low": ["guard"], "player_bot__low_at": Fraction(1, 2)}),
]


@pytest.mark.parametrize(("readings", "changes"), SMALL, ids=[str(i) for i in range(len(SMALL))])
def test_doubles_agree_with_fractions_on_small_fights(readings, changes):
    made, under = duel({"Q86": "as-left", **readings}, stage=1, player__HP=3, foe__HP=4, player__pills=1, **changes)
    fight = build_fight(ENGINE, made, under)
    exact, fast = solve_exact(fight), solve(fight)
    for name in ("first", "second", "both", "endless", "mean", "mean_square"):
        true, shown = getattr(exact, name), getattr(fast, name)
        assert abs(Fraction(shown) - true) <= Fraction(fast.bound) * true
    assert exact.first + exact.second + exact.endless == 1
    assert fast.bound < 1e-5


@pytest.mark.parametrize(("name", "build", "gap"), [("weak", plain_tu.WEAK, 0), ("strong", plain_tu.STRONG, 1)])
def test_the_solver_agrees_with_dice_and_ifs(name, build, gap):
    made, under = duel(player=name, gap=gap)
    solved = solve_duel(ENGINE, made, under, check=40)
    rng, count = random.Random(5), 20_000
    ends = [plain_tu.fight(rng, build, gap) for _ in range(count)]
    won, rounds = sum(w for w, _ in ends) / count, sum(r for _, r in ends) / count
    assert abs(won - solved.win) <= 4 * (solved.win * (1 - solved.win) / count) ** 0.5
    assert abs(rounds - solved.rounds) <= 4 * (solved.variance / count) ** 0.5


def test_readings_on_rounds_change_their_average_alone():
    made, under = duel()
    begun = solve_duel(ENGINE, made, under)
    half = solve_duel(ENGINE, *_under(Q79="half"))
    completed = solve_duel(ENGINE, *_under(Q79="completed"))
    won = solve_duel(ENGINE, *_under(Q78="won"))
    assert half.win == pytest.approx(begun.win)
    # A fight that ends on a round's first turn counts half less, and a whole one less.
    assert begun.rounds - completed.rounds == pytest.approx(2 * (begun.rounds - half.rounds))
    assert 0 < begun.rounds - half.rounds < 0.5
    assert won.rounds > begun.rounds


def _under(**readings: str) -> tuple[Any, dict[str, str]]:
    return duel(readings)


def test_two_who_only_guard_fight_on_for_ever():
    guards = {"player_bot__when_low": ["guard"], "foe_bot__when_low": ["guard"]}
    low, under = duel({"Q86": "as-left"}, player__HP=3, foe__HP=3, **guards)
    assert solve_duel(ENGINE, low, under).endless == 1
    # From full health it never comes to that: whoever is low first strikes no more, so that the other is never low.
    whole = solve_duel(ENGINE, *duel({}, **guards))
    assert whole.endless == 0
    assert whole.win + whole.loss == pytest.approx(1)


def test_a_profile_that_leaves_something_open_is_refused():
    made, under = duel()
    with pytest.raises(CallError, match="the profile leaves Q36 open"):
        solve_duel(ENGINE, made, {q: r for q, r in under.items() if q != "Q36"})
