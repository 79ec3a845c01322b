"""Digests of what people judge: a part, a proposal, a whole book."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from engine.book.model import Book, Clause, Property, Proposal, Question


def part_digest(part: Clause | Question | Property | Proposal) -> str:
    """SHA-256 of a part as written (trailing blanks and line ends aside)."""
    return hashlib.sha256(part.text.encode()).hexdigest()


def parts_digest(parts: Iterable[Clause | Question | Property]) -> str:
    """SHA-256 over the ids and digests of several parts in their order."""
    return lines_digest(f"{part.id} {part_digest(part)}" for part in parts)


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
