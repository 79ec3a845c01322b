"""What a rule book says when a tool asks it: a value, or what is open, and what other readings would make of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from engine.book.load import load_book
from engine.errors import CallError, Unspecified
from engine.procedures import Rules
from engine.readings import Answer, Engine, Outcome
from engine.run import Run
from engine.values import same, show

SYSTEM = "tu_chan_gioi"
OPEN = "mở (open)"

Word = Callable[[Any], str]
"""How a value is shown."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What some readings lead to: `readings` holds (question, reading) pairs, such as ("Q12", "score").

    `value` is an `Unspecified` where nothing can be computed.
    """

    readings: tuple[tuple[str, str], ...]
    value: Any


@dataclass(frozen=True, slots=True)
class Said:
    """A value, or, where there is none, what is open.

    `lacking` names the question without readings (or says in words what is missing); `choices` holds the value under
    each reading that matters; `others` holds what the profile set aside: readings that would change the value.
    """

    value: Any = None
    lacking: str = ""
    choices: tuple[Choice, ...] = ()
    others: tuple[Choice, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether there is one value."""
        return not self.lacking and not self.choices

    def cell(self, word: Word = show, unsettled: str = OPEN) -> str:
        """The value, or that it is open."""
        return word(self.value) if self.settled else unsettled

    def readings(self, word: Word = show) -> tuple[str, ...]:
        """A line for each value that another reading gives: `Q12 score: 78`."""
        return (*_merged(self.choices, word, whole=True), *_merged(self.others, word, whole=False))

    def why(self, word: Word = show) -> str:
        """What is lacking, or the value under each reading, or what other readings would give; often nothing."""
        return self.lacking or "; ".join(self.readings(word))

    def text(self, word: Word = show) -> str:
        """The value with what it rests on, for a line of prose."""
        why = self.why(word)
        return self.cell(word) + (f" [{why}]" if why else "")


def _merged(choices: Sequence[Choice], word: Word, *, whole: bool) -> tuple[str, ...]:
    """Choices of one value that differ in a single question are told in one line.

    `whole` is whether every reading is among the choices: a question all of whose readings give the value is left out.
    """
    groups: list[tuple[dict[str, tuple[str, ...]], str]] = []
    for choice in choices:
        unspecified = isinstance(choice.value, Unspecified)
        value = f"{choice.value.reference} {OPEN}" if unspecified else word(choice.value)
        groups.append(({question: (reading,) for question, reading in choice.readings}, value))
    while (pair := _like_pair(groups)) is not None:
        (one, value), (other, _) = groups[pair[0]], groups.pop(pair[1])
        groups[pair[0]] = ({q: tuple(dict.fromkeys((*one[q], *other[q]))) for q in one}, value)
    if whole:
        seen = {
            question: {r for c in choices for q, r in c.readings if q == question}
            for one, _ in groups
            for question in one
        }
        groups = [({q: taken for q, taken in one.items() if {*taken} != seen[q]}, value) for one, value in groups]
    return tuple(f"{_named(readings)}: {value}" for readings, value in groups)


def _named(readings: Mapping[str, tuple[str, ...]]) -> str:
    """`Q12 score, Q20 power or product`."""
    return ", ".join(f"{question} {' or '.join(taken)}" for question, taken in readings.items())


def _like_pair(groups: Sequence[tuple[Mapping[str, tuple[str, ...]], str]]) -> tuple[int, int] | None:
    for (i, (one, value)), (j, (other, same_value)) in combinations(enumerate(groups), 2):
        if value == same_value and one.keys() == other.keys() and sum(one[q] != other[q] for q in one) <= 1:
            return i, j
    return None


