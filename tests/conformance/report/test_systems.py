"""What single systems show beyond their rules: figures that were worked out by hand, and pages that are well formed."""

import re
from collections import Counter
from xml.etree.ElementTree import fromstring

import pytest

from conformance.report import svg
from conformance.report.charts import step_chart, word_map
from conformance.report.systems import breaking_point, soul_level, tu_chan_gioi, worlds_awakening
from conformance.report.systems.desk import Desk, open_desk
from engine.errors import CallError
from tests.conformance.report.hostile import Reader
from tests.conformance.report.test_charts import QUESTION
from tests.conformance.shelf import HOME
from tests.scratch import book_of

SHOWN = {
    "breaking_point": (breaking_point.damage, breaking_point.winners, breaking_point.worse_than_none),
    "tu_chan_gioi": (tu_chan_gioi.sawtooth, tu_chan_gioi.equals, tu_chan_gioi.bands, tu_chan_gioi.fitted),
    "soul_level": (
        soul_level.classes,
        soul_level.skills,
        soul_level.chances,
        soul_level.ladder,
        soul_level.hits_to_kill,
    ),
    "worlds_awakening": (worlds_awakening.hits,),
}
FIGURES = {
    # 8 beats the 7 of the copper mail: everything comes off, or the one that is above it, or a single point
    "breaking_point": ["  8 | 8 | 1 | 1", "  0 to 3 | 0 | 0 | 0"],
    # (10 + 20 + 0) = 30 at stage 10 of the first, (10 + 2) * 1.3 = 15.6 at stage 1 of the second
    "tu_chan_gioi": ["  10 | 27 | 30 | 33 | 39", "  11 | 12 | 16 | 20 | 27"],
    # 20 + 8 + 2 + 18 + 10 + 10 + 20; 100 * 1.2 = 120, 144, 172.8
    "soul_level": [
        "  Barbarian | 20 | 8 | 2 | 18 | 10 | 10 | 20 | 88 | +18",
        "  4 | 173 | 364",
        # half of the lead's share of 20 takes 22.5 from 50, and a half goes up
        "  DEF 20 | 10 to 11 | 0 % to 28 %",
    ],
    # the sum needs a 20 at a lead of -20 where level is enough
    "worlds_awakening": ["  −19 | 2 | 1"],
}


@pytest.fixture(scope="module", params=SHOWN)
def shown(request):
    desk = open_desk(str(HOME / "spec"), request.param, html=True)
    return request.param, [show(desk) for show in SHOWN[request.param]]


def test_figures_are_those_worked_out_by_hand(shown):
    system, sections = shown
    lines = [line for section in sections for line in section.text.splitlines()]
    assert [figure for figure in FIGURES[system] if figure not in lines] == []


def test_parts_of_a_page_are_well_formed(shown):
    read = Reader("".join(section.html for section in shown[1]))
    assert read.wrong == []
    assert [id_ for id_, number in Counter(read.ids).items() if number > 1] == []
    assert "style" not in read.attributes
    assert read.headings[0] == 2
    assert all(b - a <= 1 for a, b in zip(read.headings, read.headings[1:], strict=False))
    assert read.tags.count("title") == read.tags.count("desc") == sum(tag == "svg" for tag in read.tags)


def test_every_skill_stands_in_the_table_once():
    desk = open_desk(str(HOME / "spec"), "soul_level")
    text = soul_level.skills(desk).text
    skills = [c for c in desk.book.clauses.values() if getattr(c.body, "kind", "") == "skill"]
    assert skills
    assert [c.id for c in skills if text.count(f", {c.id} |") != 1] == []


