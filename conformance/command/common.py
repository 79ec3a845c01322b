"""What the commands share: exit statuses and options."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer

from engine.errors import CallError

AGREES = 0
DISAGREES = 1
BAD = 2
UNSETTLED = 3
STOPPED = 130  # what shells use for one that was interrupted

Books = Annotated[
    Path | None, typer.Option("--books", metavar="DIR", help="The folder of rule books.", show_default=False)
]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Who decides.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, in a sentence.")]
On = Annotated[
    str | None, typer.Option("--on", metavar="DATE", help="The day, like 2026-01-31 (today).", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")]


def day(text: str | None) -> dt.date:
    """A day by its ISO form; today without one. Raises `CallError` for anything else."""
    if text is None:
        return dt.datetime.now().astimezone().date()
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise CallError(f'--on "{text[:60]}" is no day', "write it like 2026-01-31") from None


def split_choice(text: str, option: str) -> tuple[str, str]:
    """`Q07=half-up` as its two halves. Raises `CallError` where it is none."""
    left, equals, right = text.partition("=")
    if not equals or not left.strip() or not right.strip():
        raise CallError(f'{option} "{text[:60]}" is no choice', f"write it like {option} Q07=half-up")
    return left.strip(), right.strip()
