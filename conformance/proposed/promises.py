"""Promises of a proposal: properties that must hold after it."""

from __future__ import annotations

from dataclasses import dataclass

from conformance.proposed.stack import Stack
from engine import claims
from engine.book.model import Property
from engine.readings import Engine


@dataclass(frozen=True, slots=True)
class Promise:
    """A promised property: whether it is kept, by which method, and how it stood before."""

    id: str
    title: str
    proposal: str
    kept: bool
    method: str
    note: str
    before: str


def promises(stack: Stack) -> tuple[Promise, ...]:
    """Every promise of the proposals, judged on the book with all of them."""
    found = []
    for proposal in stack.proposals:
        for id_ in proposal.promises:
            prop = stack.book.properties[id_]
            verdict = claims.judge(stack.after, prop)
            before = stack.before.book.properties.get(id_)
            found.append(
                Promise(
                    id=id_,
                    title=prop.title,
                    proposal=proposal.name,
                    kept=verdict.holds,
                    method=verdict.method if verdict.holds else "",
                    note=verdict.note,
                    before=_standing(stack.before, before),
                )
            )
    return tuple(found)


def _standing(engine: Engine, prop: Property | None) -> str:
    if prop is None:
        return "no such property"
    verdict = claims.judge(engine, prop)
    if verdict.holds and prop.broken is None:
        return verdict.method
    return "known defect" if prop.broken is not None and not verdict.fault else "does not hold"
