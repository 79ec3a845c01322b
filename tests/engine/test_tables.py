"""Decision tables: the holes that a literal transcription has are found without being told."""

import pytest

from engine.errors import BoundError, FormulaError
from engine.readings import Engine
from engine.tables import check, survey
from tests.engine.terse import terse_book

DOMAINS = {"AP": "0..", "BPI": "1..", "ARM": "0..", "DEF": "1..400", "n": "..", "kind": ["a", "b", "c: d"], "k": "0..3"}
QUESTIONS = {"Q01": ["down", "up"], "Q02": ["half", "none"], "Q03": []}


@pytest.fixture
def table(tmp_path):
    def make(signature, *rows, window="", extra=()):
        lines = "\n".join(f"  - {row}" for row in rows)
        body = f"decide: {signature}\nrows:\n{lines}" + (f"\nwindow: {window}" if window else "")
        book = terse_book(tmp_path, body, *extra, domains=DOMAINS, questions=QUESTIONS)
        engine = Engine(book)
        return survey(engine, book.clauses["TT-1.1"])

    return make


def test_the_equality_hole_of_the_first_three_conditions(table):
    """The conditions on armour as the source's brackets print them: no row for exactly half, as 1 against 2."""
    found = table(
        "wear(AP, BPI)",
        "{when: AP < BPI / 2, is: 0}",
        "{when: AP > BPI / 2 and not AP > BPI, is: AP / 2}",
        "{when: AP > BPI, is: AP}",
    )
    (gap,) = found.findings
    assert (gap.kind, gap.rows, gap.witness, gap.readings) == ("gap", (), {"AP": 1, "BPI": 2}, ({},))
    assert gap.case == "- {AP: 1, BPI: 2, is: unspecified}"


def test_the_same_hole_of_the_last_three_conditions_over_a_whole_domain(table):
    found = table(
        "harm(AP, DEF)",
        "{when: AP < DEF / 2, is: 0}",
        "{when: AP > DEF / 2 and not AP > DEF, is: AP / 2}",
        "{when: AP > DEF, is: AP}",
        window="{AP: 0..450}",
    )
    assert [f.witness for f in found.findings] == [{"AP": 1, "DEF": 2}]
    assert (found.points, found.complete) == (451 * 400, True)
    assert found.searched == "every input: AP 0..450, DEF 1..400"


def test_the_words_have_holes_and_overlaps(table):
    found = table(
        "wear(AP, BPI, ARM)",
        "{when: AP < BPI / 2, is: 0}",
        "{when: AP > BPI / 2 and AP < ARM, is: 1/2}",
        "{when: AP > BPI, is: 1}",
    )
    gap, conflict = found.findings
    # A power of 1 is at half or above for an index of 1 or 2, below no armour, and above no index of 1.
    assert (gap.kind, gap.witness) == ("gap", {"AP": 1, "BPI": 1, "ARM": 0})
    assert (conflict.kind, conflict.rows) == ("conflict", (2, 3))
    assert conflict.case == "- {AP: 2, BPI: 1, ARM: 3, is: undetermined}"


def test_a_window_is_said_to_be_one(table):
    found = table("f(n)", "{when: n < 3, is: 0}", "{when: n > 3, is: 1}")
    assert not found.complete
    assert found.searched.startswith("a window: n -20..20 (41 of ..)")
    assert found.findings[0].witness == {"n": 3}


def test_the_window_reaches_every_number_that_a_condition_names(table):
    found = table(
        "f(n)",
        "{when: n < far, is: 0}",
        "{when: n > far, is: 1}",
        extra=["define: far = 70000"],
    )
    assert found.findings[0].witness == {"n": 70000}


def test_rows_that_agree_do_not_conflict(table):
    assert table("f(k)", "{when: k <= 2, is: 1}", "{when: k >= 2, is: 1}").findings == ()


def test_true_is_not_one(table):
    with pytest.raises(FormulaError, match="mix"):
        table("f(k)", "{when: k <= 2, is: 1}", "{when: k >= 2, is: true}")


def test_a_row_that_never_applies(table):
    found = table("f(k)", "{when: k >= 0, is: 1}", "{when: k > 3, is: 2}")
    (dead,) = found.findings
    assert (dead.kind, dead.rows, dead.case) == ("dead row", (2,), "")


def test_findings_are_told_by_reading(table):
    found = table(
        "f(k)",
        "{when: 'k < 2 or k == 2 and Q02 == \"half\"', is: 0}",
        "{when: k > 2, is: 1}",
    )
    (gap,) = found.findings
    assert (gap.witness, gap.readings) == ({"k": 2}, ({"Q02": "none"},))
    assert gap.case == "- {k: 2, is: unspecified, under: {Q02: none}}"


def test_a_combination_that_adds_nothing_is_left_out(table):
    found = table(
        "f(k)",
        "{when: 'k < 2 or k == 3 and Q01 == \"up\"', is: 0}",
        "{when: k == 0, is: 0}",
    )
    # Under "down" there is a second hole, at 3; who closes the one at 2 looks again.
    (gap,) = found.findings
    assert (gap.witness, gap.readings) == ({"k": 2}, ({},))


def test_a_condition_that_the_text_lacks_is_no_hole_of_the_table(table):
    found = table("f(k)", "{when: k < 2, is: 0}", "{when: k >= 2 and g(k) == 1, is: 1}", extra=["define: g(k) = Q03"])
    assert [f.kind for f in found.findings] == ["dead row"]


def test_words_that_need_quotes_have_them(table):
    found = table("f(kind)", '{when: \'kind in ("a", "b")\', is: 0}')
    assert found.findings[0].case == '- {kind: "c: d", is: unspecified}'


def test_a_case_to_paste_is_read_back_as_it_was_meant(table, tmp_path):
    from pathlib import Path

    from engine.book.blocks import read_block

    found = table("f(kind)", '{when: \'kind in ("a", "b")\', is: 0}')
    (case,) = read_block(f"cases:\n  {found.findings[0].case}\n", Path("x.md"), 1)["cases"]
    assert dict(case) == {"kind": "c: d", "is": "unspecified"}


def test_a_condition_that_divides_by_zero_is_an_error_with_its_place(table):
    with pytest.raises(FormulaError, match=r"01-rules\.md:3: TT-1.1: a division by zero at k = 0"):
        table("f(k)", "{when: 1 / k > 0, is: 0}")


def test_too_many_inputs_are_refused(tmp_path):
    names = [f"x{i}" for i in range(17)]
    book = terse_book(
        tmp_path,
        f"decide: f({', '.join(names)})\nrows:\n  - {{when: x0 > 1, is: 0}}",
        domains=dict.fromkeys(names, ".."),
    )
    with pytest.raises(BoundError, match="too many inputs"):
        survey(Engine(book), book.clauses["TT-1.1"])


def test_other_clauses_have_no_findings(tmp_path):
    book = terse_book(tmp_path, "define: f(n) = n", domains=DOMAINS)
    assert check(Engine(book), book.clauses["TT-1.1"]) == ()
