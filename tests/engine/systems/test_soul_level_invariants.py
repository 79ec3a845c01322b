"""Soul Level: each invariant of the core passes what is sound, and stops what is not."""

import dataclasses
from fractions import Fraction
from math import ceil
from typing import Any

import pytest

from engine.procedures import invariants_of
from engine.systems.soul_level import attacks, character, contests, dying, fight, order, progression, recovery, turns
from engine.systems.soul_level.announcement import Announcement
from engine.systems.soul_level.passing import a_turn_begins_without_new_effects
from engine.systems.soul_level.state import Combatant, Effect, FightState, Passing
from tests.engine.systems.soul_table import ENGINE, FOE, HERO, HUMAN, MAGE, PLAIN

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


# --- The names of fighters ---------------------------------------------------------------

STANCE = Effect("stance", "Impenetrable Stance", "Knight on Horse", "next turn")
SPELL = Effect("shield", "Arcane Shield", "Horse", "next turn", amount=10)
KNIGHT = Combatant("Knight on Horse", HP=200, M=150, SP=250, effects=(STANCE,))
HORSE = Combatant("Horse", HP=200, M=150, SP=250, effects=(SPELL,))
CREATURE = Combatant("elemental of Horse", effects=(Effect("summoned", "Summon Elemental", "Knight on Horse"),))
ENDED = ("stance on Knight on Horse", "summoned on elemental of Horse")
RELEASED = change(KNIGHT, effects=())


@pytest.mark.parametrize(
    ("ended", "fighters", "holds"),
    [
        (ENDED, (RELEASED, HORSE), True),
        (ENDED, (RELEASED,), False),  # nobody summoned the horse
        (ENDED, (KNIGHT, HORSE), False),  # the stance is told to be over, and is not
        ((*ENDED, "shield on Horse"), (RELEASED, HORSE), False),
        ((*ENDED, ENDED[0]), (RELEASED, HORSE), False),
        (ENDED, (change(RELEASED, effects=(SPELL,)), HORSE), False),
        (ENDED, (change(RELEASED, M=151), HORSE), False),
        (ENDED, (change(RELEASED, SP=249), HORSE), False),
        (ENDED, (change(RELEASED, HP=1), HORSE), True),
    ],
)
def test_whoever_has_on_in_his_name_is_not_taken_for_another(ended, fighters, holds):
    inputs = {"state": FightState((KNIGHT, HORSE, CREATURE)), "who": "Knight on Horse"}
    outcome = Passing(ended, (), FightState(fighters))
    held = ENGINE.explore(
        lambda run: a_turn_begins_without_new_effects(ENGINE.rules(run), inputs, outcome), under=PLAIN
    )
    assert held.value is holds
