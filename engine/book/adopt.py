"""Takes an approved proposal into the book, by edits of text.

Of a chapter only the sections of touched clauses change; layout, comments and everything else stay byte for byte.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from engine.book.bound import bound_parts
from engine.book.changelog import changelog_of, with_line
from engine.book.decisions import ADOPTED, bearing_on, judged_digest, mended, state_of
from engine.book.digests import proposal_digest, text_digest
from engine.book.ids import by_number
from engine.book.load import with_proposals
from engine.book.markdown import heading_lines, read_text
from engine.book.model import Book, Clause, Decision, Property, Proposal, Question
from engine.book.proposals import chapter_for, followed_by, proposal_of
from engine.book.record import Signature, approvals_with, earlier_approvals, log_with, logged, rulings_with
from engine.book.registers import FIGHTS
from engine.errors import BookError, CallError

Part = Clause | Question | Property
BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Adoption:
    """What adopting a proposal writes: texts by file (None: the file goes), and who had approved it.

    `changelog` is the file that gets a line, where there is one above the books. `unsettled` names other proposals
    whose decisions rest on what changes.
    """

    proposal: Proposal
    approval: Decision
    texts: Mapping[Path, str | None]
    changelog: Path | None
    unsettled: tuple[str, ...]


def plan_adoption(book: Book, name: str, signed: Signature) -> Adoption:
    """What is to be written; nothing is. Raises `CallError` unless the proposal is approved as it stands.

    Raises `BookError` where the proposal does not fit the book.
    """
    proposal = proposal_of(book, name)
    state = state_of(book, proposal)
    if state.word != "approved" or state.decision is None:
        raise CallError(f"{name} is {state}", f"approve it first: raw approve {name} --by NAME --why TEXT")
    before = followed_by(book, name)
    if before:
        raise CallError(f"{name} follows {before[0]}, which is not adopted", f"first: raw adopt {before[0]}")
    fresh = with_proposals(book, [name])
    edits = _Edits()
    _edit_parts(edits, book, proposal)
    _edit_settings(edits, book, proposal)
    _edit_fights(edits, book, proposal)
    texts: dict[Path, str | None] = dict(edits.texts())
    approver = Signature(state.decision.by, state.decision.on, f"{name}: {state.decision.why}")
    texts |= rulings_with(book, proposal.settles, approver, gone=proposal.withdraws)
    approved = _approved(book, fresh, proposal)
    texts |= approvals_with(book, approved, approver)
    parts, text = bearing_on(book, proposal), proposal_digest(proposal)
    entry = logged(name, ADOPTED, judged_digest(book, name), signed, parts=parts, text=text)
    texts |= log_with(book.folder, *earlier_approvals(book, approved), entry)
    file = proposal.place.file
    texts |= {file: None, file.parent / ADOPTED / file.name: read_text(file)}
    log = changelog_of(book.folder)
    if log is not None:
        texts[log] = with_line(read_text(log), _line(book, proposal, state.decision))
    others = [other for other in book.proposals.values() if other.touches & proposal.touches and other is not proposal]
    unsettled = tuple(o.name for o in others if state_of(book, o).decision is not None)
    return Adoption(proposal, state.decision, texts, log, unsettled)


def _approved(book: Book, fresh: Book, proposal: Proposal) -> dict[str, str]:
    """The digests of what the proposal's approval was about, as it will stand, by id in the order of the book."""
    written = {part.id for part in proposal.parts}
    whole = {prop.id: _without_key(prop.text.split("\n"), BROKEN) for prop in mended(book, proposal)}
    return {
        id_: text_digest("\n".join(whole[id_])) if id_ in whole else part.digest
        for id_, part in bound_parts(fresh).items()
        if id_ in written or id_ in whole or id_ in proposal.touches - proposal.settles.keys()
    }


def _line(book: Book, proposal: Proposal, approval: Decision) -> str:
    parts = ", ".join(sorted(proposal.touches, key=by_number))
    return (
        f"**{book.title}:** {proposal.title} ({proposal.name}: {parts}), approved by {approval.by} on {approval.on}:"
        f" {approval.why}"
    )


# --- Sections of pages -------------------------------------------------------------------


@dataclass(slots=True)
class _Edits:
    """Edits of files by lines, gathered and then made from the last to the first."""

    lines: dict[Path, list[str]] = field(default_factory=dict)
    changed: dict[Path, list[tuple[int, int, list[str]]]] = field(default_factory=dict)
    added: dict[Path, list[list[str]]] = field(default_factory=dict)
    whole: dict[Path, str] = field(default_factory=dict)

    def of(self, file: Path) -> list[str]:
        if file not in self.lines:
            self.lines[file] = read_text(file).split("\n")
        return self.lines[file]

    def replace(self, file: Path, first: int, last: int, new: list[str]) -> None:
        self.changed.setdefault(file, []).append((first, last, new))

    def append(self, file: Path, new: list[str]) -> None:
        self.added.setdefault(file, []).append(new)

    def texts(self) -> dict[Path, str]:
        found = dict(self.whole)
        for file in {**self.changed, **self.added}:
            lines = list(self.of(file))
            removed_last = any(not new and last == len(lines) for _, last, new in self.changed.get(file, []))
            for first, last, new in sorted(self.changed.get(file, []), key=lambda edit: -edit[0]):
                lines[first:last] = new
            if self.added.get(file) or removed_last:
                lines = _bare(lines)
                for new in self.added.get(file, []):
                    lines += ["", *new]
                lines.append("")
            found[file] = "\n".join(lines)
        return found


