"""Worlds Awakening: on how many faces of the d20 an attack hits, by the lead of its fixed part."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.report import svg
from conformance.report.charts import step_chart
from conformance.report.sections import Section
from conformance.report.systems.desk import Desk, Part, Series, number, one_at_a_time

PROFILES = ("table-top", "by-the-letter")
LEADS = range(-24, 6)
NAME = "faces_that_hit"


def hits(desk: Desk) -> Section:
    """Faces that hit, under two profiles, and by each open question that moves them."""
    words = ("level, attribute and bonus, less the Defence", "faces of 20")
    series: Series = {}
    for profile in PROFILES:
        under = desk.book.profiles[profile]
        series[profile] = [(lead, number(desk.value(NAME, _attack(lead), under))) for lead in LEADS]
    both = step_chart(svg.Frame("hits-by-profile", "Faces of the d20 that hit", "", *words), "lead", series)
    apart = one_at_a_time(
        desk,
        svg.Frame("hits", "Faces of the d20 that hit", "", *words),
        "lead",
        desk.book.profiles[PROFILES[0]],
        (NAME, _attack, LEADS),
    )
    intro = (
        "What is fixed about an attack (level, attribute, bonus) less the Defence is its lead: the pictures show on "
        "how many faces of the d20 it hits at each lead. Each face is five percent."
    )
    parts = [
        Part(
            "Under two profiles",
            ("Both are ways to play until the open questions are decided.",),
            (both,) if both else (),
        ),
        Part(
            "By each open question",
            (f"One question at a time under each of its readings; all others as in the profile {PROFILES[0]}.",),
            tuple(chart for _, chart in apart),
        ),
    ]
    return desk.section("hits", "Chances to hit", intro, parts)


def _attack(lead: int) -> Mapping[str, int]:
    return {"level": 1, "charac": 0, "bonus": 0, "Def": 1 - lead}
