"""Results for people: totals for the terminal, a Markdown summary, and JUnit XML. All from one `Results`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from tabulate import tabulate

from conformance.failure import failure_text
from conformance.results import FAILING, STATUSES, Item, Results, Status

MOST_BYTES = 100_000
MOST_CELL = 240
MOST_ROWS = 40  # of one system in one table: the summary is read in a glance, the report at leisure

Row = tuple[str, Sequence[str]]
"""A system, and the cells of a row about it."""


def totals(results: Results) -> dict[str, dict[Status, int]]:
    """How many items have each status, by system; only what occurs."""
    counted: dict[str, Counter[Status]] = {}
    for item in results.items:
        counted.setdefault(item.system, Counter())[item.status] += 1
    return {system: {s: counts[s] for s in STATUSES if counts[s]} for system, counts in counted.items()}


def terminal(results: Results) -> list[str]:
    """One line a system, and one for all: `worlds_awakening  310 items: 2 deviates, 24 open, 284 conforms`."""
    rows = totals(results)
    lines = [(system, _counts(counts)) for system, counts in rows.items()]
    if len(rows) != 1:
        lines.append(("in all", _counts(results.footer.by_status)))
    width = max((len(name) for name, _ in lines), default=0)
    return [f"{name:<{width}}  {text}" for name, text in lines]


def _counts(counts: Mapping[Any, int]) -> str:
    number = sum(counts.values())
    shown = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts.get(status))
    return f"{number} item{'' if number == 1 else 's'}: {shown or 'nothing'}"


def markdown(results: Results, most_bytes: int = MOST_BYTES) -> str:
    """The summary of a run: failures first, then open questions, then counts. At most `most_bytes` bytes."""
    failing = [item for item in results.items if item.status in FAILING]
    verdict = "The rules and the engine agree" if results.agrees else f"{_plural(len(failing), 'item')} to look at"
    head = f"# {verdict}\n\n{_ran(results)}\n"
    counts = _count_table(results)
    room = most_bytes - len(head.encode()) - len(counts.encode()) - 200
    failures = _failures(failing, room * 2 // 3)
    room -= len(failures.encode())
    rest = _open(results, room)
    return "\n".join(part for part in (head, failures, rest, counts) if part)


def _ran(results: Results) -> str:
    header = results.header
    books = "; ".join(
        f"{cell(b.title)} ({b.clauses} clauses, {_plural(b.questions, 'question')})" for b in header.books
    )
    options = "".join(f"; {name}: {cell(value)}" for name, value in header.options.items())
    return f"Engine: {cell(header.engine)}. Books: {books}{options}."


def _failures(failing: Sequence[Item], room: int) -> str:
    if not failing:
        return ""
    parts = ["## What fails\n"]
    spent = len(parts[0])
    for i, item in enumerate(failing):
        text = f"**{cell(item.id)}** ({item.status})\n\n{fenced(failure_text(item))}\n"
        size = len(text.encode())
        if spent + size > room:
            parts.append(f"… and {_plural(len(failing) - i, 'more')}; the results file holds them all.\n")
            break
        parts.append(text)
        spent += size
    return "\n".join(parts)


def _open(results: Results, room: int) -> str:
    sections = (
        ("open", "Open questions", ("question", "what it asks", "by reading", "where")),
        ("broken", "Known defects", ("property", "what it claims", "counterexample", "where")),
    )
    parts = []
    for status, title, heads in sections:
        items = [item for item in results.items if item.status == status]
        if not items:
            continue
        taken = any("taken" in item.detail for item in items)
        heads_here = (*heads, "the engine takes") if taken else heads
        rows: list[Row] = []
        for item in items:
            row = [item.id, item.title, item.actual, item.where]
            rows.append((item.system, [*row, str(item.detail.get("taken", ""))] if taken else row))
        text, room = _fitting(f"## {title}\n\n", rows, heads_here, room)
        parts.append(text)
    unsupported = _unsupported(results)
    if unsupported:
        text, room = _fitting(
            "## Not supported by the engine\n\n", unsupported, ("clause", "what it rules", "items", "why"), room
        )
        parts.append(text)
    return "\n".join(parts)


def _unsupported(results: Results) -> list[Row]:
    """One row a clause: how many of its items the engine does not support, and the first reason."""
    by_clause: dict[tuple[str, str], list[Item]] = {}
    for item in results.items:
        if item.status == "unsupported":
            by_clause.setdefault((item.system, item.clause), []).append(item)
    return [
        (system, [clause, items[0].title, str(len(items)), items[0].message])
        for (system, clause), items in by_clause.items()
    ]


def _fitting(head: str, rows: Sequence[Row], heads: Sequence[str], room: int) -> tuple[str, int]:
    """A table with as many rows of each system as there is room for, at most `MOST_ROWS`, and the room that is left."""
    most = MOST_ROWS
    while True:
        shown, left = _first_of_each(rows, most)
        text = head + table(shown, heads) + "\n" + _left_out(left)
        if len(text.encode()) <= room or not most:
            return text, room - len(text.encode())
        most = most * 3 // 4 if most > 1 else 0


def _first_of_each(rows: Sequence[Row], most: int) -> tuple[list[Sequence[str]], Counter[str]]:
    """The first rows of each system, and how many there are besides: no system crowds out another."""
    shown: list[Sequence[str]] = []
    seen: Counter[str] = Counter()
    for system, row in rows:
        seen[system] += 1
        if seen[system] <= most:
            shown.append(row)
    return shown, Counter({system: number - most for system, number in seen.items() if number > most})


def _left_out(left: Mapping[str, int]) -> str:
    if not left:
        return ""
    parts = ", ".join(f"{number} of {cell(system)}" for system, number in left.items())
    return f"\n… and {sum(left.values())} more ({parts}); the results file holds them all, and the report shows them.\n"


def _count_table(results: Results) -> str:
    statuses = [s for s in STATUSES if results.footer.by_status.get(s)]
    rows = [
        [system, *(str(counts.get(s, 0)) for s in statuses), str(sum(counts.values()))]
        for system, counts in totals(results).items()
    ]
    if len(rows) != 1:
        rows.append(["in all", *(str(results.footer.by_status[s]) for s in statuses), str(results.footer.items)])
    return "## Counts\n\n" + table(rows, ["system", *statuses, "items"]) + "\n"


def table(rows: Iterable[Sequence[str]], heads: Sequence[str]) -> str:
    """A Markdown table: numbers as written, `|` escaped, columns as wide as their letters are shown."""
    cells = [[cell(text) for text in row] for row in rows]
    return tabulate(cells, headers=heads, tablefmt="pipe", disable_numparse=True)


def cell(text: str) -> str:
    """Text as data inside a Markdown table or line: nothing in it is markup."""
    one_line = " ".join(text.split())
    if len(one_line) > MOST_CELL:
        one_line = one_line[: MOST_CELL - 1] + "…"
    return re.sub(r"([\\|`*_\[\]<>~#{}$])", r"\\\1", one_line)


def fenced(text: str) -> str:
    """Text as a code block that nothing inside it can end."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def junit(results: Results) -> str:
    """JUnit XML: one suite a system. Failing items are failures or errors; nothing is ever skipped.

    Every item carries its status as a property, so that an open question can be told from one that conforms.
    """
    suites = []
    for system, counts in totals(results).items():
        items = [item for item in results.items if item.system == system]
        failures = sum(1 for item in items if item.status in FAILING and item.status != "errored")
        errors = counts.get("errored", 0)
        properties = "".join(f'<property name="{status}" value="{n}"/>' for status, n in counts.items())
        cases = "\n".join(_case(item) for item in items)
        suites.append(
            f'<testsuite name={quoteattr(system)} tests="{len(items)}" failures="{failures}" errors="{errors}"'
            f' skipped="0"><properties>{properties}</properties>\n{cases}\n</testsuite>'
        )
    body = "\n".join(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n{body}\n</testsuites>\n'


def _case(item: Item) -> str:
    name, group = quoteattr(_xml(item.id)), quoteattr(_xml(f"{item.system}.{item.clause}"))
    inside = f'<properties><property name="status" value="{item.status}"/></properties>'
    if item.status in FAILING:
        tag = "error" if item.status == "errored" else "failure"
        message = quoteattr(_xml(item.message.partition("\n")[0][:300]))
        inside += f"<{tag} type={quoteattr(item.status)} message={message}>{_escaped(failure_text(item))}</{tag}>"
    elif item.status != "conforms":
        inside += f"<system-out>{_escaped(failure_text(item))}</system-out>"
    return f"<testcase classname={group} name={name}>{inside}</testcase>"


def _xml(text: str) -> str:
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]", "?", text)


def _escaped(text: str) -> str:
    return _xml(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _plural(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 or what == 'more' else 's'}"
