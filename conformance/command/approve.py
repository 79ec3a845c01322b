"""`raw approve`: an operator approves parts of a book as they stand, or proposals on evidence."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from conformance.command.common import AGREES, DISAGREES, Books, By, On, Why, day
from conformance.command.library import Library
from conformance.command.page import Page, counted, page
from conformance.command.progress import progress
from engine.book.bound import bound_parts
from engine.book.decisions import judged_digest
from engine.book.model import Book, Proposal
from engine.book.record import Signature, decide, record_approvals, sign, unapproved
from engine.errors import CallError
from engine.terminal import clean

MOST_SHOWN = 24


def approve(
    by: By,
    why: Why,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME …",
            help="WA-5.4, WA-Q03, WA-P1, WA-input-level, many as 'WA-Q*', or a proposal such as C4-a.",
            show_default=False,
        ),
    ] = None,
    whole: Annotated[
        list[str] | None,
        typer.Option("--all-of", metavar="SYSTEM", help="Every part of a system's book.", show_default=False),
    ] = None,
    despite: Annotated[
        bool, typer.Option("--despite", help="Approve a proposal although it breaks what it promises.")
    ] = False,
    on: On = None,
    books: Books = None,
) -> int:
    """Approve parts of a book as they stand, or a proposal as it is written.

    A proposal that breaks one of its promises, or misses a target, is refused
    with exit status 1 unless --despite says that this is known.
    """
    signed = sign(by, day(on), why)
    library = Library(books)
    offered = library.proposals
    proposals = [library.proposal(name) for name in names or [] if name.rpartition(".")[2] in offered]
    parts = [name for name in names or [] if name.rpartition(".")[2] not in offered]
    chosen = _chosen(library, parts, whole or [], none=not proposals)
    judged = [_judge(book, proposal) for book, proposal in proposals]
    if any(broken for _, broken in judged) and not despite:
        for _, broken in judged:
            for line in broken:
                print(clean(line), file=sys.stderr)
        print("nothing was written; add --despite to approve it all the same", file=sys.stderr)
        return DISAGREES
    shown = page()
    # Every name is known before the first book is written to.
    for (book, proposal), (digest, broken) in zip(proposals, judged, strict=True):
        _approve_proposal(shown, book, proposal, signed, digest, broken)
    for book, ids in chosen.values():
        fresh = record_approvals(book.folder, ids, signed)
        bound = bound_parts(book)
        for id_ in ids[:MOST_SHOWN]:
            state = "approved" if id_ in fresh else "was approved already"
            shown.line((id_, "bold cyan"), f" {bound[id_].title}: {state}", hang=4)
        if len(ids) > MOST_SHOWN:
            shown.line(f"… {counted(len(ids), 'part')}, {len(fresh)} of them approved now")
        if not ids:
            shown.line(f"{book.system}: every part was approved already")
        if fresh:
            shown.line(f"written to {book.folder / 'approved.toml'}", indent=2)
    shown.gap()
    if chosen:
        shown.line(("Next: ", "bold"), " ".join(["pytest conformance", *(f"--system {s}" for s in chosen)]))
    for _, proposal in proposals:
        shown.line(("Next: ", "bold"), f"raw adopt {proposal.name} --by {_quoted(signed.by)}")
    return AGREES


def _judge(book: Book, proposal: Proposal) -> tuple[str, tuple[str, ...]]:
    """The digest of what is judged, and which promises it breaks."""
    from conformance.proposed.impact import judged

    digest = judged_digest(book, proposal.name)
    if proposal.changes_nothing:
        return digest, ()  # refused when it is written down
    with progress() as tell:
        tell(f"{proposal.name}: promises and targets", 0, 1)
        return digest, tuple(f"{proposal.at('promises')}: {line}" for line in judged(book, proposal.name))


def _approve_proposal(
    shown: Page, book: Book, proposal: Proposal, signed: Signature, digest: str, broken: tuple[str, ...]
) -> None:
    despite = "; ".join(line.partition(": ")[2] for line in broken)
    entry, before = decide(book.folder, proposal.name, "approved", signed, judged=digest, despite=despite)
    shown.line((proposal.name, "bold cyan"), f" {proposal.title}: approved (it was {before})", hang=4)
    for line in broken:
        shown.line(("despite: ", "yellow"), line.partition(": ")[2], indent=2, hang=4)
    shown.line(f"written to {entry.place}", indent=2)


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text else text


def _chosen(library: Library, names: list[str], whole: list[str], *, none: bool) -> dict[str, tuple[Book, list[str]]]:
    chosen: dict[str, tuple[Book, list[str]]] = {}
    for name in names:
        if "*" in name or "?" in name:
            book, ids = library.alike(name)
            waiting = unapproved(book)
            ids = [id_ for id_ in ids if id_ in waiting]
        else:
            book, part = library.bound(name)
            ids = [part.id]
        chosen.setdefault(book.system, (book, []))[1].extend(ids)
    for system in whole:
        book = library.book(system)
        chosen.setdefault(system, (book, []))[1].extend(unapproved(book))
    if not chosen and none:
        raise CallError("nothing to approve", "name parts, or --all-of SYSTEM")
    return {system: (book, list(dict.fromkeys(ids))) for system, (book, ids) in chosen.items()}
