"""All that a proposal would do, in one piece: what the terminal shows, and the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from conformance.proposed.changes import Change, Setting, changes, settings
from conformance.proposed.checks import Checks, checks
from conformance.proposed.fights import Aim, Table, aims, has_fights, open_scores, tables
from conformance.proposed.outcomes import Figures, Shift, figures, shifts
from conformance.proposed.promises import Promise, promises
from conformance.proposed.stack import Stack, open_stack
from engine.book.decisions import State, state_of
from engine.book.model import Book

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""


NOTHING = Checks((), (), (), (), (), 0)


@dataclass(frozen=True, slots=True)
class Impact:
    """What changes, what breaks, what is mended, what stays open."""

    stack: Stack
    states: tuple[State, ...]
    changes: tuple[Change, ...]
    settings: tuple[Setting, ...]
    shifts: tuple[Shift, ...]
    figures: tuple[Figures, ...]
    checks: Checks
    promises: tuple[Promise, ...]
    tables: tuple[Table, ...]
    aims: tuple[Aim, ...]

    @property
    def changes_nothing(self) -> bool:
        """Whether the proposals only hold names."""
        return all(proposal.changes_nothing for proposal in self.stack.proposals)

    @property
    def broken(self) -> tuple[str, ...]:
        """Each promise that is broken and each target that is missed, in a sentence."""
        from conformance.proposed.fights import target_words

        kept = [f"{p.id} is promised and does not hold: {p.note}" for p in self.promises if not p.kept]
        missed = [
            f"the target {target_words(a.target)} is missed: {'; '.join(a.missed) or a.problem}"
            for a in self.aims
            if not a.met
        ]
        return (*kept, *missed)


def impact(book: Book, names: Sequence[str], tell: Progress) -> Impact:
    """The impact of these proposals of a book, in their order.

    Raises `InputError`, with file and line, for a proposal that does not fit.
    """
    tell("reading the proposals", 0, 1)
    stack = open_stack(book, names)
    states = tuple(state_of(book, proposal) for proposal in stack.proposals)
    if all(proposal.changes_nothing for proposal in stack.proposals):
        return Impact(stack, states, (), (), (), (), NOTHING, promises(stack), (), aims(stack))
    after = open_scores(stack) if has_fights(stack.book) else None
    kept = promises(stack)
    targets = aims(stack, after)
    return Impact(
        stack=stack,
        states=states,
        changes=changes(stack),
        settings=settings(stack),
        shifts=shifts(stack, partial(tell, "every case, before and after")),
        figures=figures(stack, partial(tell, "every definition that may change")),
        checks=checks(stack, partial(tell, "the suite, before and after")),
        promises=kept,
        tables=tables(stack, after, partial(tell, "fights, exactly")) if after is not None else (),
        aims=targets,
    )


def judged(book: Book, name: str) -> tuple[str, ...]:
    """The broken promises and missed targets of one proposal alone: what an approval asks."""
    stack = open_stack(book, [name])
    found = Impact(stack, (), (), (), (), (), NOTHING, promises(stack), (), aims(stack))
    return found.broken
