"""The published sweep's fights in plain Python, written from the page and from nothing of ours: dice, lists and ifs.

It plays one set of readings: those of the profile `sweep-candidate`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass
class Build:
    """Thể, Thân, Thần, then what thể chất and công pháp add."""

    the: int
    than: int
    thuc: int
    body: int
    method: int


WEAK, MID, STRONG = Build(1, 0, -1, 0, 0), Build(2, 1, 0, 0, 0), Build(3, 2, 3, 3, 2)


class _Side:
    def __init__(self, build: Build, cap: int, stage: int, pills: int) -> None:
        self.build, self.cap, self.pills = build, cap, pills
        self.bonus = 2 + (stage - 1) // 3 + 4 * (cap - 1)
        # A half up: the products of this table never have one.
        self.full = int((10 + 2 * stage + 3 * build.the) * 1.3 ** (cap - 1) + 0.5)
        self.hp = self.full
        self.spirit = 2 + 2 * (cap - 1) + stage // 3 + build.method
        self.shield = 10 + build.than + build.body + cap - 1
        self.hurt = 0


def _attack(rng: random.Random, own: _Side, other: _Side, up: int) -> None:
    die = rng.randint(1, 20)
    if up >= 1:
        die = min(die, rng.randint(1, 20))
    total = die + own.build.the + own.bonus - own.hurt
    if die == 1 or (die != 20 and total < other.shield):
        return
    damage = rng.randint(1, 8) + (rng.randint(1, 8) if die == 20 else 0) + own.build.the
    damage = max(damage, 1)
    other.hp -= damage // 2 if up >= 2 else damage
    if die == 20:
        other.hurt = 2


def _cast(rng: random.Random, own: _Side, other: _Side, up: int) -> None:
    own.spirit -= 3
    die = rng.randint(1, 20)
    if up >= 1:
        die = max(die, rng.randint(1, 20))
    total = die + other.build.than + other.bonus - other.hurt
    saved = die != 1 and (die == 20 or total >= 8 + own.bonus + own.build.thuc)
    damage = max(1, rng.randint(1, 6) + rng.randint(1, 6) + rng.randint(1, 6) + own.build.thuc)
    if saved:
        damage //= 2
    if up >= 2:
        damage //= 2
    other.hp -= damage


def fight(rng: random.Random, build: Build, gap: int, stage: int = 7) -> tuple[bool, int]:
    """One fight against a mid build: whether it was won, and in which round it ended."""
    player, foe = _Side(build, 1, stage, 2), _Side(MID, 1 + gap, stage, 0)
    first = rng.randint(1, 2) == 1
    rounds = 0
    while True:
        rounds += 1
        for own, other in ((player, foe), (foe, player)) if first else ((foe, player), (player, foe)):
            up = other.cap - own.cap
            if own.pills and 100 * own.hp <= 35 * own.full:
                own.pills -= 1
                own.hp = min(own.full, own.hp + own.cap * (rng.randint(1, 4) + rng.randint(1, 4) + 2))
            elif own.spirit >= 3:
                _cast(rng, own, other, up)
            else:
                _attack(rng, own, other, up)
            if other.hp <= 0:
                return other is foe, rounds
