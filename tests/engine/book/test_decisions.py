"""What was decided about a proposal holds for exactly what was judged."""

import datetime as dt
import multiprocessing
import shutil
from pathlib import Path

import pytest

from engine.book.decisions import judged_digest, state_of
from engine.book.load import load_book
from engine.book.record import decide, record_approvals, record_ruling, sign
from engine.errors import BookError, CallError

LADDER = Path(__file__).parents[2] / "books" / "proposed" / "ladder"
AN = sign("An", dt.date(2026, 1, 31), "it reads well")
FOLLOWER = """# later After the gentler ladder

It comes second.

```yaml
follows: [slower]
```

### LD-1.1 Growth of the ladder

Each level costs a twentieth more.

```yaml
source: [1]
define: growth = 1.05
cases:
  - {is: 21/20}
```
"""


@pytest.fixture
def folder(tmp_path):
    return Path(shutil.copytree(LADDER, tmp_path / "ladder"))


def edit(file, old, new):
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def word(folder, name="slower"):
    book = load_book(folder)
    return state_of(book, book.proposals[name])


def test_a_decision_holds_while_what_was_judged_stands(folder):
    assert str(word(folder)) == "undecided"
    decide(folder, "slower", "approved", AN)
    assert str(word(folder)) == "approved by An on 2026-01-31"
    edit(folder / "02-tests.md", "Fifty percent", "Half")  # another clause
    edit(folder / "proposals/rounding.md", "wants", "needs")  # another proposal
    assert word(folder).word == "approved"


@pytest.mark.parametrize(
    ("file", "old", "new", "edited"),
    [
        ("proposals/slower.md", "long games", "long plays", True),  # its own text
        ("01-growth.md", "Each level costs a fifth", "Every level costs a fifth", False),  # a clause that it rewrites
        ("properties.md", "better off by waiting", "better off waiting", False),  # a property that it promises
    ],
)
def test_whatever_was_judged_undoes_the_decision_when_it_changes(folder, file, old, new, edited):
    decide(folder, "slower", "approved", AN)
    edit(folder / file, old, new)
    state = word(folder)
    assert (state.word, state.edited) == ("undecided", edited)
    assert state.stale is not None
    assert state.stale.by == "An"
    assert str(state).startswith("undecided again (")
    edit(folder / file, new, old)
    assert word(folder).word == "approved"


def test_a_ruling_on_what_is_settled_undoes_the_decision(folder):
    decide(folder, "rounding", "approved", AN)
    record_ruling(folder, "LD-Q01", "floor", AN)
    assert word(folder, "rounding").word == "undecided"


def test_who_follows_is_judged_with_what_it_follows(folder):
    (folder / "proposals/later.md").write_text(FOLLOWER, encoding="utf-8")
    decide(folder, "later", "approved", AN)
    before = judged_digest(load_book(folder), "later")
    edit(folder / "proposals/slower.md", "long games", "long plays")
    assert judged_digest(load_book(folder), "later") != before
    assert not word(folder, "later").edited


def test_the_last_decision_counts_and_none_is_lost(folder):
    decide(folder, "slower", "approved", AN)
    decide(folder, "slower", "rejected", sign("Bo", dt.date(2026, 2, 1), 'no "tenth", please'))
    decide(folder, "lost", "withdrawn", AN)
    book = load_book(folder)
    assert [(d.about, d.kind, d.by) for d in book.decisions] == [
        ("slower", "approved", "An"),
        ("slower", "rejected", "Bo"),
        ("lost", "withdrawn", "An"),
    ]
    assert book.decisions[1].why == 'no "tenth", please'
    lines = (folder / "decisions.toml").read_text(encoding="utf-8").splitlines()
    assert all(lines[d.place.line - 1] == "[[decisions]]" for d in book.decisions)
    assert word(folder).word == "rejected"


def test_the_log_only_grows(folder):
    decide(folder, "slower", "approved", AN)
    text = (folder / "decisions.toml").read_text(encoding="utf-8") + "# a remark of mine\n"
    (folder / "decisions.toml").write_text(text, encoding="utf-8")
    decide(folder, "slower", "rejected", AN)
    record_approvals(folder, ("LD-1.1",), AN)
    assert (folder / "decisions.toml").read_text(encoding="utf-8").startswith(text)


def _decide_often(folder, by, times):
    for number in range(times):
        decide(folder, "slower", "rejected", sign(by, dt.date(2026, 1, 1), f"reason {number}"))


def test_of_operators_at_once_none_loses_a_decision(folder):
    context = multiprocessing.get_context("spawn")
    operators = [context.Process(target=_decide_often, args=(folder, by, 5)) for by in ("An", "Bo")]
    for operator in operators:
        operator.start()
    for operator in operators:
        operator.join(120)
    assert [operator.exitcode for operator in operators] == [0, 0]
    decisions = load_book(folder).decisions
    for by in ("An", "Bo"):
        assert [d.why for d in decisions if d.by == by] == [f"reason {n}" for n in range(5)]


def test_what_changed_while_it_was_judged_is_not_decided(folder):
    judged = judged_digest(load_book(folder), "slower")
    edit(folder / "proposals/slower.md", "long games", "long plays")
    with pytest.raises(CallError, match="slower changed while it was judged; look at it again"):
        decide(folder, "slower", "approved", AN, judged=judged)
    assert not (folder / "decisions.toml").exists()


def test_a_name_without_a_text_cannot_be_approved(folder):
    with pytest.raises(CallError, match="lost changes nothing"):
        decide(folder, "lost", "approved", AN)


def test_an_approval_that_is_replaced_stays_in_the_log(folder):
    edit(folder / "01-growth.md", "Each level costs a fifth", "Every level costs a fifth")
    record_approvals(folder, ("LD-1.1",), AN)
    decisions = load_book(folder).decisions
    assert [(d.by, d.parts) for d in decisions] == [("An operator", ("LD-1.1",)), ("An", ("LD-1.1",))]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('about = "slower"', "decisions.toml:1: a decision without what, who, when and why"),
        ('about = "x"\nis = "liked"\ndigest = "0"\nby = "a"\non = 2026-01-01\nwhy = "b"', 'a decision that is "liked"'),
        ("about = ", "decisions.toml:2: broken TOML"),
    ],
)
def test_a_log_that_is_broken_is_told_in_one_line(folder, entry, message):
    (folder / "decisions.toml").write_text(f"[[decisions]]\n{entry}\n", encoding="utf-8")
    with pytest.raises(BookError, match=message):
        load_book(folder)
