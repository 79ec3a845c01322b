"""The page of a proposal: what it changes, breaks, mends and leaves open, for who decides on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from markupsafe import Markup

from conformance.proposed.changes import Change
from conformance.proposed.checks import Flip
from conformance.proposed.fights import Table, target_words
from conformance.proposed.impact import Impact, impact
from conformance.report.addresses import places
from conformance.report.bodies import body_html, claim_html, names_in
from conformance.report.pagetext import render
from conformance.report.prose import Prose
from conformance.report.sections import Section
from conformance.report.site import Page, write_page
from conformance.report.words import STATUS_WORDS, minus, plural
from conformance.results import Item
from engine.book.digests import book_digest
from engine.book.load import load_book
from engine.book.model import Book, Clause, Property
from engine.book.write import write_whole
from engine.values import show

MOST_ROWS = 120
MOST_FAILING = 24


@dataclass(frozen=True)
class Judged:
    """A proposal's impact as a page. `alone` is whether no other page of the report lies beside it."""

    impact: Impact
    html: bool = False
    alone: bool = False

    @cached_property
    def targets(self) -> dict[str, str]:
        """Addresses by ids: what stands on this page is here, every other id on the pages of its rule book."""
        own = {change.id for change in self.impact.changes}
        targets = {change: f"#{change}" for change in own}
        if not self.alone:
            elsewhere = places(self.impact.stack.before.book, "")
            targets |= {id_: address for id_, address in elsewhere.parts.items() if id_ not in own}
        return targets

    def render(self, template: str, **names: Any) -> Markup:
        """A template of this page."""
        return render(
            template, Prose(self.targets), judged=self, impact=self.impact, plural=plural, minus=minus, **names
        )


def open_proposal(books: str, system: str, proposal: str, *, html: bool = False) -> Judged:
    """A proposal of one system of the folder `books`, judged. Raises `InputError` for what does not fit."""
    from conformance.report.opening import folder_of

    book = load_book(folder_of(Path(books), system))
    return Judged(impact(book, [proposal], lambda _what, _done, _of: None), html)


def address_of(system: str, name: str) -> str:
    """The address of a proposal's page."""
    return f"{system}-{name}.html"


def heading_of(book: Book, name: str) -> tuple[str, str]:
    """The heading of a proposal's page, and the line below it."""
    return book.proposals[name].title, f"{name}, a proposed change of {book.title}"


# --- Sections ----------------------------------------------------------------------------


def verdict(judged: Judged) -> Section:
    """What it is for, what holds and what breaks, and what to type."""
    found = judged.impact
    words = sentence(found)
    lines = [words, *found.broken]
    lines += [f"{p.id}: {'kept' if p.kept else 'broken'}" for p in found.promises]
    lines += [f"{target_words(a.target)}: {'met' if a.met else 'missed'}" for a in found.aims]
    html = judged.render("proposal-verdict.html.j2", sentence=words, target_words=target_words)
    return Section(html, "\n".join(lines), judged.html)


def sentence(found: Impact) -> str:
    """The whole of it in a sentence."""
    parts = [
        plural(len(found.changes), "part") + " of the text",
        f"{plural(len(found.shifts), 'case')} with another outcome",
    ]
    won, lost = len(found.checks.won), len(found.checks.lost)
    parts.append(f"{plural(won, 'property', 'properties')} won and {lost} lost")
    parts.append(f"{plural(len(found.checks.settled), 'question')} settled and {len(found.checks.opened)} opened")
    failing = len(found.checks.failing)
    end = "Nothing would fail." if not failing else f"{plural(failing, 'check')} would fail."
    broken = f" {plural(len(found.broken), 'promise or target', 'promises or targets')} broken." if found.broken else ""
    return f"{', '.join(parts)}. {end}{broken}"


def texts(judged: Judged) -> Section:
    """Every part before and after, typeset, and what changed in its text."""
    found = judged.impact
    html = judged.render(
        "proposal-texts.html.j2",
        typeset=lambda part, book: _typeset(part, book, names_in(book, judged.targets)),
        before=found.stack.before.book,
        after=found.stack.book,
        marks={"+": "added", "-": "gone", "@": "soft"},
    )
    lines = [f"{change.id}  {change.kind}" for change in found.changes]
    lines += [f"{s.name}  {s.before} -> {s.after}" for s in found.settings]
    return Section(html, "\n".join(lines) or "no text changes", judged.html)


