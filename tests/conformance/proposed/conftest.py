"""The small book whose rules are all changed by some proposal, in a folder that a test owns."""

import shutil
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
LADDER = TESTS / "books" / "proposed" / "ladder"
SPEC = TESTS.parent / "spec"


@pytest.fixture
def ladder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(LADDER, tmp_path / "spec" / "ladder"))
