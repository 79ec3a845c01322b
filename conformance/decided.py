"""Proposals as items: each fits its book, and none passes for decided after it was edited."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from conformance.checks import Check, Finding, Subject
from conformance.context import Context
from engine.book.decisions import state_of
from engine.book.load import with_proposals
from engine.book.model import Book, Proposal
from engine.book.proposals import followed_by


def proposal_checks(context: Context) -> Iterator[Check]:
    """One item for each open proposal of the book."""
    book = context.base or context.book
    for proposal in book.proposals.values():
        item_id = f"{book.prefix}-proposal-{proposal.name}"
        about = Subject(item_id, context.system, item_id, "trace", proposal.place, title=proposal.title)
        yield Check(item_id, context.system, item_id, "trace", proposal.place, partial(_judge, book, proposal, about))


def _judge(book: Book, proposal: Proposal, about: Subject) -> Finding:
    expected = "it fits the book, and its decision is about what stands there"
    if not proposal.changes_nothing:
        with_proposals(book, [*followed_by(book, proposal.name), proposal.name])
    state = state_of(book, proposal)
    if state.stale is None or not state.edited:
        return about.found("conforms", expected=expected, actual=str(state))
    old = state.stale
    again = f"raw approve {proposal.name} --by NAME --why TEXT"
    return about.found(
        "deviates",
        expected=expected,
        actual=str(state),
        message=f"{proposal.name} was {old.kind} by {old.by} as it stood on {old.on}; it has been edited since",
        blame="rule book",
        remedy=f"Look at it again (raw impact {proposal.name}), then decide anew: {again}, or raw reject.",
    )
