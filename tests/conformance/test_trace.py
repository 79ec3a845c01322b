"""Traceability, approvals, and what the suite refuses to hold."""

from pathlib import Path

import pytest

from conformance.scan import commented_out, xfail_calls
from tests.conformance.shelf import Shelf


def test_a_passage_that_nothing_claims_is_missing(shelf: Shelf):
    shelf.edit("01-light.md", "source: [9]", "source: [3]")
    item = shelf.item("LAN-passage-9")
    assert (item.status, item.what) == ("missing", "trace")
    assert item.message == "passage 9 of lanterns.txt is claimed by nothing"
    assert item.where.endswith("passages.toml:9")


def test_a_passage_that_is_claimed_and_informative_is_one_too_many(shelf: Shelf):
    shelf.edit("01-light.md", "source: [9]", "source: [9, 1]")
    assert shelf.item("LAN-passage-1").message == "passage 1 is marked informative, and LAN-1.7 claims it"


def test_a_changed_clause_names_the_command_that_approves_it(shelf: Shelf):
    shelf.edit("01-light.md", "A lantern lights two fields,", "A lantern lights 2 fields,")
    item = shelf.item("LAN-1.1[approval]")
    assert (item.status, item.message) == ("deviates", "LAN-1.1 changed without approval")
    assert item.remedy.endswith("raw approve LAN-1.1 --by WHO --why TEXT")
    assert item.expected.startswith("as approved by A. Keeper on 2026-01-05")


def test_a_clause_without_approval_is_missing_one(shelf: Shelf):
    approved = (shelf.book / "approved.toml").read_text(encoding="utf-8")
    (shelf.book / "approved.toml").write_text(approved.partition('[approved."LAN-1.7"]')[0], encoding="utf-8")
    item = shelf.item("LAN-1.7[approval]")
    assert (item.status, item.message) == ("missing", "LAN-1.7 is not approved")


@pytest.mark.parametrize(
    ("file", "old", "new", "part", "title"),
    [
        ("questions.md", "a tie keeps it burning", "a tie keeps it lit", "LAN-Q02", "What does an equal die do?"),
        ("properties.md", "by: ", "by:  ", "", ""),
        ("properties.md", "claim: radius(level) >= 2", "claim: radius(level) >= 1", "LAN-P1", ""),
        ("book.toml", 'level = "1..10"', 'level = "1..11"', "LAN-input-level", "the input level"),
        ("book.toml", 'level = "1..10"', 'level = "1 .. 10" # rungs', "", ""),
        ("book.toml", 'label = "Oil"', 'label = "Oils"', "LAN-input-oil", "Oils"),
        ("passages.toml", "the title", "a heading", "LAN-passages", "the lines of the source"),
    ],
)
def test_whatever_a_book_says_is_approved(shelf: Shelf, file: str, old: str, new: str, part: str, title: str):
    path = shelf.book / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    wrong = [item for item in shelf.run().items if item.what == "approval" and item.status != "conforms"]
    assert [item.clause for item in wrong] == ([part] if part else [])
    for item in wrong:
        assert (item.status, item.message) == ("deviates", f"{part} changed without approval")
        assert title in item.title
        assert item.where.startswith(str(path))
        assert item.remedy.endswith(f"raw approve {part} --by WHO --why TEXT")


def test_a_rule_that_is_retired_is_approved_too(shelf: Shelf):
    shelf.edit("book.toml", 'source = "lanterns.txt"\n', 'source = "lanterns.txt"\nretired = ["LAN-P2"]\n')
    path = shelf.book / "properties.md"
    path.write_text(path.read_text(encoding="utf-8").partition("### LAN-P2")[0], encoding="utf-8")
    item = shelf.item("LAN-P2[approval]")
    assert (item.status, item.message) == ("deviates", "LAN-P2 was retired without approval")
    assert item.where.endswith("book.toml:5")
    assert item.remedy == "If it is to rule nothing any more: raw approve LAN-P2 --by WHO --why TEXT"


@pytest.mark.parametrize("cited", ["LAN-1.8", "LAN-Q04", "LAN-P3", "LAN-7"])
def test_an_id_that_is_cited_exists(shelf: Shelf, cited: str):
    shelf.edit("questions.md", "Fish oil is named once,", f"As in LAN-1.1, LAN-1 and LAN-Q01. See {cited}.")
    item = shelf.item("LAN-trace[ids]")
    assert item.status == "missing"
    assert item.message == f"{shelf.book / 'questions.md'}:31 cites {cited}, which does not exist"


