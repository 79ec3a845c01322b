"""Verdicts on claims: by the method that was asked for, under every reading, with the smallest counterexample."""

import dataclasses
import time

import pytest

from engine.book.domains import parse_domain
from engine.claims import judge
from engine.errors import BoundError, DomainError, InputError
from engine.points import Axis, by_distance
from engine.readings import Engine
from tests.engine.terse import claim, terse_book

DOMAINS = {
    "MAG": "..",
    "level": "1..",
    "margin": "0..",
    "HP": "0..",
    "damage": "..",
    "n": "..",
    "a": "1..20",
    "b": "1..20",
    "A": "1..400",
    "DEF": "1..400",
    "lucky": "bool",
    "kind": ["first", "second", "third"],
    "dice": "dice d4 d6 d8",
    "half": "0..3 by 1/2",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    book = terse_book(
        tmp_path_factory.mktemp("book"),
        "define: max_mp(MAG, level) = max(0, 2 * (MAG + level))",
        "define: bonus(margin) = 2 * (margin // 5)",
        'define: hp_after(HP, damage) = HP - damage if Q01 == "as-is" else HP - max(0, damage)',
        "define: lacking(n) = 1 if n > 2 else Q02",
        'define: chance(A, DEF) = clamp(round(50 + (A - DEF) / DEF * 50, "half-up"), 5, 95)',
        "decide: torn(n)\nrows:\n  - {when: n <= 1, is: 0}\n  - {when: n >= 1, is: 1}",
        "define: ladder(n) = 1 if n == 0 else ladder(n - 1) + 1",
        domains=DOMAINS,
        questions={"Q01": ["as-is", "floored"], "Q02": []},
    )
    return Engine(book)


@pytest.fixture
def verdict(engine):
    return lambda text, by, over=None, **more: judge(engine, claim(engine.book, text, by, over, **more))


def test_a_claim_without_end_is_proved(verdict):
    found = verdict("max_mp(MAG, level) >= 0", "proof")
    assert (found.holds, found.method, found.counterexample, found.fault) == (True, "proved", None, "")
    assert "proved in 2 cases" in found.note


def test_a_proof_that_does_not_go_through_says_so_and_never_falls_back(verdict):
    found = verdict("n * n * n * n >= 2 * n * n - 1", "proof")  # true: (n² − 1)²
    assert (found.holds, found.counterexample) == (False, None)
    assert found.note.startswith("not proved: the claim is not true where")
    assert "no counterexample among the 20,000 nearest" in found.note


def test_a_false_claim_shows_its_smallest_counterexample(verdict):
    found = verdict("max_mp(MAG, level + 1) == max_mp(MAG, level) + 2", "proof")
    assert (found.holds, found.counterexample) == (False, {"MAG": -2, "level": 1})


def test_a_claim_is_judged_under_every_reading(verdict):
    found = verdict("hp_after(HP, damage) <= HP", "proof")
    assert (found.holds, found.counterexample, found.readings) == (False, {"HP": 0, "damage": -1}, {"Q01": "as-is"})
    assert verdict("hp_after(HP, damage) <= HP", "proof", under={"Q01": "floored"}).holds
    assert verdict("hp_after(HP, damage) <= HP", "proof", {"damage": "0.."}).holds


def test_a_ruling_is_a_reading(engine):
    import datetime as dt

    from engine.book.model import Ruling
    from engine.errors import Place

    place = Place(engine.book.folder, 1)
    ruling = Ruling("TT-Q01", "floored", "A. Smith", dt.date(2024, 1, 1), "because", place)
    ruled = Engine(dataclasses.replace(engine.book, rulings={"TT-Q01": ruling}))
    assert judge(ruled, claim(ruled.book, "hp_after(HP, damage) <= HP", "proof")).holds


@pytest.mark.parametrize("by", ["proof", "enumeration", "sampling"])
def test_what_the_text_lacks_breaks_a_claim(verdict, by):
    found = verdict("lacking(n) == 1", by, {"n": "-3..3"})
    assert not found.holds
    assert "unspecified: TT-Q02" in found.note


@pytest.mark.parametrize("by", ["proof", "enumeration"])
def test_rows_that_differ_break_a_claim(verdict, by):
    found = verdict("torn(n) >= 0", by, {"n": "-3..3"})
    assert (found.holds, found.counterexample) == (False, {"n": 1})


@pytest.mark.parametrize("by", ["proof", "enumeration"])
def test_a_division_by_zero_breaks_a_claim(verdict, by):
    found = verdict("1 / n <= 1", by, {"n": "-2..2"})
    assert (found.holds, found.counterexample) == (False, {"n": 0})
    assert "division by zero" in found.note


def test_enumeration_looks_at_every_input(verdict):
    found = verdict("5 <= chance(a, b) <= 95", "enumeration")
    assert (found.holds, found.method, found.points) == (True, "checked", 400)


def test_enumeration_finds_the_one_input_that_breaks(verdict):
    found = verdict("a * b < 400", "enumeration")
    assert found.counterexample == {"a": 20, "b": 20}


def test_the_counterexample_is_the_smallest_by_the_sum_of_distances(verdict):
    # 7 × 7 is the nearest product above 48; 5 × 10 and 3 × 17 are farther, though they come first in the list.
    assert verdict("a * b <= 48", "enumeration").counterexample == {"a": 7, "b": 7}


def test_words_truth_values_pools_and_halves_are_enumerated(verdict):
    assert verdict('kind == "first" or kind == "second"', "enumeration").counterexample == {"kind": "third"}
    assert verdict("lucky", "enumeration").counterexample == {"lucky": False}
    assert verdict("half < 2.5", "enumeration").counterexample == {"half": 2.5}
    found = verdict("highest(dice) < 8", "enumeration").counterexample
    assert str(found["dice"]) == "1d8"


def test_an_enumeration_without_end_is_refused(verdict):
    with pytest.raises(DomainError, match="level, which has no end"):
        verdict("level > 0", "enumeration")


def test_an_enumeration_beyond_its_bound_is_refused(verdict):
    with pytest.raises(BoundError, match="8,000,000 inputs"):
        verdict("a + b + n > 0", "enumeration", {"n": "1..20000"})


def test_sampling_reports_its_examples(verdict):
    found = verdict("max_mp(MAG, level) >= 0", "sampling")
    assert (found.holds, found.method) == (True, "sampled")
    assert f"held on {found.points} examples" in found.note
    assert found.points >= 100


def test_sampling_finds_and_shrinks(verdict):
    found = verdict("bonus(margin) <= 7", "sampling")
    assert found.counterexample == {"margin": 20}  # 2 × (20 // 5) = 8


def test_sampling_tries_both_sides_of_zero(verdict):
    assert verdict("n >= 0", "sampling").counterexample == {"n": -1}
    assert verdict("n <= 0", "sampling").counterexample == {"n": 1}


def test_sampling_is_the_same_each_time(verdict):
    assert verdict("a + b != 37", "sampling") == verdict("a + b != 37", "sampling")


def test_sampling_passes_over_what_exceeds_bounds(verdict):
    assert verdict("ladder(n) == n + 1", "sampling", {"n": "0..100000"}).holds


BROKEN = "max_mp(MAG, level + 1) == max_mp(MAG, level) + 2"


def test_a_known_defect_is_as_declared(verdict):
    found = verdict(BROKEN, "proof", broken={"MAG": -2, "level": 1})
    assert (found.holds, found.fault, found.counterexample) == (False, "", {"MAG": -2, "level": 1})
    # nearer: MAG 0, 1, -1 with level 1, and MAG 0, level 2 with its equals; none of these breaks
    assert "smaller inputs does" in found.note


def test_a_declared_input_that_breaks_nothing_is_a_fault(verdict):
    found = verdict(BROKEN, "proof", broken={"MAG": 3, "level": 1})
    assert found.fault.startswith("the declared input does not break the claim")
    assert found.counterexample == {"MAG": -2, "level": 1}


def test_a_smaller_input_that_breaks_too_is_a_fault(verdict):
    found = verdict(BROKEN, "proof", broken={"MAG": -9, "level": 1})
    assert found.fault.startswith("a smaller input breaks the claim")
    assert found.counterexample == {"MAG": -2, "level": 1}


def test_an_equally_near_input_is_no_fault(verdict):
    # MAG −1 with level 2 and MAG −2 with level 1 are equally near, but only the latter breaks; of a·b > 48 there are 2.
    found = verdict("a + b != 21", "enumeration", broken={"a": 20, "b": 1})
    assert (found.fault, found.counterexample) == ("", {"a": 20, "b": 1})


def test_a_defect_that_is_gone_is_a_fault(verdict):
    found = verdict("max_mp(MAG, level) >= 0", "proof", broken={"MAG": 0, "level": 1})
    assert found.holds
    assert found.fault == "the declared input does not break the claim"


def test_a_declared_input_names_every_input(verdict):
    with pytest.raises(InputError, match="give MAG, level"):
        verdict(BROKEN, "proof", broken={"MAG": -2})
    with pytest.raises(DomainError, match="outside its domain"):
        verdict(BROKEN, "proof", broken={"MAG": -2, "level": 0})


def test_errors_name_the_property_and_its_place(verdict):
    with pytest.raises(InputError, match=r"properties\.md:1: TT-P1 runs over level"):
        verdict("level > 0", "enumeration")


def test_a_proof_that_the_window_contradicts_is_an_error_of_ours(engine, monkeypatch):
    monkeypatch.setattr("engine.claims.prove", lambda *_: 1)
    with pytest.raises(AssertionError, match="was proved, but"):
        judge(engine, claim(engine.book, "n < 5", "proof"))


def test_a_hundred_thousand_simple_inputs_a_second(verdict):
    began = time.process_time()
    found = verdict("A + DEF >= 2", "enumeration")
    assert found.points / (time.process_time() - began) > 100_000


# --- the order of points ----------------------------------------------------------------------


def axes(*specs):
    return [Axis(parse_domain(f"x{i}", spec)) for i, spec in enumerate(specs)]


def test_points_come_nearest_first():
    points = [point for _, point in by_distance(axes("1..", ".."), 9)]
    assert points[:4] == [(1, 0), (1, 1), (1, -1), (2, 0)]
    assert set(points[4:9]) == {(1, 2), (1, -2), (2, 1), (2, -1), (3, 0)}


def test_every_point_comes_once():
    every = [point for _, point in by_distance(axes("-2..1", ["a", "b"], "bool"))]
    assert len(every) == len(set(every)) == 4 * 2 * 2


def test_distances_are_counted_from_the_lower_bound_or_from_zero():
    low, open_, below, word = axes("-5..", "..", "..-3", ["a", "b"])
    assert [low.distance(v) for v in (-5, 0, 2)] == [0, 5, 7]
    assert [open_.distance(v) for v in (-5, 0, 2)] == [5, 0, 2]
    assert [below.distance(v) for v in (-3, -7)] == [0, 4]
    assert word.distance("b") == 1


def test_a_range_whose_steps_miss_its_bound_ends_before_it():
    (axis,) = axes("..5 by 2")
    assert axis.first(5) == (0, 2, -2, 4, -4)
    (negative,) = axes("..-3 by 2")
    assert negative.first(2) == (-4, -6)


def test_a_known_defect_needs_no_end_of_its_domain(verdict):
    found = verdict("n < 5", "enumeration", broken={"n": 5})
    assert (found.holds, found.method, found.fault, found.counterexample) == (False, "checked", "", {"n": 5})
    smaller = verdict("n < 5", "enumeration", broken={"n": 9})
    assert (smaller.fault[:7], smaller.counterexample) == ("a small", {"n": 5})
    nowhere = verdict("n * n >= 0", "enumeration", broken={"n": 1})
    assert nowhere.fault == "the declared input does not break the claim"
    assert not nowhere.holds
    elsewhere = verdict("n < 5", "enumeration", broken={"n": 1})
    assert elsewhere.fault == "the declared input does not break the claim; broken at n = 5"
