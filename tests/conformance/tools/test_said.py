"""What the tools are told: one value, what is lacking, or a value for each reading that matters."""

import pytest

from conformance.tools.said import Reader, open_engine
from conformance.tools.words import number
from engine.errors import CallError, DomainError, InputError


def test_one_value_under_every_reading_is_a_value(every_reading):
    said = every_reading.ask("mod", score=9)
    assert (said.settled, said.value, said.why()) == (True, -1, "")


def test_readings_that_change_nothing_are_not_told(every_reading):
    # Q22 is met and matters only below 1; (10 + 2 + 0) x 1.3 = 15.6 or 12 x 1.6 = 19.2
    assert every_reading.ask("hp", cap=2, stage=1, the=0).readings() == ("Q20 power: 16", "Q20 product: 19")


def test_readings_with_one_value_share_a_line(every_reading):
    said = every_reading.ask("the_chat_bonus", the_chat=0)
    assert said.readings() == ("Q24 from-two: 2", "Q24 none-then-three or none-then-four: 0")
    assert every_reading.ask("the_chat_bonus", the_chat=3).value == 5


def test_a_question_that_makes_no_difference_to_a_value_is_left_out_of_its_line(every_reading):
    # 4 in a box of 1 to 5 stays; in a box of 1 to 2 it goes to the nearer end, or to the 1 before
    said = every_reading.work(lambda rules: rules.boxed(entered=4, low=1, high=rules.boxed_cap(entered=99), before=1))
    assert said.readings() == ("Q69 existing: 4", "Q69 playable, Q70 nearer-end: 2", "Q69 playable, Q70 before: 1")


def test_a_profile_gives_the_value_and_tells_what_it_set_aside(custom):
    said = custom.ask("injury_penalty", injuries=2)
    assert (said.value, said.readings(number)) == (-2, ("Q10 each: −4",))
    assert said.text() == "-2 [Q10 each: -4]"


def test_what_is_lacking_names_its_question_with_and_without_a_profile(custom, every_reading):
    for reader in (custom, every_reading):
        said = reader.ask("hp_with_the_chat", spec="proposed", the_chat=1, HP_max=39)
        assert (said.settled, said.lacking, said.cell()) == (False, "TU-Q72", "mở (open)")
    assert (
        every_reading.work(
            lambda rules: rules.hp(cap=1, stage=1, the=rules.preset_score(build="mid", ability="the_phach"))
        ).lacking
        == "TU-Q16"
    )


def test_a_reading_under_which_something_is_lacking_is_told_beside_the_others(every_reading):
    said = every_reading.work(
        lambda rules: rules.preset_score(build="mid", ability="the_phach") if rules.reading("Q10") == "each" else 3
    )
    assert said.readings() == ("Q10 single: 3", "Q10 each: TU-Q16 mở (open)")


def test_a_ruling_wins_over_the_profile(engine, monkeypatch):
    monkeypatch.setattr(type(engine.book), "ruled", {"Q10": "each"})
    ruled = open_engine(str(engine.book.folder.parent))
    said = Reader(ruled, "custom").ask("injury_penalty", injuries=2)
    assert (said.value, said.others) == (-4, ())


def test_bad_calls_are_refused(engine, custom, tmp_path):
    with pytest.raises(CallError, match="no profile nobody"):
        Reader(engine, "nobody")
    with pytest.raises(DomainError):
        custom.ask("mod", score=31)
    with pytest.raises(CallError):
        custom.ask("no_such_thing")
    with pytest.raises(InputError):
        open_engine(str(tmp_path))


def test_titles_stand_behind_ids(custom):
    assert custom.title_of("TU-Q68").startswith("TU-Q68 ")
    assert custom.title_of("fights.toml says nothing of it") == "fights.toml says nothing of it"
