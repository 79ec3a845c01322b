"""A table at which Soul Level is played: calls under a profile, and what comes of them over every face of the dice."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.book.load import load_book
from engine.duel.outcomes import outcomes
from engine.readings import Engine
from engine.systems.soul_level import attacks

ENGINE = Engine(load_book(Path(__file__).parents[3] / "spec" / "soul_level"))
PLAIN = ENGINE.book.profiles["plain"]

HUMAN = dict.fromkeys(("FOR", "VEL", "INT", "RES", "RSOB", "ESP", "VIT"), 2)
MAGE = {"VIT": 8, "ESP": 20, "RSOB": 10, "RES": 2, "INT": 20, "VEL": 2, "FOR": 2}

HERO = attacks.Attacker(FOR=30, VEL=20, INT=2, ESP=2)
FOE = attacks.Target(VEL=15, RES=10, RSOB=2, HP=500, HP_max=500)


def play(
    name: str, given: Mapping[str, Any], rolls: Sequence[int] = (), profile: Mapping[str, str] = PLAIN, **under: str
) -> Any:
    """The one outcome of a call, under a profile that `under` changes."""
    return ENGINE.ask(name, given, rolls=list(rolls), under={**profile, **under}).value


def value(name: str, under: Mapping[str, str] | None = None, /, **given: Any) -> Any:
    return ENGINE.ask(name, given, under=under).value


def chance_of(answers: Any, under: Mapping[str, str] = PLAIN) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = outcomes(ENGINE, answers, under)
    return found
