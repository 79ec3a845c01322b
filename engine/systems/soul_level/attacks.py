"""Attacks from the first roll to the wound: aimed ones, instants, and Supremes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.procedures import Rules, invariant, procedure
from engine.systems.soul_level.contests import Contest, opposition_test, rolled_test

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
    """What the class says of a Supreme: its damage, whether it ignores mitigation, and its effect."""

    damage: int
    ignores_mitigation: bool = True
    duration: int = 0
    intensity: int = 0


@dataclass(frozen=True, slots=True)
class SinceLastUse:
    """The time since a Supreme was used last."""

    hours: int
    long_rest_since: bool
    date_changed: bool


PLAIN = Power()

# --- Outcomes ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wound:
    """What arrives: the damage, the hit points and condition that it leaves, and what is left of the effect."""

    damage: int
    HP: int
    condition: str
    duration: Any = 0
    intensity: Any = 0


@dataclass(frozen=True, slots=True)
class Attack:
    """An aimed attack; `original` is its damage before mitigation."""

    A: int
    DEF: int
    chance: int
    result: str
    hit: bool
    original: int
    damage: int
    HP: int
    condition: str
    duration: Any
    intensity: Any


@dataclass(frozen=True, slots=True)
class Instant:
    """An instant: the chance to resist it, whether it was resisted, and what it did."""

    chance: int
    resisted: bool
    original: int
    damage: int
    HP: int
    condition: str
    duration: Any
    intensity: Any


@dataclass(frozen=True, slots=True)
class SupremeUse:
    """A Supreme that was used, or refused."""

    allowed: bool
    chance: int
    resisted: bool
    damage: int
    HP: int
    condition: str
    duration: Any
    intensity: Any


# --- Procedures --------------------------------------------------------------------------


@procedure
def attack(rules: Rules, aimed_kind: str, attacker: Attacker, target: Target, power: Power = PLAIN) -> Attack:
    """An attack that can be dodged (SOUL-5.38)."""
    A = rules.attack_A(aimed_kind=aimed_kind, FOR=attacker.FOR, VEL=attacker.VEL, INT=attacker.INT, ESP=attacker.ESP)
    DEF = rules.target_DEF(VEL=target.VEL, HP=target.HP, dodging=target.dodging)
    test: Contest = opposition_test(rules, A, DEF)
    if not test.success:
        rules.step("the attack misses", test.d100)
        missed = _unhurt(rules, target)
        return Attack(A, DEF, test.chance, test.result, test.success, 0, 0, missed.HP, missed.condition, 0, 0)
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
    damage = rules.final_damage(mitigated=mitigated, critical=test.result == "critical success")
    share = 1
    if power.duration or power.intensity:
        share = rules.effect_share_of(attack_kind=aimed_kind, original=original, final=damage)
    wound = _wound(rules, target, damage, (power.duration, power.intensity), share)
    return Attack(
        A,
        DEF,
        test.chance,
        test.result,
        test.success,
        original,
        damage,
        wound.HP,
        wound.condition,
        wound.duration,
        wound.intensity,
    )


@procedure
def instant_attack(
    rules: Rules, instant_kind: str, attacker: Attacker, target: Target, power: Power = PLAIN
) -> Instant:
    """An attack that nobody can dodge, and everybody may resist (SOUL-4.63)."""
    DIF = rules.resist_DIF(instant_kind=instant_kind, INT=attacker.INT, ESP=attacker.ESP)
    chance, resisted, d100 = _resistance(rules, target, DIF)
    if resisted:
        safe = _unhurt(rules, target)
        return Instant(chance, resisted, 0, safe.damage, safe.HP, safe.condition, safe.duration, safe.intensity)
    original = power.damage
    if original is None:
        original = rules.instant_damage(
            instant_kind=instant_kind, INT=attacker.INT, ESP=attacker.ESP, soul_level=attacker.soul_level
        )
    final = rules.instant_final(damage=original, RSOB=target.RSOB)
    share = 1
    if power.duration or power.intensity:
        share = rules.effect_share(original=original, final=final)
    doubled = d100 > 0 and rules.instant_factor(d100=d100) > 1
    damage = rules.final_damage(mitigated=final, critical=doubled)
    wound = _wound(rules, target, damage, (power.duration, power.intensity), share)
    return Instant(chance, resisted, original, damage, wound.HP, wound.condition, wound.duration, wound.intensity)


@procedure
def supreme_attack(
    rules: Rules, ESP: int, target: Target, supreme: Supreme, since: SinceLastUse | None = None
) -> SupremeUse:
    """A Supreme that harms one target (SOUL-5.62)."""
    if since is not None and not rules.supreme_ready(
        hours=since.hours, long_rest_since=since.long_rest_since, date_changed=since.date_changed
    ):
        rules.step("the Supreme was used already", since.hours)
        kept = _unhurt(rules, target)
        return SupremeUse(
            allowed=False,
            chance=0,
            resisted=False,
            damage=kept.damage,
            HP=kept.HP,
            condition=kept.condition,
            duration=0,
            intensity=0,
        )
    chance, resisted, _ = _resistance(rules, target, rules.supreme_DIF(INT=0, ESP=ESP))
    damage = rules.supreme_final(
        damage=supreme.damage,
        RSOB=target.RSOB,
        resisted=resisted,
        ignores_mitigation=supreme.ignores_mitigation,
    )
    effect = (0, 0) if resisted else (supreme.duration, supreme.intensity)
    share = rules.supreme_share(original=supreme.damage, final=damage) if any(effect) else 1
    wound = _wound(rules, target, damage, effect, share)
    return SupremeUse(
        allowed=True,
        chance=chance,
        resisted=resisted,
        damage=damage,
        HP=wound.HP,
        condition=wound.condition,
        duration=wound.duration,
        intensity=wound.intensity,
    )


def _resistance(rules: Rules, target: Target, DIF: int) -> tuple[int, bool, int]:
    """The chance to resist, whether the target does, and the die, 0 for none."""
    if not rules.test_is_asked(willing=target.willing):
        rules.step("a willing target makes no test", 0)
        return 0, False, 0
    if not rules.resists_unconscious(HP=target.HP):
        rules.step("an unconscious target makes no test", 0)
        return 0, False, 0
    A = rules.resist_A(RSOB=target.RSOB)
    in_a_band = rules.band(A=A, DEF=DIF) != "rolled"
    always = in_a_band and not rules.bands_hold_for_resistance()
    test = rolled_test(rules, A, DIF) if always else opposition_test(rules, A, DIF)
    return test.chance, test.success, test.d100


def _unhurt(rules: Rules, target: Target) -> Wound:
    return Wound(0, target.HP, rules.condition(HP=target.HP, maximum=target.HP_max))


def _wound(rules: Rules, target: Target, damage: int, effect: tuple[int, int], share: Any) -> Wound:
    """Hit points, condition and effect after a hit (SOUL-2.5, SOUL-2.4, SOUL-4.44 to SOUL-4.50)."""
    HP = rules.HP_after_damage(HP=target.HP, damage=damage)
    duration, intensity = effect
    if share not in (0, 1):
        has = {"has_duration": duration != 0, "has_intensity": intensity != 0}
        if rules.halves(measure="duration", **has):
            duration = rules.half_duration(duration=duration)
        if rules.halves(measure="intensity", **has):
            intensity = rules.half_intensity(intensity=intensity)
    elif share == 0:
        duration = intensity = 0
    condition = rules.condition(HP=HP, maximum=target.HP_max)
    rules.step("wound", damage, HP=HP, condition=condition)
    return Wound(damage, HP, condition, duration, intensity)


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
    """Mitigation only lessens a Supreme, and where it is ignored a failed test lets everything in."""
    supreme: Supreme = inputs["supreme"]
    if outcome.allowed and not outcome.resisted and supreme.ignores_mitigation:
        return outcome.damage == supreme.damage
    return 0 <= outcome.damage <= supreme.damage
