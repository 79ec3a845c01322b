from pathlib import Path

import pytest

from conformance.report.opening import open_overview, open_system
from conformance.report.overview import Overview
from conformance.report.view import View
from tests.conformance.report.hostile import write_hostile
from tests.conformance.shelf import GOOD


@pytest.fixture(scope="session")
def lanterns() -> View:
    return open_system(str(GOOD), "lanterns")


@pytest.fixture(scope="session")
def overview() -> Overview:
    return open_overview(str(GOOD))


@pytest.fixture(scope="session")
def hostile_books(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("hostile")
    write_hostile(folder)
    return folder


@pytest.fixture(scope="session")
def hostile(hostile_books) -> View:
    return open_system(str(hostile_books), "test_system")
