"""The text of a part of a book as it was approved, found in the history of its file.

Git is asked for plain contents only, without a shell, and for a bounded time.
"""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from engine.book.bound import texts_in
from engine.book.digests import text_digest
from engine.book.markdown import MOST_BYTES, heading_lines

MOST_COMMITS = 200
SECONDS = 10.0


def approved_text(file: Path, part: str, digest: str) -> tuple[str, str]:
    """The text whose digest was approved, and why there is none: one of the two is empty."""
    # What was adopted need not be committed yet: its text lies with the proposal.
    for proposal in sorted(file.parent.glob("proposals/adopted/*.md")):
        text = _section(proposal.read_text(encoding="utf-8", errors="replace"), part)
        if text and text_digest(text) == digest:
            return text, ""
    commits, why = _commits(file.resolve())
    if why:
        return "", why
    for commit in commits:
        text = _part(file.name, _blob(file.resolve(), commit), part)
        if text and text_digest(text) == digest:
            return text, ""
    looked = f"{len(commits)} commit{'' if len(commits) == 1 else 's'} of {file.name}"
    return "", f"none of the {looked} holds the approved text"


@lru_cache(maxsize=64)
def _commits(file: Path) -> tuple[tuple[str, ...], str]:
    """The commits that changed a file, newest first, and why there are none."""
    try:
        done = _git(file.parent, "rev-list", f"--max-count={MOST_COMMITS}", "HEAD", "--", file.name)
    except FileNotFoundError:
        return (), "git is not installed here"
    except subprocess.TimeoutExpired:
        return (), f"git took more than {SECONDS:g} s"
    except OSError as error:
        return (), f"git cannot be run ({error.strerror})"
    if done.returncode:
        return (), "the book lies in no git repository with a history"
    found = tuple(done.stdout.decode("ascii", "replace").split())
    return found, "" if found else f"{file.name} was never committed"


@lru_cache(maxsize=256)
def _blob(file: Path, commit: str) -> str:
    """The file as it stood in a commit; nothing where it cannot be read."""
    try:
        done = _git(file.parent, "cat-file", "blob", f"{commit}:./{file.name}")
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode or len(done.stdout) > MOST_BYTES else done.stdout.decode("utf-8", "replace")


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    # What a caller's environment points git at is another repository than the one that holds the book.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "--no-optional-locks", "--no-replace-objects", "-c", "core.fsmonitor=false", *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env={**kept, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=SECONDS,
    )


def _part(file: str, text: str, part: str) -> str:
    """What a file said of a part, as digests see it; nothing where it said nothing."""
    if not file.endswith(".toml"):
        return _section(text, part)
    return _declared(file, text, part.partition("-")[0]).get(part, "")


@lru_cache(maxsize=256)
def _declared(file: str, text: str, prefix: str) -> dict[str, str]:
    try:
        return texts_in(file, tomllib.loads(text, parse_float=str), prefix)
    except tomllib.TOMLDecodeError:
        return {}


def _section(page: str, part: str) -> str:
    """The section of a part as digests see it; nothing where the page has none."""
    if not re.search(rf"^### +{re.escape(part)}\s", page, re.MULTILINE):
        return ""
    lines = page.split("\n")
    return next((text for id_, text in _sections(lines, heading_lines(page)) if id_ == part), "")


def _sections(lines: list[str], headings: list[int]) -> Iterator[tuple[str, str]]:
    for first, last in zip(headings, [*headings[1:], len(lines)], strict=True):
        words = lines[first].lstrip("#").split()
        yield words[0] if words else "", "\n".join(line.rstrip() for line in lines[first:last]).strip("\n").strip()
