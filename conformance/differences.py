"""Two texts beside each other, for people."""

from __future__ import annotations

import difflib

MOST_LINES = 400


def difference(before: str, after: str, *, names: tuple[str, str] | None = None) -> tuple[str, ...]:
    """The lines of a unified difference, three unchanged lines around each change; bounded.

    `names` are what the two texts are called in its first two lines; without them it begins with the first change.
    """
    old, new = before.splitlines(), after.splitlines()
    lines = list(difflib.unified_diff(old, new, *(names or ("", "")), lineterm="", n=3))[0 if names else 2 :]
    more = [f"… and {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    return (*lines[:MOST_LINES], *more)
