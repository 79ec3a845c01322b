"""Random play: what it draws, what it finds, and that it finds the same each time."""

from typing import Any

from conformance.options import Options, open_engines
from conformance.play import play
from engine.procedures import invariants_of, procedures_of
from tests.conformance.shelf import PROCEDURES, Shelf


def test_the_fixture_is_seen(lamps: Shelf):
    assert set(procedures_of("lanterns")) == set(PROCEDURES)
    assert set(invariants_of("lanterns")) == {"burn", "overfill"}


def test_a_sound_procedure_conforms(lamps: Shelf):
    item = lamps.item("LAN-2.1[play]")
    assert (item.status, item.what) == ("conforms", "play")
    assert item.expected == "it never crashes; same rolls, same outcome; No oil appears from nowhere"
    assert item.detail["invariants"] == 1
    assert item.detail["examples"] >= 30
    assert item.detail["refused"] == 0


def test_a_broken_invariant_shows_the_smallest_example(lamps: Shelf):
    item = lamps.item("LAN-2.2[play]")
    assert item.status == "deviates"
    assert item.given == "lamp = {oil: 7, level: 1}, rolls none"
    assert item.message == (
        'it does not hold that "A lamp never holds more than before": the outcome is {oil: 8, level: 1, lit: true}'
    )
    assert item.blame == "engine under test"


def test_a_crash_is_found_and_needs_no_traceback(lamps: Shelf):
    item = lamps.item("LAN-2.3[play]")
    assert (item.status, item.given) == ("deviates", "oil = 3, rolls none")
    assert item.message.startswith("ZeroDivisionError: integer division or modulo by zero (lamp_rules.py:")


def test_an_outcome_that_chance_decides_is_found(lamps: Shelf):
    item = lamps.item("LAN-2.4[play]")
    assert item.status == "deviates"
    assert "the same" in item.message


def test_a_procedure_that_refuses_everything_proves_nothing(lamps: Shelf):
    item = lamps.item("LAN-2.5[play]")
    assert (item.status, item.message) == (
        "missing",
        "refuse refuses everything that its declared types and domains allow",
    )


def test_a_procedure_that_never_ends_is_stopped(lamps: Shelf):
    item = lamps.item("LAN-2.6[play]")
    assert (item.status, item.message) == ("deviates", "more than 20000 rolls; let the procedure end")


def test_every_kind_of_input_is_drawn_within_its_domain(lamps: Shelf):
    (engine,) = open_engines(Options(books=lamps.folder))
    seen: list[dict[str, Any]] = []

    def keep(rules, inputs, outcome) -> bool:
        seen.append(inputs)
        return True

    wrong, played, refused = play(engine, "every_kind", [keep], examples=60)
    assert (wrong, refused) == (None, 0)
    assert len(seen) == played >= 60
    assert {i["weather"] for i in seen} == {"calm", "wind", "storm"}
    assert {lamp.oil >= 0 and 1 <= lamp.level <= 10 for i in seen for lamp in i["lamps"]} == {True}
    assert {type(i["spare"]).__name__ for i in seen} == {"NoneType", "Lamp"}
    assert all(1 <= i.get("level", 1) <= 10 for i in seen)
    assert "whale" in {i["free"] for i in seen}


def test_readings_are_drawn_too(lamps: Shelf):
    (engine,) = open_engines(Options(books=lamps.folder))
    seen = set()

    def keep(rules, inputs, outcome) -> bool:
        seen.add(rules.reading("Q01"))
        return True

    play(engine, "every_kind", [keep])
    assert seen == {"half-up", "half-down"}


def test_it_finds_the_same_each_time(lamps: Shelf):
    first, second = lamps.run(), lamps.run()
    assert [i for i in first.items if i.what == "play" and "2.4" not in i.id] == [
        i for i in second.items if i.what == "play" and "2.4" not in i.id
    ]


def test_a_long_play_goes_on_past_the_rolls_that_are_drawn(lamps: Shelf):
    (engine,) = open_engines(Options(books=lamps.folder))
    totals: list[int] = []

    def keep(rules, inputs, outcome) -> bool:
        totals.append(outcome)
        return True

    wrong, played, _ = play(engine, "roll_many", [keep])
    assert wrong is None
    # Each takes 1,000 rolls: after 6,000 of them no further play begins.
    assert played == len(totals) == 7
    assert all(1000 <= total <= 6000 for total in totals)
    assert len(set(totals)) > 1


def test_a_ruled_question_is_not_drawn(lamps: Shelf):
    lamps.add("rulings.toml", '[rulings."LAN-Q01"]\nreading = "half-down"\nby = "A"\non = 2026-02-03\nwhy = "so"\n')
    (engine,) = open_engines(Options(books=lamps.folder))
    seen = set()

    def keep(rules, inputs, outcome) -> bool:
        seen.add(rules.reading("Q01"))
        return True

    play(engine, "every_kind", [keep])
    assert seen == {"half-down"}
