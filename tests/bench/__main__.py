"""Prints the table of budgets. Exit status 1 where one is not kept."""

from __future__ import annotations

import importlib
import platform
import sys

from rich.console import Console
from tabulate import tabulate

from tests.bench.clock import Row

ROOMS = ("definitions", "fights", "suite")


def main() -> int:
    """Measures room by room, then prints."""
    console = Console(stderr=True)
    rows: list[Row] = []
    for room in ROOMS:
        with console.status(f"measuring {room} …"):
            rows += importlib.import_module(f"tests.bench.{room}").rows()
    words = {True: "kept", False: "NOT KEPT", None: ""}
    table = [(row.work, row.measured, row.budget, words[row.kept]) for row in rows]
    print(f"Python {platform.python_version()}, {platform.machine()}\n")
    print(tabulate(table, ["work", "measured", "budget", ""], disable_numparse=True))
    return 1 if any(row.kept is False for row in rows) else 0


sys.exit(main())
