"""The example engine departs where it says so, and nowhere else."""

import re
import shutil

import pytest

from conformance.options import Options, open_engines
from conformance.results import Results
from conformance.suite import run
from tests.conformance.shelf import HOME

SCRIPT = HOME / "examples" / "engine.mjs"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


@pytest.fixture(scope="module")
def results() -> Results:
    options = Options(books=HOME / "spec", systems=("worlds_awakening",), engine=f'node "{SCRIPT}"')
    return run(open_engines(options), options)


def test_it_departs_in_the_one_place_that_it_names(results: Results):
    failing = {item.clause for item in results.items if item.status in ("deviates", "errored", "missing")}
    named = set(re.findall(r"WA-6\.\d+", SCRIPT.read_text(encoding="utf-8")))
    assert failing == named
    example = next(i for i in results.items if i.clause == "WA-6.9" and i.given == "distance = 13")
    assert (example.status, example.expected, example.actual) == ("deviates", "2", "3")
    assert example.blame == "engine under test"
    assert example.steps == ("WA-6.9  whole_fives(distance = 13) = 2",)


def test_the_readings_that_it_takes_are_found(results: Results):
    declared = dict(re.findall(r'^  (Q\d+): "([a-z0-9-]+)"', SCRIPT.read_text(encoding="utf-8"), re.MULTILINE))
    taken = {i.id.removeprefix("WA-"): i.detail["taken"] for i in results.items if i.what == "question"}
    assert len(declared) >= 9
    assert {question: taken[question] for question in declared} == declared


def test_it_plays_more_than_a_handful(results: Results):
    played = [i for i in results.items if i.what == "case" and i.status in ("conforms", "deviates")]
    assert len(played) >= 100
