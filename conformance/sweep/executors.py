"""Where cells are solved: here, in processes of this machine, or by a Dask scheduler. The results are the same."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
from collections.abc import Sequence
from typing import Any, Protocol

from conformance.sweep.cells import Cell, Progress
from engine.book.model import Book
from engine.duel.kits import make_duel
from engine.duel.solve import Solved, solve_duel
from engine.errors import BoundError, CallError, InputError
from engine.readings import Engine

FEW = 12  # cells that are solved sooner than processes start
CHUNKS = 4  # for each worker: enough to level out, few enough to be worth the way

Outcome = Solved | InputError


class Executor(Protocol):
    """Solves cells in their order."""

    def solve(self, engine: Engine, cells: Sequence[Cell], progress: Progress) -> list[Outcome]:
        """What comes of each cell; an error where a cell has no solution."""


def solve_cells(book: Book, cells: Sequence[Cell]) -> list[Outcome]:
    """What comes of each cell. The one function that every executor calls."""
    engine = Engine(book)
    return [_solve(engine, cell) for cell in cells]


def _solve(engine: Engine, cell: Cell) -> Outcome:
    try:
        return solve_duel(engine, make_duel(engine, cell.readings, cell.given), cell.readings)
    except InputError as error:
        return error


class Local:
    """Processes of this machine; a few cells are solved at once where we are."""

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or os.cpu_count() or 1

    def solve(self, engine: Engine, cells: Sequence[Cell], progress: Progress) -> list[Outcome]:
        """What comes of each cell."""
        if self._workers == 1 or len(cells) <= FEW:
            found: list[Outcome] = []
            for cell in cells:
                found.append(_solve(engine, cell))
                progress(len(found), len(cells))
            return found
        # Not forked: numba and the libraries below it keep threads.
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(self._workers, mp_context=context) as pool:
            return _gather(lambda chunk: pool.submit(solve_cells, engine.book, chunk), cells, self._workers, progress)


class Dask:
    """Workers of a Dask scheduler at an address such as tcp://10.0.0.1:8786."""

    def __init__(self, address: str, *, timeout: int = 10) -> None:
        self._address = address
        self._timeout = timeout

    def solve(self, engine: Engine, cells: Sequence[Cell], progress: Progress) -> list[Outcome]:
        """What comes of each cell. Raises `CallError` where no scheduler or worker answers."""
        try:
            from distributed import Client
        except ImportError:
            raise CallError("Dask is not installed", "install the extra `dask`, or leave out --scheduler") from None
        try:
            # Half typed: its calls are taken as they come.
            make: Any = Client
            client: Any = make(self._address, timeout=self._timeout)
        except (OSError, ValueError, TimeoutError) as error:
            raise CallError(
                f"no scheduler at {self._address[:80]}", f"start one there ({type(error).__name__})"
            ) from None
        with client:
            workers = len(client.scheduler_info()["workers"])
            if not workers:
                raise CallError(
                    f"the scheduler at {self._address[:80]} has no worker", "start one: dask worker ADDRESS"
                )
            held = client.scatter(engine.book, broadcast=True)
            return _gather(lambda chunk: client.submit(solve_cells, held, chunk, pure=False), cells, workers, progress)


def executor(scheduler: str | None = None, workers: int | None = None) -> Executor:
    """The executor that the options name."""
    if workers is not None and not 1 <= workers <= 256:
        raise BoundError(f"{workers} workers", "1 to 256")
    return Dask(scheduler) if scheduler else Local(workers)


def _gather(submit: Any, cells: Sequence[Cell], workers: int, progress: Progress) -> list[Outcome]:
    """Cells by chunks, in their order, with progress as chunks come in."""
    size = max(1, -(-len(cells) // (workers * CHUNKS)))
    futures = [(submit(cells[at : at + size]), min(size, len(cells) - at)) for at in range(0, len(cells), size)]
    found: list[Outcome] = []
    for future, count in futures:
        found += future.result()
        progress(len(found), len(cells))
        assert count <= size
    return found
