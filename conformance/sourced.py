"""The source at hand: whether each passage still reads as it did when the book was written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from conformance.checks import Check, Finding, Subject
from conformance.context import Context
from engine.book.model import Passage
from engine.book.sources import SourceReport, citing, compare
from engine.errors import Place


def source_checks(context: Context) -> Iterator[Check]:
    """The file's form, its passages one by one, and lines that the book does not know."""
    if not context.wants_source:
        return
    book = context.book
    place = Place(book.folder / "passages.toml", 1)
    owner = f"{book.prefix}-source"
    report = None if context.source is None else compare(book, context.source)

    def about(item_id: str, title: str, clause: str = owner, at: Place = place) -> Subject:
        return Subject(item_id, context.system, clause, "source", at, title=title)

    def check(subject: Subject, judge: partial[Finding]) -> Check:
        return Check(subject.id, context.system, subject.clause, "source", subject.place, judge)

    file = about(f"{owner}[file]", book.source_file)
    yield check(file, partial(_judge_file, file, book.source_file, report))
    if report is None:
        return
    for passage in book.passages.values():
        own = f"{book.prefix}-passage-{passage.number}"
        one = about(f"{own}[source]", f"Passage {passage.number}", own, passage.place)
        yield check(one, partial(_judge_passage, context, report, passage, one))
    new = about(f"{owner}[new-lines]", book.source_file)
    yield check(new, partial(_judge_new, book.source_file, report, new))


def _judge_file(about: Subject, name: str, report: SourceReport | None) -> Finding:
    expected = "UTF-8 without a byte order mark, LF line endings"
    if report is None:
        return about.found(
            "missing",
            expected=expected,
            actual="no such file",
            message=f"--sources holds no {name}",
            blame="source",
            remedy=f"Put {name} there, or correct `source` in book.toml.",
        )
    if report.form:
        wrong = [f"{name}:{line}: {what}" for line, what, _ in report.form]
        return about.found(
            "deviates",
            expected=expected,
            actual="; ".join(what for _, what, _ in report.form),
            message="\n".join(wrong) + "\nThis is how the file was saved, not what it says.",
            blame="source",
            remedy=_sentence("; ".join(remedy for _, _, remedy in report.form)),
        )
    return about.found("conforms", expected=expected, actual="so it is")


def _judge_passage(context: Context, report: SourceReport, passage: Passage, about: Subject) -> Finding:
    number = passage.number
    expected = f"line {number}, digest {passage.sha256[:12]}"
    if number in report.same:
        return about.found("conforms", expected=expected, actual="the same")
    now = {shift.was: shift for shift in (*report.moved, *report.changed)}.get(number)
    if now is None:
        actual, problem = "nowhere", f"passage {number} is gone"
    elif now in report.moved:
        actual, problem = f"line {now.now}, the same text", f"passage {number} moved to line {now.now}"
    else:
        actual = f"line {now.now}, digest {report.digests[now.now][:12]}"
        problem = f"passage {number} changed" + (f" and moved to line {now.now}" if now.now != number else "")
    look_at = citing(context.book, {number})
    shown = ", ".join(look_at) or "nothing cites it"
    return about.found(
        "deviates",
        expected=expected,
        actual=actual,
        message=f"{problem}; look at {shown}",
        blame="source",
        remedy=f"Read the passage and {', '.join(look_at)} again, then record the new digest at {passage.place}."
        if look_at
        else f"Read the passage, then record the new digest at {passage.place}.",
        detail={"look_at": list(look_at)},
    )


def _judge_new(name: str, report: SourceReport, about: Subject) -> Finding:
    expected = "no line that the book does not list"
    if not report.new:
        return about.found("conforms", expected=expected, actual="none")
    numbers = ", ".join(map(str, report.new[:20])) + (" …" if len(report.new) > 20 else "")
    return about.found(
        "missing",
        expected=expected,
        actual=f"new lines {numbers}",
        message=f"{name} has lines that passages.toml does not list: {numbers}",
        blame="source",
        remedy="List them in passages.toml, and claim each or say why it rules nothing.",
    )


def _sentence(words: str) -> str:
    """The words as a sentence: not `capitalize()`, which would make LF small."""
    return f"{words[:1].upper()}{words[1:]}."
