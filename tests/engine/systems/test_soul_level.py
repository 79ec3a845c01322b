"""Soul Level beyond its cases: careers and fights worked out by hand, and chances found by counting faces."""

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from engine.book.load import load_book
from engine.duel.outcomes import outcomes
from engine.errors import CallError, DomainError, ScriptError, Undetermined, Unspecified
from engine.procedures import Rules, invariants_of
from engine.readings import Engine
from engine.systems import soul_level as soul
from engine.systems.soul_level import attacks, character, contests, dying, fight, order, progression, recovery, turns
from engine.systems.soul_level.announcement import Announcement

ENGINE = Engine(load_book(Path(__file__).parents[3] / "spec" / "soul_level"))
PLAIN = ENGINE.book.profiles["plain"]

HUMAN = dict.fromkeys(("FOR", "VEL", "INT", "RES", "RSOB", "ESP", "VIT"), 2)
UNNAMED = {
    "held": [{}],
    "soul_level": 9,
    "level_at_registration": 1,
    "unique_affinities": 9,
    "attributes": HUMAN,
}
MAGE = {"VIT": 8, "ESP": 20, "RSOB": 10, "RES": 2, "INT": 20, "VEL": 2, "FOR": 2}
FACES = range(1, 101)


def play(
    name: str, given: Mapping[str, Any], rolls: Sequence[int] = (), profile: Mapping[str, str] = PLAIN, **under: str
) -> Any:
    """The one outcome of a call, under a profile that `under` changes."""
    return ENGINE.ask(name, given, rolls=list(rolls), under={**profile, **under}).value


def value(name: str, under: Mapping[str, str] | None = None, /, **given: Any) -> Any:
    return ENGINE.ask(name, given, under=under).value


# --- A career ----------------------------------------------------------------------------


def test_a_human_becomes_a_mage_and_rises_twice():
    born = play("create_character", {"normal_human": True})
    assert (born.HP, born.M, born.SP) == (200, 100, 200)
    mage = play(
        "take_class",
        {"birth": HUMAN, "base_attributes": MAGE, "hand": {"HP": born.HP, "M": born.M, "SP": born.SP}},
    )
    # 8 × 100; 20 × 50 + 50; 20 × 100 + 50.
    assert (mage.HP_max, mage.M_max, mage.SP_max) == (800, 1050, 2050)
    # Unhurt before, and the maxima rise by 600, 950, 1850.
    assert (mage.HP, mage.M, mage.SP) == (800, 1050, 2050)

    # A rare monster of level 3 pays 100 × 1.44; 44 are left of it. Another one makes 188, and a step costs 120.
    enemies = [{"rank": "rare", "monster_level": 3}]
    first = play("award_sxp", {"soul_level": 1, "SXP": 0, "enemies": enemies})
    assert first.announcements == ("You gained 144 SXP. Current total: 144 / 100 to next level.",)
    assert (first.soul_level, first.SXP) == (2, 44)
    second = play("award_sxp", {"soul_level": 2, "SXP": 44, "enemies": enemies})
    assert (second.soul_level, second.SXP) == (3, 68)

    attributes = {name: getattr(mage, name) for name in HUMAN}
    hand = {"HP": 300, "M": 0, "SP": 50}
    risen = play("level_up", {"character": {"attributes": attributes, "soul_level": 1, "SXP": 144, "hand": hand}}).sheet
    # 8 → 12, 20 → 30, 10 → 15, 2 → 3; the maxima are 1200, 1600, 3100 and rise by 400, 550, 1050.
    assert (risen.VIT, risen.ESP, risen.RSOB, risen.FOR) == (12, 30, 15, 3)
    assert (risen.HP, risen.M, risen.SP) == (700, 550, 1100)
    attributes = {name: getattr(risen, name) for name in HUMAN}
    hand = {"HP": risen.HP, "M": risen.M, "SP": risen.SP}
    again = play("level_up", {"character": {"attributes": attributes, "soul_level": 2, "SXP": 188, "hand": hand}}).sheet
    # 12 → 18, 30 → 45, 15 → 22.5 rounded up, 3 → 4.5 rounded up; 45 × 50 + 150, 45 × 100 + 150.
    assert (again.soul_level, again.SXP, again.RSOB, again.FOR) == (3, 68, 23, 5)
    assert (again.HP_max, again.M_max, again.SP_max) == (1800, 2400, 4650)


