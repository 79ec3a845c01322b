"""Two books beside each other: one as it stands, and the same with proposals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from conformance.items import check_calls
from engine.book.load import load_book, with_proposals
from engine.book.model import Book, Case, Clause, Proposal
from engine.book.proposals import followed_by, proposal_of
from engine.errors import BookError, InputError, Undetermined, Unspecified
from engine.readings import Engine


@dataclass(frozen=True, slots=True)
class Stack:
    """`before` is the book on which the proposals are judged: with the open ones that they follow (`ground`)."""

    before: Engine
    after: Engine
    proposals: tuple[Proposal, ...]
    ground: tuple[str, ...]

    @property
    def book(self) -> Book:
        """The book as it would be."""
        return self.after.book

    @property
    def names(self) -> tuple[str, ...]:
        """The proposals, in their order."""
        return tuple(proposal.name for proposal in self.proposals)

    @property
    def title(self) -> str:
        """The proposals by name, and what they stand on."""
        names = " + ".join(self.names)
        return f"{names} on top of {' + '.join(self.ground)}" if self.ground else names


def open_stack(book: Book, names: Sequence[str]) -> Stack:
    """The book without and with the proposals, in the order given.

    Raises `InputError`, with file and line, for a proposal that does not fit the book or leaves a case without value.
    """
    chosen = tuple(dict.fromkeys(names))
    proposals = tuple(proposal_of(book, name) for name in chosen)
    followed = dict.fromkeys(other for name in chosen for other in followed_by(book, name))
    ground = tuple(other for other in followed if other not in chosen)
    base = load_book(book.folder) if book.applied else book
    # Proposals may have been named in an order in which one that is followed stands later.
    after = Engine(with_proposals(base, [*ground, *chosen]))
    before = Engine(with_proposals(base, ground)) if ground else Engine(base)
    check_calls(after)
    _refuse_valueless(after, before, proposals)
    return Stack(before, after, proposals, ground)


def _refuse_valueless(after: Engine, before: Engine, proposals: Sequence[Proposal]) -> None:
    """Raises `BookError` where a case that wants a value has none under the proposals, and had one."""
    for clause in after.book.clauses.values():
        for case in clause.cases:
            why = _no_value(after, case)
            if not why or (clause == before.book.clauses.get(clause.id) and _no_value(before, case)):
                continue
            own = any(clause is each or clause.text == each.text for p in proposals for each in p.clauses)
            place = case.place if own else proposals[-1].place
            where = "" if own else f" ({case.place})"
            problem = f"{clause.id}[{case.label}]{where} is left without a value: {why}"
            raise BookError(problem, "give it one, or change the case", place)


def _no_value(engine: Engine, case: Case) -> str:
    """Why a case that expects a value has none; nothing where it has, or expects none."""
    if case.expected in ("unspecified", "undetermined"):
        return ""
    try:
        _ = engine.ask(case.call, case.given, rolls=case.rolls, under=case.under).value
    except Unspecified as missing:
        return str(missing)
    except Undetermined:
        return ""
    except InputError as error:
        return error.problem
    return ""


def part_of(book: Book, id_: str) -> Any:
    """A clause, question or property by id; None where there is none."""
    return book.clauses.get(id_) or book.questions.get(id_) or book.properties.get(id_)


def names_of(clause: Clause) -> list[str]:
    """What a clause defines: its own name, and those of a record's formulas."""
    formulas = getattr(clause.body, "formulas", {})
    return [definition.name for definition in formulas.values()] or ([clause.name] if clause.name else [])
