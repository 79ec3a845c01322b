"""Terminal, Markdown and JUnit: the same totals from the same results."""

import re
import xml.etree.ElementTree as ET

import pytest
from wcwidth import wcswidth

from conformance.results import FAILING, STATUSES, Header, Item, Results
from conformance.summary import MOST_ROWS, cell, fenced, junit, markdown, table, terminal, totals


def item(number: int, status: str, system: str = "lanterns", **more: object) -> Item:
    return Item.model_validate(
        {
            "id": f"LAN-1.{number}[level={number}]",
            "system": system,
            "clause": f"LAN-1.{number}",
            "what": "case",
            "status": status,
            "where": "spec/lanterns/01-light.md:9",
            "sentence": "A lantern lights two fields.",
            "title": "Light",
            **more,
        }
    )


def results(*items: Item) -> Results:
    return Results(header=Header(engine="built-in", books=(), options={}), items=items)


EVERY = results(
    *(item(n, status) for n, status in enumerate(STATUSES, 1)),
    *(item(n, "conforms", system="others") for n in range(20, 23)),
    item(30, "deviates", message="expected 3, got 4", expected="3", actual="4", blame="rule book"),
)


def from_terminal(of: Results) -> dict[str, dict[str, int]]:
    found = {}
    for line in terminal(of):
        name, _, rest = line.partition("  ")
        found[name] = {word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", rest.partition(": ")[2])}
    return found


def from_markdown(of: Results) -> dict[str, dict[str, int]]:
    rows = [
        [text.strip() for text in line.strip("|").split("|")]
        for line in markdown(of).partition("## Counts")[2].splitlines()
        if line.startswith("|")
    ]
    heads = rows[0][1:-1]
    return {row[0]: {h: int(n) for h, n in zip(heads, row[1:-1], strict=True) if n != "0"} for row in rows[2:]}


def suites(of: Results) -> ET.Element:
    return ET.fromstring(junit(of))  # noqa: S314


def from_junit(of: Results) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for suite in suites(of):
        counts = found.setdefault(suite.attrib["name"], {})
        for case in suite.iter("testcase"):
            (status,) = (p.attrib["value"] for p in case.iter("property"))
            counts[status] = counts.get(status, 0) + 1
    return found


def test_all_three_agree_with_the_results():
    expected = {system: dict(counts) for system, counts in totals(EVERY).items()}
    assert expected["lanterns"] == dict.fromkeys(STATUSES, 1) | {"deviates": 2}
    assert from_junit(EVERY) == expected
    in_all = dict(EVERY.footer.by_status)
    assert from_terminal(EVERY) == expected | {"in all": in_all}
    assert from_markdown(EVERY) == expected | {"in all": in_all}


def test_junit_skips_nothing_and_counts_failures_and_errors():
    lanterns, others = suites(EVERY)
    assert list(suites(EVERY).iter("skipped")) == []
    failing = [i for i in EVERY.items if i.status in FAILING]
    assert int(lanterns.attrib["failures"]) + int(lanterns.attrib["errors"]) == len(failing)
    assert (lanterns.attrib["errors"], lanterns.attrib["skipped"], lanterns.attrib["tests"]) == ("1", "0", "9")
    assert (others.attrib["failures"], others.attrib["tests"]) == ("0", "3")
    (case,) = (c for c in lanterns.iter("testcase") if "30" in c.attrib["name"])
    failure = case.find("failure")
    assert failure is not None
    assert failure.attrib["message"] == "expected 3, got 4"


def test_junit_survives_what_a_rule_may_hold():
    awkward = item(1, "deviates", message='a < b & "c" \x00 \ud800'.encode("utf-8", "replace").decode(), expected="]]>")
    (suite,) = suites(results(awkward))
    assert suite.attrib["failures"] == "1"


def test_failures_come_first_then_questions_then_counts():
    text = markdown(EVERY)
    assert text.startswith("# 4 items to look at\n")
    places = [text.index(head) for head in ("## What fails", "## Open questions", "## Known defects", "## Counts")]
    assert places == sorted(places)


def test_a_run_that_agrees_says_so():
    assert markdown(results(item(1, "conforms"))).startswith("# The rules and the engine agree\n")


@pytest.mark.parametrize("status", ["deviates", "open", "unsupported"])
def test_the_summary_stays_below_its_bound(status: str):
    many = results(*(item(n, status, message="x" * 500, actual="ộ" * 500) for n in range(3000)))
    text = markdown(many)
    assert len(text.encode()) < 100_000
    (left,) = re.findall(r"… and (\d+) more(?: \(\d+ of lanterns\))?; the results file holds them all", text)
    told = text.count("**LAN-") if status == "deviates" else len(re.findall(r"^\| LAN-", text, re.MULTILINE))
    assert int(left) + told == 3000
    assert told
    assert f"| {len(many.items)} " in text


@pytest.mark.parametrize(("status", "head"), [("open", "## Open questions"), ("broken", "## Known defects")])
def test_no_system_crowds_out_another(status: str, head: str):
    many = [item(n, status, "first") for n in range(MOST_ROWS + 7)]
    others = [item(n, status, "second") for n in range(MOST_ROWS)] + [item(n, status, "third") for n in range(3)]
    text = markdown(results(*many, *others)).partition(head)[2].partition("\n## ")[0]
    assert len(re.findall(r"^\| LAN-", text, re.MULTILINE)) == 2 * MOST_ROWS + 3
    assert "\n… and 7 more (7 of first); the results file holds them all, and the report shows them.\n" in text


def test_where_room_is_short_each_system_gives_way_alike():
    wide = {"title": "x" * 200, "actual": "y" * 200}
    many = [item(n, "open", f"system_{k}", **wide) for k in range(12) for n in range(60)]
    text = markdown(results(*many), 60_000)
    assert len(text.encode()) < 60_000
    left = re.findall(r"(\d+) of system\\_(\d+)", text)
    assert [int(k) for _, k in left] == [*range(12)]
    (number,) = {int(n) for n, _ in left}
    assert 60 - MOST_ROWS < number < 60
    assert f"… and {12 * number} more (" in text


def test_numbers_stay_as_they_are_written():
    assert "| 4.10 " in table([["4.10", "1e5"]], ["a", "b"])
    assert "| 1e5 " in table([["4.10", "1e5"]], ["a", "b"])


def test_nothing_in_a_cell_is_markup():
    assert cell("a|b") == "a\\|b"
    assert cell("<b>*x*</b> [y](z) `q`") == "\\<b\\>\\*x\\*\\</b\\> \\[y\\](z) \\`q\\`"
    assert cell("one\ntwo") == "one two"
    rows = table([["a|b", "c"]], ["x", "y"]).splitlines()
    assert len(re.findall(r"(?<!\\)\|", rows[2])) == 3


def test_columns_are_as_wide_as_their_letters_are_shown():
    lines = table([["Đột phá hộ thể", "1"], ["plain", "22"], ["Đo\u0323\u0302t", "3"]], ["a", "b"]).splitlines()
    assert len({wcswidth(line) for line in lines}) == 1


def test_a_fence_inside_a_failure_cannot_end_it():
    block = fenced("a\n```\n# no heading\n")
    assert block.startswith("````text\n")
    assert block.endswith("\n````")
