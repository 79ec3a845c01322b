"""Numbers that are put back into their range, visibly."""

import pytest

from conformance.tools.boxes import Boxed, put_back
from conformance.tools.said import Reader
from conformance.tools.words import ABILITIES, BOXES

NEARER_END = [
    # box, entered, before: kept
    ("cap", 0, 2, 1),
    ("cap", 1, 2, 1),
    ("cap", 5, 2, 5),
    ("cap", 6, 2, 5),
    ("stage", 0, 7, 1),
    ("stage", 10, 7, 10),
    ("stage", 11, 7, 10),
    ("stage", -(10**12), 7, 1),
    ("the_chat", -1, 2, 0),
    ("the_chat", 3, 2, 3),
    ("the_chat", 4, 2, 3),
    ("than_phap", 0, 12, 1),
    ("than_phap", 31, 12, 30),
    ("DC", -1, 15, 0),
    ("DC", 61, 15, 60),
    ("modifier_box", -6, 2, -5),
    ("modifier_box", 31, 2, 30),
]


@pytest.mark.parametrize(("box", "entered", "before", "kept"), NEARER_END)
def test_a_number_goes_to_the_nearer_end_under_the_profile(custom, box, entered, before, kept):
    boxed = put_back(custom, box, entered, before)
    assert boxed.value == kept
    assert (boxed.note != "") == (entered != kept)


def test_the_note_names_the_box_the_value_and_its_range(custom):
    assert put_back(custom, "stage", 14, 7).note == (
        "Tầng (stage): 14 lies outside 1–10, put back to 10 [Q70 before: 7]"
    )
    note = put_back(custom, "DC", 75, 15).note
    assert note.startswith("DC (difficulty): 75 lies outside 0–60, put back to 60")
    assert "a range of ours" in note


def test_the_other_reading_puts_back_what_stood_there(engine):
    reader = Reader(engine, "custom")
    reader.under["Q70"] = "before"
    assert put_back(reader, "stage", 14, 7).value == 7
    assert put_back(reader, "modifier_box", 99, 2).value == 2
    reader.under["Q69"] = "playable"
    assert put_back(reader, "cap", 3, 2).value == 2
    assert put_back(reader, "cap", 9, 4).value == 2  # what stood there is out of range by now


def test_without_a_profile_it_is_open_what_the_box_holds(every_reading):
    boxed = put_back(every_reading, "stage", 14, 7)
    assert boxed.value is None
    assert "Q70 nearer-end: 10; Q70 before: 7" in boxed.note
    boxed = put_back(every_reading, "cap", 4, 1)
    assert boxed.value is None
    assert "1–5 / 1–2" in boxed.note


def test_without_a_profile_what_is_certain_is_taken(every_reading):
    assert put_back(every_reading, "cap", 2, 1).value == 2
    assert put_back(every_reading, "stage", 11, 10).value == 10  # either way
    assert put_back(every_reading, "stage", 10, 1).note == ""


@pytest.mark.parametrize("ability", ABILITIES)
def test_a_score_that_the_page_says_nothing_of_is_taken_with_a_remark(custom, ability):
    for score in (10, 14):
        assert put_back(custom, ability, score, 12) == Boxed(score)
    for score in (1, 9, 15, 30):
        boxed = put_back(custom, ability, score, 12)
        assert (boxed.value, boxed.note) == (score, "")
        assert "TU-Q97" in boxed.remark


def test_every_box_has_a_label_with_an_english_gloss():
    assert all(label.endswith(")") and " (" in label for label in BOXES.values())
    assert max(map(len, BOXES.values())) <= 26
