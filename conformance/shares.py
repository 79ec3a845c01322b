"""The whole suite, shared among processes: the same results as `suite.run`, in less time."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache

from conformance.checks import Check
from conformance.items import collect
from conformance.options import Options, open_engines
from conformance.results import Item, Results
from conformance.suite import header, run
from engine.readings import Engine

FEWEST = 1500  # items below which a second process costs more than it saves
SHARES = 24


def run_shared(
    engines: Sequence[Engine], options: Options, processes: int, progress: Callable[[int, int], None] | None = None
) -> Results:
    """Judges every item of these books in so many processes.

    `engines` are those of `options`. Raises `InputError` for bad books and options. An engine under test is one
    program, and is asked by one process.
    """
    number = 0 if options.engine or processes < 2 else len(collect(engines, options))
    if number < FEWEST:
        return run(engines, options, progress)
    tell = progress or (lambda _done, _of: None)
    # Each process starts afresh: one that is forked would share whatever threads hold just then.
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        asked = {pool.submit(_judge, options, share): share for share in range(SHARES)}
        judged: dict[int, list[Item]] = {}
        tell(0, number)
        try:
            for done in as_completed(asked):
                judged[asked[done]] = done.result()
                tell(sum(map(len, judged.values())), number)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    items = tuple(judged[at % SHARES][at // SHARES] for at in range(number))
    return Results(header=header(engines, options), items=items)


def _judge(options: Options, share: int) -> list[Item]:
    """Every so-maniest item: heavy ones stand side by side, and are dealt out like this."""
    return [check.judge() for check in _checks(options)[share::SHARES]]


@lru_cache(maxsize=1)
def _checks(options: Options) -> tuple[Check, ...]:
    return collect(open_engines(options), options)
