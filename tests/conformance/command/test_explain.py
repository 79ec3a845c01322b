"""`raw explain`: a part of a book with all that hangs on it."""

import pytest


def test_a_clause_with_its_rows_inputs_cases_and_neighbours(raw):
    said = raw("explain", "HB-1.4")
    assert said.status == 0
    assert said.lines[:3] == ["HB-1.4  The whole price", "Cảng biển [red] · Ropes", "spec/harbour/01-ropes.md:44"]
    for line in (
        "  The toll and what the port costs, doubled in a storm.",
        "Decided by rows: price(level, port, stormy)",
        "  stormy      2 * (toll(level) + cost(port))",
        "  port    hoi an or hai phong",
        "  level = 2, port = hoi an, stormy = false  = 4",
        "Consults through others",
        "  HB-Q01  open  Which way does a half go?",
        "  HB-1.3  What a port costs",
        "Rests on passages: HB:6, HB:9",
        "Approved: not yet",
    ):
        assert line in said.lines


def test_text_of_a_book_is_never_markup(raw):
    said = raw("explain", "HB-1.1")
    prose = next(line for line in said.lines if "markup" in line)
    assert prose == (
        "  Twice the level, and a half for each knot. "
        "Text goes on in a second line with áp chế and [bold]no markup[/bold]."
    )
    assert "Cảng biển [red] · Ropes" in said.lines


def test_characters_that_command_a_terminal_are_shown_by_number(raw):
    raw.edit("01-ropes.md", "Nobody knows it.", "Nobody \u200eknows it.")
    assert "Nobody [U+200E]knows it." in raw("explain", "HB-1.5").out


def test_a_name_explains_the_clause_that_defines_it(raw):
    said = raw("explain", "toll")
    assert said.lines[0] == "HB-1.2  The toll"
    assert "Formula: toll(level) = round(level / 2, Q01)" in said.lines
    assert said.lines[said.lines.index("Used by") + 1] == "  HB-1.4  The whole price"


def test_a_printed_example_names_its_passage_and_a_property_its_clause(raw):
    said = raw("explain", "HB-1.1")
    assert "  level = 2, knots = 1  = 9/2  printed in passage 4; 4 + 1/2" in said.lines
    assert "  HB-P1  A rope is never weak" in said.lines


def test_a_look_up_table_is_shown_once_as_columns(raw):
    said = raw("explain", "HB-1.3")
    assert "  hai phong  5" in said.lines
    assert "|" not in said.out


def test_a_question_with_readings_witness_and_how_to_settle_it(raw):
    said = raw("explain", "HB-Q01")
    for line in (
        "  half-down  a half is dropped",
        "Where it shows: toll(level = 1)",
        "  under half-up    1",
        "Consulted by",
        "  HB-1.2  The toll",
        "Matters through them to",
        "Open: settle it with: raw rule HB-Q01 READING --by NAME --why TEXT",
    ):
        assert line in said.lines


def test_a_ruled_question_names_who_when_and_why(raw):
    raw("rule", "HB-Q01", "half-up", "--by", "Bo", "--why", "as at the table", "--on", "2026-01-31")
    assert "Ruled: half-up, by Bo on 2026-01-31: as at the table" in raw("explain", "HB-Q01").lines
    assert "  HB-Q01  ruled: half-up  Which way does a half go?" in raw("explain", "HB-1.2").lines


def test_a_question_without_readings_says_that_the_text_lacks_it(raw):
    assert "none: the text lacks what it takes, so whatever needs it is unspecified" in raw("explain", "HB-Q02").out


def test_a_property_with_its_claim_and_domain(raw):
    said = raw("explain", "HB-P1")
    assert "Claim: rope(level, knots) >= 2" in said.lines
    assert "  knots  0 to 5   Knots in the rope" in said.lines
    assert "  HB-1.1  Strength of a rope" in said.lines


@pytest.mark.parametrize("word", ["HB:9", "harbour:9"])
def test_a_passage_with_who_claims_it_and_its_examples(raw, word):
    said = raw("explain", word)
    assert said.lines[0] == "HB:9  line 9 of harbour.txt"
    assert said.lines[said.lines.index("Claimed by") + 1] == "  HB-1.3  What a port costs"
    assert "  HB-1.3  cost: port = hoi an = 3" in said.lines


def test_a_passage_that_rules_nothing_says_why(raw):
    assert "Rules nothing: a farewell" in raw("explain", "HB:10").lines


def test_with_the_sources_a_passage_shows_its_own_text(raw):
    said = raw("explain", "HB:8", "--sources", "texts")
    assert "  A storm is won on 15 or more, or so. [bold]Đừng quên[/bold] áp chế." in said.lines
    assert raw.bad("explain", "HB:8", "--sources", "nowhere").startswith("nowhere/harbour.txt:1: cannot be read")


def test_an_approval_that_is_out_of_date_says_so(raw):
    raw("approve", "HB-1.1", "--by", "Bo", "--why", "read", "--on", "2026-01-31")
    assert "Approved: by Bo on 2026-01-31: read" in raw("explain", "HB-1.1").lines
    raw.edit("01-ropes.md", "Twice the level", "Two times the level")
    assert "Approved: changed since Bo approved it on 2026-01-31" in raw("explain", "HB-1.1").lines


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("HB-9.9", "raw explain: harbour has no HB-9.9; did you mean HB-1.8 or HB-1.7 or HB-1.6?"),
        ("XX-1.1", "raw explain: no book has ids that begin with XX; there are HB"),
        ("HB:99", "raw explain: the source of harbour has no passage 99; HB:1 to 10"),
        ("HB:5", "raw explain: the source of harbour has no passage 5; HB:1 to 10"),
        ("zz.rope", "raw explain: there is no system zz; there are harbour"),
        ("rop", "raw explain: nothing is called rop; did you mean rope?"),
    ],
)
def test_what_does_not_exist_gets_the_closest_that_does(raw, word, line):
    assert raw.bad("explain", word) == line


def test_a_retired_id_says_that_it_was_retired(raw):
    raw.edit("book.toml", "\n[domains]", 'retired = ["HB-1.9"]\n\n[domains]')
    assert raw.bad("explain", "HB-1.9").startswith("raw explain: HB-1.9 was retired")


def test_a_system_shows_what_its_book_holds(raw):
    said = raw("explain", "harbour")
    assert said.lines[0] == "harbour  Cảng biển [red]"
    for line in (
        "Ropes",
        "  HB-1.1  rope       Strength of a rope",
        "  HB-1.7             A captain's duty",
        "Questions",
        "  HB-Q02  the text lacks it  What does the list of the port say?",
        "  HB-P1  A rope is never weak",
    ):
        assert line in said.lines
    assert raw("explain").out == said.out
    assert raw.bad("explain", "harbor") == "raw explain: nothing is called harbor; did you mean harbour?"
