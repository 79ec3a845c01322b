"""A book plus a proposal is another book."""

import pytest

from engine.book.load import load_book
from engine.errors import BookError, CallError
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
