"""What becomes of the suite: properties won and lost, questions opened and settled, what would fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from conformance.items import collect
from conformance.options import Options
from conformance.proposed.stack import Stack
from conformance.results import FAILING, Item, Kind

Progress = Callable[[int, int], None]
COMPARED: frozenset[Kind] = frozenset({"question", "property"})


@dataclass(frozen=True, slots=True)
class Flip:
    """An item before and after; None where there is none."""

    id: str
    before: Item | None
    after: Item | None

    @property
    def title(self) -> str:
        """Its heading."""
        item = self.after or self.before
        assert item is not None
        return item.title


@dataclass(frozen=True, slots=True)
class Checks:
    """`won` and `lost` are properties, `settled` and `opened` questions, `failing` what fails only with the proposal.

    `expectations` are the strict xfails that are one in one of the books only.
    """

    won: tuple[Flip, ...]
    lost: tuple[Flip, ...]
    settled: tuple[Flip, ...]
    opened: tuple[Flip, ...]
    failing: tuple[Item, ...]
    ran: int

    @property
    def expectations(self) -> tuple[Flip, ...]:
        """The strict xfails that flip: expected to fail on one side only."""
        flips = {flip.id: flip for flip in (*self.won, *self.lost, *self.settled, *self.opened)}
        return tuple(flip for flip in flips.values() if _expected(flip.before) != _expected(flip.after))


def _expected(item: Item | None) -> bool:
    return item is not None and item.status in ("open", "broken")


def checks(stack: Stack, tell: Progress) -> Checks:
    """Runs the suite with the proposals, and without them what has to be compared.

    Approvals are left out: a proposal is judged as a whole.
    """
    books = stack.after.book.folder.parent
    after_checks = [c for c in collect([stack.after], Options(books=books)) if c.what != "approval"]
    before_all = {c.id: c for c in collect([stack.before], Options(books=books))}
    before_checks = [c for c in before_all.values() if c.what in COMPARED]
    total = len(after_checks) + len(before_checks)
    after: dict[str, Item] = {}
    before: dict[str, Item] = {}
    for done, check in enumerate(after_checks):
        if done % 20 == 0:
            tell(done, total)
        after[check.id] = check.judge()
    for done, check in enumerate(before_checks, len(after_checks)):
        if done % 20 == 0:
            tell(done, total)
        before[check.id] = check.judge()
    failing = []
    for item in after.values():
        if item.status not in FAILING:
            continue
        old = before.get(item.id) or (before_all[item.id].judge() if item.id in before_all else None)
        if old is None or old.status not in FAILING:
            failing.append(item)
    tell(total, total)
    compared = [Flip(id_, before.get(id_), after.get(id_)) for id_ in {**after, **before}]
    claims = [flip for flip in compared if _what(flip) == "property"]
    questions = [flip for flip in compared if _what(flip) == "question"]
    return Checks(
        won=tuple(f for f in claims if _holds(f.after) and not _holds(f.before)),
        lost=tuple(f for f in claims if _holds(f.before) and not _holds(f.after)),
        settled=tuple(f for f in questions if _open(f.before) and not _open(f.after)),
        opened=tuple(f for f in questions if _open(f.after) and not _open(f.before)),
        failing=tuple(failing),
        ran=len(after_checks),
    )


def _what(flip: Flip) -> str:
    item = flip.after or flip.before
    return item.what if item is not None else ""


def _holds(item: Item | None) -> bool:
    return item is not None and item.status == "conforms"


def _open(item: Item | None) -> bool:
    return item is not None and item.status == "open"
