"""The project's CHANGELOG.md: a line for each change of the rules."""

from __future__ import annotations

import textwrap
from pathlib import Path

NAME = "CHANGELOG.md"
WIDTH = 120
UNRELEASED = "## Unreleased"
RULES = "### Rules"


def changelog_of(folder: Path) -> Path | None:
    """The nearest CHANGELOG.md above `folder`, not beyond the repository that holds it; None where there is none."""
    for parent in folder.resolve().parents:
        if (parent / NAME).is_file():
            return parent / NAME
        if (parent / ".git").exists():
            break
    return None


def with_line(text: str, line: str) -> str:
    """The text with one more entry among the unreleased changes of rules; everything else stays as it is."""
    entry = textwrap.wrap(f"- {line}", WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    lines = text.rstrip("\n").split("\n")
    if UNRELEASED not in lines:
        first = next((i for i, each in enumerate(lines) if each.startswith("## ")), len(lines))
        section = [UNRELEASED, "", RULES, "", *entry]
        lines[first:first] = [*section, ""] if first < len(lines) else ["", *section]
        return "\n".join(lines) + "\n"
    begin = lines.index(UNRELEASED) + 1
    end = next((i for i in range(begin, len(lines)) if lines[i].startswith("## ")), len(lines))
    if RULES in lines[begin:end]:
        begin = lines.index(RULES, begin, end) + 1
        end = next((i for i in range(begin, end) if lines[i].startswith("#")), end)
    else:
        entry = [RULES, "", *entry]
    while end > begin and not lines[end - 1].strip():
        end -= 1
    lines[end:end] = ["", *entry] if lines[end - 1].startswith("#") or entry[0] == RULES else entry
    return "\n".join(lines) + "\n"
