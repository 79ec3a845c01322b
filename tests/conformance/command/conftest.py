"""The command, run in a copy of a small book that a test may change."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from conformance.command.app import app

BOOKS = Path(__file__).parents[2] / "books"


@dataclass
class Said:
    """What a run of the command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def squeezed(self) -> str:
        """The output with all runs of blanks as one: layout aside."""
        return " ".join(self.out.split())


class Raw:
    """Runs `raw` in a folder that holds the books (`spec`) and their sources (`texts`)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.book = folder / "spec" / "harbour"
        self.source = folder / "texts" / "harbour.txt"

    def __call__(self, *arguments: object) -> Said:
        result = CliRunner().invoke(app, [str(a) for a in arguments])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return Said(result.exit_code, result.stdout, result.stderr)

    def bad(self, *arguments: object) -> str:
        """The one line of a run that must be refused, with nothing on standard output."""
        said = self(*arguments)
        assert (said.status, said.out) == (2, "")
        assert said.err.endswith("\n")
        assert said.err.count("\n") == 1
        return said.err.rstrip("\n")

    def text(self, name: str) -> str:
        """A file of the book."""
        return (self.book / name).read_text(encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        text = self.text(name)
        assert old in text
        (self.book / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    def edit_source(self, old: bytes, new: bytes) -> None:
        raw = self.source.read_bytes()
        assert old in raw
        self.source.write_bytes(raw.replace(old, new, 1))


@pytest.fixture
def raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Raw:
    shutil.copytree(BOOKS / "command", tmp_path / "spec")
    shutil.copytree(BOOKS / "command_sources", tmp_path / "texts")
    monkeypatch.chdir(tmp_path)
    return Raw(tmp_path)