def _typeset(part: Change | Any, book: Book, links: Mapping[str, str]) -> Markup:
    if isinstance(part, Clause):
        return body_html(book, part, links)
    if isinstance(part, Property):
        return Markup('<div class="formula">{}</div>').format(claim_html(part.claim, links))
    readings = getattr(part, "readings", ())
    rows = Markup("").join(Markup("<li><strong>{}</strong> {}</li>").format(r.id, r.says) for r in readings)
    return Markup('<ul class="plain">{}</ul>').format(rows) if readings else Markup("")


def outcomes(judged: Judged) -> Section:
    """Every case with another outcome, and every definition whose values change."""
    found = judged.impact
    html = judged.render("proposal-outcomes.html.j2", most=MOST_ROWS, show=show)
    lines = [f"{shift.call}  {shift.before} -> {shift.after}" for shift in found.shifts]
    lines += [f"{f.name}: {len(f.rows)} of {f.looked_at} change" for f in found.figures]
    return Section(html, "\n".join(lines) or "no outcome changes", judged.html)


def fights(judged: Judged) -> Section:
    """Who wins before and after, exactly, with the target bands."""
    found = judged.impact
    if not any(table.differs for table in found.tables):
        return Section("", "no fight ends otherwise", judged.html)
    shown = [table for table in found.tables if table.differs]
    html = judged.render(
        "proposal-fights.html.j2", tables=shown, percent=_percent, number=_number, band=_band, show=show
    )
    return Section(html, "\n".join(line for table in shown for line in _lines(table)), judged.html)


def _lines(table: Table) -> list[str]:
    return [
        f"{table.sweep}: {', '.join(f'{n} {show(v)}' for n, v in cell.inputs.items())}: "
        f"{_percent(cell.before.win)} -> {_percent(cell.after.win)}"
        for cell in table.cells
        if cell.before is not None and cell.after is not None
    ]


def _percent(value: float) -> str:
    return f"{value:.2f} %"


def _number(value: float) -> str:
    return f"{value:.2f}"


def _band(cell: Any) -> str:
    return "; ".join(target_words(target).rpartition(": ")[2] for target in cell.bands)


def checks(judged: Judged) -> Section:
    """Properties won and lost, questions settled and opened, what would fail."""
    found = judged.impact.checks
    groups = [
        ("won", "Properties won", found.won),
        ("lost", "Properties lost", found.lost),
        ("settled", "Questions settled", found.settled),
        ("opened", "Questions opened", found.opened),
    ]
    shown = [(anchor, title, flips) for anchor, title, flips in groups if flips]
    html = judged.render(
        "proposal-checks.html.j2", groups=shown, standing=standing, failing=found.failing[:MOST_FAILING], checks=found
    )
    return Section(html, "\n".join(_flips(shown)) or "nothing is won or lost", judged.html)


def _flips(groups: Sequence[tuple[str, str, Sequence[Flip]]]) -> list[str]:
    return [f"{a}: {f.id}  {standing(f.before)} -> {standing(f.after)}" for a, _, flips in groups for f in flips]


def standing(item: Item | None) -> str:
    """How an item stands, in a word: the method of a property that holds."""
    if item is None:
        return "absent"
    method = item.detail.get("method") if item.status == "conforms" else None
    return str(method or STATUS_WORDS[item.status])


SECTIONS = (verdict, texts, outcomes, fights, checks)


# --- A page alone ------------------------------------------------------------------------


def write_alone(found: Impact, folder: Path) -> Path:
    """The page of an impact as one file that needs no other. Raises `InputError` where it cannot be written."""
    judged = Judged(found, html=True, alone=True)
    fragments = [section.html for section in (make(judged) for make in SECTIONS) if section.html]
    book, names = found.stack.book, found.stack.names
    heading, lead = heading_of(book, names[-1])
    address = address_of(book.system, "-".join(names))
    page = Page(address, found.stack.title, heading, lead, tuple(fragments))
    made_from = f"{book.title} {book_digest(book)[:12]}"
    write_whole(folder / address, write_page(page, [page], made_from))
    return folder / address
