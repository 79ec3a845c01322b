"""Takes a changed source into the book: the register of passages anew, and the numbers that cite them.

Only text is edited: layout, comments and the words why a passage rules nothing stay as they are.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from engine.book.bound import bound_parts
from engine.book.digests import part_digest
from engine.book.load import load_book
from engine.book.markdown import read_text
from engine.book.model import Book
from engine.book.sources import SourceReport
from engine.errors import BookError, InputError, Place

_ENTRY = re.compile(r"(?P<lead>\s*)(?P<number>\d+)(?P<rest>\s*=\s*\{.*)")
_SHA = re.compile(r"[0-9a-f]{64}")
_FENCE = re.compile(r"^```yaml[^\S\n]*\n(?P<block>.*?)^```[^\S\n]*$", re.MULTILINE | re.DOTALL)


def accept(book: Book, report: SourceReport) -> dict[Path, str]:
    """The new text of each file of the book that changes; nothing is written.

    Citations follow passages that have another number now. An approved part in which only such numbers changed
    stays approved. Raises `BookError` where a part cites a passage that is gone, `InputError` where the source was
    saved in another form (line endings, byte order mark, encoding).
    """
    if report.form:
        _, problem, remedy = report.form[0]
        raise InputError(problem, f"{remedy}, then accept it", None)
    _refuse_gone(book, report)
    register = book.folder / "passages.toml"
    text = read_text(register)
    laid_out = {int(match["number"]) for line in text.split("\n") if (match := _ENTRY.fullmatch(line))}
    if laid_out != set(book.passages):
        raise BookError("an entry over several lines", "write each passage on one line, `1 = {…}`", Place(register, 1))
    texts = {register: _register(text, report)}
    numbers = report.renumbering
    if numbers:
        for file in sorted(book.folder.rglob("*.md")):
            old = read_text(file)
            new = _FENCE.sub(lambda fence: _renumbered(fence[0], fence["block"], numbers), old)
            if new != old:
                texts[file] = new
    # The new book is read before the old one is touched.
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / book.folder.name
        shutil.copytree(book.folder, copy, ignore=shutil.ignore_patterns(".*"))
        for file, text in texts.items():
            (copy / file.relative_to(book.folder)).write_text(text, encoding="utf-8", newline="\n")
        try:
            fresh = load_book(copy)
            digests = {id_: part.digest for id_, part in bound_parts(fresh).items()}
        except InputError as error:
            if error.place is None or not error.place.file.is_relative_to(copy):
                raise
            place = Place(book.folder / error.place.file.relative_to(copy), error.place.line)
            raise BookError(f"once accepted, {error.problem}", error.remedy, place) from None
    assert {number: passage.sha256 for number, passage in fresh.passages.items()} == dict(report.digests)
    approvals = _approvals(book, digests)
    if approvals is not None:
        texts[book.folder / "approved.toml"] = approvals
    return texts


def _refuse_gone(book: Book, report: SourceReport) -> None:
    claims = book.claims()
    for number in report.gone:
        for owner in claims.get(number, ()):
            part = next(part for part in book.parts if part.id == owner)
            raise BookError(
                f"{owner} cites passage {number}, which is gone", "take it out of the part first", part.place
            )


def _register(text: str, report: SourceReport) -> str:
    """`passages.toml` with the numbers and digests of the report; a comment stays above the entry below it."""
    numbers = report.renumbering
    head: list[str] = []
    entries: dict[int, list[str]] = {}
    above: list[str] = []
    for line in text.rstrip("\n").split("\n"):
        match = _ENTRY.fullmatch(line)
        if match is None:
            above.append(line)
            continue
        if not entries:
            # The heading of the table, and what stands above it, belongs to no entry.
            cut = max((i for i, above_line in enumerate(above) if above_line.lstrip().startswith("[")), default=-1) + 1
            head, above = above[:cut], above[cut:]
        was = int(match["number"])
        if was not in report.gone:
            now = numbers.get(was, was)
            rest = _SHA.sub(report.digests[now], match["rest"], count=1)
            entries[now] = [*above, f"{match['lead']}{now}{rest}"]
            above = []
        elif not entries:
            entries[0] = []
    for number in report.new:
        entries[number] = [f'{number} = {{sha256 = "{report.digests[number]}"}}']
    if not head:
        head, above = [*above, "[passages]"], []
    lines = head + [line for number in sorted(entries) for line in entries[number]] + above
    return "\n".join(lines) + "\n"


def _renumbered(fence: str, block: str, numbers: Mapping[int, int]) -> str:
    """A fenced block with the passages that it cites under their new numbers."""
    start = fence.index("\n") + 1
    lines = block.split("\n")
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    for node in sorted(_citations(yaml.compose(block, Loader=yaml.SafeLoader)), key=lambda n: -n.start_mark.index):
        if node.value.isdigit() and int(node.value) in numbers:
            begin = offsets[node.start_mark.line] + node.start_mark.column
            end = offsets[node.end_mark.line] + node.end_mark.column
            block = f"{block[:begin]}{numbers[int(node.value)]}{block[end:]}"
    return fence[:start] + block + fence[start + len("\n".join(lines)) :]


def _citations(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """The numbers under `source:` of a block and under `example:` of its cases."""
    for key, value in _pairs(node):
        if key == "source" and isinstance(value, yaml.SequenceNode):
            yield from (item for item in value.value if isinstance(item, yaml.ScalarNode))
        elif key == "cases" and isinstance(value, yaml.SequenceNode):
            for case in value.value:
                yield from (v for k, v in _pairs(case) if k == "example" and isinstance(v, yaml.ScalarNode))


def _pairs(node: yaml.Node | None) -> list[tuple[str, Any]]:
    if not isinstance(node, yaml.MappingNode):
        return []
    return [(key.value, value) for key, value in node.value]


def _approvals(book: Book, digests: Mapping[str, str]) -> str | None:
    """`approved.toml` with the digests of approved parts that were renumbered; None where it stays as it is."""
    own = {part.id: part_digest(part) for part in book.parts}
    moved = {
        id_: digests[id_]
        for id_, approval in book.approvals.items()
        if id_ in own and approval.digest == own[id_] != digests[id_]
    }
    if not moved:
        return None
    import tomlkit

    document: Any = tomlkit.parse(read_text(book.folder / "approved.toml"))
    for part, digest in moved.items():
        document["approved"][part]["digest"] = digest
    return tomlkit.dumps(document)
