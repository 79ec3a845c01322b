"""Records: a thing's fields, its formulas, and what a kind of record may hold."""

from pathlib import Path

import pytest

from engine.book.load import load_book
from engine.errors import BookError, InputError
from engine.readings import Engine
from engine.run import Run
from tests.scratch import write_book

BALL = """
### TT-1.1 Fireball

A ball of fire.

```yaml
source: [1]
record: skill Fire Ball
fields:
  level: 6
  kind: action
  note: hot
  damage: damage(n) = 8 * n
cases:
  - {call: damage, n: 3, is: 24}
  - {call: fire_ball.damage, n: 4, is: 32}
```

### TT-1.2 Two balls

Twice the damage of one.

```yaml
source: [1]
define: two_balls(n) = 2 * fire_ball.damage(n)
cases:
  - {n: 1, is: 16}
```
"""
KINDS = '\n[records.skill]\nlevel = "1..12"\nkind = ["action", "reaction"]\ndamage = "formula"\nnote = "text"\n'


def written(tmp_path: Path, chapter: str = BALL, kinds: str = KINDS) -> Path:
    folder = write_book(tmp_path, chapter, domains={"n": "1.."})
    settings = folder / "book.toml"
    settings.write_text(settings.read_text() + kinds)
    return folder


def test_a_field_is_called_by_cases_formulas_and_operators(tmp_path):
    engine = Engine(load_book(written(tmp_path)))
    assert [case.call for case in engine.book.clauses["TT-1.1"].cases] == ["fire_ball.damage"] * 2
    assert engine.value("fire_ball.damage", n=5) == 40
    assert engine.value("two_balls", n=5) == 80


def test_a_procedure_reads_fields_whether_computed_or_not(tmp_path):
    engine = Engine(load_book(written(tmp_path)))
    rules = engine.rules(Run({}, {}))
    (ball,) = rules.records("skill")
    assert rules.record("skill", "Fire Ball") is ball
    assert rules.field(ball, "damage", n=2, other=7) == 16
    assert rules.field(ball, "level") == 6
    assert rules.field(ball, "range") is None
    assert rules.records("spell") == ()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("level: 6", "lvl: 6", "a skill has no lvl"),
        ("level: 6", "level: 13", "level = 13 lies outside its domain"),
        ("level: 6", "level: level(n) = n", "level is no formula"),
        ("kind: action", "kind: [action, slowly]", "kind = slowly lies outside its domain"),
        ("note: hot", "note: 3", "note is no text"),
        ("damage: damage(n) = 8 * n", "damage: 8", "damage is a formula"),
        ("damage: damage(n) = 8 * n", "damage: damage(m) = 8 * m", "m of fire_ball.damage has no domain"),
        ("skill Fire Ball", "spell Fire Ball", "there is no kind of record spell"),
    ],
)
def test_a_record_holds_what_its_kind_may_hold(tmp_path, old, new, problem):
    folder = written(tmp_path, BALL.replace(old, new).replace("  - {call: damage, n: 3, is: 24}\n", ""))
    with pytest.raises(BookError, match=f"01-rules.md:3: TT-1.1: {problem}"):
        load_book(folder)


def test_two_records_do_not_share_a_formula(tmp_path):
    second = BALL.partition("### TT-1.2")[0].replace("TT-1.1", "TT-1.3").replace("Fire Ball", "Fire-Ball")
    with pytest.raises(BookError, match="TT-1.3 defines fire_ball.damage again"):
        load_book(written(tmp_path, BALL + second))


@pytest.mark.parametrize("formula", ["fire_ball.range(n)", "fire_ball.damage", "n.real", "fire_ball.damage.real(n)"])
def test_a_dot_stands_in_calls_of_fields_only(tmp_path, formula):
    chapter = BALL.replace("2 * fire_ball.damage(n)", formula)
    with pytest.raises(InputError, match="01-rules.md"):
        load_book(written(tmp_path, chapter))


@pytest.mark.parametrize(
    ("kinds", "problem"),
    [
        ('\n[records.skill]\nlevel = "low"\n', 'domain of level: "low" is not understood'),
        ('\n[records]\nskill = "formula"\n', "records without kinds"),
    ],
)
def test_kinds_of_records_are_declared_with_domains(tmp_path, kinds, problem):
    with pytest.raises(BookError, match=problem):
        load_book(written(tmp_path, kinds=kinds))
