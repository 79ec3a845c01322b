"""Formulas as MathML."""

from xml.etree.ElementTree import fromstring

import pytest

from conformance.report.bodies import body_html, names_in
from conformance.report.maths import mathml
from engine.book.load import load_book
from engine.formula.latex import latex
from engine.formula.parse import parse
from tests.conformance.shelf import HOME


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


def test_a_name_leads_to_its_rule():
    formula = latex(parse('fee(n) + Q07 if n > 2 else "fee"'))
    assert str(mathml(formula, {"fee": "a.html#TT-1.1", "Q07": "#TT-Q07"})) == (
        str(mathml(formula))
        .replace("<mi>fee</mi>", '<mi><a href="a.html#TT-1.1">fee</a></mi>')
        .replace("<mi>Q07</mi>", '<mi><a href="#TT-Q07">Q07</a></mi>')
    )
    assert str(mathml(formula, {"fee": "a.html#TT-1.1"})).count("<a ") == 1
    assert "&#34;&lt;" in mathml(formula, {"fee": '"<'})


def test_a_formula_does_not_lead_to_where_it_stands(lanterns):
    links = names_in(lanterns.book, {id_: f"#{id_}" for id_ in (*lanterns.book.clauses, *lanterns.book.questions)})
    clause = next(c for c in lanterns.book.clauses.values() if c.name == "burnt")
    html = body_html(lanterns.book, clause, links)
    assert f'href="#{clause.id}"' not in html
    assert 'href="#LAN-Q01"' in html


def test_a_formula_of_a_record_is_known_by_the_name_that_formulas_show():
    book = load_book(HOME / "spec" / "soul_level")
    links = names_in(book, {id_: f"#{id_}" for id_ in book.clauses})
    claim = mathml(latex(book.properties["SOUL-P204"].claim), links)
    assert '<a href="#SOUL-7.1.2">seismic_blow_cost</a>' in claim
