"""Builds the site: runs the suite, then each notebook, and writes pages that open from disk."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from conformance.options import Options, open_engines
from conformance.report.addresses import chapter_pages, page_of, passages_page, properties_page, questions_page
from conformance.report.digest import HOME, code_digest, digest_of
from conformance.report.proposal import address_of, heading_of
from conformance.report.site import Page, by_page, items_on, write_page
from conformance.report.stored import STORE
from conformance.report.words import plural
from conformance.results import Results, read_results, write_results
from conformance.shares import run_shared
from conformance.summary import junit, markdown
from engine.book.digests import book_digest
from engine.book.model import Book
from engine.errors import InputError, Place
from engine.readings import Engine

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""

NOTEBOOKS = HOME / "notebooks"
TOLD = ("profile", "proposals", "readings")
MOST_STORED = 100
AT_A_TIME = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """A page to make: the notebooks whose cells fill it, and what it depends on. Heavy ones are begun first.

    `parts` are pages of their own for sections that name them.
    """

    page: Page
    notebooks: tuple[Path, ...]
    parameters: dict[str, str | bool]
    digest: str
    items: tuple[str, ...] | None
    weight: int = 0
    parts: tuple[Page, ...] = ()


def build(
    books: Path,
    out: Path,
    options: Options | None = None,
    *,
    results: Results | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Writes the site, the results, the summary and JUnit into `out`, and gives the first page's path.

    `options` choose systems, engine under test and sources (their `books` give way to `books`). `results` stand in for
    a run of the suite. What is unchanged since the last time is taken from a store of pages, unless `fresh`. Same
    inputs, same bytes. Raises `InputError`, in one line, for bad books and notebooks that fail.
    """
    tell = progress or _silent
    options = replace(options or Options(), books=books)
    if results is not None and not options.systems:
        options = replace(options, systems=tuple(book.system for book in results.header.books))
    tell("reading the rule books", 0, 1)
    engines = open_engines(options)
    tell("reading the rule books", 1, 1)
    store = STORE
    out.mkdir(parents=True, exist_ok=True)
    store.mkdir(parents=True, exist_ok=True)
    if results is None:
        results = _results(engines, options, store, fresh=fresh, tell=tell)
    file = out / "results.jsonl"
    write_results(results, file)
    write_text(out / "summary.md", markdown(results))
    write_text(out / "junit.xml", junit(results))
    plans = _plans(engines, books, results, file)
    made = _fill_all(plans, store, fresh=fresh, tell=tell)
    pages = [page for plan, fragments in zip(plans, made, strict=True) for page in _pages(plan, fragments)]
    for page in pages:
        write_text(out / page.address, write_page(page, pages, _made_from(results)))
    _tidy(store)
    return out / "index.html"


def _pages(plan: Plan, fragments: Sequence[str]) -> list[Page]:
    """The pages of a plan that have something on them, each with its fragments."""
    sections = by_page(fragments)
    filled = [replace(plan.page, fragments=tuple(sections[""]))]
    filled += [
        replace(part, fragments=tuple(sections[part.address])) for part in plan.parts if part.address in sections
    ]
    return filled


def _silent(_what: str, _done: int, _of: int) -> None:
    pass


def _results(engines: Sequence[Engine], options: Options, store: Path, *, fresh: bool, tell: Progress) -> Results:
    """A run of the suite, or the last one of the same books, code and options."""
    # A program behind the adapter, and sources elsewhere, may have changed without our knowing.
    keep = not options.engine and options.sources is None
    books = [book_digest(e.book) for e in engines]
    key = digest_of("results", code_digest(), str(options.books), json.dumps(options.shown()), *books)
    file = store / f"{key}.jsonl"
    if keep and not fresh and file.is_file():
        return read_results(file)
    results = run_shared(engines, options, AT_A_TIME, lambda done, of: tell("running the suite", done, of))
    if keep:
        write_results(results, file)
    return results


def _plans(engines: Sequence[Engine], books: Path, results: Results, file: Path) -> list[Plan]:
    where: dict[str, str | bool] = {"books": str(books.resolve()), "results": str(file.resolve()), "html": True}
    options = json.dumps(dict(results.header.options))
    chosen = sorted((name, value) for name, value in results.header.options.items() if name in TOLD)
    told = "".join(f" {name.capitalize()}: {value}." for name, value in chosen)
    whole = digest_of("overview", code_digest(), *_items(results, None), *(book_digest(e.book) for e in engines))
    lead = "Whether rule books, program and worked examples agree, and what their texts leave to decide."
    first = Page("index.html", "All rule books", "What holds, what is open, what is broken", lead, ())
    plans = [Plan(first, (NOTEBOOKS / "overview.ipynb",), where, whole, None)]
    for engine in engines:
        book = engine.book
        items = _items(results, book.system)
        digest = digest_of("system", code_digest(), options, book.system, *items, book_digest(book))
        lead = f"{plural(len(book.clauses), 'rule')} in {plural(len(book.chapters), 'chapter')}."
        lead += told
        notebooks = [NOTEBOOKS / "system.ipynb"]
        own = NOTEBOOKS / f"{book.system}.ipynb"
        notebooks += [own] if own.is_file() else []
        plans.append(
            Plan(
                Page(page_of(book.system), book.title, book.title, lead, ()),
                tuple(notebooks),
                {**where, "system": book.system},
                digest,
                tuple(item.id for item in results.items if item.system == book.system),
                len(items),
                _parts(book, told.strip()),
            )
        )
    for engine in engines:
        plans += _proposals(engine.book, where)
    return plans


