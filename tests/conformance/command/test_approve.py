"""`raw approve`: parts of a book as they stand."""

from engine.book.bound import bound_parts
from engine.book.digests import part_digest
from engine.book.load import load_book
from engine.book.record import unapproved

SIGNED = ("--by", "Bo", "--why", "read it", "--on", "2026-01-31")


def test_clauses_are_approved_with_their_digest(raw):
    said = raw("approve", "HB-1.1", "rope", "HB-1.2", *SIGNED)
    assert said.status == 0
    assert said.lines[:3] == [
        "HB-1.1 Strength of a rope: approved",
        "HB-1.2 The toll: approved",
        "  written to spec/harbour/approved.toml",
    ]
    book = load_book(raw.book)
    assert set(book.approvals) == {"HB-1.1", "HB-1.2"}
    approval = book.approvals["HB-1.1"]
    assert approval.digest == part_digest(book.clauses["HB-1.1"])
    assert (approval.by, approval.why, str(approval.on)) == ("Bo", "read it", "2026-01-31")
    assert raw.text("approved.toml").splitlines()[approval.place.line - 1].startswith('"HB-1.1"')


def test_an_edited_clause_is_approved_anew_and_others_stay(raw):
    raw("approve", "HB-1.1", "HB-1.2", *SIGNED)
    raw.edit("01-ropes.md", "A third of the level", "Half of the level")
    said = raw("approve", "HB-1.1", "HB-1.2", "--by", "An", "--why", "mended")
    assert said.lines[:2] == ["HB-1.1 Strength of a rope: was approved already", "HB-1.2 The toll: approved"]
    book = load_book(raw.book)
    assert [book.approvals[c].by for c in ("HB-1.1", "HB-1.2")] == ["Bo", "An"]
    assert book.approvals["HB-1.2"].digest == part_digest(book.clauses["HB-1.2"])


def test_questions_properties_and_inputs_are_approved_too(raw):
    said = raw("approve", "HB-Q01", "hb-p1", "HB-input-level", "HB-profile-kind", "HB-passages", *SIGNED)
    assert said.status == 0
    assert said.lines[2] == "HB-input-level Level: approved"
    book = load_book(raw.book)
    assert list(book.approvals) == ["HB-Q01", "HB-P1", "HB-input-level", "HB-profile-kind", "HB-passages"]
    assert "Approved: by Bo on 2026-01-31: read it" in raw("explain", "HB-Q01").lines
    assert "Approved: by Bo on 2026-01-31: read it" in raw("explain", "HB-P1").lines
    assert raw("explain", "HB-input-level").lines == [
        "HB-input-level  Level",
        "Cảng biển [red]",
        "spec/harbour/book.toml:7",
        "",
        "  level: 1..20",
        "  label: Level",
        "",
        "Approved: by Bo on 2026-01-31: read it",
    ]
    raw.edit("book.toml", '"1..20", label', '"1..30", label')
    assert "Approved: changed since Bo approved it on 2026-01-31" in raw("explain", "HB-input-level").lines
    assert (
        "Bo approved HB-Q01, HB-P1, HB-input-level, HB-profile-kind, HB-passages" in raw("log", "HB-passages").squeezed
    )


def test_many_are_approved_by_a_pattern(raw):
    raw("approve", "HB-input-port", *SIGNED)
    said = raw("approve", "hb-input-p*", "HB-Q*", *SIGNED)
    assert said.status == 0
    assert list(load_book(raw.book).approvals) == ["HB-input-port", "HB-input-pool", *load_book(raw.book).questions]
    assert "HB-input-port" not in said.out
    said = raw("approve", "HB-Q*", *SIGNED)
    assert said.lines[0] == "harbour: every part was approved already"


def test_a_whole_book_is_approved_at_once(raw):
    assert raw("approve", "--all-of", "harbour", *SIGNED).status == 0
    book = load_book(raw.book)
    assert set(book.approvals) == set(bound_parts(book))
    assert not unapproved(book)


def test_bad_names_are_refused_and_nothing_is_written(raw):
    assert raw.bad("approve", "HB-1.1", "HB-Q09", *SIGNED).startswith("raw approve: harbour has no HB-Q09; did you")
    assert raw.bad("approve", "HB-input-levl", *SIGNED).startswith(
        "raw approve: harbour has no HB-input-levl; did you mean HB-input-level"
    )
    assert raw.bad("approve", "HB-9.*", *SIGNED).startswith("raw approve: harbour has nothing like HB-9.*; ids look")
    assert raw.bad("approve", "HB-1.1", "HB-1.10", *SIGNED).startswith("raw approve: harbour has no HB-1.10; did you")
    assert raw.bad("approve", *SIGNED) == "raw approve: nothing to approve; name parts, or --all-of SYSTEM"
    assert raw.bad("approve", "HB-1.1", "--by", "", "--why", "x") == (
        "raw approve: --by is empty; give the name of who decides"
    )
    assert not (raw.book / "approved.toml").exists()
