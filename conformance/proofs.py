"""Properties, decision tables and thresholds: what the engine can prove or enumerate, as items."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from conformance.asking import brief, inputs
from conformance.checks import Finding, KnownDefect, subject
from conformance.context import Context, unruled
from engine import claims, tables, thresholds
from engine.book.model import Clause, DecisionTable, Property
from engine.errors import BoundError
from engine.values import canonical

MOST_RULED = 4


def judge_property(context: Context, prop: Property, item_id: str) -> Finding:
    """Whether a claim holds on its whole domain; a known defect carries the exception of its strict xfail."""
    about = subject(prop, "property", context.system, item_id, case=prop.claim.text, given=_domains(prop))
    verdict = claims.judge(context.fixed_engine, prop)
    detail: dict[str, Any] = {"method": verdict.method, "points": verdict.points, "note": verdict.note}
    if verdict.counterexample is not None:
        detail["counterexample"] = canonical(verdict.counterexample)
        detail["readings"] = dict(verdict.readings)
    expected = "the claim holds on its whole domain"
    if verdict.holds and prop.broken is None:
        return about.found("conforms", expected=expected, actual=verdict.note, detail=detail)
    if verdict.holds:
        return about.found(
            "deviates",
            passes=True,
            expected=f"broken at {inputs(prop.broken or {})}",
            actual=verdict.note,
            message=f"{prop.id} holds now: the known defect is gone{_by_ruling(context, prop)}",
            blame="rule book",
            remedy=f"Drop `broken:` from {prop.id} at {prop.place}, and say in CHANGELOG.md what mended it;"
            f" then raw approve {prop.id} --by NAME --why TEXT.",
            detail=detail,
        )
    if prop.broken is not None and not verdict.fault:
        return about.found(
            "broken",
            error=KnownDefect(f"{prop.id} is {verdict.note}"),
            expected=expected,
            actual=verdict.note,
            message="a known defect",
            blame="source",
            detail=detail,
        )
    found = verdict.counterexample
    remedy = "Correct the rule or the claim."
    if found is not None:
        remedy = f"Write `broken: {{{_flow(found)}}}` at {prop.place}" + (
            "."
            if prop.broken is not None
            else " if the source itself has this defect; else correct the rule or the claim."
        )
    return about.found(
        "deviates",
        expected=expected if prop.broken is None else f"broken at {inputs(prop.broken)}, and nowhere smaller",
        actual=verdict.note,
        message=(verdict.fault or verdict.note) + _by_ruling(context, prop),
        blame="rule book",
        remedy=remedy,
        detail=detail,
    )


def _by_ruling(context: Context, prop: Property) -> str:
    """What to add where the claim is as the book says it as long as nothing is ruled."""
    ruled = context.book.rulings
    if not ruled:
        return ""
    before = claims.judge(unruled(context.engine), prop)
    as_written = before.holds if prop.broken is None else not before.holds and not before.fault
    if not as_written:
        return ""
    names = ", ".join(f"{ruling.question} as {ruling.reading}" for ruling in ruled.values())
    return f" since a ruling was made ({names if len(ruled) <= MOST_RULED else f'one of {len(ruled)}'})"


def judge_table(context: Context, clause: Clause, item_id: str) -> Finding:
    """Whether a decision table gives one answer everywhere, or a question accounts for where it does not."""
    about = subject(clause, "table", context.system, item_id)
    expected = "one row applies everywhere"
    try:
        survey = tables.survey(context.fixed_engine, clause)
    except BoundError as error:
        return about.found(
            "errored",
            expected=expected,
            message=str(error),
            blame="rule book",
            remedy="Narrow the search with `window:` in the clause's block.",
        )
    told = accounted_for(context, clause)
    findings = survey.findings
    notes = [f"{f.kind} at {inputs(f.witness)}" for f in findings]
    open_ones = [f for f in findings if f.kind in ("gap", "conflict")]
    detail: dict[str, Any] = {
        "searched": survey.searched,
        "complete": survey.complete,
        "findings": [
            {
                "kind": f.kind,
                "rows": list(f.rows),
                "witness": canonical(f.witness),
                "readings": [dict(r) for r in f.readings],
                "case": f.case,
            }
            for f in findings
        ],
    }
    if not open_ones or told:
        by = f" (accounted for by {', '.join(told)})" if open_ones else ""
        return about.found(
            "conforms", expected=expected, actual=("; ".join(notes) or survey.searched) + by, detail=detail
        )
    first = open_ones[0]
    where = inputs(first.witness, under=first.readings[0])
    rows = ", ".join(map(str, first.rows))
    problem = f"no row applies at {where}" if first.kind == "gap" else f"rows {rows} give different values at {where}"
    return about.found(
        "deviates",
        expected=expected,
        actual="; ".join(notes[:8]),
        message=problem,
        blame="rule book",
        remedy=f"Correct the rows; where the source says no more, add a question that names {clause.id}."
        + (f" As a case: {first.case}" if first.case else ""),
        detail=detail,
    )


def accounted_for(context: Context, clause: Clause) -> list[str]:
    """What says that a table leaves something open: the owners of its holes, questions that name it, cases."""
    table = clause.name
    owners = list(clause.body.holes) if isinstance(clause.body, DecisionTable) else []
    told = [
        question.id
        for question in context.book.questions.values()
        if question.id not in context.book.rulings
        and (
            _names(clause.text, question.id)
            or _names(question.text, clause.id)
            or any(witness.call == table for witness in question.witnesses)
        )
    ]
    cases = (case for case in clause.cases if case.call == table)
    said = [f"the case {case.label}" for case in cases if case.expected in ("unspecified", "undetermined")]
    return [*dict.fromkeys(owners + told), *said]


def _names(text: str, part: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(part)}(?!\w|\.\d)", text) is not None


def judge_thresholds(context: Context, clause: Clause, item_id: str) -> Finding:
    """Whether each comparison and each number of a clause is pinned by some case."""
    about = subject(clause, "threshold", context.system, item_id)
    expected = "a case on each side of every comparison and number"
    # What is pinned by a case under one reading stays pinned when another one is ruled.
    found = thresholds.check(unruled(context.engine), clause)
    loose = [t for t in found if not t.pinned]
    counts = Counter(t.state for t in found)
    detail: dict[str, Any] = {
        "states": dict(sorted(counts.items())),
        "loose": [{"text": t.text, "change": t.change, "case": t.case} for t in loose],
    }
    if not loose:
        actual = f"{counts['pinned']} pinned" + (f", {counts['same']} without effect" if counts["same"] else "")
        return about.found("conforms", expected=expected, actual=actual, detail=detail)
    rows = [
        f"{t.text} could become {t.change}: no case would notice" + (f"; {t.case}" if t.case else "") for t in loose
    ]
    return about.found(
        "missing",
        expected=expected,
        actual=f"{len(loose)} of {len(found)} not pinned",
        message="\n".join(rows[:12]),
        blame="rule book",
        remedy=f"Add such cases to {clause.id}; check each value by hand, for it is the formula's own.",
        detail=detail,
    )


def _domains(prop: Property) -> str:
    parts = [f"{name} in {domain}" for name, domain in prop.domains.items()]
    return ", ".join(parts + [f"under {q}={r}" for q, r in prop.under.items()])


def _flow(values: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name}: {brief(value)}" for name, value in (values or {}).items())
