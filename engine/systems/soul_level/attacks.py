"""Attacks from the first roll to the wound: aimed ones, instants, and Supremes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.procedures import Rules, invariant, procedure
from engine.systems.soul_level.contests import Contest, opposition_test, rolled_test

Number = int | Fraction

# --- Who and with what -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attacker:
    """What of an attacker enters an attack."""

    FOR: int
    VEL: int
    INT: int
    ESP: int
    soul_level: int = 1


@dataclass(frozen=True, slots=True)
class Target:
    """What of a target enters an attack. `willing`: wants what is done to it."""

    VEL: int
    RES: int
    RSOB: int
    HP: int
    HP_max: int
    dodging: bool = False
    willing: bool = False


@dataclass(frozen=True, slots=True)
class Power:
    """What an attack does of its own: its damage, where it is not the general formula's, and a secondary effect."""

    damage: int | None = None
    duration: int = 0
    intensity: int = 0


@dataclass(frozen=True, slots=True)
class Supreme:
    """What the class says of a Supreme: its damage and effect, and whether it ignores mitigation."""

    power: Power
    ignores_mitigation: bool = True


@dataclass(frozen=True, slots=True)
class SinceLastUse:
    """The time since a Supreme was used last."""

    hours: int
    long_rest_since: bool
    date_changed: bool


PLAIN = Power()

# --- Outcomes ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attack:
    """An aimed attack; `original` is its damage before mitigation."""

    A: int
    DEF: int
    chance: int
    result: str
    hit: bool
    HP: int
    condition: str
    original: int = 0
    damage: int = 0
    duration: Number = 0
    intensity: Number = 0


@dataclass(frozen=True, slots=True)
class Instant:
    """An instant: the chance to resist it, whether it was resisted, and what it did."""

    chance: int
    resisted: bool
    HP: int
    condition: str
    original: int = 0
    damage: int = 0
    duration: Number = 0
    intensity: Number = 0


@dataclass(frozen=True, slots=True)
class SupremeUse:
    """A Supreme that was used, or refused."""

    allowed: bool
    HP: int
    condition: str
    chance: int = 0
    resisted: bool = False
    damage: int = 0
    duration: Number = 0
    intensity: Number = 0


# --- Procedures --------------------------------------------------------------------------


@procedure
def attack(rules: Rules, aimed_kind: str, attacker: Attacker, target: Target, power: Power = PLAIN) -> Attack:
    """An attack that can be dodged (SOUL-5.38)."""
    A = rules.attack_A(aimed_kind=aimed_kind, FOR=attacker.FOR, VEL=attacker.VEL, INT=attacker.INT, ESP=attacker.ESP)
    DEF = rules.target_DEF(VEL=target.VEL, HP=target.HP, dodging=target.dodging)
    test: Contest = opposition_test(rules, A, DEF)
    if not test.success:
        rules.step("the attack misses", test.d100)
        return Attack(A, DEF, test.chance, test.result, test.success, target.HP, _condition(rules, target, target.HP))
    original = power.damage
    if original is None:
        original = rules.base_damage(
            aimed_kind=aimed_kind,
            FOR=attacker.FOR,
            VEL=attacker.VEL,
            INT=attacker.INT,
            ESP=attacker.ESP,
            soul_level=attacker.soul_level,
        )
    mitigated = rules.mitigated_damage(aimed_kind=aimed_kind, damage=original, RES=target.RES, RSOB=target.RSOB)
    critical = test.result == "critical success"
    damage = rules.final_damage(mitigated=mitigated, critical=critical)

    def share() -> Any:
        final = rules.final_for_effects(mitigated=mitigated, critical=critical)
        return rules.effect_share_of(attack_kind=aimed_kind, original=original, final=final)

    duration, intensity = _left(rules, power, share)
    HP = rules.HP_after_damage(HP=target.HP, damage=damage)
    return Attack(
        A,
        DEF,
        test.chance,
        test.result,
        test.success,
        HP,
        _condition(rules, target, HP),
        original,
        damage,
        duration,
        intensity,
    )


