"""Prose of rule books as HTML: Markdown without raw HTML, every id a link, everything escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup, escape

_ADDRESS = re.compile(r"https?://[^\s]+|#[A-Za-z0-9.\-]+", re.ASCII)
_ID = re.compile(r"(?<![A-Za-z0-9\-])[A-Z][A-Z0-9]*-[A-Za-z0-9](?:[A-Za-z0-9.\-]*[A-Za-z0-9])?", re.ASCII)
_FRAME = '<div class="scroll" tabindex="0" role="group" aria-label="Table">\n'
# Block rules that would break a page's outline or load something are off: a heading within a clause, an image.
_OFF = ("heading", "lheading", "image", "html_block", "html_inline", "reference")


class Prose:
    """Renders Markdown; ids among `targets` become links to where they stand (`id -> address`)."""

    def __init__(self, targets: Mapping[str, str]) -> None:
        self._targets = targets
        self._markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable([*_OFF])
        self._markdown.validateLink = _allowed  # type: ignore[method-assign, assignment]
        self._markdown.core.ruler.push("ids", self._link_ids)
        self._markdown.core.ruler.push("tables", _frame_tables)

    def blocks(self, text: str) -> Markup:
        """Paragraphs, lists, tables."""
        return Markup(self._markdown.render(text))  # noqa: S704 - html is off: markdown-it escapes every text

    def line(self, text: str) -> Markup:
        """One line: emphasis, code and links only."""
        return Markup(self._markdown.renderInline(text))  # noqa: S704 - as above

    def ids(self, text: str) -> Markup:
        """Plain text in which only ids are links."""
        parts = [
            Markup('<a href="{}">{}</a>').format(address, piece) if address else escape(piece)
            for piece, address in _pieces(text, self._targets)
        ]
        return Markup("").join(parts)

    def link(self, id_: str) -> Markup:
        """An id as a link to where it stands, or as plain text where it stands nowhere."""
        address = self._targets.get(id_)
        return Markup('<a href="{}">{}</a>').format(address, id_) if address else escape(id_)

    def _link_ids(self, state: StateCore) -> None:
        for token in state.tokens:
            if token.type == "inline" and token.children:
                token.children = self._linked(token.children)

    def _linked(self, children: Sequence[Token]) -> list[Token]:
        linked: list[Token] = []
        inside = 0
        for child in children:
            inside += (child.type == "link_open") - (child.type == "link_close")
            if child.type == "link_open" and str(child.attrs["href"]).startswith("http"):
                child.attrs["rel"] = "noopener noreferrer external"
            if inside or child.type not in ("text", "code_inline"):
                linked.append(child)
                continue
            pieces = _pieces(child.content, self._targets)
            if child.type == "code_inline" and len(pieces) > 1:
                linked.append(child)  # an id within code is code; a code that is an id is a link
                continue
            for piece, address in pieces:
                part = Token(child.type, child.tag, 0, content=piece, markup=child.markup)
                if address is None:
                    linked.append(part)
                else:
                    linked += [
                        Token("link_open", "a", 1, attrs={"href": address}),
                        part,
                        Token("link_close", "a", -1),
                    ]
        return linked


def _pieces(text: str, targets: Mapping[str, str]) -> list[tuple[str, str | None]]:
    pieces: list[tuple[str, str | None]] = []
    last = 0
    for match in _ID.finditer(text):
        id_ = match[0]
        while id_ and id_ not in targets:  # "WA-Q03-like" speaks of WA-Q03
            id_ = id_.rpartition("-")[0]
        if not id_:
            continue
        if match.start() > last:
            pieces.append((text[last : match.start()], None))
        pieces.append((id_, targets[id_]))
        last = match.start() + len(id_)
    if last < len(text) or not pieces:
        pieces.append((text[last:], None))
    return pieces


def _frame_tables(state: StateCore) -> None:
    """Tables scroll in a box of their own; alignment comes as a style, which the page's security policy forbids."""
    framed: list[Token] = []
    for token in state.tokens:
        if token.type in ("th_open", "td_open"):
            if "right" in str(token.attrs.pop("style", "")):
                token.attrs["class"] = "n"
            if token.type == "th_open":
                token.attrs["scope"] = "col"
        if token.type == "table_open":
            framed.append(Token("html_block", "", 0, content=_FRAME, block=True))
        framed.append(token)
        if token.type == "table_close":
            framed.append(Token("html_block", "", 0, content="</div>\n", block=True))
    state.tokens = framed


def _allowed(address: str) -> bool:
    return _ADDRESS.fullmatch(address) is not None
