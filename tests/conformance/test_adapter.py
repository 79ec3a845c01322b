"""Engines under test: whatever they do, a call ends."""

import os
import shlex
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from conformance.adapter import Patience, Remote, under_test
from conformance.asking import Reply
from tests.conformance.shelf import Shelf

ENGINES = Path(__file__).with_name("engines.py")
HASTE = Patience(first_answer=5, answer=0.4, goodbye=0.3, restarts=2)


def command(mode: str) -> str:
    return shlex.join([sys.executable, str(ENGINES), mode])


@pytest.fixture
def engine() -> Iterator[object]:
    started: list[Remote] = []

    def start(mode: str, patience: Patience = HASTE) -> Remote:
        started.append(Remote(command(mode), patience))
        return started[-1]

    yield start
    for remote in started:
        remote.close()


def ask(remote: Remote, **given: object) -> Reply:
    return remote.ask("lanterns", "radius", given, None, {})


def test_a_call_goes_out_and_a_value_comes_in(engine):
    remote = engine("echo")
    reply = remote.ask("lanterns", "burnt", {"oil": Fraction(75, 2)}, [3, 1], {"Q01": "half-up"})
    assert reply == Reply("value", {"call": "burnt", "given": {"oil": "75/2"}, "readings": {"Q01": "half-up"}})


def test_decimals_are_exact(engine):
    assert ask(engine("decimal")).value == ["75/2", 2, 100]


def test_what_is_not_played_is_unsupported(engine):
    assert ask(engine("unsupported")) == Reply("unsupported", text="no lamps here")


def test_an_error_is_its_own_words_in_one_line(engine):
    assert ask(engine("error")) == Reply("error", text="lamp fell")


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("banner", '"Lantern engine, ready." on stdout is no answer to call 1'),
        ("other-id", "is no answer to call 1"),
        ("true-id", "is no answer to call 1"),
        ("nan", "is no answer to call 1"),
        ("deep", "is no answer to call 1"),
        ("huge-number", "is no answer to call 1"),
        ("half-letter", "is no answer to call 1"),
        ("both", "answer 1 has 2 of value, unsupported, error"),
        ("noise", "an answer of more than 1000000 bytes"),
        ("dead", "the engine ended (exit status 1); its last words on stderr: no lamp oil"),
    ],
)
def test_garbage_is_an_error_that_says_what_came(engine, mode: str, said: str):
    reply = ask(engine(mode))
    assert reply.kind == "error"
    assert said in reply.text


def test_silence_ends(engine):
    began = time.monotonic()
    remote = engine("silent", Patience(first_answer=0.5, answer=0.3, goodbye=0.1, restarts=1))
    assert ask(remote).text == "no answer within 0.5 seconds"
    assert ask(remote).text.startswith("the engine was given up") is False
    assert time.monotonic() - began < 5


def test_an_engine_that_never_reads_cannot_block_us(engine):
    remote = engine("deaf", Patience(first_answer=0.5, answer=0.3, goodbye=0.1, restarts=1))
    reply = ask(remote, text="x" * 500_000)
    assert reply.text == "no answer within 0.5 seconds"


def test_much_on_stderr_does_not_block_it(engine):
    remote = engine("chatter")
    assert [ask(remote).value for _ in range(3)] == [1, 1, 1]


def test_after_a_crash_it_is_started_again(engine):
    remote = engine("crash")
    kinds = [ask(remote).kind for _ in range(4)]
    assert kinds == ["value", "error", "value", "error"]


def test_a_crash_is_told_with_its_last_words(engine):
    remote = engine("crash")
    ask(remote)
    assert ask(remote).text == "the engine ended (exit status 7); its last words on stderr: out of oil"


def test_it_is_not_started_for_ever(engine):
    remote = engine("dead")
    texts = [ask(remote).text for _ in range(6)]
    assert [text.startswith("the engine was given up after 3 starts") for text in texts] == [False] * 3 + [True] * 3


def test_it_ends_with_all_that_it_started():
    with under_test(command("family"), HASTE) as remote:
        assert remote is not None
        ask(remote)
        process = remote._process
        assert process is not None
        child = int(process.heard)
        assert alive(child)
    late = time.monotonic() + 5
    while alive(child) and time.monotonic() < late:
        time.sleep(0.02)
    assert not alive(child)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


def test_no_command_is_the_built_in_engine():
    with under_test("") as remote:
        assert remote is None


def test_the_suite_runs_cases_and_readings_against_it(shelf: Shelf):
    results = {item.id: item for item in shelf.run(engine=command("ones")).items}
    assert results["LAN-1.3[weather=wind]"].status == "conforms"
    wrong = results["LAN-1.1[level=3]"]
    assert (wrong.status, wrong.actual, wrong.blame) == ("deviates", "1", "engine under test")
    assert wrong.steps == ("LAN-1.1  radius(level = 3) = 4",)
    assert results["LAN-Q01[half-down]"].status == "conforms"
    assert results["LAN-Q01[half-up]"].status == "deviates"


def test_the_results_name_the_reading_that_it_took(shelf: Shelf):
    results = {item.id: item for item in shelf.run(engine=command("ones")).items}
    assert (results["LAN-Q01"].status, results["LAN-Q01"].detail["taken"]) == ("open", "half-down")
    assert (results["LAN-Q02"].status, results["LAN-Q02"].detail["taken"]) == ("deviates", "none")
    assert results["LAN-Q03"].detail["taken"] == "answers 1"


def test_properties_and_tables_stay_with_the_built_in_engine(shelf: Shelf):
    results = {item.id: item for item in shelf.run(engine=command("ones")).items}
    assert results["LAN-P1"].status == "conforms"
    assert results["LAN-P1"].detail["engine"] == "built-in"
    assert results["LAN-1.3[table]"].detail["engine"] == "built-in"


def test_a_rule_book_that_departs_from_its_own_case_is_blamed_first(shelf: Shelf):
    shelf.edit("01-light.md", "{level: 3, is: 4, example: 3", "{level: 3, is: 5, example: 3")
    item = next(i for i in shelf.run(engine=command("ones")).items if i.id == "LAN-1.1[level=3]")
    assert (item.status, item.blame) == ("deviates", "rule book")


def test_what_it_does_not_play_is_unsupported_and_fails_nothing(shelf: Shelf):
    results = shelf.run(engine=command("unsupported"))
    assert results.agrees
    assert results.footer.by_status["unsupported"] == 16 + 4
    assert {i.detail["taken"] for i in results.items if i.what == "question"} == {"unsupported"}


def test_an_engine_that_dies_leaves_errored_items(shelf: Shelf):
    results = shelf.run(engine=command("dead"))
    counts = results.footer.by_status
    assert counts["errored"] == 16 + 4 + 2  # of LAN-Q03 nothing can be expected
    assert results.header.engine == command("dead")