@procedure
def instant_attack(
    rules: Rules, instant_kind: str, attacker: Attacker, target: Target, power: Power = PLAIN
) -> Instant:
    """An attack that nobody can dodge, and everybody may resist (SOUL-4.63)."""
    DIF = rules.resist_DIF(instant_kind=instant_kind, INT=attacker.INT, ESP=attacker.ESP)
    chance, resisted, badly = _resistance(rules, target, DIF)
    if resisted:
        return Instant(chance, resisted, target.HP, _condition(rules, target, target.HP))
    original = power.damage
    if original is None:
        original = rules.instant_damage(
            instant_kind=instant_kind, INT=attacker.INT, ESP=attacker.ESP, soul_level=attacker.soul_level
        )
    mitigated = rules.instant_final(damage=original, RSOB=target.RSOB)
    damage = rules.final_damage(mitigated=mitigated, critical=badly)

    def share() -> Any:
        final = rules.final_for_effects(mitigated=mitigated, critical=badly)
        return rules.effect_share(original=original, final=final)

    duration, intensity = _left(rules, power, share)
    HP = rules.HP_after_damage(HP=target.HP, damage=damage)
    return Instant(chance, resisted, HP, _condition(rules, target, HP), original, damage, duration, intensity)


@procedure
def supreme_attack(
    rules: Rules, ESP: int, target: Target, supreme: Supreme, since: SinceLastUse | None = None
) -> SupremeUse:
    """A Supreme that harms one target (SOUL-5.62)."""
    unhurt = SupremeUse(allowed=False, HP=target.HP, condition=_condition(rules, target, target.HP))
    if since is not None and not rules.supreme_ready(
        hours=since.hours, long_rest_since=since.long_rest_since, date_changed=since.date_changed
    ):
        rules.step("the Supreme was used already", since.hours)
        return unhurt
    chance, resisted, badly = _resistance(rules, target, rules.supreme_DIF(ESP=ESP))
    if resisted:
        return dataclasses.replace(unhurt, allowed=True, chance=chance, resisted=resisted)
    original = supreme.power.damage or 0
    mitigated = rules.supreme_final(
        damage=original, RSOB=target.RSOB, resisted=resisted, ignores_mitigation=supreme.ignores_mitigation
    )
    damage = rules.final_damage(mitigated=mitigated, critical=badly)

    def share() -> Any:
        final = rules.final_for_effects(mitigated=mitigated, critical=badly)
        return rules.supreme_share(original=original, final=final)

    duration, intensity = _left(rules, supreme.power, share)
    HP = rules.HP_after_damage(HP=target.HP, damage=damage)
    return SupremeUse(
        allowed=True,
        HP=HP,
        condition=_condition(rules, target, HP),
        chance=chance,
        damage=damage,
        duration=duration,
        intensity=intensity,
    )


def _resistance(rules: Rules, target: Target, DIF: int) -> tuple[int, bool, bool]:
    """The chance to resist, whether the target does, and whether it fails so badly that damage is doubled."""
    if not rules.test_is_asked(willing=target.willing):
        rules.step("a willing target makes no test", 0)
        return 0, False, False
    if not rules.resists_unconscious(HP=target.HP):
        rules.step("an unconscious target makes no test", 0)
        return 0, False, False
    A = rules.resist_A(RSOB=target.RSOB)
    banded = rules.band(A=A, DEF=DIF) != "rolled" and not rules.bands_hold_for_resistance()
    test = rolled_test(rules, A, DIF) if banded else opposition_test(rules, A, DIF)
    return test.chance, test.success, not test.success and rules.instant_factor(d100=test.d100) > 1


