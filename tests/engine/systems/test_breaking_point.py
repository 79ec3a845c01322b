"""Breaking Point: what its procedures do, against hand reckoning, an independent sum, and the closed forms."""

import dataclasses
import itertools
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import tables
from engine.book.load import load_book
from engine.errors import CallError
from engine.procedures import Rules
from engine.readings import Engine
from engine.run import Run
from engine.systems.breaking_point.defence import Target, take_blow
from engine.systems.breaking_point.duel import Fighter, battle

ROOT = Path(__file__).parents[3]
MOST_BLOWS = 60


@cache
def engine():
    # What the text says by itself: an operator's rulings are no part of it.
    return Engine(dataclasses.replace(load_book(ROOT / "spec" / "breaking_point"), rulings={}))


def rules(**readings):
    """The book as a procedure sees it, under the plain readings save those that are named."""
    fixed = {**engine().book.profiles["plain"], **readings}
    return Rules(Run(fixed, engine().missing), engine().functions, engine().params, engine().records)


def ask(name, /, under=None, **given):
    readings = {**engine().book.profiles["plain"], **(under or {})}
    return engine().ask(name, given, under=readings).value


def outcomes(name, **given):
    """Every value that some combination of readings gives, with the combinations."""
    found: dict[Any, Any] = {}
    for outcome in engine().ask(name, given).outcomes:
        found.setdefault(outcome.value, []).append(dict(outcome.readings))
    return found


# --- what the text leaves open, and what it does not ---------------------------------------


def test_a_power_of_exactly_half_the_index_is_undetermined():
    found = outcomes("armour_wear", AP=4, BPI=8)
    assert set(found) == {0, 2, Fraction(1, 2), 1}
    assert {"Q24": "nothing"} in found[0]
    assert {"Q24": "half", "Q23": "half-band", "Q29": "power", "Q30": "power"} in found[2]


def test_a_power_of_exactly_half_the_defence_is_undetermined():
    found = outcomes("health_loss", AP=5, DEF=10)
    assert set(found) == {0, Fraction(5, 2), 2, 3, 5}
    assert {"Q49": "nothing"} in found[0]
    assert {"Q49": "half", "Q53": "whole"} in found[5]


def test_a_power_level_with_the_index_is_undetermined():
    found = outcomes("armour_wear", AP=8, BPI=8)
    assert {0, 4, 8} <= set(found)
    assert {"Q25": "nothing"} in found[0]
    assert {"Q25": "full", "Q29": "power"} in found[8]


def test_half_of_an_odd_power_is_undetermined():
    assert {Fraction(5, 2), 2, 3} <= set(outcomes("armour_wear", AP=5, BPI=8))


def test_a_power_below_half_does_nothing_whatever_is_decided():
    assert engine().ask("armour_wear", {"AP": 3, "BPI": 8}).value == 0


def test_the_literal_tables_have_the_holes_that_the_check_finds_by_itself():
    def found(clause):
        findings = tables.check(engine(), engine().book.clauses[clause])
        return [(f.kind, f.rows, dict(f.witness)) for f in findings]

    assert found("BP-3.15") == [("gap", (), {"AP": 1, "BPI": 2})]
    assert found("BP-3.16") == [
        ("gap", (), {"AP": 1, "BPI": 1, "ARM": 1}),
        ("conflict", (2, 3), {"AP": 2, "BPI": 1, "ARM": 3}),
    ]
    assert ("dead row", (2,), {}) in found("BP-5.11")
    assert found("BP-3.23") == []


def test_every_question_is_consulted_by_a_formula_or_a_procedure():
    book = engine().book
    consulted = set()
    for question in book.questions.values():
        for witness in question.witnesses:
            answer = engine().ask(witness.call, witness.given, under=witness.under)
            consulted |= answer.consulted.keys()
            consulted |= {getattr(o.value, "reference", "").rpartition("-")[2] for o in answer.outcomes}
    assert {q.name for q in book.questions.values()} <= consulted


# --- one blow --------------------------------------------------------------------------------


def half_or_whole(power, limit):
    """The bracketed formulas, exactly half doing nothing: reckoned apart from the book."""
    if 2 * power <= limit:
        return 0
    return Fraction(power, 2) if power <= limit else power


def test_a_blow_does_what_the_bracketed_formulas_say():
    for power, index, armour, defence in itertools.product(range(12), range(1, 10), range(-1, 10), range(1, 10)):
        blow = take_blow(rules(), power, None, Target(DEF=defence, HEL=10, BPI=index, ARM=armour))
        whole = armour > 0
        wear = half_or_whole(power, index) if whole else 0
        loss = 0 if whole else half_or_whole(power, defence)
        assert (blow.wear, blow.ARM, blow.broke) == (wear, armour - wear, whole and armour - wear <= 0)
        assert (blow.loss, blow.HEL, blow.dead) == (loss, 10 - loss, 10 - loss <= 0)


