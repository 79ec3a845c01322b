"""Profiles: named sets of readings to work under while questions are open. They are no rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.book.model import Book, Clause, Question
from engine.book.parts import PROFILE as KEY
from engine.errors import BookError, Place


def expand_profiles(book: Book) -> Book:
    """The book with every `under: {profile: NAME, …}` written out; what stands beside the name wins over it.

    Raises `BookError` for a profile that does not exist.
    """
    clauses = {id_: _clause(book, clause) for id_, clause in book.clauses.items()}
    questions = {id_: _question(book, question) for id_, question in book.questions.items()}
    properties = {
        id_: replace(p, under=_expand(book, p.under, p.id, p.place)) if KEY in p.under else p
        for id_, p in book.properties.items()
    }
    return replace(book, clauses=clauses, questions=questions, properties=properties)


def _clause(book: Book, clause: Clause) -> Clause:
    if not any(KEY in case.under for case in clause.cases):
        return clause
    cases = (replace(c, under=_expand(book, c.under, clause.id, c.place)) for c in clause.cases)
    return replace(clause, cases=tuple(cases))


def _question(book: Book, question: Question) -> Question:
    if not any(KEY in witness.under for witness in question.witnesses):
        return question
    own = question.name
    witnesses = []
    for w in question.witnesses:
        under = _expand(book, w.under, question.id, w.place)
        # A witness asks its own question: the profile fixes the others only.
        witnesses.append(replace(w, under={q: r for q, r in under.items() if q != own}))
    return replace(question, witnesses=tuple(witnesses))


def _expand(book: Book, under: Mapping[str, str], owner: str, place: Place) -> Mapping[str, str]:
    name = under.get(KEY)
    if name is None:
        return under
    if name not in book.profiles:
        known = ", ".join(book.profiles) or "none"
        raise BookError(f"{owner}: there is no profile {name[:60]}", f"profiles.toml has {known}", place)
    return {**book.profiles[name], **{q: r for q, r in under.items() if q != KEY}}
