"""The books at hand, and what a word of the operator means in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path

from engine.book.bound import KINDS, PASSAGES, Bound, bound_parts
from engine.book.load import find_books, load_book
from engine.book.model import Book, Clause, Passage, Property, Proposal, Question
from engine.book.proposals import proposal_of
from engine.book.registers import read_settings
from engine.book.write import finish_writing
from engine.errors import BookError, CallError, InputError, Place

Target = Clause | Question | Property | Passage | Bound

PROJECT = Path(__file__).resolve().parents[2]

_ID = re.compile(r"(?P<prefix>[A-Za-z][A-Za-z0-9]*)-(?P<number>[QqPp]?[0-9][0-9.]*)")
_DECLARED = re.compile(rf"(?P<prefix>[A-Za-z][A-Za-z0-9]*)-(?P<name>(?:{'|'.join(KINDS)})-\S+|{PASSAGES})", re.ASCII)
_PASSAGE = re.compile(r"(?P<prefix>[A-Za-z][A-Za-z0-9_]*):(?P<number>[0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Found:
    """A part of a book."""

    book: Book
    part: Target


class Library:
    """The books below a folder, each read when it is asked for."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = near(folder if folder is not None else default_folder())
        self.chosen: tuple[str, ...] = ()
        paths = [self.folder] if (self.folder / "book.toml").is_file() else find_books(self.folder)
        if paths == [self.folder]:
            # A single book: its neighbours are not looked at.
            self.folder, self.chosen = self.folder.resolve().parent, (self.folder.resolve().name,)
        self.folders = {path.resolve().name: path for path in paths}
        if not self.folders:
            raise BookError(
                "no rule book here",
                "point --books at a folder of rule books, or make one with `raw new`",
                Place(self.folder, 1),
            )
        for path in self.folders.values():
            finish_writing(path)
        self._loaded: dict[str, Book] = {}

    def book(self, system: str) -> Book:
        """The book of a system. Raises `CallError` for an unknown one, `BookError` for a broken one."""
        if system not in self._loaded:
            self._loaded[system] = load_book(self.folder_of(system))
        return self._loaded[system]

    def folder_of(self, system: str) -> Path:
        """Where a system's book lies. Raises `CallError` for an unknown one."""
        if system not in self.folders:
            raise CallError(f"there is no system {system[:60]}", suggest(system, self.folders))
        return self.folders[system]

    def books(self) -> list[Book]:
        """All books, in the order of their names."""
        return [self.book(system) for system in self.folders]

    def _sound(self) -> tuple[list[Book], InputError | None]:
        """The books that load, and the first error of those that do not: a broken book does not hide the others."""
        books: list[Book] = []
        broken: InputError | None = None
        for system in self.folders:
            try:
                books.append(self.book(system))
            except InputError as error:
                broken = broken or error
        return books, broken

    def of_prefix(self, prefix: str) -> Book:
        """The book whose ids begin with `prefix`; others are not read."""
        prefixes = {read_settings(path)["prefix"]: system for system, path in self.folders.items()}
        if prefix not in prefixes:
            raise CallError(f"no book has ids that begin with {prefix[:60]}", suggest(prefix, prefixes))
        return self.book(prefixes[prefix])

    def find(self, word: str) -> Found:
        """What an id, a passage (`WA:14`), a name (`max_mp`) or a system's name (`worlds_awakening.max_mp`) means.

        What a TOML file of the book declares has an id too, like `WA-input-level`. Raises `CallError` with the closest
        of what there is.
        """
        if _DECLARED.fullmatch(word):
            return Found(*self.bound(word))
        if match := _ID.fullmatch(word):
            book = self.of_prefix(match["prefix"].upper())
            return Found(book, _part(book, word.upper()))
        if match := _PASSAGE.fullmatch(word):
            prefix = match["prefix"]
            book = self.book(prefix) if prefix in self.folders else self.of_prefix(prefix.upper())
            number = int(match["number"])
            if number not in book.passages:
                raise CallError(
                    f"the source of {book.system} has no passage {number}", f"{book.prefix}:{_range(book.passages)}"
                )
            return Found(book, book.passages[number])
        book, name = self.named(word)
        return Found(book, book.clause_of(name))

    def bound(self, word: str) -> tuple[Book, Bound]:
        """What an approval of `word` is about: a part of any kind, retired ones too.

        Raises `CallError` with the closest of what there is.
        """
        if match := _DECLARED.fullmatch(word):
            book, id_ = self.of_prefix(match["prefix"].upper()), f"{match['prefix'].upper()}-{match['name']}"
        elif match := _ID.fullmatch(word):
            book, id_ = self.of_prefix(match["prefix"].upper()), word.upper()
        else:
            book, name = self.named(word)
            id_ = book.clause_of(name).id
        parts = bound_parts(book)
        if id_ not in parts:
            raise CallError(f"{book.system} has no {id_[:60]}", suggest(id_, parts))
        return book, parts[id_]

    def alike(self, pattern: str) -> tuple[Book, list[str]]:
        """The ids of all parts of a book that a pattern such as `WA-5.*` or `WA-input-*` names, in their order.

        Raises `CallError` where there is none.
        """
        book = self.of_prefix(pattern.partition("-")[0].upper())
        ids = [id_ for id_ in bound_parts(book) if fnmatchcase(id_, f"{book.prefix}-{pattern.partition('-')[2]}")]
        if not ids:
            remedy = f"ids look like {book.prefix}-5.4, {book.prefix}-Q03, {book.prefix}-input-level"
            raise CallError(f"{book.system} has nothing like {pattern[:60]}", remedy)
        return book, ids

    def proposal(self, word: str) -> tuple[Book, Proposal]:
        """An open proposal by its name, `C4-a` or `tu_chan_gioi.C4-a`. Raises `CallError` for an unknown one."""
        system, dot, name = word.partition(".")
        if dot and system in self.folders:
            return self.book(system), proposal_of(self.book(system), name)
        holding = [path.name for path in self.folders.values() if _holds_proposal(path, word)]
        if len(holding) > 1:
            choices = ", ".join(f"{system}.{word}" for system in holding)
            raise CallError(f"{len(holding)} books have a proposal {word[:60]}", f"write {choices}")
        if not holding:
            raise CallError(f"there is no proposal {word[:60]}", suggest(word, self.proposals))
        book = self.book(holding[0])
        return book, proposal_of(book, word)

    @property
    def proposals(self) -> list[str]:
        """The names of all open proposals."""
        return [file.stem for path in self.folders.values() for file in sorted(path.glob("proposals/*.md"))]

    def named(self, word: str) -> tuple[Book, str]:
        """The book and the name that can be called. Raises `CallError` for an unknown or an ambiguous one."""
        system, dot, name = word.partition(".")
        if dot and system in self.folders:
            book = self.book(system)
            if name not in book.names:
                raise CallError(f"{system} defines no {name[:60]}", suggest(name, book.names))
            return book, name
        if dot and not _ID.fullmatch(word) and word.replace(".", "").replace("_", "").isalnum():
            raise CallError(f"there is no system {system[:60]}", suggest(system, self.folders))
        books, broken = self._sound()
        holding = [book for book in books if word in book.names]
        if len(holding) > 1:
            choices = ", ".join(f"{book.system}.{word}" for book in holding)
            raise CallError(f"{word} is defined in {len(holding)} books", f"write {choices}")
        if not holding:
            if broken is not None:
                raise broken  # it may be where the name is defined
            every = [name for book in books for name in (*book.names, *(part.id for part in book.parts))]
            every += self.folders
            raise CallError(f"nothing is called {word[:60]}", suggest(word, every))
        return holding[0], word


