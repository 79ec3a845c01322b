"""The source of a book against what the book knows of it: which passages are the same, changed, moved, new or gone."""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from engine.book.model import Book

_BOM = b"\xef\xbb\xbf"
_OTHER_ENCODINGS = {"utf-16": "UTF-16", "cp1252": "Windows-1252"}


@dataclass(frozen=True, slots=True)
class Shift:
    """A passage that stood on line `was` and stands on line `now`.

    `displaced` tells one that was taken out of its order from one that others pushed up or down.
    """

    was: int
    now: int
    displaced: bool = False


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What became of each passage of a source.

    Numbers are lines: of the book's register in `same` and `gone`, of the file at hand in `new`. `changed` pairs
    lines whose text differs, `moved` those whose text is the same on another line. `digests` are the passages of the
    file as they would stand in the register. `suspects` are the ids of clauses, questions and properties to look at
    again: those that cite a passage that changed, was displaced or is gone.
    """

    same: tuple[int, ...]
    changed: tuple[Shift, ...]
    moved: tuple[Shift, ...]
    new: tuple[int, ...]
    gone: tuple[int, ...]
    line_endings: int | None
    byte_order_mark: bool
    encoding: str
    digests: Mapping[int, str]
    suspects: tuple[str, ...]

    @property
    def form(self) -> tuple[tuple[int, str, str], ...]:
        """What is wrong with how the file was saved: (line, what is wrong, what would be right)."""
        found = []
        if self.encoding:
            line, _, what = self.encoding.partition(":")
            found.append((int(line), f"encoding: {what}", "save it as UTF-8"))
        if self.byte_order_mark:
            found.append((1, "byte order mark at the start", "save it as UTF-8 without one"))
        if self.line_endings is not None:
            found.append((self.line_endings, "line endings with CR", "save it with LF line endings"))
        return tuple(found)

    @property
    def agrees(self) -> bool:
        """Whether the file is, byte for byte in every passage, what the book was written from."""
        return not (self.changed or self.moved or self.new or self.gone or self.form)

    @property
    def renumbering(self) -> dict[int, int]:
        """The new number of each passage that has another one now."""
        return {shift.was: shift.now for shift in (*self.changed, *self.moved) if shift.was != shift.now}


def passages_of(raw: bytes) -> dict[int, str]:
    """The SHA-256 of each line that is not blank, by its number. The bytes are taken as they are."""
    lines = raw.split(b"\n")
    return {number: hashlib.sha256(line).hexdigest() for number, line in enumerate(lines, 1) if line.strip()}


def compare(book: Book, raw: bytes) -> SourceReport:
    """The passages of `raw` against the book's register.

    How a file was saved (line ends, byte order mark, encoding) is told apart from what it says: where only that
    differs, no passage counts as changed.
    """
    line_endings = raw[: raw.index(b"\r")].count(b"\n") + 1 if b"\r" in raw and not _is_utf16(raw) else None
    known = {number: passage.sha256 for number, passage in book.passages.items()}
    byte_order_mark = raw.startswith(_BOM)
    text, encoding = _as_utf8(raw.removeprefix(_BOM), known)
    found = passages_of(text.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    same, changed, moved, new, gone = _align(known, found)
    touched = {*(s.was for s in changed), *(s.was for s in moved if s.displaced), *gone}
    return SourceReport(
        same=tuple(same),
        changed=tuple(changed),
        moved=tuple(moved),
        new=tuple(new),
        gone=tuple(gone),
        line_endings=line_endings,
        byte_order_mark=byte_order_mark,
        encoding=encoding,
        digests=found,
        suspects=citing(book, touched),
    )


def citing(book: Book, numbers: set[int]) -> tuple[str, ...]:
    """The ids of all parts that cite one of these passages, in the order of the book."""
    owners = {owner for number, claimed in book.claims().items() if number in numbers for owner in claimed}
    return tuple(part.id for part in book.parts if part.id in owners)


def _is_utf16(raw: bytes) -> bool:
    return raw.startswith((b"\xff\xfe", b"\xfe\xff"))


def _as_utf8(raw: bytes, known: Mapping[int, str]) -> tuple[bytes, str]:
    """The bytes as UTF-8, and as "LINE:what they are" where they were something else."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
    else:
        return raw, ""
    digests = set(known.values())

    def matching(candidate: bytes) -> int:
        return sum(digest in digests for digest in passages_of(candidate.replace(b"\r", b"")).values())

    # Lines of ASCII are the same in most encodings: only one that explains more of the text is named.
    best, most, name = raw, matching(raw), "not UTF-8"
    for encoding, called in _OTHER_ENCODINGS.items():
        if encoding == "utf-16" and not _is_utf16(raw):
            continue
        try:
            candidate = raw.decode(encoding).encode()
        except UnicodeError:
            continue
        if matching(candidate) > most:
            best, most, name = candidate, matching(candidate), f"saved as {called}, not UTF-8"
    return best, f"{line}:{name}"


def _align(
    known: Mapping[int, str], found: Mapping[int, str]
) -> tuple[list[int], list[Shift], list[Shift], list[int], list[int]]:
    """Pairs the lines of both sides: first in order, then those that left their order, then by position in a gap."""
    before, after = sorted(known), sorted(found)
    same: list[int] = []
    moved: list[Shift] = []
    gaps: list[tuple[Sequence[int], Sequence[int]]] = []
    matcher = SequenceMatcher(None, [known[n] for n in before], [found[n] for n in after], autojunk=False)
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            for was, now in zip(before[i:i_end], after[j:j_end], strict=True):
                if was == now:
                    same.append(was)
                else:
                    moved.append(Shift(was, now))
        else:
            gaps.append((before[i:i_end], after[j:j_end]))
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for _, arrived in gaps:
        for now in arrived:
            waiting[found[now]].append(now)
    displaced = {was: waiting[known[was]].popleft() for left, _ in gaps for was in left if waiting.get(known[was])}
    moved += [Shift(was, now, displaced=True) for was, now in displaced.items()]
    changed: list[Shift] = []
    new: list[int] = []
    gone: list[int] = []
    taken = set(displaced.values())
    for left, arrived in gaps:
        old, fresh = [n for n in left if n not in displaced], [n for n in arrived if n not in taken]
        pairs, old, fresh = _pair(old, fresh)
        changed += pairs
        gone += old
        new += fresh
    return same, changed, sorted(moved, key=lambda shift: shift.now), new, gone


def _pair(old: list[int], fresh: list[int]) -> tuple[list[Shift], list[int], list[int]]:
    """Lines of one gap as changed into one another; where one side has more, those on the same line come first."""
    if len(old) != len(fresh):
        kept = sorted(set(old) & set(fresh))
        if kept:
            rest_old, rest_fresh = [n for n in old if n not in kept], [n for n in fresh if n not in kept]
            return [Shift(n, n) for n in kept], rest_old, rest_fresh
    count = min(len(old), len(fresh))
    return [Shift(*pair) for pair in zip(old, fresh, strict=False)], old[count:], fresh[count:]