def test_two_levels_in_one_award_are_the_same_as_one_after_the_other():
    hand = {"HP": 500, "M": 10, "SP": 0}
    both = play("level_up", {"character": {"attributes": MAGE, "soul_level": 1, "SXP": 230, "hand": hand}})
    one = play("level_up", {"character": {"attributes": MAGE, "soul_level": 1, "SXP": 230, "hand": hand}}, Q24="one")
    then = {
        "attributes": {name: getattr(one.sheet, name) for name in HUMAN},
        "soul_level": 2,
        "SXP": one.sheet.SXP,
        "hand": {"HP": one.sheet.HP, "M": one.sheet.M, "SP": one.sheet.SP},
    }
    other = play("level_up", {"character": then}, Q24="one")
    assert (both.rises, one.rises, other.rises) == (2, 1, 1)
    assert both.sheet == other.sheet


def test_growth_from_the_start_forgets_what_was_rounded_before():
    start = {**HUMAN, "FOR": 3}
    grown = {**HUMAN, "FOR": 5}
    hand = {"HP": 1, "M": 1, "SP": 1}
    who = {"attributes": grown, "soul_level": 2, "SXP": 120, "hand": hand, "first": start}
    assert play("level_up", {"character": who}, Q22="from-the-start").sheet.FOR == 7  # 3 × 2.25 = 6.75
    assert play("level_up", {"character": who}, Q22="step-by-step").sheet.FOR == 8  # 5 × 1.5 = 7.5


def test_the_ladder_is_iterated_rounding():
    step = 100
    for level in range(1, 41):
        assert value("ladder", soul_level=level) == step
        step = ceil(Fraction(step) * Fraction(6, 5))


@pytest.mark.parametrize(
    ("how", "level", "left"), [("carried", 4, 136), ("set-back", 2, 0), ("running-total", 10, 500)]
)
def test_five_hundred_sxp_at_once_under_each_reading(how, level, left):
    # Carried: 100 + 120 + 144 are paid. Never taken off: 500 reaches 432, the step from 9, and not 519.
    made = play("award_sxp", {"soul_level": 1, "SXP": 0, "enemies": [{"rank": "epic", "monster_level": 1}]}, Q23=how)
    assert (made.soul_level, made.SXP) == (level, left)


def test_a_party_of_ranks_is_summed_before_it_is_made_whole():
    enemies = [{"rank": "common", "monster_level": 4}, {"rank": "rare", "monster_level": 5}]
    # 86.4 and 207.36: 87 + 208, or 293.76.
    given = {"soul_level": 30, "SXP": 0, "enemies": enemies}
    assert play("award_sxp", given, Q25="ceil", Q26="each").gain == 295
    assert play("award_sxp", given, Q25="ceil", Q26="sum").gain == 294
    assert play("award_sxp", given, Q25="floor", Q26="each").gain == 293
    assert play("award_sxp", given, Q25="exact", Q26="sum").gain == Fraction(29376, 100)
    # 7344/25; the step from level 30 is 19964.
    told = play("award_sxp", given, Q25="exact").announcements
    assert told == ("You gained 7344/25 SXP. Current total: 7344/25 / 19964 to next level.",)


def test_rests_of_a_long_night():
    pools = {"HP": 50, "HP_max": 200, "M": 0, "M_max": 150, "SP": 7, "SP_max": 251}
    made = play("rest", {"hours": 1, "activity": "sleep", "pools": pools})
    assert (made.kind, made.HP, made.M, made.SP) == ("short", 50, 0, 132)  # 7 + 125, half of 251 rounded down
    made = play("rest", {"hours": 8, "activity": "sleep", "pools": pools})
    assert (made.kind, made.HP, made.M, made.SP) == ("long", 50, 150, 251)


# --- Tests -------------------------------------------------------------------------------


def chance_of(answers: Any, under: Mapping[str, str] = PLAIN) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = outcomes(ENGINE, answers, under)
    return found


