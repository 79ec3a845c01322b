"""A loadable rule book from any prose document: every passage listed, all still unclaimed but the example's."""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from engine.book.files import read_raw
from engine.book.load import find_books, load_book
from engine.book.markdown import MOST_BYTES
from engine.book.model import Book
from engine.book.registers import read_settings
from engine.book.sources import passages_of
from engine.errors import BookError, CallError, InputError, Place

_SYSTEM = re.compile(r"[a-z][a-z0-9_]{0,39}")
_PREFIX = re.compile(r"[A-Z][A-Z0-9]{0,11}")
MOST_PASSAGES = 20_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What a new book is called."""

    system: str
    prefix: str
    title: str


def plan(books: Path, system: str, prefix: str | None = None, title: str | None = None) -> Plan:
    """Names for a new book below `books`. Raises `CallError` for a bad name and for one that is taken."""
    if not _SYSTEM.fullmatch(system):
        raise CallError(f'--system "{system[:60]}"', "small ASCII letters, digits and _, like soul_level")
    folder = books / system
    if folder.exists():
        raise InputError("is there already", "choose another --system", Place(folder, 1))
    taken = {read_settings(path)["prefix"]: path for path in (find_books(books) if books.is_dir() else [])}
    if prefix is None:
        words = [word for word in system.split("_") if word]
        prefix = ("".join(word[0] for word in words) if len(words) > 1 else system[:4]).upper()
        prefix = next(p for p in (prefix, *(f"{prefix}{n}" for n in range(2, 1000))) if p not in taken)
    if not _PREFIX.fullmatch(prefix):
        raise CallError(f'--prefix "{prefix[:60]}"', "capital ASCII letters and digits, like WA")
    if prefix in taken:
        raise InputError(
            f"the prefix {prefix} is taken", "choose another --prefix", Place(taken[prefix] / "book.toml", 1)
        )
    title = " ".join((title or system.replace("_", " ").title()).split())
    if not title.isprintable():
        raise CallError("--title is no plain line of text", "printable characters only")
    return Plan(system, prefix, title)


def read_document(file: Path) -> bytes:
    """The bytes of a prose document.

    Raises `BookError`, with its line, for one that is missing, empty, too large, no UTF-8 text, or that carries a byte
    order mark or CR line ends.
    """
    raw = read_raw(file, MOST_BYTES, "name a prose document")
    if raw.startswith(b"\xef\xbb\xbf"):
        raise BookError("begins with a byte order mark", "save it as UTF-8 without one", Place(file, 1))
    for byte, what, remedy in (
        (b"\0", "holds NUL bytes: no UTF-8 text", "save it as UTF-8"),
        (b"\r", "has CR line endings", "save it with LF line endings"),
    ):
        if byte in raw:
            raise BookError(what, remedy, Place(file, raw[: raw.index(byte)].count(b"\n") + 1))
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BookError("is not UTF-8", "save it as UTF-8", Place(file, line)) from None
    passages = passages_of(raw)
    if not passages:
        raise BookError("holds no text", "name a prose document", Place(file, 1))
    if len(passages) > MOST_PASSAGES:
        raise BookError(f"{len(passages)} passages", f"at most {MOST_PASSAGES}: split it", Place(file, 1))
    return raw


def scaffold(document: Path, books: Path, names: Plan) -> Book:
    """Writes the book `books/SYSTEM` for a document, whole or not at all.

    Raises `InputError` for a document that `read_document` refuses and where the folder is there already.
    """
    raw = read_document(document)
    if not all(c.isprintable() for c in document.name):
        raise BookError("a file name with control characters", "rename the document", Place(document, 1))
    folder = books / names.system
    try:
        books.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=books, prefix=f".{names.system}.") as scratch:
            draft = Path(scratch) / names.system
            draft.mkdir()
            for name, text in _files(
                document.name, passages_of(raw), names, schemas=(books / "schema").is_dir()
            ).items():
                (draft / name).write_text(text, encoding="utf-8", newline="\n")
            load_book(draft)
            if folder.exists():
                raise InputError("is there already", "choose another --system", Place(folder, 1))
            # A rename, so that the folder is there whole; one made meanwhile by another is not written over.
            draft.rename(folder)
            shutil.copystat(books, folder)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror})", "check the folder's permissions", Place(folder, 1)
        ) from None
    return load_book(folder)


def _files(source: str, passages: dict[int, str], names: Plan, *, schemas: bool) -> dict[str, str]:
    first = min(passages)
    prefix = names.prefix

    def directive(schema: str) -> str:
        return f"#:schema ../schema/{schema}.json\n" if schemas else ""

    return {
        "book.toml": directive("book")
        + f"""\
system = "{names.system}"
prefix = "{prefix}"
title = {_quoted(names.title)}
source = {_quoted(source)}

# Every name that a formula takes, with the values that it may have. Others are refused.
[domains]
level = {{is = "1..", label = "Level", why = "an example: replace it with the names of your rules"}}
""",
        "01-start.md": f"""\
# Start

One rule a clause: a heading with its permanent id, the rule in your own words, and one block that the machine reads.

### {prefix}-1.1 An example to replace

A character's example score is twice the level.

```yaml
source: [{first}]
define: example_score(level) = 2 * level
cases:
  - {{level: 1, is: 2, boundary: lowest level, work: "2 × 1"}}
  - {{level: 2, is: 4, work: "2 × 2"}}
```
""",
        "questions.md": f"""\
# Questions

What the text leaves open, contradicts or leaves out. A question looks like this; put your own below, outside the box.

````text
### {prefix}-Q01 Does a half round up?

The text says to round and not how.

```yaml
source: [{first}]
readings:
  - {{id: half-up, says: a half becomes the next whole number, gives: 2}}
  - {{id: half-down, says: a half is dropped, gives: 1}}
ask: the_definition_that_says_round(x, Q01)
given: {{level: 3}}
```
````
""",
        "properties.md": f"""\
# Properties

Claims that ought to hold wherever their inputs may lie.

### {prefix}-P1 The example score is never negative

An example: replace it together with {prefix}-1.1.

```yaml
claim: example_score(level) >= 0
by: proof
```
""",
        "passages.toml": directive("passages")
        + "# Every line of the source that is not blank, with the SHA-256 of its bytes. Each is cited by a clause, a\n"
        + '# question or a property (`source: [14]`), or marked: informative = "why it rules nothing".\n\n[passages]\n'
        + "".join(f'{number} = {{sha256 = "{digest}"}}\n' for number, digest in passages.items()),
    }


def _quoted(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
