"""Nothing but the small language passes: a proposal's formula comes from a stranger."""

import ast
from fractions import Fraction

import pytest

from engine.errors import FormulaError
from engine.formula.parse import parse, parse_definition, parse_signature

HOSTILE = {
    "an attribute": "x.__class__",
    "a method": '"a".join(x)',
    "a subscript": "x[0]",
    "a lambda": "lambda: 1",
    "a comprehension": "[i for i in x]",
    "a generator": "sum(i for i in x)",
    "a walrus": "(x := 1)",
    "an f-string": "f'{x}'",
    "an f-string with code": "f'{__import__(\"os\")}'",
    "an underscore name": "__import__('os')",
    "a starred input": "f(*x)",
    "a double-starred input": "f(**x)",
    "a set": "{1, 2}",
    "a dict": "{1: 2}",
    "a list": "[1]",
    "await": "await x",
    "bit operations": "1 << 1000000",
    "matrix product": "x @ y",
    "identity": "x is y",
    "bytes": "b'a'",
    "None": "None",
    "an ellipsis": "...",
    "a complex number": "1j",
    "a float in powers of ten": "1e308",
    "infinity": "1e999",
    "hexadecimal": "0xff",
    "digits with underscores": "1_000",
    "too many digits": "9" * 31,
    "too many decimals": "0." + "1" * 30,
    "a called call": "f(x)(y)",
    "a called number": "1(2)",
    "a called truth value": "true(1)",
    "two statements": "1; 2",
    "an assignment": "x = 1",
    "a null byte": "1\x00",
    "nothing": "",
    "a fancy name": "ｍax(1, 2)",
    "a fancy input": "f(ｘ=1)",
    "a fancy name beside text": '𝐱 if y == "ộ" else 1',
    "a Greek name": "π",
    "a number that runs into a word": "1if x else 2",
    "an unknown escape": '"\\d"',
    "round without a way": "round(x)",
    "named inputs of a function": "max(a=1, b=2)",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_what_the_language_lacks_is_refused(text):
    with pytest.raises(FormulaError):
        parse(text)


DEEP = {
    "brackets": "(" * 150 + "1" + ")" * 150,
    "brackets beyond Python's own bound": "(" * 1900 + "1" + ")" * 1900,
    "signs": "-" * 3900 + "1",
    "nots": "not " * 900 + "x",
    "calls": "abs(" * 150 + "x" + ")" * 150,
    "conditions": "x if y else " * 300 + "z",
    "a long sum": "+".join(["x"] * 1900),
    "a long comparison": "<".join(["x"] * 1900),
    "a long text": '"' + "a" * 5000 + '"',
    "many inputs": f"max({','.join(['x'] * 1500)})",
}


@pytest.mark.parametrize(
    "text", [v for k, v in DEEP.items() if k != "brackets"], ids=[k for k in DEEP if k != "brackets"]
)
def test_what_is_too_deep_or_too_large_is_refused(text):
    with pytest.raises(FormulaError):
        parse(text)


def test_plain_brackets_cost_nothing():
    assert isinstance(parse(DEEP["brackets"]).tree, ast.Constant)


def constants(text):
    return [node.value for node in ast.walk(parse(text).tree) if isinstance(node, ast.Constant)]


def test_a_decimal_is_its_digits():
    assert constants("1.2") == [Fraction(6, 5)]
    assert constants(".5") == [Fraction(1, 2)]
    assert constants("0.1") == [Fraction(1, 10)]


def test_a_decimal_beside_letters_outside_ascii_is_its_digits():
    assert constants('1.25 if x == "hộ thể" else 0.75') == [Fraction(5, 4), Fraction(3, 4), "hộ thể"]


def test_names_calls_and_questions_are_told_apart():
    formula = parse('max(half(MAG), base) if Q07 == "half-up" else half')
    assert formula.names == {"MAG", "base", "half"}
    assert formula.calls == {"max", "half"}
    assert formula.questions == {"Q07"}


@pytest.mark.parametrize("text", ["f(x, x)", "f(Q01)", "max(x)", "f(x", "1f(x)", "f(_x)", "if(x)", "f(x=1)"])
def test_no_signature(text):
    with pytest.raises(FormulaError):
        parse_signature(text)


def test_a_definition_is_a_signature_and_a_formula():
    name, params, formula = parse_definition("half(n) = n / 2")
    assert (name, params, formula.text) == ("half", ("n",), "n / 2")


def test_a_comparison_is_no_definition():
    with pytest.raises(FormulaError, match="no definition"):
        parse_definition("half == 2")


@pytest.mark.parametrize("text", ["2 / 0", "x // 0", "1 + x % 0.0", "1 if x > 0 else 5 / 0"])
def test_a_division_by_a_written_zero_is_refused_at_once(text):
    with pytest.raises(FormulaError, match="divides by zero; another divisor"):
        parse(text)
