"""`raw report` hands its options on and says where the report lies."""

from pathlib import Path

import pytest

from conformance.options import Options
from conformance.results import Header, Results, write_results


@pytest.fixture
def built(monkeypatch):
    """A builder that only notes what it was asked for."""
    calls = []

    def build(books, out, chosen, **options):
        progress = options.pop("progress")
        progress("reading [red]books[/red]", 0, 1)
        progress("reading [red]books[/red]", 1, 1)
        calls.append((books, out, chosen, options))
        write_results(Results(header=Header(engine="built-in", books=(), options={}), items=()), out / "results.jsonl")
        return out / "index.html"

    import conformance.report.build

    monkeypatch.setattr(conformance.report.build, "build", build)
    return calls


def test_the_report_is_built_from_the_books_at_hand(raw, built):
    options = ("--system", "harbour", "--sources", "texts", "--reading", "HB-Q01=half-up", "--profile", "kind")
    said = raw("report", *options, "--fresh")
    assert said.status == 0
    assert said.lines[-1].startswith("Report: report/index.html  (made in ")
    assert said.err == "  reading [red]books[/red]\n"
    assert built == [
        (
            Path("spec"),
            Path("report"),
            Options(systems=("harbour",), sources=Path("texts"), readings=("HB-Q01=half-up",), profile="kind"),
            {"results": None, "fresh": True},
        )
    ]


def test_a_single_book_is_built_alone(raw, built):
    raw("report", "--books", "spec/harbour", "--out", "site")
    ((books, out, options, _),) = built
    assert (books.name, out, options.systems) == ("spec", Path("site"), ("harbour",))


def test_results_that_are_cut_short_are_refused(raw, built):
    (raw.folder / "r.jsonl").write_text("{}\n")
    assert raw.bad("report", "--results", "r.jsonl") == (
        "r.jsonl:1: the results file is cut short; run `pytest conformance --results FILE` again"
    )
    assert built == []
