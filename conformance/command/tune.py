"""`raw tune`: the smallest changes that meet targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from conformance.command.common import AGREES, DISAGREES, Books
from conformance.command.library import Library
from conformance.command.page import Page, Part, counted, page
from conformance.command.progress import progress
from engine.book.blocks import read_scalar
from engine.book.model import Band, Target
from engine.book.proposals import BANDS, TARGET_KEYS, read_band
from engine.errors import CallError, InputError, Place
from engine.values import show

if TYPE_CHECKING:
    from conformance.proposed.tuning import Search


def tune(
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="A system that has fights.toml.")],
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="WHAT=VALUES", help="What may move: strong.the_phach=0..3, weak.pills=0,2, a constant=4,6,8."
        ),
    ],
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="TARGET", help='Like "build=weak gap=0 win=35..45".', show_default=False),
    ] = None,
    of: Annotated[
        str,
        typer.Option("--for", metavar="PROPOSAL", help="Take the targets of this one, like C4.", show_default=False),
    ] = "",
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="PROPERTY", help="A property that must hold, like TU-P12.", show_default=False),
    ] = None,
    most: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="At most so many things move.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=200, help="List so many.")] = 10,
    write: Annotated[
        str, typer.Option(metavar="NAME", help="Write one of them as a proposal of this name.", show_default=False)
    ] = "",
    pick: Annotated[int, typer.Option(metavar="N", min=1, help="Which of them to write.")] = 1,
    books: Books = None,
) -> int:
    """Search a grid for the smallest changes that meet targets.

    Every combination is solved exactly, the smallest first: few things that
    move, then few steps. The exit status is 1 where none meets them.
    """
    from conformance.proposed.tuning import parameter, search
    from conformance.proposed.writing import write_proposal

    library = Library(books)
    book = library.book(system)
    targets = [_target(text) for text in target or ()]
    if of:
        _, proposal = library.proposal(f"{system}.{of}")
        targets += proposal.targets
    if not targets and not keep:
        raise CallError("nothing to meet", 'give --target "build=weak gap=0 win=35..45", --for C4, or --keep')
    parameters = [parameter(book, text) for text in vary]
    if len({p.name for p in parameters}) < len(parameters):
        raise CallError("--vary names one thing twice", "name each once")
    with progress() as tell:
        done = search(
            book,
            parameters,
            targets,
            keep=keep or (),
            most=most,
            limit=max(limit, pick) if write else limit,
            tell=lambda at, number: tell("combinations", at, number),
        )
    shown = page()
    _show(shown, done)
    if write and done.found:
        if pick > len(done.found):
            raise CallError(f"--pick {pick}: {counted(len(done.found), 'change')} were found", "pick one of them")
        file = write_proposal(book, write, done.found[pick - 1], parameters, keep or ())
        shown.line(f"written to {file}", indent=2)
        shown.gap()
        shown.line(("Next: ", "bold"), f"raw impact {write}")
    return AGREES if done.found else DISAGREES


def _target(text: str) -> Target:
    """`build=weak gap=0 win=35..45` as a target. Raises `CallError` for anything else."""
    inputs: dict[str, Any] = {}
    bands: dict[str, Band | None] = dict.fromkeys(BANDS)
    sweep = ""
    for word in text.replace(",", " ").split():
        key, equals, value = word.partition("=")
        if not equals or not key or not value:
            raise CallError(f'--target "{text[:60]}"', 'write it like "build=weak gap=0 win=35..45"')
        if key in BANDS:
            try:
                bands[key] = read_band(value, None, key)
            except InputError as error:
                raise CallError(f"--target: {error.problem}", error.remedy) from None
        elif key in TARGET_KEYS:
            sweep = value
        else:
            inputs[key] = read_scalar(value)
    if not any(bands.values()):
        raise CallError(f'--target "{text[:60]}" has no band', "add win=35..45 or rounds=4..6")
    from pathlib import Path

    return Target(inputs, bands["win"], bands["rounds"], sweep, Place(Path("--target"), 1))


def _show(shown: Page, done: Search) -> None:
    from conformance.proposed.fights import target_words

    searched = f"{done.tried:,} of {done.combinations:,} combinations tried, the smallest first"
    if not done.found:
        shown.line(f"No change of this grid meets the targets ({searched}).")
        return
    shown.line((counted(len(done.found), "change") + " that meet the targets", "bold"), f" ({searched})")
    head: list[Part] = [("", "dim"), ("moves", "dim"), *((target_words(t), "dim") for t in done.targets)]
    rows: list[list[Part]] = [head]
    for number, move in enumerate(done.found, 1):
        moves = ", ".join(f"{name} {show(old)} → {show(new)}" for name, (old, new) in move.moves.items())
        scores = [f"{aim.score.win:.2f} %" if aim.score is not None else "" for aim in move.aims]
        rows.append([str(number), (moves or "as it stands", "bold"), *scores])
    shown.table(rows, indent=2)
