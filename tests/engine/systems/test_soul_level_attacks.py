"""Soul Level: attacks, instants and Supremes, from the call to the wound."""

import dataclasses
from fractions import Fraction
from typing import Any

import pytest

from engine.errors import ScriptError
from engine.procedures import Rules
from engine.systems import soul_level as soul
from engine.systems.soul_level import attacks
from tests.engine.systems.soul_table import ENGINE, FOE, HERO, PLAIN, chance_of, play, value


def test_damage_of_the_printed_blow_over_all_faces():
    found = chance_of(lambda rules: soul.attack(rules, "melee", HERO, FOE).damage)
    # 50 × 5 − 10 × 5, doubled on five faces; 17 faces miss.
    assert found == {400: Fraction(5, 100), 200: Fraction(78, 100), 0: Fraction(17, 100)}


def test_an_active_dodge_halves_the_printed_chance():
    dodging = dataclasses.replace(FOE, dodging=True)
    found = chance_of(lambda rules: soul.attack(rules, "melee", HERO, dodging).hit, {**PLAIN, "Q42": "floor"})
    assert found == {True: Fraction(41, 100), False: Fraction(59, 100)}  # 41⅔, cut


def test_death_touch_from_the_call_to_the_paralysis():
    caster = attacks.Attacker(FOR=2, VEL=2, INT=40, ESP=7)
    target = attacks.Target(VEL=2, RES=2, RSOB=25, HP=300, HP_max=300)
    power = attacks.Power(damage=200, duration=2)

    def touch(rules: Rules) -> tuple[int, int, Any]:
        made = soul.instant_attack(rules, "magic", caster, target, power)
        return made.damage, made.HP, made.duration

    assert chance_of(touch) == {(0, 300, 0): Fraction(31, 100), (75, 225, 1): Fraction(69, 100)}
    assert value("percent_through", original=200, final=75) == Fraction(75, 2)


@pytest.mark.parametrize(
    ("damage", "final", "rounds", "penalty"),
    [(125, 0, 0, 0), (126, 1, 1, -10), (249, 124, 1, -10), (250, 125, 1, -10), (251, 126, 2, -20), (275, 150, 2, -20)],
)
def test_what_is_left_of_an_effect(damage, final, rounds, penalty):
    given = {
        "instant_kind": "magic",
        "attacker": {"FOR": 2, "VEL": 2, "INT": 40, "ESP": 7},
        "target": {"VEL": 2, "RES": 2, "RSOB": 25, "HP": 300, "HP_max": 300},
        "power": {"damage": damage, "duration": 2, "intensity": -20},
    }
    made = play("instant_attack", given, [32])
    assert (made.damage, made.duration, made.intensity) == (final, rounds, penalty)


def test_an_instant_without_a_figure_takes_the_general_formula_or_none():
    given = {
        "instant_kind": "spirit",
        "attacker": {"FOR": 2, "VEL": 2, "INT": 7, "ESP": 40, "soul_level": 3},
        "target": {"VEL": 2, "RES": 2, "RSOB": 40, "HP": 900, "HP_max": 900},
        "power": {"duration": 2},
    }
    made = play("instant_attack", given, [51])
    assert (made.original, made.damage, made.duration) == (430, 230, 2)  # 43 × 10, less 200; more than half
    made = play("instant_attack", given, [51], Q59="none", Q54="whole")
    assert (made.damage, made.duration) == (0, 2)
    made = play("instant_attack", given, [51], Q59="none", Q54="void")
    assert (made.damage, made.duration) == (0, 0)


def test_targets_that_make_no_test():
    target = {"VEL": 2, "RES": 2, "RSOB": 25, "HP": 300, "HP_max": 300}
    given = {
        "instant_kind": "magic",
        "attacker": {"FOR": 2, "VEL": 2, "INT": 40, "ESP": 7},
        "target": {**target, "willing": True},
        "power": {"damage": 200},
    }
    assert play("instant_attack", given, [], Q62="may-forgo").damage == 75
    assert play("instant_attack", given, [31], Q62="always").resisted
    down = {**given, "target": {**target, "HP": 0}}
    assert play("instant_attack", down, [], Q61="never").HP == -75
    assert play("instant_attack", down, [31], Q61="as-always").resisted


