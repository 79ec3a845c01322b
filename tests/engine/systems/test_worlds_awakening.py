"""Worlds Awakening beyond its cases: scripts worked out by hand, and figures found by counting faces."""

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine.book.load import load_book
from engine.dice import parse_pool
from engine.duel.outcomes import outcomes
from engine.errors import CallError, DomainError, ScriptError, Unspecified
from engine.procedures import Rules, invariants_of
from engine.readings import Engine
from engine.systems import worlds_awakening as wa
from engine.systems.worlds_awakening import states

ENGINE = Engine(load_book(Path(__file__).parents[3] / "spec" / "worlds_awakening"))
TABLE_TOP = ENGINE.book.profiles["table-top"]

SWORD = {"attribute": "STR", "attack_kind": "contact", "bonus": 1, "dice": "1d6", "plus": 1}
KNIFE = {"attribute": "STR", "attack_kind": "contact", "dice": "1d4"}
PLAIN = {"side": "PC", "level": 1, "HP": 1, "weapon": KNIFE}
A_KNIFE = states.Weapon("STR", "contact", parse_pool("1d4"))
FACES = range(1, 21)


def play(
    name: str, given: Mapping[str, Any], rolls: Sequence[int] = (), profile: Mapping[str, str] = TABLE_TOP, **under: str
) -> Any:
    """The one outcome of a call, under a profile that `under` changes."""
    return ENGINE.ask(name, given, rolls=list(rolls), under={**profile, **under}).value


def value(name: str, under: Mapping[str, str] | None = None, /, **given: Any) -> Any:
    return ENGINE.ask(name, given, under=under).value


# --- Level-ups ---------------------------------------------------------------------------


def test_a_wounded_mystic_rises_twice():
    mystic = {"level": 1, "hit_dice": "1d6", "CON": 3, "MAG": 4, "caster": True, "HP_max": 6, "HP": 2, "MP": 1}
    # 6 + 4 = 10 hit points at most and 2 + 4 in hand; 2 × (4 + 2) = 12 magic points and 1 + 2 in hand.
    second = play("level_up", {"character": mystic}, [4]).character
    assert (second.level, second.HP_max, second.HP, second.MP) == (2, 10, 6, 3)
    # 10 + 1, 6 + 1; 2 × (4 + 3) = 14, 3 + 2.
    third = play("level_up", {"character": second}, [1]).character
    assert (third.level, third.HP_max, third.HP, third.MP) == (3, 11, 7, 5)


def test_the_log_tells_a_level_up_from_dice_to_points():
    believer = {"level": 1, "hit_dice": "2d4", "CON": 0, "MAG": 0, "caster": True, "HP_max": 8, "HP": 8, "MP": 2}
    answer = ENGINE.ask("level_up", {"character": believer}, rolls=[3, 2], under=TABLE_TOP, traced=True)
    top = [(step.name, step.value) for step in answer.outcomes[0].steps if step.depth == 0]
    assert top == [
        ("next_level", 2),
        ("level_up_dice", 2),
        ("roll", 5),
        ("level_up_gain", 5),
        ("maximum_after_level_up", 13),
        ("hp_after_level_up", 13),
        ("mp_pool", 2),
        ("mp_pool", 4),
        ("mp_after_rise", 4),
    ]


@pytest.mark.parametrize(("count", "sides"), [(1, 4), (1, 12), (2, 4), (3, 6)])
def test_the_average_gain_is_the_average_of_all_throws(count, sides):
    throws = [sum(faces) for faces in itertools.product(range(1, sides + 1), repeat=count)]
    by_counting = Fraction(sum(throws), len(throws)) + 2
    assert value("mean_gain", {"Q07": "all", "Q09": "with-CON"}, count_dice=count, sides=sides, CON=2) == by_counting


# --- Attacks -----------------------------------------------------------------------------


