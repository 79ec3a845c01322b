"""Readings that are fixed, in few words."""

from dataclasses import replace

import pytest

from conformance.report.fixed import fixed_by
from engine.book.load import load_book
from tests.conformance.shelf import GOOD

PLAIN = {f"Q{n:02}": "a" for n in range(1, 9)}


@pytest.fixture(scope="module")
def book():
    return replace(load_book(GOOD / "lanterns"), profiles={"plain": PLAIN, "other": PLAIN | {"Q01": "b", "Q02": "b"}})


@pytest.mark.parametrize(
    ("under", "profile", "besides"),
    [
        (PLAIN, "plain", {}),
        (PLAIN | {"Q01": "b", "Q02": "b"}, "other", {}),
        (PLAIN | {"Q07": "c", "Q09": "d"}, "plain", {"Q07": "c", "Q09": "d"}),
        ({"Q01": "a", "Q02": "a"}, "", {"Q01": "a", "Q02": "a"}),
        (dict.fromkeys(PLAIN, "z"), "", dict.fromkeys(PLAIN, "z")),
        ({**{f"Q{n:02}": "a" for n in range(1, 8)}}, "", {f"Q{n:02}": "a" for n in range(1, 8)}),
    ],
)
def test_a_profile_is_named_where_it_says_most(book, under, profile, besides):
    fixed = fixed_by(book, under)
    assert (fixed.profile, fixed.besides) == (profile, besides)


@pytest.mark.parametrize("under", [PLAIN | {"Q01": "b"}, PLAIN, {"Q05": "a"}])
def test_nothing_is_lost(book, under):
    fixed = fixed_by(book, under)
    assert {**book.profiles.get(fixed.profile, {}), **fixed.besides} == under