def test_the_steps_of_a_blow_are_recorded():
    answer = engine().ask(
        "defend",
        {"AP": 9, "target": {"BPI": 8, "ARM": 3, "DEF": 4, "HEL": 10}},
        under=engine().book.profiles["plain"],
        traced=True,
    )
    steps = [(step.name, step.value) for step in answer.outcomes[0].steps]
    assert ("wear of the armour", 9) in steps
    assert ("loss of health", 0) in steps
    assert ("armour_wear", 9) in steps


def test_what_cannot_be_is_refused_in_one_line():
    with pytest.raises(CallError, match="an ARM without a BPI"):
        Target(DEF=1, HEL=1, ARM=1)
    with pytest.raises(CallError, match="more ARM than the armour had when new"):
        Target(DEF=1, HEL=1, BPI=1, ARM=3, ARM_full=2)
    with pytest.raises(CallError, match="an item of OFF 5 in a blow of 4"):
        ask("defend", AP=4, OFF=5, target={"DEF": 1, "HEL": 1})
    with pytest.raises(CallError, match="Cy begins, and is in neither party"):
        ask("party_battle", a=[ANA], b=[BO], initiator="Cy")
    with pytest.raises(CallError, match="two of one name"):
        ask("party_battle", a=[ANA], b=[ANA], initiator="Ana")
    with pytest.raises(CallError, match="Ana lives without a living character"):
        ask("end_of_adventure", players=[{"name": "Ana", "characters": 0}])


# --- closed forms ----------------------------------------------------------------------------


def blows_played(book, power, target):
    """The number of the first blow that kills, struck one by one by the procedure; 0 where none ever does."""
    for number in range(1, MOST_BLOWS):
        blow = take_blow(book, power, None, target)
        if blow.dead:
            return number
        if not blow.wear and not blow.loss:
            return 0
        target = Target(DEF=target.DEF, HEL=blow.HEL, BPI=target.BPI, ARM=blow.ARM, ARM_full=target.when_new)
    raise AssertionError("a fight that does not end")


def differing_kits(grid, **readings):
    """The kits of `grid` on which the closed form and the blows struck one by one disagree."""
    wrong = []
    for power, index, armour, defence, health in grid:
        book = rules(**readings)
        counted = book.blows_to_kill(AP=power, BPI=index, ARM=armour, DEF=defence, HEL=health)
        kit = Target(DEF=defence, HEL=health, BPI=index, ARM=armour)
        if counted != blows_played(book, power, kit):
            wrong.append((power, index, armour, defence, health))
    return wrong


def test_the_closed_form_of_a_kill_is_the_fight_played_blow_by_blow():
    grid = itertools.product(range(11), range(1, 8), range(10), (1, 2, 3, 5, 8, 12), (1, 2, 5))
    assert differing_kits(grid) == []


@pytest.mark.parametrize(
    "readings",
    [
        {"Q46": "straight"},
        {"Q46": "tested"},
        {"Q46": "tested", "Q47": "whole-power"},
        {"Q46": "whole"},
        {"Q46": "whole", "Q48": "dealt"},
        {"Q43": "exceeds"},
        {"Q43": "exceeds", "Q44": "after"},
        {"Q43": "exceeds", "Q46": "whole"},
        {"Q43": "exceeds", "Q44": "after", "Q46": "straight"},
        {"Q43": "exceeds", "Q37": "nothing", "Q46": "tested"},
        {"Q43": "always"},
        {"Q43": "always", "Q46": "whole"},
        {"Q31": "down"},
        {"Q31": "down", "Q32": "one", "Q46": "tested"},
        {"Q31": "up", "Q46": "straight"},
        {"Q33": "down", "Q24": "half"},
        {"Q33": "up", "Q24": "half", "Q49": "half"},
        {"Q24": "half", "Q25": "full", "Q49": "half", "Q50": "full"},
        {"Q25": "nothing", "Q50": "nothing"},
        {"Q29": "excess", "Q30": "excess", "Q43": "exceeds"},
        {"Q29": "one-point"},
        {"Q29": "one-point", "Q37": "nothing", "Q46": "whole"},
        {"Q53": "whole", "Q46": "straight"},
        {"Q37": "nothing", "Q46": "straight"},
        {"Q23": "must", "Q46": "tested"},
        {"Q51": "armour-words", "Q52": "index"},
        {"Q51": "armour-words", "Q36": "printed", "Q27": "all", "Q46": "tested"},
        {"Q52": "index", "Q27": "strongest", "Q28": "full", "Q46": "whole"},
    ],
    ids=lambda readings: " ".join(f"{q}={r}" for q, r in readings.items()),
)
def test_the_closed_form_holds_under_other_readings_too(readings):
    grid = itertools.product(range(11), (1, 2, 5, 8), (0, 1, 3, 7), (1, 4, 7), (1, 6))
    assert differing_kits(grid, **readings) == []


