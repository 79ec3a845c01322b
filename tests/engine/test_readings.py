"""The engine never guesses: every reading is tried, and only what differs is undetermined."""

import pytest

from engine.errors import BoundError, CallError, DomainError, FormulaError, Undetermined, Unspecified
from engine.readings import Engine
from tests.scratch import book_of

HALVES = """
### TT-1.1 Half

Half of a number, as a whole.

```yaml
source: [1]
define: half(n) = round(n / 2, Q01)
cases:
  - {n: 4, is: 2}
```

### TT-1.2 Two halves

Twice a half.

```yaml
source: [1]
define: twice(n) = half(n) + half(n)
cases:
  - {n: 4, is: 4}
```

### TT-1.3 Lost

What the text lacks.

```yaml
source: [1]
define: lost(n) = 1 if n > 2 else Q02
cases:
  - {n: 3, is: 1}
```

### TT-1.4 Wear

By a table with a gap and a conflict.

```yaml
source: [1]
decide: wear(n)
rows:
  - {when: n < 2, is: 0}
  - {when: n > 2, is: 1}
  - {when: n > 3, is: 2}
cases:
  - {n: 1, is: 0}
```
"""
QUESTIONS = """
### TT-Q01 Which way does a half go?

Up or down.

```yaml
source: [1]
readings:
  - {id: half-up, says: up, gives: 2}
  - {id: half-down, says: down, gives: 1}
ask: half
given: {n: 3}
```

### TT-Q02 What is lost?

Nobody knows.

```yaml
source: [1]
ask: lost
given: {n: 1}
```
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return Engine(book_of(tmp_path_factory.mktemp("book"), HALVES, questions=QUESTIONS, domains={"n": "0..10"}))


def test_an_open_question_that_does_not_matter_is_not_met(engine):
    answer = engine.ask("half", {"n": 4})
    assert answer.value == 2
    assert answer.consulted == {}


def test_readings_that_differ_leave_the_answer_undetermined(engine):
    with pytest.raises(Undetermined) as caught:
        engine.value("half", n=3)
    assert caught.value.values == (({"Q01": "half-up"}, 2), ({"Q01": "half-down"}, 1))


def test_one_reading_holds_for_the_whole_call(engine):
    # Both halves of 3 go the same way: 4 or 2, never 3.
    values = [outcome.value for outcome in engine.ask("twice", {"n": 3}).outcomes]
    assert values == [4, 2]


def test_a_fixed_reading_settles_the_call(engine):
    assert engine.value("half", n=3, under={"Q01": "half-down"}) == 1


def test_what_the_text_lacks_is_unspecified_only_where_it_is_needed(engine):
    assert engine.value("lost", n=3) == 1
    with pytest.raises(Unspecified) as caught:
        engine.value("lost", n=2)
    assert caught.value.reference == "TT-Q02"


def test_a_gap_in_a_table_is_unspecified_and_a_conflict_undetermined(engine):
    with pytest.raises(Unspecified, match="TT-1.4"):
        engine.value("wear", n=2)
    assert engine.value("wear", n=3) == 1
    with pytest.raises(Undetermined) as caught:
        engine.value("wear", n=4)
    assert caught.value.values == (({"TT-1.4": "row 2"}, 1), ({"TT-1.4": "row 3"}, 2))


def test_steps_run_from_the_question_to_its_parts(engine):
    (outcome,) = engine.ask("twice", {"n": 4}, traced=True).outcomes
    assert [(s.name, s.value, s.depth) for s in outcome.steps] == [("twice", 4, 0), ("half", 2, 1), ("half", 2, 1)]


def test_the_search_can_stop_at_the_first_difference(engine):
    assert len(engine.ask("half", {"n": 3}, first_difference=True).outcomes) == 2


@pytest.mark.parametrize(
    ("name", "given", "error", "message"),
    [
        ("half", {"n": 11}, DomainError, "n = 11 lies outside its domain; n is 0..10"),
        ("half", {}, CallError, "half lacks n"),
        ("half", {"n": 1, "m": 2}, CallError, "half takes no m"),
        ("quarter", {"n": 1}, CallError, "test_system defines no quarter"),
    ],
)
def test_a_bad_call_is_refused(engine, name, given, error, message):
    with pytest.raises(error, match=message):
        engine.ask(name, given)


def test_too_many_combinations_are_refused(engine):
    def play(run):
        return [run.reading("Q01") for _ in range(2)]

    assert len(engine.explore(play).outcomes) == 2

    deep = Engine(engine.book)
    object.__setattr__(deep, "_readings", {f"Q{i}": ("a", "b") for i in range(10, 30)})
    with pytest.raises(BoundError, match="more than 4096"):
        deep.explore(lambda run: [run.reading(f"Q{i}") for i in range(10, 30)])


def test_a_division_by_zero_is_one_clear_error(tmp_path):
    text = HALVES.replace("round(n / 2, Q01)", "round(4 / n, Q01)")
    engine = Engine(book_of(tmp_path, text, questions=QUESTIONS, domains={"n": "0..10"}))
    with pytest.raises(FormulaError, match="a division by zero"):
        engine.value("half", n=0)
