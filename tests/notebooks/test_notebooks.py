"""The committed notebooks: their parameters, and outputs that nbval can hold against a fresh run."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.report.build import NOTEBOOKS
from conformance.report.parameters import declared, read_notebook
from conformance.report.store import store
from tests.conformance.shelf import GOOD, HOME

FILES = sorted(NOTEBOOKS.glob("*.ipynb"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_cell_that_computes_has_its_output_stored(file):
    notebook = read_notebook(file)
    assert declared(notebook, file)
    computing = [c for c in notebook.cells if c.cell_type == "code" and "parameters" not in c.metadata.get("tags", [])]
    assert computing
    for cell in computing:
        assert cell.outputs
        assert {output.output_type for output in cell.outputs} == {"execute_result"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_nothing_of_a_machine_is_stored(file):
    text = file.read_text(encoding="utf-8")
    assert str(HOME) not in text
    assert not re.findall(r"/(?:home|root|tmp|Users|work)/", text)
    assert "papermill" not in text.replace("pytest", "")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_cells_are_thin(file):
    for cell in read_notebook(file).cells:
        assert len(cell.source.splitlines()) <= 10


def test_a_wrong_number_in_a_stored_output_is_found(tmp_path):
    """The first page over a small book: nbval passes, and fails when one digit is another."""
    shutil.copytree(GOOD, tmp_path / "spec")
    (tmp_path / "notebooks").mkdir()
    file = tmp_path / "notebooks" / "overview.ipynb"
    shutil.copy(NOTEBOOKS / "overview.ipynb", file)
    store(file)
    assert _nbval(file).returncode == 0
    text = file.read_text(encoding="utf-8")
    number = re.search(r"Together: .*?(\d+) conforms", text)
    assert number is not None
    at = number.start(1)
    file.write_text(text[:at] + str(9 - int(text[at])) + text[at + 1 :], encoding="utf-8")
    done = _nbval(file)
    assert done.returncode == 1
    assert "Cell 3" in done.stdout


def _nbval(file: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--nbval",
        "--nbval-current-env",
        str(file),
    ]
    return subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False, timeout=300)
