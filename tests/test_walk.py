"""The walk of docs/decide.md comes out as it is printed there: each command is run in a copy of the rule book.

`python -m tests.test_walk` prints the document with what its commands print now.

Only how long a run took is not compared. A whole run of the suite is counted, not made: its items, and how many of them
are open or known defects; that the rest conforms is for `pytest conformance` itself to say, and `raw adopt` runs it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from conformance.checks import KnownDefect
from conformance.items import collect
from conformance.options import Options
from engine.book.load import load_book
from engine.readings import Engine

HOME = Path(__file__).resolve().parent.parent
DOCUMENT = HOME / "docs" / "decide.md"
SYSTEM = "tu_chan_gioi"
WHOLE_RUN = re.compile(rf"pytest conformance -q --system {SYSTEM}(?: --proposal (?P<proposal>\S+))? \| tail -2")
SECONDS = re.compile(r"in [\d.]+s$")
ROOMS = ("conformance", "engine", "conftest.py", "pyproject.toml", "CHANGELOG.md", f"spec/{SYSTEM}")


@dataclass(frozen=True)
class Step:
    """A command of the document, and the lines that it prints."""

    line: int
    command: str
    printed: tuple[str, ...]


def steps(text: str) -> list[Step]:
    """The commands of a document, in their order: indented lines that begin with `$`, and what is indented below."""
    found: list[Step] = []
    printed: list[str] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("    $ "):
            printed = []
            found.append(Step(number, line.removeprefix("    $ "), ()))
        elif line.startswith("    ") or not line.strip():
            if printed is not None:
                printed.append(line[4:].rstrip())
        else:
            printed = None
        if printed is not None:
            found[-1] = Step(found[-1].line, found[-1].command, bare(printed))
    return found


def bare(lines: list[str]) -> tuple[str, ...]:
    """The lines without blank ones at their end."""
    return tuple("\n".join(lines).rstrip("\n").split("\n")) if any(lines) else ()


class Scene:
    """A copy of the project with the one rule book that the document is about, in a git repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for room in ROOMS:
            (folder / room).parent.mkdir(parents=True, exist_ok=True)
            if (HOME / room).is_dir():
                shutil.copytree(HOME / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(HOME / room, folder / room)
        tools = folder / ".bin"
        tools.mkdir()
        for name, module in (("raw", "conformance.command"), ("pytest", "pytest")):
            (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n', encoding="utf-8")
            (tools / name).chmod(0o755)
        kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "FORCE_COLOR") and not k.startswith("GIT_")}
        self.environment = {**kept, "PATH": f"{tools}{os.pathsep}{kept['PATH']}", "PYTHONPATH": str(folder)}
        self.environment |= {"PYTEST_ADDOPTS": "-p no:cacheprovider", "PYTHONDONTWRITEBYTECODE": "1"}
        git = "git -c user.name=t -c user.email=t@example.org -c commit.gpgsign=false"
        self.run(f"git init -q && {git} add spec && {git} commit -qm first")

    def run(self, command: str) -> tuple[str, ...]:
        """What a command prints, as an operator sees it."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        # Of what goes to standard error, how far a command is stands indented; a terminal wipes it away.
        refused = [line for line in done.stderr.split("\n") if not line.startswith("  ")]
        return bare([line.rstrip() for line in (done.stdout.rstrip("\n") + "\n".join(refused)).split("\n")])

    def counted(self, proposal: str) -> tuple[str, ...]:
        """The end of a run of the whole suite in which all that is neither open nor a known defect conforms."""
        folder = self.folder / "spec" / SYSTEM
        engine = Engine(load_book(folder, [proposal] if proposal else []))
        expected = [check.raises for check in collect([engine], Options(books=folder.parent))]
        broken = expected.count(KnownDefect)
        fine = expected.count(None)
        counts = f"{broken} broken, {len(expected) - broken - fine} open, {fine} conforms"
        return f"in all        {len(expected)} items: {counts}", f"{fine} passed, {len(expected) - fine} xfailed in 0s"


def replayed(scene: Scene, step: Step) -> tuple[str, ...]:
    """What the command of a step prints."""
    whole = WHOLE_RUN.fullmatch(step.command)
    return scene.counted(whole["proposal"] or "") if whole else scene.run(step.command)


def timeless(lines: tuple[str, ...]) -> list[str]:
    return [SECONDS.sub("in …s", line) for line in lines]


def renewed(scene: Scene, text: str) -> str:
    """The document with what its commands print now; how long they took stays."""
    lines = text.split("\n")
    now = [(step, replayed(scene, step)) for step in steps(text)]
    for step, printed in reversed(now):
        if timeless(printed) != timeless(step.printed):
            took = next((found[0] for line in step.printed if (found := SECONDS.search(line))), "in 0s")
            new = [SECONDS.sub(took, f"    {line}").rstrip() for line in printed]
            lines[step.line : step.line + len(step.printed)] = new
    return "\n".join(lines)


@pytest.mark.skipif(shutil.which("bash") is None or shutil.which("git") is None, reason="needs bash and git")
def test_the_walk_comes_out_as_it_is_printed(tmp_path: Path):
    scene = Scene(tmp_path / "scene")
    walk = steps(DOCUMENT.read_text(encoding="utf-8"))
    assert len(walk) > 12
    for step in walk:
        assert timeless(replayed(scene, step)) == timeless(step.printed), f"{DOCUMENT.name}:{step.line}: {step.command}"


def test_what_the_readme_shows_of_it_stands_there():
    walk = {line.strip() for step in steps(DOCUMENT.read_text(encoding="utf-8")) for line in step.printed}
    shown = [step for step in steps((HOME / "README.md").read_text(encoding="utf-8")) if step.printed]
    assert len(shown) > 3
    for step in shown:
        for line in step.printed:
            assert line.strip() in walk, f"README.md:{step.line}: {step.command}"


def test_steps_are_read_with_what_they_print():
    text = "Words.\n\n    $ one | two\n    a\n\n      b  \n    $ three\n\nMore words.\n\n    no step\n\n    $ four\n"
    assert steps(text) == [
        Step(3, "one | two", ("a", "", "  b")),
        Step(7, "three", ()),
        Step(13, "four", ()),
    ]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        sys.stdout.write(renewed(Scene(Path(scratch) / "scene"), DOCUMENT.read_text(encoding="utf-8")))
