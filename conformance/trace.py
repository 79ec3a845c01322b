"""Traceability: passages claimed, ids that exist, domains used, clauses with cases, approvals up to date."""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from conformance.checks import Check, Finding, Subject, sentence
from conformance.context import Context
from conformance.differences import difference
from conformance.history import approved_text
from engine.book.bound import Bound, bound_parts
from engine.book.model import Book, DecisionTable, Definition, LookupTable, Passage, Record
from engine.errors import Place

MOST_SHOWN = 12


def passage_checks(context: Context) -> Iterator[Check]:
    """One item for each passage: something claims it, or it says why it rules nothing."""
    claims = context.book.claims()
    for passage in context.book.passages.values():
        item_id = f"{context.book.prefix}-passage-{passage.number}"
        judge = partial(_judge_passage, context, passage, claims[passage.number], item_id)
        yield Check(item_id, context.system, item_id, "trace", passage.place, judge)


def _judge_passage(context: Context, passage: Passage, claimed: list[str], item_id: str) -> Finding:
    about = Subject(item_id, context.system, item_id, "trace", passage.place, title=f"Passage {passage.number}")
    expected = "claimed by a clause, case, question or property, or informative with a reason"
    if claimed and passage.informative:
        return about.found(
            "deviates",
            expected=expected,
            actual=f"both: claimed by {', '.join(claimed)}, and informative ({passage.informative})",
            message=f"passage {passage.number} is marked informative, and {claimed[0]} claims it",
            blame="rule book",
            remedy=f"Drop `informative` at {passage.place}, or the passage from `source` of {claimed[0]}.",
        )
    if claimed:
        return about.found("conforms", expected=expected, actual=", ".join(claimed), detail={"claimed_by": claimed})
    if passage.informative:
        return about.found("conforms", expected=expected, actual=f"informative: {passage.informative}")
    return about.found(
        "missing",
        expected=expected,
        actual="neither",
        message=f"passage {passage.number} of {context.book.source_file} is claimed by nothing",
        blame="rule book",
        remedy=f'Name {passage.number} in the `source:` of the clause that states it, or give it `informative = "why"`'
        f" at {passage.place}.",
    )


def approval_checks(context: Context) -> Iterator[Check]:
    """One item for each part of the book: it says what it said when it was approved."""
    base = bound_parts(context.base) if context.base is not None else None
    for part in bound_parts(context.book).values():
        item_id = f"{part.id}[approval]"
        judge = partial(_judge_approval, context, part, base, item_id)
        yield Check(item_id, context.system, part.id, "approval", part.place, judge)


def _judge_approval(context: Context, part: Bound, base: Mapping[str, Bound] | None, item_id: str) -> Finding:
    about = Subject(
        item_id, context.system, part.id, "approval", part.place, title=part.title, sentence=sentence(part.prose)
    )
    approval = context.book.approvals.get(part.id)
    command = f"raw approve {part.id} --by WHO --why TEXT"
    applied = ", ".join(context.book.applied)
    if base is not None and (part.id not in base or base[part.id].text != part.text):
        return about.found(
            "conforms",
            expected="as approved, or as a proposal of this run changes it",
            actual=f"as proposed by {applied}",
            message=f"changed or added by {applied}, which is judged as a whole",
        )
    if approval is None:
        return about.found(
            "missing",
            expected="an approval",
            actual="none",
            message=f"{part.id} is not approved",
            blame="rule book",
            remedy=f"Read it; if it is right: {command}",
        )
    digest = part.digest
    who = f"{approval.by} on {approval.on.isoformat()}"
    if digest == approval.digest:
        return about.found("conforms", expected=f"as approved by {who}", actual="the same")
    if part.id in context.book.retired:
        return about.found(
            "deviates",
            expected=f"as approved by {who}",
            actual="retired",
            message=f"{part.id} was retired without approval",
            blame="rule book",
            remedy=f"If it is to rule nothing any more: {command}",
        )
    old, why = approved_text(part.place.file, part.id, approval.digest)
    change = difference(old, part.text, names=(f"approved by {who}", "now")) if old else ()
    return about.found(
        "deviates",
        expected=f"as approved by {who} (digest {approval.digest[:12]})",
        actual=f"another text (digest {digest[:12]})",
        message=f"{part.id} changed without approval",
        steps=change or (f"the approved text cannot be shown: {why}",),
        blame="rule book",
        remedy=f"Read the change (git diff {part.place.file}); if it is right: {command}",
    )


