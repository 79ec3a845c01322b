"""Which slips of the pen the cases of a book would notice."""

import time

import pytest

from engine.formula.mutants import mutants
from engine.formula.parse import parse
from engine.readings import Engine
from engine.thresholds import check
from tests.engine.terse import terse_book

DOMAINS = {"n": "..", "m": "1..", "margin": "..", "AP": "0..", "BPI": "1..", "k": "0..9", "dice": "dice d4 d6"}


@pytest.fixture
def thresholds(tmp_path):
    def make(*bodies, cases=None, questions=None, clause="TT-1.1"):
        book = terse_book(tmp_path, *bodies, cases=cases, domains=DOMAINS, questions=questions)
        return {(t.text, t.change): t for t in check(Engine(book), book.clauses[clause])}

    return make


def changes(text):
    return [(before, after) for _, before, after in mutants(parse(text))]


def test_every_kind_of_slip():
    assert changes("a < 2") == [("a < 2", "a <= 2"), ("a < 2", "a < 1"), ("a < 2", "a < 3")]
    assert changes("a >= b") == [("a >= b", "a > b")]
    assert changes('a == "x"') == [("a == 'x'", "a != 'x'")]
    assert changes("a in (b, c)") == [("a in (b, c)", "a not in (b, c)")]
    assert changes("floor(a)") == [("floor(a)", "ceil(a)")]
    assert changes("min(a, b)") == [("min(a, b)", "max(a, b)")]
    assert changes("max(a)") == []
    assert changes("a and b") == [("a and b", "a or b")]
    assert changes('round(a, "half-up")') == [("round(a, 'half-up')", "round(a, 'half-down')")]
    assert changes('round(a, "half-even")')[1:] == [("round(a, 'half-even')", "round(a, 'half-down')")]
    assert changes("a * 1.5") == [("a * 1.5", "a * 1.35"), ("a * 1.5", "a * 1.65")]
    assert changes("a < b <= c") == [("a < b <= c", "a <= b <= c"), ("a < b <= c", "a < b < c")]
    assert changes("true or a") == [("True or a", "True and a")]


def test_a_long_neighbour_is_left_out_of_the_text():
    text = "clamp(floor(alpha + beta + gamma) * delta, 5, 95)"
    assert ("clamp(…, 5, 95)", "clamp(…, 4, 95)") in changes(text)


def test_the_formula_itself_is_left_alone():
    formula = parse("a < 2 and b")
    list(mutants(formula))
    assert changes("a < 2 and b") == [(b, a) for _, b, a in mutants(formula)]


def test_a_number_that_no_case_pins_comes_with_the_case_that_would(thresholds):
    found = thresholds(
        "define: bonus(margin) = 2 * (margin // 5)", cases={1: "- {margin: 5, is: 2}\n- {margin: 0, is: 0}"}
    )
    loose = found["margin // 5", "margin // 4"]
    assert (loose.state, loose.pinned) == ("loose", False)
    # Nearest to zero: 4 // 5 is 0, 4 // 4 is 1; all below 4 agree down to -4.
    assert loose.case == "- {margin: 4, is: 0}"
    assert loose.why == f"no case of TT-1.1 tells `margin // 5` from `margin // 4`; this one would: {loose.case}"
    assert found["margin // 5", "margin // 6"].state == "pinned"


def test_with_the_case_it_is_pinned(thresholds):
    cases = "- {margin: 4, is: 0}\n- {margin: 5, is: 2}\n- {margin: 10, is: 4}"
    found = thresholds("define: bonus(margin) = 2 * (margin // 5)", cases={1: cases})
    assert all(t.state == "pinned" for t in found.values())


def test_a_comparison_is_pinned_by_equality_only(thresholds):
    far = "- {AP: 3, BPI: 8, is: true}\n- {AP: 9, BPI: 8, is: false}"
    body = "define: below(AP, BPI) = AP < BPI"
    assert thresholds(body, cases={1: far})["AP < BPI", "AP <= BPI"].case == "- {AP: 1, BPI: 1, is: false}"


def test_equality_pins_it(thresholds):
    near = "- {AP: 8, BPI: 8, is: false}"
    assert thresholds("define: below(AP, BPI) = AP < BPI", cases={1: near})["AP < BPI", "AP <= BPI"].pinned


def test_a_case_of_another_clause_pins_what_it_reaches(thresholds):
    found = thresholds(
        "define: half(n) = floor(n / 2)",
        "define: twice(n) = 2 * half(n)",
        cases={1: "- {n: 4, is: 2}", 2: "- {n: 5, is: 4}"},
    )
    pinned = found["floor(n / 2)", "ceil(n / 2)"]
    assert (pinned.state, pinned.why) == ("pinned", "a case of TT-1.2 tells `floor(n / 2)` from `ceil(n / 2)`")


def test_the_own_case_of_a_clause_is_named_before_others(thresholds):
    found = thresholds(
        "define: twice(n) = 2 * half(n)",
        "define: half(n) = floor(n / 2)",
        cases={1: "- {n: 5, is: 4}", 2: "- {n: 5, is: 2}"},
        clause="TT-1.2",
    )
    assert found["floor(n / 2)", "ceil(n / 2)"].why.startswith("a case of TT-1.2 tells")


