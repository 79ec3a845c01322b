"""The whole site: same inputs, same bytes; a warm build runs nothing."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree.ElementTree import parse

import pytest

from conformance.report import build as building
from conformance.report import running
from conformance.report.build import build
from conformance.results import read_results
from engine.errors import InputError
from tests.conformance.report.hostile import Reader
from tests.conformance.shelf import GOOD, HOME

PROGRAM = (
    "import sys; from pathlib import Path; from conformance.report.build import build; "
    "build(Path(sys.argv[1]), Path(sys.argv[2]), fresh=True)"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    return build(GOOD, tmp_path_factory.mktemp("site") / "report").parent


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def test_pages_and_results_stand_side_by_side(site):
    beside = [f"lanterns.{part}.html" for part in ("questions", "01-light", "properties", "passages")]
    others = ["index.html", "lanterns.html", "junit.xml", "results.jsonl", "summary.md"]
    assert sorted(contents(site)) == sorted([*beside, *others])


def test_every_section_is_on_its_page(site):
    for name, sections in (
        ("index.html", ("glance", "systems", "totals", "broken", "open", "words", "run")),
        ("lanterns.html", ("glance", "decisions", "missing", "rules", "properties", "passages", "whole")),
        ("lanterns.questions.html", ("to-decide", "to-write")),
        ("lanterns.01-light.html", ("chapter-01-light",)),
        ("lanterns.properties.html", ("every-property",)),
        ("lanterns.passages.html", ("every-passage",)),
    ):
        html = (site / name).read_text(encoding="utf-8")
        assert re.findall(r'<h2 id="([^"]+)"', html) == [*sections]


def test_no_link_leads_nowhere(site):
    read = {file.name: Reader(file.read_text(encoding="utf-8")) for file in site.glob("*.html")}
    there = {name: {""} for name in contents(site)} | {name: {"", *page.ids} for name, page in read.items()}
    links = [
        (name, page or name, anchor)
        for name, own in read.items()
        for page, _, anchor in (address.partition("#") for address in own.addresses if address != "data:,")
    ]
    assert len(links) > 100
    assert [link for link in links if link[2] not in there.get(link[1], ())] == []


def test_a_page_of_a_book_stands_below_it(site):
    html = (site / "lanterns.questions.html").read_text(encoding="utf-8")
    assert '<a href="lanterns.html" aria-current="true">' in html
    assert "lanterns.01-light.html" not in html[: html.index("<main")]
    assert '<a href="lanterns.01-light.html" rel="next">' in html[html.index("<main") :]
    assert 'rel="prev"' not in html


def test_totals_agree_everywhere(site):
    footer = read_results(site / "results.jsonl").footer
    index = (site / "index.html").read_text(encoding="utf-8")
    together = re.findall(r'<td class="n">(\d+)</td>', index[index.index("<tfoot>") : index.index("</tfoot>")])
    assert [int(n) for n in together] == [*footer.by_status.values(), footer.items]
    suites = parse(site / "junit.xml").getroot()  # noqa: S314 - our own file
    assert sum(int(suite.get("tests", "0")) for suite in suites) == footer.items
    assert sum(int(suite.get("skipped", "0")) for suite in suites) == 0
    summary = (site / "summary.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| in all .*\| {footer.items} +\|$", summary, re.MULTILINE)
    assert len(summary.encode()) < 100_000


def test_a_warm_build_runs_nothing_and_changes_nothing(site, monkeypatch):
    def refuse(*_args, **_options):
        raise AssertionError("ran again")

    before = contents(site)
    monkeypatch.setattr(building, "run_shared", refuse)
    monkeypatch.setattr(running, "run_notebook", refuse)
    build(GOOD, site)
    assert contents(site) == before


def test_the_order_of_hashing_leaves_no_trace(site, tmp_path):
    folders = []
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(HOME)}
        command = [sys.executable, "-W", "error", "-c", PROGRAM, str(GOOD), "report"]
        subprocess.run(command, cwd=tmp_path / seed, env=environment, check=True)
        folders.append(contents(tmp_path / seed / "report"))
    assert folders[0] == folders[1] == contents(site)


def test_an_item_that_a_page_has_lost_is_an_error(site, monkeypatch, tmp_path):
    monkeypatch.setattr(running, "run_notebook", lambda *_: [["<p>nothing</p>"]])
    with pytest.raises(InputError, match="the page of Lanterns and the results differ in"):
        build(GOOD, tmp_path / "report", fresh=True)


def test_a_system_with_a_notebook_of_its_own_shows_it_before_its_rules(monkeypatch, tmp_path):
    import nbformat

    for name in ("overview.ipynb", "system.ipynb"):
        shutil.copy(building.NOTEBOOKS / name, tmp_path / name)
    made = nbformat.v4.new_notebook()
    first = nbformat.v4.new_code_cell('system: str = "x"')
    first.metadata = {"tags": ["parameters"]}
    show = 'from IPython.display import HTML\n\nHTML(f\'<h2 id="own" data-toc="Own">Own of {system}</h2>\')'
    made.cells = [first, nbformat.v4.new_code_cell(show)]
    nbformat.write(made, tmp_path / "lanterns.ipynb")
    monkeypatch.setattr(building, "NOTEBOOKS", tmp_path)
    html = (build(GOOD, tmp_path / "report", fresh=True).parent / "lanterns.html").read_text(encoding="utf-8")
    places = [html.index(part) for part in ('<h2 id="decisions"', "Own of lanterns", '<h2 id="rules"')]
    assert places == sorted(places)
    assert '<a href="#own">Own</a>' in html


def test_an_own_notebook_takes_the_parameters_of_its_page(tmp_path):
    import nbformat

    made = nbformat.v4.new_notebook()
    first = nbformat.v4.new_code_cell('sytem: str = "x"')
    first.metadata = {"tags": ["parameters"]}
    made.cells = [first]
    nbformat.write(made, tmp_path / "own.ipynb")
    with pytest.raises(InputError, match=r"own\.ipynb:1: its parameter sytem is none of system\.ipynb"):
        running.run_notebook(building.NOTEBOOKS / "system.ipynb", {}, tmp_path, [tmp_path / "own.ipynb"])


def test_progress_is_told(site):
    told = []
    build(GOOD, site, progress=lambda what, done, of: told.append((what, done, of)))
    assert told[0] == ("reading the rule books", 0, 1)
    assert told[-1] == ("pages", 2, 2)


def test_a_notebook_that_fails_says_so_in_one_line(tmp_path):
    import nbformat

    made = nbformat.v4.new_notebook()
    first = nbformat.v4.new_code_cell('books: str = "x"')
    first.metadata = {"tags": ["parameters"]}
    made.cells = [first, nbformat.v4.new_code_cell("raise ValueError('no\\nluck')")]
    file = tmp_path / "page.ipynb"
    nbformat.write(made, file)
    with pytest.raises(
        InputError, match=r"page\.ipynb:1: cell \d of the notebook failed \(ValueError: no luck\)"
    ) as caught:
        running.run_notebook(file, {"books": "001"}, tmp_path)
    assert "\n" not in str(caught.value)
