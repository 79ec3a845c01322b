"""Which definitions are drawn, and that a drawing holds what its table says."""

from xml.etree.ElementTree import fromstring

import pytest

from conformance.report.charts import chart_of
from engine.readings import Engine
from tests.scratch import book_of

QUESTION = """
### TT-Q01 Which way?

Not said.

```yaml
source: [1]
readings:
  - {id: up, says: up, gives: 1}
  - {id: down, says: down, gives: 0}
ask: f
given: {x: 1}
```
"""
DOMAINS: dict[str, object] = {"x": "0..9", "y": "0..3", "long": "..", "kind": ["a", "b"], "flag": "bool", "z": "0..1"}


def draw(tmp_path, define, case, *, questions=""):
    chapter = f"### TT-1.1 Some\n\nIt is so.\n\n```yaml\nsource: [1]\ndefine: {define}\ncases:\n  - {case}\n```\n"
    engine = Engine(book_of(tmp_path, chapter, questions=questions, domains=DOMAINS))
    return chart_of(engine, engine.book.clauses["TT-1.1"])


def test_steps_are_drawn_with_their_stretches_as_a_table(tmp_path):
    chart = draw(tmp_path, "f(x) = floor(x / 4)", "{x: 4, is: 1}")
    assert chart is not None
    assert chart.head == ("x", "value")
    assert chart.rows == (("0 to 3", "0"), ("4 to 7", "1"), ("8 to 9", "2"))


def test_each_reading_is_a_line(tmp_path):
    define = 'f(x) = ceil(x / 4) if Q01 == "up" else floor(x / 4)'
    chart = draw(tmp_path, define, "{x: 4, is: 1}", questions=QUESTION)
    assert chart is not None
    assert chart.head == ("x", "TT-Q01 up", "TT-Q01 down")
    assert chart.rows[:3] == (("0", "0", "0"), ("1 to 3", "1", "0"), ("4", "1", "1"))
    assert chart.drawing.count('class="series') == 2


def test_a_map_shows_two_numbers(tmp_path):
    chart = draw(tmp_path, "f(x, y) = x * y", "{x: 4, y: 2, is: 8}")
    assert chart is not None
    assert chart.rows[0] == ("3", "0", "3", "6", "9", "12", "15", "18", "21", "24", "27")
    assert "from 0 to 27" in chart.note


@pytest.mark.parametrize(
    ("define", "case"),
    [
        ("f = 10", "{is: 10}"),
        ("f(x) = 2 * x + 1", "{x: 1, is: 3}"),
        ("f(long) = long", "{long: 1, is: 1}"),
        ("f(x, y) = x + 2 * y", "{x: 1, y: 1, is: 3}"),
        ("f(x) = x > 3", "{x: 1, is: false}"),
        ("f(kind) = 1 if kind == 'a' else 2", "{kind: a, is: 1}"),
        ("f(x, y, z) = x * y * z", "{x: 1, y: 1, z: 1, is: 1}"),
        ("f(z) = z * z * 3", "{z: 1, is: 3}"),
    ],
)
def test_what_a_formula_says_better_is_not_drawn(tmp_path, define, case):
    assert draw(tmp_path, define, case) is None


def test_a_drawing_speaks_to_those_who_do_not_see_it(tmp_path):
    chart = draw(tmp_path, "f(x) = floor(x / 4)", "{x: 4, is: 1}")
    assert chart is not None
    svg = fromstring(str(chart.drawing))  # noqa: S314 - our own
    assert svg.get("role") == "img"
    by_id = {e.get("id"): e.text for e in svg.iter() if e.get("id")}
    title, described = (by_id[id_] for id_ in svg.get("aria-labelledby", "").split())
    assert title == "Some: f by x"
    assert described == "Steps over x from 0 to 9: from 0 to 2, 2 steps."
    assert not [e for e in svg.iter() if e.get("style")]


def test_words_are_lines_of_their_own(tmp_path):
    chart = draw(tmp_path, "f(kind, x) = floor(x / 4) if kind == 'a' else floor(x / 2)", "{kind: a, x: 4, is: 1}")
    assert chart is not None
    assert chart.head == ("x", "kind = a", "kind = b")
