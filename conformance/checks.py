"""One item of the suite, before it is judged: a name, a place, and how to look."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.results import FAILING, Blame, Item, Kind, Status
from engine.book.model import Clause, Property, Question
from engine.errors import InputError, Place

MOST_SENTENCE = 400


class Departure(Exception):
    """What pytest sees of an item that fails."""

    def __init__(self, item: Item) -> None:
        super().__init__(item.message)
        self.item = item


class KnownDefect(Exception):
    """What pytest sees of a property that is broken in the way that its book says."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A judged item, and the exception that pytest's own machinery is to weigh: none where it should see a pass."""

    item: Item
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """An item that can be judged as often as one likes.

    `raises` is the exception of a strict xfail: the item is expected to fail with it, and to pass is a failure.
    """

    id: str
    system: str
    clause: str
    what: Kind
    place: Place
    look: Callable[[], Finding]
    raises: type[Exception] | None = None
    part: Clause | Question | Property | None = None

    def judge(self) -> Item:
        """What came of it."""
        return self.find().item

    def find(self) -> Finding:
        """What came of it, with pytest's exception. Nothing that goes wrong inside escapes as a traceback."""
        try:
            return self.look()
        except InputError as error:
            return self._errored(str(error), "rule book", "Correct the line that is named.")
        except Exception as error:  # noqa: BLE001 - a rule's code may raise anything; it is reported, not hidden
            return self._errored(crash(error), "engine under test", "This is a defect of the program, not of the text.")

    def _errored(self, message: str, blame: Blame, remedy: str) -> Finding:
        item = Item(
            id=self.id,
            system=self.system,
            clause=self.clause,
            what=self.what,
            status="errored",
            where=str(self.place),
            title=self.part.title if self.part is not None else "",
            sentence=sentence(self.part.prose) if self.part is not None else "",
            blame=blame,
            message=message,
            remedy=remedy,
        )
        return Finding(item, Departure(item))


@dataclass(frozen=True, slots=True)
class Subject:
    """What is known of an item before it is judged."""

    id: str
    system: str
    clause: str
    what: Kind
    place: Place
    title: str = ""
    sentence: str = ""
    case: str = ""
    given: str = ""

    def found(self, status: Status, *, error: Exception | None = None, passes: bool = False, **more: Any) -> Finding:
        """The judged item.

        `passes` lets pytest see a pass although the status fails: a strict xfail then reports it.
        """
        item = Item(
            id=self.id,
            system=self.system,
            clause=self.clause,
            what=self.what,
            status=status,
            where=str(self.place),
            title=self.title,
            sentence=self.sentence,
            case=self.case,
            given=self.given,
            **more,
        )
        if error is None and status in FAILING and not passes:
            error = Departure(item)
        return Finding(item, error)


def subject(part: Clause | Question | Property, what: Kind, system: str, item_id: str, **more: Any) -> Subject:
    """The subject of an item that belongs to `part`."""
    return Subject(
        id=item_id,
        system=system,
        clause=part.id,
        what=what,
        place=more.pop("place", part.place),
        title=part.title,
        sentence=sentence(part.prose),
        **more,
    )


def sentence(prose: str) -> str:
    """The first paragraph of a part's prose, as one line of bounded length."""
    first = " ".join(prose.strip().partition("\n\n")[0].split())
    return first if len(first) <= MOST_SENTENCE else first[: MOST_SENTENCE - 1].rstrip() + "…"


def crash(error: BaseException) -> str:
    """An unforeseen exception as one line, with the line of code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return " ".join(f"{type(error).__name__}: {error}{where}".split())
