"""The widgets, used as a person would: values set, buttons clicked, what is shown read."""

import html
import re
import unicodedata

import pytest

from conformance.tools import words
from conformance.tools.calculator_panel import CalculatorPanel
from conformance.tools.check_roller import scripted
from conformance.tools.presets import by_name
from conformance.tools.roller_panel import RollerPanel


def _text(panel):
    return html.unescape(re.sub(r"<[^>]*>", " ", panel.shown.value))


# --- The roller --------------------------------------------------------------------------


def test_the_roller_rolls_what_is_set(engine):
    panel = RollerPanel(engine, scripted(6, 14))
    panel.fighter.value = by_name(engine, "array")
    panel.mode.value, panel.injured.value = "advantage", True
    panel.roll.click()
    assert "d20 [6, 14] → 14 + 2 + R 2 − 2 = 16 vs DC 15 (+1): thành công (success)" in _text(panel)


def test_picking_an_ability_puts_the_fighters_modifier_into_the_box(engine):
    panel = RollerPanel(engine, scripted())
    panel.fighter.value = by_name(engine, "array")
    seen = []
    for ability in words.ABILITIES:
        panel.ability.value = ability
        seen.append(panel.boxes.box["modifier_box"].value)
    assert seen == [2, 1, 1, 0, 0]


def test_a_fighter_without_numbers_leaves_the_box_alone_and_says_why(engine):
    panel = RollerPanel(engine, scripted(10))
    assert "TU-Q66" in _text(panel)  # Lục Trần, whom the page takes
    panel.boxes.box["modifier_box"].value = 4
    assert "TU-Q66" not in _text(panel)  # what is entered wins
    panel.roll.click()
    assert "10 + 4 + R 2 = 16" in _text(panel)
    panel.fighter.value = by_name(engine, "build", "weak")
    assert panel.boxes.box["modifier_box"].value == 4
    assert "TU-Q16" in _text(panel)


def test_an_edited_modifier_outlives_another_profile_and_not_another_ability(engine):
    panel = RollerPanel(engine, scripted())
    panel.fighter.value = by_name(engine, "array")
    panel.boxes.box["modifier_box"].value = 7
    panel.profile.value = "sweep-candidate"
    assert panel.boxes.box["modifier_box"].value == 7
    panel.ability.value = "than_phap"
    assert panel.boxes.box["modifier_box"].value == 1


def test_a_number_out_of_range_is_put_back_in_the_box_and_told(engine):
    panel = RollerPanel(engine, scripted(10))
    panel.boxes.box["DC"].value = 75
    assert panel.boxes.box["DC"].value == 60
    assert "75 lies outside 0–60" in _text(panel)
    panel.boxes.box["DC"].value = 20
    assert "lies outside" not in _text(panel)


def test_nothing_is_rolled_while_a_box_is_open(engine):
    panel = RollerPanel(engine, scripted(), profile="")
    panel.boxes.box["stage"].value = 12
    panel.roll.click()  # a die would be one too many for the script
    assert "không tung (not rolled)" in _text(panel)
    assert "Q70 nearer-end: 10" in _text(panel)
    panel.boxes.box["stage"].value = 4
    assert panel.boxes.values == {"modifier_box": 0, "cap": 1, "stage": 4, "DC": 15}


def test_another_profile_changes_what_is_open(engine):
    panel = RollerPanel(engine, scripted(11, 11))
    panel.boxes.box["modifier_box"].value = 2
    panel.profile.value = ""
    panel.roll.click()
    assert "(?): mở (open)" in _text(panel)
    panel.profile.value = "custom"
    panel.roll.click()
    assert "= 15 vs DC 15 (0): thành công (success)" in _text(panel)


def test_the_rollers_own_dice_are_the_systems(engine):
    panel = RollerPanel(engine)
    panel.roll.click()
    face = re.search(r"d20 \[(\d+)\]", _text(panel))
    assert face is not None
    assert 1 <= int(face[1]) <= 20


# --- The calculator ----------------------------------------------------------------------


def _row(panel, label):
    (row,) = [row for grid in panel.page.grids for row in grid.rows if row[0] == label]
    return row[1:4]


