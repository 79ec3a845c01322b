"""`raw sources`: what became of the text, and taking it into the book."""

import json

import pytest

from engine.book.accept import accept
from engine.book.load import load_book
from engine.book.sources import compare
from engine.errors import InputError


def test_the_same_text_agrees(raw):
    said = raw("sources", "texts")
    assert (said.status, said.lines) == (0, ["harbour  texts/harbour.txt: 9 the same"])


def test_a_changed_passage_names_its_line_and_what_to_look_at(raw):
    raw.edit_source(b"a third", b"a fourth")
    said = raw("sources", "texts")
    assert said.status == 1
    assert said.lines[:3] == [
        "harbour  texts/harbour.txt: 8 the same, 1 changed",
        "  changed  line 6  HB-1.2, HB-1.4, HB-Q01",
        "  look again at",
    ]
    assert "    HB-1.2  The toll                   spec/harbour/01-ropes.md:16" in said.lines


def test_an_inserted_line_pushes_the_rest_and_makes_nothing_suspect(raw):
    raw.edit_source(b"Every sailor", b"A new line.\nEvery sailor")
    said = raw("sources", "texts")
    assert said.status == 1
    assert said.lines == [
        "harbour  texts/harbour.txt: 1 the same, 8 pushed up or down, 1 new",
        "  pushed  lines 2 to 10, now 3 to 11",
        "  new  line 2  claimed by nothing yet",
    ]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (b"\n", b"\r\n", "texts/harbour.txt:1: line endings with CR; save it with LF line endings"),
        (b"The harbour", b"\xef\xbb\xbfThe harbour", "texts/harbour.txt:1: byte order mark at the start; save it as UTF-8 without one"),  # noqa: E501
        ("Đừng".encode(), b"\xd0\xf8", "texts/harbour.txt:8: encoding: not UTF-8; save it as UTF-8"),
    ],
)  # fmt: skip
def test_how_it_was_saved_is_bad_input_and_no_change_of_the_text(raw, old, new, line):
    raw.edit_source(old, new)
    said = raw("sources", "texts")
    assert said.status == 2
    assert said.err.splitlines()[0] == line


def test_line_endings_alone_change_no_passage(raw):
    raw.source.write_bytes(raw.source.read_bytes().replace(b"\n", b"\r\n"))
    assert raw("sources", "texts").lines == ["harbour  texts/harbour.txt: 9 the same"]


def test_accept_takes_digests_and_lets_citations_follow(raw):
    raw("approve", "--all-of", "harbour", "--by", "Bo", "--why", "read")
    raw.edit_source(b"Every sailor", b"A new line.\nEvery sailor")
    raw.edit_source(b"The end.", b"The end!")
    said = raw("sources", "texts", "--accept")
    assert said.status == 0
    assert "  next: claim or mark informative the new lines 2" in said.lines
    assert raw("sources", "texts").status == 0
    book = load_book(raw.book)
    assert book.clauses["HB-1.1"].sources == (3, 4, 5)
    assert [case.passage for case in book.clauses["HB-1.3"].cases] == [10]
    assert book.questions["HB-Q03"].sources == (9,)
    assert book.passages[11].informative == "a farewell"
    # Renumbering is no change of a rule: approvals stand.
    assert raw("explain", "HB-1.1").lines[-1].startswith("Approved: by Bo")


def test_accept_keeps_comments_and_layout(raw):
    raw.edit_source(b"a third", b"a fourth")
    before = raw.text("passages.toml").splitlines()
    raw("sources", "texts", "--accept")
    after = raw.text("passages.toml").splitlines()
    changed = [i for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert [before[i][:3] for i in changed] == ["6 ="]
    assert after[before.index("# the toll")] == "# the toll"
    assert any(line.endswith("# ports") for line in after)


def test_accept_refuses_a_cited_passage_that_is_gone_and_writes_nothing(raw):
    raw.edit_source(b"The toll is a third of the level, rounded.\n", b"")
    before = {file: file.read_bytes() for file in raw.book.iterdir()}
    said = raw("sources", "texts", "--accept")
    assert said.status == 2
    assert said.err == (
        "spec/harbour/01-ropes.md:16: HB-1.2 cites passage 6, which is gone; take it out of the part first\n"
    )
    assert {file: file.read_bytes() for file in raw.book.iterdir()} == before


def test_accept_refuses_other_line_endings(raw):
    raw.source.write_bytes(raw.source.read_bytes().replace(b"\n", b"\r\n"))
    said = raw("sources", "texts", "--accept")
    assert (said.status, said.err) == (
        2,
        "texts/harbour.txt:1: line endings with CR; save it with LF line endings, then accept it\n",
    )


def test_missing_folders_and_files_get_one_line(raw):
    assert raw.bad("sources", "nowhere") == (
        "nowhere:1: there is no such folder; name the folder with the original texts"
    )
    raw.source.unlink()
    assert raw.bad("sources", "texts") == (
        "texts/harbour.txt:1: the source of harbour cannot be read (No such file or directory); "
        "put it there, or name the systems to compare with --system"
    )
    assert raw.bad("sources", "texts", "--system", "x") == "raw sources: there is no system x; there are harbour"


def test_an_interrupted_accept_is_finished_by_the_next_command(raw):
    raw.edit_source(b"Every sailor", b"A new line.\nEvery sailor")
    book = load_book(raw.book)
    texts = accept(book, compare(book, raw.source.read_bytes()))
    (raw.book / ".pending.json").write_text(json.dumps({file.name: text for file, text in texts.items()}))
    with pytest.raises(InputError, match=r"\.pending\.json:1: an edit was interrupted; finish it with `raw check`"):
        load_book(raw.book)
    assert raw("check").status == 0
    assert raw("sources", "texts").status == 0
    assert load_book(raw.book).clauses["HB-1.1"].sources == (3, 4, 5)