def test_a_witness_pins_too(tmp_path):
    chapter = (
        "### TT-1.1 Meets\n\nProse.\n\n```yaml\nsource: [1]\n"
        "define: 'wins(n) = n > 5 or n == 5 and Q01 == \"meets\"'\ncases:\n  - {n: 6, is: true}\n```\n"
    )
    question = (
        "### TT-Q01 Equal?\n\nProse.\n\n```yaml\nsource: [1]\nreadings:\n  - {id: meets, says: yes, gives: true}\n"
        "  - {id: exceeds, says: no, gives: false}\nask: wins\ngiven: {n: 5}\n```\n"
    )
    from tests.scratch import book_of

    book = book_of(tmp_path, chapter, questions=question, domains=DOMAINS)
    found = {(t.text, t.change): t for t in check(Engine(book), book.clauses["TT-1.1"])}
    assert found["n > 5", "n >= 5"].why.startswith("a case of TT-Q01 tells")
    assert found["Q01 == 'meets'", "Q01 != 'meets'"].pinned


def test_a_slip_that_changes_nothing_is_no_gap_and_says_why(thresholds):
    found = thresholds("define: many(n) = n > 1.5", cases={1: "- {n: 1, is: false}\n- {n: 2, is: true}"})
    assert {t.state for t in found.values()} == {"same"}
    assert found["n > 1.5", "n >= 1.5"].why == "nothing tells `n > 1.5` from `n >= 1.5`: proved"


def test_over_a_finite_domain_agreement_everywhere_is_the_proof(thresholds):
    found = thresholds("define: any_k(k) = 2 ** k > 0", cases={1: "- {k: 0, is: true}"})
    assert found["2 ** k > 0", "2 ** k >= 0"].why.endswith("they agree on every input")


def test_a_slip_that_raises_is_noticed(thresholds):
    found = thresholds(
        "define: ladder(m) = 1 if m == 1 else ladder(m - 1) + 1", cases={1: "- {m: 1, is: 1}\n- {m: 3, is: 3}"}
    )
    assert found["m - 1", "m - 0"].pinned


def test_rows_of_a_table_are_looked_at(thresholds):
    rows = "rows:\n  - {when: AP < BPI / 2, is: 0}\n  - {when: AP >= BPI / 2, is: AP}"
    found = thresholds(
        f"decide: wear(AP, BPI)\n{rows}", cases={1: "- {AP: 3, BPI: 8, is: 0}\n- {AP: 5, BPI: 8, is: 5}"}
    )
    # Without its equality the second row leaves a hole, and the first overlaps it, at exactly half.
    assert found["AP < BPI / 2", "AP <= BPI / 2"].case == "- {AP: 1, BPI: 2, is: 1}"
    assert found["AP >= BPI / 2", "AP > BPI / 2"].case == "- {AP: 1, BPI: 2, is: 1}"
    assert found["BPI / 2", "BPI / 1"].pinned


def test_the_missing_case_is_told_under_a_reading_where_it_needs_one(thresholds):
    found = thresholds(
        "define: half(n) = round(n / 2, Q01)",
        cases={1: "- {n: 4, is: 2}"},
        questions={"Q01": ["half-up", "half-down"]},
    )
    assert found["n / 2", "n / 1"].pinned
    assert found["n / 2", "n / 3"].pinned  # 4 / 3 rounds to 1


def test_clauses_without_formulas_have_no_thresholds(thresholds):
    assert thresholds("| k | m |\n|---|---|\n| 1 | 2 |\n\ntable: of(k)", cases={1: "- {k: 1, is: 2}"}) == {}


def test_a_book_of_250_clauses_and_1500_cases_takes_less_than_three_seconds(tmp_path):
    bodies: list[str] = []
    cases: dict[int, str] = {}
    for i in range(50):
        at = len(bodies) + 1
        bodies += [
            f"define: a{i}(n, m) = max(0, 2 * (n + m))",
            f"define: b{i}(margin) = 2 * (margin // 5)",
            f"define: c{i}(AP, BPI) = AP / 2 if AP <= BPI else AP",
            f"define: d{i}(AP, BPI, margin) = c{i}(AP, BPI) + b{i}(margin) if AP >= BPI else 0",
            f"decide: e{i}(AP, BPI)\nrows:\n  - {{when: AP < BPI / 2, is: 0}}\n  - {{when: AP >= BPI / 2, is: AP}}",
        ]
        cases[at] = "\n".join(f"- {{n: {n}, m: 1, is: 0}}" for n in (4, -1, 0, -3, 1, 2))
        cases[at + 1] = "\n".join(f"- {{margin: {m}, is: 0}}" for m in (4, 5, 9, 10, 13, 14))
        cases[at + 2] = "\n".join(f"- {{AP: {p}, BPI: 8, is: 0}}" for p in (3, 4, 5, 7, 8, 9))
        cases[at + 3] = "\n".join(f"- {{AP: {p}, BPI: 8, margin: 7, is: 0}}" for p in (3, 4, 5, 7, 8, 9))
        cases[at + 4] = "\n".join(f"- {{AP: {p}, BPI: 8, is: 0}}" for p in (3, 4, 5, 7, 8, 9))
    book = terse_book(tmp_path, *bodies, cases=cases, domains=DOMAINS)
    engine = Engine(book)
    began = time.process_time()
    found = [t for clause in book.clauses.values() for t in check(engine, clause)]
    assert time.process_time() - began < 3
    assert len(found) > 1000
