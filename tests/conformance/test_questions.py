"""Questions and readings: open, ruled, decided by the text, or only talk."""

import shlex
import sys
from pathlib import Path

import pytest

from conformance.checks import Departure
from conformance.items import collect
from conformance.options import Options, open_engines
from engine.errors import Undetermined, Unspecified
from tests.conformance.shelf import Shelf

ENGINES = Path(__file__).with_name("engines.py")
RULING = """
[rulings."LAN-Q01"]
reading = "half-up"
by = "A. Keeper"
on = 2026-02-03
why = "as we always played"
"""


def checks(shelf: Shelf):
    options = Options(books=shelf.folder)
    return {check.id: check for check in collect(open_engines(options), options)}


def test_an_open_question_carries_the_exception_of_its_strict_xfail(shelf: Shelf):
    found = checks(shelf)
    assert found["LAN-Q01"].raises is Undetermined
    assert isinstance(found["LAN-Q01"].find().error, Undetermined)
    assert found["LAN-Q03"].raises is Unspecified
    assert isinstance(found["LAN-Q03"].find().error, Unspecified)


def test_an_open_question_shows_its_value_under_each_reading(shelf: Shelf):
    item = shelf.item("LAN-Q02")
    assert item.status == "open"
    assert item.detail["values"] == {"equal-fails": "true", "equal-holds": "false"}
    assert item.detail["witnesses"] == ["goes_out: die = 3, weather = storm"]


def test_a_ruled_question_is_an_ordinary_case(shelf: Shelf):
    shelf.add("rulings.toml", RULING)
    found = checks(shelf)["LAN-Q01"]
    assert found.raises is None
    assert found.find().error is None
    item = found.judge()
    assert (item.status, item.actual) == ("ruled", "2")
    assert item.detail["by"] == "A. Keeper"
    assert shelf.failing() == {}


def test_a_ruling_that_its_witness_belies_deviates(shelf: Shelf):
    shelf.add("rulings.toml", RULING)
    shelf.edit("questions.md", "half-up, says: a half burns whole, gives: 2", "half-up, says: whole, gives: 3")
    item = shelf.item("LAN-Q01")
    assert (item.status, item.message) == ("deviates", 'ruled "half-up" by A. Keeper: expected 3, got 2')


def test_a_text_that_decides_says_what_to_record(shelf: Shelf):
    shelf.edit("01-light.md", "round(oil / 2, Q01)", 'round(oil / 2, "half-up")')
    finding = checks(shelf)["LAN-Q01"].find()
    assert finding.error is None  # pytest's strict xfail sees a pass, and fails it
    assert finding.item.status == "deviates"
    assert "the text now decides LAN-Q01: 2 under every reading" in finding.item.message
    assert "nothing on the way consults Q01 any more" in finding.item.message
    assert finding.item.remedy.endswith("raw rule LAN-Q01 half-up --by NAME --why TEXT")


def test_readings_made_equal_by_the_formula_fail(shelf: Shelf):
    shelf.edit("01-light.md", 'and Q02 == "equal-fails")', 'and Q02 in ("equal-fails", "equal-holds"))')
    failing = shelf.failing()
    assert failing["LAN-Q02"] == failing["LAN-Q02[equal-holds]"] == "deviates"


THIRD = """  - {id: equal-holds, says: a tie keeps it burning, gives: false}
  - {id: equal-flickers, says: a tie shakes it, gives: none}
"""


def test_two_of_three_readings_that_the_engine_does_not_tell_apart_fail(shelf: Shelf):
    shelf.edit("questions.md", "  - {id: equal-holds, says: a tie keeps it burning, gives: false}\n", THIRD)
    item = shelf.item("LAN-Q02")
    assert item.status == "deviates"
    assert item.message == 'the readings "equal-holds" and "equal-flickers" give the same on every witness'


def test_a_question_that_its_witness_does_not_consult_is_only_talk(shelf: Shelf):
    shelf.edit("questions.md", "ask: goes_out\ngiven: {die: 3, weather: storm}", "ask: burnt\ngiven: {oil: 3}")
    finding = checks(shelf)["LAN-Q02"].find()
    assert isinstance(finding.error, Departure)
    assert finding.item.message == "no evaluation of its witness consults Q02 (it consults Q01)"


def test_a_missing_text_that_is_there_after_all_fails(shelf: Shelf):
    shelf.edit("01-light.md", "0 if oil == 0 else Q03", "0 if oil == 0 else 2")
    finding = checks(shelf)["LAN-Q03"].find()
    assert finding.error is None
    assert finding.item.message.startswith("the rule book now gives 2, although LAN-Q03 says")


