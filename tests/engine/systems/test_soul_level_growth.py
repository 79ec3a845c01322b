"""Soul Level: careers, awards and rests, worked out by hand."""

from fractions import Fraction
from math import ceil

import pytest

from tests.engine.systems.soul_table import HUMAN, MAGE, play, value


def test_a_human_becomes_a_mage_and_rises_twice():
    born = play("create_character", {"normal_human": True})
    assert (born.HP, born.M, born.SP) == (200, 100, 200)
    mage = play(
        "take_class",
        {"birth": HUMAN, "base_attributes": MAGE, "hand": {"HP": born.HP, "M": born.M, "SP": born.SP}},
    )
    # 8 × 100; 20 × 50 + 50; 20 × 100 + 50.
    assert (mage.HP_max, mage.M_max, mage.SP_max) == (800, 1050, 2050)
    # Unhurt before, and the maxima rise by 600, 950, 1850.
    assert (mage.HP, mage.M, mage.SP) == (800, 1050, 2050)

    # A rare monster of level 3 pays 100 × 1.44; 44 are left of it. Another one makes 188, and a step costs 120.
    enemies = [{"rank": "rare", "monster_level": 3}]
    first = play("award_sxp", {"soul_level": 1, "SXP": 0, "enemies": enemies})
    assert first.announcements == ("You gained 144 SXP. Current total: 144 / 100 to next level.",)
    assert (first.soul_level, first.SXP) == (2, 44)
    second = play("award_sxp", {"soul_level": 2, "SXP": 44, "enemies": enemies})
    assert (second.soul_level, second.SXP) == (3, 68)

    attributes = {name: getattr(mage, name) for name in HUMAN}
    hand = {"HP": 300, "M": 0, "SP": 50}
    risen = play("level_up", {"character": {"attributes": attributes, "soul_level": 1, "SXP": 144, "hand": hand}}).sheet
    # 8 → 12, 20 → 30, 10 → 15, 2 → 3; the maxima are 1200, 1600, 3100 and rise by 400, 550, 1050.
    assert (risen.VIT, risen.ESP, risen.RSOB, risen.FOR) == (12, 30, 15, 3)
    assert (risen.HP, risen.M, risen.SP) == (700, 550, 1100)
    attributes = {name: getattr(risen, name) for name in HUMAN}
    hand = {"HP": risen.HP, "M": risen.M, "SP": risen.SP}
    again = play("level_up", {"character": {"attributes": attributes, "soul_level": 2, "SXP": 188, "hand": hand}}).sheet
    # 12 → 18, 30 → 45, 15 → 22.5 rounded up, 3 → 4.5 rounded up; 45 × 50 + 150, 45 × 100 + 150.
    assert (again.soul_level, again.SXP, again.RSOB, again.FOR) == (3, 68, 23, 5)
    assert (again.HP_max, again.M_max, again.SP_max) == (1800, 2400, 4650)


def test_two_levels_in_one_award_are_the_same_as_one_after_the_other():
    hand = {"HP": 500, "M": 10, "SP": 0}
    both = play("level_up", {"character": {"attributes": MAGE, "soul_level": 1, "SXP": 230, "hand": hand}})
    one = play("level_up", {"character": {"attributes": MAGE, "soul_level": 1, "SXP": 230, "hand": hand}}, Q24="one")
    then = {
        "attributes": {name: getattr(one.sheet, name) for name in HUMAN},
        "soul_level": 2,
        "SXP": one.sheet.SXP,
        "hand": {"HP": one.sheet.HP, "M": one.sheet.M, "SP": one.sheet.SP},
    }
    other = play("level_up", {"character": then}, Q24="one")
    assert (both.rises, one.rises, other.rises) == (2, 1, 1)
    assert both.sheet == other.sheet


def test_growth_from_the_start_forgets_what_was_rounded_before():
    start = {**HUMAN, "FOR": 3}
    grown = {**HUMAN, "FOR": 5}
    hand = {"HP": 1, "M": 1, "SP": 1}
    who = {"attributes": grown, "soul_level": 2, "SXP": 120, "hand": hand, "first": start}
    assert play("level_up", {"character": who}, Q22="from-the-start").sheet.FOR == 7  # 3 × 2.25 = 6.75
    assert play("level_up", {"character": who}, Q22="step-by-step").sheet.FOR == 8  # 5 × 1.5 = 7.5


def test_the_ladder_is_iterated_rounding():
    step = 100
    for level in range(1, 41):
        assert value("ladder", soul_level=level) == step
        step = ceil(Fraction(step) * Fraction(6, 5))


@pytest.mark.parametrize(
    ("how", "level", "left"), [("carried", 4, 136), ("set-back", 2, 0), ("running-total", 10, 500)]
)
def test_five_hundred_sxp_at_once_under_each_reading(how, level, left):
    # Carried: 100 + 120 + 144 are paid. Never taken off: 500 reaches 432, the step from 9, and not 519.
    made = play("award_sxp", {"soul_level": 1, "SXP": 0, "enemies": [{"rank": "epic", "monster_level": 1}]}, Q23=how)
    assert (made.soul_level, made.SXP) == (level, left)


def test_a_party_of_ranks_is_summed_before_it_is_made_whole():
    enemies = [{"rank": "common", "monster_level": 4}, {"rank": "rare", "monster_level": 5}]
    # 86.4 and 207.36: 87 + 208, or 293.76.
    given = {"soul_level": 30, "SXP": 0, "enemies": enemies}
    assert play("award_sxp", given, Q25="ceil", Q26="each").gain == 295
    assert play("award_sxp", given, Q25="ceil", Q26="sum").gain == 294
    assert play("award_sxp", given, Q25="floor", Q26="each").gain == 293
    assert play("award_sxp", given, Q25="exact", Q26="sum").gain == Fraction(29376, 100)
    # 7344/25; the step from level 30 is 19964.
    told = play("award_sxp", given, Q25="exact").announcements
    assert told == ("You gained 7344/25 SXP. Current total: 7344/25 / 19964 to next level.",)


def test_rests_of_a_long_night():
    pools = {"HP": 50, "HP_max": 200, "M": 0, "M_max": 150, "SP": 7, "SP_max": 251}
    made = play("rest", {"hours": 1, "activity": "sleep", "pools": pools})
    assert (made.kind, made.HP, made.M, made.SP) == ("short", 50, 0, 132)  # 7 + 125, half of 251 rounded down
    made = play("rest", {"hours": 8, "activity": "sleep", "pools": pools})
    assert (made.kind, made.HP, made.M, made.SP) == ("long", 50, 150, 251)
