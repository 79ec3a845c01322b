"""Kinds of values: what mixes them is refused when the book is read, at its file and line."""

import pytest

from engine.errors import FormulaError
from engine.formula.parse import parse
from engine.formula.types import check_types, kind_of
from tests.engine.terse import terse_book

DOMAINS = {
    "n": "..",
    "m": "1..10",
    "lucky": "bool",
    "attack": ["physical", "magical"],
    "weather": ["rain", "sun"],
    "dice": "dice d4 d6",
}
QUESTIONS = {"Q01": ["half-up", "half-down"], "Q02": ["meets", "exceeds"], "Q03": []}


@pytest.fixture
def book(tmp_path):
    def make(*bodies):
        return terse_book(tmp_path, *bodies, domains=DOMAINS, questions=QUESTIONS)

    return make


MIXED = {
    "text times a number": 'f(n) = "a" * n',
    "text plus text": 'f(attack) = attack + "s"',
    "a word in arithmetic": "f(attack) = attack * 10",
    "a question in arithmetic": "f(n) = n + Q02",
    "a truth value in arithmetic": "f(n) = (n > 1) + 1",
    "a truth value as an exponent": "f(n) = 2 ** (n > 1)",
    "a pool in arithmetic": "f(dice) = dice * 2",
    "a pool less a pool": "f(dice) = dice - dice",
    "a sign before text": 'f(n) = -"a"',
    "a number as a condition": "f(n) = 1 if n else 0",
    "a number behind not": "f(n) = not n",
    "a number behind and": "f(n) = n and n > 1",
    "branches of two kinds": 'f(n) = 1 if n > 1 else "none"',
    "a number compared with text": 'f(n) = n == "a"',
    "an order of words": 'f(attack) = attack < "z"',
    "a word outside its domain": 'f(attack) = attack == "mental"',
    "words of two domains": "f(attack, weather) = attack == weather",
    "a reading that is none": 'f(n) = Q02 == "sometimes"',
    "a word outside its domain in a list": 'f(attack) = attack in ("physical", "mental")',
    "in without a list": 'f(attack) = attack in "physical"',
    "an empty list": "f(n) = n in ()",
    "a list on its own": "f(n) = (n, n)",
    "a list in arithmetic": "f(n) = (n, n) * 1000",
    "a question that does not exist": 'f(n) = Q77 == "x"',
    "a name that stands for nothing": "f(n) = n + k",
    "a call of nothing": "f(n) = g(n)",
    "a function of text": "f(attack) = floor(attack)",
    "a maximum of truth values": "f(n) = max(n > 1, n > 2)",
    "highest of a number": "f(n) = highest(n)",
    "a way to round that is none": 'f(n) = round(n, "nearest")',
    "a question that is no way to round": "f(n) = round(n, Q02)",
    "a number as a way to round": "f(n) = round(n, n)",
    "its own value": "f = f + 1",
    "recursion without a condition": "f(n) = f(n - 1)",
    "recursion that does not shrink": "f(n) = 1 if n < 1 else f(n)",
    "recursion that grows": "f(n) = 1 if n < 1 else f(n + 1)",
    "recursion less nothing": "f(n) = 1 if n < 1 else f(n - 0)",
    "recursion that shrinks by itself": "f(n) = 1 if n < 1 else f(n - n)",
    "recursion in the condition": "f(n) = 1 if f(n - 1) > 1 else 0",
    "recursion in its own input": "f(n) = 1 if n < 1 else f(f(n) - 1)",
}


@pytest.mark.parametrize("definition", MIXED.values(), ids=MIXED.keys())
def test_a_formula_that_mixes_kinds_is_refused_at_its_place(book, definition):
    with pytest.raises(FormulaError) as caught:
        book(f"define: '{definition}'" if "'" not in definition else f"define: {definition}")
    assert str(caught.value.place).endswith("01-rules.md:3")


CALLS = {
    "a word for a number": 'g(n) = f("physical")',
    "a number for a word": "g(n) = h(n)",
    "a word that the input cannot be": 'g(n) = h("mental")',
    "a number that the input cannot be": "g(n) = f(11)",
    "too many inputs": "g(n) = f(n, n)",
    "too few inputs": "g(n) = f()",
    "an input that it has not": "g(n) = f(k=n)",
    "an input twice": "g(n) = f(n, m=n)",
    "a definition without its inputs": "g(n) = f + 1",
}


