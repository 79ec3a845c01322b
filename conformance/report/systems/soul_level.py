"""Soul Level: classes, skills, the curve of chances, the ladder, and hits to kill."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from conformance.report import svg
from conformance.report.charts import Number, step_chart
from conformance.report.sections import Section
from conformance.report.systems.desk import Cell, Desk, Part, Series, Table, number, words_of
from conformance.report.systems.soul_level_hits import AIMS, parts_of
from conformance.report.words import listed, plural, shown
from engine.book.model import Clause, Record
from engine.formula.met import Meeting
from engine.formula.parse import is_question

PROFILE = "plain"
DEFENCES = (20, 30, 40)
VALUES = range(86)
STEPS = range(1, 21)

_CHOICE = re.compile(r'(.+) if Q\w+ == "[^"]*" else (.+)')
_SHARE = re.compile(r"percent_of\((\d+), maximum\)")


def classes(desk: Desk) -> Section:
    """Nine classes by seven attributes, with totals."""
    base = desk.book.profiles[PROFILE]
    attributes = words_of(desk.book, "attribute")
    rows = []
    for name in words_of(desk.book, "class_name"):
        values = [desk.value("base_attribute", {"class_name": name, "attribute": a}, base) for a in attributes]
        total = desk.value("class_total", {"class_name": name}, base)
        off = desk.value("distance_from_70", {"class_name": name}, base)
        rows.append((name, *map(shown, values), shown(total), f"{'+' if off > 0 else ''}{shown(off)}"))
    table = Table(("Class", *attributes, "Total", "From 70"), tuple(rows), "matrix")
    intro = (
        "Base attributes of each class. Unique classes are to total about 70 after the model of these. "
        + desk.bearing([("class_total", {"class_name": name}) for name in words_of(desk.book, "class_name")], base)
    )
    return desk.section("classes", "Classes by attributes", intro, [Part("", (), (), table)])


def skills(desk: Desk) -> Section:
    """Every skill: its cost, what it does, how many cases it has, and what the text leaves open about it."""
    records = [
        (clause, clause.body)
        for clause in desk.book.clauses.values()
        if isinstance(clause.body, Record) and clause.body.kind == "skill"
    ]
    asked = {clause.id: _left_open(desk, clause, body) for clause, body in records}
    counts = Counter(id_ for ids in asked.values() for id_ in ids)
    common = [id_ for id_, number in counts.items() if number > len(records) / 2]
    parts = []
    for name in words_of(desk.book, "class_name"):
        rows = tuple(
            _skill(clause, body, [id_ for id_ in asked[clause.id] if id_ not in common])
            for clause, body in records
            if body.fields.get("class_name") == name
        )
        head = ("Skill", "Level, kind", "Cost", "What it does", "Cases", "Left open")
        parts.append(Part(name, (), (), Table(head, rows, "stacked")))
    intro = (
        f"All {len(records)} skills of the nine classes. Cases are those of the skill's own rule: uses, refusals, and "
        "others, which are its figures and what becomes of it in later turns. “Left open” lists the questions that "
        "cite the skill's lines, that its rule names, or that its figures consult."
        + (f" {listed(common)} {'bears' if len(common) == 1 else 'bear'} on most skills." if common else "")
    )
    return desk.section("skills", "Every skill", intro, parts)


def _left_open(desk: Desk, clause: Clause, body: Record) -> list[str]:
    """The open questions about a skill, in the order of the book."""
    meeting = Meeting(desk.book, desk.book.ruled)
    asked = {name for definition in body.formulas.values() for name in meeting.questions(definition.formula)}
    return [
        question.id
        for question in desk.book.questions.values()
        if question.id not in desk.book.rulings
        and (
            question.name in asked
            or set(question.sources) & set(clause.sources)
            or re.search(rf"{re.escape(question.id)}(?!\d)", clause.text)
        )
    ]


def _skill(clause: Clause, body: Record, left_open: Sequence[str]) -> tuple[Cell, ...]:
    fields = body.fields
    cost = body.formulas.get("cost")
    pool = str(fields.get("pool", "none"))
    price = _cost(cost.formula.text, pool) if cost is not None and pool != "none" else "free"
    limit = (_joined(f"once a {fields['limit']}"),) if "limit" in fields else ()
    return (
        (body.name, clause.id),
        (shown(fields.get("level", "")), str(fields.get("kind", ""))),
        (price, *limit),
        " ".join(clause.prose.split()),
        _cases(clause),
        ", ".join(left_open),
    )


def _cases(clause: Clause) -> Cell:
    """How many cases use the skill, how many are refused, and how many are about something else."""
    uses = [case for case in clause.cases if case.call == "use_skill"]
    refused = [case for case in uses if isinstance(case.expected, Mapping) and case.expected.get("refused")]
    numbers = (
        (len(uses) - len(refused), "use"),
        (len(refused), "refusal"),
        (len(clause.cases) - len(uses), "other"),
    )
    return tuple(_joined(plural(number, what)) for number, what in numbers if number) or "none"


def _joined(text: str) -> str:
    """`text` in one line: in a narrow column a number stays with what it counts."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def _cost(text: str, pool: str) -> str:
    """A formula of a cost in words, where it is a share of the maximum, is not known, or hangs on one question."""
    if is_question(text):
        return f"not said, of {pool}"
    if share := _SHARE.fullmatch(text):
        return _joined(f"{share[1]} % of {pool}")
    if choice := _CHOICE.fullmatch(text):
        return f"{_cost(choice[1], pool)} or {_cost(choice[2], pool)}"
    return "free" if text == "0" else f"{text} {pool}"


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
        f"{PROFILE}. " + desk.bearing([("test_chance", {"A": A, "DEF": DEF}) for DEF in DEFENCES for A in VALUES], base)
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
        "SXP that lead from each Soul Level to the next. "
        + desk.bearing([("ladder", {"soul_level": level}) for level in STEPS], base)
        + " The last column adds up the steps before: what was spent, where SXP start again from nothing at each "
        "level, which is what SOUL-Q23 asks."
    )
    table = Table(("Soul Level", "SXP to the next", "SXP spent before"), rows)
    return desk.section("ladder", "The ladder", intro, [Part("", (), (chart,) if chart else (), table)])


def hits_to_kill(desk: Desk) -> Section:
    """Class against class at equal Soul Level: the attack that ends it soonest, and what open questions do to it."""
    intro = (
        f"Of {listed(list(AIMS), 'or')} the kind of attack that needs the fewest attacks on average to bring the "
        "target to 0 HP. “40 at 88 %, melee: 43.1” says that it takes 40 hits, that each attack hits with 88 %, and "
        "that 43.1 attacks are needed on average; a critical hit counts as two. Both have the attributes of their "
        "class at one Soul Level and use no skills, weapons or active dodges. These figures are those of the profile "
        f"{PROFILE}; a third line is the range of the average over all readings that the text allows, where they "
        "differ. Every average is an exact fraction, shown to the nearest tenth."
    )
    parts = parts_of(desk, desk.book.profiles[PROFILE])
    return desk.section("hits", "Hits to kill, class against class", intro, parts)
