"""The tools' committed notebooks: thin, with outputs that a fresh run can be held against, and no report pages."""

import re
import shutil
import subprocess
import sys

import pytest

from conformance.report.build import NOTEBOOKS
from conformance.report.parameters import declared, read_notebook
from conformance.tools.store import FOLDER, VIEW, store
from tests.conformance.shelf import HOME

FILES = sorted(FOLDER.glob("*.ipynb"))


def test_there_is_one_for_each_tool_and_none_is_a_page_of_the_report():
    assert [file.stem for file in FILES] == ["check_roller", "stat_calculator"]
    assert not {*FILES} & {*NOTEBOOKS.glob("*.ipynb")}
    assert not {file.stem for file in FILES} & {folder.name for folder in (HOME / "spec").iterdir()}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_outputs_are_stored_without_widgets_views(file):
    notebook = read_notebook(file)
    assert declared(notebook, file).keys() == {"books", "profile"}
    computing = [c for c in notebook.cells if c.cell_type == "code" and "parameters" not in c.metadata.get("tags", [])]
    assert all(cell.outputs for cell in computing)
    assert VIEW not in file.read_text(encoding="utf-8")
    assert "widgets" not in notebook.metadata


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_cells_are_thin_and_hold_nothing_of_a_machine(file):
    assert all(len(cell.source.splitlines()) <= 10 for cell in read_notebook(file).cells)
    assert not re.findall(r"/(?:home|root|tmp|Users|work)/", file.read_text(encoding="utf-8"))


def test_a_fresh_run_agrees_and_a_wrong_number_is_found(tmp_path):
    shutil.copytree(HOME / "spec" / "tu_chan_gioi", tmp_path / "spec" / "tu_chan_gioi")
    folder = tmp_path / "notebooks" / "tools"
    folder.mkdir(parents=True)
    file = folder / "check_roller.ipynb"
    shutil.copy(FOLDER / file.name, file)
    store(file)
    assert not store(file), "the second run stores the same"
    assert _nbval(file).returncode == 0
    text = file.read_text(encoding="utf-8")
    assert "= 15 vs DC 15" in text
    file.write_text(text.replace("= 15 vs DC 15", "= 16 vs DC 15"), encoding="utf-8")
    done = _nbval(file)
    assert done.returncode == 1
    assert "= 16 vs DC 15" in done.stdout


def _nbval(file):
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