@pytest.mark.parametrize(
    ("A", "DEF", "percent"), [(20, 30, 33), (50, 30, 83), (55, 24, 100), (90, 80, 56), (25, 40, 31), (15, 30, 0)]
)
def test_the_printed_chances_by_counting_every_face(A, DEF, percent):
    found = chance_of(lambda rules: soul.opposition_test(rules, A, DEF).success)
    assert found.get(True, 0) == Fraction(percent, 100)


def test_the_door_by_counting_every_face():
    found = chance_of(lambda rules: soul.requirement_task(rules, 20, 30).result)
    # 1 to 5, 6 to 33, 34 to 95, 96 to 100.
    assert found == {
        "critical success": Fraction(5, 100),
        "success": Fraction(28, 100),
        "failure": Fraction(62, 100),
        "critical failure": Fraction(5, 100),
    }


def test_every_chance_between_the_bands_by_an_independent_method():
    for DEF, A in itertools.product(range(1, 40), range(1, 80)):
        if A >= 2 * DEF:
            expected = 100
        elif 2 * A <= DEF:
            expected = 0
        else:
            # Half up, by whole numbers alone: floor(50 A / DEF + 1/2).
            expected = min(95, (100 * A + DEF) // (2 * DEF))
        assert value("test_chance", {"Q42": "half-up"}, A=A, DEF=DEF) == expected, (A, DEF)


def test_sixty_seven_and_a_half_percent_is_a_hit_or_a_miss_on_68():
    with pytest.raises(Undetermined) as caught:
        ENGINE.ask("opposition_test", {"A": 27, "DEF": 20}, rolls=[68]).value  # noqa: B018 - it raises
    hits = {readings["Q42"]: found.success for readings, found in caught.value.values}
    assert hits == {"half-up": True, "half-even": True, "floor": False}
    assert play("opposition_test", {"A": 27, "DEF": 20}, [67]).success


def test_half_a_requirement_depends_on_the_reading_and_tells_which():
    answer = ENGINE.ask("requirement_chance", {"value": 10, "RA": 30})
    # 16⅔ rounds to 17 and is cut to 16.
    assert {(o.readings["Q39"], o.value) for o in answer.outcomes} == {
        ("automatic-failure", 0),
        ("formula", 17),
        ("formula", 16),
    }


@pytest.mark.parametrize(
    ("reading", "succeeds", "expected"),
    [
        ("no-roll", True, {"success": 100}),
        ("critical-only", True, {"critical success": 5, "success": 95}),
        ("roll-both", True, {"critical success": 5, "success": 90, "critical failure": 5}),
        ("no-roll", False, {"failure": 100}),
        ("critical-only", False, {"failure": 100}),
        ("roll-both", False, {"failure": 95, "critical failure": 5}),
    ],
)
def test_automatic_outcomes_by_counting_faces(reading, succeeds, expected):
    A, DEF = (60, 30) if succeeds else (15, 30)
    found = chance_of(lambda rules: soul.opposition_test(rules, A, DEF).result, {**PLAIN, "Q45": reading})
    assert found == {result: Fraction(n, 100) for result, n in expected.items()}


# --- Attacks -----------------------------------------------------------------------------

HERO = attacks.Attacker(FOR=30, VEL=20, INT=2, ESP=2)
FOE = attacks.Target(VEL=15, RES=10, RSOB=2, HP=500, HP_max=500)


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


# --- Order, turns, duels -----------------------------------------------------------------


@pytest.mark.parametrize("listed", list(itertools.permutations(["a", "b", "c", "d"])))
def test_the_order_does_not_depend_on_the_list_where_the_dice_do_not(listed):
    speed = {"a": 9, "b": 5, "c": 5, "d": 1}
    dice = {"b": 20, "c": 70}
    combatants = [{"name": name, "VEL": speed[name]} for name in listed]
    rolls = [dice[name] for name in listed if name in dice]
    assert play("initiative", {"combatants": combatants}, rolls).order == (("a",), ("c",), ("b",), ("d",))


def test_a_tie_of_three_is_split_and_thrown_again():
    combatants = [{"name": name, "VEL": 7} for name in "abc"]
    made = play("initiative", {"combatants": combatants}, [50, 80, 50, 3, 4])
    assert (made.order, made.dice) == ((("b",), ("c",), ("a",)), 5)
    made = play("initiative", {"combatants": combatants}, [50, 80, 50], Q64="together")
    assert made.order == (("b",), ("a", "c"))


def test_each_of_two_who_are_tied_is_first_half_of_the_time():
    def first(rules: Rules) -> str:
        places = soul.initiative(rules, (order.Combatant("a", 7), order.Combatant("b", 7))).order
        return places[0][0] if len(places[0]) == 1 else "both"

    found = chance_of(first, {**PLAIN, "Q64": "together"})
    assert found == {"a": Fraction(99, 200), "b": Fraction(99, 200), "both": Fraction(1, 100)}


def test_a_turn_against_two_slower_opponents():
    given = {
        "actor": {"VEL": 60},
        "opponents": [{"name": "slow", "VEL": 30}, {"name": "slower", "VEL": 20}, {"name": "quick", "VEL": 31}],
        "actions": [
            {"means": "extra", "target": "slow"},
            {"means": "extra", "target": "slow"},  # 60 ÷ 30 − 1 = 1: no second one
            {"means": "extra", "target": "slower"},
            {"means": "extra", "target": "quick"},
            {"means": "move", "distance": 240},
            {"means": "standard", "target": "quick"},
        ],
    }
    made = play("turn", given)
    assert made.done == (True, False, True, False, True, True)
    assert dict(made.extra_left) == {"slow": 0, "slower": 1, "quick": 0}


def test_a_duel_by_hand():
    one = {"aimed_kind": "melee", **HUMAN, "FOR": 6, "VEL": 6, "VIT": 2, "HP": 150}
    other = {"aimed_kind": "spirit", **HUMAN, "VEL": 5, "ESP": 8, "RES": 1, "VIT": 1, "HP": 100, "soul_level": 2}
    # 12 against 10: 60. 13 against 12: 54⅙. 12 × 5 − 5 = 55; (8 + 2) × 10 − 10 = 90.
    made = play("duel", {"one": one, "other": other, "rounds": 9}, [61, 54, 60, 55, 6])
    assert [(blow.by, blow.damage, blow.HP) for blow in made.blows] == [
        ("one", 0, 100),
        ("other", 90, 60),
        ("one", 55, 45),
        ("other", 0, 60),
        ("one", 55, -10),
    ]
    assert (made.winner, made.rounds, made.one, made.other) == ("one", 3, 60, -10)


def test_striking_first_is_worth_the_second_ones_chance():
    quick = fight.Duellist("melee", FOR=5, VEL=6, INT=2, RES=2, RSOB=2, ESP=2, VIT=1, HP=10)
    slow = fight.Duellist("melee", FOR=7, VEL=5, INT=2, RES=2, RSOB=2, ESP=2, VIT=1, HP=10)
    # 11 against 10: 55. 12 against 12: 50. Every hit fells.
    found = chance_of(lambda rules: soul.duel(rules, quick, slow, 1).winner)
    assert found == {"one": Fraction(55, 100), "other": Fraction(45 * 50, 10000), "nobody": Fraction(45 * 50, 10000)}


# --- Bad input ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "given", "problem"),
    [
        ("ladder", {"soul_level": 0}, "soul_level = 0"),
        ("passes", {"d100": 0, "chance": 5}, "d100 = 0"),
        ("passes", {"d100": 101, "chance": 5}, "d100 = 101"),
        ("success_chance", {"A": -1, "DEF": 3}, "A = -1"),
        ("raised", {"value": Fraction(1, 2)}, "value = 1/2"),
        ("monster_SXP", {"rank": "royal", "monster_level": 1}, "rank = royal"),
        ("duel", {"one": {"aimed_kind": "melee", **HUMAN, "HP": 1}, "other": {}, "rounds": 21}, "other lacks"),
        ("suffer", {"HP": 1, "HP_max": 0, "events": []}, "HP_max = 0"),
        ("suffer", {"HP": 1, "HP_max": 1, "events": [{"damage": -1}]}, "damage = -1"),
    ],
)
def test_inputs_outside_their_domains_are_refused(call, given, problem):
    with pytest.raises((DomainError, CallError), match=problem) as caught:
        ENGINE.ask(call, given, rolls=[])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "given"),
    [
        ("initiative", {"combatants": [{"name": "a", "VEL": 1}, {"name": "a", "VEL": 2}]}),
        (
            "turn",
            {"actor": {"VEL": 9}, "opponents": [{"name": "a", "VEL": 1}, {"name": "a", "VEL": 2}], "actions": []},
        ),
        (
            "turn",
            {"actor": {"VEL": 9}, "opponents": [], "actions": [{"means": "standard", "using": ["Sneak Attack"] * 2}]},
        ),
        ("turn", {"actor": {"VEL": 9}, "opponents": [], "actions": [{"means": "standard", "using": ["Star Fall"]}]}),
        ("take_class", {"birth": HUMAN, "hand": {"HP": 200, "M": 100, "SP": 200}}),
        ("register_class", {"bearer": UNNAMED, "new": {"class_name": "Mage"}}),
        ("register_class", {"bearer": {**UNNAMED, "held": [{"highest_listed": 1}]}, "new": {}}),
        ("level_up", {"character": 3}),
        ("attack", {"aimed_kind": "melee", "attacker": dataclasses.asdict(HERO)}),
    ],
)
def test_calls_that_do_not_fit_are_refused(call, given):
    with pytest.raises(CallError):
        ENGINE.ask(call, given, rolls=[])


