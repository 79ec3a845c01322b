"""Who wins before and after, exactly, and whether target bands are met."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from conformance.proposed.stack import Stack
from engine.book.model import Band, Book, Target
from engine.duel.kits import FILE, Kits, Sweep, make_duel, read_kits
from engine.errors import BookError, InputError
from engine.readings import Engine
from engine.values import show

Progress = Callable[[int, int], None]
MOST_CELLS = 60


@dataclass(frozen=True, slots=True)
class Score:
    """How often the first side wins, in percent, after how many rounds on average; `bound` is the relative error."""

    win: float
    rounds: float
    bound: float


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a sweep: its inputs that are swept, and its score before and after; None where it has none."""

    inputs: Mapping[str, Any]
    before: Score | None
    after: Score | None
    bands: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A sweep before and after."""

    sweep: str
    profile: str
    cells: tuple[Cell, ...]

    @property
    def differs(self) -> bool:
        """Whether any score changes."""
        return any(cell.before != cell.after for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Aim:
    """A target and how it is met. `problem` says why it cannot be judged."""

    target: Target
    proposal: str
    score: Score | None
    missed: tuple[str, ...]
    problem: str = ""

    @property
    def met(self) -> bool:
        """Whether every band of it is."""
        return not self.missed and not self.problem


class Scores:
    """Scores of one book's fights, each solved once."""

    def __init__(self, engine: Engine, kits: Kits | None = None) -> None:
        self.engine = engine
        self.kits = kits or read_kits(engine)
        self._known: dict[str, Score] = {}

    def under(self, kits: Kits) -> Scores:
        """The scores with other fighters; what is known already stays known."""
        other = Scores(self.engine, kits)
        other._known = self._known
        return other

    def of(self, sweep: Sweep, cell: Mapping[str, Any]) -> Score:
        """The score of a cell."""
        given = self.kits.filled(cell)
        key = f"{sweep.profile} {show(given)}"
        if key not in self._known:
            # Compiled loops take a second to import, and most books have no fights.
            from engine.duel.solve import solve_duel

            # A profile is no ruling: it stands back where the question is ruled.
            profile = {**self.engine.book.profiles[sweep.profile], **self.engine.book.ruled}
            solved = solve_duel(self.engine, make_duel(self.engine, profile, given), profile)
            self._known[key] = Score(100 * solved.win, solved.rounds, solved.bound)
        return self._known[key]


def has_fights(book: Book) -> bool:
    """Whether the book says who fights."""
    return (book.folder / FILE).is_file()


def tables(stack: Stack, after: Scores, tell: Progress) -> tuple[Table, ...]:
    """Every sweep of the book before and after; of a large one only what targets name."""
    before = Scores(stack.before)
    wanted = {target.sweep for proposal in stack.proposals for target in proposal.targets}
    sweeps = [s for s in after.kits.sweeps.values() if len(s.cells()) <= MOST_CELLS or s.name in wanted]
    total = sum(len(sweep.cells()) for sweep in sweeps)
    done = 0
    found = []
    for sweep in sweeps:
        cells = []
        for cell in sweep.cells():
            tell(done, total)
            done += 1
            bands = [t for p in stack.proposals for t in p.targets if _fits(t, after.kits, sweep, cell)]
            swept = {name: cell[name] for name in sweep.swept}
            cells.append(Cell(swept, before.of(sweep, cell), after.of(sweep, cell), tuple(bands)))
        found.append(Table(sweep.name, sweep.profile, tuple(cells)))
    tell(total, total)
    return tuple(found)


def open_scores(stack: Stack) -> Scores:
    """The fights after the proposals. Raises `InputError` at the line that changes what there is not."""
    try:
        return Scores(stack.after)
    except InputError as error:
        changed = [proposal for proposal in stack.proposals if proposal.fights]
        if not changed:
            raise
        read_kits(stack.before)  # what is wrong without the proposals is none of their doing
        raise BookError(error.problem, error.remedy, changed[-1].at("fights")) from None


