"""Formulas as MathML."""

from xml.etree.ElementTree import fromstring

import pytest

from conformance.report.maths import mathml
from engine.formula.latex import latex
from engine.formula.parse import parse


def words(formula: str) -> list[str]:
    return [e.text for e in fromstring(mathml(latex(parse(formula)))).iter() if e.text and e.text.strip()]  # noqa: S314 - our own


def test_a_name_is_one_identifier():
    assert words("max_mp(MAG, level)") == ["max_mp", "(", "MAG", ",", "level", ")"]


def test_the_name_of_a_question_holds_digits():
    assert words("x + Q07") == ["x", "+", "Q07"]


def test_logic_speaks_in_words():
    assert words("a or b and not c") == ["a", "\xa0or\xa0", "b", "\xa0and\xa0", "not\xa0", "c"]


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "</math><img src=x>", "&lt;", r"\text{x}", "a&b", "{{user}}", "Đan kỳ"]
)
def test_a_word_of_a_rule_is_only_text(text):
    quoted = text.replace("\\", "\\\\")
    root = fromstring(mathml(latex(parse(f'"{quoted}"'))))  # noqa: S314 - our own
    assert {e.tag for e in root.iter()} <= {"math", "mrow", "mtext", "mo", "mi", "mn"}


def test_cases_stand_behind_a_bar_that_needs_no_font():
    root = fromstring(mathml(latex(parse("1 if a < 2 else 3")), block=True))  # noqa: S314 - our own
    (table,) = root.iter("mtable")
    assert table.get("class") == "cases"
    assert "{" not in [e.text for e in root.iter("mo")]


def test_a_set_keeps_its_braces():
    assert words("x in (1, 2)") == ["x", "∈", "{", "1", ",", "2", "}"]
