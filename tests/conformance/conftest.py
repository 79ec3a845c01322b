import importlib.machinery
import sys
import types
from pathlib import Path

import pytest

from tests.conformance import lamp_rules
from tests.conformance.shelf import CLAUSE, PROCEDURES, SPARKS, Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "books")


@pytest.fixture
def lamps(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """The good book with a clause for each procedure of `lamp_rules`."""
    name = "engine.systems.lanterns"
    module = types.ModuleType(name)
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    vars(module).update({k: v for k, v in vars(lamp_rules).items() if not k.startswith("__")})
    monkeypatch.setitem(sys.modules, name, module)
    for number, (procedure, case) in enumerate(PROCEDURES.items(), 1):
        shelf.add("01-light.md", CLAUSE.format(number=number, name=procedure, case=case))
    shelf.add("questions.md", SPARKS)
    return shelf
