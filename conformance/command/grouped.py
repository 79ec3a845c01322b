"""The outcomes of a call, grouped: which value comes of which readings, in the fewest words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.readings import Outcome
from engine.values import same

Readings = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Group:
    """One value, and each combination of readings that leads to it."""

    value: Any
    ways: tuple[Readings, ...]
    example: Outcome


def grouped(outcomes: Sequence[Outcome], readings: Mapping[str, Sequence[str]]) -> list[Group]:
    """The different values in the order in which they were met.

    `readings` lists those of each question: a question all of whose readings lead to the same is left out.
    """
    groups: list[tuple[Outcome, list[dict[str, str]]]] = []
    for outcome in outcomes:
        ways = next((ways for first, ways in groups if same(first.value, outcome.value)), None)
        if ways is None:
            groups.append((outcome, [dict(outcome.readings)]))
        else:
            ways.append(dict(outcome.readings))
    return [Group(first.value, tuple(merged(ways, readings)), first) for first, ways in groups]


def merged(ways: list[dict[str, str]], readings: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """The same ways in fewer words: those that differ in one question only, and list all its readings, become one."""
    kept = {tuple(sorted(way.items())): None for way in ways}
    shrunk = True
    while shrunk:
        shrunk = False
        for question, known in readings.items():
            families: dict[tuple[tuple[str, str], ...], set[str]] = {}
            for way in kept:
                chosen = dict(way).get(question)
                if chosen is not None:
                    families.setdefault(tuple(pair for pair in way if pair[0] != question), set()).add(chosen)
            for rest, chosen_readings in families.items():
                if chosen_readings >= set(known):
                    for reading in chosen_readings:
                        del kept[tuple(sorted((*rest, (question, reading))))]
                    kept[rest] = None
                    shrunk = True
    # A way that says less holds for all that say more.
    plain = [dict(way) for way in kept]
    return [way for way in plain if not any(other != way and other.items() <= way.items() for other in plain)]
