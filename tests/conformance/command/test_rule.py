"""`raw rule`: a ruling is recorded once, whole, with who and why."""

import subprocess
import sys
import tomllib

import pytest

from engine.book.load import load_book


def test_a_ruling_is_written_and_says_what_to_run(raw):
    said = raw("rule", "HB-Q01", "half-up", "--by", "Bình", "--why", 'a "custom" \\ of the table', "--on", "2026-01-31")
    assert said.status == 0
    assert "  ruled: half-up, a half becomes the next whole number" in said.lines
    assert said.lines[-1] == "Next: pytest conformance --system harbour"
    ruling = load_book(raw.book).rulings["HB-Q01"]
    assert (ruling.reading, ruling.by, str(ruling.on)) == ("half-up", "Bình", "2026-01-31")
    assert ruling.why == 'a "custom" \\ of the table'
    assert raw.text("rulings.toml").splitlines()[ruling.place.line - 1] == '[rulings."HB-Q01"]'


def test_comments_in_the_file_stay(raw):
    raw("rule", "HB-Q01", "half-up", "--by", "Bo", "--why", "custom")
    (raw.book / "rulings.toml").write_text(raw.text("rulings.toml") + "# a word of ours\n")
    raw("rule", "HB-Q03", "from", "--by", "Bo", "--why", "custom")
    assert "# a word of ours\n" in raw.text("rulings.toml")
    assert set(load_book(raw.book).rulings) == {"HB-Q01", "HB-Q03"}


def test_a_ruling_that_stands_is_replaced_only_on_purpose_and_is_remembered(raw):
    raw("rule", "HB-Q01", "half-up", "--by", "Bo", "--why", "custom", "--on", "2026-01-31")
    again = ("rule", "HB-Q01", "half-down", "--by", "An", "--why", "fairer", "--on", "2026-02-01")
    assert raw.bad(*again) == (
        "raw rule: HB-Q01 is ruled already: half-up, by Bo on 2026-01-31 (custom); add --instead to replace that ruling"
    )
    assert raw(*again, "--instead").status == 0
    assert load_book(raw.book).rulings["HB-Q01"].reading == "half-down"
    assert "# until 2026-02-01: half-up, by Bo on 2026-01-31: custom" in raw.text("rulings.toml")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["HB-Q01", "half"], 'raw rule: HB-Q01 has no reading "half"; did you mean half-up or half-down?'),
        (["HB-Q09", "x"], "raw rule: harbour has no HB-Q09; did you mean HB-Q03 or HB-Q02 or HB-Q01?"),
        (["HB-1.1", "x"], "raw rule: HB-1.1 is no question; HB-Q01 is the form of a question's id"),
        (["HB-Q02", "x"], "raw rule: HB-Q02 has no readings to choose from; write them into questions.md first"),
        (["HB-Q01", "half-up", "--on", "tomorrow"], 'raw rule: --on "tomorrow" is no day; write it like 2026-01-31'),
        (["HB-Q01", "half-up", "--by", "  "], "raw rule: --by is empty; give the name of who decides"),
        (["HB-Q01", "half-up", "--why", "\n"], "raw rule: --why is empty; give the reason"),
        (["HB-Q01", "half-up", "--why", "a\x1b[2J"], "raw rule: --why is no plain line of text; printable characters, at most 2000"),  # noqa: E501
    ],
)  # fmt: skip
def test_bad_input_is_refused_and_nothing_written(raw, arguments, line):
    defaults = [] if "--by" in arguments else ["--by", "Bo"]
    defaults += [] if "--why" in arguments else ["--why", "custom"]
    assert raw.bad("rule", *arguments, *defaults) == line
    assert not (raw.book / "rulings.toml").exists()


def test_by_and_why_are_asked_for(raw):
    assert raw.bad("rule", "HB-Q01", "half-up", "--by", "Bo") == (
        "raw rule: missing option '--why'; see `raw rule --help`"
    )


def test_a_book_that_does_not_load_takes_no_ruling(raw):
    (raw.book / "rulings.toml").write_text("[rulings\n")
    line = raw.bad("rule", "HB-Q01", "half-up", "--by", "Bo", "--why", "custom")
    assert line.startswith("spec/harbour/rulings.toml:1: broken TOML")
    assert raw.text("rulings.toml") == "[rulings\n"


def test_of_operators_at_once_none_is_lost(raw):
    """Real processes, each with its own ruling, started together; then all rule one question."""
    choices = [("HB-Q01", "half-up"), ("HB-Q03", "above")] + [("HB-Q01", "half-up")] * 2
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "conformance.command", "rule", *choice, "--by", f"operator {i}", "--why", "custom"],
            cwd=raw.folder,
            stderr=subprocess.PIPE,
        )
        for i, choice in enumerate(choices)
    ]
    errors = [process.communicate(timeout=60)[1].decode() for process in running]
    statuses = [process.returncode for process in running]
    # Of three who rule the same question, one is first and the others are told so.
    assert sorted(statuses[i] for i in (0, 2, 3)) == [0, 2, 2], errors
    assert statuses[1] == 0
    assert sum("is ruled already" in error for error in errors) == 2
    assert set(tomllib.loads(raw.text("rulings.toml"))["rulings"]) == {"HB-Q01", "HB-Q03"}
    assert [file.name for file in raw.book.glob(".*")] == []
