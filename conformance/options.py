"""The options of a run, and the books that they open."""

from __future__ import annotations

import dataclasses
import datetime as dt
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.book.load import find_books, load_book
from engine.book.model import Book, Ruling
from engine.errors import InputError, Place
from engine.readings import Engine


@dataclass(frozen=True, slots=True)
class Options:
    """What to run, and against what.

    `readings` are texts such as `WA-Q07=half-up`, or `Q07=half-up` where one system runs. `engine` is the command of
    an engine under test; without it the built-in engine answers. `selection` says which part of the suite ran.
    """

    books: Path = Path("spec")
    systems: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    profile: str = ""
    engine: str = ""
    sources: Path | None = None
    selection: str = ""

    def shown(self) -> dict[str, str]:
        """The options that were given, for the header of the results."""
        given = {
            "books": self.books.as_posix() if self.books != Path("spec") else "",
            "systems": ", ".join(self.systems),
            "proposals": ", ".join(self.proposals),
            "readings": ", ".join(self.readings),
            "profile": self.profile,
            "sources": "checked" if self.sources is not None else "",
            "selection": self.selection,
        }
        return {name: value for name, value in given.items() if value}


def open_engines(options: Options) -> tuple[Engine, ...]:
    """The engines of the books that the options choose, in the order of their names.

    Raises `InputError`, in one line, for a bad book and for an option that names what is not there.
    """
    for name, text in (("books", str(options.books)), ("engine", options.engine)):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InputError(f"--{name} {text[:60]}: no UTF-8", "results name it: give it another name") from None
    folders = find_books(options.books)
    if not folders:
        raise InputError("no rule book", "a folder with a book.toml in it", Place(options.books, 1))
    known = [folder.name for folder in folders]
    for system in options.systems:
        if system not in known:
            raise InputError(f"--system {system[:60]}: there is no such system", f"one of {', '.join(known)}")
    chosen = [folder for folder in folders if not options.systems or folder.name in options.systems]
    offered = {folder: {file.stem for file in folder.glob("proposals/*.md")} for folder in chosen}
    for name in options.proposals:
        if not any(name in names for names in offered.values()):
            every = sorted(set().union(*offered.values())) if offered else []
            raise InputError(
                f"--proposal {name[:60]}: there is no such proposal", f"one of {', '.join(every) or 'none'}"
            )
    engines = tuple(
        Engine(load_book(folder, [name for name in options.proposals if name in offered[folder]])) for folder in chosen
    )
    fixed_readings(engines, options)
    if options.sources is not None and not options.sources.is_dir():
        raise InputError(f"--sources {options.sources}: there is no such folder", "the folder that holds the sources")
    if options.engine:
        command_of(options.engine)
    return engines


def fixed_readings(engines: Sequence[Engine], options: Options) -> dict[str, dict[str, str]]:
    """The readings that a profile and `--reading` fix, by system and then by the question's name in formulas.

    Raises `InputError` for one that does not exist.
    """
    fixed: dict[str, dict[str, str]] = {engine.book.system: {} for engine in engines}
    if options.profile:
        holders = [engine.book for engine in engines if options.profile in engine.book.profiles]
        if not holders:
            every = sorted({name for engine in engines for name in engine.book.profiles})
            raise InputError(
                f"--profile {options.profile[:60]}: there is no such profile", f"one of {', '.join(every) or 'none'}"
            )
        for book in holders:
            fixed[book.system] |= book.profiles[options.profile]
    for text in options.readings:
        name, equals, reading = text.partition("=")
        if not equals or not name or not reading:
            raise InputError(f"--reading {text[:60]}: it fixes nothing", "write it like WA-Q07=half-up")
        book = _book_of(engines, name)
        question = book.questions.get(f"{book.prefix}-{name.rpartition('-')[2]}")
        if question is None:
            raise InputError(
                f"--reading {text[:60]}: there is no question {name[:60]}", f"see {book.folder}/questions.md"
            )
        readings = [r.id for r in question.readings]
        if reading not in readings:
            raise InputError(
                f"--reading {text[:60]}: {question.id} has no such reading", f"one of {', '.join(readings) or 'none'}"
            )
        fixed[book.system][question.name] = reading
    return fixed


def _book_of(engines: Sequence[Engine], name: str) -> Book:
    prefix, dash, _ = name.rpartition("-")
    books = [engine.book for engine in engines if not dash or engine.book.prefix == prefix]
    if not books:
        known = ", ".join(engine.book.prefix for engine in engines)
        raise InputError(f"--reading {name[:60]}: no book has the prefix {prefix[:60]}", f"one of {known}")
    if len(books) > 1:
        raise InputError(
            f"--reading {name[:60]}: several systems run", f"name the system too: {books[0].prefix}-{name[:60]}=…"
        )
    return books[0]


def fix(engine: Engine, readings: Mapping[str, str]) -> Engine:
    """The engine as if these readings (by name in formulas) were ruled."""
    if not readings:
        return engine
    book = engine.book
    rulings = dict(book.rulings)
    for name, reading in readings.items():
        question = f"{book.prefix}-{name}"
        rulings[question] = Ruling(question, reading, "--reading", dt.date.min, "", Place(book.folder, 1))
    return Engine(dataclasses.replace(book, rulings=rulings))


def command_of(text: str) -> list[str]:
    """The command of an engine under test as its words. No shell ever sees it.

    Raises `InputError` where it is no command, or names a program that is not there.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InputError(f"--engine {text[:60]}: {error}", 'write it like --engine "node my_engine.mjs"') from None
    if not words:
        raise InputError("--engine is empty", 'write it like --engine "node my_engine.mjs"')
    if shutil.which(words[0]) is None:
        raise InputError(f"--engine: there is no program {words[0][:60]}", "name one that runs here")
    return words
