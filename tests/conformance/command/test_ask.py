"""`raw ask`: answers with their steps, and what the text does not decide."""

import json

import pytest

from conformance.command.library import PROJECT


def test_an_answer_shows_the_formula_filled_in(raw):
    said = raw("ask", "harbour.rope", "level=2", "knots=1")
    assert said.status == 0
    assert said.lines == [
        "rope(level = 2, knots = 1) = 9/2 (4.5)",
        "",
        "  • HB-1.1 Strength of a rope: rope(level = 2, knots = 1) = 2 × 2 + 1 / 2 = 9/2 (4.5)",
    ]


@pytest.mark.parametrize("call", ["rope", "harbour.rope", "HB-1.1", "hb-1.1"])
def test_a_name_with_or_without_system_and_a_clause_id_mean_the_same(raw, call):
    assert raw("ask", call, "level=1", "knots=0").lines[0] == "rope(level = 1, knots = 0) = 2"


def test_readings_that_differ_group_the_values_and_say_each_reading(raw):
    said = raw("ask", "toll", "level=3")
    assert said.status == 3
    assert said.lines[0] == "toll(level = 3) is undetermined: the text leaves room for 2 answers"
    assert "  2  where Q01 is half-up" in said.lines
    assert "  1  where Q01 is half-down" in said.lines
    assert "HB-Q01 Which way does a half go?" in said.lines
    assert "  half-up    a half becomes the next whole number" in said.lines
    assert "raw rule HB-Q01 READING --by NAME --why TEXT" in said.out


def test_a_reading_that_makes_no_difference_leaves_one_answer(raw):
    assert raw("ask", "toll", "level=4").lines[0] == "toll(level = 4) = 2"


@pytest.mark.parametrize("question", ["Q01", "HB-Q01"])
def test_a_chosen_reading_decides_and_is_said(raw, question):
    said = raw("ask", "toll", "level=3", "--reading", f"{question}=half-down")
    assert said.status == 0
    assert said.lines[:2] == ["toll(level = 3) = 1", "  taking HB-Q01 as half-down: a half is dropped"]


def test_readings_that_nothing_asks_are_named_or_counted(raw):
    assert raw("ask", "toll", "level=3", "--reading", "Q01=half-down", "--reading", "Q03=above").lines[1:3] == [
        "  taking HB-Q01 as half-down: a half is dropped",
        "  nothing here asks HB-Q03",
    ]


def test_a_profile_decides_what_no_ruling_decides(raw):
    assert raw("ask", "toll", "level=3", "--profile", "kind").lines[0] == "toll(level = 3) = 2"
    assert raw("rule", "HB-Q01", "half-down", "--by", "Bo", "--why", "custom").status == 0
    assert raw("ask", "toll", "level=3", "--profile", "kind").lines[0] == "toll(level = 3) = 1"


def test_a_ruling_that_decided_is_named(raw):
    raw("rule", "HB-Q01", "half-up", "--by", "Bo", "--why", "custom", "--on", "2026-01-31")
    assert "  HB-Q01 is ruled: half-up, by Bo on 2026-01-31" in raw("ask", "toll", "level=3").lines


def test_what_the_text_lacks_is_named(raw):
    said = raw("ask", "listed", "level=1")
    assert said.status == 3
    assert said.lines[0] == "listed(level = 1) is unspecified: the text lacks what it takes"
    assert "  HB-Q02 What does the list of the port say?" in said.lines
    assert "    A list is named that the text does not hold." in said.lines


def test_steps_are_indented_below_what_consulted_them(raw):
    said = raw("ask", "price", "level=2", "port=hoi an", "stormy=true")
    assert said.lines[2:] == [
        "  • HB-1.4 The whole price: price(level = 2, port = hoi an, stormy = true) = 8",
        "    • HB-1.2 The toll: toll(level = 2) = round(2 / 2, Q01) = 1",
        "    • HB-1.3 What a port costs: cost(port = hoi an) = 3",
    ]


def test_a_pool_of_dice_is_a_value(raw):
    assert raw("ask", "best", "pool=2d4+1d6").lines[0] == "best(pool = 2d4+1d6) = 14"


def test_json_holds_every_outcome_with_its_steps(raw):
    said = raw("ask", "toll", "level=3", "--json")
    data = json.loads(said.out)
    assert said.status == 3
    assert (data["status"], data["value"], data["given"]) == ("undetermined", None, {"level": 3})
    assert [(o["readings"], o["value"]) for o in data["outcomes"]] == [
        ({"Q01": "half-up"}, 2),
        ({"Q01": "half-down"}, 1),
    ]
    assert data["outcomes"][0]["steps"][0]["clause"] == "HB-1.2"
    assert data["questions"][0]["readings"]["half-down"] == "a half is dropped"