def test_cases_of_a_skill_are_uses_refusals_and_others():
    desk = open_desk(str(HOME / "spec"), "soul_level")
    rows = {line.split(" | ")[0].split(", ")[1]: line.split(" | ") for line in of_skills(desk)}
    for clause in (c for c in desk.book.clauses.values() if c.id in rows):
        uses = clause.text.count("call: use_skill")
        refused = len(re.findall(r'call: use_skill(?:(?!call:)[\s\S])*?refused: "?[^"]', clause.text))
        told = [(uses - refused, "use"), (refused, "refusal"), (len(clause.cases) - uses, "other")]
        words = [f"{n} {what}{'' if n == 1 else 's'}" for n, what in told if n]
        assert (clause.id, rows[clause.id][4].replace("\xa0", " ")) == (clause.id, ", ".join(words))


@pytest.mark.parametrize(
    ("skill", "cost"),
    [
        ("Seismic Blow", "5 % of SP"),
        ("Telekinesis", "not said, of M"),
        ("Force of Nature", "10 % of SP or free"),
        ("Inner Destruction", "free, once a day"),
        ("Steel Skin", "free"),
    ],
)
def test_a_cost_is_told_in_words(skill, cost):
    (row,) = [line for line in of_skills(open_desk(str(HOME / "spec"), "soul_level")) if f" {skill}, " in line]
    assert row.split(" | ")[2].replace("\xa0", " ") == cost


def of_skills(desk):
    return [line for line in soul_level.skills(desk).text.splitlines() if ", SOUL-7." in line and " | " in line]


def test_open_questions_about_numbers_are_told(tmp_path):
    question = QUESTION.replace("TT-Q01", "TT-Q02").replace("ask: f", "ask: g")
    chapter = "".join(
        f"### TT-1.{n} Some\n\nIt is so.\n\n```yaml\nsource: [1]\ndefine: {define}\ncases:\n  - {case}\n```\n\n"
        for n, (define, case) in enumerate(
            [
                ('f(x) = x + 3 if Q01 == "up" and x > 4 else x', "{x: 4, is: 4}"),
                ('g(x) = x if Q02 == "up" else x', "{x: 1, is: 1}"),
                ("h(x) = x", "{x: 1, is: 1}"),
            ],
            1,
        )
    )
    desk = Desk(book_of(tmp_path, chapter, questions=QUESTION + question, domains={"x": "0..9"}))
    under = {"Q01": "down", "Q02": "down"}
    calls = [(name, {"x": x}) for name in ("f", "g") for x in range(10)]
    assert desk.bearing(calls, under) == (
        "Open questions, one at a time: of these 20 numbers TT-Q01 moves 5 by at most 3 and TT-Q02 moves none."
    )
    assert desk.bearing([("h", {"x": 1})], under) == "No open question bears on these numbers."


def test_an_unknown_system_is_refused():
    with pytest.raises(CallError, match="there is no system nowhere"):
        open_desk(str(HOME / "spec"), "nowhere")


FRAME = svg.Frame("x", "Title", "", "across", "up")


def test_circles_stand_on_their_points():
    chart = step_chart(FRAME, "x", {"a": [(0, 1), (1, 3), (2, 2)]}, [(1, 3)])
    assert chart is not None
    drawn = fromstring(str(chart.drawing))  # noqa: S314 - our own
    (circle,) = drawn.iter("circle")
    assert float(circle.get("cy", "0")) == svg.TOP + (svg.HEIGHT - svg.TOP - svg.BOTTOM) * 0
    assert "from 1 to 2, 2 steps" in str(chart.drawing)


def test_a_map_of_words_counts_them():
    chart = word_map(FRAME, [0, 1], [0, 1], [["a", "b"], ["a", None]])
    assert chart.note == "4 points. a: 2; b: 1; open: 1."
    assert chart.rows == (("1", "a", "open"), ("0", "a", "b"))


def test_dots_stand_before_their_bands():
    drawing = svg.dots(FRAME, [svg.Line("a", ((0, 10), (1, 90)))], [svg.Band(0, 1, 35, 45)], high=100)
    text = str(drawing)
    assert text.index('class="band"') < text.index('class="series s1"') < text.index('class="dot s1"')
    assert text.count("<circle") == 2
