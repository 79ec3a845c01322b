"""`pytest conformance`, as an operator types it."""

import json
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from conformance.results import read_results
from tests.conformance.shelf import HOME, SOURCES, Shelf


def test_it_ends_with_counts_by_status(shelf: Shelf):
    done = shelf.pytest("--sources", str(SOURCES))
    assert done.returncode == 0
    assert done.stderr == ""
    tail = done.stdout.splitlines()[-5:]
    assert tail[0].strip("= ") == "conformance"
    assert tail[1] == "lanterns  72 items: 1 broken, 3 open, 68 conforms"
    assert tail[2] == "suite     2 items: 2 conforms"
    assert tail[3] == "in all    74 items: 1 broken, 3 open, 70 conforms"
    assert re.fullmatch(r"70 passed, 4 xfailed in [\d.]+s", tail[4])


def test_open_questions_and_known_defects_are_strict_xfails(shelf: Shelf):
    done = shelf.pytest("-rx")
    xfails = re.findall(r"^XFAIL conformance/lanterns::(\S+)", done.stdout, re.MULTILINE)
    assert xfails == ["LAN-Q01", "LAN-Q02", "LAN-Q03", "LAN-P2"]


def test_a_chapter_runs_alone(shelf: Shelf):
    done = shelf.pytest("-k", "LAN-1.2", "-vv")
    names = re.findall(r"^conformance/lanterns::(.*?) (?:<- .* )?PASSED", done.stdout, re.MULTILINE)
    assert names == [
        "LAN-1.2[oil=4]",
        "LAN-1.2[oil=0]",
        "LAN-1.2[oil=1]",
        "LAN-1.2[one measure rounded down]",
        "LAN-1.2[thresholds]",
        "LAN-1.2[approval]",
    ]


def test_one_item_runs_by_its_node_id(shelf: Shelf):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", f"--books={shelf.folder}"]
    done = subprocess.run(
        [*command, "conformance/lanterns::LAN-1.1[level=3]"], cwd=HOME, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "lanterns  1 item: 1 conforms" in done.stdout


def test_a_selection_still_writes_results_and_says_what_ran(shelf: Shelf, tmp_path: Path):
    file = tmp_path / "results.jsonl"
    shelf.pytest("-k", "LAN-1.1", "--results", str(file))
    results = read_results(file)
    assert [item.clause for item in results.items] == ["LAN-1.1"] * 5
    assert results.header.options["selection"] == "-k LAN-1.1: 5 of 64 items"


def test_a_run_that_stops_early_says_so(shelf: Shelf, tmp_path: Path):
    file = tmp_path / "results.jsonl"
    shelf.edit("01-light.md", "{level: 3, is: 4, example: 3", "{level: 3, is: 5, example: 3")
    done = shelf.pytest("-x", "--results", str(file))
    assert done.returncode == 1
    assert read_results(file).header.options["selection"] == "stopped early: 1 of 64 items"


@pytest.mark.parametrize("option", ["--results", "--summary", "--junitxml"])
def test_a_file_that_cannot_be_written_is_one_line(shelf: Shelf, option: str):
    done = shelf.pytest("-k", "LAN-1.1", option, "/proc/no/such")
    assert done.returncode == 2
    assert "/proc/no/such:1: cannot be written" in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert "InputError" not in done.stdout + done.stderr


def test_a_failure_is_shown_in_words(shelf: Shelf):
    shelf.edit("01-light.md", "{level: 3, is: 4, example: 3", "{level: 3, is: 5, example: 3")
    done = shelf.pytest()
    assert done.returncode == 1
    assert "LAN-1.1 Radius of light" in done.stdout
    assert "expected  5" in done.stdout
    assert "blamed    the rule book" in done.stdout
    assert "Traceback" not in done.stdout
    assert ".py:" not in done.stdout
    assert "FAILED conformance/lanterns::LAN-1.1[level=3] - expected 5, got 4" in done.stdout


def test_a_text_that_decides_fails_and_says_what_to_record(shelf: Shelf):
    shelf.edit("01-light.md", "round(oil / 2, Q01)", 'round(oil / 2, "half-up")')
    done = shelf.pytest("-k", "LAN-Q01")
    assert done.returncode == 1
    assert "the text now decides LAN-Q01: 2 under every reading" in done.stdout
    assert "raw rule LAN-Q01 half-up --by NAME --why TEXT" in done.stdout
    assert "XPASS" not in done.stdout


def test_a_question_that_raises_something_else_fails(shelf: Shelf):
    shelf.edit("questions.md", "ask: goes_out\ngiven: {die: 3, weather: storm}", "ask: burnt\ngiven: {oil: 3}")
    done = shelf.pytest("-k", "LAN-Q02")
    assert done.returncode == 1
    assert "FAILED conformance/lanterns::LAN-Q02 - no evaluation of its witness consults Q02" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--system", "lamps"), "Exit: --system lamps: there is no such system; one of lanterns"),
        (("--reading", "Q01=up"), "Exit: --reading Q01=up: LAN-Q01 has no such reading; one of half-up, half-down"),
        (("--results", "spec"), "Exit: --results spec: that is a folder; name a file"),
        (("--summary", "LICENSE/x"), "Exit: --summary LICENSE/x: "),
    ],
)
def test_a_bad_option_is_one_line_and_exit_status_2(shelf: Shelf, arguments: tuple[str, ...], line: str):
    done = shelf.pytest(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1


def test_an_unknown_option_is_pytests_usage_error(shelf: Shelf):
    done = shelf.pytest("--sytem", "lanterns")
    assert done.returncode == 4
    assert "unrecognized arguments: --sytem" in done.stderr


def test_a_bad_book_is_one_line_and_exit_status_2(shelf: Shelf):
    shelf.edit("01-light.md", "define: radius(level) = 2 + (level - 1)", "define: radius(level) = 2 + (levle - 1)")
    done = shelf.pytest()
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"Exit: \S*lanterns/01-light\.md:\d+: .*levle.*\n", done.stderr)


