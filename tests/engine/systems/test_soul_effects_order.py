"""Effects of Soul Level that do not look at each other: which of two was laid on first changes nothing."""

import dataclasses
import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.book.load import load_book
from engine.dice import Pool
from engine.errors import Unspecified
from engine.readings import Engine
from engine.systems.soul_level import Choice, Combatant, Effect, FightState, Shape

ENGINE = Engine(load_book(Path(__file__).parents[3] / "spec" / "soul_level"))
PLAIN = ENGINE.book.profiles["plain"]
OTHERS = [
    {question.name: reading.id}
    for question in ENGINE.book.questions.values()
    for reading in question.readings
    if question.name in PLAIN and reading.id != PLAIN[question.name]
]
SKILLS = {name: record.fields for (kind, name), record in ENGINE.records.items() if kind == "skill"}
CLASSES = tuple(sorted({fields["class_name"] for fields in SKILLS.values()}))
LAYING = [name for name, fields in SKILLS.items() if "effect" in fields]
CHOICE = Choice(animal=Shape(FOR=9, VEL=9, RES=9))

# Who uses a skill, and on whom, so that its effect lies on ann.
WHO: dict[str, tuple[str, tuple[str, ...]]] = {
    "self": ("ann", ()),
    **dict.fromkeys(("ally", "allies"), ("bob", ("ann",))),
    **dict.fromkeys(("enemy", "enemies", "onlookers"), ("dot", ("ann",))),
}
ATTACKS = ("Devout Strike", "Basic Magic", "Soul Blade", "Seismic Blow")


class Shows:
    """A die that shows these faces one after another, and then the last one for ever."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self._faces = itertools.chain(faces, itertools.repeat(faces[-1]))

    def total(self, pool: Pool) -> int:
        return sum(next(self._faces) for _ in pool.sides) + pool.plus

    def finish(self) -> None:
        """As many rolls as the rules ask for."""


def asked(name: str, given: Mapping[str, Any], under: Mapping[str, str], faces: tuple[int, ...] = (50,)) -> Any:
    """The outcome of a call, "unspecified" where the text leaves something out."""
    try:
        return ENGINE.ask(name, given, rolls=lambda: Shows(faces), under=under).value
    except Unspecified:
        return "unspecified"


def sorted_out(outcome: Any) -> Any:
    """An outcome, with each fighter's effects in an order of their own."""
    if isinstance(outcome, str):
        return outcome
    ended = {"ended": tuple(sorted(outcome.ended))} if hasattr(outcome, "ended") else {}
    results = tuple(sorted(outcome.results, key=repr))
    fighters = tuple(
        dataclasses.replace(fighter, effects=tuple(sorted(fighter.effects, key=repr)))
        for fighter in outcome.state.fighters
    )
    return dataclasses.replace(outcome, results=results, state=FightState(fighters, outcome.state.round), **ended)


def start(*effects: Effect) -> FightState:
    """Ann and Bob against Dot, of every class, with attributes that leave each test to the die; effects lie on Ann."""
    body: dict[str, Any] = {"FOR": 20, "VEL": 16, "INT": 18, "RES": 12, "RSOB": 14, "ESP": 18, "VIT": 40}
    ann, bob, dot = (Combatant(name, "heroes", CLASSES, 12, **body, element="fire") for name in ("ann", "bob", "dot"))
    return FightState((dataclasses.replace(ann, effects=effects), bob, dataclasses.replace(dot, team="foes")))


def laid(skill: str) -> Effect | None:
    """The effect of the skill as it comes to lie on ann; None where the text leaves out what it takes."""
    user, on = WHO[SKILLS[skill]["target"]]
    given = {"state": start(), "user": user, "skill": skill, "on": on, "choice": CHOICE}
    hit_then_failed = (50, 95) if SKILLS[skill].get("aim") in ("melee", "magic", "spirit") else (95,)
    made = asked("use_skill", given, PLAIN, hit_then_failed)
    return None if isinstance(made, str) else made.state.of("ann").effects[-1]


def consequences(state: FightState, under: Mapping[str, str]) -> list[Any]:
    """What comes of attacks on ann, of attacks by ann, and of time."""
    uses = [(user, on, skill) for user, on in (("dot", "ann"), ("ann", "dot")) for skill in ATTACKS]
    calls: list[tuple[str, Mapping[str, Any]]] = [
        ("use_skill", {"state": state, "user": user, "skill": skill, "on": (on,)}) for user, on, skill in uses
    ]
    calls += [(name, {"state": state, "who": "ann"}) for name in ("start_turn", "end_turn")]
    calls.append(("end_round", {"state": state}))
    return [sorted_out(asked(name, given, under)) for name, given in calls]


EFFECTS = tuple(effect for skill in LAYING if (effect := laid(skill)) is not None)
PAIRS = tuple(itertools.combinations(EFFECTS, 2))


def test_only_what_the_text_prices_nowhere_lays_nothing():
    """So that the pairs below leave out no effect unnoticed."""
    assert set(LAYING) - {effect.skill for effect in EFFECTS} == {"Telekinesis", "Illusory Magic"}


@pytest.mark.parametrize("at", range(len(EFFECTS)), ids=[effect.skill for effect in EFFECTS])
def test_two_effects_in_either_order(at: int):
    """Under the plain readings, and under each other reading in turn: every one is met by one pair at least."""
    for number, (one, other) in enumerate(PAIRS):
        if one != EFFECTS[at]:
            continue
        for under in (PLAIN, {**PLAIN, **OTHERS[number % len(OTHERS)]}):
            first, second = consequences(start(one, other), under), consequences(start(other, one), under)
            assert first == second, (one.name, other.name)
