"""The whole suite, shared among processes: the same results as `suite.run`, in less time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pydantic import TypeAdapter

from conformance.items import collect
from conformance.options import Options, open_engines
from conformance.results import Item, Results
from conformance.suite import header, run
from engine.readings import Engine

FEWEST = 1500  # items below which a second process costs more than it saves
HOME = Path(__file__).resolve().parents[1]


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
    judged: dict[int, Item] = {}

    def take(share: int) -> None:
        for at, line in zip(range(share, number, processes), _share(options, share, processes), strict=True):
            judged[at] = Item.model_validate_json(line)
            if progress is not None:
                progress(len(judged), number)

    with ThreadPoolExecutor(processes) as pool:
        for done in [pool.submit(take, share) for share in range(processes)]:
            done.result()
    return Results(header=header(engines, options), items=tuple(judged[at] for at in range(number)))


def _share(options: Options, share: int, of: int) -> Iterator[str]:
    """The lines that a process of its own prints: each so-maniest item, as the heavy ones stand side by side."""
    # A process that is forked would share whatever threads hold just then: each starts afresh.
    warnings = [f"-W{action}" for action in sys.warnoptions]
    command = [sys.executable, *warnings, "-m", "conformance.shares", _written(options), str(share), str(of)]
    paths = [str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", env=environment) as process:
        assert process.stdout is not None
        yield from process.stdout
    if process.returncode:
        raise RuntimeError(f"a part of the suite ended with status {process.returncode}: what it said stands above")


def _written(options: Options) -> str:
    return TypeAdapter(Options).dump_json(options).decode()


def main(arguments: Sequence[str]) -> None:
    """Judges a share of the items, and prints each on a line of its own."""
    options, share, of = TypeAdapter(Options).validate_json(arguments[0]), int(arguments[1]), int(arguments[2])
    for check in collect(open_engines(options), options)[share::of]:
        sys.stdout.write(check.judge().model_dump_json() + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