def test_a_folder_without_books_is_bad_input(tmp_path: Path, shelf: Shelf):
    (tmp_path / "empty").mkdir()
    shelf.folder = tmp_path / "empty"
    done = shelf.pytest()
    assert done.returncode == 2
    assert "no rule book" in done.stderr


def test_help_lists_the_options_even_of_a_bad_book(shelf: Shelf):
    (shelf.book / "book.toml").write_text("broken", encoding="utf-8")
    done = shelf.pytest("--help")
    assert done.returncode == 0
    assert "--proposal=NAME" in done.stdout


def test_junit_and_markdown_come_from_the_same_results(shelf: Shelf, tmp_path: Path):
    files = {name: tmp_path / name for name in ("results.jsonl", "summary.md", "junit.xml")}
    shelf.pytest(
        "--results",
        str(files["results.jsonl"]),
        "--summary",
        str(files["summary.md"]),
        "--junitxml",
        str(files["junit.xml"]),
    )
    results = read_results(files["results.jsonl"])
    suites = ET.parse(files["junit.xml"]).getroot()  # noqa: S314
    assert sum(int(suite.attrib["tests"]) for suite in suites) == len(results.items)
    assert list(suites.iter("skipped")) == []
    statuses = [p.attrib["value"] for case in suites.iter("testcase") for p in case.iter("property")]
    assert {s: statuses.count(s) for s in set(statuses)} == dict(results.footer.by_status)
    assert f"| {len(results.items)} " in files["summary.md"].read_text(encoding="utf-8")


def test_collecting_alone_runs_nothing(shelf: Shelf):
    done = shelf.pytest("--collect-only")
    assert "conformance/lanterns::LAN-Q03\n" in done.stdout
    assert "items:" not in done.stdout


def test_an_engine_under_test_is_ended_with_the_session(shelf: Shelf):
    engine = Path(__file__).with_name("engines.py")
    done = shelf.pytest("--engine", shlex.join([sys.executable, str(engine), "ones"]), "-k", "LAN-1.3 and wind")
    assert "lanterns  1 item: 1 conforms" in done.stdout
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(engine) not in running


def test_tests_of_the_code_do_not_open_the_books(shelf: Shelf):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--books",
            "nowhere",
            "tests/engine/test_dice.py",
        ],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0


def test_results_do_not_depend_on_the_hash_seed(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    written = []
    for seed in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        file = tmp_path / f"{seed}.jsonl"
        shelf.pytest("--results", str(file))
        written.append(file.read_bytes())
    assert written[0] == written[1]
    assert json.loads(written[0].splitlines()[-1])["items"] == 64


LOOSE = """
import pytest

@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.name == "LAN-1.1[level=3]":
            item.add_marker(pytest.mark.xfail(reason="later"))
"""
PASSED = """
import pytest

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    report.outcome = "passed"
    return report
"""
DEAF = """
import pytest

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if hasattr(report, "wasxfail"):
        del report.wasxfail
        report.outcome = "passed"
    return report
"""


@pytest.mark.parametrize(
    ("plugin", "item", "message"),
    [
        (LOOSE, "LAN-1.1[level=3]", "judged deviates, but pytest reports skipped"),
        (PASSED, "LAN-1.1[level=3]", "judged deviates, but pytest reports passed"),
        (DEAF, "LAN-Q01", "judged open, but pytest reports passed"),
    ],
)
def test_another_plugin_cannot_turn_a_finding_into_a_pass(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plugin: str, item: str, message: str
):
    shelf.edit("01-light.md", "2 + (level - 1)", "1 + (level - 1)")
    (tmp_path / "softener.py").write_text(plugin, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    file = tmp_path / "run.jsonl"
    done = shelf.pytest("-p", "softener", "--results", str(file))
    assert done.returncode == 1
    assert f"FAILED conformance/lanterns::{item} - {message}" in done.stdout
    (found,) = [one for one in read_results(file).items if one.id == item]
    assert (found.status, found.message) == ("errored", message)
    assert found.remedy == "Report this: the suite and pytest disagree."
