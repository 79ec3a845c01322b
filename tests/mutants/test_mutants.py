"""The tool on a small system: changes that must be noticed, changes that nothing can notice, changes that never end."""

import ast
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from engine.formula.parse import parse
from tests.mutants import trial
from tests.mutants.formulas import formula_mutants, rule_mutants
from tests.mutants.operators import mutants
from tests.mutants.sources import Module, unused
from tests.scratch import write_book

CODE = '''\
from dataclasses import dataclass, replace

from engine.procedures import invariant, procedure


@dataclass(frozen=True)
class Blow:
    """A blow."""

    left: int
    round: int = 1


class Solver:
    """Of fights; its method has a procedure's name."""

    def strike(self):
        return SOLVED + 1


SOLVED = 2
LOW = 3


@procedure
def strike(rules, HP: int, damage: int) -> Blow:
    left = HP - damage
    if left < 0:
        left = 0
    rules.step("left", left + 1)
    return replace(Blow(left=9), left=_healed(rules, left))


def _healed(rules, left):
    while left < LOW:
        left += 1
    return left if rules.spared() or left > 3 else 4


def _never_asked(rules, left):
    return left + 1


@invariant(strike)
def nothing_is_owed(rules, inputs, outcome):
    """Nothing is owed."""
    return outcome.left + 1 > _zero()


def _zero():
    return 0
'''

CHAPTER = """
### TT-1.1 A blow

It takes hit points.

```yaml
source: [1]
procedure: strike
cases:
  - {HP: 9, damage: 2, is: {left: 7}}
  - {HP: 2, damage: 5, is: {left: 4}}
```

### TT-1.2 Mercy

There is none.

```yaml
source: [1]
define: spared = 2 < 1
cases:
  - {is: false}
```

### TT-1.3 Half

Half, and never more than a whole.

```yaml
source: [1]
define: half(HP) = HP / 2 if HP < 10 else 5
cases:
  - {HP: 6, is: 3}
  - {HP: 12, is: 5}
```
"""


def _read(source: str) -> Module:
    return Module("engine.systems.test_system", Path("test_system.py"), source.encode())


def _changes(source: str, **readings: tuple[str, ...]) -> list[str]:
    """The changed lines, each of which must be Python."""
    found = mutants((_read(source),), readings)
    for mutant in found:
        ast.parse(mutant.source)
    return [mutant.diff()[1] for mutant in found]


def _in_procedure(*lines: str) -> str:
    return "@procedure\ndef f(rules, a, b):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("return a < b", ["return a <= b"]),
        ("return a is not None", ["return a is None"]),
        ("return (a) not in (b)", ["return (a) in (b)"]),
        ("return a and b and not a", ["return a or b or not a", "return a and b and a"]),
        ("return a * b - 1", ["return a // b - 1", "return a * b + 1", "return a * b - 0", "return a * b - 2"]),
        ("return -a", ["return a"]),
        ("return [*a] + [*b]", []),
        ("return a if a > b else b", ["return a if not (a > b) else b", "return a if a >= b else b"]),
        ("return max(a, key=b)", ["return min(a, key=b)"]),
        ("return replace(a, x=b, y=a)", ["return replace(a, y=a)", "return replace(a, x=b, )"]),
        ("return [x for x in a if b]", ["return [x for x in a if True]"]),
        ("a += b", ["pass", "a -= b"]),
        ("c = b", []),
        ("a = b", ["pass"]),
        ("a.x = b", ["pass"]),
        ("b(a)", ["pass"]),
        ('rules.step("said", a + 1)', []),
        ('raise ValueError(f"{a + 1}")', ["pass"]),
        ("assert a > b", []),
        (
            'return rules.reading("Q1") == "up"',
            [
                'return rules.reading("Q2") == "up"',
                'return rules.reading("Q1") != "up"',
                'return rules.reading("Q1") == "down"',
            ],
        ),
        ("return zip(a, b, strict=True)", []),
    ],
)
def test_what_is_changed(line, changed):
    found = _changes(_in_procedure(line), Q1=("up", "down"), Q2=("yes", "no"))
    assert sorted(found) == sorted(changed)


def test_blocks_are_changed_and_stay_python():
    found = _changes(_in_procedure("for x in a:", "    if x:", "        return b", "while a:", "    b()", "return a"))
    assert found == [
        "for x in ():",
        "if not (x):",
        "pass",
        "return b; break",
        "while not (a):",
        "pass",
        "b(); break",
    ]


def test_bytes_are_counted_as_python_counts_them():
    assert _changes(_in_procedure('return "Chân Giới", a < b')) == ['return "Chân Giới", a <= b']


