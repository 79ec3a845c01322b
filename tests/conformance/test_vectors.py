"""Vectors: every case as data for other languages."""

import json
from pathlib import Path

from conformance.options import Options, open_engines
from conformance.vectors import export
from tests.conformance.shelf import Shelf


def exported(shelf: Shelf, tmp_path: Path) -> list[dict[str, object]]:
    file = tmp_path / "vectors.jsonl"
    count = export(open_engines(Options(books=shelf.folder)), file)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert lines[-1] == {"kind": "footer", "vectors": count}
    assert len(lines) == count + 2
    return lines


def test_every_case_reading_and_open_question_is_there(shelf: Shelf, tmp_path: Path):
    lines = exported(shelf, tmp_path)
    assert [line["kind"] for line in lines].count("case") == 16
    assert [line["id"] for line in lines if line["kind"] == "reading"] == [
        "LAN-Q01[half-up]",
        "LAN-Q01[half-down]",
        "LAN-Q02[equal-fails]",
        "LAN-Q02[equal-holds]",
    ]
    assert [line["id"] for line in lines if line["kind"] == "question"] == ["LAN-Q01", "LAN-Q02", "LAN-Q03"]


def test_a_case_is_a_call_with_its_value(shelf: Shelf, tmp_path: Path):
    lines = {line.get("id"): line for line in exported(shelf, tmp_path)}
    assert lines["LAN-1.2[one measure rounded down]"] == {
        "kind": "case",
        "id": "LAN-1.2[one measure rounded down]",
        "clause": "LAN-1.2",
        "title": "Burning time",
        "system": "lanterns",
        "call": "burnt",
        "given": {"oil": 1},
        "rolls": None,
        "readings": {"Q01": "half-down"},
        "value": 0,
        "origin": "derived",
        "passage": None,
    }


def test_a_question_lists_the_value_under_each_reading(shelf: Shelf, tmp_path: Path):
    lines = {line.get("id"): line for line in exported(shelf, tmp_path)}
    assert lines["LAN-Q02"]["values"] == {"equal-fails": True, "equal-holds": False}
    assert lines["LAN-Q02"]["readings"] == {}
    assert lines["LAN-Q03"]["values"] == {}


def test_a_ruling_holds_in_every_vector_and_closes_its_question(shelf: Shelf, tmp_path: Path):
    shelf.add(
        "rulings.toml",
        '[rulings."LAN-Q01"]\nreading = "half-up"\nby = "A. Keeper"\non = 2026-02-03\nwhy = "so"\n',
    )
    lines = {line.get("id"): line for line in exported(shelf, tmp_path)}
    assert "LAN-Q01" not in lines
    assert lines["LAN-1.1[level=3]"]["readings"] == {"Q01": "half-up"}
    assert lines["LAN-Q01[half-down]"]["readings"] == {"Q01": "half-down"}


def test_same_books_same_bytes(shelf: Shelf, tmp_path: Path):
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    for file in (first, second):
        export(open_engines(Options(books=shelf.folder)), file)
    assert first.read_bytes() == second.read_bytes()
