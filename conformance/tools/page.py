"""What a tool shows: lines, tables and notes, as text of bounded width or as HTML."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup
from tabulate import tabulate

WIDTH = 100


@dataclass(frozen=True, slots=True, repr=False)
class Grid:
    """A table: `widest` is the most columns of text in each column, longer cells are wrapped."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widest: tuple[int, ...]

    def text(self) -> str:
        """The table with its title above it."""
        rows = [[_wrapped(cell, w) for cell, w in zip(row, self.widest, strict=True)] for row in self.rows]
        table = tabulate(rows, headers=self.heads, tablefmt="simple", disable_numparse=True)
        return f"{self.title}\n" + "\n".join(line.rstrip() for line in table.splitlines())

    def __repr__(self) -> str:
        return self.text()

    def html(self) -> Markup:
        """The table as HTML, everything in it escaped."""
        head = Markup("").join(
            Markup('<th style="text-align:left;padding:0 .8em">{}</th>').format(h) for h in self.heads
        )
        body = Markup("").join(
            Markup("<tr>{}</tr>").format(
                Markup("").join(
                    Markup('<td style="text-align:left;padding:0 .8em;vertical-align:top">{}</td>').format(_lines(c))
                    for c in row
                )
            )
            for row in self.rows
        )
        return Markup(
            '<p style="margin:.8em 0 .2em"><b>{}</b></p><table style="line-height:1.4"><tr>{}</tr>{}</table>'
        ).format(self.title, head, body)


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    """Lines first, then tables, then notes. It shows itself as text, so that a stored notebook can be compared."""

    lines: tuple[str, ...] = ()
    grids: tuple[Grid, ...] = ()
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """No line is wider than `WIDTH` columns."""
        parts = ["\n".join(_wrapped(line, WIDTH) for line in self.lines)] if self.lines else []
        parts += [grid.text() for grid in self.grids]
        if self.notes:
            parts.append(
                "\n".join(
                    textwrap.fill(note, WIDTH, initial_indent="· ", subsequent_indent="  ", break_on_hyphens=False)
                    for note in self.notes
                )
            )
        return "\n\n".join(parts)

    def html(self) -> str:
        """The same as HTML."""
        lines = Markup("").join(Markup("<div><b>{}</b></div>").format(line) for line in self.lines)
        grids = Markup("").join(grid.html() for grid in self.grids)
        notes = Markup("").join(Markup("<li>{}</li>").format(note) for note in self.notes)
        listed = (
            Markup('<ul style="margin:.4em 0;line-height:1.35">{}</ul>').format(notes) if self.notes else Markup("")
        )
        return str(lines + grids + listed)

    def __repr__(self) -> str:
        return self.text()


def _wrapped(text: str, width: int) -> str:
    lines = (textwrap.wrap(line, width, subsequent_indent="  ", break_on_hyphens=False) for line in text.split("\n"))
    return "\n".join("\n".join(each) for each in lines)


def _lines(cell: str) -> Markup:
    return Markup("<br>").join(cell.split("\n"))


def once(notes: Sequence[str]) -> tuple[str, ...]:
    """Notes without empty and repeated ones, in order."""
    return tuple(dict.fromkeys(note for note in notes if note))