def test_the_calculator_starts_with_the_fixed_array_and_follows_each_box(engine):
    panel = CalculatorPanel(engine)
    boxes = panel.you.boxes.box
    assert [boxes[ability].value for ability in words.ABILITIES] == [14, 13, 12, 11, 10]
    assert panel.page.grids[0].rows[1][:4] == ("HP", "18", "20", "+2")  # 10 + 2 + 6; 10 + 4 + 6
    boxes["stage"].value = 10
    assert panel.page.grids[0].rows[1][:4] == ("HP", "36", "23", "−13 ▼")
    panel.you.cong_phap.value = 2
    assert panel.page.grids[0].rows[2][:4] == ("Linh lực (spirit energy)", "9", "8", "−1 ▼")
    assert "−13 ▼" in _text(panel)


def test_a_score_that_is_entered_is_nobodys_preset(engine):
    panel = CalculatorPanel(engine)
    panel.you.boxes.box["the_phach"].value = 16
    assert panel.you.preset.label == "tự nhập (own scores)"
    assert panel.page.grids[0].rows[1][:3] == ("HP", "21", "23")  # 10 + 2 + 9; 10 + 4 + 9
    assert "TU-Q97" in _text(panel)


def test_numbers_out_of_range_are_put_back_above_the_tables(engine):
    panel = CalculatorPanel(engine)
    panel.you.boxes.box["stage"].value = 14
    panel.you.boxes.box["the_chat"].value = -1
    assert (panel.you.boxes.box["stage"].value, panel.you.boxes.box["the_chat"].value) == (10, 0)
    text = _text(panel)
    assert text.index("−1 lies outside 0–3") < text.index("14 lies outside 1–10") < text.index("Chỉ số (stats)")


def test_nothing_is_computed_while_a_box_is_open(engine):
    panel = CalculatorPanel(engine, profile="")
    panel.you.boxes.box["cap"].value = 4
    assert not panel.page.grids
    assert "không tính (not computed)" in _text(panel)
    panel.profile.value = "custom"
    assert panel.page.grids
    assert "not playable in v0.1" in _text(panel)


def test_a_foe_is_set_and_taken_away(engine):
    panel = CalculatorPanel(engine)
    assert panel.foe.widget.layout.display == "none"
    assert "Đối thủ" not in _text(panel)
    panel.with_foe.value = True
    assert panel.foe.widget.layout.display is None
    panel.foe.boxes.box["cap"].value = 9
    assert "Đối thủ (foe), Cấp (realm): 9 lies outside 1–5" in _text(panel)
    assert _row(panel, "→ Nửa sát thương (half)")[0] == "có (yes)"  # four realms up
    panel.with_foe.value = False
    assert "Đối thủ" not in _text(panel)


def test_a_preset_brings_its_grades(engine):
    panel = CalculatorPanel(engine)
    panel.you.pick(by_name(engine, "assumed", "strong"))
    assert (panel.you.boxes.box["the_chat"].value, panel.you.cong_phap.value) == (2, 1)
    assert panel.you.preset.label == "strong (fights.toml, assumed)"
    assert [panel.you.boxes.box[ability].value for ability in words.ABILITIES] == [16, 14, 16, 11, 10]


# --- Both --------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [RollerPanel, CalculatorPanel])
def test_jupyter_shows_widgets_and_plain_text_names_the_tool(engine, make):
    bundle = make(engine)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert re.fullmatch(r"Máy .* \(.*\): run this cell in Jupyter to use it", bundle["text/plain"])


def test_what_is_shown_is_escaped(engine):
    panel = RollerPanel(engine, scripted())
    panel._preset_note = "<script>"
    panel._changed("DC")
    assert "&lt;script&gt;" in panel.shown.value
    assert "<script>" not in panel.shown.value


def test_labels_bear_their_marks_in_composed_letters():
    labels = [*words.ABILITIES.values(), *words.MODES.values(), *words.DEGREES.values(), *words.THE_CHAT.values()]
    for label in [*labels, *words.BOXES.values(), words.INJURED]:
        assert unicodedata.is_normalized("NFC", label)
        assert label.endswith(")")
