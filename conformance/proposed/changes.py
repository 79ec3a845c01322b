"""What a proposal changes in the text: clauses, questions and properties before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from conformance.differences import difference
from conformance.proposed.stack import Stack, part_of
from engine.book.decisions import read_fighters
from engine.book.model import Clause, Property, Question
from engine.values import show

Part = Clause | Question | Property
Kind = Literal["rewritten", "added", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Change:
    """A part before and after; None where there is none."""

    id: str
    kind: Kind
    before: Part | None
    after: Part | None

    @property
    def title(self) -> str:
        """Its heading, as it will be."""
        part = self.after or self.before
        assert part is not None
        return part.title

    @property
    def lines(self) -> tuple[str, ...]:
        """A unified difference of its text."""
        return difference(self.before.text if self.before else "", self.after.text if self.after else "")


@dataclass(frozen=True, slots=True)
class Setting:
    """Something small that changes: a reading, an input, a field of a fighter."""

    name: str
    before: str
    after: str


def changes(stack: Stack) -> tuple[Change, ...]:
    """Every part that differs, in the order of the book, those that go last."""
    return tuple(_changes(stack))


def _changes(stack: Stack) -> Iterator[Change]:
    before, after = stack.before.book, stack.after.book
    for part in after.parts:
        old = part_of(before, part.id)
        if old is None:
            yield Change(part.id, "added", None, part)
        elif old.text != part.text:
            yield Change(part.id, "rewritten", old, part)
    for part in before.parts:
        if part_of(after, part.id) is None:
            yield Change(part.id, "withdrawn", part, None)


def settings(stack: Stack) -> tuple[Setting, ...]:
    """Readings that are settled, inputs that are new, fields of fighters that change."""
    before, after = stack.before.book, stack.after.book
    found = []
    for question, ruling in after.rulings.items():
        old = before.rulings.get(question)
        if old is None or old.reading != ruling.reading:
            found.append(Setting(question, f"ruled {old.reading}" if old else "open", f"ruled {ruling.reading}"))
    found += [
        Setting(f"input {name}", "none", str(domain))
        for name, domain in after.domains.items()
        if name not in before.domains
    ]
    entries = read_fighters(after)
    for name, fields in after.fights.items():
        known = {**entries.get(name, {}), **before.fights.get(name, {})}
        for field, value in fields.items():
            old_value = show(known[field]) if field in known else "none"
            if old_value != show(value):
                found.append(Setting(f"{name}.{field}", old_value, show(value)))
    return tuple(found)
