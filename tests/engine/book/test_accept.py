"""A changed source taken into the book, as text edits."""

from pathlib import Path

import pytest

from engine.book.accept import accept
from engine.book.digests import part_digest
from engine.book.load import load_book
from engine.book.sources import compare
from engine.book.write import write_all
from engine.errors import BookError, InputError
from tests.scratch import book_of

CHAPTER = """
### TT-1.1 áp chế

Passage 1 is cited twice, and `source: [1]` in prose is no citation.

```yaml
source: [1,  2]   # áp chế 2
define: one(n) = 1
cases:
  - {n: 1, is: 1, example: 4, work: "example: 4"}
  - n: 2
    is: 1
    example: 4
```

### TT-1.2 Two

A rule.

```yaml
source:
  - 5
  - 4
define: two(n) = 2
cases:
  - {n: 2, is: 2}
```
"""
QUESTIONS = """
### TT-Q01 Open?

No list.

```yaml
source: [5]
ask: two
given: {n: 1}
```
"""
REASON = ', informative = "5 sha 4"'
LINES = ["alpha", "beta", "", "gamma", "delta"]


@pytest.fixture
def book(tmp_path):
    made = book_of(tmp_path, CHAPTER, questions=QUESTIONS, domains={"n": "1.."}, source="\n".join(LINES) + "\n")
    (made.folder / "passages.toml").write_text(
        "# head\n\n[passages]\n# about one and two\n"
        + "".join(
            f'  {n} = {{ sha256 = "{passage.sha256}"{REASON if n == 2 else ""} }} # {n}\n'
            for n, passage in made.passages.items()
        )
        + "# foot\n"
    )
    return load_book(made.folder)


def taken(book, lines):
    report = compare(book, "\n".join(lines).encode())
    texts = accept(book, report)
    write_all(dict(texts))
    fresh = load_book(book.folder)
    assert compare(fresh, "\n".join(lines).encode()).agrees
    return fresh, {file.name for file in texts}


def test_a_change_touches_its_digest_only(book):
    before = (book.folder / "passages.toml").read_text()
    _, files = taken(book, ["ALPHA", *LINES[1:]])
    after = (book.folder / "passages.toml").read_text()
    assert files == {"passages.toml"}
    assert [line for line in after.splitlines() if line not in before.splitlines()] == [
        line for line in after.splitlines() if line.startswith("  1 = ")
    ]


def test_pushed_passages_take_their_citations_along(book):
    fresh, files = taken(book, ["first", *LINES])
    assert files == {"passages.toml", "01-rules.md", "questions.md"}
    assert fresh.clauses["TT-1.1"].sources == (2, 3)
    assert [case.passage for case in fresh.clauses["TT-1.1"].cases] == [5, 5]
    assert fresh.clauses["TT-1.2"].sources == (6, 5)
    assert fresh.questions["TT-Q01"].sources == (6,)
    text = (book.folder / "01-rules.md").read_text(encoding="utf-8")
    assert "source: [2,  3]   # áp chế 2\n" in text
    assert '  - {n: 1, is: 1, example: 5, work: "example: 4"}\n' in text
    assert "`source: [1]` in prose is no citation" in text


def test_layout_comments_and_reasons_stay(book):
    fresh, _ = taken(book, ["first", *LINES])
    lines = (book.folder / "passages.toml").read_text().splitlines()
    assert lines[:3] == ["# head", "", "[passages]"]
    assert lines[3].startswith('1 = {sha256 = "')
    assert lines[4] == "# about one and two"
    assert lines[5].startswith("  2 = { sha256 = ")
    assert lines[5].endswith("} # 1")
    assert lines[-1] == "# foot"
    assert fresh.passages[3].informative == "5 sha 4"


def test_two_passages_that_changed_places_change_their_citations(book):
    fresh, _ = taken(book, ["alpha", "beta", "", "delta", "gamma"])
    assert fresh.clauses["TT-1.2"].sources == (4, 5)
    assert [case.passage for case in fresh.clauses["TT-1.1"].cases] == [5, 5]


def test_a_passage_that_went_uncited_is_dropped(book):
    for name, old, new in (("01-rules.md", "  - 5\n", ""), ("questions.md", "[5]", "[4]")):
        file = book.folder / name
        file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    fresh, _ = taken(load_book(book.folder), LINES[:4])
    assert list(fresh.passages) == [1, 2, 4]


def test_a_passage_that_is_cited_must_not_go(book):
    report = compare(book, b"alpha\nbeta\n\ngamma\n")
    with pytest.raises(BookError, match=r"01-rules.md:\d+: TT-1.2 cites passage 5, which is gone; take it out"):
        accept(book, report)


def test_another_form_is_refused(book):
    with pytest.raises(InputError, match="line endings with CR"):
        accept(book, compare(book, "\r\n".join(LINES).encode()))


def test_approvals_follow_a_renumbering_and_nothing_else(book):
    digest = part_digest(book.clauses["TT-1.1"])
    (book.folder / "approved.toml").write_text(
        '# ours\n[approved]\n"TT-1.1" = {digest = "' + digest + '", by = "Bo", on = 2026-01-31, why = "read"} # so\n'
        '"TT-1.2" = {digest = "old", by = "Bo", on = 2026-01-31, why = "read"}\n'
    )
    fresh, files = taken(load_book(book.folder), ["first", *LINES])
    assert "approved.toml" in files
    assert fresh.approvals["TT-1.1"].digest == part_digest(fresh.clauses["TT-1.1"]) != digest
    assert fresh.approvals["TT-1.2"].digest == "old"
    text = (book.folder / "approved.toml").read_text()
    assert text.startswith("# ours\n")
    assert "} # so\n" in text


def test_a_register_in_another_layout_is_refused_unwritten(book):
    text = "[passages]\n" + "".join(
        f'[passages.{n}]\nsha256 = "{passage.sha256}"\n' for n, passage in book.passages.items()
    )
    file = book.folder / "passages.toml"
    file.write_text(text)
    with pytest.raises(BookError, match="write each passage on one line"):
        accept(load_book(book.folder), compare(book, b"ALPHA\nbeta\n\ngamma\ndelta\n"))
    assert Path(file).read_text() == text
