"""The first page: all systems together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from conformance.report.addresses import Places, page_of, places
from conformance.report.pagetext import render
from conformance.report.prose import Prose
from conformance.report.sections import NextStep, Section, next_steps, verdict
from conformance.report.view import View, count
from conformance.report.words import STATUS_MEANINGS, STATUS_WORDS, WORST_FIRST, plural
from conformance.results import FAILING, Item, Results, Status
from engine.book.model import Question

MOST_BROKEN = 60
MOST_DECISIONS = 12
HERE = "index.html"


@dataclass(frozen=True, slots=True)
class Entry:
    """A system on the first page."""

    view: View
    page: str
    places: Places
    verdict: str
    steps: list[NextStep]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A decision on the first page."""

    page: str
    question: Question
    weight: int


@dataclass(frozen=True, slots=True)
class Broken:
    """Something broken on the first page."""

    page: str
    system: str
    item: Item
    text: str


@dataclass(frozen=True)
class Overview:
    """All systems of a run."""

    results: Results
    views: tuple[View, ...]
    html: bool = False

    @cached_property
    def totals(self) -> dict[Status, int]:
        """How many items the run has, by status, worst first."""
        return count(self.results.items)

    @cached_property
    def loose(self) -> list[Item]:
        """The items that belong to no system: checks of the suite itself."""
        systems = {view.book.system for view in self.views}
        return [item for item in self.results.items if item.system not in systems]

    @cached_property
    def entries(self) -> list[Entry]:
        """The systems, in the order of the run."""
        return [
            Entry(
                view, page_of(view.book.system), places(view.book, HERE), verdict(view.totals), next_steps(view, HERE)
            )
            for view in self.views
        ]

    @cached_property
    def prose(self) -> Prose:
        """Links every id of every book to its page."""
        return Prose({id_: address for v in self.views for id_, address in places(v.book, HERE).parts.items()})

    def tidy(self, text: str) -> str:
        """`text` without paths of this machine."""
        for view in self.views:
            text = view.tidy(text)
        return text

    def render(self, template: str, **names: Any) -> str:
        """A template of this page."""
        return render(template, self.prose, systems=self.entries, counts=self.totals, tidy=self.tidy, **names)


def rule_books(overview: Overview) -> Section:
    """The state of everything in a sentence, and each rule book with what to do next."""
    words = verdict(overview.totals)
    lines = [words, *(f"{e.view.book.title}: {e.verdict}" for e in overview.entries)]
    return Section(overview.render("overview-books.html.j2", verdict=words), "\n".join(lines), overview.html)


def all_checks(overview: Overview) -> Section:
    """Checks by rule book and outcome; the last line is the results file's own."""
    rows = [(e.view.book.title, e.view.totals) for e in overview.entries]
    if overview.loose:
        rows.append(("The suite itself", count(overview.loose)))
    rows.append(("Together", overview.totals))
    lines = [f"{name}: " + ", ".join(f"{n} {STATUS_WORDS[s]}" for s, n in counts.items()) for name, counts in rows]
    return Section(overview.render("overview-checks.html.j2", loose=overview.loose), "\n".join(lines), overview.html)


def what_is_broken(overview: Overview) -> Section:
    """Everything that deviates, and the known defects."""
    pages = {e.view.book.system: e for e in overview.entries}
    bad = [item for item in overview.results.items if item.status in FAILING or item.status == "broken"]
    bad.sort(key=lambda item: WORST_FIRST.index(item.status))
    broken = []
    for item in bad[:MOST_BROKEN]:
        entry = pages.get(item.system)
        address = entry.places.parts.get(item.clause, f"{entry.page}#mend") if entry else "#totals"
        broken.append(Broken(address, item.system, item, _in_short(overview, item)))
    html = overview.render("overview-broken.html.j2", broken=broken, broken_left=len(bad) - len(broken))
    lines = [f"{b.item.id}: {STATUS_WORDS[b.item.status]}" for b in broken]
    return Section(html, "\n".join(lines) or "nothing is broken", overview.html)


def _in_short(overview: Overview, item: Item) -> str:
    if item.status == "broken":
        return overview.tidy(item.actual or item.message or item.sentence)
    if item.what in ("case", "reading") and item.actual:
        given = f"{item.given}: " if item.given else ""
        return overview.tidy(f"{given}expected {item.expected}, got {item.actual}")
    return overview.tidy(item.message or item.sentence)


def what_is_open(overview: Overview) -> Section:
    """The decisions that weigh most, over all rule books."""
    waiting = [
        Waiting(e.places.at(q.id), q, e.view.impact(q).weight[0]) for e in overview.entries for q in e.view.decisions
    ]
    waiting.sort(key=lambda w: -w.weight)
    number = overview.totals.get("open", 0)
    html = overview.render(
        "overview-open.html.j2",
        decisions=waiting[:MOST_DECISIONS],
        number=number,
        left=max(0, len(waiting) - MOST_DECISIONS),
        missing=sum(len(view.missing) for view in overview.views),
    )
    lines = [f"{w.question.id}  outcomes {w.weight}" for w in waiting[:MOST_DECISIONS]]
    return Section(html, "\n".join([plural(number, "open question"), *lines]), overview.html)


def how_to_read(overview: Overview) -> Section:
    """The words of these pages, and what was run."""
    header = overview.results.header
    options = [(name, value) for name, value in header.options.items() if name != "books"]
    html = overview.render("overview-words.html.j2", meanings=STATUS_MEANINGS, header=header, options=_sorted(options))
    return Section(html, f"engine under test: {header.engine}", overview.html)


def _sorted(options: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return sorted(options)