def default_folder() -> Path:
    """The folder of books where none is named: `spec` here, and anywhere within the project its own.

    Elsewhere nothing is guessed: a command that writes would change books that nobody named.
    """
    here = Path("spec")
    within = Path.cwd().is_relative_to(PROJECT)
    return PROJECT / "spec" if within and not any(here.glob("*/book.toml")) else here


def _holds_proposal(folder: Path, name: str) -> bool:
    return any(file.stem == name for file in folder.glob("proposals/*.md"))


def near(folder: Path) -> Path:
    """The file or folder as seen from here, so that places are short and can be clicked."""
    try:
        return folder.resolve().relative_to(Path.cwd()) if folder.is_absolute() else folder
    except ValueError:
        return folder


def _part(book: Book, id_: str) -> Target:
    tables: tuple[Mapping[str, Target], ...] = (book.clauses, book.questions, book.properties)
    for table in tables:
        if id_ in table:
            return table[id_]
    if id_ in book.retired:
        raise CallError(f"{id_} was retired", "it rules nothing any more; its history is in the book's log")
    raise CallError(f"{book.system} has no {id_[:60]}", suggest(id_, [part.id for part in book.parts]))


def suggest(word: str, known: Iterable[str]) -> str:
    """What the operator may have meant, or what there is."""
    known = list(dict.fromkeys(known))
    close = get_close_matches(word, known, n=3, cutoff=0.6)
    if not close:
        lowered = {name.lower(): name for name in known}
        close = [lowered[name] for name in get_close_matches(word.lower(), lowered, n=3, cutoff=0.6)]
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"there are {', '.join(known[:12])}{' …' if len(known) > 12 else ''}" if known else "there is none yet"


def at_command(error: InputError, where: str) -> str:
    """The one line of an error; `where` stands in for the place of one that lies in no file."""
    return str(error) if error.place else f"{where}: {error}"


def _range(numbers: Mapping[int, object]) -> str:
    return f"{min(numbers)} to {max(numbers)}" if numbers else "none"
