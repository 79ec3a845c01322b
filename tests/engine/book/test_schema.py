"""JSON Schemas: what the reader takes, they take; what it refuses, they refuse."""

import json
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from engine.book.blocks import read_block
from engine.book.markdown import read_page
from engine.book.schema import schemas, stale, texts

ROOT = Path(__file__).parents[3]
BOOKS = [folder.parent for place in ("spec", "tests/books") for folder in (ROOT / place).glob("**/book.toml")]
SCHEMAS = schemas()
KINDS = {"questions": "question", "properties": "property"}
DOMAINS = ["1..20", "1..", "..", "-5..10", "0..40 by 1/2", "bool", "dice d4 d6 up to 3", ["a", "b"]]


def plain(value):
    """As an editor sees it: no Fractions, no dates."""
    return json.loads(json.dumps(value, default=float))


def errors(name, value):
    return [error.message for error in Draft7Validator(SCHEMAS[name]).iter_errors(value)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema(name):
    Draft7Validator.check_schema(SCHEMAS[name])


def test_the_committed_files_are_up_to_date():
    assert stale(ROOT / "spec" / "schema") == []


def test_same_code_same_bytes():
    assert texts() == texts()


@pytest.mark.parametrize("folder", BOOKS, ids=lambda folder: folder.name)
def test_every_book_at_hand_is_valid(folder):
    for file in folder.glob("*.toml"):
        if file.name == "fights.toml":
            continue  # its fields are those of the system's own duel
        data = json.loads(json.dumps(tomllib.loads(file.read_text(encoding="utf-8")), default=str))
        assert errors(f"{file.stem}.json", data) == [], file
    for file in folder.glob("*.md"):
        kind = KINDS.get(file.stem.partition("-")[0], "clause")
        for section in read_page(file).sections:
            block = plain(read_block(section.block, file, section.block_line))
            assert errors(f"{kind}.json", block) == [], section.place


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("clause.json", {"source": [1], "define": "a = 1", "no_case": "why"}),
        ("clause.json", {"source": [1]}),
        ("clause.json", {"source": [], "define": "a = 1"}),
        ("clause.json", {"source": [0], "define": "a = 1"}),
        ("clause.json", {"source": [1], "defin": "a = 1"}),
        ("clause.json", {"source": [1], "define": "a = 1", "cases": [{"n": 1}]}),
        ("clause.json", {"source": [1], "decide": "a(n)", "rows": [{"when": "n > 1"}]}),
        ("question.json", {"source": [1], "readings": [{"id": "a", "says": "b"}]}),
        ("question.json", {"source": [1], "readings": [{"id": "a b", "says": "b"}, {"id": "c", "says": "d"}]}),
        ("property.json", {"claim": "a > 1", "by": "prayer"}),
        ("property.json", {"claim": "a > 1"}),
        ("book.json", {"system": "a", "prefix": "a", "title": "t", "source": "s"}),
        ("book.json", {"system": "a", "prefix": "A", "title": "t", "source": "s", "domains": {"n": "1.2..3"}}),
        ("book.json", {"system": "a", "prefix": "A", "title": "t", "source": "s", "domains": {"n": "dice 4"}}),
        ("passages.json", {"passages": {"1": {"sha256": "abc"}}}),
        ("approved.json", {"approved": {"A-1.1": {"digest": "x", "by": "b", "on": "2026-01-31"}}}),
        ("rulings.json", {"rulings": {"A-Q01": {"reading": "x", "by": "", "on": "2026-01-31", "why": "c"}}}),
        ("profiles.json", {"profiles": {"p": {"A-Q01": "x"}}}),
        ("proposal.json", {"settles": {"A-Q01": "x"}}),
    ],
)
def test_what_the_reader_refuses_is_invalid(name, value):
    assert errors(name, value) != []


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_form_of_domain_is_valid(domain):
    book = {"system": "a", "prefix": "A", "title": "t", "source": "s", "domains": {"n": domain}}
    assert errors("book.json", book) == []
    book["domains"] = {"n": {"is": domain, "label": "N", "why": "so"}}
    assert errors("book.json", book) == []


def test_a_key_that_only_the_reader_knows_is_an_error_when_schemas_are_made(monkeypatch):
    from engine.book import parts

    monkeypatch.setattr(parts, "CLAUSE_KEYS", parts.CLAUSE_KEYS | {"fresh"})
    with pytest.raises(AssertionError, match=r"schema and reader differ in \['fresh'\]"):
        schemas()
