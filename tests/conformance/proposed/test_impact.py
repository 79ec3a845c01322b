"""What a proposal does, held against figures worked out by hand."""

from pathlib import Path

import pytest

from conformance.proposed.impact import impact, judged
from engine import claims
from engine.book.load import load_book
from engine.errors import InputError
from engine.readings import Engine
from tests.conformance.proposed.conftest import LADDER, SPEC

# 100, then each the last times 1.2 (or 1.1), rounded up: 172.8, 207.6, 249.6, …; 133.1, 147.4, 162.8, …
BEFORE = [100, 120, 144, 173, 208, 250, 300, 360, 432, 519, 623, 748]
AFTER = [100, 110, 121, 134, 148, 163, 180, 198, 218, 240, 264, 291]


def silent(what, done, of):
    pass


def test_every_changed_figure_of_the_ladder_is_listed_exactly():
    found = impact(load_book(LADDER), ["slower"], silent)
    (sxp,) = [figures for figures in found.figures if figures.name == "sxp"]
    assert (sxp.whole, sxp.looked_at) == (True, 12)
    expected = [(n, str(b), str(a)) for n, (b, a) in enumerate(zip(BEFORE, AFTER, strict=True), 1) if b != a]
    assert [(row[0]["level"], row[1], row[2]) for row in sxp.rows] == expected
    assert expected[0] == (2, "120", "110")  # ⌈100 × 1.1⌉; in floats it would be 111
    assert ("sxp(level = 4)", "173", "134") in [(s.call, s.before, s.after) for s in found.shifts]


def test_settling_the_rounding_flips_exactly_the_expectations_that_depend_on_it():
    found = impact(load_book(LADDER), ["rounding"], silent)
    assert [flip.id for flip in found.checks.expectations] == ["LD-Q01"]
    assert [flip.id for flip in found.checks.settled] == ["LD-Q01"]
    assert (found.checks.opened, found.checks.won, found.checks.lost, found.checks.failing) == ((), (), (), ())
    assert [(s.call, s.before, s.after) for s in found.shifts] == [
        ("chance(A = 11, DEF = 10)", "51 (Q01=half-up); 50 (Q01=floor)", "51")
    ]


def test_a_known_defect_that_is_mended_is_won_and_its_expectation_flips():
    found = impact(load_book(LADDER), ["slower"], silent)
    assert [flip.id for flip in found.checks.won] == ["LD-P2"]
    assert [flip.id for flip in found.checks.expectations] == ["LD-P2"]
    assert [(p.id, p.kept, p.before) for p in found.promises] == [
        ("LD-P1", True, "checked"),
        ("LD-P2", True, "known defect"),
    ]
    assert found.broken == ()


def test_what_goes_and_what_comes_is_told_apart():
    found = impact(load_book(LADDER), ["no-fee"], silent)
    assert [(change.id, change.kind) for change in found.changes] == [("LD-2.4", "added"), ("LD-2.3", "withdrawn")]
    assert [(s.name, s.before, s.after) for s in found.settings] == [("input tip", "none", "0..5")]
    assert [(s.call, s.before, s.after) for s in found.shifts] == [("fee()", "7", "not defined")]


def test_proposals_are_stacked_in_their_order():
    found = impact(load_book(LADDER), ["rounding", "no-fee"], silent)
    assert found.stack.book.applied == ("rounding", "no-fee")
    assert {change.id for change in found.changes} == {"LD-2.3", "LD-2.4"}
    assert [flip.id for flip in found.checks.settled] == ["LD-Q01"]


def edit(ladder: Path, old: str, new: str) -> None:
    file = ladder / "proposals" / "slower.md"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_promise_that_breaks_is_named_with_its_counterexample(ladder):
    edit(ladder, "define: growth = 1.1", "define: growth = 1.16")
    edit(ladder, "{is: 11/10}", "{is: 29/25}")
    (broken,) = judged(load_book(ladder), "slower")
    assert broken.startswith("LD-P2 is promised and does not hold: broken at level = 4")  # 100, 116, 135, 157


def test_a_case_of_the_proposal_that_its_own_rule_contradicts_would_fail(ladder):
    edit(ladder, "{level: 4, is: 134", "{level: 4, is: 135")
    found = impact(load_book(ladder), ["slower"], silent)
    assert [item.id for item in found.checks.failing] == ["LD-1.2[level=4]"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "ceil(sxp(level - 1) * growth)",
            "ceil(sxp(level - 1) / (growth - 1.1))",
            "slower.md:29: LD-1.2.level=2. is left without a value: a division",
        ),
        (
            "ceil(sxp(level - 1) * growth)",
            "9 ** 9 ** 9 ** level",
            "slower.md:29: LD-1.2.level=2. is left without a value: a power beyond",
        ),
        ("level: 4, is: 134", "level: 40, is: 134", "slower.md:31: LD-1.2: level = 40 lies outside"),
    ],
)
def test_a_case_left_without_value_is_one_line(ladder, old, new, message):
    edit(ladder, old, new)
    with pytest.raises(InputError, match=message) as caught:
        impact(load_book(ladder), ["slower"], silent)
    assert "\n" not in str(caught.value)


BREAKTHROUGH = ["candidate-breakthrough"]


@pytest.mark.parametrize("prop", ["TU-P1", "TU-P5", "TU-P9"])
def test_the_repair_of_the_breakthrough_makes_its_defects_hold(prop):
    before, after = (Engine(load_book(SPEC / "tu_chan_gioi", names)) for names in ([], BREAKTHROUGH))
    assert before.book.properties[prop].broken is not None
    assert not claims.judge(before, before.book.properties[prop]).holds
    verdict = claims.judge(after, after.book.properties[prop])
    assert (verdict.holds, after.book.properties[prop].broken) == (True, None)


def test_the_repair_is_checked_for_every_cap_and_body_of_the_domain_and_proved_for_any():
    engine = Engine(load_book(SPEC / "tu_chan_gioi", BREAKTHROUGH))
    book = engine.book
    assert book.properties["TU-P1"].domains["the"] == book.domains["the"]
    assert str(book.properties["TU-P1"].domains["cap"]) == "1..4"  # cấp 5 is the last
    assert claims.judge(engine, book.properties["TU-P1"]).points == 4 * 36
    verdict = claims.judge(engine, book.properties["TU-P103"])
    assert (verdict.holds, verdict.method) == (True, "proved")


def test_the_repair_moves_nothing_that_it_need_not():
    """By an independent method: the running maximum of the formula, worked out here."""
    engine = Engine(load_book(SPEC / "tu_chan_gioi", BREAKTHROUGH))
    under = {"Q20": "power", "Q21": "half-up", "Q22": "as-computed"}
    for the in (-5, 0, 3, 30):
        reached = expected = -1000
        for cap in range(1, 6):
            for stage in range(1, 11):
                own = int((10 + 2 * stage + 3 * the) * 13 ** (cap - 1) * 2 + 10 ** (cap - 1)) // (2 * 10 ** (cap - 1))
                expected = max(own, reached)
                assert engine.value("hp", cap=cap, stage=stage, the=the, under=under) == expected
            reached = expected
