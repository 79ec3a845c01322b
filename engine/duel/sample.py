"""Fights rolled die by die: the second method, against which the solver is tested.

A turn's procedure is played once for each way in which its dice can fall, which gives a tree: which pool is rolled
next, and where each total leads. The sampler walks these trees with seeded dice. It shares neither the chances nor
the sums of the solver: those it is there to check.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numba
import numpy as np
import numpy.typing as npt

from engine.duel.build import Duel, begins_late, change
from engine.duel.fight import REGIONS
from engine.duel.outcomes import Joint, Leaf, PartKey, Play, Tree
from engine.errors import BoundError
from engine.procedures import Rules
from engine.readings import Engine

Ints = npt.NDArray[np.int64]
MOST_TURNS = 100_000
MOST_DEPTH = 64  # parts within parts

State = TypeVar("State", bound=Hashable)
Result = TypeVar("Result")


DICE, PART, LEAF = range(3)


@dataclass(frozen=True, slots=True)
class Trees:
    """Roll trees as arrays; the first number of each node is its kind.

    DICE: rolls `dice[node[n, 1] : node[n, 2]]` and adds `node[n, 3]`; total t leads to `next[node[n, 4] + t - lowest]`
    where `lowest` is `node[n, 5]`. PART: walks the tree of a part from `node[n, 1]`; its result r leads to
    `next[node[n, 2] + r]`. LEAF: of a part the result `node[n, 1]`; of a turn that row of `leaf`, which says by how
    much hit points change, which mode follows, and whether a round ends.
    """

    root: Ints  # (modes, REGIONS)
    node: Ints  # (nodes, 6)
    dice: Ints
    next: Ints
    leaf: Ints  # (leaves, 4)
    late: Ints  # (modes,): 1 where a fight that begins so counts a round too much when the first side ends it
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


Row = tuple[int, int, int, int]


class _Forest:
    def __init__(self, play: Play) -> None:
        self._play = play
        self._parts: dict[PartKey, int] = {}
        self._open = 0
        self.node: list[tuple[int, ...]] = []
        self.dice: list[int] = []
        self.next: list[int] = []
        self.leaf: list[Row] = []

    def plant(self, tree: Tree[Row]) -> int:
        """Adds the tree of a turn; its number."""
        return self._plant(tree, self._row)

    def _row(self, row: Row) -> int:
        self.leaf.append(row)
        return len(self.leaf) - 1

    def _plant(self, tree: Tree[Result], of_leaf: Callable[[Result], int]) -> int:
        if isinstance(tree, Leaf):
            return self._add(LEAF, of_leaf(tree.result))
        follow = [self._plant(branch, of_leaf) for branch in tree.branches]
        at = len(self.next)
        self.next += follow
        if isinstance(tree, Joint):
            return self._add(PART, self._part(tree.part), at)
        begin = len(self.dice)
        self.dice += tree.pool.sides
        return self._add(DICE, begin, len(self.dice), tree.pool.plus, at, tree.pool.lowest)

    def _part(self, part: PartKey) -> int:
        if part not in self._parts:
            self._open += 1
            if self._open > MOST_DEPTH:
                raise BoundError(f"more than {MOST_DEPTH} parts within parts", "let parts lie beside one another")
            self._parts[part] = self._plant(self._play.part_tree(part), lambda place: place)
            self._open -= 1
        return self._parts[part]

    def _add(self, *numbers: int) -> int:
        self.node.append(numbers + (0,) * (6 - len(numbers)))
        return len(self.node) - 1


def grow(engine: Engine, duel: Duel[State], profile: Mapping[str, str]) -> Trees:
    """The roll trees of a duel's turns, under a full profile of readings."""
    numbers: dict[Hashable, int] = {}
    states: list[Hashable] = []
    play = Play(engine, profile)
    forest = _Forest(play)

    def number(mode: Hashable) -> int:
        if mode not in numbers:
            numbers[mode] = len(numbers)
            states.append(mode)
        return numbers[mode]

    def begin(state: State) -> tuple[int, int, int, int]:
        first, second = (int(points / duel.unit) for points in duel.hit_points(state))
        return first, second, number(duel.mode(state)), 0

    start = forest.plant(play.tree(duel.start, begin))
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

            tree = play.tree(turn, moved)
            row.append(forest.plant(tree))
        roots.append(row)
    return Trees(
        root=np.array(roots, dtype=np.int64),
        node=np.array(forest.node, dtype=np.int64),
        dice=np.array(forest.dice, dtype=np.int64),
        next=np.array(forest.next, dtype=np.int64),
        leaf=np.array(forest.leaf, dtype=np.int64),
        late=np.array([int(begins_late(duel, mode)) for mode in states], dtype=np.int64),
        start=start,
        most=np.array([int(points / duel.unit) for points in duel.most], dtype=np.int64),
        low=np.array([int(points // duel.unit) for points in duel.low], dtype=np.int64),
    )


def sample(trees: Trees, count: int, seed: int) -> Sample:
    """`count` fights with dice from `seed`. Raises `BoundError` where a fight does not end."""
    ends, rounds, squares, endless = _play(
        trees.root,
        trees.node,
        trees.dice,
        trees.next,
        trees.leaf,
        trees.late,
        trees.start,
        trees.most,
        trees.low,
        count,
        seed,
    )
    if endless:
        raise BoundError(f"a fight of more than {MOST_TURNS} turns", "it may never end: solve it instead")
    return Sample(count, (int(ends[0]), int(ends[1]), int(ends[2])), int(rounds), int(squares))


@numba.njit(cache=True)
def _walk(node: Ints, dice: Ints, follow: Ints, at: int, back: Ints) -> int:
    """Rolls from node to node until a turn's leaf; its row. `back` holds where the parts that are open lead."""
    depth = 0
    while True:
        if node[at, 0] == DICE:
            total = node[at, 3]
            for d in range(node[at, 1], node[at, 2]):
                total += np.random.randint(1, dice[d] + 1)  # noqa: NPY002 - what numba compiles
            at = follow[node[at, 4] + total - node[at, 5]]
        elif node[at, 0] == PART:
            back[depth] = node[at, 2]
            depth += 1
            at = node[at, 1]
        elif depth == 0:
            row: int = node[at, 1]
            return row
        else:
            depth -= 1
            at = follow[back[depth] + node[at, 1]]


@numba.njit(cache=True)
def _play(  # noqa: PLR0913, PLR0917
    root: Ints,
    node: Ints,
    dice: Ints,
    follow: Ints,
    leaf: Ints,
    late: Ints,
    start: int,
    most: Ints,
    low: Ints,
    count: int,
    seed: int,
) -> tuple[Ints, int, int, int]:
    np.random.seed(seed)  # noqa: NPY002 - what numba compiles
    ends = np.zeros(3, dtype=np.int64)
    back = np.zeros(node.shape[0] + 1, dtype=np.int64)  # no part lies within itself
    total, squares, endless = 0, 0, 0
    for _ in range(count):
        row = leaf[_walk(node, dice, follow, start, back)]
        first, second, mode, rounds, turns = row[0], row[1], row[2], 1, 0
        begun_late = late[mode]
        while turns < MOST_TURNS:
            region = (1 if first <= low[0] else 0) + (2 if second <= low[1] else 0)
            row = leaf[_walk(node, dice, follow, root[mode, region], back)]
            first = min(most[0], first + row[0])
            second = min(most[1], second + row[1])
            if first <= 0 or second <= 0:
                ends[2 if first <= 0 and second <= 0 else 1 if first <= 0 else 0] += 1
                if first > 0:
                    rounds -= begun_late
                break
            mode = row[2]
            rounds += row[3]
            turns += 1
        else:
            endless += 1
        total += rounds
        squares += rounds * rounds
    return ends, total, squares, endless