def test_what_no_procedure_uses_is_left_alone():
    module = _read(CODE)
    left = unused((module,))
    names = [n.name for n in ast.walk(module.tree) if isinstance(n, ast.FunctionDef | ast.ClassDef) and id(n) in left]
    assert names == ["Solver", "_never_asked", "nothing_is_owed", "_zero", "strike"]
    assert {m.function for m in mutants((module,), {})} == {"", "Blow", "strike", "_healed"}


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("a + b", ["a - b"]),
        ("a if b else 1", ["a if b else 0", "a if b else 2", "1 if b else a"]),
        ("not a", ["a"]),
        ("min(a, -b)", ["max(a, -b)", "min(a, b)"]),
    ],
)
def test_what_is_changed_in_formulas(text, changed):
    assert [formula.text for formula, _, _ in formula_mutants(parse(text))] == changed


@pytest.fixture
def small(tmp_path):
    """The folders of a book and of its code."""
    books, systems = tmp_path / "books", tmp_path / "systems"
    books.mkdir()
    systems.mkdir()
    write_book(books, CHAPTER, domains={"HP": "0..20", "damage": "0..20"})
    (systems / "test_system.py").write_text(CODE, encoding="utf-8")
    return books, systems


def test_verdicts(small, monkeypatch):
    monkeypatch.setattr(trial, "SPARE_SECONDS", 0.3)
    with trial.bench("test_system", *small) as made:
        code, rules = made.code_mutants(), made.rule_mutants()
        trials = [*(partial(made.try_code, m) for m in code), *(partial(made.try_rule, m) for m in rules)]
        verdicts = trial.run(trials, 2)
    told = {m.diff()[1]: v for m, v in zip(code, verdicts, strict=False)}
    assert told["left = HP + damage"].state == "killed"
    assert told["left = HP + damage"].by == "TT-1.1[HP=9 damage=2]: deviates"
    assert told["if left <= 0:"].state == "survived"  # 0 becomes 0
    assert told["return replace(Blow(left=8), left=_healed(rules, left))"].state == "survived"
    assert told["left -= 1"].state == "timed out"
    assert told["round: int = 2"].state == "survived"
    by_rule = {(m.before, m.after): v for m, v in zip(rules, verdicts[len(code) :], strict=True)}
    assert by_rule["HP / 2", "HP * 2"].state == "killed"
    assert by_rule["HP < 10", "HP <= 10"].state == "same"  # 10 / 2 is 5
    assert by_rule["HP < 10", "HP < 9"].state == "survived"
    assert by_rule["HP < 10", "HP < 9"].note.startswith("a case is missing: - {HP: 9, is: 9/2")


def test_the_system_is_as_it_was_afterwards(small):
    before = [*sys.meta_path]
    with trial.bench("test_system", *small) as made:
        assert made.probes
        assert "engine.systems.test_system" in sys.modules
    assert sys.meta_path == before
    assert "engine.systems.test_system" not in sys.modules


def test_a_changed_row_is_a_row_of_the_whole_book(tmp_path):
    text = "### TT-1.1 A table\n\nRows.\n\n```yaml\nsource: [1]\ndecide: size(HP)\nrows:\n"
    text += "  - {when: HP > 3, is: 2}\n  - {when: HP <= 3, is: 1}\ncases:\n  - {HP: 3, is: 1}\n```\n"
    write_book(tmp_path, text, domains={"HP": "0..9"})
    with trial.bench("test_system", tmp_path, tmp_path / "none") as made:
        assert made.code_mutants() == []
        dropped = [m for m in rule_mutants(made.book) if m.after == "no such row"]
        assert [m.book(made.book).clauses["TT-1.1"].body for m in dropped] == [m.changed for m in dropped]
        verdicts = trial.run([partial(made.try_rule, m) for m in dropped], 1)
    assert [v.by for v in verdicts] == ["TT-1.1[table]: deviates", "TT-1.1[HP=3]: deviates"]


def test_the_command(small):
    books, systems = small
    words = [sys.executable, "-m", "tests.mutants", "test_system", "--books", books, "--code", systems]
    root = Path(__file__).parents[2]
    runs = [
        subprocess.run(
            [*words, "--only", "_healed", "--sample", "4"], cwd=root, capture_output=True, text=True, check=False
        )
        for _ in range(2)
    ]
    shown = [run.stdout.partition("\ntest_system:")[0] for run in runs]
    assert shown[0] == shown[1]
    assert "PROCEDURES" in shown[0]
    assert ". . _healed" in shown[0]
    assert "not changed in test_system.py, for no procedure uses it: Solver, _never_asked, _zero" in shown[0]
    refused = subprocess.run([*words[:3], "nowhere"], cwd=root, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "nowhere: there is no such system" in refused.stderr
