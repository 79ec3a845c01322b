"""Formulas as people read them, and as browsers show them."""

import html
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from latex2mathml.converter import convert

from engine.formula.latex import latex, latex_body, latex_name, latex_text
from engine.formula.parse import parse
from tests.engine.terse import terse_book

# The formulas of the four sources, as their books write them, and how they read.
SOURCES = {
    "max(0, 2 * (MAG + level))": "max(0,2·(MAG+level))",
    "d20 + level + (charac + bonus)": "d20+level+charac+bonus",
    "2 * (margin // 5)": "2·⌊margin/5⌋",
    "AP > BPI / 2 and not AP > BPI": "AP>BPI/2∧¬(AP>BPI)",
    "AP < BPI / 2": "AP<BPI/2",
    "OFF + COF + CAT": "OFF+COF+CAT",
    'clamp(round(50 + (A - DEF) / DEF * 50, "half-up"), 5, 95)': "clamp(round(50+(A−DEF)/DEF·50)half-up,5,95)",
    "ceil(n * 1.2)": "⌈n·1.2⌉",
    "50 * 1.2 ** (k - 1)": "50·1.2k−1",
    "floor(VEL / FOE) - 1": "⌊VEL/FOE⌋−1",
    "max(0, damage - RES * 5)": "max(0,damage−RES·5)",
    "floor((score - 10) / 2)": "⌊(score−10)/2⌋",
    "2 + (stage - 1) // 3 + 4 * (cap - 1)": "2+⌊(stage−1)/3⌋+4·(cap−1)",
    "round((10 + 2 * stage + 3 * Th) * 1.3 ** (cap - 1), Q05)": "round((10+2·stage+3·Th)·1.3cap−1)Q05",
    "ceil(n / 2)": "⌈n/2⌉",
}


def tree_of(mathml: str) -> ET.Element:
    return ET.fromstring(mathml)  # noqa: S314 - what our own converter wrote


def visible(text: str) -> str:
    """What a reader sees of MathML, fractions written with a stroke."""
    root = tree_of(text)

    def read(node):
        name = node.tag.rpartition("}")[2]
        if name == "mfrac":
            top, bottom = (read(child) for child in node)
            return f"{bracketed(top)}/{bracketed(bottom)}"
        return (node.text or "") + "".join(read(child) for child in node)

    return re.sub(r"\s", "", read(root))


def bracketed(text: str) -> str:
    return f"({text})" if re.search(r"[^\w.]", text) else text


@pytest.mark.parametrize("text", SOURCES)
def test_formulas_of_the_sources_read_well(text):
    shown = visible(convert(latex(parse(text))))
    assert shown.replace("(charac+bonus)", "charac+bonus") == SOURCES[text]


PRECEDENCE = {
    "a - (b - c)": "a−(b−c)",
    "a - b - c": "a−b−c",
    "a + (b - c)": "a+b−c",
    "(a + b) * c": "(a+b)·c",
    "a * (b + c)": "a·(b+c)",
    "a * (b * c)": "a·b·c",
    "-(a + b)": "−(a+b)",
    "- -a": "−(−a)",
    "a - -b": "a−(−b)",
    "a * -b": "a·(−b)",
    "(-a) ** 2": "(−a)2",
    "-a ** 2": "−a2",
    "(a ** b) ** c": "(ab)c",
    "(a / b) ** 2": "(a/b)2",
    "(a * b) % c": "(a·b)modc",
    "a * (b % c)": "a·(bmodc)",
    "a + b % c": "a+(bmodc)",
    "a % b == 0": "amodb=0",
    "not (a and b) or c": "¬(a∧b)∨c",
    "a and (b or c)": "a∧(b∨c)",
    "not a": "¬a",
    "not (a == b)": "¬(a=b)",
    "(a < b) == (c < d)": "(a<b)=(c<d)",
    "1 < a <= 3": "1<a≤3",
    "a != b": "a≠b",
    'a in ("x", "y")': "a∈{x,y}",
    "a not in (1, 2)": "a∉{1,2}",
    "abs(a - b)": "|a−b|",
    "sum(a, b - c)": "a+b−c",
    "(a if b else c) + 1": "({aifbcotherwise)+1",
    "a if b else (c if d else e)": "{aifbcifdeotherwise",
    "mean(pool) + count(pool)": "mean(pool)+count(pool)",
    "f(a, n=b)": "f(a,n:b)",
    "true": "true",
}


