"""Where things stand on the site: a book has a page of its own, some beside it, and one for each chapter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.book.model import Book

_STRANGE = re.compile(r"[^A-Za-z0-9_\-]+")


def page_of(system: str) -> str:
    """The address of a system's page."""
    return f"{system}.html"


def questions_page(system: str) -> str:
    """The address of the page with a system's questions."""
    # A dot after the system's name: a proposal's page has a hyphen there, so that no two are the same.
    return f"{system}.questions.html"


def properties_page(system: str) -> str:
    """The address of the page with a system's properties."""
    return f"{system}.properties.html"


def passages_page(system: str) -> str:
    """The address of the page that says what each passage of a system's source became."""
    return f"{system}.passages.html"


def chapter_pages(book: Book) -> dict[str, str]:
    """The addresses of the pages of a book's chapters, by their files' names."""
    pages: dict[str, str] = {}
    for stem in book.chapters:
        slug = _STRANGE.sub("-", stem)
        again = sum(address.startswith(f"{book.system}.{slug}.") for address in pages.values())
        pages[stem] = f"{book.system}.{slug}.{again + 1}.html" if again else f"{book.system}.{slug}.html"
    return pages


@dataclass(frozen=True, slots=True)
class Places:
    """Addresses as they are written on one page: what stands there needs no name of a page.

    `parts` are those of clauses, questions and properties; `home` and `passages` lead to a book's pages, and take an
    anchor behind them.
    """

    parts: Mapping[str, str]
    home: str
    passages: str

    def at(self, part: str) -> str:
        """The address of a part; that of the book's page where there is no such part."""
        return self.parts.get(part, self.home)


def places(book: Book, on: str | None = None) -> Places:
    """The addresses of a book's parts, as written on the page `on`: the book's own where None is said."""
    home = page_of(book.system)
    on = home if on is None else on

    def short(page: str) -> str:
        return "" if page == on else page

    chapters = chapter_pages(book)
    asked, claimed = short(questions_page(book.system)), short(properties_page(book.system))
    parts = {c.id: f"{short(chapters[c.chapter])}#{c.id}" for c in book.clauses.values()}
    parts |= {id_: f"{asked}#{id_}" for id_ in book.questions}
    parts |= {id_: f"{claimed}#{id_}" for id_ in book.properties}
    return Places(parts, short(home), short(passages_page(book.system)))
