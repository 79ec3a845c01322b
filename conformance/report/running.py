"""Runs notebooks with papermill, and takes from them what their cells show."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat

from conformance.report.parameters import TAG, check_parameters, declared, read_notebook
from engine.errors import InputError, Place

KERNEL = "python3"
SECONDS_TO_START = 120
_OF = "rules-as-written-of"


def run_notebook(file: Path, given: Mapping[str, Any], folder: Path, own: Sequence[Path] = ()) -> list[list[str]]:
    """The HTML that each cell of `file` shows, in order, when it runs with these parameters in `folder`.

    Then that of the notebooks `own`, which run after it in the same kernel under parameters of the same names: a list
    for each notebook. Raises `InputError`, in one line, for an unknown parameter and for a cell that fails.
    """
    parameters = check_parameters(file, given)
    if not own:
        return [fragments_of(execute(file, parameters, folder), file)]
    with tempfile.TemporaryDirectory(prefix="rules-as-written-") as scratch:
        whole = Path(scratch) / file.name
        nbformat.write(_joined(file, own), whole)
        done = execute(whole, parameters, folder)
    parts = []
    for number, each in enumerate((file, *own)):
        cells = [cell for cell in done.cells if cell.metadata.get(_OF, 0) == number]
        parts.append(fragments_of(nbformat.from_dict({**done, "cells": cells}), each))
    return parts


def _joined(file: Path, own: Sequence[Path]) -> nbformat.NotebookNode:
    """One notebook of several: the parameters of the first serve all."""
    whole = read_notebook(file)
    known = declared(whole, file)
    for number, each in enumerate(own, 1):
        notebook = read_notebook(each)
        strange = [name for name in declared(notebook, each) if name not in known]
        if strange:
            remedy = f"use those of {file.name}: {', '.join(known)}"
            raise InputError(f"its parameter {strange[0]} is none of {file.name}", remedy, Place(each, 1))
        for cell in notebook.cells:
            if TAG not in cell.metadata.get("tags", []):
                cell.metadata[_OF] = number
                cell.id = f"{number}-{cell.id}"
                whole.cells.append(cell)
    return whole


def execute(file: Path, parameters: Mapping[str, Any], folder: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of a fresh run."""
    # A notebook run in a folder of rule books must not compile formulas into it, and warns about nothing of its own.
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    import papermill
    from papermill.exceptions import PapermillExecutionError

    with tempfile.TemporaryDirectory(prefix="rules-as-written-") as scratch:
        done = Path(scratch) / file.name
        try:
            papermill.execute_notebook(
                str(file),
                str(done),
                parameters=dict(parameters),
                # Papermill's own `cwd` would move this whole process, and with it the notebook beside this one.
                resources={"metadata": {"path": str(folder)}},
                kernel_name=KERNEL,
                language="python",
                start_timeout=SECONDS_TO_START,
                progress_bar=False,
                log_output=False,
                extra_arguments=["--log-level=50"],  # a kernel warns at each start that it speaks over TCP
            )
        except PapermillExecutionError as error:
            reason = f"{error.ename}: {error.evalue}" if error.evalue else error.ename
            raise InputError(
                f"cell {error.exec_count} of the notebook failed ({reason[:400]})",
                "run it in Jupyter to see more",
                Place(file, 1),
            ) from None
        finally:
            _close_loop()
        notebook: nbformat.NotebookNode = nbformat.read(done, as_version=4)
    return notebook


def _close_loop() -> None:
    """Jupyter's client opens an event loop for each thread that runs notebooks, and leaves it open."""
    with contextlib.suppress(RuntimeError):  # there is none, or it is another's and running
        asyncio.get_event_loop().close()
        asyncio.set_event_loop(None)


def fragments_of(notebook: nbformat.NotebookNode, file: Path) -> list[str]:
    """What the cells show as HTML. Raises `InputError` where a cell printed a warning: it would be lost on the page."""
    fragments = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                text = " ".join(str(output.text).split())
                raise InputError(f"a cell printed: {text[:200]}", "a page shows results only", Place(file, 1))
            html = output.get("data", {}).get("text/html")
            if html:
                fragments.append("".join(html) if isinstance(html, list) else str(html))
    return fragments
