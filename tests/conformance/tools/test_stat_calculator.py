"""The stat calculator. Expected values are worked out by hand from the formulas of the source."""

from fractions import Fraction

import pytest
from wcwidth import wcswidth

from conformance.tools.page import WIDTH
from conformance.tools.presets import by_name
from conformance.tools.said import Reader
from conformance.tools.stat_calculator import (
    Fighter,
    breakthroughs,
    calculate,
    of_preset,
    proposed,
    stats,
    struck,
    versus,
)
from conformance.tools.words import ABILITIES, percent
from engine.errors import DomainError

ARRAY = dict(zip(ABILITIES, (14, 13, 12, 11, 10), strict=True))
STRONG = {**dict.fromkeys(ABILITIES, 10), "the_phach": 16}


def _shown(rows):
    return {row.label: (row.now.cell(), row.after.cell(), row.change and row.change.cell()) for row in rows}


# --- Stats -------------------------------------------------------------------------------


def test_the_fixed_array_at_a_breakthrough_by_hand(custom):
    fighter = Fighter(ARRAY, the_chat=3, cong_phap=1, cap=1, stage=10)
    assert _shown(stats(custom, fighter)) == {
        "Cấp · tầng (realm · stage)": ("1 · 10", "2 · 1", None),
        "HP": ("36", "23", "-13"),  # 10 + 20 + 6; (10 + 2 + 6) x 1.3 = 23.4
        "Linh lực (spirit energy)": ("7", "6", "-1"),  # 2 + 3 + 2; 2 + 2 + 2
        "Bí pháp đủ trả (arts it pays)": ("2", "2", "0"),  # 3 apiece
        "R cảnh giới (realm bonus)": ("5", "6", "1"),  # 2 + 3; 2 + 4
        "Đòn đánh (attack bonus)": ("7", "8", "1"),  # 2 + R
        "Hộ thể (body shield)": ("16", "17", "1"),  # 10 + 1 + 5, one a realm
        "DC bí pháp (art DC)": ("14", "15", "1"),  # 8 + R + 1
    }


def test_a_step_inside_a_realm_by_hand(custom):
    rows = _shown(stats(custom, Fighter(ARRAY, the_chat=3, cap=2, stage=5)))
    assert rows["Cấp · tầng (realm · stage)"][:2] == ("2 · 5", "2 · 6")
    assert rows["HP"] == ("34", "36", "2")  # 26 x 1.3 = 33.8; 28 x 1.3 = 36.4
    assert rows["Linh lực (spirit energy)"] == ("5", "6", "1")  # 2 + 2 + 1; 2 + 2 + 2
    assert rows["R cảnh giới (realm bonus)"] == ("7", "7", "0")  # 2 + 1 + 4


def test_at_the_very_top_the_fighter_stays_or_goes_beyond(custom, every_reading):
    fighter = Fighter(ARRAY, the_chat=3, cap=5, stage=10)
    (step, *_) = stats(custom, fighter)
    assert (step.now.value, step.after.value) == ("5 · 10", "5 · 10")
    (step, *_) = stats(every_reading, fighter)
    assert step.after.readings() == ("Q28 stays: 5 · 10", "Q28 beyond: 6 · 1")


def test_hit_points_rest_on_readings_and_say_so(custom, every_reading):
    fighter = Fighter(STRONG, cap=2, stage=3)
    HP = stats(custom, fighter)[1]
    # (10 + 6 + 9) x 1.3 = 32.5; with the score (16 + 48) x 1.3 = 83.2; as a product 25 x 1.6 = 40
    assert HP.now.value == 33
    assert HP.now.readings() == ("Q12 score: 83", "Q20 product: 40", "Q21 half-even: 32")
    HP = stats(every_reading, fighter)[1]
    assert HP.now.cell() == "mở (open)"
    assert {choice.value for choice in HP.now.choices} == {33, 32, 40, 83, 102}  # 64 x 1.6 = 102.4


@pytest.mark.parametrize(
    ("profile", "the_chat", "shield"),
    [("custom", 0, 12), ("custom", 2, 14), ("sweep-candidate", 0, 10), ("sweep-candidate", 2, 13)],
)
def test_the_chat_counts_as_the_profile_says(engine, profile, the_chat, shield):
    row = stats(Reader(engine, profile), Fighter(STRONG, the_chat=the_chat))[6]
    assert row.label.startswith("Hộ thể")
    assert row.now.value == shield