def test_the_closed_form_holds_for_the_bare():
    grid = [(power, 0, 0, defence, health) for power in range(8) for defence in range(1, 8) for health in range(1, 8)]
    assert differing_kits(grid) == []
    assert differing_kits(grid, Q38="no-fourth") == []


@pytest.mark.parametrize("answer", ["at-once", "answers"])
def test_a_battle_of_two_is_decided_by_the_counts(answer):
    kits = list(itertools.product((0, 3, 5, 9), (0, 4, 8), (3, 9), (2, 6), (1, 9)))
    for one, other in itertools.product(kits, kits[::3]):
        (ap1, bpi1, arm1, def1, hel1), (ap2, bpi2, arm2, def2, hel2) = one, other
        arm1, arm2 = arm1 if bpi1 else 0, arm2 if bpi2 else 0
        book = rules(Q65=answer)
        played = battle(
            book,
            Fighter(AP=ap1, BPI=bpi1, ARM=arm1, DEF=def1, HEL=hel1),
            Fighter(AP=ap2, BPI=bpi2, ARM=arm2, DEF=def2, HEL=hel2),
        )
        needs = (
            book.blows_to_kill(AP=ap1, BPI=bpi2, ARM=arm2, DEF=def2, HEL=hel2),
            book.blows_to_kill(AP=ap2, BPI=bpi1, ARM=arm1, DEF=def1, HEL=hel1),
        )
        assert played.winner == book.winner_by_count(first_needs=needs[0], second_needs=needs[1])
        if played.winner != "stalemate":
            assert played.turns == book.turns_by_count(first_needs=needs[0], second_needs=needs[1])


def test_half_a_blow_more_than_doubles_at_the_index_only():
    book = rules()
    steps = [
        (power, index)
        for power, index in itertools.product(range(1, 40), range(1, 20))
        if book.armour_wear(AP=power, BPI=index) > 0
        and book.armour_wear(AP=power + 1, BPI=index) > 2 * book.armour_wear(AP=power, BPI=index)
    ]
    assert steps == [(index, index) for index in range(1, 20)]


# --- parties ---------------------------------------------------------------------------------

ANA = {"name": "Ana", "SPD": 9, "AP": 10, "DEF": 4, "HEL": 10}
BO = {"name": "Bo", "SPD": 3, "AP": 10, "DEF": 4, "HEL": 10}
CY = {"name": "Cy", "SPD": 6, "AP": 6, "DEF": 4, "HEL": 10}
DI = {"name": "Di", "SPD": 2, "AP": 6, "DEF": 4, "HEL": 10}
ED = {"name": "Ed", "SPD": 5, "AP": 6, "DEF": 4, "HEL": 10}


def struck(a, b, initiator, under=None, **more):
    """Who struck whom, in order."""
    outcome = ask("party_battle", a=a, b=b, initiator=initiator, under=under, **more)
    return " ".join(strike.striker + strike.target for strike in outcome.strikes)


def test_all_act_in_order_of_speed():
    # Bo falls to nobody before his turn: Ana 9, Cy 6, Bo 3, Di 2; Di is the slowest of b and dies first.
    assert struck([ANA, BO], [CY, DI], "Ana", {"Q60": "individuals"}) == "AnaDi CyBo BoCy"


def test_a_ladder_spreads_the_blows_over_the_slow():
    # The first attacker strikes the slowest, the second the second slowest: Di, then Cy.
    weak = [{**CY, "HEL": 20}, {**DI, "HEL": 20}]
    outcome = ask("party_battle", a=[ANA, BO], b=weak, initiator="Ana", under={"Q61": "ladder"})
    assert [(s.striker, s.target) for s in outcome.strikes[:2]] == [("Ana", "Di"), ("Bo", "Cy")]


def test_a_free_choice_follows_the_wish():
    assert struck([{**ANA, "wish": 2}, BO], [CY, DI], "Ana", {"Q61": "free"}).startswith("AnaCy BoDi")


