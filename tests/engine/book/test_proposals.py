"""A book plus a proposal is another book."""

import pytest

from engine.book.load import load_book
from engine.errors import BookError, CallError, InputError
from engine.readings import Engine
from tests.scratch import write_book

CLAUSE = """
### TT-1.1 Double

Twice the number.

```yaml
source: [1]
define: double(n) = 2 * n
cases:
  - {n: 1, is: 2}
```

### TT-1.2 Old rule

It goes.

```yaml
source: [1]
define: old = 1
cases:
  - {is: 1}
```
"""
CHANGE = """# A Threefold

Twice is too little.

```yaml
withdraws: [TT-1.2]
```

### TT-1.1 Double

Thrice the number.

```yaml
source: [1]
define: double(n) = 3 * n
cases:
  - {n: 1, is: 3}
```
"""


def folder_with(tmp_path, **proposals):
    files = {f"proposals/{name}.md": text for name, text in proposals.items()}
    return write_book(tmp_path, CLAUSE, domains={"n": "0..9"}, files=files)


def test_a_proposal_rewrites_and_withdraws_clauses(tmp_path):
    folder = folder_with(tmp_path, A=CHANGE)
    assert Engine(load_book(folder)).value("double", n=1) == 2
    changed = load_book(folder, ["A"])
    assert Engine(changed).value("double", n=1) == 3
    assert "TT-1.2" not in changed.clauses
    assert changed.clauses["TT-1.1"].chapter == "01-rules"
    assert changed.applied == ("A",)


def test_two_that_touch_one_clause_conflict_unless_one_follows(tmp_path):
    second = CHANGE.replace("# A ", "# B ").replace("3 * n", "4 * n").replace("is: 3", "is: 4")
    second = second.replace("withdraws: [TT-1.2]", "asks: []")
    folder = folder_with(tmp_path, A=CHANGE, B=second)
    with pytest.raises(BookError, match="B and A both touch TT-1.1; if B comes second, say so"):
        load_book(folder, ["A", "B"])
    (folder / "proposals/B.md").write_text(second.replace("asks: []", "follows: [A]"), encoding="utf-8")
    assert Engine(load_book(folder, ["A", "B"])).value("double", n=1) == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# A Threefold", "# Threefold", r'A.md:1: the heading "Threefold" has no id; write it like "# C4-a'),
        ("# A Threefold", "# B Threefold", 'A.md:1: the first heading does not name the proposal; "# A TITLE"'),
        ("withdraws: [TT-1.2]", "withdraws: [TT-9.9]", "A withdraws TT-9.9, which is no clause"),
        ("withdraws: [TT-1.2]", "promises: [TT-P9]", "A promises TT-P9, which is no property"),
        ("withdraws: [TT-1.2]", "settles: {Q09: up}", "there is no question TT-Q09"),
        ("withdraws: [TT-1.2]", "promise: [TT-P9]", 'A: unknown key "promise"'),
        ("define: double(n) = 3 * n", "define: double(n) = n.real", "A.md:15: TT-1.1: .*Attribute"),
        ("withdraws: [TT-1.2]", "withdraws: TT-1.2", "A.md:6: `withdraws` is no list"),
    ],
)
def test_a_bad_proposal_is_one_line(tmp_path, old, new, message):
    folder = folder_with(tmp_path, A=CHANGE.replace(old, new))
    with pytest.raises(BookError, match=message):
        load_book(folder, ["A"])


def test_an_unknown_proposal_is_one_line(tmp_path):
    with pytest.raises(CallError, match="test_system has no proposal Z; its proposals: A"):
        load_book(folder_with(tmp_path, A=CHANGE), ["Z"])


def test_properties_and_questions_may_go_too_and_what_is_promised_is_no_defect(tmp_path):
    prop = "### TT-P1 Small\n\nIt ought to be.\n\n```yaml\nclaim: double(n) < 4\nby: enumeration\nbroken: {n: 2}\n```\n"
    text = CHANGE.replace("withdraws: [TT-1.2]", "promises: [TT-P1]")
    folder = write_book(tmp_path, CLAUSE, domains={"n": "0..9"}, properties=prop, files={"proposals/A.md": text})
    assert load_book(folder).properties["TT-P1"].broken == {"n": 2}
    assert load_book(folder, ["A"]).properties["TT-P1"].broken is None
    (folder / "proposals/A.md").write_text(CHANGE.replace("[TT-1.2]", "[TT-P1]"), encoding="utf-8")
    assert "TT-P1" not in load_book(folder, ["A"]).properties


HEAD = "withdraws: [TT-1.2]"


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("domains: {n: 0..5}", "A.md:6: the input n is declared already; it is 0..9: choose another name"),
        ("domains: {tip: some}", 'A.md:6: .*"some"'),
        ("follows: [Z]", "A.md:6: A follows Z, which is no proposal; others: none"),
        ("follows: [A]", "A.md:6: A follows itself, by way of A"),
        ("fights: {weak: 3}", "A.md:6: fights: weak has no fields"),
        ("targets: 35..45", "A.md:6: `targets` is no list"),
        ("targets: [{build: weak}]", "A.md:6: a target without a band; {build: weak, gap: 0, win: 35..45}"),
        ("targets: [{build: weak, win: 45}]", "A.md:6: the band win: 45; from lowest to highest"),
        ("targets: [{build: weak, win: 45..35}]", "A.md:6: the band win: 45..35 holds nothing"),
        ("targets: [{build: weak, win: 35..145}]", "A.md:6: the band win: 35..145 holds nothing"),
        ("targets: [{build: [weak], win: 35..45}]", "A.md:6: the target's build is no single value"),
    ],
)
def test_a_bad_first_block_is_one_line_when_the_book_is_read(tmp_path, head, message):
    folder = folder_with(tmp_path, A=CHANGE.replace(HEAD, head))
    with pytest.raises(BookError, match=message):
        load_book(folder)


def test_a_target_is_read_exactly(tmp_path):
    head = "targets: [{build: weak, gap: 0, win: 35..45}, {sweep: late, rounds: 4.5..6}]"
    one, two = load_book(folder_with(tmp_path, A=CHANGE.replace(HEAD, head))).proposals["A"].targets
    assert (one.inputs, str(one.win), one.rounds) == ({"build": "weak", "gap": 0}, "35..45", None)
    assert (two.inputs, two.sweep, str(two.rounds)) == ({}, "late", "9/2..6")


def test_a_new_input_serves_the_clauses_of_the_proposal(tmp_path):
    text = CHANGE.replace(HEAD, "domains: {times: 1..3}").replace("double(n) = 3 * n", "double(n, times) = times * n")
    folder = folder_with(tmp_path, A=text.replace("{n: 1, is: 3}", "{n: 1, times: 3, is: 3}"))
    assert Engine(load_book(folder, ["A"])).value("double", n=2, times=3) == 6
    assert "times" not in load_book(folder).domains


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("double(n) = 3 * n", "double(n) = double(n) * 3", "A.md:9: double calls itself without a condition"),
        ("define: double(n) = 3 * n", "define: old = 3", "TT-1.2 defines old again"),
        (HEAD, "withdraws: [TT-1.1]\nfollows: []", "TT-1.1 was retired"),
        ("double(n) = 3 * n", "double(n) = __import__(n)", "A.md:"),
    ],
)
def test_what_would_break_the_book_is_one_line(tmp_path, old, new, message):
    folder = folder_with(tmp_path, A=CHANGE.replace(old, new).replace(HEAD, "asks: []"))
    with pytest.raises(InputError, match=message) as caught:
        load_book(folder, ["A"])
    assert "\n" not in str(caught.value)
