"""The ways through a formula: what was decided so far, what is known there, and which ways are left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.formula.inequalities import Inequality, at_least_zero, impossible
from engine.formula.symbols import Symbols


class NotProved(Exception):
    """The proof does not go through; the text says where it stopped."""


class Impossible(Exception):
    """This way contradicts itself: nobody can go it."""


class Ways:
    """Goes one way after another, each from the start; where something is open, the other ways are kept for later.

    `told` and `chosen` say which way this is: conditions in words, and readings (`fixed` ones included).
    """

    def __init__(self, symbols: Symbols, fixed: Mapping[str, str]) -> None:
        self.symbols = symbols
        self.told: list[str] = []
        self.chosen: dict[str, str] = {}
        self._fixed = fixed
        self._decided: dict[Any, bool] = {}
        self._facts: tuple[Inequality, ...] = ()
        self._trail: list[int] = []
        self._at = 0
        self._pending: list[list[int]] = [[]]

    def begin(self) -> bool:
        """Starts the next way. False where none is left: then all have been gone, and one may begin anew."""
        if not self._pending:
            self._pending = [[]]
            return False
        self._trail, self._at, self._facts, self.told = self._pending.pop(), 0, (), []
        self.chosen = dict(self._fixed)
        return True

    def choose(self, ways: int) -> int:
        """Which way this run takes; the others are taken by later runs."""
        if self._at == len(self._trail):
            self._pending.extend([*self._trail, other] for other in range(ways - 1, 0, -1))
            self._trail.append(0)
        way = self._trail[self._at]
        self._at += 1
        return way

    def fact(self, polynomial: Any, *, strict: bool = False) -> None:
        """Adds `polynomial >= 0` (or `> 0`) to what is known. Leaves the way where that cannot be."""
        fact = at_least_zero(polynomial, strict=strict)
        if fact not in self._facts:
            self._facts = (*self._facts, fact)

    def _excluded(self, *extra: Inequality) -> bool:
        """Whether `extra` contradicts what is known."""
        key = (self._facts, extra)
        if key not in self._decided:
            facts = self.symbols.relevant([*self._facts, *extra])
            self._decided[key] = impossible(facts, self.symbols.nonnegative)
        return self._decided[key]

    def stop(self, why: str) -> NotProved:
        readings = [f"{q} = {r}" for q, r in self.chosen.items() if q not in self._fixed]
        where = ", ".join([*dict.fromkeys(self.told), *readings])
        return NotProved(why + (f" where {where}" if where else ""))

    def not_negative(self, polynomial: Any, told: str) -> bool:
        """Whether `polynomial >= 0` on this way; where both can be, the way is split."""
        constant = self.symbols.constant(polynomial)
        if constant is not None:
            return bool(constant >= 0)
        yes, no = at_least_zero(polynomial), at_least_zero(-polynomial, strict=True)
        if self._excluded(no):
            return True
        if self._excluded(yes):
            return False
        way = self.choose(2) == 0
        self.told.append(told if way else f"not {told}")
        self.fact(polynomial if way else -polynomial, strict=not way)
        return way

    def sign(self, polynomial: Any, told: str) -> int:
        """-1, 0 or 1 on this way; where several can be, the way is split."""
        constant = self.symbols.constant(polynomial)
        if constant is not None:
            return int((constant > 0) - (constant < 0))
        above, below = at_least_zero(polynomial, strict=True), at_least_zero(-polynomial, strict=True)
        equal = (at_least_zero(polynomial), at_least_zero(-polynomial))
        able = [s for s, f in ((0, equal), (1, (above,)), (-1, (below,))) if not self._excluded(*f)]
        if not able:
            raise Impossible
        sign = able[self.choose(len(able))] if len(able) > 1 else able[0]
        if len(able) > 1:
            self.told.append(f"{told} {('= 0', '> 0', '< 0')[sign]}")
        if sign == 0:
            self.fact(polynomial)
            self.fact(-polynomial)
        else:
            self.fact(polynomial * sign, strict=True)
        return sign
