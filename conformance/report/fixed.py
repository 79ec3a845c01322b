"""Readings that a case or a claim fixes, in few words: a profile by its name, and what stands beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.book.model import Book

FEWEST = 4  # readings that say as much as a profile's name


@dataclass(frozen=True, slots=True)
class Fixed:
    """A profile, if any, and the readings besides it, by the names of their questions."""

    profile: str
    besides: Mapping[str, str]


def fixed_by(book: Book, under: Mapping[str, str]) -> Fixed:
    """`under` as the profile that says most of it, and the rest."""
    nearest = Fixed("", under)
    if len(under) < FEWEST:
        return nearest
    for name, readings in book.profiles.items():
        if readings.keys() <= under.keys():
            besides = {q: r for q, r in under.items() if readings.get(q) != r}
            if len(besides) < len(nearest.besides):
                nearest = Fixed(name, besides)
    return nearest
