"""The two kinds of test: an attribute against a requirement, and two values against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.procedures import Rules, invariant, procedure

SUCCESSES = ("success", "critical success")


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest: its band, the chance (100 or 0 where it is automatic), the result, and the die, 0 for none."""

    band: str
    chance: int
    result: str
    success: bool
    d100: int


@dataclass(frozen=True, slots=True)
class Task:
    """A requirement task: the chance (100 or 0 where it is automatic), and what came of it."""

    success: bool
    chance: int
    result: str


@procedure
def requirement_task(rules: Rules, value: int, RA: int) -> Task:
    """An attribute against a requirement (SOUL-4.6)."""
    if rules.requirement_met(value=value, RA=RA):
        rules.step("the requirement is met", value)
        return Task(success=True, chance=100, result="success")
    chance = rules.requirement_chance(value=value, RA=RA)
    if chance:
        result = rules.roll_result(d100=rules.roll("d100"), chance=chance)
    else:
        result, _ = _outright(rules, succeeds=False)
    return Task(result in SUCCESSES, chance, result)


@procedure
def opposition_test(rules: Rules, A: int, DEF: int) -> Contest:
    """Two values against each other (SOUL-4.22)."""
    band = rules.band(A=A, DEF=DEF)
    if band == "rolled":
        return rolled_test(rules, A, DEF)
    succeeds = band == "automatic success"
    result, d100 = _outright(rules, succeeds=succeeds)
    return Contest(band, 100 if succeeds else 0, result, result in SUCCESSES, d100)


def rolled_test(rules: Rules, A: int, DEF: int) -> Contest:
    """A contest in which a die decides, whatever the band."""
    chance = rules.success_chance(A=A, DEF=DEF)
    d100 = rules.roll("d100")
    result = rules.roll_result(d100=d100, chance=chance)
    return Contest("rolled", chance, result, result in SUCCESSES, d100)


def _outright(rules: Rules, *, succeeds: bool) -> tuple[str, int]:
    """An automatic outcome, and the die, where one is thrown all the same."""
    d100 = rules.roll("d100") if rules.outright_dice(succeeds=succeeds) else 0
    # Without a die there is nothing critical: 50 stands for a number that is neither high nor low.
    result: str = rules.outright_result(succeeds=succeeds, d100=d100 or 50)
    return result, d100


@invariant(requirement_task)
def met_requirements_never_fail(rules: Rules, inputs: Mapping[str, Any], outcome: Task) -> bool:
    """Whoever meets the requirement succeeds; whoever does not has a chance of 95 at most."""
    if inputs["value"] >= inputs["RA"]:
        return outcome == Task(success=True, chance=100, result="success")
    return bool(outcome.chance <= rules.greatest_chance())


@invariant(requirement_task)
def a_task_without_a_chance_fails(rules: Rules, inputs: Mapping[str, Any], outcome: Task) -> bool:
    """No chance, no success, and a result that says the same as the truth value."""
    agrees = outcome.success == (outcome.result in SUCCESSES)
    return agrees and (outcome.chance > 0 or not outcome.success)


@invariant(opposition_test)
def the_die_agrees_with_the_chance(rules: Rules, inputs: Mapping[str, Any], outcome: Contest) -> bool:
    """A rolled contest succeeds exactly where the die is at most the chance, and its chance is 5 to 95."""
    if outcome.band != "rolled":
        return outcome.chance in (0, 100)
    within = bool(rules.least_chance() <= outcome.chance <= rules.greatest_chance())
    return within and outcome.success == (outcome.d100 <= outcome.chance)


@invariant(opposition_test)
def only_a_success_is_a_critical_success(rules: Rules, inputs: Mapping[str, Any], outcome: Contest) -> bool:
    """Nothing is both a failure and a critical success; an automatic failure never succeeds."""
    agrees = outcome.success == (outcome.result in SUCCESSES)
    return agrees and not (outcome.success and outcome.band == "automatic failure")
