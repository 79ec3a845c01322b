"""A source against its book: digests aligned by sequence, form apart from text."""

import hashlib
from pathlib import Path

import pytest

from engine.book.model import Book
from engine.book.sources import Shift, compare, passages_of
from tests.scratch import book_of

CHAPTER = """
### TT-1.1 One

A rule.

```yaml
source: [1, 2]
define: one = 1
cases:
  - {is: 1, example: 4}
```

### TT-1.2 Two

A rule.

```yaml
source: [6]
define: two = 2
cases:
  - {is: 2}
```
"""
LINES = ["alpha", "beta", "", "gamma", "delta", "áp chế · “x”", "twin", "twin"]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return book_of(tmp_path_factory.mktemp("book"), CHAPTER, source="\n".join(LINES) + "\n")


def report(book: Book, lines: list[str], ending: str = "\n"):
    return compare(book, (ending.join(lines) + ending).encode())


def test_a_passage_is_the_bytes_of_a_line_that_is_not_blank():
    raw = "a\n\n \t\nb\u0387\u2028c".encode()
    assert passages_of(raw) == {
        1: hashlib.sha256(b"a").hexdigest(),
        4: hashlib.sha256("b\u0387\u2028c".encode()).hexdigest(),
    }
    assert passages_of(b"") == {}


def test_the_same_text_agrees_with_or_without_a_last_line_feed(book):
    assert report(book, LINES).agrees
    assert compare(book, "\n".join(LINES).encode()).agrees
    assert report(book, LINES).same == (1, 2, 4, 5, 6, 7, 8)


def test_a_character_that_unicode_would_normalise_is_a_change(book):
    composed = report(book, [line.replace("á", "a\u0301") for line in LINES])
    assert composed.changed == (Shift(6, 6),)
    assert composed.suspects == ("TT-1.2",)


@pytest.mark.parametrize(
    ("lines", "changed", "new", "gone", "suspects"),
    [
        (["alpha", "BETA", *LINES[2:]], [(2, 2)], [], [], ["TT-1.1"]),
        ([*LINES[:3], "GAMMA", *LINES[4:]], [(4, 4)], [], [], ["TT-1.1"]),
        ([*LINES[:4], "DELTA", *LINES[5:]], [(5, 5)], [], [], []),
        ([*LINES[:3], *LINES[4:]], [], [], [4], ["TT-1.1"]),
        ([*LINES, "omega"], [], [9], [], []),
        (["first", *LINES], [], [1], [], []),
        (LINES[:7], [], [], [8], []),
        ([], [], [], [1, 2, 4, 5, 6, 7, 8], ["TT-1.1", "TT-1.2"]),
        (
            ["1", "2", "", "4", "5", "6", "7", "8"],
            [(n, n) for n in (1, 2, 4, 5, 6, 7, 8)],
            [],
            [],
            ["TT-1.1", "TT-1.2"],
        ),
    ],
)
def test_what_changed_came_and_went(book, lines, changed, new, gone, suspects):
    found = report(book, lines)
    assert [(shift.was, shift.now) for shift in found.changed] == changed
    assert (list(found.new), list(found.gone), list(found.suspects)) == (new, gone, suspects)
    assert not found.agrees


def test_lines_that_others_pushed_are_no_suspects(book):
    found = report(book, ["first", *LINES])
    assert found.moved == tuple(Shift(n, n + 1) for n in (1, 2, 4, 5, 6, 7, 8))
    assert found.suspects == ()
    assert found.renumbering == {n: n + 1 for n in (1, 2, 4, 5, 6, 7, 8)}


def test_a_line_taken_out_of_its_order_is_displaced_and_suspect(book):
    found = report(book, [LINES[5], *LINES[:5], *LINES[6:]])
    assert [shift for shift in found.moved if shift.displaced] == [Shift(6, 1, displaced=True)]
    assert found.suspects == ("TT-1.2",)
    assert (found.changed, found.new, found.gone) == ((), (), ())


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings_are_no_change_of_the_text(book, ending):
    found = report(book, LINES, ending)
    assert found.form == ((1, "line endings with CR", "save it with LF line endings"),)
    assert (found.changed, found.new, found.gone, found.suspects) == ((), (), (), ())
    assert not found.agrees


def test_one_carriage_return_is_told_with_its_line(book):
    found = compare(book, "\n".join(LINES).encode().replace(b"gamma", b"gamma\r"))
    assert (found.line_endings, found.changed) == (4, ())


def test_line_endings_do_not_hide_a_change(book):
    assert report(book, ["ALPHA", *LINES[1:]], "\r\n").changed == (Shift(1, 1),)


def test_a_byte_order_mark_is_no_change_of_the_first_line(book):
    found = compare(book, b"\xef\xbb\xbf" + "\n".join(LINES).encode())
    assert found.form == ((1, "byte order mark at the start", "save it as UTF-8 without one"),)
    assert found.changed == ()


@pytest.mark.parametrize(
    ("encoding", "line", "name"),
    [("utf-16", 1, "UTF-16"), ("utf-16-be", 1, "UTF-16"), ("cp1252", 6, "Windows-1252")],
)
def test_another_encoding_of_the_same_text_is_named(tmp_path, encoding, line, name):
    lines = [*LINES[:5], "café · “x”", *LINES[6:]]
    book = book_of(tmp_path, CHAPTER, source="\n".join(lines) + "\n")
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    found = compare(book, mark + "\n".join(lines).encode(encoding))
    assert found.form == ((line, f"encoding: saved as {name}, not UTF-8", "save it as UTF-8"),)
    assert (found.changed, found.suspects) == ((), ())


def test_bytes_that_are_no_text_are_told_with_their_line(book):
    found = compare(book, "\n".join(LINES).encode().replace("á".encode(), b"\xff"))
    assert found.form == ((6, "encoding: not UTF-8", "save it as UTF-8"),)
    assert found.changed == (Shift(6, 6),)


def test_every_passage_is_accounted_for_once(book):
    """Whatever happens to the lines, each old and each new one is in exactly one place."""
    from hypothesis import given
    from hypothesis import strategies as st

    @given(st.lists(st.sampled_from([*LINES, "new", "twin"]), max_size=14))
    def check(lines):
        found = report(book, lines)
        old = [*found.same, *(s.was for s in (*found.changed, *found.moved)), *found.gone]
        fresh = [*found.same, *(s.now for s in (*found.changed, *found.moved)), *found.new]
        assert sorted(old) == sorted(book.passages)
        assert sorted(fresh) == sorted(found.digests)
        for number in found.same:
            assert found.digests[number] == book.passages[number].sha256
        for shift in found.moved:
            assert shift.was != shift.now or shift.displaced
            assert found.digests[shift.now] == book.passages[shift.was].sha256

    check()


def test_a_long_source_is_compared_quickly(tmp_path):
    lines = [f"line {n % 700}" for n in range(2000)]
    book = book_of(tmp_path, CHAPTER, source="\n".join(lines) + "\n")
    found = report(book, ["first", *lines])
    assert len(found.moved) == 2000
    assert Path(book.folder).is_dir()
