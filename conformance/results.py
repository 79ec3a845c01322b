"""The results file: the only truth of a run. Terminal, summary, JUnit and report are rendered from it.

JSON lines: a header, one line an item, a footer. A file without its footer, or whose footer does not match its
items, is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.book.files import read_raw
from engine.book.write import write_whole
from engine.errors import InputError, Place

SCHEMA = "rules-as-written/results/1"
MOST_BYTES = 200_000_000

Status = Literal["conforms", "deviates", "errored", "open", "ruled", "broken", "unsupported", "missing"]
Kind = Literal["case", "reading", "question", "property", "play", "table", "threshold", "trace", "approval", "source"]
Blame = Literal["source", "rule book", "engine under test", ""]

STATUSES: tuple[Status, ...] = (
    "deviates", "errored", "missing", "unsupported", "broken", "open", "ruled", "conforms",
)  # fmt: skip
FAILING: frozenset[Status] = frozenset({"deviates", "errored", "missing"})


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BookDigest(_Line):
    """A book of the run: what it was, so that results cannot be read against another."""

    system: str
    title: str
    digest: str
    clauses: int
    questions: int
    properties: int
    passages: int


class Header(_Line):
    """What was run: books, engine under test, options."""

    kind: Literal["header"] = "header"
    schema_: str = Field(SCHEMA, alias="schema")
    engine: str
    books: tuple[BookDigest, ...]
    options: Mapping[str, str]


class Item(_Line):
    """One item of the suite and what came of it.

    `id` is the item's id (`WA-5.4[level=1 d20=3]`), `clause` the clause, question or property that it belongs to,
    `title` its heading. `expected` and `actual` are for people, `remedy` says what to do next; `detail` holds what
    the kind of item adds (method of a property, values by reading, the smallest counterexample).
    """

    kind: Literal["item"] = "item"
    id: str
    system: str
    clause: str
    what: Kind
    status: Status
    where: str
    sentence: str
    title: str = ""
    case: str = ""
    given: str = ""
    expected: str = ""
    actual: str = ""
    steps: tuple[str, ...] = ()
    blame: Blame = ""
    message: str = ""
    remedy: str = ""
    detail: Mapping[str, Any] = Field(default_factory=dict)


class Footer(_Line):
    """How many items there were, by status."""

    kind: Literal["footer"] = "footer"
    items: int
    by_status: Mapping[str, int]


class Results(_Line):
    """A whole run."""

    header: Header
    items: tuple[Item, ...]

    @property
    def footer(self) -> Footer:
        """The totals of the items."""
        counts = Counter(item.status for item in self.items)
        return Footer(items=len(self.items), by_status={s: counts[s] for s in STATUSES if counts[s]})

    @property
    def agrees(self) -> bool:
        """Whether nothing deviates, errors or is missing."""
        return not any(item.status in FAILING for item in self.items)


def write_results(results: Results, file: Path) -> None:
    """Writes the file whole or not at all; same results, same bytes."""
    lines = [results.header, *results.items, results.footer]
    text = "".join(line.model_dump_json(by_alias=True) + "\n" for line in lines)
    write_whole(file, text)


def read_results(file: Path) -> Results:
    """A results file, checked against its schema and its own totals.

    Raises `InputError` with the line for a file that is cut short, of another version, or not one at all.
    """
    remedy = "run `pytest conformance --results FILE` again"
    try:
        # Not splitlines(): a text may hold other signs that end a line somewhere, such as U+2028.
        lines = read_raw(file, MOST_BYTES, remedy).decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        raise InputError("the results file is not UTF-8", remedy, Place(file, 1)) from None
    number = 0
    try:
        if len(lines) < 2:
            raise InputError("the results file is cut short", remedy, Place(file, max(1, len(lines))))
        number = 1
        header = Header.model_validate_json(lines[0])
        items = []
        for number, line in enumerate(lines[1:-1], 2):  # noqa: B007 - the number is for the error
            items.append(Item.model_validate_json(line))
        number = len(lines)
        footer = Footer.model_validate_json(lines[-1])
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        what = "is cut short" if number == len(lines) else "is not understood"
        raise InputError(f"the results file {what} ({first['msg']})", remedy, Place(file, number)) from None
    results = Results(header=header, items=tuple(items))
    if header.schema_ != SCHEMA:
        raise InputError(f"results of schema {header.schema_[:60]}", f"this version reads {SCHEMA}", Place(file, 1))
    if footer != results.footer:
        raise InputError("the totals do not match the items: the file is cut short", remedy, Place(file, len(lines)))
    return results