@pytest.mark.parametrize("text", PRECEDENCE)
def test_brackets_stand_where_they_are_needed_and_nowhere_else(text):
    assert visible(convert(latex(parse(text)))) == PRECEDENCE[text]


def test_names_are_upright_and_questions_too():
    assert latex_name("max_mp") == r"\mathrm{max\_mp}"
    assert latex_name("Q07") == r"\mathrm{Q07}"
    assert latex_name("n") == "n"


HOSTILE = [
    r"\end{cases}",
    r"} \input{/etc/passwd}",
    "$x$ \\(x\\) \\[x\\]",
    "<script>alert(1)</script>",
    "&lt;b&gt; & <!-- ]]> -->",
    '"><img src=x onerror=alert(1)>',
    "{{user}} {% raw %}",
    "% comment",
    "#1 ~ ^ _ | ` '",
    "\\",
    "\\\\",
    "{",
    "}",
    "\\text{",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_and_never_obeyed(text):
    shown = latex_text(text)
    assert balanced(shown)
    mathml = convert(f"a = {shown} + b")
    tags = {node.tag.rpartition("}")[2] for node in tree_of(mathml).iter()}
    assert tags <= {"math", "mrow", "mi", "mo", "mtext"}
    seen = visible(mathml)
    assert seen.startswith("a=")
    assert seen.endswith("+b")
    telling = "{}<>&%$#_\\|"
    assert [c for c in seen[2:-2] if c.isalnum() or c in telling] == [c for c in text if c.isalnum() or c in telling]


def balanced(text: str) -> bool:
    """Whether every brace that LaTeX would obey is closed."""
    depth = 0
    for brace in re.findall(r"\\.|[{}]", text):
        depth += (brace == "{") - (brace == "}")
        if depth < 0:
            return False
    return depth == 0


@given(st.text(max_size=40))
def test_any_text_leaves_the_formula_around_it_whole(text):
    shown = latex_text(text)
    assert balanced(shown)
    root = tree_of(convert(f"a = {shown} + b"))
    assert "".join(root.itertext()).endswith("+b")


def test_text_constants_in_a_formula_cannot_break_out():
    formula = parse('1 if x == "} & \\\\ <b>" else 0')
    mathml = convert(latex(formula))
    assert "<b>" not in mathml
    assert tree_of(mathml) is not None
    assert html.unescape(mathml).count("otherwise") == 1


def test_a_definition_is_an_equation(tmp_path):
    book = terse_book(tmp_path, "define: max_mp(MAG, n) = 2 * (MAG + n)", domains={"MAG": "..", "n": ".."})
    body = book.clause_of("max_mp").body
    assert latex_body(body) == r"\mathrm{max\_mp}\left(\mathrm{MAG}, n\right) = 2 \cdot \left(\mathrm{MAG} + n\right)"
    assert latex_body(body, title="Maximum MP").startswith(r"\text{Maximum MP}\left(")


def test_a_decision_table_is_cases(tmp_path):
    rows = "rows:\n  - {when: AP < BPI / 2, is: 0}\n  - {when: AP > BPI, is: AP / 2}"
    book = terse_book(tmp_path, f"decide: wear(AP, BPI)\n{rows}", domains={"AP": "0..", "BPI": "1.."})
    shown = latex_body(book.clause_of("wear").body)
    assert visible(convert(shown)) == "wear(AP,BPI)={0ifAP<BPI/2AP/2ifAP>BPI"


def test_a_constant_has_no_brackets(tmp_path):
    book = terse_book(tmp_path, "define: base = 1.25")
    assert latex_body(book.clause_of("base").body) == r"\mathrm{base} = 1.25"


def test_a_look_up_table_and_nothing_have_no_formula(tmp_path):
    table = "| kind | value |\n|---|---|\n| a | 1 |\n"
    book = terse_book(tmp_path, f"{table}\ntable: of(kind)", domains={"kind": ["a", "b"]})
    assert latex_body(book.clause_of("of").body) == ""
    assert latex_body(None) == ""
