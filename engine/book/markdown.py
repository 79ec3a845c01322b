"""A Markdown file as sections: heading, prose, one YAML block, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token

from engine.book.files import read_raw, refuse_control
from engine.errors import BookError, Place

_ID = re.compile(r"(?P<id>[A-Z][A-Z0-9]*-[A-Z]?[A-Za-z0-9.\-]*[A-Za-z0-9])\s+(?P<title>\S.*)")
_NAME = re.compile(r"(?P<id>[A-Za-z][A-Za-z0-9\-]{0,30})\s+(?P<title>\S.*)")
MOST_BYTES = 2_000_000


@dataclass(frozen=True, slots=True)
class Grid:
    """A Markdown table: rows of cell texts, the heading row first."""

    rows: tuple[tuple[str, ...], ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading that carries an id."""

    id: str
    title: str
    place: Place
    text: str
    prose: str
    block: str
    block_line: int
    grids: tuple[Grid, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A whole file: its level-1 heading, what stands below that, its text, and the sections with ids."""

    file: Path
    title: str
    lead: str
    text: str
    sections: tuple[Section, ...]
    head: Section | None = None


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    # Only blocks matter here; prose is typeset where it is shown. Without inline rules a book loads in half the time.
    return MarkdownIt("commonmark").enable("table").disable("inline", ignoreInvalid=True)


def read_text(file: Path) -> str:
    """The text of a UTF-8 file.

    Raises `BookError` where it is missing, too large, no plain file, not UTF-8, or carries a byte order mark, CRLF line
    ends or control characters.
    """
    raw = read_raw(file, MOST_BYTES)
    if raw.startswith(b"\xef\xbb\xbf"):
        raise BookError("begins with a byte order mark", "save it as UTF-8 without one", Place(file, 1))
    if b"\r" in raw:
        line = raw[: raw.index(b"\r")].count(b"\n") + 1
        raise BookError("has CR line endings", "save it with LF line endings", Place(file, line))
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BookError("is not UTF-8", "save it as UTF-8", Place(file, line)) from None
    refuse_control(text, Place(file, 1))
    return text


def read_page(file: Path, *, with_head: bool = False) -> Page:
    """The sections of a chapter, of `questions.md`, of `properties.md` or of a proposal.

    `with_head` reads a proposal, whose level-1 heading carries its name and has a block of its own.

    Raises `BookError` for a level-3 heading without an id, for more than one block under an id, for a fence that
    never closes.
    """
    text = read_text(file)
    lines = text.split("\n")
    tokens = _parser().parse(text)
    title = next((_inline(tokens, i) for i, t in enumerate(tokens) if t.type == "heading_open" and t.tag == "h1"), "")
    bounds = [(i, t) for i, t in enumerate(tokens) if t.type == "heading_open" and t.level == 0]
    sections: list[Section] = []
    head, lead = None, ""
    _refuse_stray_blocks(file, tokens[: bounds[0][0]] if bounds else tokens)
    for position, (i, token) in enumerate(bounds):
        end = len(tokens) if position + 1 == len(bounds) else bounds[position + 1][0]
        last = len(lines) if position + 1 == len(bounds) else _first_line(bounds[position + 1][1])
        if token.tag == "h3":
            sections.append(_section(file, lines, tokens[i:end], last, _ID))
        elif with_head and token.tag == "h1" and head is None:
            head = _section(file, lines, tokens[i:end], last, _NAME)
        else:
            _refuse_stray_blocks(file, tokens[i:end])
            if token.tag == "h1" and not sections:
                lead = lead or "\n".join(lines[_first_line(token) + 1 : last]).strip()
    return Page(file, title, lead, _strip(text), tuple(sections), head)


def heading_lines(text: str) -> list[int]:
    """The lines (from 0) at which a page's headings stand, those inside other blocks aside."""
    return [_first_line(t) for t in _parser().parse(text) if t.type == "heading_open" and t.level == 0]


def _refuse_stray_blocks(file: Path, tokens: list[Token]) -> None:
    for token in tokens:
        if token.type == "fence" and token.info.strip() == "yaml":
            place = Place(file, _first_line(token) + 1)
            raise BookError("a yaml block that stands under no id", 'head it like "### WA-5.4 Attack test"', place)


def _section(file: Path, lines: list[str], tokens: list[Token], last: int, shape: re.Pattern[str]) -> Section:
    first = _first_line(tokens[0])
    place = Place(file, first + 1)
    heading = _inline(tokens, 0)
    match = shape.fullmatch(heading)
    if match is None:
        like = "### WA-5.4 Attack test" if shape is _ID else "# C4-a Stronger bodies"
        raise BookError(f'the heading "{heading[:60]}" has no id', f'write it like "{like}"', place)
    fences = [t for t in tokens if t.type == "fence"]
    for fence in fences:
        assert fence.map is not None
        if lines[fence.map[1] - 1].strip() != fence.markup:
            raise BookError(
                "a fenced block that never closes", f"end it with {fence.markup}", Place(file, fence.map[0] + 1)
            )
    blocks = [t for t in fences if t.info.strip() == "yaml"]
    if len(blocks) != 1:
        raise BookError(f"{match['id']} has {len(blocks)} yaml blocks", "give it exactly one", place)
    (block,) = blocks
    assert block.map is not None
    prose = _strip("\n".join(lines[first + 1 : block.map[0]] + lines[block.map[1] : last]))
    if not prose:
        raise BookError(f"{match['id']} says nothing", "state it in a sentence above its block", place)
    return Section(
        id=match["id"],
        title=match["title"].strip(),
        place=place,
        text=_strip("\n".join(line.rstrip() for line in lines[first:last])),
        prose=prose,
        block=block.content,
        block_line=block.map[0] + 2,
        grids=tuple(_grids(file, lines, tokens)),
    )


def _grids(file: Path, lines: list[str], tokens: list[Token]) -> Iterator[Grid]:
    rows: list[tuple[str, ...]] = []
    places: list[Place] = []
    cells: list[str] = []
    for i, token in enumerate(tokens):
        if token.type == "table_open":
            rows, places = [], []
        elif token.type == "tr_open":
            cells = []
            line = _first_line(token)
            places.append(Place(file, line + 1))
            # The parser drops what has no column.
            if rows and (surplus := _cells(lines[line]) - len(rows[0])) > 0:
                problem = f"a row with {surplus} cell{'' if surplus == 1 else 's'} more than the table has columns"
                raise BookError(problem, "give each its column, or write \\| for a bar within a cell", places[-1])
        elif token.type in ("th_open", "td_open"):
            cells.append(_inline(tokens, i))
        elif token.type == "tr_close":
            rows.append(tuple(cells))
        elif token.type == "table_close":
            yield Grid(tuple(rows), tuple(places))


def _cells(line: str) -> int:
    """How many cells a line of a table has."""
    cells = escapedSplit(line.strip(" >"))
    return len(cells) - (not cells[0].strip()) - (len(cells) > 1 and not cells[-1].strip())


def _inline(tokens: list[Token], opening: int) -> str:
    return tokens[opening + 1].content.strip()


def _first_line(token: Token) -> int:
    assert token.map is not None
    return token.map[0]


def _strip(text: str) -> str:
    return text.strip("\n").strip()
