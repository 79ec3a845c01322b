"""Soul Level: classes, skills, the curve of chances, the ladder, and hits to kill."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from conformance.checks import sentence
from conformance.report import svg
from conformance.report.charts import Number, step_chart
from conformance.report.sections import Section
from conformance.report.systems.desk import Desk, Part, Series, Table, number
from conformance.report.words import listed, shown
from engine.book.domains import Choice
from engine.book.model import Clause, Record
from engine.formula.met import Meeting
from engine.formula.parse import is_question

PROFILE = "plain"
DEFENCES = (20, 30, 40)
VALUES = range(86)
LEVELS = (1, 6, 12)
STEPS = range(1, 21)
AIMS = ("melee", "magic", "spirit")

_SHARE = re.compile(r"percent_of\((\d+), maximum\)")


def classes(desk: Desk) -> Section:
    """Nine classes by seven attributes, with totals."""
    base = desk.book.profiles[PROFILE]
    attributes = _words(desk, "attribute")
    rows = []
    for name in _words(desk, "class_name"):
        values = [desk.value("base_attribute", {"class_name": name, "attribute": a}, base) for a in attributes]
        total = desk.value("class_total", {"class_name": name}, base)
        off = desk.value("distance_from_70", {"class_name": name}, base)
        rows.append((name, *map(shown, values), shown(total), f"{'+' if off > 0 else ''}{shown(off)}"))
    table = Table(("Class", *attributes, "Total", "From 70"), tuple(rows), wide=True)
    intro = "Base attributes of each class. Unique classes are to total about 70 after the model of these."
    return desk.section("classes", "Classes by attributes", intro, [Part("", (), (), table)])


def skills(desk: Desk) -> Section:
    """Every skill: its cost, what it does, how many cases it has, and what its line leaves open."""
    meeting = Meeting(desk.book, desk.book.ruled)
    parts = []
    number_of_skills = 0
    for name in _words(desk, "class_name"):
        rows = []
        for clause in desk.book.clauses.values():
            body = clause.body
            if isinstance(body, Record) and body.kind == "skill" and body.fields.get("class_name") == name:
                rows.append(_skill(desk, meeting, clause, body))
        number_of_skills += len(rows)
        head = ("Skill", "Level, kind", "Cost", "What it does", "Cases", "Left open")
        parts.append(Part(name, (), (), Table(head, tuple(rows), wide=True)))
    intro = (
        f"All {number_of_skills} skills of the nine classes. “Left open” lists the questions that the skill's own rule "
        "names or its figures consult; those that only a fight raises stand with the questions."
    )
    return desk.section("skills", "Every skill", intro, parts)


def _skill(desk: Desk, meeting: Meeting, clause: Clause, body: Record) -> tuple[str, ...]:
    fields = body.fields
    asked = {name for definition in body.formulas.values() for name in meeting.questions(definition.formula)}
    told = f"{clause.text} "
    open_ones = [
        question.id
        for question in desk.book.questions.values()
        if question.id not in desk.book.rulings
        and (question.name in asked or re.search(rf"{re.escape(question.id)}(?!\d)", told))
    ]
    cost = body.formulas.get("cost")
    pool = str(fields.get("pool", "none"))
    price = f"{_cost(cost.formula.text)} {pool}" if cost is not None and pool != "none" else "free"
    limit = f"; once a {fields['limit']}" if "limit" in fields else ""
    return (
        f"{body.name} ({clause.id})",
        f"{shown(fields.get('level', ''))}, {fields.get('kind', '')}",
        price + limit,
        sentence(clause.prose),
        str(len(clause.cases)),
        ", ".join(open_ones),
    )


def _cost(text: str) -> str:
    if is_question(text):
        return "not said,"
    share = _SHARE.fullmatch(text)
    return f"{share[1]} % of" if share else text


def chances(desk: Desk) -> Section:
    """The chance of a test by the acting value, with its jumps."""
    base = desk.book.profiles[PROFILE]
    series: Series = {}
    circled: list[tuple[Number, Number]] = []
    rows = []
    for DEF in DEFENCES:
        values = [desk.value("test_chance", {"A": A, "DEF": DEF}, base) for A in VALUES]
        series[f"DEF {DEF}"] = [(A, number(value)) for A, value in zip(VALUES, values, strict=True)]
        for A in VALUES[1:]:
            before, after = values[A - 1], values[A]
            if before is not None and after is not None and after - before > _usual(DEF):
                circled.append((A, after))
                rows.append((f"DEF {DEF}", f"{A - 1} to {A}", f"{shown(before)} % to {shown(after)} %"))
    frame = svg.Frame("chances-curve", "Chance of a test", "", "acting value A", "chance, %")
    chart = step_chart(frame, "A", series, circled)
    intro = (
        "Within the band in which dice are rolled the chance climbs evenly. One point more of A changes most where "
        "that band meets the automatic ones: the jumps are circled, and stand below. Readings are those of the profile "
        f"{PROFILE}."
    )
    table = Table(("Against", "From A to A", "Chance"), tuple(rows))
    return desk.section("chances", "The curve of chances", intro, [Part("", (), (chart,) if chart else (), table)])


def _usual(DEF: int) -> Fraction:
    """What one point of A adds at most within the rolled band, a rounding included."""
    return Fraction(50, DEF) + 1


def ladder(desk: Desk) -> Section:
    """SXP that each Soul Level asks for, step by step."""
    base = desk.book.profiles[PROFILE]
    needs = [desk.value("ladder", {"soul_level": level}, base) for level in STEPS]
    reached = [sum(needs[:at]) for at in range(len(needs))]
    frame = svg.Frame("ladder-steps", "SXP for the next Soul Level", "", "Soul Level", "SXP")
    chart = step_chart(frame, "level", {"SXP": [(x, number(y)) for x, y in zip(STEPS, needs, strict=True)]})
    rows = tuple(
        (str(level), shown(need), shown(before)) for level, need, before in zip(STEPS, needs, reached, strict=True)
    )
    intro = (
        "SXP that lead from each Soul Level to the next. The last column adds up the steps before: what was spent, "
        "where SXP start again from nothing at each level."
    )
    table = Table(("Soul Level", "SXP to the next", "SXP spent before"), rows)
    return desk.section("ladder", "The ladder", intro, [Part("", (), (chart,) if chart else (), table)])


def hits_to_kill(desk: Desk) -> Section:
    """Class against class at equal Soul Level: the attack that ends it soonest, in attacks on average."""
    base = desk.book.profiles[PROFILE]
    names = _words(desk, "class_name")
    parts = []
    for level in LEVELS:
        fighters = {name: _attributes(desk, name, level, base) for name in names}
        rows = []
        for attacker in names:
            cells = [_soonest(desk, fighters[attacker], fighters[target], level, base) for target in names]
            rows.append((attacker, *cells))
        parts.append(
            Part(f"At Soul Level {level}", (), (), Table(("Attacker \\ target", *names), tuple(rows), wide=True))
        )
    intro = (
        f"How many hits bring the target to 0 HP, and how likely each attack hits: of {listed(list(AIMS), 'or')} the "
        "kind that needs the fewest attacks on average. Both are of one Soul Level, without skills, weapons, critical "
        "hits and active dodges; a dash means that no plain attack ever does. Readings are those of the profile "
        f"{PROFILE}."
    )
    return desk.section("hits", "Hits to kill, class against class", intro, parts)


def _attributes(desk: Desk, name: str, level: int, under: Mapping[str, str]) -> dict[str, int]:
    found = {}
    for attribute in _words(desk, "attribute"):
        base = desk.value("base_attribute", {"class_name": name, "attribute": attribute}, under)
        found[attribute] = desk.value("attribute_at", {"value": base, "soul_level": level}, under)
    return found


def _soonest(
    desk: Desk, attacker: Mapping[str, int], target: Mapping[str, int], level: int, under: Mapping[str, str]
) -> str:
    best: tuple[Fraction, str] | None = None
    health = desk.value("max_HP", {"VIT": target["VIT"]}, under)
    strength = {name: attacker[name] for name in ("FOR", "VEL", "INT", "ESP")}
    dodge = desk.value("dodge_DEF", {"VEL": target["VEL"]}, under)
    for aim in AIMS:
        A = desk.value("attack_A", {"aimed_kind": aim, **strength}, under)
        chance = desk.value("test_chance", {"A": A, "DEF": dodge}, under)
        damage = desk.value("base_damage", {"aimed_kind": aim, **strength, "soul_level": level}, under)
        through = desk.value(
            "mitigated_damage",
            {"aimed_kind": aim, "damage": damage, "RES": target["RES"], "RSOB": target["RSOB"]},
            under,
        )
        if not chance or not through:
            continue
        hits = ceil(Fraction(health) / through)
        attacks = Fraction(hits * 100) / chance
        if best is None or attacks < best[0]:
            best = (attacks, f"{hits} at {shown(chance)}\N{NO-BREAK SPACE}%, {aim}")
    return best[1] if best else "–"


def _words(desk: Desk, name: str) -> tuple[str, ...]:
    domain: Any = desk.book.domains[name]
    assert isinstance(domain, Choice)
    return tuple(domain.words)