# --- The breakthrough bug ----------------------------------------------------------------


def test_the_prototype_rows_show_the_bug_by_hand(custom):
    rows = breakthroughs(custom, Fighter(STRONG))
    assert _shown(rows) == {
        "HP, cấp 1 → 2": ("39", "27", "-12"),  # 39; 21 x 1.3 = 27.3
        "HP, cấp 2 → 3": ("51", "35", "-16"),  # 39 x 1.3 = 50.7; 21 x 1.69 = 35.49
        "HP, cấp 3 → 4": ("66", "46", "-20"),  # 39 x 1.69 = 65.91; 21 x 2.197 = 46.137
        "HP, cấp 4 → 5": ("86", "60", "-26"),  # 39 x 2.197 = 85.683; 21 x 2.8561 = 59.9781
        "Linh lực, cấp 1 → 2": ("5", "4", "-1"),  # 2 + 3; 2 + 2
        "Linh lực, cấp 2 → 3": ("7", "6", "-1"),
        "Linh lực, cấp 3 → 4": ("9", "8", "-1"),
        "Linh lực, cấp 4 → 5": ("11", "10", "-1"),
    }
    assert all(row.cells()[3].endswith("▼") for row in rows)


@pytest.mark.parametrize("score", [4, 9, 14, 16, 30])
def test_no_score_escapes_the_bug(custom, score):
    """Before rounding the change is (0.9 Thể - 14.4) x 1.3 ^ (cấp - 1): below nothing up to a modifier of 15."""
    the = (score - 10) // 2
    for cap, row in enumerate(breakthroughs(custom, Fighter({**STRONG, "the_phach": score}))[:4], 1):
        exact = (Fraction(9, 10) * the - Fraction(144, 10)) * Fraction(13, 10) ** (cap - 1)
        assert row.change is not None
        assert abs(row.change.value - exact) <= 1
        assert row.change.value < 0


def test_where_the_score_enters_the_formula_16_loses_nothing(custom):
    first = breakthroughs(custom, Fighter(STRONG))[0]
    assert "Q12 score: 78 → 78" in first.cells()[4]  # 10 + 20 + 48; (10 + 2 + 48) x 1.3


# --- What is lost ------------------------------------------------------------------------


def test_the_proposed_rows_are_open_and_name_their_question(custom):
    rows = proposed(custom, Fighter(ARRAY, the_chat=1))
    assert [(row.now.lacking, row.after.lacking) for row in rows] == [("TU-Q73", "TU-Q73"), ("TU-Q72", "TU-Q72")]
    assert [row.cells()[1] for row in rows] == ["mở (open)", "mở (open)"]
    assert len(proposed(custom, Fighter(ARRAY))) == 1


def test_notes_name_what_is_lost(custom):
    notes = " ".join(calculate(custom, Fighter(ARRAY), Fighter(ARRAY, cap=3)).notes)
    for question in ("TU-Q23", "TU-Q31", "TU-Q71", "TU-Q73"):
        assert question in notes
    assert "playable" in " ".join(calculate(custom, Fighter(ARRAY, cap=3)).notes)
    assert "The next step is not playable in v0.1." in calculate(custom, Fighter(ARRAY, cap=2, stage=10)).notes
    assert not any("not playable" in note for note in calculate(custom, Fighter(ARRAY, cap=2)).notes)


# --- The foe -----------------------------------------------------------------------------


