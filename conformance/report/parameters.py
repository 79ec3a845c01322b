"""Parameters of notebooks: what their first tagged cell declares, and nothing else.

Papermill passes over a misspelt parameter and turns `001` into 1. Here an unknown one is an error, and a value becomes
what its declaration says: `name: str = "001"` stays text.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat

from engine.errors import CallError, InputError, Place

TAG = "parameters"
MOST_TEXT = 4000
_KINDS: dict[str, type] = {"str": str, "int": int, "bool": bool}


def read_notebook(file: Path) -> nbformat.NotebookNode:
    """A notebook, checked against its own format. Raises `InputError` where it is none."""
    try:
        notebook: nbformat.NotebookNode = nbformat.read(file, as_version=4)
        nbformat.validate(notebook)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", "check the path", Place(file, 1)) from None
    except (nbformat.ValidationError, ValueError) as error:
        reason = str(error).partition("\n")[0][:120]
        raise InputError(f"is no notebook ({reason})", "open and save it in Jupyter", Place(file, 1)) from None
    return notebook


def declared(notebook: nbformat.NotebookNode, file: Path) -> dict[str, tuple[type, Any]]:
    """The parameters by name, with their kind and default.

    Raises `InputError` where there is not exactly one cell of parameters, or it holds anything but declarations.
    """
    cells = [cell for cell in notebook.cells if TAG in cell.get("metadata", {}).get("tags", [])]
    if len(cells) != 1:
        raise InputError(f"{len(cells)} cells tagged {TAG}", "tag the one that declares them", Place(file, 1))
    remedy = 'declare each like `system: str = "worlds_awakening"`'
    try:
        body = ast.parse(cells[0].source).body
    except SyntaxError as error:
        raise InputError(f"its parameters are no Python ({error.msg})", remedy, Place(file, 1)) from None
    found: dict[str, tuple[type, Any]] = {}
    for node in body:
        match node:
            case ast.AnnAssign(
                target=ast.Name(id=name), annotation=ast.Name(id=kind), value=ast.Constant(value=value)
            ) if kind in _KINDS and type(value) is _KINDS[kind] and name not in found:
                found[name] = (_KINDS[kind], value)
            case _:
                shown = ast.unparse(node)[:60]
                raise InputError(f"`{shown}` among its parameters", remedy, Place(file, 1))
    return found


def check_parameters(file: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters to run `file` with, each of its declared kind; text is read as that kind.

    Raises `CallError` for one that the notebook does not declare, or that is not of its kind.
    """
    known = declared(read_notebook(file), file)
    checked: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            remedy = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known) or 'none'}"
            raise CallError(f"{file.name} has no parameter {name[:60]}", remedy)
        checked[name] = _as(known[name][0], value, name)
    return checked


def _as(kind: type, value: Any, name: str) -> Any:
    if type(value) is kind:
        if isinstance(value, str) and len(value) > MOST_TEXT:
            raise CallError(f"{name} has {len(value)} characters", f"at most {MOST_TEXT}")
        return value
    if isinstance(value, str):
        if kind is bool and value in ("true", "false"):
            return value == "true"
        if kind is int and value.removeprefix("-").isdecimal() and value.isascii() and len(value) < 20:
            return int(value)
    words = {str: "text", int: "a whole number", bool: "true or false"}
    raise CallError(f"{name} = {str(value)[:60]}", f"it takes {words[kind]}")
