"""Files as they are found: of bounded size, no pipe or device, which could be read for ever; text without commands."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from engine.errors import BookError, Place

# Those that turn the direction of writing are among them: they show a text as another one.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def read_raw(file: Path, most: int, remedy: str = "check the path") -> bytes:
    """The bytes of a file of at most `most` bytes.

    Raises `BookError` where it is missing, no plain file, or larger.
    """
    place = Place(file, 1)
    try:
        found = file.stat()
        if stat.S_ISDIR(found.st_mode):
            raise BookError("cannot be read (Is a directory)", remedy, place)
        if not stat.S_ISREG(found.st_mode):
            raise BookError("cannot be read (a pipe or a device)", "a plain file", place)
        with file.open("rb") as stream:
            # What stat says may be past: a file that grows meanwhile is not read to its end either.
            raw = stream.read(most + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BookError(f"cannot be read ({why})", remedy, place) from None
    if len(raw) > most:
        raise BookError(f"holds {max(found.st_size, len(raw))} bytes", f"at most {most}", place)
    return raw


def refuse_control(text: str, place: Place) -> None:
    """Raises `BookError` for a character that commands a terminal or a page, however it was written; `place` is where.

    Line feeds and tabs are text.
    """
    if not text.isprintable() and (found := _CONTROL.search(text)):
        line = place.line + text.count("\n", 0, found.start())
        raise BookError(f"holds the control character {ord(found[0]):#04x}", "remove it", Place(place.file, line))
