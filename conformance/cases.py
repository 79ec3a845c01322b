"""Cases, judged; and what becomes of a call that gives no value."""

from __future__ import annotations

from typing import Any

from conformance.asking import Reply, ask_built_in, brief, inputs, steps_of
from conformance.checks import Finding, Subject, subject
from conformance.context import Context, unruled
from conformance.results import Blame
from engine.book.model import Case, Clause, ProcedureName
from engine.errors import Undetermined
from engine.values import canonical, differences

MAKE_A_QUESTION = "where the source itself says both, it contradicts itself: add a question to questions.md"


def judge_case(context: Context, clause: Clause, case: Case, item_id: str) -> Finding:
    """Whether the engine under test gives the literal outcome."""
    about = subject(
        clause,
        "case",
        context.system,
        item_id,
        place=case.place,
        case=_kind_of(context, case),
        given=inputs(case.given, case.rolls, case.under),
    )
    expected = canonical(case.expected)
    reply = context.ask(case.call, case.given, case.rolls, case.under)
    if reply.kind == "value":
        found = differences(expected, reply.value)
        if not found:
            return about.found("conforms", expected=brief(expected), actual=brief(reply.value))
        if expected == "undetermined" and _left_open_by_the_text(context, case, reply):
            return about.found("conforms", expected="undetermined", actual=f"{brief(reply.value)} by what was ruled")
        blame, remedy = _blame(context, clause, case, expected)
        steps = steps_of(context.fixed_engine, case.call, case.given, case.rolls, case.under)
        return about.found(
            "deviates",
            expected=brief(expected),
            actual=brief(reply.value),
            message="; ".join(found),
            steps=steps,
            blame=blame,
            remedy=remedy,
        )
    if reply.kind == "open" and expected == "undetermined":
        return about.found("conforms", expected="undetermined", actual=reply.text)
    if _same_under_every_reading(reply, expected):
        return about.found("conforms", expected=brief(expected), actual=f"{brief(expected)} under every reading")
    steps = steps_of(context.fixed_engine, case.call, case.given, case.rolls, case.under)
    return no_value(about, reply, brief(expected), steps, f"the case at {case.place}")


def _left_open_by_the_text(context: Context, case: Case, reply: Reply) -> bool:
    """Whether only a ruling, or a reading of the run, gives the call its value; then it is the value of the book."""
    ours = ask_built_in(context.fixed_engine, case.call, case.given, case.rolls, case.under)
    text = ask_built_in(unruled(context.engine), case.call, case.given, case.rolls, case.under)
    return text.kind == "open" and ours.kind == "value" and not differences(ours.value, reply.value)


def _same_under_every_reading(reply: Reply, expected: Any) -> bool:
    """Whether readings differ only in fields of the outcome that the case does not name."""
    if not isinstance(reply.error, Undetermined):
        return False
    return all(not differences(expected, canonical(value)) for _, value in reply.error.values)


def no_value(about: Subject, reply: Reply, expected: str, steps: tuple[str, ...], where: str) -> Finding:
    if reply.kind == "unsupported":
        return about.found(
            "unsupported", expected=expected, actual="unsupported", message=reply.text, blame="engine under test"
        )
    if reply.kind == "open":
        assert isinstance(reply.error, Undetermined)
        names = sorted({name for readings, _ in reply.error.values for name in readings})
        return about.found(
            "deviates",
            expected=expected,
            actual=f"open: {reply.text}",
            message=f"the text leaves it open: {reply.text}",
            steps=steps,
            blame="rule book",
            remedy=f"Fix the reading in {where} (`under: {{{(names or ['Q01'])[0]}: …}}`), or rule the question.",
        )
    return about.found(
        "errored",
        expected=expected,
        actual="no answer",
        message=reply.text,
        steps=steps,
        blame=reply.fault,
        remedy=f"Correct {where}, or the rule that it calls."
        if reply.fault == "rule book"
        else "Correct the program that answers the call.",
    )


def _blame(context: Context, clause: Clause, case: Case, expected: Any) -> tuple[Blame, str]:
    """Whose fault a deviation is, and what to do next."""
    if context.remote is not None:
        own = ask_built_in(context.fixed_engine, case.call, case.given, case.rolls, case.under)
        if own.kind == "value" and not differences(expected, own.value):
            return "engine under test", f"Correct the engine: the steps above are how {clause.id} gets to its value."
        return "rule book", f"The rule book itself departs from this case: correct {clause.id} before the engine."
    if isinstance(clause.body, ProcedureName) and case.call == clause.name:
        return "engine under test", (
            f"Correct the procedure {clause.body.name} in engine/systems/{context.system}.py, or the case at"
            f" {case.place}; {MAKE_A_QUESTION}."
        )
    if case.passage is not None and _printed(context, case.passage, brief(expected)) and _agrees(context, clause, case):
        return "source", (
            f"Passage {case.passage} prints this value, and other cases of {clause.id} agree with the rule: the source"
            f" contradicts itself. Add a question to questions.md, with a reading for each."
        )
    printed = f" (compare it with passage {case.passage} of the source)" if case.passage is not None else ""
    return "rule book", f"Correct {clause.id}, or the case at {case.place}{printed}; {MAKE_A_QUESTION}."


def _printed(context: Context, passage: int, value: str) -> bool:
    lines = (context.source or b"").split(b"\n")
    return 0 < passage <= len(lines) and value.encode() in lines[passage - 1]


def _agrees(context: Context, clause: Clause, case: Case) -> bool:
    """Whether some other case of the clause agrees with its rule."""
    for other in clause.cases:
        if other is case:
            continue
        reply = ask_built_in(context.fixed_engine, other.call, other.given, other.rolls, other.under)
        if reply.kind == "value" and not differences(canonical(other.expected), reply.value):
            return True
    return False


def _kind_of(context: Context, case: Case) -> str:
    work = f" ({case.work})" if case.work else ""
    if case.passage is not None:
        return f"example, printed in passage {case.passage} of {context.book.source_file}{work}"
    return (f"boundary: {case.why}" if case.why else "derived") + work
