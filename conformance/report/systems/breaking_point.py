"""Breaking Point: what a blow does, who wins, and where armour is worse than none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.report import svg
from conformance.report.charts import Chart, word_map
from conformance.report.sections import Section
from conformance.report.systems.desk import Desk, Part, Table, one_at_a_time
from conformance.report.words import given_words, plural
from engine.book.model import Question

PLAIN = "plain"
POWERS = range(25)
BLOWS = range(17)
BODY = {"DEF": 10, "ARM_full": 0}
LIGHT = {"BPI": 8, "ARM": 10, "DEF": 4, "HEL": 18}
HEAVY = {"BPI": 12, "ARM": 20, "DEF": 6, "HEL": 20}
SHIRT = {"BPI": 2, "ARM": 2, "HEL": 3}
WORSE, NO_WORSE, NEVER = "worse with armour", "no worse with armour", "cannot be killed"


def damage(desk: Desk) -> Section:
    """Damage against attack power: one picture for each question that moves a step, for armour and for a body."""
    base = desk.book.profiles[PLAIN]
    index = desk.value("copper_mail_BPI", {}, base)
    armour = one_at_a_time(
        desk,
        svg.Frame("blow-armour", f"Wear of armour with BPI {index}", "", "attack power", "wear"),
        "AP",
        base,
        ("armour_wear", lambda power: {"AP": power, "BPI": index}, BLOWS),
    )
    body = one_at_a_time(
        desk,
        svg.Frame("blow-body", f"Health that a body with DEF {BODY['DEF']} loses", "", "attack power", "health lost"),
        "AP",
        base,
        ("wreck_loss", lambda power: {"AP": power, "BPI": index, **BODY}, BLOWS),
    )
    intro = (
        "Nothing is rolled, so damage over attack power is a staircase. "
        "Each picture takes one open question and shows the staircase under each of its readings, while all others are "
        f"read as in the profile {PLAIN}. Where lines part, your decision is felt at the table."
    )
    parts = [
        Part(f"On the copper mail (BPI {index})", (_which(armour),), tuple(chart for _, chart in armour)),
        Part(
            f"On a body with DEF {BODY['DEF']}, its armour broken", (_which(body),), tuple(chart for _, chart in body)
        ),
    ]
    return desk.section("blow", "What a blow does", intro, parts)


def _which(found: list[tuple[Question, Chart]]) -> str:
    ids = ", ".join(question.id for question, _ in found)
    return f"{plural(len(found), 'question')} {'moves' if len(found) == 1 else 'move'} a step here: {ids}."


def winners(desk: Desk) -> Section:
    """Who wins between two given kits, for each pair of attack powers, under two ways to play."""
    base = desk.book.profiles[PLAIN]
    ways = {
        f"Under the profile {PLAIN}": base,
        "The same, but the body is open once the power beats the ARM (BP-Q43 exceeds)": {**base, "Q43": "exceeds"},
    }
    maps = {title: _winner_map(desk, under) for title, under in ways.items()}
    first, second = maps.values()
    moved = sum(a != b for row, other in zip(first, second, strict=True) for a, b in zip(row, other, strict=True))
    intro = (
        f"The first fighter wears light armour ({given_words(LIGHT)}), the second heavy ({given_words(HEAVY)}); the "
        "first begins. Whoever needs fewer blows to kill wins; where neither can ever kill, the fight has no end."
        f" The two maps differ at {moved:,} of {len(POWERS) ** 2:,} pairs of attack powers."
    )
    parts = [
        Part(title, (), (word_map(_frame(n, title), list(POWERS), list(POWERS), cells),))
        for n, (title, cells) in enumerate(maps.items(), 1)
    ]
    return desk.section("winners", "Who wins between two kits", intro, parts)


def _frame(number: int, title: str) -> svg.Frame:
    return svg.Frame(f"winner-map-{number}", f"Winner. {title}", "", "power of the first", "power of the second")


def _winner_map(desk: Desk, under: Mapping[str, str]) -> list[list[str | None]]:
    kits = {f"{name}1": value for name, value in LIGHT.items()} | {f"{name}2": value for name, value in HEAVY.items()}
    return [[desk.value("duel_winner", {"AP1": x, "AP2": y, **kits}, under) for x in POWERS] for y in POWERS]


def worse_than_none(desk: Desk) -> Section:
    """Where a fighter in armour dies of fewer blows than without it, or at all."""
    base = desk.book.profiles[PLAIN]
    rows = []
    worst: tuple[int, str, Mapping[str, str]] = (0, "", base)
    for question in _of_blows(desk, base):
        for reading in question.readings:
            under = {**base, question.name: reading.id}
            count = _count(desk, under)
            if count:
                rows.append((f"{question.id} {reading.id}", reading.says, f"{count}"))
                worst = max(worst, (count, f"{question.id} {reading.id}", under), key=lambda each: each[0])
    both = {**base, "Q27": "strongest", "Q52": "index"}
    pair = "BP-Q27 strongest with BP-Q52 index"
    count = _count(desk, both)
    rows.append((pair, "the low index of a broken shirt stands in for the wearer's defence", f"{count}"))
    if count > worst[0]:
        worst = (count, pair, both)
    cells = _armour_map(desk, worst[2])
    title = f"Where a thin shirt hurts its wearer, under {worst[1]}"
    frame = svg.Frame("worse-map", title, "", "attack power", "DEF of the wearer")
    intro = (
        f"A shirt ({given_words(SHIRT)}) beside no armour: blows needed to kill the wearer and the bare fighter, "
        f"for attack powers 1 to 20 and defences 1 to 20. Counted are the pairs at which the wearer dies of fewer "
        f"blows, or dies where the bare fighter never would. Under the profile {PLAIN} that is so at "
        f"{_count(desk, base) or 'none'} of them. With these readings in its place:"
    )
    table = Table(("Reading", "What it says", "Pairs where armour is worse, of 400"), tuple(rows))
    chart = word_map(frame, list(range(1, 21)), list(range(1, 21)), cells)
    return desk.section(
        "worse", "Where armour is worse than none", intro, [Part("", (), (), table), Part(title, (), (chart,))]
    )


def _count(desk: Desk, under: Mapping[str, str]) -> int:
    return sum(cell == WORSE for row in _armour_map(desk, under) for cell in row)


def _of_blows(desk: Desk, base: Mapping[str, str]) -> list[Question]:
    givens: list[dict[str, Any]] = [{"AP": power, "DEF": 6, **SHIRT} for power in range(1, 21)]
    return desk.met("blows_to_kill", givens, base)


def _armour_map(desk: Desk, under: Mapping[str, str]) -> list[list[str | None]]:
    return [[_compared(desk, power, DEF, under) for power in range(1, 21)] for DEF in range(1, 21)]


def _compared(desk: Desk, power: int, DEF: int, under: Mapping[str, str]) -> str | None:
    given = {"AP": power, "DEF": DEF, **SHIRT}
    worn = desk.value("blows_to_kill", given, under)
    bare = desk.value("blows_to_kill", {**given, "BPI": 0, "ARM": 0}, under)
    if worn is None or bare is None:
        return None
    if worn and (not bare or worn < bare):
        return WORSE
    return NO_WORSE if worn or bare else NEVER