def test_json_of_an_answer_and_of_a_hole(raw):
    answer = json.loads(raw("ask", "rope", "level=2", "knots=1", "--json").out)
    assert (answer["status"], answer["value"]) == ("answered", "9/2")
    hole = json.loads(raw("ask", "listed", "level=2", "--json").out)
    assert (hole["status"], hole["value"]) == ("unspecified", {"unspecified": "HB-Q02"})


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["ropes"], "raw ask: nothing is called ropes; did you mean rope?"),
        (["harbor.rope"], "raw ask: there is no system harbor; did you mean harbour?"),
        (["harbour.ropee"], "raw ask: harbour defines no ropee; did you mean rope?"),
        (["HB-Q01"], "raw ask: HB-Q01 cannot be computed; see `raw explain HB-Q01`"),
        (["HB-1.7"], "raw ask: HB-1.7 defines nothing to compute (a person's judgement); ask for another clause"),
        (["rope", "level=2"], "raw ask: rope lacks knots; rope(level, knots)"),
        (["rope", "level=2", "knot=1"], "raw ask: rope takes no knot; did you mean knots?"),
        (["rope", "level"], 'raw ask: "level" is no input; write inputs like MAG=4'),
        (["rope", "level=2", "level=3"], "raw ask: level is given twice; give each input once"),
        (["toll", "level=99"], "raw ask: level = 99 lies outside its domain; level is 1..20"),
        (["toll", "level=1.5"], "raw ask: level = 3/2 lies outside its domain; level is 1..20"),
        (["toll", "level=1/0"], "raw ask: level: 1/0 divides by zero; write a number"),
        (["best", "pool=2d7"], "raw ask: pool = 2d7 lies outside its domain; pool is a pool of 1 to 4 dice out of d4, d6"),  # noqa: E501
        (["toll", "level=3", "--rolls", "3"], "raw ask: toll rolls no dice; leave --rolls out"),
        (["toll", "level=3", "--rolls", "a"], 'raw ask: --rolls holds "a"; what each die showed, in order: --rolls 14,3'),  # noqa: E501
        (["toll", "level=3", "--reading", "Q1=x"], "raw ask: harbour has no question Q1; did you mean Q01?"),
        (["toll", "level=3", "--reading", "Q01=half"], 'raw ask: Q01 has no reading "half"; did you mean half-up or half-down?'),  # noqa: E501
        (["toll", "level=3", "--reading", "Q01"], 'raw ask: --reading "Q01" is no choice; write it like --reading Q07=half-up'),  # noqa: E501
        (["toll", "level=3", "--profile", "kin"], "raw ask: harbour has no profile kin; did you mean kind?"),
        ([], "raw ask: missing argument 'CALL'; see `raw ask --help`"),
        (["rope", "--reding", "x"], "raw ask: no option --reding; did you mean --reading?"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_line(raw, arguments, line):
    assert raw.bad("ask", *arguments) == line


def test_a_reading_chosen_twice_is_refused(raw):
    line = raw.bad("ask", "toll", "level=3", "--reading", "Q01=half-up", "--reading", "HB-Q01=half-down")
    assert line == "raw ask: Q01 is chosen twice; choose one reading of each question"


def test_outcomes_with_fields_are_told_by_where_they_differ(raw):
    """The real book: an attack that may end in several states."""
    hero = ("attacker.side=PC", "attacker.level=1", "attacker.HP=8", "attacker.STR=2")
    weapon = 'attacker.weapon={"attribute": "STR", "attack_kind": "contact", "bonus": 1, "dice": "1d6", "plus": 1}'
    foe = ("defender.side=foe", "defender.level=1", "defender.HP=4")
    options = ("--rolls", "14,3", "--reading", "Q28=fixed", "--books", PROJECT / "spec")
    said = raw("ask", "worlds_awakening.attack", *hero, weapon, *foe, *options)
    assert said.status == 3
    differing = said.out.partition("the same in all of them")[0]
    assert "    defender.HP  -2" in differing
    assert "    score" not in differing
    assert "    score                18" in said.lines
    # A step is told once where it is the same for all.
    assert said.out.count("WA-5.4 The attack test: ") == 1


def test_a_script_that_fits_some_readings_only_says_which_it_does_not_fit(raw):
    hero = ("attacker.side=PC", "attacker.level=1", "attacker.HP=8")
    foe = ("defender.side=foe", "defender.level=1", "defender.HP=4")
    books = ("--books", PROJECT / "spec")
    line = raw.bad("ask", "worlds_awakening.attack", *hero, *foe, "--rolls", "3", *books)
    assert line.startswith("raw ask: under Q")
    assert line.endswith(
        "Q28=die-for-ten: the script of 1 roll(s) is too short; add a d20 in --rolls, or fix a reading with --reading"
    )
    assert raw.bad("ask", "worlds_awakening.attack", *hero, *foe, *books) == (
        "raw ask: attack needs to know what the dice showed; add --rolls, like --rolls 14,3"
    )
