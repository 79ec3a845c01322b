"""Cases: what conforms, what deviates, and whose fault it is."""

from conformance.asking import Reply
from conformance.cases import _same_under_every_reading
from conformance.failure import failure_text
from engine.errors import Undetermined
from tests.conformance.shelf import SOURCES, Shelf


def test_the_good_book_agrees(shelf: Shelf):
    results = shelf.run(sources=SOURCES)
    assert results.agrees
    assert results.footer.by_status == {"broken": 1, "open": 3, "conforms": results.footer.items - 4}


def test_a_changed_expected_value_is_blamed_on_the_rule_book(shelf: Shelf):
    shelf.edit("01-light.md", "{level: 10, is: 11,", "{level: 10, is: 12,")
    item = shelf.item("LAN-1.1[level=10]")
    assert (item.status, item.expected, item.actual, item.blame) == ("deviates", "12", "11", "rule book")
    assert item.message == "expected 12, got 11"
    assert item.where.endswith("lanterns/01-light.md:13")
    assert item.steps == ("LAN-1.1  radius(level = 10) = 11",)
    assert "LAN-1.1" in item.remedy


def test_a_changed_formula_fails_its_cases_and_its_approval(shelf: Shelf):
    shelf.edit("01-light.md", "radius(level) = 2 + (level - 1)", "radius(level) = 3 + (level - 1)")
    failing = {i.id: i.message for i in shelf.run().items if i.status == "deviates"}
    assert set(failing) == {
        "LAN-1.1[level=3]",
        "LAN-1.1[level=1]",
        "LAN-1.1[level=10]",
        "LAN-1.1[approval]",
    }
    assert failing["LAN-1.1[approval]"] == "LAN-1.1 changed without approval"


def test_an_example_that_the_source_prints_against_its_own_rule_is_blamed_on_the_source(shelf: Shelf, tmp_path):
    shelf.edit("01-light.md", "{level: 3, is: 4, example: 3", "{level: 3, is: 5, example: 3")
    (tmp_path / "lanterns.txt").write_bytes((SOURCES / "lanterns.txt").read_bytes().replace(b"lights 4", b"lights 5"))
    assert shelf.item("LAN-1.1[level=3]", sources=tmp_path).blame == "source"
    # The value that this source prints is another one: then the case was copied wrongly.
    assert shelf.item("LAN-1.1[level=3]", sources=SOURCES).blame == "rule book"


def test_an_example_is_not_blamed_on_the_source_where_every_case_fails(shelf: Shelf):
    shelf.edit("01-light.md", "radius(level) = 2 + (level - 1)", "radius(level) = 3 + (level - 1)")
    assert shelf.item("LAN-1.1[level=3]", sources=SOURCES).blame == "rule book"


def test_a_case_that_hangs_on_an_open_question_says_so(shelf: Shelf):
    shelf.edit("01-light.md", "{oil: 1, is: 1, under: {Q01: half-up}}", "{oil: 1, is: 1}")
    item = shelf.item("LAN-1.2[oil=1]")
    assert (item.status, item.blame) == ("deviates", "rule book")
    assert item.actual == "open: Q01=half-up: 1; Q01=half-down: 0"
    assert "under: {Q01: …}" in item.remedy


def test_a_case_may_state_that_its_outcome_is_open(shelf: Shelf):
    shelf.edit("01-light.md", "{oil: 1, is: 1, under: {Q01: half-up}}", "{oil: 1, is: undetermined}")
    assert shelf.item("LAN-1.2[oil=1]").status == "conforms"
    shelf.edit("01-light.md", "{oil: 4, is: 2, example: 4}", "{oil: 4, is: undetermined, example: 4}")
    assert shelf.item("LAN-1.2[oil=4]").status == "deviates"


def test_a_ruling_leaves_alone_what_cases_say_of_the_text(shelf: Shelf):
    """That the text left it open, and that each reading's own case pins the formula, stays so."""
    shelf.edit("01-light.md", "{oil: 1, is: 1, under: {Q01: half-up}}", "{oil: 1, is: undetermined}")
    for reading, value in (("half-up", 1), ("half-down", 0)):
        ruling = f'[rulings."LAN-Q01"]\nreading = "{reading}"\nby = "An"\non = 2026-01-31\nwhy = "custom"\n'
        (shelf.book / "rulings.toml").write_text(ruling, encoding="utf-8")
        item = shelf.item("LAN-1.2[oil=1]")
        assert (item.status, item.actual) == ("conforms", f"{value} by what was ruled")
        assert shelf.item("LAN-1.2[thresholds]").status == "conforms"


def test_a_case_may_state_that_nothing_can_be_computed(shelf: Shelf):
    shelf.edit("01-light.md", "  - {oil: 0, is: 0}\n", "  - {oil: 0, is: 0}\n  - {oil: 1, is: unspecified}\n")
    assert shelf.item("LAN-1.5[oil=1]").status == "conforms"
    shelf.edit("01-light.md", "  - {oil: 1, is: unspecified}\n", "  - {oil: 1, is: 3}\n")
    item = shelf.item("LAN-1.5[oil=1]")
    assert (item.status, item.message) == ("deviates", "expected 3, got unspecified (LAN-Q03)")


