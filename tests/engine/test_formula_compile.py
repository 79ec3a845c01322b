"""Compiled formulas give what a plain evaluator with Fractions gives, whatever the expression."""

import dataclasses
import operator
from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.book.model import Book, Definition
from engine.errors import BoundError, FormulaError
from engine.formula.compile import Workbench, compile_expression, link
from engine.formula.parse import parse
from engine.run import Run
from tests.engine.terse import terse_book

NAMES = ("a", "b", "n")
MODES = ("half-up", "half-down", "half-even", "half-away", "floor", "ceil")


class Refused(Exception):
    """What has no value: a division by zero, crossed bounds."""


def rounded(value: Fraction, mode: str) -> Fraction:
    """Written from the definition: the nearest whole number, ties as the mode says."""
    low = floor(value)
    if value == low or mode == "floor":
        return Fraction(low)
    if mode == "ceil":
        return Fraction(low + 1)
    distance = value - low
    if distance != Fraction(1, 2):
        return Fraction(low if distance < Fraction(1, 2) else low + 1)
    if mode == "half-even":
        return Fraction(low if low % 2 == 0 else low + 1)
    up = mode == "half-up" or (mode == "half-away" and value > 0)
    return Fraction(low + 1 if up else low)


def expected(tree, names):
    """The value of an expression given as nested tuples, in Fractions throughout."""
    kind, *parts = tree
    if kind == "number":
        return parts[0]
    if kind == "name":
        return names[parts[0]]
    if kind == "if":
        left, right = expected(parts[1], names), expected(parts[2], names)
        holds = {"<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne}[parts[0]](left, right)
        return expected(parts[3] if holds else parts[4], names)
    if kind == "round":
        return rounded(expected(parts[0], names), parts[1])
    values = [expected(part, names) for part in parts]
    if kind in ("/", "//", "%"):
        if values[1] == 0:
            raise Refused
        quotient = values[0] / values[1]
        return {"/": quotient, "//": Fraction(floor(quotient)), "%": values[0] - values[1] * floor(quotient)}[kind]
    if kind == "clamp":
        value, low, high = values
        if low > high:
            raise Refused
        return max(low, min(value, high))
    return {
        "+": lambda: values[0] + values[1],
        "-": lambda: values[0] - values[1],
        "*": lambda: values[0] * values[1],
        "neg": lambda: -values[0],
        "square": lambda: values[0] * values[0],
        "floor": lambda: Fraction(floor(values[0])),
        "ceil": lambda: Fraction(ceil(values[0])),
        "abs": lambda: abs(values[0]),
        "min": lambda: min(values),
        "max": lambda: max(values),
        "sum": lambda: sum(values),
    }[kind]()


def written(tree):
    kind, *parts = tree
    if kind == "number":
        value = parts[0]
        return str(value) if value.denominator == 1 else f"{value.numerator // 10}.{value.numerator % 10}"
    if kind == "name":
        return parts[0]
    if kind == "if":
        return f"({written(parts[3])} if {written(parts[1])} {parts[0]} {written(parts[2])} else {written(parts[4])})"
    if kind == "round":
        return f'round({written(parts[0])}, "{parts[1]}")'
    texts = [written(part) for part in parts]
    if kind == "neg":
        return f"(-{texts[0]})"
    if kind == "square":
        return f"({texts[0]} ** 2)"
    return f"({texts[0]} {kind} {texts[1]})" if not kind.isalpha() else f"{kind}({', '.join(texts)})"


tenths = st.sampled_from([Fraction(n, 10) for n in (1, 3, 7, 9, 11, 13, 21)])
leaves = st.one_of(
    st.tuples(st.just("name"), st.sampled_from(NAMES)),
    st.tuples(st.just("number"), st.integers(0, 12).map(Fraction) | tenths),
)


def grown(inner):
    pair = (inner, inner)
    # A zero that is written as a divisor is refused before it is compiled.
    divisors = inner.filter(lambda tree: tree != ("number", 0))
    return st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "min", "max", "sum"]), *pair),
        st.tuples(st.sampled_from(["/", "//", "%"]), inner, divisors),
        st.tuples(st.sampled_from(["neg", "square", "floor", "ceil", "abs"]), inner),
        st.tuples(st.just("clamp"), inner, inner, inner),
        st.tuples(st.just("round"), inner, st.sampled_from(MODES)),
        st.tuples(st.just("if"), st.sampled_from(["<", "<=", "==", "!="]), inner, inner, inner, inner),
    )


