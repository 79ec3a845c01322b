"""Formulas as MathML, which browsers typeset without a script or a font from elsewhere."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element
from markupsafe import Markup

_LETTER = re.compile(r"[\w.]")


@lru_cache(maxsize=4096)
def mathml(latex: str, *, block: bool = False) -> Markup:
    """`latex` as one `<math>` element. Text within it stays text, whatever it looks like."""
    root = convert_to_element(latex, display="block" if block else "inline")
    for element in root.iter():
        # The converter writes entities as text and expects to be unescaped as a whole, which would turn a
        # rule's `<` into markup: so each text is unescaped by itself, and escaped again when it is written.
        element.text = html.unescape(element.text) if element.text else element.text
    _join_letters(root)
    if block:
        root.set("tabindex", "0")
    return Markup(tostring(root, encoding="unicode", short_empty_elements=False))  # noqa: S704 - escaped by tostring


def _join_letters(element: Element) -> None:
    """Names of several letters as one identifier: `<mi>m</mi><mi>a</mi><mi>x</mi>` reads as a product."""
    for child in element:
        _join_letters(child)
    if element.tag != "mrow" or len(element) < 2:
        return
    variants = {child.get("mathvariant") for child in element}
    letters = [child.text or "" for child in element]
    if len(variants) != 1 or variants == {None} or not all(_LETTER.fullmatch(letter) for letter in letters):
        return
    variant = variants.pop()
    for child in list(element):
        element.remove(child)
    element.tag = "mi"
    element.text = "".join(letters)
    if variant == "italic":
        element.set("class", "name")
