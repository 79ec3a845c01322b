"""Numbers that a person enters: what lies outside its range is put back, and the tool says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from conformance.tools.said import Reader, Said
from conformance.tools.words import ABILITIES, BOXES, number
from engine.book.domains import Range
from engine.procedures import Rules

# Which definition of the book holds the range of a box. The page has no others.
RANGES = {"cap": "boxed_cap", "stage": "boxed_stage", "the_chat": "boxed_the_chat"}
SCORE_RANGE = "boxed_score"
FAR = 10**9  # beyond any range


@dataclass(frozen=True, slots=True)
class Boxed:
    """What a box holds after an entry; None while the book leaves open where it is put back to.

    `note` names the box, the value and its range, where something was put back or is open; `remark` says that a value
    was taken of whose range the page does not speak.
    """

    value: int | None
    note: str = ""
    remark: str = ""


def put_back(reader: Reader, box: str, entered: int, before: int) -> Boxed:
    """What the box `box` (a key of `words.BOXES`) holds after `entered`, if `before` stood there.

    The range is the book's; where the book has none it is the declared domain, and the note calls it ours.
    """
    if box in RANGES:
        name = RANGES[box]
        direct = reader.work(lambda rules: _within(rules, name, entered, before))
        return _told(box, entered, direct, _ends(reader, name), "")
    if box in ABILITIES:
        printed = reader.work(lambda rules: getattr(rules, SCORE_RANGE)(entered=entered))
        if printed.settled:
            return _told(box, entered, printed, "", "")
        low, high = domain_of(reader, "score")
        ours = f"the page names no range, {printed.why()}"
    else:
        low, high = domain_of(reader, box)
        ours = "a range of ours, the page names none"
    kept = min(max(before, low), high)
    said = reader.work(lambda rules: rules.boxed(entered=entered, low=low, high=high, before=kept))
    return _told(box, entered, said, f"{number(low)}–{number(high)}", ours)


def domain_of(reader: Reader, name: str) -> tuple[int, int]:
    """The declared lowest and highest value of a name."""
    domain = reader.engine.book.domains[name]
    assert isinstance(domain, Range)
    assert domain.low is not None
    assert domain.high is not None
    return domain.low, domain.high


def _within(rules: Rules, name: str, entered: int, before: int) -> Any:
    limited = getattr(rules, name)
    low, high = limited(entered=-FAR), limited(entered=FAR)
    return rules.boxed(entered=entered, low=low, high=high, before=limited(entered=before))


def _ends(reader: Reader, name: str) -> str:
    """`1–10`; `1–5 / 1–2` where readings differ."""
    low = reader.work(lambda rules: getattr(rules, name)(entered=-FAR))
    high = reader.work(lambda rules: getattr(rules, name)(entered=FAR))
    highs = [high.value] if high.settled else [choice.value for choice in high.choices]
    return " / ".join(f"{low.cell()}–{each}" for each in highs)


def _told(box: str, entered: int, said: Said, ends: str, ours: str) -> Boxed:
    label, shown = BOXES[box], number(entered)
    if not said.settled:
        return Boxed(
            None, f"{label}: {shown} in a range of {ends}; what the box then holds is open [{said.why(number)}]"
        )
    if said.value == entered:
        remark = f"{label}: {shown} is taken as entered; {ours}"
        return Boxed(entered, remark=remark if box in ABILITIES and ours else "")
    note = f"{label}: {shown} lies outside {ends}, put back to {said.text(number)}"
    return Boxed(int(said.value), f"{note} ({ours})" if ours else note)
