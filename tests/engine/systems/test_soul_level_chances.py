"""Soul Level: chances of tests, found by counting the faces of the die."""

import itertools
from fractions import Fraction

import pytest

from engine.errors import Undetermined
from engine.systems import soul_level as soul
from tests.engine.systems.soul_table import ENGINE, PLAIN, chance_of, play, value


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