def test_a_sword_blow_is_logged_step_by_step():
    given = {
        "attacker": {"side": "PC", "level": 1, "HP": 8, "STR": 2, "weapon": SWORD},
        "defender": {"side": "foe", "level": 1, "HP": 10, "CON": 1},
    }
    answer = ENGINE.ask("attack", given, rolls=[14, 3], under=TABLE_TOP, traced=True)
    steps = [(step.name, step.value) for step in answer.outcomes[0].steps if step.depth == 0]
    told = ["type_of_attack", "roll", "attack_charac", "attack_bonus", "score_of", "def_phy", "attacked_defence"]
    told += ["number_to_overcome", "attack_succeeds", "margin_over", "dice_and_number", "progressive_bonus"]
    told += ["final_damage", "damage_let_through", "falls", "hp_after"]
    assert [name for name, _ in steps if name in told] == [*told[:10], "roll", *told[10:]]
    assert dict(steps)["score_of"] == 18
    assert dict(steps)["hp_after"] == 4
    assert all(step.clause in ENGINE.book.clauses for step in answer.outcomes[0].steps if step.name != "roll")


@pytest.mark.parametrize(
    ("rolls", "problem"),
    [([], "too short"), ([14], "too short"), ([14, 3, 1], "too long"), ([5, 3], "too long"), ([14, 7], "a d6 shows")],
)
def test_an_attack_takes_exactly_the_rolls_that_it_needs(rolls, problem):
    given = {
        "attacker": {"side": "PC", "level": 1, "HP": 8, "STR": 2, "weapon": SWORD},
        "defender": {"side": "foe", "level": 1, "HP": 10, "CON": 1},
    }
    with pytest.raises(ScriptError, match=problem):
        play("attack", given, rolls)


@pytest.mark.parametrize("equal", ["meets", "exceeds"])
@pytest.mark.parametrize("twenty", ["total-only", "always-hits"])
@pytest.mark.parametrize("one", ["total-only", "always-misses"])
def test_the_faces_that_hit_are_those_on_which_an_attack_succeeds(equal, twenty, one):
    under = {"Q35": equal, "Q36": twenty, "Q37": one}
    for level, Def in itertools.product((1, 4, 25), range(-4, 50)):
        hits = [
            value("attack_succeeds", under, d20=face, score=face + level + 1 + 2, Def=Def)  # attribute 1, bonus 2
            for face in FACES
        ]
        assert value("faces_that_hit", under, level=level, charac=1, bonus=2, Def=Def) == sum(hits), (level, Def)


def test_damage_of_a_sword_over_all_faces():
    attacker = wa.Fighter("PC", 1, 8, STR=2, weapon=wa.Weapon("STR", "contact", parse_pool("1d6"), 1, 1))
    defender = wa.Fighter("PC", 1, 20, CON=2)
    profile = {**TABLE_TOP, "Q47": "left-out"}
    found = outcomes(ENGINE, lambda rules: wa.attack(rules, attacker, defender).damage, profile)
    # d20 + 1 + 2 + 1 against 10 + 2 + 1: hits from a 9 on, 12 faces of 20; then 2 to 7, each on one face of six.
    assert found == {0: Fraction(8, 20), **{damage: Fraction(12, 20) / 6 for damage in range(2, 8)}}


def test_an_attack_is_the_same_whatever_an_idle_weapon_is():
    spell = {"attribute": "INT", "attack_kind": "magical", "dice": "2d4"}
    unarmed = {"side": "PC", "level": 2, "HP": 5, "INT": 3}
    target = {"side": "foe", "level": 1, "HP": 9}
    results = [
        play("attack", {"attacker": attacker, "defender": target, "ability": spell}, [10, 1, 4])
        for attacker in (unarmed, {**unarmed, "weapon": SWORD})
    ]
    assert results[0] == results[1]
    assert (results[0].margin, results[0].damage) == (4, 5)  # 10 + 2 + 3 against 11; 1 + 4


