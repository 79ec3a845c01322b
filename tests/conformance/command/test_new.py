"""`raw new`: a loadable book from any prose document, or nothing."""

import pytest

from engine.book.load import load_book
from engine.book.record import unapproved
from engine.book.sources import compare
from engine.readings import Engine


@pytest.fixture
def document(raw):
    file = raw.folder / "áp chế [1].txt"
    file.write_bytes("First rule.\n\n   \nQuy tắc “hai”.\nThe last".encode())
    return file


def test_every_passage_is_listed_and_the_book_loads(raw, document):
    said = raw("new", document, "--system", "soul_level", "--title", 'The "Soul" \\ Level')
    assert said.status == 0
    assert said.lines[0] == "soul_level  spec/soul_level: 3 passages, all but one unclaimed"
    book = load_book(raw.folder / "spec" / "soul_level")
    assert (book.prefix, book.title, book.source_file) == ("SL", 'The "Soul" \\ Level', "áp chế [1].txt")
    assert list(book.passages) == [1, 4, 5]
    assert compare(book, document.read_bytes()).agrees
    assert Engine(book).value("example_score", level=2) == 4
    assert sorted(f.name for f in book.folder.iterdir()) == [
        "01-start.md", "book.toml", "passages.toml", "properties.md", "questions.md",
    ]  # fmt: skip


def test_nothing_is_approved_before_somebody_has_read_it(raw, document):
    said = raw("new", document, "--system", "soul_level")
    assert (
        "  nothing is approved yet; once it is read: raw approve --all-of soul_level --by NAME --why TEXT" in said.lines
    )
    folder = raw.folder / "spec" / "soul_level"
    assert list(unapproved(load_book(folder))) == ["SL-1.1", "SL-P1", "SL-input-level", "SL-passages"]
    assert raw("approve", "--all-of", "soul_level", "--by", "An", "--why", "read").status == 0
    assert unapproved(load_book(folder)) == {}


def test_the_printed_next_command_works(raw, document):
    said = raw("new", document, "--system", "soul_level")
    command = said.lines[-1].removeprefix("Next: raw ").split()
    assert raw(*command).status == 0


def test_a_prefix_that_is_taken_is_numbered_or_refused(raw, document):
    raw("new", document, "--system", "hard_bread")
    assert load_book(raw.folder / "spec" / "hard_bread").prefix == "HB2"
    line = raw.bad("new", document, "--system", "other", "--prefix", "HB")
    assert line == "spec/harbour/book.toml:1: the prefix HB is taken; choose another --prefix"


def test_it_makes_the_folder_of_books_where_there_is_none(raw, document):
    assert raw("new", document, "--system", "soul", "--books", "books/here").status == 0
    assert load_book(raw.folder / "books" / "here" / "soul").prefix == "SOUL"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"a\r\nb\n", "1: has CR line endings; save it with LF line endings"),
        (b"\xef\xbb\xbfa\n", "1: begins with a byte order mark; save it as UTF-8 without one"),
        (b"a\ncaf\xe9\n", "2: is not UTF-8; save it as UTF-8"),
        (b"\xff\xfea\x00", "1: holds NUL bytes: no UTF-8 text; save it as UTF-8"),
        (b" \n\n", "1: holds no text; name a prose document"),
    ],
)
def test_a_document_that_is_no_prose_is_refused(raw, document, content, problem):
    document.write_bytes(content)
    assert raw.bad("new", document.name, "--system", "soul") == f"{document.name}:{problem}"
    assert [f.name for f in (raw.folder / "spec").iterdir()] == ["harbour"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nope.txt", "--system", "soul"], "nope.txt:1: cannot be read (No such file or directory); name a prose document"),  # noqa: E501
        (["texts", "--system", "soul"], "texts:1: cannot be read (Is a directory); name a prose document"),
        (["texts/harbour.txt", "--system", "harbour"], "spec/harbour:1: is there already; choose another --system"),
        (["texts/harbour.txt", "--system", "../x"], 'raw new: --system "../x"; small ASCII letters, digits and _, like soul_level'),  # noqa: E501
        (["texts/harbour.txt", "--system", "x", "--prefix", "p-1"], 'raw new: --prefix "p-1"; capital ASCII letters and digits, like WA'),  # noqa: E501
        (["texts/harbour.txt"], "raw new: missing option '--system'; see `raw new --help`"),
    ],
)  # fmt: skip
def test_bad_names_get_one_line_and_write_nothing(raw, arguments, line):
    assert raw.bad("new", *arguments) == line
    assert [f.name for f in (raw.folder / "spec").iterdir()] == ["harbour"]


def test_a_folder_that_appears_meanwhile_is_not_written_over(raw, document, monkeypatch):
    from engine.book import scaffold

    taken = raw.folder / "spec" / "soul"

    def load_and_be_late(folder):
        taken.mkdir()
        (taken / "mine.txt").write_text("mine")
        return load_book(folder)

    monkeypatch.setattr(scaffold, "load_book", load_and_be_late)
    assert raw.bad("new", document, "--system", "soul") == "spec/soul:1: is there already; choose another --system"
    assert [f.name for f in taken.iterdir()] == ["mine.txt"]
    assert sorted(f.name for f in (raw.folder / "spec").iterdir()) == ["harbour", "soul"]


def test_a_crash_on_the_way_leaves_nothing(raw, document, monkeypatch):
    from engine.book import scaffold

    def crash(folder):
        raise KeyboardInterrupt

    monkeypatch.setattr(scaffold, "load_book", crash)
    assert raw("new", document, "--system", "soul").status == 130
    assert [f.name for f in (raw.folder / "spec").iterdir()] == ["harbour"]
