"""Digests of what people judge: a part, a proposal, a whole book."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.book.blocks import Map, read_block
from engine.book.model import Book, Clause, Property, Proposal, Question
from engine.errors import BookError

_FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,})(?P<info>[^`\n]*)$", re.MULTILINE)


def part_digest(part: Clause | Question | Property) -> str:
    """SHA-256 of what a part says: its prose as written, its block as the data that it holds."""
    return text_digest(part.text, part.block)


def text_digest(text: str, data: Map | None = None) -> str:
    """SHA-256 of a part's text, in which the layout and the comments of its block count for nothing.

    Lists keep their order; the keys of mappings have none. `data` is the block as it was read, where it was.
    """
    before, block, after = _split(text)
    if block:
        # An earlier text that no book could hold today stays as it is.
        with contextlib.suppress(BookError):
            if data is None or _bare(data.text) != _bare(block):
                data = read_block(block, Path(), 1)
            # No text of a book holds a NUL, so that nothing else comes out alike.
            text = f"{before}\0{_data(data)}\0{after}"
    return hashlib.sha256(text.encode()).hexdigest()


def _bare(block: str) -> list[str]:
    return [line.rstrip() for line in block.rstrip("\n").split("\n")]


def proposal_digest(proposal: Proposal) -> str:
    """SHA-256 of a proposal as written: a decision is about every word of it."""
    return hashlib.sha256(proposal.text.encode()).hexdigest()


def _split(text: str) -> tuple[str, str, str]:
    """What stands before the first yaml block, in it, and after it."""
    opened = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif not fence["info"].strip() and fence["fence"].startswith(opened["fence"]):
            if opened["info"].strip() == "yaml":
                return text[: opened.end()], text[opened.end() + 1 : fence.start()], text[fence.start() :]
            opened = None
    return text, "", ""


def _data(value: Any) -> str:
    """A block's data in one line: numbers bare and exact, text in quotes, keys sorted."""
    if isinstance(value, Map):
        return "{" + ",".join(f"{json.dumps(key)}:{_data(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_data, value)) + "]"
    return json.dumps(value) if isinstance(value, str | bool | None) else str(value)


def lines_digest(lines: Iterable[str]) -> str:
    """SHA-256 over lines in their order."""
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def book_digest(book: Book) -> str:
    """SHA-256 over the book's files: their names and bytes in order."""
    whole = hashlib.sha256()
    for file in _files(book.folder):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        whole.update(f"{file.relative_to(book.folder).as_posix()} {content}\n".encode())
    return whole.hexdigest()


def _files(folder: Path) -> list[Path]:
    return sorted(f for f in folder.rglob("*") if f.suffix in (".md", ".toml") and f.is_file())
