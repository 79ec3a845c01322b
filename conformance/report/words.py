"""The words of the pages: statuses, kinds of check, domains and methods, for people who read no code."""

from __future__ import annotations

import re
from typing import Any

from conformance.results import Kind, Status
from engine.book.domains import Choice, Dice, Domain, Range, Truth
from engine.book.model import Case
from engine.values import show

_SIGN = re.compile(r"(?<![\w.)\-])-(?=\d)")

WORST_FIRST: tuple[Status, ...] = (
    "deviates", "errored", "missing", "unsupported", "broken", "open", "ruled", "conforms",
)  # fmt: skip

STATUS_WORDS: dict[Status, str] = {
    "deviates": "deviates",
    "errored": "error",
    "missing": "missing",
    "unsupported": "unsupported",
    "broken": "known defect",
    "open": "open",
    "ruled": "ruled",
    "conforms": "conforms",
}
STATUS_MEANINGS: dict[Status, str] = {
    "deviates": "The outcome is another than the one that is written down: the rule, the case or the program is wrong.",
    "errored": "No outcome at all: a line that cannot be computed, or a program that stopped.",
    "missing": "Something that must be there is not: a case, a claim on a passage, an approval.",
    "unsupported": "The program under test says that it does not do this.",
    "broken": "A claim that ought to hold and is known not to. The page shows where it fails.",
    "open": "The text does not decide this. Every reading that it allows is worked out, and none is chosen.",
    "ruled": "The text did not decide this, and an operator did.",
    "conforms": "The outcome is exactly the one that is written down.",
}
KIND_WORDS: dict[Kind, str] = {
    "case": "worked case",
    "reading": "reading",
    "question": "question",
    "property": "property",
    "play": "random play",
    "table": "rows of its table",
    "threshold": "thresholds",
    "trace": "traceability",
    "approval": "approval",
    "source": "source",
}


def plural(number: int, one: str, many: str = "") -> str:
    """`1 case`, `3 cases`, `1,204 cases`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(parts: list[str], last: str = "and") -> str:
    """`a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}" if parts else ""


def domain_words(domain: Domain) -> str:
    """A domain as people would say it: `any whole number from 1 on`."""
    if isinstance(domain, Range):
        whole = "whole number" if domain.step == 1 else f"multiple of {domain.step}"
        if domain.low is None and domain.high is None:
            return f"any {whole}"
        if domain.high is None:
            return f"any {whole} from {shown(domain.low)} on"
        if domain.low is None:
            return f"any {whole} up to {shown(domain.high)}"
        steps = "" if domain.step == 1 else f" in steps of {domain.step}"
        return f"{shown(domain.low)} to {shown(domain.high)}{steps}"
    if isinstance(domain, Choice):
        return listed(list(domain.words), "or")
    if isinstance(domain, Truth):
        return "true or false"
    if isinstance(domain, Dice):
        return str(domain)
    return str(domain)


def name_of(case: Case) -> str:
    """The name that a book gives to a case; nothing where its label is made of its inputs."""
    made = (f"{next(iter(case.given))}=",) if case.given else ("rolls=", "constant under ")
    return "" if case.label.startswith(made) or case.label == "constant" else case.label


def given_words(given: Any) -> str:
    """Inputs as people write them: `MAG = 4, level = 1`."""
    return ", ".join(f"{name} = {shown(value)}" for name, value in given.items())


def shown(value: Any) -> str:
    """A value for people, with a minus sign that is one."""
    return minus(show(value))


def minus(text: str) -> str:
    """`text` in which the sign of negative numbers is a minus and no hyphen."""
    return _SIGN.sub("−", text)
