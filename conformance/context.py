"""What the items of one book share: its engines, the readings of the run, the source, the engine under test."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from conformance.asking import Reply, UnderTest, ask_built_in
from engine.book.model import Book
from engine.readings import Engine


@dataclass(frozen=True, slots=True)
class Context:
    """`engine` runs the book as it stands, `fixed_engine` the book under the readings of the run.

    `base` is the book without the proposals of the run. `source` holds the raw bytes of the source, where at hand.
    """

    engine: Engine
    fixed_engine: Engine
    fixed: Mapping[str, str] = field(default_factory=dict)
    remote: UnderTest | None = None
    base: Book | None = None
    source: bytes | None = None
    wants_source: bool = False

    @property
    def book(self) -> Book:
        """The book of these items."""
        return self.engine.book

    @property
    def system(self) -> str:
        """The system of the book."""
        return self.engine.book.system

    def ask(self, call: str, given: Mapping[str, Any], rolls: Sequence[int] | None, under: Mapping[str, str]) -> Reply:
        """The answer of the engine under test, under rulings, the readings of the run, and `under` over both."""
        if self.remote is None:
            return ask_built_in(self.fixed_engine, call, given, rolls, under)
        readings = {**self.book.ruled, **self.fixed, **under}
        return self.remote.ask(self.system, call, given, rolls, readings)


@lru_cache(maxsize=8)
def unruled(engine: Engine) -> Engine:
    """The engine of the text alone: what the text leaves open is open there, whatever was ruled."""
    return Engine(dataclasses.replace(engine.book, rulings={})) if engine.book.rulings else engine