def test_only_the_first_place_may_be_fixed_by_speed():
    party = [{**DI, "AP": 1}, {**ED, "AP": 1}, {**CY, "AP": 1}]
    foes = [{**ANA, "HEL": 3}]
    all_places = struck(party, foes, "Di", {"Q57": "own-side", "Q62": "one-is-a-party"})
    first_only = struck(party, foes, "Di", {"Q57": "own-side", "Q62": "one-is-a-party", "Q59": "first-only"})
    assert all_places.startswith("CyAna EdAna DiAna")
    assert first_only.startswith("CyAna DiAna EdAna")


def test_a_player_may_have_one_attack_for_all_its_characters():
    pair = [{**ANA, "player": "P"}, {**BO, "player": "P"}]
    foe = [{**CY, "HEL": 15}]
    assert struck(pair, foe, "Ana", {"Q63": "character"}) == "AnaCy BoCy"
    assert struck(pair, foe, "Ana", {"Q63": "player"}).startswith("AnaCy CyBo AnaCy")


def test_the_killed_may_still_answer():
    weak, strong = {**CY, "AP": 10, "HEL": 5}, {**ANA, "HEL": 5}
    at_once = ask("party_battle", a=[strong, BO], b=[weak, DI], initiator="Ana", under={"Q60": "individuals"})
    answered = ask(
        "party_battle",
        a=[strong, {**BO, "SPD": 8}],
        b=[weak, {**DI, "HEL": 5}],
        initiator="Ana",
        under={"Q60": "individuals", "Q65": "answers"},
    )
    assert "Cy" in at_once.dead
    # Ana kills Di, Bo kills Cy; Cy answers all the same and kills Bo, then Di wounds Ana beyond help.
    assert [s.striker for s in answered.strikes] == ["Ana", "Bo", "Cy", "Di"]
    assert (answered.winner, answered.dead) == ("nobody", ("Di", "Cy", "Bo", "Ana"))


def test_a_lone_fighter_strikes_everybody_in_answer_only():
    harmless = [{**CY, "AP": 1}, {**DI, "AP": 1}]
    assert struck([ANA], harmless, "Ana", {"Q64": "all"}) == "AnaDi CyAna AnaCy"
    assert struck([ANA], harmless, "Cy", {"Q57": "own-side", "Q64": "all"}) == "CyAna DiAna AnaDi AnaCy"


def test_without_the_rules_of_speed_the_initiator_and_the_list_decide():
    under = {"Q62": "both-several"}
    assert struck([DI, {**ED}], [{**ANA, "HEL": 12}], "Ed", under) == "EdAna DiAna"


def test_one_against_one_is_no_battle_of_parties():
    outcome = ask("party_battle", a=[BO], b=[CY], initiator="Bo")
    assert (outcome.winner, outcome.dead, outcome.blows) == ("a", ("Cy",), 1)
    agreed = {"first_aware": True, "second_aware": True, "GM_choice": "target"}
    assert struck([BO], [CY], "Bo", agreement=agreed) == "CyBo BoCy"


def test_who_is_dead_when_it_begins_has_lost():
    outcome = ask("party_battle", a=[BO], b=[{**CY, "HEL": 0}], initiator="Cy")
    assert (outcome.winner, outcome.rounds, outcome.blows) == ("a", 0, 0)


# --- death and money -------------------------------------------------------------------------


def test_zeddy_is_neither_made_nor_lost_in_any_sharing():
    players = [
        {"name": "Ana", "found": 60, "brought": 5},
        {"name": "Bo", "dead": True, "found": 31, "brought": 7},
        {"name": "Cy", "characters": 2},
    ]
    answer = engine().ask("end_of_adventure", {"players": players, "npcs": 1})
    assert len(answer.outcomes) > 20
    for outcome in answer.outcomes:
        sharing = outcome.value
        there = 60 + 31 + 7
        assert sum(p.amount for p in sharing.paid) + sharing.to_npcs + sharing.unpaid + sharing.lost == there
        assert sharing.paid[1].amount == 0


def test_two_players_alike_are_both_paid():
    twin = {"name": "Ana", "found": 4}
    sharing = ask("end_of_adventure", players=[twin, twin])
    assert ([p.amount for p in sharing.paid], sharing.unpaid) == ([4, 4], 0)


def test_each_bonus_of_an_attack_comes_from_the_item_or_the_skill():
    item = {"OFF": 4, "COF": 3, "ROF": 1, "serves": ["close", "ranged"]}
    attacker = {"CAT": 2, "RAT": 6, "MPF": 9}
    close = ask("build_attack", item=item, attacker=attacker, method="close", distance="near")
    ranged = ask("build_attack", item=item, attacker=attacker, method="ranged", distance="far")
    assert (close.AP, ranged.AP) == (4 + 3 + 2, 4 + 1 + 6)