def test_a_missing_text_whose_witness_stops_elsewhere_fails(shelf: Shelf):
    shelf.edit("questions.md", "ask: smell\ngiven: {oil: 2}", "ask: burnt\ngiven: {oil: 3}")
    item = shelf.item("LAN-Q03")
    assert (item.status, item.actual) == ("deviates", "depends on other open questions")


def test_a_reading_gives_its_literal_value(shelf: Shelf):
    assert shelf.item("LAN-Q01[half-down]").status == "conforms"
    shelf.edit("questions.md", "a half does not burn, gives: 1}", "a half does not burn, gives: 0}")
    item = shelf.item("LAN-Q01[half-down]")
    assert (item.status, item.message) == ("deviates", "under Q01=half-down: expected 0, got 1")


def test_a_reading_stands_whatever_else_is_open(shelf: Shelf):
    shelf.edit(
        "01-light.md",
        "goes_out(die, weather) = die < flicker(weather)",
        "goes_out(die, weather) = (die < flicker(weather) if burnt(3) == 2 else die < 0)",
    )
    assert shelf.item("LAN-Q02[equal-fails]").status == "conforms"
    shelf.edit("questions.md", "given: {die: 3, weather: storm}", "given: {die: 2, weather: storm}")
    item = shelf.item("LAN-Q02[equal-fails]")
    assert item.status == "deviates"
    assert item.message == "the text leaves it open: Q01=half-up: true; Q01=half-down: false"


def test_a_reading_that_nothing_consults_fails(shelf: Shelf):
    shelf.edit("01-light.md", '(die == flicker(weather) and Q02 == "equal-fails")', "die == flicker(weather)")
    assert shelf.item("LAN-Q02[equal-fails]").message == (
        "no formula and no procedure consults Q02 on the way to goes_out: die = 3, weather = storm"
    )


def test_questions_and_strict_xfails_correspond_one_to_one(shelf: Shelf):
    shelf.add("rulings.toml", RULING)
    strict = {check.id for check in checks(shelf).values() if check.raises is not None and check.what == "question"}
    assert strict == {"LAN-Q02", "LAN-Q03"}
    assert shelf.item("LAN-trace[questions]").actual == "2 open questions"


def test_readings_may_need_dice_of_their_own(lamps: Shelf):
    found = checks(lamps)
    assert isinstance(found["LAN-Q04"].find().error, Undetermined)
    assert found["LAN-Q04"].judge().detail["values"] == {"one": "3", "two": "7"}
    assert found["LAN-Q04[two]"].judge().given == "spark: rolls 3, 4"
    assert found["LAN-Q04[two]"].judge().status == "conforms"


def test_readings_with_dice_of_their_own_that_agree_are_decided(lamps: Shelf):
    lamps.edit("questions.md", "rolls: {one: [3], two: [3, 4]}", "rolls: {one: [5], two: [1, 4]}")
    item = checks(lamps)["LAN-Q04"].judge()
    assert (item.status, item.message) == ("deviates", "the text now decides LAN-Q04: 5 under every reading")


@pytest.mark.parametrize("remote", ["", "ones"])
def test_who_is_blamed_for_a_wrong_reading(shelf: Shelf, remote: str):
    shelf.edit("questions.md", "a half burns whole, gives: 2}", "a half burns whole, gives: 3}")
    command = shlex.join([sys.executable, str(ENGINES), remote]) if remote else ""
    item = shelf.item("LAN-Q01[half-up]", engine=command)
    assert (item.status, item.blame) == ("deviates", "engine under test" if remote else "rule book")


@pytest.mark.parametrize("remote", ["", "ones"])
def test_who_is_blamed_for_a_wrong_ruling(shelf: Shelf, remote: str):
    shelf.add("rulings.toml", RULING)
    shelf.edit("questions.md", "a half burns whole, gives: 2}", "a half burns whole, gives: 3}")
    command = shlex.join([sys.executable, str(ENGINES), remote]) if remote else ""
    item = shelf.item("LAN-Q01", engine=command)
    assert (item.status, item.blame) == ("deviates", "engine under test" if remote else "rule book")


def test_an_engine_whose_answer_is_an_error_is_not_taken_for_a_reading(shelf: Shelf):
    item = shelf.item("LAN-Q01", engine=shlex.join([sys.executable, str(ENGINES), "error"]))
    assert (item.status, item.message, item.actual) == ("errored", "lamp fell", "lamp fell")
    other = shelf.item("LAN-Q02", engine=shlex.join([sys.executable, str(ENGINES), "ones"]))
    assert (other.status, other.actual) == ("deviates", "1")
    assert other.message.startswith("the engine's answer is that of no reading")


def test_a_reading_says_what_it_is(shelf: Shelf):
    assert shelf.item("LAN-Q01[half-down]").case == "half-down: a half does not burn"
