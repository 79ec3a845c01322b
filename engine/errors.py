"""Everything that can go wrong, each as one clear line.

Two families. `InputError` says that something handed to us is bad: a book, a call, a script of rolls.
`Unsettled` says that the input is fine and the text gives no single answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.terminal import clean


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file, for people: `spec/worlds_awakening/01-hit-points.md:12`."""

    file: Path
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class RawError(Exception):
    """The root of all errors that this project raises on purpose."""


class InputError(RawError):
    """Something handed to us is bad. `remedy` says what would be right."""

    def __init__(self, problem: str, remedy: str = "", place: Place | None = None) -> None:
        super().__init__(problem, remedy, place)
        self.problem = problem
        self.remedy = remedy
        self.place = place

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return clean(" ".join(f"{where}{self.problem}{remedy}".split()))

    def at(self, place: Place) -> InputError:
        """The same error, with its place where it had none."""
        return self if self.place else type(self)(self.problem, self.remedy, place)


class BookError(InputError):
    """A rule book that cannot be read."""


class FormulaError(InputError):
    """A formula that is not of the language, or cannot be computed (division by zero, out of bounds)."""


class DomainError(InputError):
    """A value outside the declared domain of its name."""


class CallError(InputError):
    """A call of something that does not exist, or with the wrong inputs."""


class ScriptError(InputError):
    """A script of rolls that is too short, too long, or holds a number that its die has not."""


class BoundError(InputError):
    """A computation that was stopped because it would exceed a stated bound."""


class Unsettled(RawError):
    """The text gives no single answer."""


class Unspecified(Unsettled):
    """Nothing can be computed: the text lacks what the call needs.

    `reference` is the id of the question (or of the table whose rows leave a gap) that says what is lacking.
    """

    def __init__(self, reference: str, why: str) -> None:
        super().__init__(reference, why)
        self.reference = reference
        self.why = why

    def __str__(self) -> str:
        return f"unspecified: {self.reference} ({self.why})"


class Undetermined(Unsettled):
    """The readings of open questions lead to different values.

    `values` maps each combination of readings that was met to its value.
    """

    def __init__(self, values: tuple[tuple[Mapping[str, str], Any], ...]) -> None:
        super().__init__(values)
        self.values = values

    def __str__(self) -> str:
        rows = (
            f"{', '.join(f'{q}={r}' for q, r in readings.items()) or 'any'}: {value}" for readings, value in self.values
        )
        return "undetermined: " + "; ".join(rows)
