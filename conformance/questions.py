"""Questions and their readings, judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conformance.asking import Reply, ask_built_in, brief, by_reading, inputs, steps_of
from conformance.cases import no_value
from conformance.checks import Finding, Subject, subject
from conformance.context import Context
from conformance.results import Blame
from engine.book.model import Question, Witness
from engine.errors import Undetermined, Unsettled, Unspecified
from engine.values import canonical, differences, same


def judge_reading(context: Context, question: Question, reading: str, item_id: str) -> Finding:
    """Whether the literal value of every witness comes out under one reading, whatever else is open."""
    says = next(r.says for r in question.readings if r.id == reading)
    first = question.witnesses[0]
    about = subject(
        question,
        "reading",
        context.system,
        item_id,
        case=f"{reading}: {says}",
        given=_call(first, reading),
        place=first.place,
    )
    expected = "; ".join(brief(w.gives[reading]) for w in question.witnesses)
    got: list[str] = []
    for witness in question.witnesses:
        rolls, under = _rolls(witness, reading), {**witness.under, question.name: reading}
        reply = context.ask(witness.call, witness.given, rolls, under)
        if reply.kind != "value":
            steps = steps_of(context.engine, witness.call, witness.given, rolls, under)
            return no_value(about, reply, expected, steps, f"the witness at {witness.place}")
        got.append(brief(reply.value))
        found = differences(canonical(witness.gives[reading]), reply.value)
        if found:
            blame: Blame = "engine under test" if context.remote is not None else "rule book"
            return about.found(
                "deviates",
                expected=expected,
                actual="; ".join(got),
                message=f"under {question.name}={reading}: {'; '.join(found)}",
                steps=steps_of(context.engine, witness.call, witness.given, rolls, under),
                blame=blame,
                remedy=f"Correct the value in `gives` at {witness.place}, or what consults {question.name}.",
            )
    unheard = _unheard(context, question, reading)
    if unheard:
        return about.found(
            "deviates",
            expected=expected,
            actual="; ".join(got),
            message=f"no formula and no procedure consults {question.name} on the way to {unheard}",
            blame="rule book",
            remedy=f"Consult {question.name} where the reading matters, or ask something that consults it.",
        )
    return about.found("conforms", expected=expected, actual="; ".join(got))


def judge_question(context: Context, question: Question, item_id: str) -> Finding:
    """Whether the text decides: open ones carry the exception of their strict xfail."""
    first = question.witnesses[0]
    about = subject(question, "question", context.system, item_id, given=_call(first), place=question.place)
    ruling = context.book.rulings.get(question.id)
    if ruling is not None:
        return _judge_ruled(context, question, about)
    if not question.readings:
        return _judge_missing(context, question, about)
    values = {r.id: [_under(context, question, w, r.id) for w in question.witnesses] for r in question.readings}
    shown = {reading: "; ".join(brief(v) for v in found) for reading, found in values.items()}
    expected = "one value, whatever the reading"
    actual = "; ".join(f"{reading}: {text}" for reading, text in shown.items())
    open_at, consulted = _openness(context, question, values)
    if open_at is None:
        return _decided(question, about, values, consulted, actual)
    if question.name not in consulted:
        others = ", ".join(sorted(consulted)) or "nothing"
        return about.found(
            "deviates",
            expected=expected,
            actual=actual,
            message=f"no evaluation of its witness consults {question.name} (it consults {others})",
            blame="rule book",
            remedy=f"Write {question.name} into the formula or procedure where the text is open, or mend the witness.",
        )
    twins = [
        f'"{a}" and "{b}"'
        for i, a in enumerate(values)
        for b in list(values)[i + 1 :]
        if all(same(x, y) for x, y in zip(values[a], values[b], strict=True))
    ]
    if twins:
        return about.found(
            "deviates",
            expected="readings that differ on some witness",
            actual=actual,
            message=f"the readings {twins[0]} give the same on every witness",
            blame="rule book",
            remedy="Drop one of them, or add a witness on which they differ.",
        )
    detail: dict[str, Any] = {"values": shown, "witnesses": [_call(w) for w in question.witnesses]}
    if context.remote is not None:
        taken, wrong = _taken(context, question)
        detail["taken"] = taken
        if wrong is not None:
            return about.found(
                "errored" if wrong.kind == "error" else "deviates",
                expected="the value of one of the readings",
                actual=wrong.text or brief(wrong.value),
                message=f"the engine's answer is that of no reading ({actual})"
                if wrong.kind != "error"
                else wrong.text,
                blame="engine under test",
                remedy="Correct the engine, or add its reading to the question if the text allows it.",
                detail=detail,
            )
    return about.found("open", error=open_at, expected=expected, actual=actual, detail=detail, blame="source")


def _judge_ruled(context: Context, question: Question, about: Subject) -> Finding:
    ruling = context.book.rulings[question.id]
    detail = {"reading": ruling.reading, "by": ruling.by, "on": ruling.on.isoformat(), "why": ruling.why}
    for witness in question.witnesses:
        rolls = _rolls(witness, ruling.reading)
        expected = canonical(witness.gives[ruling.reading])
        if context.remote is None:
            reply = ask_built_in(context.engine, witness.call, witness.given, rolls, witness.under)
        else:
            reply = context.ask(witness.call, witness.given, rolls, {**witness.under, question.name: ruling.reading})
        steps = steps_of(context.engine, witness.call, witness.given, rolls, witness.under)
        if reply.kind != "value":
            return no_value(about, reply, brief(expected), steps, f"the witness at {witness.place}")
        found = differences(expected, reply.value)
        if found:
            return about.found(
                "deviates",
                expected=brief(expected),
                actual=brief(reply.value),
                message=f'ruled "{ruling.reading}" by {ruling.by}: {"; ".join(found)}',
                steps=steps,
                blame="rule book" if context.remote is None else "engine under test",
                remedy=f"Correct the value in `gives` at {witness.place}, or what consults {question.name}.",
                detail=detail,
            )
    shown = "; ".join(brief(w.gives[ruling.reading]) for w in question.witnesses)
    return about.found("ruled", expected=shown, actual=shown, detail=detail)


def _judge_missing(context: Context, question: Question, about: Subject) -> Finding:
    """A question without readings: asked, the engine says that nothing can be computed."""
    expected = "a value that the text gives"
    given: list[str] = []
    for witness in question.witnesses:
        answer = context.engine.ask(witness.call, witness.given, rolls=_rolls(witness, ""), under=witness.under)
        for outcome in answer.outcomes:
            if isinstance(outcome.value, Unspecified) and outcome.value.reference == question.id:
                detail: dict[str, Any] = {"values": {}, "witnesses": [_call(w) for w in question.witnesses]}
                if context.remote is not None:
                    reply = context.ask(witness.call, witness.given, _rolls(witness, ""), witness.under)
                    detail["taken"] = f"answers {brief(reply.value)}" if reply.kind == "value" else reply.kind
                return about.found(
                    "open",
                    error=outcome.value,
                    expected=expected,
                    actual="unspecified",
                    message=f"nothing can be computed: {outcome.value.why}",
                    blame="source",
                    detail=detail,
                )
        if not answer.settled:
            stops = ", ".join(o.value.reference for o in answer.outcomes if isinstance(o.value, Unspecified))
            return about.found(
                "deviates",
                expected=f"unspecified, because of {question.id}",
                actual=f"stops at {stops}" if stops else "depends on other open questions",
                message=f"no evaluation of its witness consults {question.name}",
                blame="rule book",
                remedy=f"Consult {question.name} where the text says too little, or mend the witness.",
            )
        given.append(brief(answer.value))
    value = "; ".join(given)
    return about.found(
        "deviates",
        passes=True,
        expected="unspecified",
        actual=value,
        message=f"the rule book now gives {value}, although {question.id} says that the text gives nothing",
        blame="rule book",
        remedy=f"If the text now says it, retire {question.id} in book.toml; else consult {question.name} again.",
    )


def _openness(
    context: Context, question: Question, values: Mapping[str, Sequence[Any]]
) -> tuple[Unsettled | None, set[str]]:
    """The exception of the first witness that the text does not decide, and every question that was consulted."""
    found: Unsettled | None = None
    consulted: set[str] = set()
    for i, witness in enumerate(question.witnesses):
        if isinstance(witness.rolls, Mapping):
            # Each reading has a script of its own, so that one open question of the call is fixed at a time.
            outcomes = tuple(({question.name: reading}, got[i]) for reading, got in values.items())
            consulted |= _heard(context, question, witness)
            if any(not same(outcomes[0][1], value) for _, value in outcomes[1:]):
                found = found or Undetermined(outcomes)
            continue
        answer = context.engine.ask(witness.call, witness.given, rolls=witness.rolls, under=witness.under)
        consulted |= answer.consulted.keys()
        try:
            _ = answer.value
        except Unsettled as unsettled:
            found = found or unsettled
    return found, consulted


def _heard(context: Context, question: Question, witness: Witness) -> set[str]:
    reading = question.readings[0].id
    under = {**witness.under, question.name: reading}
    return set(context.engine.ask(witness.call, witness.given, rolls=_rolls(witness, reading), under=under).consulted)


def _decided(
    question: Question, about: Subject, values: Mapping[str, Sequence[Any]], consulted: set[str], actual: str
) -> Finding:
    """A text that decides without a ruling: the strict xfail passes, and that is the failure."""
    got = next(iter(values.values()))
    fits = [
        r.id
        for r in question.readings
        if all(
            not differences(canonical(w.gives[r.id]), canonical(v))
            for w, v in zip(question.witnesses, got, strict=True)
        )
    ]
    reading = fits[0] if len(fits) == 1 else "READING"
    unheard = "" if question.name in consulted else f"; nothing on the way consults {question.name} any more"
    return about.found(
        "deviates",
        passes=True,
        expected="different values under different readings",
        actual=actual,
        message=f"the text now decides {question.id}: {'; '.join(brief(v) for v in got)} under every reading{unheard}",
        blame="rule book",
        remedy=f"If that is meant, record it: raw rule {question.id} {reading} --by NAME --why TEXT",
    )


def _under(context: Context, question: Question, witness: Witness, reading: str) -> Any:
    """The value of a witness under one reading; an exception that says why there is none."""
    under = {**witness.under, question.name: reading}
    try:
        return context.engine.ask(witness.call, witness.given, rolls=_rolls(witness, reading), under=under).value
    except Unspecified as missing:
        return missing
    except Undetermined as conflict:
        return f"open ({by_reading(conflict)})"


def _unheard(context: Context, question: Question, reading: str) -> str:
    """The first witness on whose way the question is not consulted by any witness, else nothing."""
    for witness in question.witnesses:
        under = {**witness.under, question.name: reading}
        answer = context.engine.ask(witness.call, witness.given, rolls=_rolls(witness, reading), under=under)
        if answer.consulted.get(question.name) == reading:
            return ""
    return _call(question.witnesses[0])


def _taken(context: Context, question: Question) -> tuple[str, Reply | None]:
    """The reading that the engine under test took, and its first answer that fits none."""
    fitting = [r.id for r in question.readings]
    answered = False
    for witness in question.witnesses:
        replies = {}
        for reading in fitting:
            rolls = _rolls(witness, reading)
            if rolls not in replies:
                replies[rolls] = context.ask(witness.call, witness.given, rolls, witness.under)
        kinds = {reply.kind for reply in replies.values()}
        if kinds == {"unsupported"}:
            continue
        answered = True
        fits = [
            reading
            for reading in fitting
            if (reply := replies[_rolls(witness, reading)]).kind == "value"
            and not differences(canonical(witness.gives[reading]), reply.value)
        ]
        if not fits:
            return "none", next(reply for reply in replies.values() if reply.kind != "unsupported")
        fitting = fits
    return (" or ".join(fitting) if answered else "unsupported"), None


def _rolls(witness: Witness, reading: str) -> tuple[int, ...] | None:
    return witness.rolls.get(reading) if isinstance(witness.rolls, Mapping) else witness.rolls


def _call(witness: Witness, reading: str = "") -> str:
    rolls = _rolls(witness, reading) if reading or not isinstance(witness.rolls, Mapping) else None
    return f"{witness.call}: {inputs(witness.given, rolls, witness.under)}"