def _left(rules: Rules, power: Power, share: Callable[[], Number]) -> tuple[Number, Number]:
    """Duration and intensity that are left of an effect: all, half or nothing (SOUL-4.44 to SOUL-4.50)."""
    if not (power.duration or power.intensity):
        return 0, 0
    kept = share()
    if kept == 0:
        return 0, 0
    duration: Number = power.duration
    intensity: Number = power.intensity
    if kept < 1:
        has = {"has_duration": power.duration != 0, "has_intensity": power.intensity != 0}
        if rules.halves(measure="duration", **has):
            duration = rules.half_duration(duration=duration)
        if rules.halves(measure="intensity", **has):
            intensity = rules.half_intensity(intensity=intensity)
    return duration, intensity


def _condition(rules: Rules, target: Target, HP: int) -> str:
    condition: str = rules.condition(HP=HP, maximum=target.HP_max)
    return condition


# --- What must hold ----------------------------------------------------------------------


@invariant(attack)
def a_miss_leaves_the_target_as_it_was(rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """A missed attack takes no hit points and leaves no effect."""
    left = (outcome.original, outcome.damage, outcome.HP, outcome.duration, outcome.intensity)
    return outcome.hit or left == (0, 0, inputs["target"].HP, 0, 0)


@invariant(attack)
def no_more_is_lost_than_damage_is_done(rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """Damage is never negative, and the hit points lost are the damage or what was left above nothing."""
    before: int = inputs["target"].HP
    return outcome.damage >= 0 and outcome.HP in (before - outcome.damage, min(before, 0))


@invariant(attack)
def only_a_critical_hit_doubles(rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """Without a critical success no more arrives than was dealt, with one no more than twice as much."""
    most = outcome.original * (2 if outcome.result == "critical success" else 1)
    return outcome.damage <= most


@invariant(attack)
def effects_never_grow(rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """No effect is longer or heavier than the attack makes it."""
    power: Power = inputs.get("power", PLAIN)
    return bool(0 <= outcome.duration <= power.duration and 0 >= outcome.intensity >= power.intensity)


@invariant(instant_attack)
def who_resists_suffers_nothing(rules: Rules, inputs: Mapping[str, Any], outcome: Instant) -> bool:
    """A resisted instant does no damage and leaves no effect."""
    left = (outcome.damage, outcome.HP, outcome.duration, outcome.intensity)
    return not outcome.resisted or left == (0, inputs["target"].HP, 0, 0)


@invariant(instant_attack)
def an_instant_heals_nobody(rules: Rules, inputs: Mapping[str, Any], outcome: Instant) -> bool:
    """Damage is never negative, and takes hit points as far as it goes."""
    before: int = inputs["target"].HP
    return outcome.damage >= 0 and outcome.HP in (before - outcome.damage, min(before, 0))


@invariant(instant_attack)
def an_instant_effect_never_grows(rules: Rules, inputs: Mapping[str, Any], outcome: Instant) -> bool:
    """No effect is longer or heavier than the instant makes it."""
    power: Power = inputs.get("power", PLAIN)
    return bool(0 <= outcome.duration <= power.duration and 0 >= outcome.intensity >= power.intensity)


@invariant(supreme_attack)
def a_refused_supreme_does_nothing(rules: Rules, inputs: Mapping[str, Any], outcome: SupremeUse) -> bool:
    """A Supreme that is refused or resisted does no damage."""
    works = outcome.allowed and not outcome.resisted
    return works or (outcome.damage, outcome.HP) == (0, inputs["target"].HP)


@invariant(supreme_attack)
def a_supreme_does_no_more_than_it_says(rules: Rules, inputs: Mapping[str, Any], outcome: SupremeUse) -> bool:
    """Mitigation only lessens a Supreme, and where it is ignored a failed test lets everything in, doubled perhaps."""
    supreme: Supreme = inputs["supreme"]
    whole = supreme.power.damage or 0
    if outcome.allowed and not outcome.resisted and supreme.ignores_mitigation:
        return outcome.damage in (whole, 2 * whole)
    return 0 <= outcome.damage <= 2 * whole
