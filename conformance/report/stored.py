"""What hangs on the questions of a book, kept beside the pages: the first page asks for what the others worked out."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from conformance.report.digest import HOME, code_digest, digest_of
from conformance.report.impact import Impacts, find_impacts
from engine.book.digests import book_digest
from engine.book.write import write_whole
from engine.readings import Engine

STORE = HOME / "build" / "cache" / "report"


def impacts_of(engine: Engine, store: Path = STORE) -> Impacts:
    """`find_impacts`, or what it gave for the same code and the same book."""
    known = TypeAdapter(Impacts)
    file = store / f"impacts-{digest_of(code_digest(), book_digest(engine.book))}.json"
    try:
        return known.validate_json(file.read_bytes())
    except (OSError, ValidationError):
        found = find_impacts(engine)
    store.mkdir(parents=True, exist_ok=True)
    write_whole(file, known.dump_json(found).decode())
    return found
