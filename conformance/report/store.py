"""Runs the committed notebooks anew and stores their outputs: `python -m conformance.report.store`."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat

from conformance.report.build import NOTEBOOKS, write_text
from conformance.report.parameters import read_notebook
from conformance.report.running import execute
from engine.errors import InputError

VIEW = "application/vnd.jupyter.widget-view+json"
"""Not stored: a view has another id in each run, and shows nothing without the kernel that made it."""


def store(file: Path) -> bool:
    """Puts the outputs of a fresh run into the notebook, and nothing else. Gives whether it changed."""
    notebook = read_notebook(file)
    done = execute(file, {}, file.parent)
    ran = [cell for cell in done.cells if "injected-parameters" not in cell.get("metadata", {}).get("tags", [])]
    for cell, fresh in zip(notebook.cells, ran, strict=True):
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


def store_all(folder: Path) -> int:
    """Refreshes the notebooks of a folder; one that fails leaves the others alone. Gives the exit status."""
    status = 0
    for file in sorted(folder.glob("*.ipynb")):
        try:
            print(f"{file.name}: {'stored' if store(file) else 'unchanged'}", file=sys.stderr)  # noqa: T201
        except InputError as error:
            print(error, file=sys.stderr)  # noqa: T201
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(store_all(NOTEBOOKS))