def book_checks(context: Context, known: Collection[str], questions: Collection[str]) -> Iterator[Check]:
    """What holds for a book as a whole.

    `known` are the ids of all books of the run, `questions` those that are strict xfails in this run.
    """
    place = Place(context.book.folder / "book.toml", 1)
    owner = f"{context.book.prefix}-trace"
    judges: dict[str, Callable[[Subject], Finding]] = {
        "cases": partial(_judge_cases, context),
        "ids": partial(_judge_ids, context, known),
        "domains": partial(_judge_domains, context),
        "questions": partial(_judge_one_to_one, context, questions),
    }
    for name, judge in judges.items():
        about = Subject(f"{owner}[{name}]", context.system, owner, "trace", place, title=_TITLES[name])
        yield Check(about.id, context.system, owner, "trace", place, partial(judge, about))


_TITLES = {
    "cases": "Every clause has a case, or says why none is possible",
    "ids": "Every id that is cited exists",
    "domains": "Every declared domain is used",
    "questions": "Open questions and strict xfails correspond one to one",
}


def _listed(about: Subject, wrong: list[str], good: str, remedy: str) -> Finding:
    """Conforms where nothing is wrong; else everything that is, bounded."""
    if not wrong:
        return about.found("conforms", expected=about.title, actual=good)
    more = [f"and {len(wrong) - MOST_SHOWN} more"] if len(wrong) > MOST_SHOWN else []
    return about.found(
        "missing",
        expected=about.title,
        actual=f"{len(wrong)} exceptions" if len(wrong) > 1 else "1 exception",
        message="\n".join([*wrong[:MOST_SHOWN], *more]),
        blame="rule book",
        remedy=remedy,
    )


def _judge_cases(context: Context, about: Subject) -> Finding:
    clauses = context.book.clauses.values()
    wrong = [f"{c.id} ({c.place}) has no case" for c in clauses if not c.cases and not c.no_case]
    return _listed(about, wrong, f"{len(clauses)} clauses", "Give it `cases:`, or `no_case: why`.")


def _judge_ids(context: Context, known: Collection[str], about: Subject) -> Finding:
    prefixes = sorted({part.partition("-")[0] for part in known} | {context.book.prefix})
    pattern = re.compile(rf"\b(?:{'|'.join(prefixes)})-(?:Q\d+|P\d+|\d+(?:\.\d+)*)(?![\w])")
    chapters = {part.partition(".")[0] for part in known}
    wrong, cited = [], 0
    for file in sorted((*context.book.folder.rglob("*.md"), *context.book.folder.glob("*.toml"))):
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
            for part in pattern.findall(line):
                cited += 1
                if part not in known and part not in context.book.retired and part not in chapters:
                    wrong.append(f"{file}:{number} cites {part}, which does not exist")
    return _listed(about, wrong, f"{cited} citations", "Correct the id, or write the part that is meant.")


def _judge_domains(context: Context, about: Subject) -> Finding:
    used = used_names(context)
    wrong = [
        f"{name} ({context.book.folder / 'book.toml'}) is used by nothing"
        for name in context.book.domains
        if name not in used
    ]
    return _listed(about, wrong, f"{len(context.book.domains)} domains", "Drop it from book.toml, or use it.")


def used_names(context: Context) -> set[str]:
    """The names of all inputs: parameters, inputs of procedures with their fields, names in claims."""
    used: set[str] = set()
    for clause in context.book.clauses.values():
        bodies = clause.body.formulas.values() if isinstance(clause.body, Record) else (clause.body,)
        for body in bodies:
            if isinstance(body, Definition | DecisionTable | LookupTable):
                used |= set(body.params)
    for procedure in context.engine.procedures.values():
        for name, kind in procedure.inputs.items():
            used.add(name)
            used |= _fields(kind, set())
    for prop in context.book.properties.values():
        used |= prop.claim.names
    return used


def _fields(kind: Any, seen: set[Any]) -> set[str]:
    """The names of the fields of a dataclass, and of those that it holds."""
    names: set[str] = set()
    for argument in typing.get_args(kind):
        names |= _fields(argument, seen)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind not in seen:
        seen.add(kind)
        hints = typing.get_type_hints(kind)
        for field in dataclasses.fields(kind):
            names.add(field.name)
            names |= _fields(hints[field.name], seen)
    return names


def _judge_one_to_one(context: Context, questions: Collection[str], about: Subject) -> Finding:
    entries = {q.id for q in context.book.questions.values() if q.id not in context.book.rulings}
    wrong = [f"{part} is open and has no strict xfail" for part in sorted(entries - set(questions))]
    wrong += [f"{part} is a strict xfail and no open question" for part in sorted(set(questions) - entries)]
    return _listed(about, wrong, f"{len(entries)} open questions", "Report this: the suite lost count.")


def cited_ids(book: Book) -> set[str]:
    """Every id that citations may name: clauses, questions, properties, and those of proposals."""
    ids = {part.id for part in book.parts}
    for proposal in book.proposals.values():
        ids |= {clause.id for clause in proposal.clauses}
        ids |= {question.id for question in proposal.questions} | {prop.id for prop in proposal.properties}
    return ids