def test_a_retired_id_may_still_be_cited(shelf: Shelf):
    shelf.edit("book.toml", 'source = "lanterns.txt"\n', 'source = "lanterns.txt"\nretired = ["LAN-1.8"]\n')
    shelf.edit("questions.md", "Fish oil is named once,", "See LAN-1.8.")
    assert shelf.item("LAN-trace[ids]").status == "conforms"


def test_a_domain_that_nothing_uses_is_named(shelf: Shelf):
    shelf.add("book.toml", 'wick = "1..3"\n')
    item = shelf.item("LAN-trace[domains]")
    assert (item.status, item.message) == ("missing", f"wick ({shelf.book / 'book.toml'}) is used by nothing")


@pytest.mark.parametrize(
    "code",
    [
        "import pytest\n\ndef test_x():\n    pytest.xfail('later')\n",
        "import pytest as pt\n\ndef test_x():\n    pt.xfail('later')\n",
        "from pytest import mark, xfail\n",
        "import pytest\nlater = pytest.xfail\n",
        "import pytest\nlater = getattr(pytest, 'xfail')\n",
        "import pytest\nlater = getattr(pytest, 'xfail', None)\n",
        "import pytest\nlater = vars(pytest)['xfail']\n",
        "import operator, pytest\nlater = operator.attrgetter('mark')\npytest.__dict__['xfail']('later')\n",
        "import importlib\nimportlib.import_module('pytest').xfail('later')\n",
        "import _pytest.outcomes as o\nraise o.XFailed('later')\n",
        "from _pytest.outcomes import XFailed\n",
    ],
)
def test_a_call_of_xfail_is_refused(shelf: Shelf, code: str):
    (shelf.folder / "test_later.py").write_text(code, encoding="utf-8")
    item = shelf.item("suite[xfail-calls]")
    assert item.status == "deviates"
    assert "test_later.py" in item.message
    assert "ignores strict" in item.message


def test_the_mark_is_no_call(tmp_path: Path):
    (tmp_path / "test_now.py").write_text(
        "import pytest\nfrom pytest import mark\n\n@pytest.mark.xfail(strict=True)\n@mark.xfail(strict=True)\n"
        "def test_x():\n    'pytest.xfail()'\n    getattr(pytest.mark, 'xfail')\n    assert 'x' != 'xfail'\n",
        encoding="utf-8",
    )
    assert xfail_calls(tmp_path) == []


@pytest.mark.parametrize(
    ("file", "text", "line"),
    [
        ("01-a.md", "# A\n\n```yaml\ncases:\n  # - {level: 3, is: 5}\n```\n", 5),
        ("01-a.md", "# A\n\n<!--\n### LAN-1.9 Old rule\n-->\n", 3),
        ("01-a.md", "# A\n\n<!-- - {level: 3, is: 5} -->\n", 3),
        ("passages.toml", '[passages]\n# 4 = {sha256 = "00"}\n', 2),
        ("test_a.py", "x = 1\n# def test_x():\n", 2),
        ("test_a.py", "def test_x():\n    # assert total == 3\n    pass\n", 2),
    ],
)
def test_what_is_commented_out_is_refused(tmp_path: Path, file: str, text: str, line: int):
    (tmp_path / file).write_text(text, encoding="utf-8")
    (found,) = commented_out(tmp_path)
    assert f"{file}:{line}: " in found


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("01-a.md", "# A\n\n```yaml\n# a half is open, see LAN-Q01\ncases:\n  - {level: 3, is: 5}\n```\n"),
        ("01-a.md", "# A\n\n<!-- a remark on LAN-1.1 -->\n"),
        ("test_a.py", "# The test that follows asserts what is meant.\nx = '# def test_x():'\n"),
        ("rulings.toml", '# [rulings."LAN-Q01"]\n'),
    ],
)
def test_a_remark_is_no_case(tmp_path: Path, file: str, text: str):
    (tmp_path / file).write_text(text, encoding="utf-8")
    assert commented_out(tmp_path) == []
