"""The items of a book: their ids, their kinds, and that both ways of running them agree."""

from collections import Counter

import pytest

from conformance.items import collect
from conformance.options import Options, open_engines
from conformance.results import read_results
from engine.errors import BookError, DomainError
from tests.conformance.shelf import SOURCES, Shelf


def checks(shelf: Shelf, **options):
    chosen = Options(books=shelf.folder, **options)
    return collect(open_engines(chosen), chosen)


def test_every_kind_of_item_is_there_once_for_each_part(shelf: Shelf):
    kinds = Counter(check.what for check in checks(shelf, sources=SOURCES))
    assert kinds == {
        "case": 16,
        "threshold": 6,
        "table": 1,
        "approval": 18,
        "reading": 4,
        "question": 3,
        "property": 2,
        "trace": 8 + 4 + 2,
        "source": 8 + 2,
    }


def test_ids_are_those_of_the_parts(shelf: Shelf):
    ids = [check.id for check in checks(shelf)]
    assert ids[:4] == ["LAN-1.1[level=3]", "LAN-1.1[level=1]", "LAN-1.1[level=10]", "LAN-1.1[thresholds]"]
    assert {"LAN-1.1[approval]", "LAN-1.3[table]", "LAN-Q01[half-up]", "LAN-Q01", "LAN-P1", "LAN-passage-4"} <= set(ids)
    assert len(set(ids)) == len(ids)
    assert all(item_id.isascii() for item_id in ids)


def test_two_items_of_one_id_are_refused(shelf: Shelf):
    shelf.edit("01-light.md", "name: one measure rounded down}", "name: approval}")
    with pytest.raises(BookError, match=r"two items LAN-1\.2\[approval\]") as refused:
        checks(shelf)
    assert str(refused.value.place).endswith("01-light.md:27")


@pytest.mark.parametrize("name", ["hộ", "a::b"])
def test_an_id_that_pytest_cannot_select_is_refused(shelf: Shelf, name: str):
    shelf.edit("01-light.md", "name: one measure rounded down}", f'name: "{name}"}}')
    with pytest.raises(BookError, match="printable ASCII without ::") as refused:
        checks(shelf)
    assert str(refused.value.place).endswith("01-light.md:27")


def test_a_case_outside_its_domain_is_bad_input(shelf: Shelf):
    shelf.edit("01-light.md", "{level: 10, is: 11,", "{level: 11, is: 12,")
    with pytest.raises(DomainError, match=r"LAN-1\.1: level = 11 lies outside its domain; level is 1\.\.10") as refused:
        checks(shelf)
    assert str(refused.value.place).endswith("01-light.md:13")


def test_pytest_and_the_plain_run_give_the_same_results(shelf: Shelf, tmp_path):
    file = tmp_path / "results.jsonl"
    done = shelf.pytest("--results", str(file), "--sources", str(SOURCES))
    assert done.returncode == 0, done.stdout + done.stderr
    assert read_results(file) == shelf.run(sources=SOURCES)


def test_the_same_books_give_the_same_results(shelf: Shelf):
    assert shelf.run() == shelf.run()
