"""Fights rolled die by die: the second method, against which the solver is tested.

A turn's procedure is played once for each way in which its dice can fall, which gives a tree: which pool is rolled
next, and where each total leads. The sampler walks these trees with seeded dice. It shares neither the chances nor
the sums of the solver: those it is there to check.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numba
import numpy as np
import numpy.typing as npt

from engine.duel.build import Duel, change
from engine.duel.fight import REGIONS
from engine.duel.outcomes import Leaf, Split, roll_tree
from engine.errors import BoundError
from engine.procedures import Rules
from engine.readings import Engine

Ints = npt.NDArray[np.int64]
MOST_TURNS = 100_000

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Trees:
    """Roll trees as arrays. Node n rolls the dice `dice[node[n, 0] : node[n, 1]]` and adds `node[n, 2]`.

    The total t leads to node `child[node[n, 3] + t - lowest]`, where `lowest` is `node[n, 4]`. A leaf has no dice and a
    negative `node[n, 3]`; its `leaf` row says by how much hit points change, which mode follows, whether a round ends.
    """

    root: Ints  # (modes, REGIONS)
    node: Ints  # (nodes, 5)
    dice: Ints
    child: Ints
    leaf: Ints  # (leaves, 4)
    start: int  # the node of the tree that sets up the fight
    most: Ints
    low: Ints


@dataclass(frozen=True, slots=True)
class Sample:
    """What was seen: counts of ends (first, second, both), and the sum and sum of squares of rounds."""

    count: int
    ends: tuple[int, int, int]
    rounds: int
    squares: int


class _Forest:
    def __init__(self) -> None:
        self.node: list[list[int]] = []
        self.dice: list[int] = []
        self.child: list[int] = []
        self.leaf: list[tuple[int, int, int, int]] = []

    def plant(self, tree: Leaf[tuple[int, int, int, int]] | Split[tuple[int, int, int, int]]) -> int:
        """Adds a tree; its number."""
        number = len(self.node)
        if isinstance(tree, Leaf):
            self.node.append([0, 0, 0, -1 - len(self.leaf), 0])
            self.leaf.append(tree.result)
            return number
        begin = len(self.dice)
        self.dice += tree.pool.sides
        row = [begin, len(self.dice), tree.pool.plus, 0, tree.pool.lowest]
        self.node.append(row)
        children = [self.plant(branch) for branch in tree.branches]
        row[3] = len(self.child)
        self.child += children
        return number


def grow(engine: Engine, duel: Duel[State], profile: Mapping[str, str]) -> Trees:
    """The roll trees of a duel's turns, under a full profile of readings."""
    numbers: dict[Hashable, int] = {}
    states: list[Hashable] = []
    forest = _Forest()

    def number(mode: Hashable) -> int:
        if mode not in numbers:
            numbers[mode] = len(numbers)
            states.append(mode)
        return numbers[mode]

    def begin(state: State) -> tuple[int, int, int, int]:
        first, second = (int(points / duel.unit) for points in duel.hit_points(state))
        return first, second, number(duel.mode(state)), 0

    start = forest.plant(roll_tree(engine, duel.start, profile, begin))
    roots: list[list[int]] = []
    while len(roots) < len(states):
        mode = states[len(roots)]
        row: list[int] = []
        for region in range(REGIONS):
            if any(region >> side & 1 and duel.low[side] < 0 for side in (0, 1)):
                row.append(row[0])
                continue
            before = duel.roomy(mode, region)

            def moved(after: State, before: State = before, mode: Hashable = mode) -> tuple[int, int, int, int]:
                first, second = change(duel, before, after)
                then = duel.mode(after)
                return first, second, number(then), int(duel.phase(then) <= duel.phase(mode))

            def turn(rules: Rules, state: State = before) -> State:
                return duel.turn(rules, state)

            tree = roll_tree(engine, turn, profile, moved)
            row.append(forest.plant(tree))
        roots.append(row)
    return Trees(
        root=np.array(roots, dtype=np.int64),
        node=np.array(forest.node, dtype=np.int64),
        dice=np.array(forest.dice, dtype=np.int64),
        child=np.array(forest.child, dtype=np.int64),
        leaf=np.array(forest.leaf, dtype=np.int64),
        start=start,
        most=np.array([int(points / duel.unit) for points in duel.most], dtype=np.int64),
        low=np.array([int(points // duel.unit) for points in duel.low], dtype=np.int64),
    )


def sample(trees: Trees, count: int, seed: int) -> Sample:
    """`count` fights with dice from `seed`. Raises `BoundError` where a fight does not end."""
    ends, rounds, squares, endless = _play(
        trees.root, trees.node, trees.dice, trees.child, trees.leaf, trees.start, trees.most, trees.low, count, seed
    )
    if endless:
        raise BoundError(f"a fight of more than {MOST_TURNS} turns", "it may never end: solve it instead")
    return Sample(count, (int(ends[0]), int(ends[1]), int(ends[2])), int(rounds), int(squares))


@numba.njit(cache=True)
def _walk(node: Ints, dice: Ints, child: Ints, at: int) -> int:
    """Rolls from node to node until a leaf; its row."""
    while node[at, 3] >= 0:
        total = node[at, 2]
        for d in range(node[at, 0], node[at, 1]):
            total += np.random.randint(1, dice[d] + 1)  # noqa: NPY002 - what numba compiles
        at = child[node[at, 3] + total - node[at, 4]]
    row: int = -1 - node[at, 3]
    return row


@numba.njit(cache=True)
def _play(  # noqa: PLR0913, PLR0917
    root: Ints,
    node: Ints,
    dice: Ints,
    child: Ints,
    leaf: Ints,
    start: int,
    most: Ints,
    low: Ints,
    count: int,
    seed: int,
) -> tuple[Ints, int, int, int]:
    np.random.seed(seed)  # noqa: NPY002 - what numba compiles
    ends = np.zeros(3, dtype=np.int64)
    total, squares, endless = 0, 0, 0
    for _ in range(count):
        row = leaf[_walk(node, dice, child, start)]
        first, second, mode, rounds, turns = row[0], row[1], row[2], 1, 0
        while turns < MOST_TURNS:
            region = (1 if first <= low[0] else 0) + (2 if second <= low[1] else 0)
            row = leaf[_walk(node, dice, child, root[mode, region])]
            first = min(most[0], first + row[0])
            second = min(most[1], second + row[1])
            if first <= 0 or second <= 0:
                ends[2 if first <= 0 and second <= 0 else 1 if first <= 0 else 0] += 1
                break
            mode = row[2]
            rounds += row[3]
            turns += 1
        else:
            endless += 1
        total += rounds
        squares += rounds * rounds
    return ends, total, squares, endless
