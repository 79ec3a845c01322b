"""`raw sweep`: whole fights solved exactly, cell by cell."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from conformance.command.common import AGREES, DISAGREES, Books, split_choice
from conformance.command.library import Library
from conformance.command.page import Page, page
from engine.book.write import write_whole
from engine.readings import Engine
from engine.terminal import clean

if TYPE_CHECKING:
    from conformance.sweep import Row
    from conformance.sweep.show import Table
    from engine.duel.kits import Sweep


def sweep(
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="A system that has fights.toml.")],
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="One of its sweeps (the first).")] = "",
    profile: Annotated[
        str, typer.Option(metavar="NAME", help="Readings to play under (the sweep's own profile).", show_default=False)
    ] = "",
    reading: Annotated[
        list[str] | None, typer.Option(metavar="Q=READING", help="Another reading.", show_default=False)
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHAT=VALUES",
            help="A grid: stage=1..10, the_phach=1..4, foe.pills=0,2, foe=mid,strong, Q24=from-two,none-then-three.",
            show_default=False,
        ),
    ] = None,
    fit: Annotated[
        bool, typer.Option("--fit", help="Hold the printed figures against the exact ones; 1 where one does not fit.")
    ] = False,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write CSV.", show_default=False)] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw an SVG.", show_default=False)] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Processes of this machine (all cores).", show_default=False)
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Dask scheduler, like tcp://10.0.0.1:8786.", show_default=False),
    ] = None,
    books: Books = None,
) -> int:
    """Solve whole fights, for every cell of a grid."""
    from conformance import sweep as sweeps

    engine = Engine(Library(books).book(system))
    readings = dict(split_choice(text, "--reading") for text in reading or ())
    chosen, cells = sweeps.sweep_of(engine, name, profile=profile, varied=vary or (), readings=readings)
    if fit:
        return _fit(engine, chosen, cells)
    on = sweeps.executor(scheduler, workers)
    with _progress() as progress:
        rows = sweeps.run(engine, chosen, cells, on=on, progress=progress)
    _show(engine, chosen, rows)
    _files(engine, chosen, rows, csv, plot)
    return AGREES


def _fit(engine: Engine, chosen: Sweep, cells: tuple[object, ...]) -> int:
    from conformance.sweep import Cell
    from conformance.sweep import fit as fit_of
    from conformance.sweep.show import fit_table

    found = fit_of(engine, chosen, [cell for cell in cells if isinstance(cell, Cell)])
    out = page()
    out.line(f"{engine.book.title}: {chosen.name} under {chosen.profile}, as printed and as solved")
    out.gap()
    _print(out, fit_table(found))
    out.gap()
    out.line("Off by: in standard errors. Chance: of a sample as far off or farther; what is printed is rounded.")
    out.line(f"{found.within} of {len(found.figures)} printed figures lie within their sampling error.")
    return AGREES if found.fits else DISAGREES


def _show(engine: Engine, chosen: Sweep, rows: list[Row]) -> None:
    from conformance.sweep.show import table

    out = page()
    fixed = [f"{key} {values[0]}" for key, values in chosen.inputs.items() if len(values) == 1]
    out.line(f"{engine.book.title}: {chosen.name} under {chosen.profile}; {', '.join(fixed)}")
    out.gap()
    _print(out, table(rows))
    out.gap()
    bound = max((row.solved.bound for row in rows if row.solved), default=0.0)
    out.line(f"Solved exactly, in doubles: each figure is off by at most {bound:.0e} of itself.")


def _print(out: Page, table: Table) -> None:
    heads, rows = table
    out.table([[(head, "bold") for head in heads], *[list(row) for row in rows]])


def _files(engine: Engine, chosen: Sweep, rows: list[Row], csv: Path | None, plot: Path | None) -> None:
    from conformance.sweep.plot import plot as drawn
    from conformance.sweep.show import to_csv

    if csv is not None:
        write_whole(csv, to_csv(rows))
    if plot is not None:
        write_whole(plot, drawn(rows, f"{engine.book.title}: {chosen.name} under {chosen.profile}"))


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """On a terminal, how far it is; in a pipe nothing."""
    shown = sys.stderr.isatty()

    def tell(done: int, of: int) -> None:
        if shown:
            print(f"\r{clean(f'{done:,} of {of:,} cells')} …", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        if shown:
            print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
