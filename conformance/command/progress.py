"""Long work shows how far it is, on standard error."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from engine.terminal import clean


@contextlib.contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on a terminal, else one line for each thing that is begun; both on standard error."""
    if not sys.stderr.isatty():
        last = ""

        def say(what: str, done: int, of: int) -> None:  # noqa: ARG001 - the bar shows them
            nonlocal last
            if what != last:
                print(f"  {clean(what)}", file=sys.stderr, flush=True)
                last = what

        yield say
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(what: str, done: int, of: int) -> None:
            bar.update(task, description=escape(clean(what)), completed=done, total=of)

        yield show
