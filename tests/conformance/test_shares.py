"""The suite in several processes gives the results of one."""

import pytest

from conformance import shares
from conformance.options import Options, open_engines
from conformance.suite import run
from tests.conformance.shelf import GOOD


def test_shared_among_processes_it_gives_the_same_results(monkeypatch, tmp_path):
    monkeypatch.setattr(shares, "FEWEST", 0)
    monkeypatch.chdir(tmp_path)  # wherever it is called
    options = Options(books=GOOD, readings=("LAN-Q01=half-up",))
    engines = open_engines(options)
    told = []
    shared = shares.run_shared(engines, options, 2, lambda done, of: told.append((done, of)))
    assert shared == run(engines, options)
    assert told[-1] == (len(shared.items), len(shared.items))


def test_a_part_that_dies_is_an_error(monkeypatch, capfd):
    monkeypatch.setattr(shares, "FEWEST", 0)
    monkeypatch.setattr(shares, "_written", lambda _: "{")
    options = Options(books=GOOD)
    with pytest.raises(RuntimeError, match="a part of the suite ended with status 1"):
        shares.run_shared(open_engines(options), options, 2)
    assert "Invalid JSON" in capfd.readouterr().err


def test_a_small_suite_stays_in_one_process(monkeypatch):
    monkeypatch.setattr(shares, "subprocess", None)
    options = Options(books=GOOD)
    assert shares.run_shared(open_engines(options), options, 2).agrees
