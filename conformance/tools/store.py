"""Runs the tools' notebooks anew and stores their outputs: `python -m conformance.tools.store`.

A widget's view is left out: its id is another in each run, and it shows nothing without the kernel that made it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat

from conformance.report.build import NOTEBOOKS, write_text
from conformance.report.parameters import read_notebook
from conformance.report.running import execute
from engine.errors import InputError

FOLDER = NOTEBOOKS / "tools"
VIEW = "application/vnd.jupyter.widget-view+json"


def store(file: Path) -> bool:
    """Puts the outputs of a fresh run into the notebook, without views. Gives whether it changed."""
    notebook = read_notebook(file)
    for cell, fresh in zip(notebook.cells, execute(file, {}, file.parent).cells, strict=True):
        if cell.cell_type != "code":
            continue
        for output in fresh.outputs:
            output.get("data", {}).pop(VIEW, None)
        cell.outputs, cell.execution_count = fresh.outputs, fresh.execution_count
    text = nbformat.writes(notebook) + "\n"
    changed: bool = text != file.read_text(encoding="utf-8")
    if changed:
        write_text(file, text)
    return changed


def main() -> int:
    """Refreshes all notebooks of the tools; one that fails leaves the others alone."""
    status = 0
    for file in sorted(FOLDER.glob("*.ipynb")):
        try:
            print(f"{file.name}: {'stored' if store(file) else 'unchanged'}", file=sys.stderr)  # noqa: T201
        except InputError as error:
            print(error, file=sys.stderr)  # noqa: T201
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main())
