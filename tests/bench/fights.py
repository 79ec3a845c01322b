"""Exact fights, beside sampling them and beside icepool."""

from __future__ import annotations

import random
from fractions import Fraction

import icepool

from conformance.sweep import run, sweep_of
from engine.duel.build import build_fight
from engine.duel.exact import solve_exact
from engine.duel.fast import pack, solve_packed
from engine.duel.fight import Effect, Fight, Mode, Start
from engine.duel.kits import make_duel
from engine.duel.means import means, reach
from engine.duel.sample import grow
from engine.duel.sample import sample as roll
from tests.bench import plain_tu
from tests.bench.clock import Row, seconds
from tests.engine.duel.dice_cells import CELLS, COUNT, book, deviation

HP = 20


def strikes(hp: int = HP) -> Fight:
    """Two sides strike in turn: d20, 11 or more hits for 1d6."""
    half = Fraction(1, 2)
    mine = (Effect(half, 0, 0, 1), *(Effect(half / 6, 0, -d, 1) for d in range(1, 7)))
    theirs = (Effect(half, 0, 0, 0), *(Effect(half / 6, -d, 0, 0) for d in range(1, 7)))
    modes = (Mode(0, 0, (mine,) * 4), Mode(0, 1, (theirs,) * 4))
    return Fight(modes, (hp, hp), (-1, -1), (Start(0, hp, hp, Fraction(1)),))


def sample(rng: random.Random) -> bool:
    """One fight, rolled in plain Python: whether the first side wins."""
    hp = [HP, HP]
    turn = 0
    while True:
        if rng.randint(1, 20) >= 11:
            hp[1 - turn] -= rng.randint(1, 6)
            if hp[1 - turn] <= 0:
                return turn == 0
        turn = 1 - turn


def with_icepool() -> Fraction:
    """The same duel by icepool's repeated map."""
    hit = icepool.d20 >= 11

    def strike(first: int, second: int, turn: int) -> object:
        if first <= 0 or second <= 0:
            return icepool.Die([(first, second, turn)])
        damage = hit.map({True: icepool.d6, False: icepool.Die([0])})
        if turn:
            return damage.map(lambda d: (max(0, first - d), second, 0))
        return damage.map(lambda d: (first, max(0, second - d), 1))

    end = icepool.map(strike, icepool.Die([(HP, HP, 0)]), star=True, repeat="inf")
    won = sum(count for (_first, second, _turn), count in end.items() if second == 0)
    return Fraction(won, end.denominator())


def rows() -> list[Row]:
    """Plain strikes, whole fights with all that belongs to them, and dice beside the solver."""
    return [*_strikes(), *_whole_fights(), *_dice()]


def _whole_fights() -> list[Row]:
    """Fights with arts, injuries and pills, beside the same fights rolled in plain Python; and the published sweep."""
    engine, _kits = book()
    sweep, cells = sweep_of(engine)
    cell = cells[0]
    duel = make_duel(engine, cell.readings, cell.given)
    packed = pack(build_fight(engine, duel, cell.readings, check=0))
    known = reach(packed)
    means(known)
    solve_packed(packed)
    ours = seconds(lambda: means(known), calls=100)
    whole = seconds(lambda: solve_packed(packed), calls=50)
    rng = random.Random(1)
    sampled = seconds(lambda: [plain_tu.fight(rng, plain_tu.WEAK, 0) for _ in range(1000)], rounds=5)
    trees = grow(engine, duel, cell.readings)
    roll(trees, 1000, seed=1)
    rolled = seconds(lambda: roll(trees, 100_000, seed=1), rounds=3)
    run(engine, sweep, cells)
    table = seconds(lambda: run(engine, sweep, cells), rounds=3)
    ratio = sampled / ours
    return [
        Row(
            "one exact fight with arts, injuries and pills: win and rounds",
            f"{1 / ours:,.0f} a second",
            "no budget",
            None,
        ),
        Row("  … against 1,000 sampled in plain Python", f"1/{ratio:.0f}", "≤ 1/30", ratio >= 30),
        Row("  … with the variance of rounds and every end", f"{whole / ours:.1f}×", "no budget", None),
        Row("  … rolled by the fast sampler", f"{100_000 / rolled:,.0f} fights a second", "no budget", None),
        Row("the published sweep, six cells from the rule book on", f"{table:.2f} s", "< 1 s", table < 1),
    ]


def _dice() -> list[Row]:
    """Every cell of the comparison with dice, a million fights each."""
    engine, kits = book()
    found: list[float] = []

    def compare() -> None:
        found.extend(deviation(engine, kits, number).worst for number in range(len(CELLS)))

    spent = seconds(compare, rounds=1)
    return [
        Row(
            f"{len(CELLS)} kinds of fight, {COUNT:,} rolled die by die each, against the solver ({spent:.0f} s)",
            f"{max(found):.1f} standard errors at most",
            "≤ 4",
            max(found) <= 4,
        )
    ]


def _strikes() -> list[Row]:
    """Milliseconds of one exact fight and what else they would buy."""
    packed = pack(strikes())
    solve_packed(packed)  # compiled now
    ours = seconds(lambda: solve_packed(packed), calls=200)
    fractions = seconds(lambda: solve_exact(strikes()), rounds=2)
    rng = random.Random(1)
    sampled = seconds(lambda: [sample(rng) for _ in range(1000)], rounds=3)
    exact = solve_exact(strikes()).first
    pool: list[Fraction] = []
    theirs = seconds(lambda: pool.append(with_icepool()), rounds=1)
    agrees = abs(float(pool[0]) - float(exact)) < 1e-9
    larger = pack(strikes(100))
    big = seconds(lambda: solve_packed(larger), calls=20)
    return [
        Row("one exact fight, 20 HP against 20 HP", f"{1 / ours:,.0f} a second", "no budget", None),
        Row("  … against 1,000 sampled in plain Python", f"1/{sampled / ours:.0f}", "≤ 1/30", sampled / ours >= 30),
        Row(
            f"  … against icepool's map(repeat='inf'), {'same answer' if agrees else 'ANOTHER ANSWER'}",
            f"1/{theirs / ours:,.0f}",
            "≤ 1/1,000",
            agrees and theirs / ours >= 1000,
        ),
        Row("  … in Fractions", f"{fractions * 1e3:.0f} ms", "no budget", None),
        Row(
            "  … at 100 HP against 100 HP (25 times the states)",
            f"{big / ours:.1f}×",
            "linear: ≤ 33×",
            big / ours <= 33,
        ),
    ]
