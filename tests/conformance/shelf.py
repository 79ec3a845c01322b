"""A copy of the good book that a test may spoil, and runs of the suite over it."""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
import sys
from pathlib import Path

from conformance.options import Options, open_engines
from conformance.results import Item, Results
from conformance.suite import run

TESTS = Path(__file__).resolve().parent.parent
HOME = TESTS.parent
GOOD = TESTS / "books" / "good"
SOURCES = TESTS / "books" / "sources"

CLAUSE = """
### LAN-2.{number} {name}

A rule of several steps.

```yaml
source: [4]
procedure: {name}
cases:
  - {case}
```
"""
PROCEDURES = {
    "burn": "{lamp: {oil: 4, level: 2}, draught: none, rolls: [3], is: {oil: 2}}",
    "overfill": "{lamp: {oil: 1, level: 2}, is: {oil: 1}}",
    "crash": "{oil: 1, is: 0}",
    "cheat": "{oil: 1, is: 0}",
    "refuse": "{oil: 1, is: 0}",
    "roll_for_ever": "{rolls: [1], is: 0}",
    "roll_many": "{rolls: [1], is: 0}",
    "spark": "{rolls: [3], is: 3, under: {Q04: one}}",
    "every_kind": "{flame: 1d4, weather: calm, free: whale, number: 1, share: 1/2, exact: 2, pair: [1, true],"
    " lamps: [], spare: null, is: []}",
}
SPARKS = """
### LAN-Q04 How many dice does a spark take?

The text names the die and not how many.

```yaml
source: [9]
readings:
  - {id: one, says: a single die, gives: 3}
  - {id: two, says: two dice, gives: 7}
ask: spark
rolls: {one: [3], two: [3, 4]}
```
"""


class Shelf:
    """A folder of books; `lanterns` lies there to begin with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.book = folder / "lanterns"
        shutil.copytree(GOOD / "lanterns", self.book)

    def edit(self, file: str, old: str, new: str) -> None:
        """Replaces what stands exactly once in a file of the book."""
        path = self.book / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def add(self, file: str, text: str) -> None:
        """Adds to the end of a file of the book."""
        path = self.book / file
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(before + text, encoding="utf-8")

    def run(self, **options: object) -> Results:
        """The whole suite, without pytest."""
        chosen = dataclasses.replace(Options(books=self.folder), **options)  # type: ignore[arg-type]
        return run(open_engines(chosen), chosen)

    def item(self, item_id: str, **options: object) -> Item:
        """One item of the suite."""
        return next(item for item in self.run(**options).items if item.id == item_id)

    def failing(self, **options: object) -> dict[str, str]:
        """The items that fail, with their statuses; approvals aside, which every edit upsets."""
        results = self.run(**options)
        return {
            item.id: item.status
            for item in results.items
            if item.status in ("deviates", "errored", "missing") and item.what != "approval"
        }

    def pytest(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """`pytest conformance` on this folder, as an operator types it."""
        command = [sys.executable, "-W", "error", "-m", "pytest", "conformance", "-p", "no:cacheprovider", "-q"]
        return subprocess.run(
            [*command, "--books", str(self.folder), *arguments],
            cwd=HOME,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            env={**os.environ, "COLUMNS": "200"},  # else pytest cuts what it says to the terminal's width
        )