def test_type_and_attribute_of_a_blade_that_carries_a_spell():
    rune_blade = {**SWORD, "attribute": "STR"}
    spell = {"attribute": "CHA", "attack_kind": "magical", "dice": "1d4", "with_weapon": True}
    given = {
        "attacker": {"side": "PC", "level": 1, "HP": 8, "STR": 1, "INT": 5, "CHA": 4, "weapon": rune_blade},
        "defender": {"side": "foe", "level": 1, "HP": 30, "CON": 2, "WIS": -2},
        "ability": spell,
    }
    # By the weapon: 10 + 1 + (1 + 1) = 13 against 13. By the ability: 10 + 1 + (4 + 1) = 16 against 9.
    by_weapon = play("attack", given, [10, 1, 1], Q30="weapon", Q31="weapon")
    assert (by_weapon.score, by_weapon.Def) == (13, 13)
    by_ability = play("attack", given, [10, 1, 1], Q30="ability", Q31="ability")
    assert (by_ability.score, by_ability.Def) == (16, 9)
    # A magical attack that brings in the Magic Attribute, INT by default: 10 + 1 + (5 + 1) = 17.
    by_magic = play("attack", given, [10, 1, 1], Q30="ability", Q31="ability", Q32="magic-attribute")
    assert (by_magic.score, by_magic.Def) == (17, 9)


def test_bare_hands_are_tested_but_their_damage_is_nowhere():
    given = {
        "attacker": {"side": "PC", "level": 1, "HP": 8, "STR": 3},
        "defender": {"side": "foe", "level": 1, "HP": 8},
    }
    with pytest.raises(Unspecified, match="WA-Q43"):
        play("attack", given, [15])
    assert play("attack", given, [2]).score == 2 + 1 + 3


# --- Order and duels ---------------------------------------------------------------------


@pytest.mark.parametrize("listed", list(itertools.permutations(range(4))))
def test_the_order_does_not_depend_on_how_contenders_are_listed(listed):
    people = [("PC", 2), ("foe", 2), ("foe", 5), ("PC", -1)]
    contenders = [{"side": people[i][0], "DEX": people[i][1]} for i in listed]
    order = play("turn_order", {"contenders": contenders}, Q23="PC-first").order
    assert [[people[listed[n - 1]] for n in place] for place in order] == [
        [("foe", 5)],
        [("PC", 2)],
        [("foe", 2)],
        [("PC", -1)],
    ]


def test_an_empty_field_has_no_order():
    assert play("turn_order", {"contenders": []}).order == ()


def test_a_duel_is_its_rounds():
    one = {"side": "PC", "level": 2, "HP": 12, "STR": 2, "DEX": 1, "CON": 1, "weapon": SWORD}
    other = {"side": "foe", "level": 2, "HP": 11, "STR": 1, "CON": 2, "weapon": SWORD}
    # Against each other they need a 9 and a 9: 2 + (2 + 1) against 14, 2 + (1 + 1) against 13.
    rounds = [[9, 4, 8], [15, 1, 9, 6], [12, 3]]
    # First round: 9 is 14 against 14, 4 + 1 = 5, leaves 6; 8 is 12 against 13.
    # Second: 15 is 20, a margin of 6: 1 + 1 + 2 = 4, leaves 2; 9 is 13 against 13, 6 + 1, leaves 5.
    # Third: 12 is 17, a margin of 3: 3 + 1 = 4, and 2 were left.
    told = []
    a, b = one, other
    for rolls in rounds:
        made = play("fight_round", {"one": a, "other": b, "attacks": 1}, rolls)
        a, b = made.one, made.other
        told.append((a.HP, b.HP, made.fallen))
    assert told == [(12, 6, ()), (5, 2, ()), (5, 0, (2,))]
    whole = play(
        "duel", {"one": one, "other": other, "attacks": 1, "rounds": 9}, [r for rolls in rounds for r in rolls]
    )
    assert (whole.winner, whole.rounds, whole.blows) == ("one", 3, 5)
    assert (whole.one, whole.other, whole.fallen) == (a, b, (2,))


def test_striking_first_is_worth_the_second_ones_chance():
    quick, slow = states.Fighter("PC", 1, 1, DEX=1, weapon=A_KNIFE), states.Fighter("PC", 1, 1, weapon=A_KNIFE)
    # Every hit fells, on 10 and up: 11 faces of 20.
    hit, miss = Fraction(11, 20), Fraction(9, 20)

    def winner(rules: Rules) -> str:
        return str(wa.duel(rules, quick, slow, attacks=1, rounds=1).winner)

    assert outcomes(ENGINE, winner, TABLE_TOP) == {"one": hit, "other": miss * hit, "nobody": miss * miss}