trees = st.recursive(leaves, grown, max_leaves=8)
values = st.integers(-6, 6).map(Fraction) | st.fractions(-5, 5, max_denominator=6)


@pytest.fixture(scope="module")
def book(tmp_path_factory) -> Book:
    domains = dict.fromkeys(NAMES, ".. by 1/60")
    return terse_book(tmp_path_factory.mktemp("book"), "define: nothing = 0", domains=domains)


def name(letter):
    return ("name", letter)


@settings(max_examples=300)
@given(tree=trees, point=st.tuples(values, values, values))
@example(tree=("/", name("a"), ("/", name("b"), name("n"))), point=(Fraction(1), Fraction(1), Fraction(0)))
@example(tree=("/", ("/", name("a"), name("b")), name("n")), point=(Fraction(1), Fraction(2), Fraction(3)))
@example(tree=("*", ("/", name("a"), name("n")), name("n")), point=(Fraction(1), Fraction(1), Fraction(0)))
@example(tree=("round", ("/", name("a"), name("n")), "half-even"), point=(Fraction(5), Fraction(0), Fraction(-2)))
@example(tree=("floor", ("/", name("a"), name("n"))), point=(Fraction(5, 3), Fraction(0), Fraction(-2, 3)))
@example(
    tree=("-", ("/", name("a"), name("b")), ("/", name("b"), name("n"))), point=(Fraction(1), Fraction(-3), Fraction(7))
)
@example(tree=("neg", ("/", name("a"), ("number", Fraction(13, 10)))), point=(Fraction(1), Fraction(0), Fraction(0)))
@example(
    tree=("round", ("/", ("number", Fraction(1)), ("/", ("number", Fraction(2)), name("n"))), "half-up"),
    point=(Fraction(0), Fraction(0), Fraction(0)),
)
def test_every_expression_has_the_value_of_plain_fractions(book, tree, point):
    formula = parse(written(tree))
    function = compile_expression(formula, NAMES, book, {})
    plain = [int(v) if v.denominator == 1 else v for v in point]
    try:
        wanted = expected(tree, dict(zip(NAMES, point, strict=True)))
    except Refused:
        with pytest.raises(FormulaError):
            function(Run({}, {}), *plain)
        return
    result = function(Run({}, {}), *plain)
    assert result == wanted
    assert type(result) is (int if wanted.denominator == 1 else Fraction)


def test_a_power_beyond_bounds_is_stopped(book):
    with pytest.raises(BoundError):
        compile_expression(parse("a ** b"), NAMES, book, {})(Run({}, {}), 10, 100_000, 0)


def test_powers_do_not_grow_in_steps(book):
    with pytest.raises(BoundError):
        compile_expression(parse("((((9 ** 99) ** 99) ** 99) ** 99)"), NAMES, book, {})(Run({}, {}), 0, 0, 0)


def test_a_product_beyond_bounds_is_stopped(book):
    formula = parse(" * ".join(["a"] * 50))
    with pytest.raises(BoundError):
        compile_expression(formula, NAMES, book, {})(Run({}, {}), 10**100, 0, 0)


def test_an_exponent_is_whole(book):
    with pytest.raises(FormulaError, match="exponents are whole"):
        compile_expression(parse("4 ** 0.5"), NAMES, book, {})(Run({}, {}), 0, 0, 0)


def test_compiled_code_reaches_no_builtins(book):
    function = compile_expression(parse("a + 1"), NAMES, book, {})
    assert function.__globals__["__builtins__"] == {}


def test_an_input_may_be_called_like_the_code_of_a_definition(tmp_path):
    book = terse_book(
        tmp_path,
        "define: x(n) = n + 1",
        "define: y(f_x, n) = x(n) + f_x",
        domains={"n": "..", "f_x": ".."},
    )
    assert link(book)["y"](Run({}, {}), 10, 1) == 12  # 2 + 10


def test_an_exchanged_definition_acts_through_others_and_goes_again(tmp_path):
    book = terse_book(tmp_path, "define: one(n) = n + 1", "define: two(n) = 2 * one(n)", domains={"n": ".."})
    bench = Workbench(book)
    before = book.clause_of("one").body
    assert isinstance(before, Definition)
    body = dataclasses.replace(before, formula=parse("n + 5"))
    with bench.exchanged(body, "TT-1.1"):
        assert bench.functions["two"](Run({}, {}), 1) == 12  # 2 × (1 + 5)
    assert bench.functions["two"](Run({}, {}), 1) == 4  # 2 × (1 + 1)
