"""Tables keep every cell, and claims speak of rules."""

import re

import pytest

from engine.errors import BookError
from engine.readings import Engine
from tests.engine.book.small import CLAUSE, PROPERTY, QUESTION, load

TABLE = """
### TT-1.1 Price

By size.

| size  | price |
|-------|-------|
| small | 1     |
| large | 2     |

```yaml
source: [1]
table: price(size)
cases:
  - {size: small, is: 1}
```
"""
SIZES = {"size": ["small", "large"]}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("| large | 2     |", "| large | 2 | 3 |", "01-rules.md:10: a row with 1 cell more than the table has columns"),
        (
            "| large | 2     |",
            "large | 2 | 3 | 4",
            "01-rules.md:10: a row with 2 cells more than the table has columns",
        ),
        ("| large | 2     |", "| large | 2 | |", "01-rules.md:10: a row with 1 cell more than the table has columns"),
        ("| small | 1     |", "| small | 1 | `a | b` |", "01-rules.md:9: a row with 2 cells more than the table has"),
        ("| large | 2     |", "| large |", "01-rules.md:10: TT-1.1: an empty cell"),
    ],
)
def test_a_cell_that_has_no_column_is_not_dropped(tmp_path, old, new, message):
    with pytest.raises(BookError, match=message):
        load(tmp_path, TABLE.replace(old, new), domains=SIZES)


@pytest.mark.parametrize("row", ["large | 2", "|large|2|", "| large | 2", r"| large | 2 |  "])
def test_a_row_may_go_without_its_outer_bars(tmp_path, row):
    book = load(tmp_path, TABLE.replace("| large | 2     |", row), domains=SIZES)
    assert Engine(book).value("price", size="large") == 2


def test_a_bar_within_a_cell_is_no_column(tmp_path):
    chapter = TABLE.replace("| 1     |", r"| a\|b  |").replace("| 2     |", "| c     |").replace("is: 1}", "is: a|b}")
    book = load(tmp_path, chapter, domains=SIZES)
    assert Engine(book).value("price", size="small") == "a|b"


@pytest.mark.parametrize("claim", ["n >= 0", "n + 1 > n", "max(n, 1) >= 1", "2 + 2 == 4"])
def test_a_claim_that_consults_no_rule_is_refused(tmp_path, claim):
    message = f"properties.md:3: TT-P1: its claim consults no rule of the book: {claim}; call what a clause defines, or"
    with pytest.raises(BookError, match=re.escape(message)):
        load(tmp_path, properties=PROPERTY.replace("double(n) >= 0", claim))


def test_an_input_that_a_property_calls_like_a_rule_is_no_rule(tmp_path):
    prop = PROPERTY.replace("double(n) >= 0", "double >= 0\nfor: {double: 0..3}")
    with pytest.raises(BookError, match="TT-P1: its claim consults no rule"):
        load(tmp_path, properties=prop)


def test_a_question_a_constant_and_a_field_of_a_record_are_rules(tmp_path):
    constant = CLAUSE.replace("double(n) = 2 * n", "double = 2").replace("{n: 1, is: 2}", "{is: 2}")
    record = """
### TT-1.2 Blow

A skill.

```yaml
source: [1]
record: skill Blow
fields:
  cost: cost(n) = 2 * n
cases:
  - {call: cost, n: 1, is: 2}
```
"""
    for number, claim in enumerate(("double > 1", "blow.cost(n) >= n", 'Q01 == "half-up" or n >= 0')):
        question = QUESTION.replace("given: {n: 1}\n", "")
        parent = tmp_path / str(number)
        parent.mkdir()
        prop = PROPERTY.replace("double(n) >= 0", f"'{claim}'" if '"' in claim else claim)
        assert load(parent, constant + record, questions=question, properties=prop).properties
