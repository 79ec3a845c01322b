"""Permanent ids: of the right shape, and each used once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from engine.book.markdown import Section
from engine.book.model import Clause, Property, Question
from engine.errors import BookError


def owned(section: Section, prefix: str, kind: str) -> Section:
    """The section, once its id is of the right kind: WA-5.4, WA-Q07 or WA-P3."""
    own, _, number = section.id.partition("-")
    shape = "5.4" if not kind else f"{kind}07"
    good = re.fullmatch(f"{kind}[0-9]{{1,4}}" if kind else r"[0-9]{1,4}(\.[0-9]{1,4})+", number)
    if own != prefix or not good:
        raise BookError(f'the id "{section.id[:60]}"', f"write it like {prefix}-{shape}", section.place)
    return section


Part = TypeVar("Part", Clause, Question, Property)


def unique(parts: Iterable[Part]) -> dict[str, Part]:
    """The parts by id. Raises `BookError` for an id that stands twice."""
    found: dict[str, Part] = {}
    for part in parts:
        if part.id in found:
            raise BookError(f"{part.id} is used twice", f"first at {found[part.id].place}; take a free id", part.place)
        found[part.id] = part
    return found


def by_number(id_: str) -> list[tuple[int, str]]:
    """A key that puts TU-2.2 before TU-2.10."""
    return [(int(piece), "") if piece.isdigit() else (0, piece) for piece in re.split(r"(\d+)", id_)]
