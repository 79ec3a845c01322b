"""Properties, decision tables and thresholds as items."""

import pytest

from conformance.checks import KnownDefect
from conformance.items import collect
from conformance.options import Options, open_engines
from tests.conformance.shelf import Shelf


def find(shelf: Shelf, item_id: str):
    options = Options(books=shelf.folder)
    return next(c for c in collect(open_engines(options), options) if c.id == item_id).find()


def test_a_property_that_holds_says_how_it_was_established(shelf: Shelf):
    item = shelf.item("LAN-P1")
    assert (item.status, item.detail["method"], item.detail["points"]) == ("conforms", "checked", 10)


def test_a_property_that_fails_shows_its_smallest_counterexample(shelf: Shelf):
    shelf.edit("properties.md", "claim: radius(level) >= 2", "claim: radius(level) < 7")
    item = shelf.item("LAN-P1")
    assert (item.status, item.detail["counterexample"]) == ("deviates", {"level": 6})
    assert "`broken: {level: 6}`" in item.remedy


def test_a_known_defect_is_a_strict_xfail(shelf: Shelf):
    finding = find(shelf, "LAN-P2")
    assert finding.item.status == "broken"
    assert isinstance(finding.error, KnownDefect)
    assert finding.item.detail["counterexample"] == {"die": 4}


def test_a_defect_that_is_gone_passes_its_strict_xfail_and_fails_the_run(shelf: Shelf):
    shelf.edit("properties.md", 'claim: goes_out(die, "storm")', 'claim: goes_out(die, "storm") or die > 3')
    finding = find(shelf, "LAN-P2")
    assert (finding.item.status, finding.error) == ("deviates", None)
    assert finding.item.expected == "broken at die = 4"
    assert finding.item.message == "LAN-P2 holds now: the known defect is gone"


def test_a_defect_that_a_ruling_mends_names_the_ruling(shelf: Shelf):
    shelf.add(
        "properties.md",
        "\n### LAN-P3 No more burns than there is\n\nA half may burn whole.\n\n"
        "```yaml\nclaim: 2 * burnt(oil) <= oil\nby: enumeration\nfor: {oil: 0..4}\nbroken: {oil: 1}\n```\n",
    )
    assert shelf.item("LAN-P3").status == "broken"
    ruling = '[rulings."LAN-Q01"]\nreading = "half-down"\nby = "An"\non = 2026-01-31\nwhy = "custom"\n'
    (shelf.book / "rulings.toml").write_text(ruling, encoding="utf-8")
    item = shelf.item("LAN-P3")
    message = "LAN-P3 holds now: the known defect is gone since a ruling was made (LAN-Q01 as half-down)"
    assert (item.status, item.message) == ("deviates", message)
    assert item.remedy.endswith("then raw approve LAN-P3 --by NAME --why TEXT.")


@pytest.mark.parametrize(
    ("declared", "fault"),
    [("{die: 5}", "a smaller input breaks the claim"), ("{die: 3}", "the declared input does not break the claim")],
)
def test_a_defect_stands_at_its_smallest_counterexample(shelf: Shelf, declared: str, fault: str):
    shelf.edit("properties.md", "broken: {die: 4}", f"broken: {declared}")
    item = shelf.item("LAN-P2")
    assert item.status == "deviates"
    assert fault in item.message
    assert "`broken: {die: 4}`" in item.remedy


def test_a_gap_in_a_table_fails(shelf: Shelf):
    shelf.edit("01-light.md", '  - {when: weather == "wind", is: 1}\n', "")
    shelf.edit("01-light.md", "  - {weather: wind, is: 1}\n", "")
    item = shelf.item("LAN-1.3[table]")
    assert (item.status, item.message) == ("deviates", "no row applies at weather = wind")
    assert item.remedy.endswith("add a question that names LAN-1.3. As a case: - {weather: wind, is: unspecified}")


def test_a_gap_that_a_question_names_is_accounted_for(shelf: Shelf):
    shelf.edit("01-light.md", '  - {when: weather == "wind", is: 1}\n', "")
    shelf.edit("01-light.md", "  - {weather: wind, is: 1}\n", "")
    shelf.edit("questions.md", "Fish oil is named once,", "LAN-1.3 says nothing of wind. Fish oil is named once,")
    item = shelf.item("LAN-1.3[table]")
    assert item.status == "conforms"
    assert "accounted for by LAN-Q03" in item.actual


def test_a_clause_of_a_longer_number_is_another_clause(shelf: Shelf):
    shelf.edit("01-light.md", '  - {when: weather == "wind", is: 1}\n', "")
    shelf.edit("01-light.md", "  - {weather: wind, is: 1}\n", "")
    shelf.edit(
        "questions.md", "Fish oil is named once,", "LAN-1.3.1 and XLAN-1.3 and LAN-1.31. Fish oil is named once,"
    )
    assert shelf.item("LAN-1.3[table]").status == "deviates"


def test_rows_that_differ_fail(shelf: Shelf):
    shelf.edit("01-light.md", 'weather == "wind", is: 1}', 'weather != "calm", is: 1}')
    item = shelf.item("LAN-1.3[table]")
    assert (item.status, item.message) == ("deviates", "rows 2, 3 give different values at weather = storm")


def test_a_number_that_no_case_pins_lacks_a_case(shelf: Shelf):
    shelf.edit(
        "01-light.md",
        "radius(level) = 2 + (level - 1)",
        "radius(level) = 2 + (level - 1) if level < 7 else 12 if level == 9 else 1 + level",
    )
    item = shelf.item("LAN-1.1[thresholds]")
    assert item.status == "missing"
    assert "no case would notice; - {level: 9, is: 12" in item.message
    assert any("level: 9" in entry["case"] for entry in item.detail["loose"])


def test_a_pinned_clause_says_how_many_changes_would_be_noticed(shelf: Shelf):
    item = shelf.item("LAN-1.1[thresholds]")
    assert item.status == "conforms"
    assert item.detail["states"]["pinned"] >= 2
    assert item.actual == f"{item.detail['states']['pinned']} pinned"
