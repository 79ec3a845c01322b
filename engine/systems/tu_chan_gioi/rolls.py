"""The d20 core: one roll, and a check or save made with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.procedures import Rules, invariant, procedure
from engine.systems.tu_chan_gioi.states import Check, Dice


def d20(rules: Rules, advantages: int, disadvantages: int) -> Dice:
    """Rolls as many d20 as the mode asks for (TU-1.6 to TU-1.9)."""
    mode = rules.net_mode(advantages=advantages, disadvantages=disadvantages)
    count = rules.dice_rolled(advantages=advantages, disadvantages=disadvantages)
    dice = [rules.roll("d20") for _ in range(count)]
    # Of more than two dice the highest and the lowest are the two that matter.
    first, second = (dice[0], dice[-1]) if len(dice) < 3 else (max(dice), min(dice))
    return Dice(
        die=rules.kept_die(mode=mode, first=first, second=second),
        natural=rules.natural_die(mode=mode, first=first, second=second),
    )


# A check is written with its seven inputs (TU-1.24); one object for them would only hide them.
@procedure
def check(  # noqa: PLR0913, PLR0917
    rules: Rules, modifier: int, R: int, injuries: int, advantages: int, disadvantages: int, DC: int
) -> Check:
    """A check or a save (TU-1.24)."""
    rolled = rules.part(d20, advantages, disadvantages)
    total = rules.roll_total(die=rolled.die, modifier=modifier, R=R, injuries=injuries)
    margin = rules.margin_of(total=total, target=DC)
    return Check(
        die=rolled.die,
        natural=rolled.natural,
        total=total,
        margin=margin,
        success=rules.passes(natural=rolled.natural, margin=margin),
        degree=rules.degree(natural=rolled.natural, margin=margin),
    )


@invariant(check)
def a_degree_says_whether_it_succeeds(rules: Rules, inputs: Mapping[str, Any], outcome: Check) -> bool:
    """Success and degree agree."""
    return outcome.success == (outcome.degree in ("success", "critical success"))


@invariant(check)
def the_die_is_one_of_twenty(rules: Rules, inputs: Mapping[str, Any], outcome: Check) -> bool:
    """The die that is kept shows 1 to 20, and so does the natural one."""
    return 1 <= outcome.die <= 20 and 1 <= outcome.natural <= 20


@invariant(check)
def naturals_are_final(rules: Rules, inputs: Mapping[str, Any], outcome: Check) -> bool:
    """A natural 20 succeeds and a natural 1 fails, whatever the total."""
    return outcome.success == {20: True, 1: False}.get(outcome.natural, outcome.success)


@invariant(check)
def nothing_but_the_die_is_random(rules: Rules, inputs: Mapping[str, Any], outcome: Check) -> bool:
    """Total and margin follow from the die that is kept."""
    asked = {name: inputs[name] for name in ("modifier", "R", "injuries")}
    total = rules.roll_total(die=outcome.die, **asked)
    return bool(outcome.total == total and outcome.margin == total - inputs["DC"])