def _bare(lines: list[str]) -> list[str]:
    """The lines without blank ones at their end."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]


def _section(lines: list[str], first: int) -> int:
    """The line after the section whose heading stands at line `first` (both from 0)."""
    later = [line for line in heading_lines("\n".join(lines)) if line > first]
    return later[0] if later else len(lines)


def _edit_parts(edits: _Edits, book: Book, proposal: Proposal) -> None:
    present: dict[str, Part] = {part.id: part for part in book.parts}
    for part in proposal.parts:
        source = edits.of(part.place.file)
        begin = part.place.line - 1
        new = _bare(source[begin : _section(source, begin)])
        old = present.get(part.id)
        if old is None:
            edits.append(_home(book, part, edits), new)
            continue
        lines = edits.of(old.place.file)
        first = old.place.line - 1
        last = _section(lines, first)
        kept = lines[first + len(_bare(lines[first:last])) : last]
        edits.replace(old.place.file, first, last, [*new, *kept])
    for id_ in proposal.withdraws:
        place = present[id_].place
        lines = edits.of(place.file)
        edits.replace(place.file, place.line - 1, _section(lines, place.line - 1), [])
    for prop in mended(book, proposal):
        lines = edits.of(prop.place.file)
        first = prop.place.line - 1
        last = _section(lines, first)
        edits.replace(prop.place.file, first, last, _without_key(lines[first:last], BROKEN))


def _home(book: Book, part: Part, edits: _Edits) -> Path:
    """The file at whose end a new part goes."""
    if isinstance(part, Clause):
        return book.folder / f"{chapter_for(book, part)}.md"
    stem = "questions" if isinstance(part, Question) else "properties"
    known = [p.place.file for p in book.parts if type(p) is type(part)]
    file = known[-1] if known else book.folder / f"{stem}.md"
    if not file.is_file() and file not in edits.lines:
        edits.lines[file] = [f"# {stem.capitalize()}", ""]
    return file


def _without_key(section: list[str], key: str) -> list[str]:
    """A section without a key, and its value, of its block."""
    fence = next(i for i, line in enumerate(section) if line.strip().startswith("```yaml")) + 1
    end = next(i for i in range(fence, len(section)) if section[i].strip().startswith("```"))
    node = yaml.compose("\n".join(section[fence:end]), Loader=yaml.SafeLoader)
    assert isinstance(node, yaml.MappingNode)
    for name, value in node.value:
        if name.value == key:
            stop = value.end_mark.line + (1 if value.end_mark.column else 0)
            return section[: fence + name.start_mark.line] + section[fence + stop :]
    return section


# --- Settings and fights -----------------------------------------------------------------


def _edit_settings(edits: _Edits, book: Book, proposal: Proposal) -> None:
    """Retired ids and new inputs, into book.toml."""
    if not proposal.withdraws and not proposal.domain_specs:
        return
    import tomlkit

    file = book.folder / "book.toml"
    text = read_text(file)
    if proposal.withdraws and "retired" not in tomllib.loads(text):
        # A key of the whole file must stand above its first table.
        table = re.search(r"^\[", text, re.MULTILINE)
        at = table.start() if table else len(text)
        above = text[:at].rstrip("\n")
        text = f"{above}\nretired = []\n{text[len(above) :].removeprefix(chr(10))}"
    document: Any = tomlkit.parse(text)
    for id_ in proposal.withdraws:
        document["retired"].append(id_)
    for name, spec in proposal.domain_specs.items():
        document.setdefault("domains", tomlkit.table())[name] = _toml(spec)
    edits.whole[file] = tomlkit.dumps(document)
    read = tomllib.loads(edits.whole[file])
    if not set(proposal.withdraws) <= set(read.get("retired", [])) or not set(proposal.domains) <= set(read["domains"]):
        raise BookError("its layout is too odd to be edited", "retire the ids by hand", proposal.place)


def _toml(value: Any) -> Any:
    import tomlkit

    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        for key, each in value.items():
            table[key] = _toml(each)
        return table
    return list(value) if isinstance(value, list) else value if isinstance(value, bool | int) else str(value)


def _edit_fights(edits: _Edits, book: Book, proposal: Proposal) -> None:
    """Fields of entries, into fights.toml."""
    if not proposal.fights:
        return
    import tomlkit

    file = book.folder / FIGHTS
    document: Any = tomlkit.parse(read_text(file)) if file.is_file() else {}
    for name, fields in proposal.fights.items():
        holder = next((rows for table, rows in document.items() if table != "sweeps" and name in rows), None)
        if holder is None:
            raise BookError(f"{FIGHTS} has no entry {name[:60]}", _entries(document), proposal.at("fights"))
        for key, value in fields.items():
            holder[name][key] = _toml(value)
    edits.whole[file] = tomlkit.dumps(document)


def _entries(document: Mapping[str, Any]) -> str:
    names: Iterable[str] = (name for table, rows in document.items() if table != "sweeps" for name in rows)
    return f"it has {', '.join(names) or 'none'}"
