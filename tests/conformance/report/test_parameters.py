"""Parameters of notebooks: a misspelt one is an error, 001 stays text."""

import re

import nbformat
import pytest

from conformance.report.parameters import check_parameters
from engine.errors import InputError

DECLARED = 'system: str = "wa"  # which\ncount: int = 3\nfull: bool = False'


@pytest.fixture
def notebook(tmp_path):
    def write(source: str = DECLARED, tags: tuple[str, ...] = ("parameters",)):
        made = nbformat.v4.new_notebook()
        cell = nbformat.v4.new_code_cell(source)
        cell.metadata = {"tags": list(tags)}
        made.cells = [cell, nbformat.v4.new_code_cell("1")]
        file = tmp_path / "page.ipynb"
        nbformat.write(made, file)
        return file

    return write


def test_text_stays_text(notebook):
    given = {"system": "001"}
    assert check_parameters(notebook(), given) == {"system": "001"}
    assert check_parameters(notebook(), {"system": "4.10"}) == {"system": "4.10"}


def test_text_becomes_what_is_declared(notebook):
    given = {"count": "12", "full": "true"}
    assert check_parameters(notebook(), given) == {"count": 12, "full": True}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sytem": "x"}, "page.ipynb has no parameter sytem; did you mean system?"),
        ({"zzz": "x"}, "page.ipynb has no parameter zzz; it takes system, count, full"),
        ({"count": "4.10"}, "count = 4.10; it takes a whole number"),
        ({"count": True}, "count = True; it takes a whole number"),
        ({"full": "yes"}, "full = yes; it takes true or false"),
        ({"system": 1}, "system = 1; it takes text"),
        ({"count": "٣"}, "count = ٣; it takes a whole number"),
    ],
)
def test_one_line_says_what_is_wrong(notebook, given, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        check_parameters(notebook(), given)


@pytest.mark.parametrize(
    ("source", "tags", "message"),
    [
        (DECLARED, (), "0 cells tagged parameters"),
        ("system = 1", ("parameters",), "`system = 1` among its parameters"),
        ("import os", ("parameters",), "`import os` among its parameters"),
        ("count: int = True", ("parameters",), "`count: int = True` among its parameters"),
        ("x: str = ", ("parameters",), "its parameters are no Python"),
    ],
)
def test_a_notebook_declares_its_parameters_plainly(notebook, source, tags, message):
    with pytest.raises(InputError, match=re.escape(message)):
        check_parameters(notebook(source, tags), {})


def test_what_is_no_notebook_is_named(tmp_path):
    file = tmp_path / "page.ipynb"
    with pytest.raises(InputError, match=r"page\.ipynb:1: cannot be read"):
        check_parameters(file, {})
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"page\.ipynb:1: is no notebook"):
        check_parameters(file, {})
