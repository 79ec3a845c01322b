"""The solver against dice, on fights of many kinds; `make bench` compares them all, this every sixth."""

import pytest

from tests.engine.duel.dice_cells import CELLS, book, deviation


@pytest.fixture(scope="module")
def shelf():
    return book()


@pytest.mark.parametrize("number", range(0, len(CELLS), 6))
def test_a_million_fights_agree_within_four_standard_errors(shelf, number):
    engine, kits = shelf
    assert deviation(engine, kits, number).worst <= 4


def test_there_are_forty_cells_and_no_two_are_the_same():
    assert len(CELLS) >= 40
    assert len({repr(cell) for cell in CELLS}) == len(CELLS)
