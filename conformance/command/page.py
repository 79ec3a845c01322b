"""What the command prints: text of books is data, lines break between words and never within an id.

On a terminal, lines are wrapped to its width; in a pipe each stays one line, without colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from engine.terminal import clean

Part = str | tuple[str, str]
"""A piece of text, or (piece, style)."""

NARROWEST = 40
_ITEM = re.compile(r"\s*(?:[-*]|\d+[.)])\s")
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")


def width_of(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return cell_len(text)


def counted(number: int, one: str, many: str = "") -> str:
    """`1 clause`, `3 clauses`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


class Page:
    """Prints lines and tables."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._open = False

    def line(self, *parts: Part, indent: int = 0, hang: int = 0) -> None:
        """One line; where it must be wrapped, what follows is indented by `hang` more."""
        text = _text(parts)
        if not self.console.is_terminal:
            self._print(Text(" " * indent).append_text(text))
            return
        first, *more = text.wrap(self.console, max(self.console.width - indent, NARROWEST))
        if more:
            # What follows is narrower by the hang than the first line, so it is wrapped by itself.
            rest = text[len(text) - len(text.plain[len(first.plain.rstrip()) :].lstrip()) :]
            more = list(rest.wrap(self.console, max(self.console.width - indent - hang, NARROWEST)))
        for i, wrapped in enumerate((first, *more)):
            wrapped.rstrip()
            self._print(Text(" " * (indent + (hang if i else 0))).append_text(wrapped))

    def gap(self) -> None:
        """An empty line, where the line above is none."""
        if self._open:
            self._print(Text())

    def prose(self, text: str, indent: int = 0) -> None:
        """Paragraphs, lists and tables of a book; line breaks within a paragraph are no part of the text."""
        for i, paragraph in enumerate(text.split("\n\n")):
            if i:
                self.gap()
            for line in _flowing(paragraph):
                self.line(*_emphasised(line), indent=indent, hang=3 if _ITEM.match(line) else 0)

    def table(self, rows: Sequence[Sequence[Part]], indent: int = 0, gap: int = 2) -> None:
        """Rows in columns as wide as their widest cell; the last column may wrap."""
        if not rows:
            return
        columns = max(len(row) for row in rows)
        widths = [max((_width(row[c]) for row in rows if c < len(row) - 1), default=0) for c in range(columns)]
        for row in rows:
            parts: list[Part] = []
            for cell, width in zip(row[:-1], widths, strict=False):
                parts += [cell, " " * (width - _width(cell) + gap)]
            start = sum(widths[: len(row) - 1]) + gap * (len(row) - 1)
            self.line(*parts, row[-1], indent=indent, hang=start if start < self.console.width // 2 else 4)

    def _print(self, text: Text) -> None:
        text.rstrip()
        self._open = bool(text)
        self.console.print(text, soft_wrap=True, markup=False, highlight=False, emoji=False)


def page() -> Page:
    """A page on standard output, as it is at this moment."""
    return Page(Console(highlight=False, markup=False, emoji=False))


def _flowing(paragraph: str) -> list[str]:
    """The lines of a paragraph that belong apart: items of a list, rows of a table, else one line."""
    lines: list[str] = []
    for line in paragraph.split("\n"):
        if not lines or _ITEM.match(line) or line.lstrip().startswith(("|", ">")):
            lines.append(line.rstrip())
        else:
            lines[-1] += f" {line.strip()}"
    return lines


def _emphasised(line: str) -> list[Part]:
    """The line with what stands between double asterisks in bold."""
    pieces = _BOLD.split(line)
    return [(piece, "bold") if i % 2 else piece for i, piece in enumerate(pieces)]


def _text(parts: Iterable[Part]) -> Text:
    text = Text()
    for part in parts:
        if isinstance(part, str):
            text.append(clean(part))
        else:
            text.append(clean(part[0]), style=part[1])
    return text


def _width(part: Part) -> int:
    return width_of(clean(part if isinstance(part, str) else part[0]))
