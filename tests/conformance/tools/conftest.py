"""The rule book of Tu Chân Giới, under a profile and under none."""

import pytest

from conformance.tools.said import Reader, open_engine
from tests.conformance.shelf import HOME


@pytest.fixture(scope="session")
def engine():
    return open_engine(str(HOME / "spec"))


@pytest.fixture(scope="session")
def custom(engine):
    return Reader(engine, "custom")


@pytest.fixture(scope="session")
def every_reading(engine):
    return Reader(engine)
