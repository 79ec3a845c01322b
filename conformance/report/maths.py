"""Formulas as MathML, which browsers typeset without a script or a font from elsewhere."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element
from markupsafe import Markup, escape

_IDENTIFIER = re.compile(r"(<mi(?: [^>]*)?>)([\w.]+)(?=</mi>)")
_NAME = re.compile(r"[\w.]+")
_SPACE = "\N{NO-BREAK SPACE}"
_BRACKETS = {"(", ")", "⌊", "⌋", "⌈", "⌉"}  # a bar needs to be told which side it stands on
_WORDS = {"∧": f"{_SPACE}and{_SPACE}", "∨": f"{_SPACE}or{_SPACE}", "¬": f"not{_SPACE}"}


def mathml(latex: str, links: Mapping[str, str] | None = None, *, block: bool = False) -> Markup:
    """`latex` as one `<math>` element. Text within it stays text, whatever it looks like.

    `links` are addresses by names: a name in the formula leads there.
    """
    plain = _plain(latex, block=block)
    if not links:
        return plain

    # A token of MathML may hold HTML, which browsers show and follow; an `href` of its own only some of them know.
    def linked(found: re.Match[str]) -> str:
        address = links.get(found[2])
        return f'{found[1]}<a href="{escape(address)}">{found[2]}</a>' if address else found[0]

    return Markup(_IDENTIFIER.sub(linked, plain))  # noqa: S704 - a name is letters, an address is escaped


@lru_cache(maxsize=4096)
def _plain(latex: str, *, block: bool) -> Markup:
    root = convert_to_element(latex, display="block" if block else "inline")
    for element in root.iter():
        # The converter writes entities as text and expects to be unescaped as a whole, which would turn a
        # rule's `<` into markup: so each text is unescaped by itself, and escaped again when it is written.
        element.text = html.unescape(element.text) if element.text else element.text
    _join_letters(root)
    _plain_words(root)
    _bar_for_brace(root)
    _drop_defaults(root)
    if block:
        root.set("tabindex", "0")
    return Markup(tostring(root, encoding="unicode", short_empty_elements=False))  # noqa: S704 - escaped by tostring


def _drop_defaults(root: Element) -> None:
    """Leaves out what a browser takes for granted: thousands of formulas say it on every bracket."""
    root.attrib.pop("xmlns", None)
    if root.get("display") == "inline":
        del root.attrib["display"]
    for element in root.iter():
        if element.tag == "mo" and element.text in _BRACKETS:
            element.attrib.clear()
        element.attrib.pop("columnalign", None)


def _plain_words(root: Element) -> None:
    """Signs of logic as the words that people use."""
    for element in root.iter():
        if element.tag in ("mo", "mi") and element.text in _WORDS:
            element.tag = "mtext"
            element.attrib.clear()
            element.text = _WORDS[element.text]


def _bar_for_brace(root: Element) -> None:
    """Cases behind a bar that CSS draws: a brace grows only with a font for mathematics, which not everyone has."""
    for parent in root.iter("mrow"):
        children = list(parent)
        for brace, table in pairwise(children):
            if brace.tag == "mo" and brace.text == "{" and table.tag == "mtable":
                parent.remove(brace)
                table.set("class", "cases")


def _join_letters(element: Element) -> None:
    """Names of several letters as one identifier: `<mi>m</mi><mi>a</mi><mi>x</mi>` reads as a product."""
    for child in element:
        _join_letters(child)
    if element.tag != "mrow" or len(element) < 2:
        return
    # Digits within a name, the 07 of Q07, come without a variant of their own.
    variants = {child.get("mathvariant") for child in element if child.tag != "mn"}
    text = "".join(child.text or "" for child in element)
    if len(variants) != 1 or variants == {None} or not _NAME.fullmatch(text) or any(len(child) for child in element):
        return
    for child in list(element):
        element.remove(child)
    element.tag = "mi"
    element.text = text
