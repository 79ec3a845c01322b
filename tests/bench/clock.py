"""Timing: the best of several rounds, since noise only ever adds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    work: str
    measured: str
    budget: str
    kept: bool | None  # None: nothing to compare with on this machine


def seconds(work: Callable[[], object], *, rounds: int = 5, calls: int = 1) -> float:
    """Seconds that one call takes: the best of `rounds`, each of `calls` calls."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            work()
        best = min(best, time.perf_counter() - start)
    return best / calls