def _fits(target: Target, kits: Kits, sweep: Sweep, cell: Mapping[str, Any]) -> bool:
    if kits.sweep(target.sweep).name != sweep.name:
        return False
    inputs = named(target, sweep)
    return all(name in cell and show(cell[name]) == show(value) for name, value in inputs.items())


def named(target: Target, sweep: Sweep) -> dict[str, Any]:
    """The inputs of a target as the sweep calls them: the book may call a player a build."""
    own = {called: name for name, called in sweep.names.items()}
    return {own.get(name, name): value for name, value in target.inputs.items()}


def aims(stack: Stack, scores: Scores | None = None) -> tuple[Aim, ...]:
    """Every target of the proposals, solved. Raises `BookError`, with its line, for one that names no cell."""
    wanted = [(proposal, target) for proposal in stack.proposals for target in proposal.targets]
    if not wanted:
        return ()
    if not has_fights(stack.book):
        problem = f"a target, and {stack.book.system} has no {FILE}"
        raise BookError(problem, f"say in {FILE} who fights", wanted[0][1].place)
    scores = scores or open_scores(stack)
    return tuple(aim(scores, target, proposal.name) for proposal, target in wanted)


def aim(scores: Scores, target: Target, proposal: str = "") -> Aim:
    """Whether a target is met: in every cell that it names."""
    sweep, cells = cells_of(scores.kits, target)
    worst: Score | None = None
    missed: list[str] = []
    for cell in cells:
        score = scores.of(sweep, cell)
        bad = _missed(target, score)
        if bad or worst is None:
            worst = score
        missed += bad
    return Aim(target, proposal, worst, tuple(missed))


def cells_of(kits: Kits, target: Target) -> tuple[Sweep, list[dict[str, Any]]]:
    """The sweep and its cells that a target names; its inputs may take values that the sweep does not list.

    Raises `BookError`, with its line, for one that names nothing.
    """
    try:
        sweep = kits.sweep(target.sweep)
    except InputError as error:
        raise BookError(error.problem, error.remedy, target.place) from None
    inputs = named(target, sweep)
    for name, value in inputs.items():
        if name not in sweep.inputs:
            remedy = f"inputs of {sweep.name}: {', '.join(sweep.inputs)}"
            raise BookError(f"a target for {name[:40]}", remedy, target.place)
        known = sweep.inputs[name]
        words = isinstance(known[0], str)
        if words and value not in kits.entries:
            names = ", ".join(kits.entries)
            raise BookError(f"a target for {name} = {show(value)[:40]}", f"{FILE} has {names}", target.place)
    fixed = dataclasses.replace(sweep, inputs={**sweep.inputs, **{name: (value,) for name, value in inputs.items()}})
    return sweep, list(fixed.cells())


def _missed(target: Target, score: Score) -> list[str]:
    missed = []
    pairs = (("win", target.win, score.win, " %"), ("rounds", target.rounds, score.rounds, ""))
    for name, band, value, unit in pairs:
        if band is not None and not within(band, value, score.bound):
            missed.append(f"{name} {value:.2f}{unit} is outside {band}")
    return missed


def within(band: Band, value: float, bound: float) -> bool:
    """Whether a number that is known up to a relative bound lies within a band, its ends included."""
    slack = Fraction(bound) * Fraction(value) + Fraction(1, 10**12)
    return band.low - slack <= Fraction(value) <= band.high + slack


def target_words(target: Target) -> str:
    """A target for people: `build weak, gap 0: win 35..45 %`."""
    where = ", ".join(f"{name} {show(value)}" for name, value in target.inputs.items())
    bands = [f"win {target.win} %"] if target.win is not None else []
    bands += [f"rounds {target.rounds}"] if target.rounds is not None else []
    return f"{where}: {', '.join(bands)}" if where else ", ".join(bands)
