"""A sweep from its cells to its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.sweep.cells import Cell, Progress
from conformance.sweep.executors import Executor, Local
from engine.duel.kits import Sweep
from engine.duel.solve import Solved
from engine.errors import InputError
from engine.readings import Engine


@dataclass(frozen=True, slots=True)
class Row:
    """One cell, solved, or why it has no solution; and the band in which its win ought to lie, in percent."""

    labels: Mapping[str, Any]
    solved: Solved | None
    problem: str
    band: tuple[float, float] | None

    @property
    def within(self) -> bool | None:
        """Whether the win lies within its band; None without one."""
        if self.band is None or self.solved is None:
            return None
        return self.band[0] <= 100 * self.solved.win <= self.band[1]


def quiet(done: int, of: int) -> None:
    """Progress for those who do not wait."""


def run(
    engine: Engine,
    sweep: Sweep,
    cells: Sequence[Cell],
    *,
    on: Executor | None = None,
    progress: Progress = quiet,
) -> list[Row]:
    """Every cell of a sweep, solved, in the order of the grid. Raises `InputError` where none has a solution."""
    found = (on or Local()).solve(engine, cells, progress)
    errors = [one for one in found if isinstance(one, InputError)]
    if found and len(errors) == len(found):
        raise errors[0]
    return [
        Row(cell.labels, None, one.problem, None)
        if isinstance(one, InputError)
        else Row(cell.labels, one, "", band_of(engine, sweep, cell))
        for cell, one in zip(cells, found, strict=True)
    ]


def band_of(engine: Engine, sweep: Sweep, cell: Cell) -> tuple[float, float] | None:
    """The ends of a cell's band, in percent; None where the book has none for it, or it does not apply."""
    if asked(engine, sweep, cell, sweep.bands.get("applies", "")) is False:
        return None
    low, high = (asked(engine, sweep, cell, sweep.bands.get(end, "")) for end in ("low", "high"))
    return None if low is None or high is None else (float(low), float(high))


def asked(engine: Engine, sweep: Sweep, cell: Cell, name: str) -> Any:
    """What the book defines for a cell: `name` with those of its inputs that the cell or the sweep names; or None."""
    if not name:
        return None
    known = {key: values[0] for key, values in sweep.inputs.items() if len(values) == 1} | dict(cell.labels)
    words = {sweep.names.get(key, key): value for key, value in known.items()}
    params = engine.params[name]
    if not set(params) <= set(words):
        return None
    try:
        answer = engine.ask(name, {param: words[param] for param in params}, under=cell.readings)
    except InputError:  # an entry that the book has no word for
        return None
    return answer.value if answer.settled else None
