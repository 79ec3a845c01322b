"""Formulas as sympy expressions have the values that the engine computes."""

from fractions import Fraction

import pytest
import sympy

from engine.dice import parse_pool
from engine.errors import BoundError, CallError, FormulaError, Unspecified
from engine.formula.parse import parse
from engine.formula.symbolic import symbolic
from engine.readings import Engine
from tests.engine.terse import terse_book

n, k = sympy.symbols("n k", integer=True)
DOMAINS = {
    "n": "..",
    "m": "1..",
    "A": "1..400",
    "DEF": "1..400",
    "kind": ["a", "b"],
    "dice": "dice d4 d6",
    "lucky": "bool",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    return terse_book(
        tmp_path_factory.mktemp("book"),
        "define: pool(n, m) = max(0, 2 * (n + m))",
        "define: bonus(n) = 2 * (n // 5)",
        'define: chance(A, DEF) = clamp(round(50 + (A - DEF) / DEF * 50, "half-up"), 5, 95)',
        "define: open_half(n) = round(n / 2, Q01)",
        "define: lacking(n) = Q02",
        "define: ladder(m) = 100 if m == 1 else ceil(ladder(m - 1) * 1.2)",
        "decide: wear(n, m)\nrows:\n  - {when: n < m, is: 0}\n  - {when: n > m, is: n / 2}",
        "| kind | v |\n|---|---|\n| a | 1 |\n| b | 5/2 |\n\ntable: worth(kind)",
        'define: word(n) = "low" if n < 3 else "high"',
        'define: even(n) = round(n / 2, "half-even")',
        'define: away(n) = round(n / 2, "half-away")',
        'define: by_kind(n, kind) = n if kind == "a" else -n',
        'define: in_word(n) = 1 if word(n) == "low" else 2',
        domains={**DOMAINS, "v": ".."},
        questions={"Q01": ["half-up", "half-down"], "Q02": []},
    )


def test_a_definition_is_written_out(book):
    assert symbolic(book, parse("bonus(n)"), {"n": n}) == 2 * sympy.floor(n / 5)


@pytest.mark.parametrize(
    "text", ["bonus(n)", "even(n)", "away(n)", "in_word(n)", "pool(n, 3)", "n % 7", "n // -3", "abs(n)"]
)
def test_expressions_have_the_engines_values(book, text):
    engine = Engine(book)
    expression = symbolic(book, parse(text), {"n": n})
    from engine.formula.compile import compile_expression
    from engine.run import Run

    function = compile_expression(parse(text), ("n",), book, engine.functions)
    for value in range(-12, 13):
        exact = Fraction(function(Run({}, {}), value))
        assert expression.subs(n, value) == sympy.Rational(exact.numerator, exact.denominator)


def test_success_chances_of_the_source(book):
    assert symbolic(book, parse("chance(A, DEF)"), {"A": 20, "DEF": 30}) == 33
    assert symbolic(book, parse("chance(A, DEF)"), {"A": 25, "DEF": 40}) == 31


def test_recursion_with_a_number_ends(book):
    assert [symbolic(book, parse("ladder(m)"), {"m": m}) for m in (1, 2, 3, 4)] == [100, 120, 144, 173]


def test_recursion_with_a_symbol_is_bounded(book):
    with pytest.raises(BoundError):
        symbolic(book, parse("ladder(m)"), {"m": k})


def test_a_gap_of_a_table_is_no_number(book):
    expression = symbolic(book, parse("wear(n, m)"), {"n": n, "m": 4})
    assert [expression.subs(n, v) for v in (3, 5)] == [0, sympy.Rational(5, 2)]
    assert expression.subs(n, 4) is sympy.nan


def test_words_decide_what_they_can(book):
    assert symbolic(book, parse("worth(kind)"), {"kind": "b"}) == sympy.Rational(5, 2)
    assert symbolic(book, parse("by_kind(n, kind)"), {"n": n, "kind": "b"}) == -n
    assert symbolic(book, parse("word(n)"), {"n": 2}) == "low"
    with pytest.raises(FormulaError, match="depends on numbers"):
        symbolic(book, parse("word(n)"), {"n": n})


def test_an_open_question_has_to_be_read(book):
    with pytest.raises(CallError, match="Q01 is open"):
        symbolic(book, parse("open_half(n)"), {"n": n})
    assert symbolic(book, parse("open_half(n)"), {"n": 5}, under={"Q01": "half-down"}) == 2
    assert symbolic(book, parse("open_half(n)"), {"n": 5}, under={"Q01": "half-up"}) == 3
    with pytest.raises(Unspecified):
        symbolic(book, parse("lacking(n)"), {"n": n})


def test_claims_are_truth_values(book):
    assert symbolic(book, parse("n >= n"), {"n": n}) == sympy.true
    assert symbolic(book, parse("1 < n <= 3"), {"n": n}).subs(n, 4) == sympy.false
    assert symbolic(book, parse("lucky == (n > 2)"), {"n": 3, "lucky": True}) == sympy.true


def test_pools_are_numbers_where_they_are_asked(book):
    assert symbolic(book, parse("highest(dice) + mean(dice) + count(dice)"), {"dice": parse_pool("2d4")}) == 8 + 5 + 2


def test_decimals_stay_exact(book):
    assert symbolic(book, parse("n * 1.2"), {"n": n}) == sympy.Rational(6, 5) * n


def test_a_name_without_a_symbol_is_refused(book):
    with pytest.raises(CallError, match="n has no symbol"):
        symbolic(book, parse("n + 1"), {})


def test_a_division_by_zero_is_refused(book):
    with pytest.raises(FormulaError, match="division by zero"):
        symbolic(book, parse("n / (n - n)"), {"n": n})
