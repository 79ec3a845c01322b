"""The check roller. Expected values are worked out by hand from the seven steps of the d20 core."""

import itertools
import random
import secrets

import pytest
from wcwidth import wcswidth

from conformance.tools.check_roller import Setting, roll_check, scripted, system_roller
from conformance.tools.page import WIDTH
from conformance.tools.presets import by_name, presets
from conformance.tools.words import ABILITIES, DEGREES, MODES
from engine.errors import DomainError, ScriptError


def _roll(reader, *faces, **given):
    setting = {"ability": "the_phach", "modifier": 2, "DC": 15, **given}
    return roll_check(reader, Setting(**setting), scripted(*faces))


# --- What is rolled ----------------------------------------------------------------------

BY_HAND = [
    # faces, setting: die, total, margin, degree
    ((11,), {}, 11, 15, 0, "success"),  # 11 + 2 + 2: equal to the DC
    ((10,), {}, 10, 14, -1, "failure"),
    ((12,), {"injured": True}, 12, 14, -1, "failure"),  # 12 + 2 + 2 - 2
    ((6, 14), {"mode": "advantage"}, 14, 18, 3, "success"),
    ((6, 14), {"mode": "disadvantage"}, 6, 10, -5, "failure"),
    ((14, 6), {"mode": "disadvantage"}, 6, 10, -5, "failure"),
    ((17,), {"modifier": 3, "stage": 10}, 17, 25, 10, "critical success"),  # R = 2 + 9/3 = 5
    ((16,), {"modifier": 3, "stage": 10}, 16, 24, 9, "success"),
    ((3,), {"modifier": 0}, 3, 5, -10, "critical failure"),
    ((4,), {"modifier": 0}, 4, 6, -9, "failure"),
    ((5,), {"modifier": 0, "cap": 2, "stage": 1}, 5, 11, -4, "failure"),  # R = 2 + 0 + 4 = 6
    ((1,), {"modifier": 30}, 1, 33, 18, "critical failure"),  # a natural 1 is the worst, whatever the total
    ((20,), {"modifier": -5, "DC": 60, "injured": True}, 20, 15, -45, "critical success"),
]


@pytest.mark.parametrize(("faces", "given", "expected"), [(f, g, tuple(rest)) for f, g, *rest in BY_HAND])
def test_a_check_by_hand(custom, faces, given, expected):
    rolled = _roll(custom, *faces, **given)
    assert rolled.dice == faces
    shown = (rolled.kept.value, rolled.total.value, rolled.margin.value, rolled.degree.value)
    assert shown == expected


def test_advantage_rolls_two_dice_and_a_plain_roll_one(custom):
    for mode, count in (("normal", 1), ("advantage", 2), ("disadvantage", 2)):
        asked: list[int] = []

        def roller(sides, asked=asked):
            asked.append(sides)
            return 7

        roll_check(custom, Setting("khi_van", 0, 15, mode=mode), roller)
        assert asked == [20] * count


def test_a_seeded_roller_repeats_itself_and_every_face_comes(custom):
    def faces(seed):
        source = random.Random(seed)
        return [
            roll_check(custom, Setting("the_phach", 0, 15), lambda n: source.randint(1, n)).dice for _ in range(150)
        ]

    assert faces(1) == faces(1) != faces(2)
    assert set(faces(1)) == {(face,) for face in range(1, 21)}


def test_the_systems_randomness_is_behind_the_roller_that_is_handed_over(monkeypatch):
    asked = []

    class Source:
        def randint(self, low, high):
            asked.append((low, high))
            return 13

    monkeypatch.setattr(secrets, "SystemRandom", Source)
    assert system_roller()(20) == 13
    assert asked == [(1, 20)]


def test_the_systems_dice_show_1_to_20():
    roller = system_roller()
    # A face stays out of 2,000 rolls with a probability of 20 x 0.95 ** 2000, that is 5 in 10 ** 44.
    assert {roller(20) for _ in range(2000)} == set(range(1, 21))


@pytest.mark.parametrize(
    "given", [{"ability": "luck"}, {"mode": "great"}, {"DC": 61}, {"modifier": 31}, {"cap": 6}, {"stage": 0}]
)
def test_what_lies_outside_its_domain_is_refused(custom, given):
    with pytest.raises(DomainError):
        _roll(custom, 10, 10, **given)


def test_a_script_that_is_too_short_or_shows_a_21_is_refused(custom):
    with pytest.raises(ScriptError):
        _roll(custom, 10, mode="advantage")
    with pytest.raises(ScriptError):
        _roll(custom, 21)


# --- What is open ------------------------------------------------------------------------


def test_without_a_profile_the_total_is_open_where_the_realm_bonus_may_be_in_the_box(every_reading):
    rolled = _roll(every_reading, 11)
    assert not rolled.total.settled
    assert rolled.total.readings() == ("Q67 ability: 15", "Q67 everything: 13")
    assert rolled.degree.readings() == ("Q67 ability: success", "Q67 everything: failure")
    assert rolled.line() == "d20 [11] → 11 + 2 + R ? = ? vs DC 15 (?): mở (open)"


