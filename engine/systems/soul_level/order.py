"""The order of actions: by speed, and by dice where speeds are equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine.errors import CallError
from engine.procedures import Rules, invariant, procedure


@dataclass(frozen=True, slots=True)
class Combatant:
    """Somebody who takes a place in the order. `team`: left out, a side of his own."""

    name: str
    VEL: int
    team: Literal["", "heroes", "foes"] = ""


@dataclass(frozen=True, slots=True)
class Order:
    """Places in the order of actions, by name; those in one place act together."""

    order: tuple[tuple[str, ...], ...]
    dice: int


@procedure
def initiative(rules: Rules, combatants: tuple[Combatant, ...]) -> Order:
    """Who acts before whom (SOUL-5.6)."""
    names = [combatant.name for combatant in combatants]
    if len(set(names)) < len(names):
        raise CallError("two combatants with one name", "give each a name of their own")
    order: list[tuple[str, ...]] = []
    dice = 0
    for VEL in sorted({combatant.VEL for combatant in combatants}, reverse=True):
        tied = [combatant for combatant in combatants if combatant.VEL == VEL]
        places, thrown = _places(rules, tied)
        order += places
        dice += thrown
    rules.step("order of actions", len(order))
    return Order(tuple(order), dice)


def _places(rules: Rules, tied: list[Combatant]) -> tuple[list[tuple[str, ...]], int]:
    """The places of those who are equally fast, and how many dice it took."""
    parties = _parties(rules, tied)
    if len(parties) == 1:
        return [tuple(combatant.name for combatant in tied)], 0
    thrown = [rules.roll("d100") for _ in parties]
    dice = len(thrown)
    places: list[tuple[str, ...]] = []
    for shown in sorted(set(thrown), reverse=True):
        level = [party for party, number in zip(parties, thrown, strict=True) if number == shown]
        members = [combatant for party in level for combatant in party]
        if len(level) > 1 and rules.first_of_tie(d100=shown, other_d100=shown) == "roll again":
            more, again = _places(rules, members)
            places += more
            dice += again
        else:
            places.append(tuple(combatant.name for combatant in members))
    return places, dice


def _parties(rules: Rules, tied: list[Combatant]) -> list[list[Combatant]]:
    """Who throws one die together: each combatant alone, or all of one side (SOUL-Q107)."""
    sides: dict[tuple[str, str], list[Combatant]] = {}
    for combatant in tied:
        sides.setdefault((combatant.team, "" if combatant.team else combatant.name), []).append(combatant)
    if len(sides) == len(tied) or rules.reading("Q107") == "each-combatant":
        return [[combatant] for combatant in tied]
    return list(sides.values())


# --- What must hold ----------------------------------------------------------------------


@invariant(initiative)
def everybody_has_one_place(rules: Rules, inputs: Mapping[str, Any], outcome: Order) -> bool:
    """Everybody stands in the order exactly once."""
    placed = sorted(name for place in outcome.order for name in place)
    return placed == sorted(combatant.name for combatant in inputs["combatants"])


@invariant(initiative)
def nobody_slower_acts_first(rules: Rules, inputs: Mapping[str, Any], outcome: Order) -> bool:
    """Nobody acts before somebody faster, and those who act together are equally fast."""
    VEL = {combatant.name: combatant.VEL for combatant in inputs["combatants"]}
    speeds = [[VEL[name] for name in place] for place in outcome.order]
    firsts = [place[0] for place in speeds]
    return firsts == sorted(firsts, reverse=True) and all(len(set(place)) == 1 for place in speeds)


@invariant(initiative)
def only_ties_are_rolled(rules: Rules, inputs: Mapping[str, Any], outcome: Order) -> bool:
    """Without a tie there is no die, with one at least a die for each side of it."""
    sides: dict[int, set[str]] = {}
    for combatant in inputs["combatants"]:
        sides.setdefault(combatant.VEL, set()).add(combatant.team or f"{combatant.name} alone")
    least = sum(len(tied) for tied in sides.values() if len(tied) > 1)
    ties = len(sides) < len(inputs["combatants"])
    return outcome.dice >= least if ties else outcome.dice == 0
