"""A proof is only ever given for what is true; what is true and simple enough is proved."""

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.book.domains import parse_domain
from engine.errors import FormulaError
from engine.formula.compile import compile_expression
from engine.formula.inequalities import at_least_zero, impossible
from engine.formula.parse import parse
from engine.formula.prove import prove
from engine.formula.ways import NotProved
from engine.run import Run
from tests.engine.terse import terse_book

DOMAINS = {
    "x": "..",
    "y": "..",
    "n": "0..",
    "m": "1..",
    "small": "-3..4",
    "below": "..-2",
    "half": ".. by 1/2",
    "even_up_to_5": "..5 by 2",
    "lucky": "bool",
    "kind": ["a", "b"],
    "dice": "dice d4 d6",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    return terse_book(
        tmp_path_factory.mktemp("book"),
        "define: bonus(n) = 2 * (n // 5)",
        "define: open_round(x) = round(x / 2, Q01)",
        'define: kept(x) = x if Q02 == "as-is" else max(0, x)',
        "define: lacking(n) = 1 if n > 2 else Q03",
        "define: ladder(small) = 1 if small <= 1 else 2 * ladder(small - 1)",
        "decide: sign(x)\nrows:\n  - {when: x < 0, is: -1}\n  - {when: x == 0, is: 0}\n  - {when: x > 0, is: 1}",
        "decide: holey(x)\nrows:\n  - {when: x < 0, is: -1}\n  - {when: x > 0, is: 1}",
        "decide: torn(x)\nrows:\n  - {when: x <= 0, is: -1}\n  - {when: x >= 0, is: 1}",
        "| kind | v |\n|---|---|\n| a | 1 |\n| b | 3 |\n\ntable: worth(kind)",
        domains={**DOMAINS, "v": ".."},
        questions={"Q01": ["half-up", "half-down", "half-even"], "Q02": ["as-is", "floored"], "Q03": []},
    )


def domains_of(text):
    return {name: parse_domain(name, DOMAINS[name]) for name in sorted(parse(text).names) if name in DOMAINS}


TRUE = [
    "max(x, y) >= x",
    "min(x, y) + max(x, y) == x + y",
    "abs(x) >= x and abs(x) >= -x",
    "abs(x + y) <= abs(x) + abs(y)",
    "clamp(x, 1, 5) <= 5",
    "floor(x / 2) + floor((x + 1) / 2) == x",
    "ceil(x / 2) == floor((x + 1) / 2)",
    "floor(floor(x / 2) / 2) == floor(x / 4)",
    "x % 7 >= 0 and x % 7 < 7",
    "x == 3 * (x // 3) + x % 3",
    "2 * x != 2 * y + 1",
    "bonus(n + 5) == bonus(n) + 2",
    "bonus(n + 1) >= bonus(n)",
    "5 * bonus(n) <= 2 * n",
    "open_round(2 * x) == x",
    "2 * open_round(x) <= x + 1",
    "kept(n) == n",
    "kept(x) >= x",
    "lacking(m + 2) == 1",
    "n * m >= n",
    "x * x >= x",
    "x * x + y * y >= 2 * x * y",
    "n / m >= 0",
    "1 / m <= 1",
    "(n // m) * m <= n",
    "n % m < m",
    'round(n / 3, "half-up") <= n / 3 + 1 / 2',
    "sign(x) * x == abs(x)",
    "ladder(small) >= 1",
    "worth(kind) % 2 == 1",
    'worth(kind) == (1 if kind == "a" else 3)',
    "lucky or not lucky",
    "highest(dice) >= mean(dice) and mean(dice) >= lowest(dice)",
    "small >= -3 and small <= 4 and small * small <= 16",
    "below <= -2 and below // 2 <= -1",
    "2 * half == floor(2 * half)",
    "even_up_to_5 <= 4 and even_up_to_5 % 2 == 0",
    "x in (1, 2) or x not in (1, 2)",
    "1 <= clamp(n / m, 1, 3) <= 3",
    "x > y or x <= y",
    "-x <= 0 if x >= 0 else -x > 0",
    "x ** 2 == x * x",
    "2 ** 3 == 8",
]


@pytest.mark.parametrize("text", TRUE)
def test_what_is_true_is_proved(book, text):
    assert prove(parse(text), domains_of(text), book) >= 1


def test_a_split_by_residue_proves_what_needs_it(book):
    text = 'round(x / 2, "half-even") % 2 == 0 or x % 2 == 0'
    with pytest.raises(NotProved):
        prove(parse(text), domains_of(text), book)
    assert prove(parse(text), domains_of(text), book, split={"x": 4}) == 4


@pytest.mark.parametrize("split", [{"x": 0}, {"x": -1}, {"x": 1}, {"x": 10**9}, {"lucky": 2}, {"y": 2}])
def test_a_split_of_no_use_is_refused_and_proves_nothing(book, split):
    with pytest.raises(FormulaError, match="a split of"):
        prove(parse("x == 3 and lucky"), domains_of("x == 3 and lucky"), book, split=split)


FALSE = {
    "max(x, y) > x": "x, y",
    "bonus(n + 4) == bonus(n) + 2": "n",
    "bonus(n) <= 7": "n",
    "2 * open_round(x) > x - 1": "half-down",
    "kept(x) == x": "floored",
    "kept(x) >= 0": "as-is",
    "lacking(n) == 1": "Q03",
    "1 / n <= 1": "a division by zero",
    "clamp(5, x, y) >= x": "crossed",
    "holey(x) == sign(x)": "no row of holey applies",
    "torn(x) == 1 or x < 0": "two rows of torn differ",
    "half == floor(half)": "half",
    "even_up_to_5 <= 2": "even",
    "small < 4": "small",
    "x == 3": "x - 3",
    "n < 1000000": "n",
    "x % m == 0": "not true",
}


@pytest.mark.parametrize("text", FALSE)
def test_what_is_false_is_not_proved_and_the_note_says_where_it_stopped(book, text):
    with pytest.raises(NotProved, match=FALSE[text].replace("(", r"\(") if FALSE[text] != "x, y" else "not true"):
        prove(parse(text), domains_of(text), book)


def test_a_reading_can_be_fixed(book):
    assert prove(parse("kept(x) >= 0"), domains_of("kept(x) >= 0"), book, under={"Q02": "floored"}) == 2


def test_a_recursion_over_an_unbounded_input_is_given_up(book):
    with pytest.raises(NotProved, match="without an end"):
        prove(parse("ladder(x) >= 1"), domains_of("ladder(x) >= 1"), book)


# --- soundness, on claims that nobody chose ---------------------------------------------------

terms = st.recursive(
    st.sampled_from(["x", "y", "n", "m", "small", "0", "1", "2", "3"]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*"]), inner, inner).map(lambda t: f"({t[1]} {t[0]} {t[2]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
        st.tuples(inner, st.sampled_from(["2", "3", "m"])).map(lambda t: f"({t[0]} / {t[1]})"),
        st.tuples(inner, st.sampled_from(["2", "3", "m"])).map(lambda t: f"({t[0]} // {t[1]})"),
        st.tuples(inner, st.sampled_from(["2", "3", "5"])).map(lambda t: f"({t[0]} % {t[1]})"),
        st.tuples(st.sampled_from(["floor", "ceil", "abs"]), inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(inner, st.sampled_from(["half-up", "half-down", "half-even", "half-away"])).map(
            lambda t: f'round({t[0]}, "{t[1]}")'
        ),
        st.tuples(inner, inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} < {t[2]} else {t[3]})"),
    ),
    max_leaves=5,
)
claims = st.one_of(
    st.tuples(terms, st.sampled_from(["<", "<=", "==", "!=", ">=", ">"]), terms).map(" ".join),
    st.tuples(terms, terms).map(lambda t: f"{t[0]} <= abs({t[0]}) + abs({t[1]})"),
    st.tuples(terms, terms, st.sampled_from(["0", "1", "-1"])).map(lambda t: f"{t[0]} + {t[1]} >= {t[0]} + {t[2]}"),
)
NEAR = {
    "x": range(-6, 7),
    "y": range(-6, 7),
    "n": range(8),
    "m": range(1, 8),
    "small": range(-3, 5),
}


@settings(max_examples=200)
@given(text=claims)
def test_what_is_proved_holds_wherever_one_looks(book, text):
    formula = parse(text)
    domains = domains_of(text)
    try:
        prove(formula, domains, book)
    except NotProved:
        return
    check = compile_expression(formula, tuple(domains), book, {})
    for point in itertools.islice(itertools.product(*(NEAR[name] for name in domains)), 4000):
        assert check(Run({}, {}), *point) is True, (text, dict(zip(domains, point, strict=True)))


# --- inequalities -----------------------------------------------------------------------------


def inequalities(*rows):
    """Each row: the coefficients of x, y, x², xy and y², as many as are needed, and the constant; at least zero."""
    from sympy import QQ
    from sympy.polys.rings import ring

    _, x, y = ring("x, y", QQ)
    return [
        at_least_zero(sum((c * m for c, m in zip(row[:-1], (x, y, x**2, x * y, y**2), strict=False)), x * 0) + row[-1])
        for row in rows
    ]


def holds(row, x, y):
    return sum(c * m for c, m in zip(row[:-1], (x, y, x * x, x * y, y * y), strict=False)) + row[-1] >= 0


coefficient = st.integers(-4, 4)
linear = st.tuples(coefficient, coefficient, st.integers(-6, 6))
quadratic = st.tuples(*[st.integers(-2, 2)] * 5, st.integers(-4, 4))


@settings(max_examples=300)
@given(st.lists(linear | quadratic, min_size=1, max_size=5), st.sampled_from([(), (0,), (0, 1)]))
@example([(0, 1, 0), (-3, 0, -1, 0, 0, -1)], ())  # y >= 0 and 3x < -x²: x = -1
@example([(1, 1, 0), (0, 0, 0, -1, 0, -1)], ())  # x + y >= 0 and xy <= -1: 1 and -1
@example([(0, 0, -1, 3, -1, -1)], ())  # x² - 3xy + y² < 0: 1 and 1
def test_no_system_with_a_solution_is_called_impossible(system, nonnegative):
    ranges = [range(0 if i in nonnegative else -12, 13) for i in (0, 1)]
    if any(all(holds(row, x, y) for row in system) for x, y in itertools.product(*ranges)):
        assert not impossible(inequalities(*system), frozenset(nonnegative))


def test_systems_without_a_solution_are_seen():
    assert impossible(inequalities((1, 0, -1), (-1, 0, 0)), frozenset())  # x >= 1 and x <= 0
    assert impossible(inequalities((2, -2, -1), (-2, 2, 1)), frozenset())  # 2x - 2y = 1: no whole numbers
    assert impossible(inequalities((1, 1, -5), (-1, 0, 2), (0, -1, 2)), frozenset())  # x + y >= 5, both at most 2
    assert impossible(inequalities((-1, -1, -1)), frozenset({0, 1}))  # x + y <= -1, neither negative
    assert impossible(inequalities((1, 0, -1, 0, 0, -1)), frozenset())  # x² < x
    assert impossible(inequalities((0, 0, -1, 2, -1, -1)), frozenset())  # (x - y)² < 0
    assert impossible(inequalities((1, 0, -1), (0, 1, -1), (0, 0, 0, -1, 0, 0)), frozenset())  # both >= 1, xy <= 0