class Reader:
    """A rule book under a profile. Rulings win over the profile; without one, every reading is tried."""

    def __init__(self, engine: Engine, profile: str = "") -> None:
        """Raises `CallError` for a profile that the book has not."""
        book = engine.book
        if profile and profile not in book.profiles:
            known = ", ".join(book.profiles) or "none"
            raise CallError(f"{book.system} has no profile {profile[:60]}", f"one of {known}")
        chosen = book.profiles[profile] if profile else {}
        self.engine = engine
        self.profile = profile
        self.under = {question: reading for question, reading in chosen.items() if question not in book.ruled}

    @cached_property
    def _readings(self) -> dict[str, tuple[str, ...]]:
        return {q.name: tuple(r.id for r in q.readings) for q in self.engine.book.questions.values()}

    def title_of(self, question: str) -> str:
        """`TU-Q12 Thể in the HP formula: …`, for an id of the book; anything else comes back as it is."""
        found = self.engine.book.questions.get(question)
        return f"{question} {found.title}" if found else question

    def ask(self, name: str, /, **given: Any) -> Said:
        """What a definition gives. Raises `InputError` for an input that is unknown or outside its domain."""
        self.engine.ask(name, given, under=self.under, first_difference=True)  # checks the inputs, as `work` does not
        return self.work(lambda rules: getattr(rules, name)(**given))

    def work(self, play: Callable[[Rules], Any]) -> Said:
        """What a calculation with several definitions gives, under one choice of readings at a time."""

        def played(run: Run) -> Any:
            return play(self.engine.rules(run))

        answer = self.engine.explore(played, under=self.under)
        if answer.settled:
            return Said(answer.value, others=self._others(played, answer))
        choices = self._choices(answer)
        if not choices[0].readings:  # whatever is chosen, the same is lacking
            return Said(lacking=choices[0].value.reference)
        return Said(choices=choices)

    def _others(self, played: Callable[[Run], Any], answer: Answer) -> tuple[Choice, ...]:
        """Each single reading that the profile set aside and that would change the value."""
        found: list[Choice] = []
        for question, taken in sorted(answer.consulted.items(), key=lambda pair: _number(pair[0])):
            if question not in self.under:
                continue
            for reading in self._readings[question]:
                if reading == taken:
                    continue
                turned = self.engine.explore(played, under={**self.under, question: reading})
                found.extend(
                    Choice(((question, reading), *outcome.readings.items()), outcome.value)
                    for outcome in turned.outcomes
                    if not _alike(outcome.value, answer.value)
                )
        return tuple(found)

    def _choices(self, answer: Answer) -> tuple[Choice, ...]:
        """The outcomes, without the questions that change none of them."""
        questions = {question for outcome in answer.outcomes for question in outcome.readings}
        matter = sorted((q for q in questions if _matters(q, answer.outcomes)), key=_number)
        found: list[Choice] = []
        for outcome in answer.outcomes:
            kept = tuple((q, outcome.readings[q]) for q in matter if q in outcome.readings)
            if not any(kept == choice.readings and _alike(choice.value, outcome.value) for choice in found):
                found.append(Choice(kept, outcome.value))
        return tuple(found)


def _number(question: str) -> int:
    return int(question.removeprefix("Q"))


def _alike(left: Any, right: Any) -> bool:
    if isinstance(left, Unspecified) or isinstance(right, Unspecified):
        return isinstance(left, Unspecified) and isinstance(right, Unspecified) and left.reference == right.reference
    return same(left, right)


def _matters(question: str, outcomes: tuple[Outcome, ...]) -> bool:
    """Whether two outcomes differ that agree on every other question that both met."""
    met = [outcome for outcome in outcomes if question in outcome.readings]
    for i, one in enumerate(met):
        for other in met[:i]:
            shared = one.readings.keys() & other.readings.keys() - {question}
            if any(one.readings[q] != other.readings[q] for q in shared):
                continue
            if not _alike(one.value, other.value):
                return True
    return False


def open_engine(books: str) -> Engine:
    """The rule book of Tu Chân Giới in the folder `books`, made executable. Raises `InputError` where it is bad."""
    return Engine(load_book(Path(books) / SYSTEM))
