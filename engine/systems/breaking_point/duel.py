"""A battle of two (BP-7.20)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.procedures import Rules, invariant, procedure
from engine.systems.breaking_point.defence import Blow, Target, take_blow


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter(Target):
    """Somebody in a fight, with the power of each of his blows and what his item brings to it."""

    AP: int
    OFF: int | None = None


@dataclass(frozen=True, slots=True)
class Battle:
    """How a battle of two ended: who won, after how many turns, and how both stand then."""

    winner: str
    turns: int
    first: Fighter
    second: Fighter


@procedure
def battle(rules: Rules, first: Fighter, second: Fighter) -> Battle:
    """`first` strikes first, and both strike in turns until somebody dies or nothing can change any more."""
    fighters = {"first": enter(first), "second": enter(second)}
    turn = 0
    while not _dead(rules, fighters):
        round_began = dict(fighters)
        turn = _strike(rules, fighters, turn)
        first_kills = bool(_dead(rules, fighters))
        if not first_kills or rules.both_die(first_kills=True, second_kills=True):
            turn = _strike(rules, fighters, turn)
        if fighters == round_began:
            rules.step("a whole round changed nothing", "stalemate", "BP-8.15")
            return _ended("stalemate", turn, fighters)
    dead = _dead(rules, fighters)
    winner = "nobody" if len(dead) > 1 else next(side for side in fighters if side not in dead)
    return _ended(winner, turn, fighters)


def enter(fighter: Fighter) -> Fighter:
    """The fighter as the fight begins: its armour's first figure is remembered."""
    return dataclasses.replace(fighter, ARM_full=fighter.when_new)


def after(fighter: Fighter, blow: Blow) -> Fighter:
    """The fighter after a blow."""
    return dataclasses.replace(fighter, ARM=blow.ARM, HEL=blow.HEL)


def _strike(rules: Rules, fighters: dict[str, Fighter], turn: int) -> int:
    """One more turn; the number of it."""
    striker, target = rules.striker_of(turn=turn + 1), rules.defender_of(turn=turn + 1)
    rules.step(f"{striker} strikes {target}", fighters[striker].AP, "BP-7.3", turn=turn + 1)
    blow = take_blow(rules, fighters[striker].AP, fighters[striker].OFF, fighters[target])
    fighters[target] = after(fighters[target], blow)
    return turn + 1


def _dead(rules: Rules, fighters: Mapping[str, Fighter]) -> list[str]:
    return [side for side, fighter in fighters.items() if rules.dies(HEL=fighter.HEL)]


def _ended(winner: str, turns: int, fighters: Mapping[str, Fighter]) -> Battle:
    return Battle(winner, turns, fighters["first"], fighters["second"])


@invariant(battle)
def nobody_gains_by_fighting(_rules: Rules, inputs: Mapping[str, Any], outcome: Battle) -> bool:
    """Nobody leaves a battle with more ARM or HEL than at its beginning."""
    pairs = ((inputs["first"], outcome.first), (inputs["second"], outcome.second))
    return all(left.ARM <= began.ARM and left.HEL <= began.HEL for began, left in pairs)


@invariant(battle)
def the_loser_is_dead_and_the_winner_is_not(rules: Rules, _inputs: Mapping[str, Any], outcome: Battle) -> bool:
    """The loser is dead and the winner is not; in a stalemate both live."""
    dead = (rules.dies(HEL=outcome.first.HEL), rules.dies(HEL=outcome.second.HEL))
    ends = {"first": (False, True), "second": (True, False), "nobody": (True, True), "stalemate": (False, False)}
    return bool(dead == ends[outcome.winner])