def test_a_foe_two_realms_up_by_hand(custom):
    you, foe = Fighter(ARRAY, the_chat=3, cap=1, stage=10), Fighter(ARRAY, the_chat=3, cap=3, stage=1)
    # Foe: R = 2 + 8 = 10, hộ thể 10 + 1 + 5 + 2 = 18, art DC 8 + 10 + 1 = 19. You: R 5 then 6, hộ thể 16 then 17.
    hit, saves, half = (row.cells()[1:3] for row in versus(custom, you, foe))
    # 18 - 2 - 5 = 11, ten faces, both dice: 1/4; then 18 - 2 - 6 = 10, 11/20 twice: 121/400
    assert hit == ("11+ · bất lợi · 25%", "10+ · bất lợi · 30.25%")
    # DC 14, Thân 1 + R 10: a 3, 18/20, either die: 1 - 1/100; then DC 15: a 4, 1 - (3/20)^2
    assert saves == ("3+ · ưu thế · 99%", "4+ · ưu thế · 97.75%")
    assert half == ("có (yes)", "không (no)")  # one realm up is no longer two
    hit, saves, half = (row.cells()[1:3] for row in struck(custom, you, foe))
    assert hit == ("4+ · 85%", "5+ · 80%")  # 16 - 2 - 10; 17 - 2 - 10
    assert saves == ("13+ · 40%", "12+ · 45%")  # DC 19 - 1 - 5; 19 - 1 - 6
    assert half == ("không (no)", "không (no)")


def test_what_no_die_shows_is_a_dash(custom):
    you, foe = Fighter({**ARRAY, "the_phach": 1}, the_chat=3), Fighter({**ARRAY, "than_phap": 30}, the_chat=3)
    assert versus(custom, you, foe)[0].cells()[1] == "— · 0%"  # 10 + 10 + 5 + 5 - 2 = 28


def test_percentages_are_exact():
    assert [percent(Fraction(n, 400)) for n in (0, 1, 121, 399, 400)] == ["0%", "0.25%", "30.25%", "99.75%", "100%"]


# --- Presets, domains, widths ------------------------------------------------------------


def test_presets_fill_in_what_is_known(engine, custom):
    blank = Fighter(dict.fromkeys(ABILITIES, 12), the_chat=1, cong_phap=1, cap=2, stage=4)
    array, notes = of_preset(custom, by_name(engine, "array"), blank)
    assert (array.scores, notes) == (ARRAY, ())
    assert (array.the_chat, array.cong_phap, array.cap, array.stage) == (1, 1, 2, 4)
    strong, notes = of_preset(custom, by_name(engine, "build", "strong"), blank)
    assert strong.scores == {**blank.scores, "the_phach": 16}
    assert len(notes) == 1
    assert "TU-Q16" in notes[0]
    assert "Thể phách" not in notes[0]
    nobody, notes = of_preset(custom, by_name(engine, "page"), blank)
    assert nobody == blank
    assert "TU-Q66" in notes[0]
    weak, _ = of_preset(custom, by_name(engine, "assumed", "weak"), blank)
    assert [*weak.scores.values()] == [12, 10, 8, 12, 12]  # +1, 0, −1 as even scores
    assert (weak.the_chat, weak.cong_phap) == (0, 0)


@pytest.mark.parametrize("given", [{"cap": 6}, {"stage": 0}, {"the_chat": 4}, {"cong_phap": 3}])
def test_what_lies_outside_its_domain_is_refused(custom, given):
    with pytest.raises(DomainError):
        calculate(custom, Fighter(ARRAY, **given))
    with pytest.raises(DomainError):
        calculate(custom, Fighter(ARRAY), Fighter(ARRAY, **given))


@pytest.mark.parametrize("score", [1, 30])
@pytest.mark.parametrize("place", [(1, 1), (5, 10)])
@pytest.mark.parametrize("profile", ["custom", "sweep-candidate", ""])
def test_no_line_is_wider_than_the_page(engine, profile, place, score):
    cap, stage = place
    one = Fighter(dict.fromkeys(ABILITIES, score), the_chat=3, cong_phap=2, cap=cap, stage=stage)
    other = Fighter(dict.fromkeys(ABILITIES, 31 - score), the_chat=1, cap=6 - cap, stage=11 - stage)
    lines = calculate(Reader(engine, profile), one, other).page().text().splitlines()
    assert max(map(wcswidth, lines)) <= WIDTH <= 100


def test_columns_stand_below_their_heads(custom):
    table = calculate(custom, Fighter(ARRAY, cap=1, stage=10)).page().grids[0].text().splitlines()
    at = wcswidth(table[1][: table[1].index("sau (next)")])
    row = next(line for line in table if line.startswith("Linh lực"))
    assert row[:at].rstrip().endswith("5")
    assert row[at:].startswith("4")
