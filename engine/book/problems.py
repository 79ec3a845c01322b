"""All that is wrong with a book that does not load, where loading stops at the first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from engine.book.domains import Domain
from engine.book.ids import owned
from engine.book.load import load_book
from engine.book.markdown import read_page
from engine.book.parts import read_clause, read_property, read_question
from engine.book.registers import (
    read_approvals,
    read_domains,
    read_passages,
    read_profiles,
    read_rulings,
    read_settings,
    read_toml,
)
from engine.errors import InputError


def problems_in(folder: Path) -> list[InputError]:
    """Every problem of the parts of a book, each with its place; else the one that the book has as a whole."""
    found: list[InputError] = []

    def tried(read: Callable[[], object]) -> bool:
        try:
            read()
        except InputError as error:
            found.append(error)
            return False
        return True

    for name, read in (
        ("passages", read_passages),
        ("rulings", read_rulings),
        ("approved", read_approvals),
        ("profiles", read_profiles),
    ):
        tried(partial(read, folder / f"{name}.toml"))
    domains: dict[str, Domain] = {}
    if tried(partial(read_settings, folder)):
        settings = read_toml(folder / "book.toml")
        prefix = settings["prefix"]
        if tried(lambda: domains.update(read_domains(settings.get("domains", {}), folder / "book.toml"))):
            for file in sorted(folder.glob("*.md")):
                kind = "Q" if file.stem.startswith("questions") else "P" if file.stem.startswith("properties") else ""
                if not kind and not file.name[:2].isdigit():
                    continue
                for section in read_page(file).sections if tried(partial(read_page, file)) else ():
                    if kind == "Q":
                        tried(lambda s=section: read_question(owned(s, prefix, "Q")))  # type: ignore[misc]
                    elif kind == "P":
                        tried(lambda s=section: read_property(owned(s, prefix, "P"), domains))  # type: ignore[misc]
                    else:
                        tried(lambda s=section: read_clause(owned(s, prefix, ""), "", domains))  # type: ignore[misc]
    if not found:
        tried(lambda: load_book(folder))
    return found
