"""Pages of the site: fragments in a shell that needs nothing from anywhere else."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape

from markupsafe import Markup

from conformance.report.pagetext import TEMPLATES, render
from conformance.report.prose import Prose

# Pages are our own templates' work, in which every `<` that starts no tag is escaped: reading single tags is enough.
_HEADING = re.compile(r"<h([23]) ([^<>]*)>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_ITEM = re.compile(r'<[a-z][^<>]* data-item="([^"]*)"')
_SECTION = re.compile(r"(?=<section[ >])")
_ELSEWHERE = re.compile(r'<section [^>]*\bdata-page="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its address, its name in the list of pages, its heading, and what is on it.

    A page that belongs to another names it as its `parent`: it stands beside its siblings, not in the list of pages.
    """

    address: str
    title: str
    heading: str
    lead: str
    fragments: tuple[str, ...]
    parent: str = ""


@dataclass(slots=True)
class Entry:
    """A line of a table of contents: it leads to `address`."""

    address: str
    text: str
    label: str = ""
    status: str = ""
    children: list[Entry] = field(default_factory=list)


def write_page(page: Page, pages: Sequence[Page], made_from: str) -> str:
    """The whole page as HTML."""
    style = stylesheet()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    siblings = [each for each in pages if page.parent and each.parent == page.parent]
    at = next((number for number, each in enumerate(siblings) if each.address == page.address), 0)
    return str(
        render(
            "shell.html.j2",
            Prose({}),
            title=page.title,
            heading=page.heading,
            lead=page.lead,
            address=page.address,
            parent=page.parent,
            before=siblings[at - 1] if at else None,
            after=siblings[at + 1] if at + 1 < len(siblings) else None,
            pages=[each for each in pages if not each.parent],
            policy=policy,
            style=Markup(style),  # noqa: S704 - our own file
            toc=contents(page.fragments),
            fragments=[Markup(fragment) for fragment in page.fragments],  # noqa: S704 - made by templates
            made_from=made_from,
        )
        + "\n"
    )


def by_page(fragments: Sequence[str]) -> dict[str, list[str]]:
    """The sections by the page that they name; under the empty name those that name none."""
    found: dict[str, list[str]] = {"": []}
    for fragment in fragments:
        for piece in _SECTION.split(fragment):
            if piece.strip():
                named = _ELSEWHERE.match(piece)
                found.setdefault(unescape(named[1]) if named else "", []).append(piece)
    return found


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """The one stylesheet, as it stands on every page."""
    return (TEMPLATES / "report.css").read_text(encoding="utf-8")


def contents(fragments: Sequence[str]) -> list[Entry]:
    """The table of contents: headings of the second level, with those of the third below them."""
    entries: list[Entry] = []
    for fragment in fragments:
        for level, attributes in _HEADING.findall(fragment):
            values = {name: unescape(value) for name, value in _ATTRIBUTE.findall(attributes)}
            if "data-toc" not in values:
                continue
            address = values.get("data-href") or f"#{values['id']}"
            entry = Entry(address, values["data-toc"], values.get("data-label", ""), values.get("data-status", ""))
            (entries[-1].children if level == "3" and entries else entries).append(entry)
    return entries


def items_on(fragments: Sequence[str]) -> Counter[str]:
    """The ids of the items that stand on a page, and how often."""
    return Counter(unescape(id_) for fragment in fragments for id_ in _ITEM.findall(fragment))