def test_what_is_certain_under_every_reading_is_told_without_a_profile(every_reading):
    assert _roll(every_reading, 20).degree.value == "critical success"


def test_a_20_that_is_put_aside_is_open(custom, every_reading):
    rolled = _roll(every_reading, 20, 5, mode="disadvantage", DC=18)  # 9 or 7 in all: short by 9, or by 11
    assert rolled.natural.readings() == ("Q03 kept: 5", "Q03 either: 20")
    assert set(rolled.degree.readings()) == {
        "Q03 kept, Q67 ability: failure",
        "Q03 kept, Q67 everything: critical failure",
        "Q03 either: critical success",
    }
    assert "Q03 either: critical success" in _roll(custom, 20, 5, mode="disadvantage").degree.readings()


def test_under_a_profile_the_readings_that_it_set_aside_are_told(custom):
    assert _roll(custom, 11).total.readings() == ("Q67 everything: 13",)


@pytest.mark.parametrize(
    ("faces", "given", "questions"),
    [
        ((11,), {}, ["TU-Q68"]),
        ((20,), {}, ["TU-Q08", "TU-Q68"]),  # what a critical check does
        ((11,), {"ability": "khi_van"}, ["TU-Q09", "TU-Q68"]),  # the DC of an event check
        ((1,), {"ability": "ngo_tinh"}, ["TU-Q08", "TU-Q09", "TU-Q68"]),
    ],
)
def test_what_the_text_lacks_is_named(custom, faces, given, questions):
    notes = " ".join(_roll(custom, *faces, **given).notes)
    assert [q for q in ("TU-Q08", "TU-Q09", "TU-Q68") if q in notes] == questions


# --- The dice line -----------------------------------------------------------------------


def test_the_dice_line_is_ours_and_says_so(custom):
    rolled = _roll(custom, 6, 14, mode="advantage", injured=True)
    assert rolled.head() == "Thể phách (body) · ưu thế (advantage) · bị thương (injured)"
    assert rolled.line() == "d20 [6, 14] → 14 + 2 + R 2 − 2 = 16 vs DC 15 (+1): thành công (success)"
    (note,) = [note for note in rolled.notes if "TU-Q68" in note]
    assert "format of our own" in note


def test_the_dice_line_shows_a_natural_die_and_a_negative_modifier(custom):
    assert _roll(custom, 20, modifier=-1, DC=30).line() == (
        "d20 [20] → 20 − 1 + R 2 = 21 vs DC 30 (−9): đại thành công (critical success) · natural 20"
    )


def test_no_line_is_wider_than_the_page(custom, every_reading):
    extremes = itertools.product(
        (custom, every_reading),
        ("than_thuc", "ngo_tinh"),
        MODES,
        (True,),
        (-5, 30),
        (0, 60),
        ((1, 20), (20, 20), (10, 12)),
    )
    for reader, ability, mode, injured, modifier, DC, faces in extremes:
        count = 1 if mode == "normal" else 2
        given = {"mode": mode, "injured": injured, "modifier": modifier, "DC": DC, "cap": 5, "stage": 10}
        rolled = _roll(reader, *faces[:count], ability=ability, **given)
        assert wcswidth(rolled.head()) <= WIDTH
        assert wcswidth(rolled.line()) <= WIDTH
        assert all(wcswidth(line) <= WIDTH for line in rolled.page().text().splitlines())


# --- Labels and presets ------------------------------------------------------------------


def test_every_word_of_the_book_has_a_label(engine):
    domains = engine.book.domains
    for words, name in ((ABILITIES, "ability"), (MODES, "mode"), (DEGREES, "result")):
        assert set(words) == set(domains[name].values())


@pytest.mark.parametrize(
    ("kind", "name", "modifiers"),
    [
        ("page", "", "?????"),  # Lục Trần: not in the text
        ("array", "", [2, 1, 1, 0, 0]),
        ("build", "strong", [3, *"????"]),  # only the 16 is printed
        ("build", "weak", "?????"),
        ("assumed", "weak", [1, 0, -1, *"??"]),
    ],
)
def test_presets_by_hand(engine, custom, kind, name, modifiers):
    preset = by_name(engine, kind, name)
    said = [preset.modifier(custom, ability) for ability in ABILITIES]
    assert [each.value if each.settled else "?" for each in said] == [*modifiers]


def test_lacking_presets_name_their_question(engine, custom, every_reading):
    assert by_name(engine, "page").modifier(custom, "the_phach").lacking == "TU-Q66"
    assert by_name(engine, "build", "mid").modifier(custom, "the_phach").lacking == "TU-Q16"
    strong = by_name(engine, "build", "strong").modifier(every_reading, "the_phach")
    assert strong.readings() == ("Q15 presets-apart: 3", "Q15 array-for-all: 2")


def test_every_preset_can_be_asked_for_everything(engine, custom):
    for preset in presets(engine):
        for ability in ABILITIES:
            for said in (preset.modifier(custom, ability), preset.score(custom, ability)):
                assert said.settled or said.lacking