def test_what_the_text_leaves_out_is_unspecified():
    with pytest.raises(Unspecified, match="SOUL-Q05"):
        play("create_character", {"normal_human": False})
    with pytest.raises(Unspecified, match="SOUL-Q72"):
        play(
            "react",
            {"has_reaction_skill": False, "own_turn": True, "own_turn_begun": True, "reacted_since_turn": False},
        )
    with pytest.raises(Unspecified, match="SOUL-Q67"):
        play("turn", {"actor": {"VEL": 9}, "opponents": [{"name": "a", "VEL": 0}], "actions": []})


# --- Invariants --------------------------------------------------------------------------

BORN = character.Attributes(**HUMAN)
MAGIC = character.Attributes(**MAGE)
HAND = character.Points(HP=200, M=100, SP=200)
NEW = character.Sheet(**HUMAN, soul_level=0, SXP=0, HP=200, M=100, SP=200, HP_max=200, M_max=100, SP_max=200)
TAKEN = character.Sheet(**MAGE, soul_level=1, SXP=0, HP=800, M=1050, SP=2050, HP_max=800, M_max=1050, SP_max=2050)
GROWN = character.Sheet(
    **{name: ceil(Fraction(n) * 3 / 2) for name, n in MAGE.items()},
    soul_level=2,
    SXP=30,
    HP=600,
    M=550,
    SP=1050,
    HP_max=1200,
    M_max=1600,
    SP_max=3100,
)
BEFORE = progression.Character(MAGIC, 1, 130, character.Points(200, 0, 0))
BEARER = character.Bearer((character.HeldClass("unique", 9),), 9, 1, 1, BORN)
OFFER = character.NewClass("standard", MAGIC, (1, 3))
MISS = attacks.Attack(
    50, 30, 83, "failure", hit=False, original=0, damage=0, HP=500, condition="up", duration=0, intensity=0
)
HIT = dataclasses.replace(MISS, result="success", hit=True, original=250, damage=200, HP=300)
FELT = attacks.Instant(31, resisted=False, original=200, damage=75, HP=425, condition="up", duration=1, intensity=0)
USED = attacks.SupremeUse(
    allowed=True, chance=31, resisted=False, damage=600, HP=-100, condition="dying", duration=0, intensity=0
)
ZOMBIE = progression.Enemy("common", 2)
POOLS = recovery.Pools(HP=50, HP_max=200, M=0, M_max=150, SP=7, SP_max=250)
TWO = (order.Combatant("a", 5), order.Combatant("b", 7))
FAST = {"actor": turns.Actor(80), "opponents": (turns.Opponent("foe", 20),)}
STRIKES = (turns.Action("standard", target="foe"), turns.Action("extra", target="foe"))
FIGHTER = fight.Duellist("melee", HP=100, **HUMAN)
ROUND = fight.Duel("one", 1, (fight.Blow("one", hit=True, damage=100, HP=0),), one=100, other=0)
SOUND: dict[str, tuple[dict[str, Any], Any]] = {
    "create_character": ({"normal_human": True}, NEW),
    "take_class": ({"birth": BORN, "base_attributes": MAGIC, "hand": HAND}, TAKEN),
    "register_class": (
        {"bearer": BEARER, "new": OFFER},
        character.Registration(registered=True, classes=2, skills=(1, 3), soul_level=9, attributes=BORN, ended=True),
    ),
    "level_up": ({"character": BEFORE}, progression.LevelUp(1, GROWN)),
    "award_sxp": (
        {"soul_level": 7, "SXP": 200, "enemies": (ZOMBIE,)},
        progression.Award(60, ("You gained …",), 7, 260),
    ),
    "announce": (
        {"soul_level": 7, "SXP": 200, "gain": 60},
        Announcement("You gained 60 SXP, have 260 of 300", 60, 260, 300),
    ),
    "requirement_task": ({"value": 20, "RA": 30}, contests.Task(success=True, chance=33, result="success")),
    "opposition_test": ({"A": 50, "DEF": 30}, contests.Contest("rolled", 83, "success", success=True, d100=50)),
    "attack": ({"aimed_kind": "melee", "attacker": HERO, "target": FOE}, HIT),
    "instant_attack": (
        {"instant_kind": "magic", "attacker": HERO, "target": FOE, "power": attacks.Power(200, 2)},
        FELT,
    ),
    "supreme_attack": ({"ESP": 40, "target": FOE, "supreme": attacks.Supreme(attacks.Power(600))}, USED),
    "suffer": (
        {"HP": 10, "HP_max": 20, "events": (dying.Event(damage=10), dying.Event(healing=5))},
        dying.Suffering(5, "up", awake=True, conditions=("dying", "up")),
    ),
    "rest": ({"hours": 8, "activity": "sleep", "pools": POOLS}, recovery.Rest("long", 50, 150, 250)),
    "initiative": ({"combatants": TWO}, order.Order((("b",), ("a",)), 0)),
    "turn": (
        {**FAST, "actions": STRIKES},
        turns.Turn((True, True), 320, 0, 0, {"foe": 2}, dodging=False),
    ),
    "react": (
        {"has_reaction_skill": True, "own_turn": True, "own_turn_begun": True, "reacted_since_turn": False},
        turns.Reaction(allowed=True, reacted_since_turn=True),
    ),
    "active_dodge": (
        {"VEL": 20, "standard_actions": 1, "means": "standard"},
        turns.Dodge(allowed=True, standard_left=0, DEF=80),
    ),
    "duel": ({"one": FIGHTER, "other": FIGHTER, "rounds": 3}, ROUND),
}


