"""The whole suite in one call, without pytest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from conformance.adapter import under_test
from conformance.items import collect
from conformance.options import Options
from conformance.results import BookDigest, Header, Item, Results
from engine.book.digests import book_digest
from engine.readings import Engine


def run(
    engines: Sequence[Engine], options: Options | None = None, progress: Callable[[int, int], None] | None = None
) -> Results:
    """Judges every item of these books. The same inputs give the same results as `pytest conformance`.

    `progress(done, of)` is called before the first item and after each. Raises `InputError` for bad books and options.
    """
    options = options or Options()
    with under_test(options.engine) as remote:
        checks = collect(engines, options, remote)
        items: list[Item] = []
        for done, check in enumerate(checks):
            if progress is not None:
                progress(done, len(checks))
            items.append(check.judge())
        if progress is not None:
            progress(len(checks), len(checks))
    return Results(header=header(engines, options), items=tuple(items))


def header(engines: Sequence[Engine], options: Options) -> Header:
    """What was run."""
    return Header(
        engine=options.engine or "built-in",
        books=tuple(
            BookDigest(
                system=engine.book.system,
                title=engine.book.title,
                digest=book_digest(engine.book),
                clauses=len(engine.book.clauses),
                questions=len(engine.book.questions),
                properties=len(engine.book.properties),
                passages=len(engine.book.passages),
            )
            for engine in engines
        ),
        options=options.shown(),
    )
