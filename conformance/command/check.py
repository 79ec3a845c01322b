"""`raw check`: whether all books load, and what they hold."""

from __future__ import annotations

import sys

from conformance.command.common import AGREES, BAD, Books
from conformance.command.library import Library
from conformance.command.page import Part, counted, page
from engine.book.load import load_book
from engine.book.problems import problems_in
from engine.errors import InputError
from engine.readings import Engine
from engine.terminal import clean


def check(books: Books = None) -> int:
    """Load all books; say what they hold, or what is wrong."""
    library = Library(books)
    rows: list[list[Part]] = []
    problems: list[str] = []
    for system, folder in library.folders.items():
        try:
            book = load_book(folder)
            Engine(book)
        except InputError as error:
            found = dict.fromkeys([str(e) for e in problems_in(folder)] or [str(error)])
            problems += found
            continue
        claims = book.claims()
        unclaimed = sum(not claimed and not book.passages[n].informative for n, claimed in claims.items())
        unruled = len(book.questions) - len(book.rulings)
        rows.append(
            [
                (system, "bold"),
                counted(len(book.clauses), "clause"),
                counted(len(book.questions), "question") + f" ({unruled} open)",
                counted(len(book.properties), "property", "properties"),
                counted(len(book.passages), "passage") + (f" ({unclaimed} unclaimed)" if unclaimed else ""),
                book.title,
            ]
        )
    page().table(rows)
    sys.stdout.flush()
    for problem in problems:
        print(clean(problem), file=sys.stderr)
    return BAD if problems else AGREES