def test_a_formula_that_cannot_be_computed_is_errored(shelf: Shelf):
    shelf.edit("01-light.md", "radius(level) = 2 + (level - 1)", "radius(level) = 4 / (level - 3)")
    item = shelf.item("LAN-1.1[level=3]")
    assert (item.status, item.blame) == ("errored", "rule book")
    assert "division by zero" in item.message


def test_a_failure_reads_without_any_code(shelf: Shelf):
    shelf.edit("01-light.md", "{level: 3, is: 4, example: 3", "{level: 3, is: 5, example: 3")
    item = shelf.item("LAN-1.1[level=3]")
    where = shelf.book / "01-light.md"
    assert failure_text(item).splitlines() == [
        f"LAN-1.1 Radius of light  ({where}:11)",
        '  "A lantern lights two fields, and one more for each level above the first."',
        "  case      example, printed in passage 3 of lanterns.txt (2 + (3 − 1))",
        "  inputs    level = 3",
        "  expected  5",
        "  actual    4",
        "  problem   expected 5, got 4",
        "  steps     LAN-1.1  radius(level = 3) = 4",
        "  blamed    the rule book",
        (
            f"  next      Correct LAN-1.1, or the case at {where}:11 (compare it with passage 3 of the source); where"
            " the source itself says both, it contradicts itself: add a question to questions.md."
        ),
    ]


def test_an_item_that_cannot_be_judged_still_says_what_it_is_about(shelf: Shelf):
    shelf.edit("properties.md", "claim: radius(level) >= 2\nby: enumeration", "claim: burnt(oil) >= 0\nby: enumeration")
    item = shelf.item("LAN-P1")
    assert (item.status, item.blame, item.title) == ("errored", "rule book", "A lantern always lights something")
    assert "LAN-P1 runs over oil, which has no end" in item.message
    assert item.sentence == "The radius is at least two."


def test_readings_that_differ_elsewhere_do_not_touch_the_fields_that_a_case_names():
    outcomes = ({"hit": True, "damage": 2}, {"hit": True, "damage": 3})
    error = Undetermined(tuple(({"Q01": reading}, value) for reading, value in zip("ab", outcomes, strict=True)))
    reply = Reply("open", text="…", error=error)
    assert _same_under_every_reading(reply, {"hit": True})
    assert not _same_under_every_reading(reply, {"hit": True, "damage": 2})
    assert not _same_under_every_reading(Reply("error", text="…"), {"hit": True})


def test_a_procedure_that_departs_from_its_case_is_the_programs_fault(lamps: Shelf):
    lamps.edit("01-light.md", "{lamp: {oil: 1, level: 2}, is: {oil: 1}}", "{lamp: {oil: 1, level: 2}, is: {oil: 2}}")
    item = next(i for i in lamps.run().items if i.clause == "LAN-2.2" and i.what == "case")
    assert (item.status, item.blame, item.message) == ("deviates", "engine under test", "oil: expected 2, got 1")
    assert "engine/systems/lanterns.py" in item.remedy


def test_only_the_named_fields_are_compared(lamps: Shelf):
    item = next(i for i in lamps.run().items if i.clause == "LAN-2.1" and i.what == "case")
    assert (item.status, item.expected, item.actual) == ("conforms", "{oil: 2}", "{oil: 2, level: 2, lit: true}")


def test_a_script_that_is_too_short_is_the_rule_books_fault(lamps: Shelf):
    lamps.edit("01-light.md", "draught: none, rolls: [3], is", "draught: none, rolls: [], is")
    item = next(i for i in lamps.run().items if i.clause == "LAN-2.1" and i.what == "case")
    assert (item.status, item.blame) == ("errored", "rule book")
    assert item.message == "the script of 0 roll(s) is too short; add a d6"
    assert item.remedy == f"Correct the case at {item.where}, or the rule that it calls."


def test_a_procedure_that_crashes_is_the_programs_fault(lamps: Shelf):
    lamps.edit(
        "01-light.md", "procedure: crash\ncases:\n  - {oil: 1, is: 0}", "procedure: crash\ncases:\n  - {oil: 3, is: 0}"
    )
    item = next(i for i in lamps.run().items if i.clause == "LAN-2.3" and i.what == "case")
    assert (item.status, item.blame) == ("errored", "engine under test")
    assert item.message.startswith("ZeroDivisionError")
    assert item.remedy == "Correct the program that answers the call."


def test_the_kind_of_a_case_is_told(shelf: Shelf):
    told = {item.id: item.case for item in shelf.run().items if item.what == "case"}
    assert told["LAN-1.1[level=1]"] == "boundary: the lowest level"
    assert told["LAN-1.3[weather=calm]"] == "derived"
    assert told["LAN-1.1[level=3]"].startswith("example, printed in passage 3 of lanterns.txt")


def test_a_passage_beyond_the_end_of_the_source_prints_nothing(shelf: Shelf, tmp_path):
    shelf.edit("01-light.md", "source: [9]", "source: [9, 3]")
    shelf.edit("01-light.md", "{flame: 2d4, is: 8}", "{flame: 2d4, is: 9, example: 9}")
    (tmp_path / "lanterns.txt").write_bytes(b"9\n")
    assert shelf.item("LAN-1.7[flame=2d4]", sources=tmp_path).blame == "rule book"
