"""A combination that was found, as the file of a proposal."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from conformance.proposed.tuning import Move, Parameter
from engine.book.load import load_book, with_proposals
from engine.book.model import Book, Target
from engine.book.proposals import read_proposal
from engine.book.write import locked, write_book
from engine.errors import CallError, InputError, Place
from engine.values import show


def write_proposal(book: Book, name: str, move: Move, parameters: Sequence[Parameter], keep: Sequence[str]) -> Path:
    """Writes `proposals/NAME.md`; gives its path. Raises `InputError` where it is there, or would not fit the book."""
    file = book.folder / "proposals" / f"{name}.md"
    text = proposal_text(book, name, move, {p.name: p for p in parameters}, keep)
    with locked(book.folder):
        book = load_book(book.folder)
        if file.exists() or any(decision.about == name for decision in book.decisions):
            raise CallError(f"there is a proposal {name[:60]} already", "choose another name")
        with tempfile.TemporaryDirectory() as scratch:
            draft = Path(scratch) / f"{name}.md"
            draft.write_text(text, encoding="utf-8")
            try:
                proposal = read_proposal(draft, book.prefix, book.domains)
                with_proposals(replace(book, proposals={**book.proposals, name: proposal}), [name])
            except InputError as error:
                raise type(error)(
                    error.problem, error.remedy, Place(file, error.place.line if error.place else 1)
                ) from None
        write_book(book.folder, {file: text})
    return file


def proposal_text(book: Book, name: str, move: Move, parameters: Mapping[str, Parameter], keep: Sequence[str]) -> str:
    """The file of a proposal that makes these moves."""
    moved = ", ".join(f"{key} {show(old)} to {show(new)}" for key, (old, new) in move.moves.items())
    fields: dict[str, dict[str, Any]] = {}
    for key, (_, new) in move.moves.items():
        if not parameters[key].clause:
            entry, _, what = key.partition(".")
            fields.setdefault(entry, {})[what] = new
    clauses = [parameters[key].clause for key in move.moves if parameters[key].clause]
    sources = sorted({n for c in clauses for n in book.clauses[c].sources}) or [min(book.passages)]
    head = [f"source: [{', '.join(map(str, sources))}]"]
    if keep:
        head.append(f"promises: [{', '.join(keep)}]")
    if fields:
        head.append("fights:")
        head += [
            f"  {entry}: {{{', '.join(f'{k}: {show(v)}' for k, v in row.items())}}}" for entry, row in fields.items()
        ]
    if move.aims:
        head.append("targets:")
        head += [f"  - {{{_target(aim.target)}}}" for aim in move.aims]
    parts = [f"# {name} {moved[:1].upper()}{moved[1:]} (found by raw tune)", ""]
    parts += ["One of the smallest changes of a grid that meet the targets below. Say here why it is wanted.", ""]
    parts += ["```yaml", *head, "```"]
    for key, (_, new) in move.moves.items():
        clause = parameters[key].clause
        if clause:
            parts += ["", *_constant(book, clause, key, new)]
    return "\n".join(parts) + "\n"


def _target(target: Target) -> str:
    parts = [f"{key}: {show(value)}" for key, value in target.inputs.items()]
    parts += [f"sweep: {target.sweep}"] if target.sweep else []
    parts += [f"win: {target.win}"] if target.win is not None else []
    parts += [f"rounds: {target.rounds}"] if target.rounds is not None else []
    return ", ".join(parts)


def _constant(book: Book, id_: str, name: str, value: Any) -> list[str]:
    clause = book.clauses[id_]
    text = show(value)
    sources = ", ".join(map(str, clause.sources))
    return [
        f"### {id_} {clause.title}",
        "",
        clause.prose,
        "",
        "```yaml",
        f"source: [{sources}]",
        f"define: {name} = {text}",
        "cases:",
        f"  - {{is: {text}}}",
        "```",
    ]
