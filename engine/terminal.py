"""Text of others as it may be shown: nothing in it commands the terminal that shows it."""

from __future__ import annotations

import unicodedata

_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


def clean(text: str) -> str:
    """The text without characters that command a terminal: each is shown as its name in brackets.

    Line feeds and tabs stay.
    """
    if text.isprintable():
        return text
    return "".join(c if c in "\n\t" or not _commands(c) else f"[U+{ord(c):04X}]" for c in text)


def _commands(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs") or character in _BIDI
