"""What each reading would change."""

import pytest

from conformance.report import stored
from conformance.report.impact import find_impacts, find_turns
from engine.book.load import load_book
from engine.readings import Engine
from tests.conformance.shelf import HOME
from tests.scratch import book_of

CHAPTER = """
### TT-1.1 Half

Half of it.

```yaml
source: [1]
define: half(n) = round(n / 2, Q01)
cases:
  - {n: 4, is: 2}
  - {n: 3, is: 2, under: {Q01: half-up}}
  - {n: 3, is: 1, under: {Q01: half-down}}
  - {n: 5, is: 3, under: {Q01: half-up}}
```

### TT-1.2 Twice the half

Through another rule.

```yaml
source: [1]
define: doubled(n) = 2 * half(n) + (1 if Q02 == "more" else 0)
cases:
  - {n: 1, is: 3, under: {Q01: half-up, Q02: more}}
```
"""
QUESTIONS = """
### TT-Q01 Which way?

Not said.

```yaml
source: [1]
readings:
  - {id: half-up, says: up, gives: 1}
  - {id: half-down, says: down, gives: 0}
ask: half
given: {n: 1}
```

### TT-Q02 One more?

Not said.

```yaml
source: [1]
readings:
  - {id: more, says: one more, gives: 1}
  - {id: none, says: no more, gives: 0}
ask: doubled
given: {n: 0}
```
"""
PROPERTIES = """
### TT-P1 A half is enough

Twice the half is the whole.

```yaml
claim: 2 * half(n) >= n
for: {n: 0..9}
by: enumeration
under: {Q01: half-up}
```

### TT-P2 Never negative

Nothing is.

```yaml
claim: half(n) >= 0
for: {n: 0..9}
by: enumeration
```
"""


@pytest.fixture
def engine(tmp_path):
    return Engine(book_of(tmp_path, CHAPTER, questions=QUESTIONS, properties=PROPERTIES, domains={"n": "0..99"}))


def test_each_case_that_differs_is_listed_once_with_its_value_under_each_reading(engine):
    impact = find_impacts(engine).by_question["TT-Q01"]
    assert [(c.clause, c.inputs, dict(c.values)) for c in impact.cases] == [
        ("TT-1.1", "n = 3", {"half-up": "2", "half-down": "1"}),
        ("TT-1.1", "n = 5", {"half-up": "3", "half-down": "2"}),
        ("TT-1.2", "n = 1 under Q02 more", {"half-up": "3", "half-down": "1"}),
    ]


def test_rules_ask_a_question_themselves_or_by_way_of_others(engine):
    impacts = find_impacts(engine).by_question
    assert (impacts["TT-Q01"].rules, impacts["TT-Q01"].through) == (("TT-1.1",), ("TT-1.2",))
    assert (impacts["TT-Q02"].rules, impacts["TT-Q02"].through) == (("TT-1.2",), ())
    assert impacts["TT-Q01"].weight == (3, 2)


def test_a_property_that_turns_says_where_it_fails(engine):
    question = engine.book.questions["TT-Q01"]
    impact = find_impacts(engine).by_question["TT-Q01"]
    assert impact.properties == ("TT-P1", "TT-P2")
    assert find_turns(engine, engine.book.properties["TT-P2"], [question], holds=True) == {}
    turn = find_turns(engine, engine.book.properties["TT-P1"], [question], holds=True)["TT-Q01"]
    assert turn == find_turns(engine, engine.book.properties["TT-P1"], [question])["TT-Q01"]
    assert turn.property == "TT-P1"
    assert dict(turn.verdicts) == {"half-up": "holds", "half-down": "fails at n = 1"}


def test_an_answer_that_other_questions_leave_open_says_so(tmp_path):
    chapter = CHAPTER.replace(
        "  - {n: 1, is: 3, under: {Q01: half-up, Q02: more}}", "  - {n: 1, is: 3, under: {Q01: half-up}}"
    )
    engine = Engine(book_of(tmp_path, chapter, questions=QUESTIONS, domains={"n": "0..99"}))
    change = find_impacts(engine).by_question["TT-Q01"].cases[-1]
    assert dict(change.values) == {"half-up": "3 or 2 (open: TT-Q02)", "half-down": "1 or 0 (open: TT-Q02)"}


def test_a_situation_stands_once_whatever_its_cases_are_called(tmp_path):
    chapter = CHAPTER.replace(
        "  - {n: 5, is: 3, under: {Q01: half-up}}",
        "  - {name: a small half, n: 3, is: 2, under: {Q01: half-up}}\n"
        "  - {name: a great half, n: 7, is: 4, under: {Q01: half-up}}\n"
        "  - {name: the same half, n: 7, is: 3, under: {Q01: half-down}}",
    )
    engine = Engine(book_of(tmp_path, chapter, questions=QUESTIONS, domains={"n": "0..99"}))
    found = [d.inputs for d in find_impacts(engine).by_question["TT-Q01"].cases if d.clause == "TT-1.1"]
    assert found == ["n = 3", "a great half"]


def test_of_two_objects_only_what_differs_is_told():
    engine = Engine(load_book(HOME / "spec" / "worlds_awakening"))
    found = [d for d in find_impacts(engine).by_question["WA-Q15"].cases if d.clause == "WA-3.11"]
    assert [(d.inputs, dict(d.values)) for d in found] == [
        ("MP = 5, cost = 6", {"refused": "used false, spent 0, MP 5", "drained": "used true, spent 5, MP 0"})
    ]


def test_what_was_worked_out_is_read_again(engine, tmp_path, monkeypatch):
    made = stored.impacts_of(engine, tmp_path)
    assert made == find_impacts(engine)
    monkeypatch.setattr(stored, "find_impacts", None)
    assert stored.impacts_of(engine, tmp_path) == made


def test_a_broken_store_is_made_anew(engine, tmp_path):
    made = stored.impacts_of(engine, tmp_path)
    (file,) = tmp_path.glob("impacts-*.json")
    file.write_text("{", encoding="utf-8")
    assert stored.impacts_of(engine, tmp_path) == made
