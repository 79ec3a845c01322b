"""The page of a proposal."""

import shutil
from pathlib import Path

from conformance.proposed.impact import impact
from conformance.report.build import build
from conformance.report.proposal import open_proposal, texts, verdict, write_alone
from engine.book.load import load_book

BOOKS = Path(__file__).parents[2] / "books" / "proposed"
NASTY = "<script>alert(1)</script> {{ 7 * 7 }}"


def silent(what, done, of):
    pass


def test_clauses_stand_before_and_after_typeset():
    judged = open_proposal(str(BOOKS), "ladder", "slower", html=True)
    html = texts(judged).html
    assert html.count("<h4>Before</h4>") == html.count("<h4>After</h4>") == 3
    assert html.count("<math") == 6
    assert "known defect" in verdict(judged).html


def test_the_page_alone_is_one_file_that_asks_for_nothing(tmp_path):
    file = write_alone(impact(load_book(BOOKS / "ladder"), ["slower"], silent), tmp_path)
    assert file.name == "ladder-slower.html"
    html = file.read_text(encoding="utf-8")
    assert "default-src &#39;none&#39;" in html
    assert '<td>120</td><td class="value">110</td>' in html
    assert "http://" not in html.replace("http://www.w3.org", "")
    again = write_alone(impact(load_book(BOOKS / "ladder"), ["slower"], silent), tmp_path / "again")
    assert again.read_bytes() == file.read_bytes()


def test_what_a_proposal_says_is_text_on_its_page(tmp_path):
    folder = Path(shutil.copytree(BOOKS / "ladder", tmp_path / "ladder"))
    file = folder / "proposals" / "slower.md"
    file.write_text(file.read_text(encoding="utf-8").replace("So that nobody rushes.", NASTY), encoding="utf-8")
    html = write_alone(impact(load_book(folder), ["slower"], silent), tmp_path).read_text(encoding="utf-8")
    assert "<script" not in html
    assert "{{ 7 * 7 }}" in html


def test_the_report_has_a_page_for_each_written_proposal(tmp_path):
    build(BOOKS, tmp_path / "site")
    pages = {file.name for file in (tmp_path / "site").glob("*.html")}
    parts = ("questions", "01-growth", "02-tests", "properties", "passages")
    own = {name for name in pages if name.startswith("ladder.")}
    assert own == {"ladder.html", *(f"ladder.{part}.html" for part in parts)}
    assert pages - own == {"index.html", "ladder-slower.html", "ladder-rounding.html", "ladder-no-fee.html"}
    html = (tmp_path / "site" / "ladder-no-fee.html").read_text(encoding="utf-8")
    assert 'href="ladder-slower.html"' in html