def test_those_who_strike_together_may_both_fall():
    twins = wa.Fighter("PC", 1, 1, weapon=A_KNIFE)
    hit, miss = Fraction(11, 20), Fraction(9, 20)

    def fallen(rules: Rules) -> tuple[int, ...]:
        fell: tuple[int, ...] = wa.fight_round(rules, twins, twins, attacks=1).fallen
        return fell

    assert outcomes(ENGINE, fallen, TABLE_TOP) == {
        (): miss * miss,
        (1,): miss * hit,
        (2,): hit * miss,
        (1, 2): hit * hit,
    }


@pytest.mark.parametrize("profile", sorted(ENGINE.book.profiles))
def test_every_profile_plays_a_duel_to_its_end(profile):
    readings = ENGINE.book.profiles[profile]
    answer = ENGINE.ask(
        "duel", {"one": PLAIN, "other": {**PLAIN, "DEX": -1}, "attacks": 1, "rounds": 5}, rolls=[12, 4], under=readings
    )
    assert len(answer.outcomes) == 1
    assert answer.value.winner == "one"


def test_a_whole_attack_stays_within_bounds_though_nothing_is_ruled():
    given = {
        "attacker": {"side": "foe", "level": 3, "HP": 9, "STR": 4, "CHA": 2, "MP": 4, "weapon": {**SWORD, "plus": -9}},
        "defender": {"side": "PC", "level": 1, "HP": 3, "outfit": 1, "listed_for": "magical"},
        "ability": {"attribute": "CHA", "attack_kind": "contact", "bonus": 2, "dice": "1d4", "with_weapon": True},
    }
    answer = ENGINE.ask("attack", given, rolls=[20, 1, 1], under={"Q28": "fixed"})
    assert not answer.settled
    assert {"Q26", "Q29", "Q30", "Q39", "Q40", "Q41", "Q47"} <= answer.consulted.keys()


# --- Bad input ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "given", "problem"),
    [
        ("attack_succeeds", {"d20": 0, "score": 5, "Def": 5}, "d20 = 0"),
        ("attack_succeeds", {"d20": 21, "score": 5, "Def": 5}, "d20 = 21"),
        ("max_mp", {"MAG": 4, "level": 0}, "level = 0"),
        ("max_mp", {"MAG": Fraction(1, 2), "level": 1}, "MAG = 1/2"),
        ("level_1_hp", {"hit_dice": "1d20"}, "hit_dice = 1d20"),
        ("level_1_hp", {"hit_dice": "1d6+1"}, r"hit_dice = 1d6 \+ 1"),
        ("class_hit_dice", {"class_name": "Knight"}, "class_name = Knight"),
        ("spend_mp", {"MP": 3, "cost": -1}, "cost = -1"),
        ("spend_mp", {"MP": -1, "cost": 1}, "MP = -1"),
        ("attack", {"attacker": {**PLAIN, "side": "pet"}, "defender": PLAIN}, "attacker.side"),
        ("attack", {"attacker": {**PLAIN, "weapon": {**KNIFE, "dice": "1d3"}}, "defender": PLAIN}, "dice = 1d3"),
        ("duel", {"one": PLAIN, "other": PLAIN, "attacks": 0, "rounds": 1}, "attacks = 0"),
    ],
)
def test_inputs_outside_their_domains_are_refused(call, given, problem):
    with pytest.raises(DomainError, match=problem) as caught:
        ENGINE.ask(call, given, rolls=[])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "given"),
    [
        ("attack", {"attacker": PLAIN}),
        ("attack", {"attacker": {**PLAIN, "luck": 3}, "defender": PLAIN}),
        ("attack", {"attacker": {"side": "PC"}, "defender": PLAIN}),
        ("level_up", {"character": 3}),
        ("turn_order", {"contenders": {"side": "PC", "DEX": 0}}),
    ],
)
def test_calls_that_do_not_fit_are_refused(call, given):
    with pytest.raises(CallError):
        ENGINE.ask(call, given, rolls=[])


# --- Invariants --------------------------------------------------------------------------

