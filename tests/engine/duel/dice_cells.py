"""Varied fights, each solved and each rolled die by die a million times: how far apart the two methods are."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.book.load import load_book
from engine.duel.kits import Kits, make_duel, read_kits
from engine.duel.sample import grow, sample
from engine.duel.solve import solve_duel
from engine.readings import Engine

BOOK = Path(__file__).parents[3] / "spec" / "tu_chan_gioi"
COUNT = 1_000_000
PROFILE = "sweep-candidate"

GUARD = {"player_bot.when_low": ["pill", "guard"], "player_bot.low_at": Fraction(1, 2)}

# Readings beside the profile's, and inputs beside weak against mid at stage 7 and gap 0.
CELLS: tuple[tuple[dict[str, str], dict[str, Any]], ...] = (
    ({}, {}),
    ({}, {"gap": 1}),
    ({}, {"player": "strong"}),
    ({}, {"player": "strong", "gap": 1}),
    ({}, {"player": "mid"}),
    ({}, {"stage": 1}),
    ({}, {"stage": 3, "player": "strong", "gap": 1}),
    ({}, {"stage": 10}),
    ({}, {"player.cong_phap": 2, "foe.cong_phap": 2}),
    ({}, {"player.the_chat": 3}),
    ({}, {"player.injuries": 1}),
    ({}, {"foe.injuries": 1, "player": "mid", "gap": 1}),
    ({}, {"player_bot.arts": False, "foe_bot.arts": False}),
    ({}, {"player.pills": 5, "player_bot.low_at": Fraction(3, 5)}),
    ({}, GUARD),
    ({"Q45": "free"}, GUARD),
    ({"Q45": "free", "Q46": "free"}, {**GUARD, "player": "mid", "gap": 1}),
    ({"Q02": "one-more-each", "Q45": "free"}, {**GUARD, "player": "strong", "gap": 1}),
    ({"Q03": "either", "Q91": "worst"}, {"player": "strong", "gap": 1}),
    ({"Q04": "total-only", "Q07": "injures-anyway", "Q10": "single"}, {"player.the_phach": -5, "stage": 2}),
    ({"Q05": "total-only"}, {"player": "strong", "gap": 1}),
    ({"Q06": "margins-too"}, {}),
    ({"Q10": "each"}, {"stage": 1, "player.pills": 0}),
    ({"Q11": "dc-too"}, {"player": "strong"}),
    ({"Q12": "score", "Q13": "score"}, {"player": "mid"}),
    ({"Q19": "mind"}, {"player": "strong", "gap": 1}),
    ({"Q24": "from-two"}, {}),
    ({"Q27": "second"}, {"player": "mid"}),
    ({"Q27": "second", "Q48": "for-each"}, {"player": "mid"}),
    ({"Q33": "number-twice", "Q36": "ceil"}, {}),
    ({"Q34": "none"}, {"player.the_phach": -3, "foe.the_phach": -2}),
    ({"Q34": "one", "Q35": "after"}, {"player.the_phach": -3, "foe.the_phach": -3, "player": "mid", "gap": 2}),
    ({"Q37": "once"}, {"player.the_phach": 8, "player.than_thuc": 6, "gap": 2}),
    ({"Q38": "four-steps"}, {"player": "strong", "gap": 1}),
    ({"Q39": "bi-phap"}, {}),
    ({"Q40": "mirrored"}, {"player": "strong", "gap": 1}),
    ({"Q41": "check", "Q43": "each-round"}, {}),
    ({"Q41": "bare-roll", "Q42": "foe"}, {"player.injuries": 1}),
    ({"Q52": "both", "Q47": "no-bound"}, {"player": "mid"}),
    ({"Q54": "below-zero"}, {"player": "mid"}),
    ({"Q92": "nothing"}, {"player": "mid"}),
    ({"Q86": "as-left"}, {"player.HP": 9, "foe.HP": 14}),
)


@dataclass(frozen=True, slots=True)
class Deviation:
    """How many standard errors the sample is off, in wins and in rounds."""

    wins: float
    rounds: float

    @property
    def worst(self) -> float:
        """The greater of both."""
        return max(abs(self.wins), abs(self.rounds))


def book() -> tuple[Engine, Kits]:
    """The book whose fights are compared."""
    engine = Engine(load_book(BOOK))
    return engine, read_kits(engine)


def deviation(engine: Engine, kits: Kits, number: int, count: int = COUNT) -> Deviation:
    """One cell by both methods. The dice are seeded with the cell's number."""
    readings, changes = CELLS[number]
    under = {**engine.book.profiles[PROFILE], **readings}
    plain = {"player": "weak", "foe": "mid", "player_bot": "plain", "foe_bot": "plain", "stage": 7, "gap": 0}
    duel = make_duel(engine, under, kits.filled({**plain, **changes}))
    solved = solve_duel(engine, duel, under)
    seen = sample(grow(engine, duel, under), count, seed=number + 1)
    assert solved.endless == 0
    # Where next to nobody wins, a single win is the least that can be seen.
    error = max((solved.win * solved.loss / count) ** 0.5, 1 / count)
    return Deviation(
        wins=(seen.ends[0] / count - solved.win) / error,
        rounds=(seen.rounds / count - solved.rounds) / (solved.variance / count) ** 0.5,
    )