def test_a_disastrous_resistance_may_double_the_damage():
    given = {
        "instant_kind": "magic",
        "attacker": {"FOR": 2, "VEL": 2, "INT": 40, "ESP": 7},
        "target": {"VEL": 2, "RES": 2, "RSOB": 25, "HP": 300, "HP_max": 300},
        "power": {"damage": 200, "duration": 2},
    }
    made = play("instant_attack", given, [96], Q60="doubled")
    assert (made.damage, made.HP, made.duration) == (150, 150, 1)  # the effect follows the 75
    assert play("instant_attack", given, [95], Q60="doubled").damage == 75
    assert play("instant_attack", given, [96], Q60="nothing-more").damage == 75


def test_a_poisoned_blade_that_scratches():
    given = {
        "aimed_kind": "melee",
        "attacker": dataclasses.asdict(HERO),
        "target": {**dataclasses.asdict(FOE), "RES": 30},
        "power": {"duration": 3, "intensity": -15},
    }
    # 250 − 150 = 100 is less than half.
    made = play("attack", given, [50], Q58="all-attacks", Q56="ceil", Q57="floor")
    assert (made.damage, made.duration, made.intensity) == (100, 2, -8)
    made = play("attack", given, [50], Q58="all-attacks", Q55="intensity", Q57="ceil")
    assert (made.duration, made.intensity) == (3, -7)
    made = play("attack", given, [50], Q58="instants-only")
    assert (made.duration, made.intensity) == (3, -15)
    assert play("attack", given, [99]).duration == 0


def test_a_supreme_once_a_day():
    given = {
        "ESP": 40,
        "target": {"VEL": 2, "RES": 2, "RSOB": 25, "HP": 900, "HP_max": 900},
        "supreme": {"power": {"damage": 600, "duration": 2}, "ignores_mitigation": False},
    }
    made = play("supreme_attack", given, [32], Q81="reduced")
    assert (made.damage, made.HP, made.duration) == (475, 425, 2)
    late = {**given, "since": {"hours": 23, "long_rest_since": True, "date_changed": False}}
    assert not play("supreme_attack", late, [], Q99="calendar").allowed
    assert not play("supreme_attack", late, [], Q99="24-hours").allowed
    assert play("supreme_attack", late, [32], Q99="long-rest").damage == 475


def test_the_printed_blow_is_logged_from_the_roll_to_the_wound():
    given = {"aimed_kind": "melee", "attacker": dataclasses.asdict(HERO), "target": dataclasses.asdict(FOE)}
    answer = ENGINE.ask("attack", given, rolls=[83], under=PLAIN, traced=True)
    steps = [step for step in answer.outcomes[0].steps if step.depth == 0]
    assert [step.name for step in steps] == [
        *("attack_A", "target_DEF", "band", "success_chance", "roll", "roll_result"),
        *("base_damage", "mitigated_damage", "final_damage", "HP_after_damage", "condition"),
    ]
    assert [step.value for step in steps] == [50, 30, "rolled", 83, 83, "success", 250, 200, 200, 300, "up"]
    told = [step for step in answer.outcomes[0].steps if step.name != "roll"]
    assert all(step.clause in ENGINE.book.clauses for step in told)


@pytest.mark.parametrize(
    ("rolls", "problem"), [([], "too short"), ([83, 1], "too long"), ([101], "a d100 shows"), ([0], "a d100 shows")]
)
def test_an_attack_takes_exactly_the_rolls_that_it_needs(rolls, problem):
    given = {"aimed_kind": "melee", "attacker": dataclasses.asdict(HERO), "target": dataclasses.asdict(FOE)}
    with pytest.raises(ScriptError, match=problem):
        play("attack", given, rolls)


def test_a_dodge_helps_against_skills_until_the_own_next_turn():
    hero = soul.Combatant("hero", "heroes", VEL=20, dodging=True)
    foe = soul.Combatant("foe", class_names=("Warrior",), FOR=44, VEL=20)

    def lands_after(*turns: str) -> dict[bool, Fraction]:
        def lands(rules: Rules) -> bool:
            state = soul.FightState((hero, foe))
            for who in turns:
                state = soul.start_turn(rules, state, who).state
            used = soul.use_skill(rules, state, "foe", "Power Attack", ("hero",))
            return used.results[0].test in ("success", "critical success")

        return chance_of(lands)

    # 64 against 80, then against 40.
    assert lands_after() == lands_after("foe") == {True: Fraction(40, 100), False: Fraction(60, 100)}
    assert lands_after("foe", "hero") == {True: Fraction(80, 100), False: Fraction(20, 100)}
