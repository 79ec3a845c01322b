"""Tu Chân Giới: HP over the realms, chances between equals, the sweep with its bands, and profiles beside it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from conformance.report import svg
from conformance.report.charts import Chart, Number, step_chart
from conformance.report.sections import Section
from conformance.report.systems.desk import Desk, Part, Series, Table, number
from conformance.report.words import plural, shown
from conformance.sweep.cells import sweep_of
from conformance.sweep.fit import LEAST_CHANCE, fit
from conformance.sweep.run import Row, run
from engine.book.domains import Range
from engine.duel.kits import read_kits

PROFILE = "sweep-candidate"
THE = (-1, 0, 1, 3)
FIGHTERS = ("weak", "mid", "strong")
SWEEPS = ("published", "stage-eight")
COLUMNS = {"win": "wins, %", "rounds": "rounds"}


def sawtooth(desk: Desk) -> Section:
    """HP over cấp and stage, with each breakthrough at which they fall."""
    base = desk.book.profiles[PROFILE]
    last = _last_stage(desk)
    series: Series = {}
    for the in THE:
        series[f"Thể {_signed(the)}"] = [
            (at, number(desk.value("hp", {"cap": cap, "stage": stage, "the": the}, base)))
            for at, (cap, stage) in enumerate(_realms(desk), 1)
        ]
    circled: list[tuple[Number, Number]] = []
    rows = []
    for cap in range(1, _most(desk, "cap")):
        row = [f"cấp {cap} to {cap + 1}"]
        for the in THE:
            change = desk.value("breakthrough_hp", {"cap": cap, "the": the}, base)
            before = desk.value("hp", {"cap": cap, "stage": last, "the": the}, base)
            row.append(f"{shown(before)} to {shown(before + change)} ({_signed(change)})")
            if change < 0:
                circled.append((cap * last + 1, before + change))
        rows.append(tuple(row))
    frame = svg.Frame("sawtooth-hp", "HP over cấp and stage", "", f"stages in a row, {last} to a cấp", "HP")
    chart = step_chart(frame, "stage", series, circled)
    falls = len(circled)
    intro = (
        f"A breakthrough leads from the last stage of a cấp to the first of the next. At {falls} of "
        f"{plural(len(THE) * (_most(desk, 'cap') - 1), 'breakthrough')} shown, HP fall: they are circled. "
        f"Readings are those of the profile {PROFILE}."
    )
    table = Table(("Breakthrough", *(f"Thể {_signed(the)}" for the in THE)), tuple(rows), "wide")
    return desk.section("sawtooth", "HP over the realms", intro, [Part("", (), (chart,) if chart else (), table)])


def equals(desk: Desk) -> Section:
    """How likely an attack reaches an opponent of the same realm and build."""
    base = desk.book.profiles[PROFILE]
    kits = read_kits(desk.engine)
    series: Series = {}
    for fighter in FIGHTERS:
        series[fighter] = [
            (at, _percent(_reach(desk, kits.entries[fighter], cap, stage, base)))
            for at, (cap, stage) in enumerate(_realms(desk), 1)
        ]
    frame = svg.Frame(
        "equals-hit",
        "Chance that an attack reaches an equal",
        "",
        f"stages in a row, {_last_stage(desk)} to a cấp",
        "%",
    )
    chart = step_chart(frame, "stage", series)
    intro = (
        "Attacker and defender are of one build and one realm. From the first cấp to the second the realm bonus R "
        f"grows by {_grown(desk, 'realm_bonus', {'stage': 1}, base)} and hộ thể by "
        f"{_grown(desk, 'ho_the', {'than_phap': 0, 'the_chat': 0}, base)}: the more it goes on, the more surely equals "
        "hit one another. Builds are those of the sweep (fights.toml); what a natural 20 and 1 do by themselves is "
        "left out."
    )
    return desk.section("equals", "Chances between equals", intro, [Part("", (), (chart,) if chart else ())])


def _reach(desk: Desk, kit: Mapping[str, Any], cap: int, stage: int, under: Mapping[str, str]) -> Any:
    bonus = desk.value("realm_bonus", {"cap": cap, "stage": stage}, under)
    guard = desk.value("ho_the", {"cap": cap, "than_phap": kit["than_phap"], "the_chat": kit["the_chat"]}, under)
    return desk.value("reach_chance", {"bonus": kit["the_phach"] + bonus, "target": guard}, under)


def bands(desk: Desk) -> Section:
    """The published sweep, solved exactly, with the bands in which its wins ought to lie."""
    sweep, cells = sweep_of(desk.engine, SWEEPS[0])
    rows = run(desk.engine, sweep, cells)
    series: dict[str, list[tuple[Number, Number | None]]] = {}
    boxes = []
    for row in rows:
        gap = row.labels["gap"]
        win = Fraction(row.solved.win) * 100 if row.solved else None
        series.setdefault(str(row.labels["player"]), []).append((gap, win))
        if row.band:
            boxes.append(svg.Band(gap - Fraction(1, 4), gap + Fraction(1, 4), *row.band))
    told = "; ".join(_told(row) for row in rows)
    frame = svg.Frame("bands-wins", "Wins by the gap of cấp", told, "gap in cấp", "wins, %")
    lines = [svg.Line(name, tuple(points)) for name, points in series.items()]
    table = tuple(
        (
            f"{row.labels['player']}, gap {row.labels['gap']}",
            f"{100 * row.solved.win:.2f}" if row.solved else row.problem,
            f"{row.solved.rounds:.2f}" if row.solved else "",
            f"{row.band[0]:g} to {row.band[1]:g}: {'within' if row.within else 'outside'}" if row.band else "",
        )
        for row in rows
    )
    chart = Chart(svg.dots(frame, lines, boxes, high=100), ("Fight", "Wins, %", "Rounds", "Band, %"), table)
    wide = sum(row.within is False for row in rows)
    intro = (
        "A weak and a strong player against a middling foe, none, one or two cấp above; every fight is solved, none is "
        "sampled. The shaded bands are where proposal C4 wants the wins of an even fight to lie: "
        f"{wide} of {sum(row.band is not None for row in rows)} lie outside."
    )
    return desk.section("bands", "The sweep with its bands", intro, [Part("", (), (chart,))])


def _told(row: Row) -> str:
    win = f"{100 * row.solved.win:.1f} %" if row.solved else "no solution"
    return f"{row.labels['player']}, gap {row.labels['gap']}: {win}"


def fitted(desk: Desk) -> Section:
    """Profiles beside the printed figures: which can have given them, each figure against its sampling error."""
    parts = []
    words = []
    fitting = 0
    for name in SWEEPS:
        found = fit(desk.engine, *sweep_of(desk.engine, name))
        rows = tuple(
            (
                f"{figure.labels['player']}, gap {figure.labels['gap']}: {COLUMNS[figure.what]}",
                f"{float(figure.printed):g}",
                f"{figure.exact:.2f}",
                f"± {figure.error:.2f}",
                f"{100 * figure.chance:.0f} %",
                "fits" if figure.fits else "does not fit",
            )
            for figure in found.figures
        )
        fitting += found.fits
        words.append(f"{name}: {found.within} of {len(found.figures)} figures within their sampling error")
        head = ("Figure", "Printed", "Exact", "Error of a sample", "Chance to be as far off", "Verdict")
        parts.append(Part(f"The set “{name}” of fights.toml", (), (), Table(head, rows, "wide")))
    intro = (
        "The text prints twelve figures of 1,000 fights each and says neither who fought nor how. These sets of "
        "fighters and readings are ours; a figure fits where a sample of that size strays as far from the exact value "
        f"by chance at least once in {round(1 / LEAST_CHANCE)} times."
        f" {'; '.join(words)}."
        + (" More than one set fits, so the figures do not tell which was played." if fitting > 1 else "")
    )
    return desk.section("fitted", "Profiles beside the printed figures", intro, parts)


def _grown(desk: Desk, name: str, given: Mapping[str, int], under: Mapping[str, str]) -> str:
    """By how much a number rises from the first cấp to the second."""
    first, second = (desk.value(name, {"cap": cap, **given}, under) for cap in (1, 2))
    return shown(second - first)


def _realms(desk: Desk) -> list[tuple[int, int]]:
    return [(cap, stage) for cap in range(1, _most(desk, "cap") + 1) for stage in range(1, _last_stage(desk) + 1)]


def _last_stage(desk: Desk) -> int:
    return _most(desk, "stage")


def _most(desk: Desk, name: str) -> int:
    domain = desk.book.domains[name]
    assert isinstance(domain, Range)
    assert domain.high is not None
    return int(domain.high)


def _percent(chance: Any) -> Number | None:
    return None if chance is None else Fraction(chance) * 100


def _signed(value: Any) -> str:
    return f"+{shown(value)}" if value > 0 else shown(value)
