"""What a book promises beyond each part's own form: ids, names, passages and readings that exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.book.model import Book, DecisionTable, ProcedureName
from engine.errors import BookError, Place


def check_book(book: Book) -> None:
    """Raises `BookError`, with its place, for the first broken promise."""
    for check in (_check_ids, _check_names, _check_passages, _check_readings, _check_holes, _check_rulings):
        check(book)


def _check_ids(book: Book) -> None:
    for part in book.parts:
        if part.id in book.retired:
            raise BookError(f"{part.id} was retired", "ids are never reused; take a free one", part.place)


def _check_names(book: Book) -> None:
    seen: dict[str, str] = {}
    for clause in book.clauses.values():
        name = clause.name
        if name is None:
            continue
        if name in seen:
            raise BookError(f"{clause.id} defines {name} again", f"{seen[name]} defines it already", clause.place)
        if name in book.domains and not isinstance(clause.body, ProcedureName):
            raise BookError(f"{clause.id} defines {name}, which is an input", "choose another name", clause.place)
        seen[name] = clause.id


def _check_passages(book: Book) -> None:
    file = book.folder / "passages.toml"
    cited: list[tuple[str, Place, Sequence[int]]] = [(part.id, part.place, part.sources) for part in book.parts]
    for clause in book.clauses.values():
        cited += [(clause.id, case.place, (case.passage,)) for case in clause.cases if case.passage is not None]
    for owner, place, numbers in cited:
        for number in numbers:
            if number not in book.passages:
                raise BookError(
                    f"{owner} cites passage {number}, which the source has not",
                    f"see {file.name} for its passages",
                    place,
                )


def _check_readings(book: Book) -> None:
    """Every `under` and every profile names questions and readings that exist."""
    choices: list[tuple[str, Place, Mapping[str, str]]] = [
        *((p.id, p.place, p.under) for p in book.properties.values()),
        *((q.id, w.place, w.under) for q in book.questions.values() for w in q.witnesses),
        *((c.id, k.place, k.under) for c in book.clauses.values() for k in c.cases),
        *((f"profile {n}", Place(book.folder / "profiles.toml", 1), p) for n, p in book.profiles.items()),
    ]
    readings = {q.name: [r.id for r in q.readings] for q in book.questions.values()}
    for owner, place, under in choices:
        for question, reading in under.items():
            check_reading(readings, question, reading, owner, place)


def _check_holes(book: Book) -> None:
    """The holes of a decision table are owned by questions that exist."""
    for clause in book.clauses.values():
        for owner in clause.body.holes if isinstance(clause.body, DecisionTable) else ():
            if owner not in book.questions:
                raise BookError(
                    f"{clause.id}: holes {owner}, which is no question",
                    f"name questions by their ids: {book.prefix}-Q07",
                    clause.place,
                )


def check_reading(
    readings: Mapping[str, list[str]], question: str, reading: str, owner: str, place: Place | None
) -> None:
    """Raises `BookError` where there is no such question or reading."""
    if question not in readings:
        raise BookError(f"{owner}: there is no question {question}", "name one of questions.md, like Q07", place)
    if reading not in readings[question]:
        raise BookError(
            f'{owner}: {question} has no reading "{reading}"',
            f"one of {', '.join(readings[question]) or 'none'}",
            place,
        )


def _check_rulings(book: Book) -> None:
    readings = {q.id: [r.id for r in q.readings] for q in book.questions.values()}
    for ruling in book.rulings.values():
        check_reading(readings, ruling.question, ruling.reading, "ruling", ruling.place)
    for approval in book.approvals.values():
        if approval.clause not in book.clauses and approval.clause not in book.retired:
            raise BookError(
                f"approval of {approval.clause}, which is no clause",
                "retire the id in book.toml, or bring it back",
                approval.place,
            )
