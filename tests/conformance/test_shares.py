"""The suite in several processes gives the results of one."""

from conformance import shares
from conformance.options import Options, open_engines
from conformance.suite import run
from tests.conformance.shelf import GOOD


def test_shared_among_processes_it_gives_the_same_results(monkeypatch):
    monkeypatch.setattr(shares, "FEWEST", 0)
    options = Options(books=GOOD)
    engines = open_engines(options)
    told = []
    shared = shares.run_shared(engines, options, 2, lambda done, of: told.append((done, of)))
    assert shared == run(engines, options)
    assert told[0] == (0, len(shared.items))
    assert told[-1] == (len(shared.items), len(shared.items))
    assert sorted(told) == told


def test_a_small_suite_stays_in_one_process(monkeypatch):
    monkeypatch.setattr(shares, "ProcessPoolExecutor", None)
    options = Options(books=GOOD)
    engines = open_engines(options)
    assert shares.run_shared(engines, options, 2).agrees
