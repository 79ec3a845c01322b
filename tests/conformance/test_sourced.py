"""The source at hand against the passages of a book."""

from pathlib import Path

import pytest

from tests.conformance.shelf import SOURCES, Shelf

RAW = (SOURCES / "lanterns.txt").read_bytes()


@pytest.fixture
def source(tmp_path: Path):
    def write(raw: bytes) -> Path:
        folder = tmp_path / "sources"
        folder.mkdir()
        (folder / "lanterns.txt").write_bytes(raw)
        return folder

    return write


def test_without_sources_nothing_is_said_of_them(shelf: Shelf):
    assert [item for item in shelf.run().items if item.what == "source"] == []


def test_the_source_as_it_was(shelf: Shelf):
    items = [item for item in shelf.run(sources=SOURCES).items if item.what == "source"]
    assert [item.status for item in items] == ["conforms"] * 10
    assert items[0].id == "LAN-source[file]"
    assert items[-1].id == "LAN-source[new-lines]"


def test_one_changed_byte_names_what_to_look_at(shelf: Shelf, source):
    failing = shelf.failing(sources=source(RAW.replace(b"4 measures burn 2", b"4 measures burn 3")))
    assert failing == {"LAN-passage-4[source]": "deviates"}


def test_a_changed_passage_names_its_clauses_and_questions(shelf: Shelf, source):
    item = shelf.item("LAN-passage-4[source]", sources=source(RAW.replace(b"4 measures burn 2", b"4 measures burn 3")))
    assert item.message == "passage 4 changed; look at LAN-1.2, LAN-Q01"
    assert item.blame == "source"
    assert item.detail["look_at"] == ["LAN-1.2", "LAN-Q01"]


def test_a_moved_passage_says_where_it_is(shelf: Shelf, source):
    folder = source(RAW.replace(b"Lanterns, a small game\n", b"\nLanterns, a small game\n"))
    assert shelf.item("LAN-passage-9[source]", sources=folder).message.startswith("passage 9 moved to line 10")


def test_a_passage_that_is_gone(shelf: Shelf, source):
    folder = source(RAW.replace(b"The keeper tells a story.\n", b"\n"))
    assert shelf.item("LAN-passage-8[source]", sources=folder).message == "passage 8 is gone; look at LAN-1.6"


def test_a_new_line_is_named(shelf: Shelf, source):
    item = shelf.item("LAN-source[new-lines]", sources=source(RAW + b"Lamps break.\n"))
    assert (item.status, item.actual) == ("missing", "new lines 10")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (RAW.replace(b"\n", b"\r\n"), "line endings with CR"),
        (b"\xef\xbb\xbf" + RAW, "byte order mark at the start"),
        (RAW.decode().encode("utf-16"), "encoding: saved as UTF-16, not UTF-8"),
    ],
)
def test_how_a_file_was_saved_is_told_apart_from_what_it_says(shelf: Shelf, source, raw: bytes, said: str):
    folder = source(raw)
    assert shelf.failing(sources=folder) == {"LAN-source[file]": "deviates"}
    item = shelf.item("LAN-source[file]", sources=folder)
    assert item.actual == said
    assert "not what it says" in item.message
    assert item.remedy.startswith("Save it ")
    assert "lf" not in item.remedy
    assert "utf" not in item.remedy


def test_a_folder_without_the_source_is_missing_it(shelf: Shelf, tmp_path: Path):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert shelf.failing(sources=empty) == {"LAN-source[file]": "missing"}