@pytest.mark.parametrize("definition", CALLS.values(), ids=CALLS.keys())
def test_a_call_with_the_wrong_inputs_is_refused(book, definition):
    with pytest.raises(FormulaError):
        book("define: f(m) = m + 1", "define: h(attack) = 1", f"define: '{definition}'")


def test_definitions_that_call_one_another_are_refused(book):
    with pytest.raises(FormulaError, match="f and g call one another"):
        book("define: f(n) = 1 if n < 1 else g(n - 1)", "define: g(n) = 1 if n < 1 else f(n - 1)")


def test_a_condition_of_a_row_is_true_or_false(book):
    with pytest.raises(FormulaError, match="a condition must be true or false") as caught:
        book("decide: f(n)\nrows:\n  - {when: n, is: 1}")
    assert str(caught.value.place).endswith("01-rules.md:13")


def test_a_condition_of_a_row_is_not_recursive(book):
    with pytest.raises(FormulaError, match="calls itself without a condition"):
        book("decide: f(n)\nrows:\n  - {when: f(n - 1) > 1, is: 1}")


def test_a_value_of_a_row_may_be_recursive(book):
    rows = "rows:\n  - {when: n <= 1, is: 1}\n  - {when: n > 1, is: f(n - 1) + 1}"
    assert check_types(book(f"decide: f(n)\n{rows}"))["f"].name == "number"


def test_rows_are_of_one_kind(book):
    with pytest.raises(FormulaError, match="mix a number and true or false"):
        book("decide: f(n)\nrows:\n  - {when: n > 1, is: 1}\n  - {when: n < 1, is: true}")


GOOD = {
    "a recursion that shrinks": ("f(n) = 100 if n <= 1 else ceil(f(n - 1) * 1.2)", "number"),
    "a recursion of words": ('f(n) = "rain" if n <= 1 else f(n - 1)', "text"),
    "a comparison of truth values": ("f(n) = (n > 1) == lucky(n)", "truth"),
    "a question as a value": ("f(n) = Q02", "text"),
    "a question without readings": ("f(n) = Q03", "nothing"),
    "a number, where the text has one": ("f(n) = 1 if n > 1 else Q03", "number"),
    "a way to round that is open": ("f(n) = round(n / 2, Q01)", "number"),
    "a way to round by a condition": ('f(n) = round(n / 2, "floor" if Q02 == "meets" else "ceil")', "number"),
    "two pools": ("f(dice) = dice + dice", "pool"),
    "the highest of a pool": ("f(dice) = highest(dice) + mean(dice)", "number"),
    "a constant": ("f = 3", "number"),
    "a list of words": ('f(attack) = attack in ("physical", "magical")', "truth"),
    "a list of numbers": ("f(n) = n not in (1, 2, 3)", "truth"),
}


@pytest.mark.parametrize(("definition", "kind"), GOOD.values(), ids=GOOD.keys())
def test_the_kind_of_a_definition(tmp_path, definition, kind):
    domains = {k: v for k, v in DOMAINS.items() if k != "lucky"}
    book = terse_book(
        tmp_path, f"define: '{definition}'", "define: lucky(n) = n == 7", domains=domains, questions=QUESTIONS
    )
    assert check_types(book)["f"].name == kind


def test_the_words_of_a_definition_are_those_of_its_branches(book):
    made = book('define: \'f(attack) = "sun" if attack == "physical" else attack\'')
    assert kind_of(parse("f(attack)"), made.domains, made).words == {"sun", "physical", "magical"}


def test_a_word_that_a_definition_never_gives_is_refused(book):
    made = book('define: \'f(attack) = "sun" if attack == "physical" else attack\'')
    with pytest.raises(FormulaError, match="can never be equal"):
        kind_of(parse('f(attack) == "rain"'), made.domains, made)


def test_a_thousand_definitions_in_a_row_are_checked(tmp_path):
    chain = ["define: f0(n) = n", *(f"define: f{i}(n) = f{i - 1}(n) + 1" for i in range(1, 1000))]
    assert len(check_types(terse_book(tmp_path, *chain, domains=DOMAINS))) == 1000