def _parts(book: Book, lead: str) -> tuple[Page, ...]:
    """The pages beside a book's own: its questions, each chapter, its properties and passages."""
    home = page_of(book.system)
    titles = {questions_page(book.system): "Questions"}
    titles |= {address: book.chapters[stem] or stem for stem, address in chapter_pages(book).items()}
    titles |= {properties_page(book.system): "Properties", passages_page(book.system): "Passages of the source"}
    return tuple(Page(address, title, book.title, lead, (), home) for address, title in titles.items())


def _proposals(book: Book, where: dict[str, str | bool]) -> list[Plan]:
    """A page for each proposed change that is written; a run under proposals is about those, and has none."""
    plans = []
    for proposal in () if book.applied else book.proposals.values():
        if proposal.changes_nothing:
            continue
        heading, lead = heading_of(book, proposal.name)
        parameters = {"books": where["books"], "system": book.system, "proposal": proposal.name, "html": True}
        digest = digest_of("proposal", code_digest(), book.system, proposal.name, book_digest(book))
        page = Page(address_of(book.system, proposal.name), proposal.name, heading, lead, ())
        plans.append(Plan(page, (NOTEBOOKS / "proposal.ipynb",), parameters, digest, None, len(book.clauses)))
    return plans


def _items(results: Results, system: str | None) -> list[str]:
    """The items of a system as text; of all systems, with what was run, for None."""
    chosen = [item for item in results.items if system is None or item.system == system]
    lines = [item.model_dump_json() for item in chosen]
    return [results.header.model_dump_json(), *lines] if system is None else lines


def _fill_all(plans: Sequence[Plan], store: Path, *, fresh: bool, tell: Progress) -> list[list[str]]:
    """The fragments of each page. Each notebook has a process of its own: two at a time keep two cores busy."""
    heaviest_first = sorted(range(len(plans)), key=lambda number: -plans[number].weight)
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        made = {pool.submit(_fill, plans[number], store, fresh=fresh): number for number in heaviest_first}
        tell("pages", 0, len(plans))
        fragments: dict[int, list[str]] = {}
        try:
            for done in as_completed(made):
                fragments[made[done]] = done.result()
                tell("pages", len(fragments), len(plans))
        except BaseException:
            for each in made:
                each.cancel()
            raise
    return [fragments[number] for number in range(len(plans))]


def _fill(plan: Plan, store: Path, *, fresh: bool) -> list[str]:
    """The fragments of a page, from the store where its digest is known."""
    file = store / f"{plan.digest}.json"
    if not fresh and file.is_file():
        fragments: list[str] = json.loads(file.read_text(encoding="utf-8"))
        return fragments
    from conformance.report.running import run_notebook

    file_of_page, *own = plan.notebooks
    fragments, *others = run_notebook(file_of_page, plan.parameters, NOTEBOOKS, own)
    at = _before_rules(fragments)
    fragments[at:at] = [fragment for other in others for fragment in other]
    if plan.items is not None:
        _check_items(plan, fragments)
    write_text(file, json.dumps(fragments, ensure_ascii=False))
    return fragments


def _before_rules(fragments: Sequence[str]) -> int:
    """Where a system's own parts stand: after what waits for a decision, before its rules one by one."""
    return next((at for at, text in enumerate(fragments) if '<h2 id="rules"' in text), len(fragments))


def _check_items(plan: Plan, fragments: Sequence[str]) -> None:
    """Raises `InputError` where the page does not hold every item of the results exactly once."""
    shown, known = items_on(fragments), Counter(plan.items)
    if shown != known:
        lost = [*(known - shown), *(shown - known)]
        raise InputError(
            f"the page of {plan.page.title} and the results differ in {len(lost)} items, first {lost[0]}",
            "every item stands on its page once: mend conformance/report",
            Place(plan.notebooks[0], 1),
        )


def _tidy(store: Path) -> None:
    """Forgets what has not been made anew for longest."""
    files = sorted(store.iterdir(), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files[MOST_STORED:]:
        file.unlink(missing_ok=True)


def _made_from(results: Results) -> str:
    books = ", ".join(f"{book.title} {book.digest[:12]}" for book in results.header.books)
    return f"{books}; engine under test: {results.header.engine}"


def write_text(file: Path, text: str) -> None:
    """Writes the file whole or not at all."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
