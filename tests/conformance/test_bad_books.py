"""Bad books: each ends the run with exactly one line.

A file of `tests/books/bad` holds the files of a book after lines `--- NAME`, and the expected line after
`--- expected`. Where it lacks `book.toml` or `passages.toml`, those below are taken.
"""

import hashlib
from pathlib import Path

import pytest

from conformance.items import collect
from conformance.options import Options, open_engines
from engine.errors import InputError
from tests.conformance.shelf import TESTS

BAD = sorted((TESTS / "books" / "bad").glob("*.txt"))
COMMON = {
    "book.toml": 'system = "toy"\nprefix = "TOY"\ntitle = "Toy"\nsource = "toy.txt"\n[domains]\nlevel = "1..10"\n',
    "passages.toml": f'[passages]\n1 = {{sha256 = "{hashlib.sha256(b"A rule.").hexdigest()}"}}\n',
}


def parts_of(file: Path) -> dict[str, str]:
    parts: dict[str, str] = {}
    for part in file.read_text(encoding="utf-8").split("--- ")[1:]:
        name, _, text = part.partition("\n")
        parts[name] = text
    return parts


@pytest.mark.parametrize("file", BAD, ids=[file.stem for file in BAD])
def test_a_bad_book_gets_its_line(file: Path, tmp_path: Path):
    parts = COMMON | parts_of(file)
    expected = parts.pop("expected").strip()
    for name, text in parts.items():
        path = tmp_path / "toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    options = Options(books=tmp_path)
    with pytest.raises(InputError) as refused:
        collect(open_engines(options), options)
    assert str(refused.value).replace(f"{tmp_path}/", "") == expected
    assert len(expected.splitlines()) == 1
