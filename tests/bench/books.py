"""Rule books of any size, for measuring: clauses and cases in the shape of real ones."""

from __future__ import annotations

from pathlib import Path

from tests.scratch import write_book

QUESTION = """
### TT-Q01 Which way does a half go?

Up, to the even number, or down.

```yaml
source: [1]
readings:
  - {id: half-up, says: up}
  - {id: half-even, says: to the even number}
  - {id: half-down, says: down}
witnesses:
  - {ask: chance_1, given: {A: 27, DEF: 20}, gives: {half-up: 68, half-even: 68, half-down: 67}}
  - {ask: chance_1, given: {A: 25, DEF: 20}, gives: {half-up: 63, half-even: 62, half-down: 62}}
```
"""
CLAUSE = """
### TT-1.{n} Chance number {n}

The chance is fifty percent, moved by half of the lead's share of the defence.

```yaml
source: [1]
define: chance_{n}(A, DEF) = clamp(round(50 + (A - DEF) / DEF * 50, Q01), 5, 95)
cases:
"""


def chance(attack: int, defence: int) -> int:
    """The clause's value by whole numbers alone; `attack` and `defence` never give a tie here."""
    return max(5, min(95, (200 * attack * 50 // defence + 100) // 200))


def write_large(parent: Path, clauses: int, cases: int) -> Path:
    """A book of `clauses` clauses with `cases` cases each."""
    parts = []
    for n in range(1, clauses + 1):
        lines = [f"  - {{A: {a}, DEF: 30, is: {chance(a, 30)}}}" for a in range(16, 16 + cases)]
        parts.append(CLAUSE.format(n=n) + "\n".join(lines) + "\n```\n")
    return write_book(parent, "\n".join(parts), questions=QUESTION, domains={"A": "1..400", "DEF": "1..400"})