def change(outcome: Any, **fields: Any) -> Any:
    return dataclasses.replace(outcome, **fields)


# What each invariant must forbid: other fields of the sound outcome, and other inputs where it takes them.
DOCTORED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a_newcomer_is_whole": ({"HP": 199}, {}),
    "a_class_takes_nothing_away": ({"INT": 19}, {}),
    "a_class_begins_at_the_first_level": ({"soul_level": 2}, {}),
    "never_more_classes_than_allowed": ({"classes": 3}, {}),
    "a_refusal_changes_nothing": ({"registered": False}, {}),
    "nothing_of_the_first_class_is_lost": ({"soul_level": 1}, {}),
    "levels_only_rise": ({"rises": 2}, {}),
    "a_rise_weakens_nobody": ({"sheet": change(GROWN, RES=1)}, {}),
    "points_stay_within_their_pools": ({"sheet": change(GROWN, M=1601)}, {}),
    "every_step_is_paid_once": ({"sheet": change(GROWN, SXP=31)}, {}),
    "nothing_defeated_pays_nothing": ({}, {"enemies": ()}),
    "awards_never_lower_a_level": ({"soul_level": 6}, {}),
    "what_was_won_is_on_the_sheet": ({"SXP": 261}, {}),
    "one_announcement_or_one_for_each": ({"announcements": ("a", "b")}, {}),
    "the_figures_stand_in_their_order": ({"X": 260, "Y": 60}, {}),
    "the_total_holds_the_gain": ({"Y": 261}, {}),
    "met_requirements_never_fail": ({"chance": 96}, {}),
    "a_task_without_a_chance_fails": ({"chance": 0}, {}),
    "the_die_agrees_with_the_chance": ({"d100": 84}, {}),
    "only_a_success_is_a_critical_success": ({"success": False}, {}),
    "a_miss_leaves_the_target_as_it_was": ({"hit": False}, {}),
    "no_more_is_lost_than_damage_is_done": ({"HP": 299}, {}),
    "only_a_critical_hit_doubles": ({"damage": 251}, {}),
    "effects_never_grow": ({"duration": 1}, {}),
    "who_resists_suffers_nothing": ({"resisted": True}, {}),
    "an_instant_heals_nobody": ({"HP": 501}, {}),
    "an_instant_effect_never_grows": ({"duration": 3}, {}),
    "a_refused_supreme_does_nothing": ({"allowed": False}, {}),
    "a_supreme_does_no_more_than_it_says": ({"damage": 599}, {}),
    "the_dead_stay_dead": ({"conditions": ("dead", "up")}, {}),
    "healing_alone_harms_nobody": ({"HP": 9}, {"events": (dying.Event(healing=5),)}),
    "healing_stops_at_the_maximum": ({"HP": 21}, {}),
    "rest_takes_nothing": ({"HP": 49}, {}),
    "rest_uses_no_skill": ({"used": ("Soul Blade",)}, {}),
    "rest_fills_no_pool_beyond_its_maximum": ({"SP": 251}, {}),
    "without_a_rest_nothing_returns": ({"kind": "none"}, {}),
    "everybody_has_one_place": ({"order": (("b",), ("b",))}, {}),
    "nobody_slower_acts_first": ({"order": (("a",), ("b",))}, {}),
    "only_ties_are_rolled": ({"dice": 2}, {}),
    "no_more_actions_than_granted": ({"done": (True, True, True)}, {"actions": (*STRIKES, STRIKES[0])}),
    "extra_actions_meet_their_opponent": ({}, {"actions": (STRIKES[0], turns.Action("extra", target="bystander"))}),
    "nobody_walks_too_far": ({"done": (True,)}, {"actions": (turns.Action("move", distance=321),)}),
    "dodging_takes_the_standard_action": ({"done": (True,)}, {"actions": (turns.Action("standard", "dodge"),)}),
    "skills_go_by_their_kinds": (
        {"done": (True,)},
        {"actions": (turns.Action("standard", using=("Empty Body",)),)},
    ),
    "one_reaction_until_it_is_ready_again": ({"reacted_since_turn": False}, {}),
    "no_second_reaction_after_the_own_turn_began": ({}, {"reacted_since_turn": True}),
    "a_dodge_is_paid_once": ({"standard_left": 1, "allowed": False}, {"standard_actions": 0}),
    "a_dodge_doubles_the_defence": ({"DEF": 40}, {}),
    "a_duel_comes_to_an_end": ({"other": 1}, {}),
    "the_winner_is_up": ({"winner": "other"}, {}),
    "nobody_strikes_too_often": ({"blows": ROUND.blows * 2}, {}),
    "nothing_heals_in_a_duel": ({"one": 101}, {}),
}
INVARIANTS = {
    check.__name__: (of, check) for of, checks in invariants_of("soul_level").items() if of in SOUND for check in checks
}


def test_every_invariant_has_an_outcome_that_it_forbids():
    assert INVARIANTS.keys() == DOCTORED.keys()


@pytest.mark.parametrize("name", sorted(DOCTORED))
def test_an_invariant_passes_what_is_sound_and_stops_what_is_not(name):
    of, check = INVARIANTS[name]
    inputs, outcome = SOUND[of]
    fields, others = DOCTORED[name]
    pairs = [(inputs, outcome), ({**inputs, **others}, change(outcome, **fields))]
    held = ENGINE.explore(lambda run: [check(ENGINE.rules(run), i, o) for i, o in pairs], under=PLAIN)
    assert held.value == [True, False]
