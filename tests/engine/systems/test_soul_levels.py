"""Every skill above the first level has a case at its level and one a level below, and they would notice a slip."""

import copy
import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.book.load import load_book
from engine.book.model import Case, Record
from engine.errors import RawError
from engine.readings import Engine
from engine.values import canonical, differences

ENGINE = Engine(load_book(Path(__file__).parents[3] / "spec" / "soul_level"))
CASES: dict[str, tuple[Case, ...]] = {
    clause.body.name: clause.cases
    for clause in ENGINE.book.clauses.values()
    if isinstance(clause.body, Record) and clause.body.kind == "skill"
}
ABOVE_ONE = [r for (kind, _), r in ENGINE.records.items() if kind == "skill" and r.fields["level"] > 1]


def bodies(case: Case) -> Iterator[Mapping[str, Any]]:
    """Whoever has classes and a level in a case: the fighters, or the one who sleeps."""
    yield from case.given.get("state", {}).get("fighters", ())
    if "sleeper" in case.given:
        yield case.given["sleeper"]


def at_level(skill: Record, level: int) -> list[Case]:
    """The cases of a skill's clause in which one of its class has this level; of an active skill, those who use it."""

    def fits(case: Case, body: Mapping[str, Any]) -> bool:
        of_the_class = skill.fields["class_name"] in body.get("class_names", ())
        uses = skill.fields["kind"] == "passive" or (
            case.given.get("skill") == skill.name and case.given["user"] == body["name"]
        )
        return of_the_class and uses and body.get("soul_level", 1) == level

    return [case for case in CASES[skill.name] if any(fits(case, body) for body in bodies(case))]


def agrees(engine: Engine, case: Case) -> bool:
    try:
        value = engine.ask(case.call, case.given, rolls=case.rolls, under=case.under).value
    except RawError as error:
        return bool(case.expected == type(error).__name__.lower())
    return not differences(canonical(case.expected), canonical(value))


def with_level(skill: Record, level: int) -> Engine:
    """The engine of a book in which the skill has another level."""
    other = copy.copy(ENGINE)
    changed = dataclasses.replace(skill, fields={**skill.fields, "level": level})
    other.records = {**ENGINE.records, ("skill", skill.name): changed}
    return other


def names(skills: list[Record]) -> list[str]:
    return [skill.name for skill in skills]


def test_there_are_45_skills_above_the_first_level():
    assert len(ABOVE_ONE) == 45


@pytest.mark.parametrize("skill", ABOVE_ONE, ids=names(ABOVE_ONE))
def test_a_case_at_the_level_and_one_below(skill: Record):
    level = skill.fields["level"]
    used, refused = at_level(skill, level), at_level(skill, level - 1)
    if skill.fields["kind"] == "passive":
        assert used
        assert refused
        return
    assert any(not isinstance(c.expected, Mapping) or c.expected.get("refused", "") == "" for c in used)
    assert any(isinstance(c.expected, Mapping) and c.expected.get("refused") == "level too low" for c in refused)


@pytest.mark.parametrize("change", [-1, 1])
@pytest.mark.parametrize("skill", ABOVE_ONE, ids=names(ABOVE_ONE))
def test_another_level_is_noticed(skill: Record, change: int):
    level = skill.fields["level"]
    near = at_level(skill, level if change > 0 else level - 1)
    assert all(agrees(ENGINE, case) for case in near)
    assert not all(agrees(with_level(skill, level + change), case) for case in near)
