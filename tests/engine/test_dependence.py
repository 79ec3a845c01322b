"""What becomes of a claim under each reading: the shortcuts give what judging anew gives."""

from dataclasses import replace

import pytest

from engine.claims import judge
from engine.dependence import Dependence
from engine.formula.met import Meeting
from engine.formula.parse import parse
from engine.readings import Engine
from tests.scratch import book_of

CHAPTER = """
### TT-1.1 Half

Half of it.

```yaml
source: [1]
define: half(n) = round(n / 2, Q01)
cases:
  - {n: 4, is: 2}
```

### TT-1.2 By word

One way or the other.

```yaml
source: [1]
define: by_word(n) = half(n) if Q02 == "halves" else n
cases:
  - {n: 0, is: 0}
```

### TT-1.3 By rows

A table.

```yaml
source: [1]
decide: by_rows(n)
rows:
  - {when: 'n < 3 and Q02 in ("halves", "wholes") and Q02 != "wholes"', is: half(n)}
  - {when: 'n >= 3 or Q02 != "halves"', is: n}
cases:
  - {n: 4, is: 4}
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

### TT-Q02 Halves?

Not said.

```yaml
source: [1]
readings:
  - {id: halves, says: halves, gives: 1}
  - {id: wholes, says: wholes, gives: 2}
ask: by_word
given: {n: 2}
```
"""
PROPERTIES = """
### TT-P1 A

A.

```yaml
claim: 2 * by_word(n) >= n
for: {n: 0..9}
by: enumeration
under: {Q01: half-up, Q02: halves}
```

### TT-P2 B

B.

```yaml
claim: by_word(n) == n
for: {n: 0..9}
by: enumeration
under: {Q02: wholes}
```

### TT-P3 C

C.

```yaml
claim: by_rows(n) >= n
for: {n: 0..9}
by: enumeration
under: {Q01: half-down}
broken: {n: 1}
```

### TT-P4 D

D.

```yaml
claim: 2 * half(n) >= n
for: {n: 0..}
by: proof
under: {Q01: half-up}
```
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    return Engine(book_of(folder, CHAPTER, questions=QUESTIONS, properties=PROPERTIES, domains={"n": "0..99"}))


@pytest.mark.parametrize("id_", ["TT-P1", "TT-P2", "TT-P3", "TT-P4"])
@pytest.mark.parametrize("question", ["Q01", "Q02"])
def test_fates_are_those_of_judging_anew(engine, id_, question):
    prop = engine.book.properties[id_]
    holds = judge(engine, prop).holds
    fates = Dependence(engine, prop, holds=holds).fates(question)
    readings = [r.id for r in engine.book.questions[f"TT-{question}"].readings]
    anew = {r: judge(engine, replace(prop, under={**prop.under, question: r})) for r in readings}
    if fates:
        assert {r: (f.holds, f.counterexample) for r, f in fates.items()} == {
            r: (v.holds, v.counterexample) for r, v in anew.items()
        }
    else:
        assert len({(v.holds, str(v.counterexample)) for v in anew.values()}) == 1


def test_a_known_verdict_turns_where_a_reading_breaks_it(engine):
    fates = Dependence(engine, engine.book.properties["TT-P1"], holds=True).fates("Q01")
    assert fates["half-up"].holds
    assert fates["half-down"].counterexample == {"n": 1}


@pytest.mark.parametrize(
    ("text", "fixed", "met"),
    [
        ("by_word(n)", {}, {"Q01", "Q02"}),
        ("by_word(n)", {"Q02": "wholes"}, {"Q02"}),
        ("by_word(n)", {"Q02": "halves"}, {"Q01", "Q02"}),
        ("by_rows(n)", {"Q02": "wholes"}, {"Q02"}),
        ("by_rows(n)", {"Q02": "halves"}, {"Q01", "Q02"}),
        ('Q02 == "halves" and half(n) > 0', {"Q02": "wholes"}, {"Q02"}),
        ('not Q02 == "halves" or half(n) > 0', {"Q02": "wholes"}, {"Q02"}),
        ('half(n) > 0 and Q02 == "halves"', {"Q02": "wholes"}, {"Q01", "Q02"}),
    ],
)
def test_a_closed_branch_is_not_met(engine, text, fixed, met):
    assert Meeting(engine.book, fixed).questions(parse(text)) == met
