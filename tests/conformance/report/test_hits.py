"""Hits to kill: averages by hand, and the whole against a plain enumeration of every combination of readings."""

from fractions import Fraction
from itertools import product
from math import ceil

import pytest

from conformance.report.systems.desk import open_desk, tenth
from conformance.report.systems.soul_level_hits import AIMS, Pairings, attacks_needed
from tests.conformance.shelf import HOME


@pytest.fixture(scope="module")
def desk():
    return open_desk(str(HOME / "spec"), "soul_level")


@pytest.fixture(scope="module")
def level_1(desk):
    return Pairings(desk, desk.book.profiles["plain"], 1)


@pytest.mark.parametrize(
    ("hits", "faces", "critical", "average"),
    [
        (1, 50, 0, 2),
        (3, 50, 0, 6),
        (1, 50, 5, 2),  # a critical hit is one too many
        (2, 50, 5, Fraction(19, 5)),  # (1 + 0.45 * 2) / 0.5
        (2, 100, 5, Fraction(39, 20)),  # 1 + 0.95 * 1
        (3, 100, 5, Fraction(1161, 400)),  # 1 + 0.95 * 1.95 + 0.05 * 1
        (2, 100, 100, 1),
    ],
)
def test_attacks_on_average(hits, faces, critical, average):
    assert attacks_needed(hits, faces, critical) == average


def test_a_pairing_by_hand(level_1):
    # 5 * (20 + 8) less 5 * 2 leaves 130 of the Mage's 800 HP: seven hits; 28 against a defence of 4 needs no roll
    found = level_1.plain("Barbarian", "Mage")
    assert (found.hits, found.faces, found.aim, found.average) == (7, 100, "melee", 7)
    # with a die for criticals alone: 1, 1.95, 2.9025, 3.854875, 4.80725625, 5.7596371875, 6.712018140625
    least, most = level_1.range("Barbarian", "Mage")
    assert least == Fraction("6.712018140625")
    assert most > 7


def test_a_reading_may_open_a_question_that_no_other_meets(desk, level_1):
    # at level 1 nothing has grown, unless level 1 is a rise itself: then 20 and 20 are 30 and 30
    assert {q.id for q in level_1.consulted} >= {"SOUL-Q06", "SOUL-Q42", "SOUL-Q45"}
    assert level_1.moved("Q06")["Mage", "Mage"] > 0
    assert level_1.moved("Q01") == {}


@pytest.mark.parametrize(("level", "attacker", "target"), [(1, "Mage", "Cleric"), (12, "Mage", "Monk")])
def test_the_range_is_that_of_every_combination(desk, level, attacker, target):
    pairings = Pairings(desk, desk.book.profiles["plain"], level)
    questions = [q for q in desk.book.questions.values() if q.id in ("SOUL-Q06", "SOUL-Q22", "SOUL-Q42", "SOUL-Q45")]
    averages = []
    for readings in product(*([reading.id for reading in q.readings] for q in questions)):
        under = {**desk.book.profiles["plain"], **{q.name: r for q, r in zip(questions, readings, strict=True)}}
        averages.append(min(of_all_kinds(desk, level, attacker, target, under)))
    assert pairings.range(attacker, target) == (min(averages), max(averages))
    plain = pairings.plain(attacker, target)
    assert plain is not None
    assert plain.average in averages
    assert {q.id for q in pairings.consulted} == {q.id for q in questions}


def of_all_kinds(desk, level, attacker, target, under):
    def at(name, attribute):
        value = desk.value("base_attribute", {"class_name": name, "attribute": attribute}, under)
        return desk.value("attribute_at", {"value": value, "soul_level": level}, under)

    acting = {each: at(attacker, each) for each in ("FOR", "VEL", "INT", "ESP")}
    struck = {each: at(target, each) for each in ("RES", "RSOB")}
    for aim in AIMS:
        A = desk.value("attack_A", {"aimed_kind": aim, **acting}, under)
        results = [
            desk.value("test_result", {"A": A, "DEF": 2 * at(target, "VEL"), "d100": d100}, under)
            for d100 in range(1, 101)
        ]
        damage = desk.value("base_damage", {"aimed_kind": aim, **acting, "soul_level": level}, under)
        through = desk.value("mitigated_damage", {"aimed_kind": aim, "damage": damage, **struck}, under)
        critical = results.count("critical success")
        faces = results.count("success") + critical
        if faces and through:
            yield attacks_needed(ceil(Fraction(100 * at(target, "VIT")) / through), faces, critical)


@pytest.mark.parametrize(
    ("value", "words"), [(Fraction(1, 20), "0.1"), (Fraction(3, 2), "1.5"), (Fraction(-1, 3), "−0.3"), (7, "7.0")]
)
def test_tenths(value, words):
    assert tenth(Fraction(value)) == words
