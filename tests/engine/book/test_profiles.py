"""A profile named in `under` stands for its readings."""

import pytest

from engine.errors import BookError
from engine.readings import Engine
from tests.scratch import book_of

CHAPTER = """
### TT-1.1 Half

Half of it.

```yaml
source: [1]
define: half(n) = round(n / 2, Q01) + (1 if Q02 == "yes" else 0)
cases:
  - {n: 3, is: 2, under: plain}
  - {n: 3, is: 3, under: {profile: plain, Q02: "yes"}}
```
"""
QUESTIONS = """
### TT-Q01 Which way?

Up or down.

```yaml
source: [1]
readings:
  - {id: half-up, says: up, gives: 2}
  - {id: half-down, says: down, gives: 1}
ask: half
given: {n: 3}
under: plain
```

### TT-Q02 One more?

Yes or no.

```yaml
source: [1]
readings:
  - {id: "yes", says: one more, gives: 2}
  - {id: "no", says: none, gives: 1}
ask: half
given: {n: 2}
```
"""
PROFILES = '[profiles.plain]\nQ01 = "half-up"\nQ02 = "no"\n'


def book(tmp_path, chapter=CHAPTER):
    files = {"profiles.toml": PROFILES}
    return book_of(tmp_path, chapter, questions=QUESTIONS, domains={"n": "0..9"}, files=files)


def test_what_stands_beside_the_profile_wins(tmp_path):
    made = book(tmp_path)
    cases = made.clauses["TT-1.1"].cases
    assert [c.under for c in cases] == [{"Q01": "half-up", "Q02": "no"}, {"Q01": "half-up", "Q02": "yes"}]
    engine = Engine(made)
    assert [engine.ask(c.call, c.given, under=c.under).value for c in cases] == [2, 3]


def test_a_witness_keeps_its_own_question_open(tmp_path):
    assert book(tmp_path).questions["TT-Q01"].witnesses[0].under == {"Q02": "no"}


def test_an_unknown_profile_is_one_line(tmp_path):
    with pytest.raises(BookError, match=r"01-rules.md:11: TT-1.1: there is no profile fancy; profiles.toml has plain"):
        book(tmp_path, CHAPTER.replace("under: plain", "under: fancy"))
