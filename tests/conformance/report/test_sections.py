"""The sections of a system's page: every item once, every word as text, what to do next."""

import re
from collections import Counter

import pytest

from conformance.report import overview as pages
from conformance.report import sections
from conformance.report.addresses import page_of
from conformance.report.site import Page, by_page, items_on, write_page
from conformance.report.view import open_view
from engine.errors import CallError
from tests.conformance.report.hostile import NAME, Reader
from tests.conformance.shelf import GOOD, Shelf

ALL = (
    sections.glance,
    sections.decisions,
    sections.missing,
    sections.ruled,
    sections.rules,
    sections.properties,
    sections.profiles,
    sections.passages,
)


def fragments(view):
    return [section(view).html for section in ALL]


def pages_of(view):
    """The pages of a book, by their addresses."""
    home = page_of(view.book.system)
    shown = [
        Page(name or home, "Title", view.book.title, "", tuple(parts), home if name else "")
        for name, parts in by_page(fragments(view)).items()
    ]
    return {page.address: Reader(write_page(page, shown, "test")) for page in shown}


def test_every_item_stands_on_its_page_exactly_once(lanterns, hostile):
    for view in (lanterns, hostile):
        assert items_on(fragments(view)) == Counter(item.id for item in view.items)


def test_a_clean_book_says_so(lanterns):
    assert sections.glance(lanterns).text.splitlines()[0] == (
        "Text, rules and program agree wherever the text decides. "
        f"{lanterns.totals['conforms']} of {len(lanterns.items)} checks conform, 1 claim ought to hold and does not"
        " and 3 questions are open."
    )


def test_decisions_come_in_the_order_of_their_weight(lanterns):
    assert [q.id for q in lanterns.decisions] == ["LAN-Q01", "LAN-Q02"]
    assert [q.id for q in lanterns.missing] == ["LAN-Q03"]
    html = sections.decisions(lanterns).html
    assert html.index('id="LAN-Q01"') < html.index('id="LAN-Q02"')
    assert html.index('<a href="lanterns.questions.html#LAN-Q01">') < html.index('data-page="lanterns.questions.html"')
    assert "raw rule LAN-Q01 READING --by NAME --why TEXT" in html


def test_a_decision_shows_what_each_reading_gives(lanterns):
    html = sections.decisions(lanterns).html
    assert "burnt(oil = 3)" in html
    assert '<td class="value">2</td>' in html
    assert '<td class="value">1</td>' in html


def test_the_next_step_is_the_most_urgent(tmp_path):
    shelf = Shelf(tmp_path / "books")
    shelf.edit("01-light.md", "level: 3, is: 4", "level: 3, is: 5")
    results = shelf.run()
    view = open_view(shelf.book, results)
    steps = sections.next_steps(view)
    assert [step.address for step in steps][:2] == ["#mend", "#unapproved"]
    assert sections.next_steps(view, "index.html")[0].address == "lanterns.html#mend"
    assert "LAN-1.1" in steps[0].why
    html = sections.glance(view).html
    assert "What must be mended" in html
    rules = sections.rules(view).html
    assert "expected 5, got 4" in rules
    assert "1 deviates" in sections.rules(view).text.splitlines()[0]


def test_a_ruled_question_names_who_decided(tmp_path):
    shelf = Shelf(tmp_path / "books")
    shelf.add(
        "rulings.toml",
        '[rulings."LAN-Q01"]\nreading = "half-up"\nby = "A. Keeper"\non = 2026-02-03\nwhy = "as we <always> played"\n',
    )
    view = open_view(shelf.book, shelf.run())
    assert "LAN-Q01" not in [q.id for q in view.decisions]
    html = sections.ruled(view).html
    assert "Decided: half-up" in html
    assert "A. Keeper on 2026-02-03. as we &lt;always&gt; played" in html


def test_results_of_another_text_are_refused(tmp_path):
    shelf = Shelf(tmp_path / "books")
    results = shelf.run()
    shelf.add("01-light.md", "\nMore.\n")
    with pytest.raises(CallError, match="the results are of another text of lanterns"):
        open_view(shelf.book, results)


