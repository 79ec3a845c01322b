"""`pytest conformance` with 3,000 items, beside 3,000 bare parametrised asserts; and its growth."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from engine.book.load import load_book
from tests.bench.books import write_large
from tests.bench.clock import Row, seconds

BARE = """
import pytest

@pytest.mark.parametrize("n", list(range({count})))
def test_case(n):
    assert n * 2 == n + n
"""
ROOT = Path(__file__).resolve().parents[2]


def rows() -> list[Row]:
    """Whole processes, from start to end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare = folder / "test_bare.py"
        bare.write_text(BARE.format(count=3000), encoding="utf-8")
        bare_time = seconds(lambda: _pytest(bare, "-p", "no:cacheprovider"), rounds=2)
        times = {}
        for cases in (14, 28, 56):
            (folder / str(cases)).mkdir()
            books = write_large(folder / str(cases), 50, cases).parent
            run = partial(_pytest, ROOT / "conformance", "--books", books, "-k", "TT-1")
            times[50 * cases] = seconds(run, rounds=2)
        loads = {}
        for clauses in (125, 250, 500):
            (folder / f"c{clauses}").mkdir()
            book = write_large(folder / f"c{clauses}", clauses, 6)
            loads[clauses] = seconds(partial(load_book, book), rounds=3)
    full = times[2800]
    allowed = 2 * bare_time + 5
    return [
        Row(
            "pytest conformance, about 3,000 items",
            f"{full:.1f} s",
            f"≤ {allowed:.1f} s (2 × bare + 5 s)",
            full <= allowed,
        ),
        Row("  … growth from 700 to 1,400 to 2,800 cases", _steps(times), "linear", _linear(times)),
        Row("loading 500 clauses, 3,000 cases (four books)", f"{loads[500]:.2f} s", "< 1 s", loads[500] < 1),
        Row("  … growth from 125 to 250 to 500 clauses", _steps(loads), "linear", _linear(loads)),
    ]


def _steps(times: dict[int, float]) -> str:
    return ", ".join(f"{t:.2f} s" for t in times.values())


def _linear(times: dict[int, float]) -> bool:
    """Whether the second doubling costs no more than twice the first, with a third for noise."""
    small, middle, large = times.values()
    return large - middle <= 2 * max(middle - small, 0.05) * 4 / 3


def _pytest(*arguments: object) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if " passed" not in done.stdout:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
