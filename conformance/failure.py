"""A failed item in words: for people who read no code."""

from __future__ import annotations

from conformance.results import Item
from engine.terminal import clean

BLAMED = {
    "source": "the source",
    "rule book": "the rule book",
    "engine under test": "the engine under test",
}


def failure_text(item: Item) -> str:
    """What was checked, what came out, how, whose fault it is, and what to do next."""
    head = f"{item.clause} {item.title}".strip() if item.clause else item.id
    lines = [f"{head}  ({item.where})" if item.where else head]
    if item.sentence:
        lines.append(f'  "{item.sentence}"')
    rows = [
        ("case", item.case),
        ("inputs", item.given),
        ("expected", item.expected),
        ("actual", item.actual),
        ("problem", item.message),
    ]
    lines += [f"  {name:<9} {_indented(text)}" for name, text in rows if text]
    name = "change" if item.what == "approval" else "steps"
    for i, step in enumerate(item.steps):
        lines.append(f"  {name if not i else '':<9} {step}")
    if item.blame:
        lines.append(f"  {'blamed':<9} {BLAMED[item.blame]}")
    if item.remedy:
        lines.append(f"  {'next':<9} {_indented(item.remedy)}")
    return clean("\n".join(lines))


def _indented(text: str) -> str:
    return text.replace("\n", "\n" + " " * 12)