def test_no_path_of_this_machine_is_shown(lanterns):
    whole = "".join(fragments(lanterns)) + "".join(section(lanterns).text for section in ALL)
    assert str(GOOD) not in whole
    assert "lanterns/01-light.md:3" in whole


@pytest.mark.parametrize("which", ["lanterns", "hostile"])
def test_pages_are_well_formed_and_keep_to_themselves(which, request):
    pages = pages_of(request.getfixturevalue(which))
    assert len(pages) == 5
    for name, read in pages.items():
        assert read.wrong == []
        assert "script" not in read.tags
        assert "img" not in read.tags
        assert not [name for name in read.attributes if name.startswith("on") or name in ("style", "src", "srcset")]
        inside = [a for a in read.addresses if not a.startswith(("https://example.org/", "http://tracker.example"))]
        for page, _, anchor in (
            address.partition("#") for address in inside if address not in ("data:,", "index.html")
        ):
            assert anchor in {"", *pages[page or name].ids}
        assert [i for i, n in Counter(read.ids).items() if n > 1] == []
        assert read.headings[0] == 1
        assert all(b - a <= 1 for a, b in zip(read.headings, read.headings[1:], strict=False))


def test_hostile_text_is_shown_as_it_stands(hostile):
    text = "".join(piece for read in pages_of(hostile).values() for piece in read.text)
    for literal in ("<script>alert(1)</script>", "{{7*7}}", "{{user}}", "{% raw %}", "${7*7}", "<%= 7 %>", NAME):
        assert literal in text
    assert "<script>x</script>" in text
    assert "49" not in text.replace("149", "")


def test_the_first_page_has_the_totals_of_the_results(overview):
    assert overview.totals == dict(overview.results.footer.by_status)
    last = pages.all_checks(overview).text.splitlines()[-1]
    assert last == "Together: " + ", ".join(
        f"{n} {'known defect' if s == 'broken' else s}" for s, n in overview.totals.items()
    )
    html = pages.all_checks(overview).html
    footer = html[html.index("<tfoot>") :]
    assert f'<td class="n">{overview.results.footer.items}</td>' in footer


def test_the_first_page_is_well_formed(overview):
    parts = (pages.rule_books, pages.all_checks, pages.what_is_broken, pages.what_is_open, pages.how_to_read)
    shown = Page("index.html", "All", "All", "", tuple(part(overview).html for part in parts))
    read = Reader(write_page(shown, [shown], "test"))
    assert read.wrong == []
    assert "lanterns.questions.html#LAN-Q01" in read.addresses
    assert all(b - a <= 1 for a, b in zip(read.headings, read.headings[1:], strict=False))


def test_an_approval_that_stands_is_a_word_and_no_finding(lanterns):
    html = "".join(fragments(lanterns))
    parts = {part.id for part in lanterns.book.parts}
    approved = [item for item in lanterns.items if item.what == "approval" and item.clause in parts]
    assert {item.status for item in approved} == {"conforms"}
    for item in approved:
        assert html.count(f'<span data-item="{item.id}">approval</span>') == 1


def test_cases_beyond_the_first_are_counted_by_their_rules(lanterns, monkeypatch):
    (question, *_) = lanterns.decisions
    impact = lanterns.impact(question)
    assert impact.cases
    monkeypatch.setattr(sections, "MOST_CHANGES", 0)
    html = sections.decisions(lanterns).html
    found = impact.cases[0].clause
    assert (
        f'of <a href="lanterns.01-light.html#{found}">{found}</a> ({sum(c.clause == found for c in impact.cases)})'
        in html
    )


def test_properties_stand_on_the_books_page_in_a_line_each_defects_first(lanterns):
    html = sections.properties(lanterns).html
    index = html[: html.index("data-page=")]
    rows = re.findall(r'<tr id="([^"]+)">.*?</tr>', index)
    assert sorted(rows) == sorted(lanterns.book.properties)
    assert lanterns.status(rows[0]) == "broken"
    assert "Fails at " in index[: index.index(f'id="{rows[1]}"')]
    assert "<div>Checked at every one of 10 points.</div>" in index
