"""Small rule books, written into a folder that a test owns."""

import hashlib
from pathlib import Path

from engine.book.load import load_book
from engine.book.model import Book

SOURCE = "One rule.\n"


def write_book(
    parent: Path,
    chapter: str,
    *,
    questions: str = "",
    properties: str = "",
    domains: dict[str, object] | None = None,
    system: str = "test_system",
    prefix: str = "TT",
    source: str = SOURCE,
    files: dict[str, str] | None = None,
) -> Path:
    """The folder of a book with one chapter; every non-empty line of `source` is a passage."""
    folder = parent / system
    folder.mkdir()
    lines = [f'system = "{system}"', f'prefix = "{prefix}"', 'title = "Test"', 'source = "source.txt"', "[domains]"]
    for name, domain in (domains or {}).items():
        words = ", ".join(f'"{word}"' for word in domain) if isinstance(domain, list) else None
        lines.append(f"{name} = [{words}]" if words is not None else f'{name} = "{domain}"')
    passages = ["[passages]"]
    for number, line in enumerate(source.encode().split(b"\n"), 1):
        if line.strip():
            passages.append(f'{number} = {{sha256 = "{hashlib.sha256(line).hexdigest()}"}}')
    texts = {
        "book.toml": "\n".join(lines) + "\n",
        "passages.toml": "\n".join(passages) + "\n",
        "01-rules.md": f"# Rules\n\n{chapter.strip()}\n",
        "questions.md": f"# Questions\n\n{questions.strip()}\n",
        "properties.md": f"# Properties\n\n{properties.strip()}\n",
        **(files or {}),
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def book_of(parent: Path, chapter: str, **parts: object) -> Book:
    """Such a book, loaded."""
    return load_book(write_book(parent, chapter, **parts))  # type: ignore[arg-type]