D6 = parse_pool("1d6")
BEFORE = states.Character(level=1, hit_dice=D6, CON=0, MAG=0, caster=True, HP_max=6, HP=6, MP=2)
AFTER = dataclasses.replace(BEFORE, level=2, HP_max=9, HP=9, MP=4)
FRESH = states.Fighter("PC", 1, 5, MP=3, weapon=A_KNIFE)
HURT = dataclasses.replace(FRESH, HP=3)
HIT = states.Attack(score=15, Def=11, success=True, margin=4, extra=0, damage=2, falls=False, defender=HURT)
MISS = states.Attack(score=5, Def=11, success=False, margin=-6, extra=0, damage=0, falls=False, defender=FRESH)
ABILITY = states.Ability("STR", "contact", parse_pool("1d4"), cost=2)
PAID = dataclasses.replace(FRESH, MP=1)
TWO = (states.Contender("PC", 0), states.Contender("foe", 2))


def change(outcome: Any, **fields: Any) -> Any:
    return dataclasses.replace(outcome, **fields)


def blows(*by: int) -> tuple[states.Blow, ...]:
    return tuple(states.Blow(number, MISS) for number in by)


SOUND = {
    "level_up": ({"character": BEFORE}, states.LevelUp(D6, 3, 3, 4, AFTER)),
    "spend_mp": ({"MP": 3, "cost": 2}, states.Spending(used=True, spent=2, MP=1)),
    "attack": ({"attacker": FRESH, "defender": FRESH}, HIT),
    "use_ability": (
        {"attacker": FRESH, "defender": FRESH, "ability": ABILITY},
        states.AbilityUse(used=True, spent=2, attack=HIT, attacker=PAID, defender=HURT),
    ),
    "turn_order": ({"contenders": TWO}, states.TurnOrder((10, 12), ((2,), (1,)), thrown=False)),
    "fight_round": (
        {"one": FRESH, "other": FRESH, "attacks": 1},
        states.Round((states.Blow(2, MISS), states.Blow(1, HIT)), FRESH, HURT, ()),
    ),
    "duel": (
        {"one": FRESH, "other": FRESH, "attacks": 1, "rounds": 3},
        states.Duel("one", 2, 3, FRESH, change(FRESH, HP=0), (2,)),
    ),
}
DOCTORED = {
    "one_level": {"character": change(AFTER, level=3)},
    "dice_within_reach": {"roll": 7},
    "hit_points_within_the_maximum": {"character": change(AFTER, HP=10)},
    "a_rise_wounds_nobody": {"character": change(AFTER, HP=5)},
    "magic_points_not_negative": {"character": change(AFTER, MP=-1)},
    "nothing_is_owed": {"MP": -1},
    "nothing_is_lost": {"MP": 2},
    "unused_is_free": {"used": False},
    "a_miss_does_nothing": {"success": False},
    "only_hit_points_change": {"defender": change(HURT, level=2)},
    "damage_is_what_is_lost": {"damage": 3},
    "the_fallen_have_nothing_left": {"falls": True},
    "abilities_are_not_owed": {"spent": 3},
    "an_unused_ability_does_nothing": {"used": False},
    "everybody_once": {"order": ((2,), (2,))},
    "order_follows_scores": {"order": ((1,), (2,))},
    "one_turn_each": {"blows": blows(2, 1, 2)},
    "hit_points_are_passed_on": {"other": FRESH},
    "nobody_strikes_the_fallen": {"blows": (states.Blow(1, change(HIT, falls=True)), states.Blow(1, HIT))},
    "a_duel_has_an_end": {"fallen": ()},
    "the_winner_stands": {"winner": "other"},
    "blows_fit_into_the_rounds": {"blows": 5},
}
INVARIANTS = {
    check.__name__: (of, check) for of, checks in invariants_of("worlds_awakening").items() for check in checks
}


def test_every_invariant_has_an_outcome_that_it_forbids():
    assert INVARIANTS.keys() == DOCTORED.keys()


@pytest.mark.parametrize("name", sorted(DOCTORED))
def test_an_invariant_passes_what_is_sound_and_stops_what_is_not(name):
    of, check = INVARIANTS[name]
    inputs, outcome = SOUND[of]
    held = ENGINE.explore(
        lambda run: [check(ENGINE.rules(run), inputs, o) for o in (outcome, change(outcome, **DOCTORED[name]))],
        under=TABLE_TOP,
    )
    assert held.value == [True, False]
