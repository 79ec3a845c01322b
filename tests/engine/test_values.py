"""Values at the seams: exact, canonical, told apart by kind, and typed as inputs of procedures."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from engine.book.domains import parse_domain
from engine.dice import Pool, parse_pool
from engine.errors import CallError, DomainError, Unspecified
from engine.values import build, canonical, differences, same, show


@dataclass(frozen=True)
class Fighter:
    name: str
    hp: int | Fraction
    level: int = 1
    dice: Pool | None = None


@dataclass(frozen=True)
class Party:
    members: tuple[Fighter, ...]


DOMAINS = {"level": parse_domain("level", "1..20"), "hp": parse_domain("hp", "0..100 by 1/2")}


def test_fractions_become_text_and_whole_ones_become_ints():
    assert canonical([Fraction(75, 2), Fraction(4, 2), True]) == ["75/2", 2, True]


def test_a_float_passes_no_seam():
    with pytest.raises(CallError, match="float is no value"):
        canonical({"chance": 0.5})


def test_true_is_not_one():
    assert not same([True], [1])
    assert not same((1,), (True,))
    assert same(Fraction(4, 2), 2)


def test_only_the_expected_fields_of_an_object_are_compared():
    assert differences({"hit": True}, {"hit": True, "damage": 4}) == []
    assert differences({"hit": True}, {"damage": 4}) == ["hit: expected true, but there is no such field"]
    assert differences({"hp": [1, 2]}, {"hp": [1, 3]}) == ["hp[1]: expected 2, got 3"]


def test_the_word_unspecified_stands_for_any_unspecified_outcome():
    assert differences("unspecified", canonical(Unspecified("WA-Q01", "no word of it"))) == []
    assert differences("unspecified", "unspecified elsewhere") != []


def test_values_are_shown_for_people():
    assert show({"hit": True, "left": Fraction(75, 2), "who": [None]}) == "{hit: true, left: 75/2, who: [none]}"


def test_a_party_is_built_from_plain_data():
    party = build(Party, {"members": [{"name": "Hộ", "hp": "75/2", "dice": "2d4"}]}, DOMAINS, "party")
    assert party == Party((Fighter("Hộ", Fraction(75, 2), 1, parse_pool("2d4")),))


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ({"members": [{"name": "A"}]}, CallError, r"party.members\[0\] lacks hp"),
        ({"members": [{"name": "A", "hp": 1, "mp": 2}]}, CallError, r"party.members\[0\] has no field mp"),
        ({"members": [{"name": "A", "hp": 1, "level": 21}]}, DomainError, r"party.members\[0\].level: level = 21 lies"),
        ({"members": [{"name": "A", "hp": "1/3"}]}, DomainError, r"party.members\[0\].hp: hp = 1/3 lies"),
        ({"members": [{"name": 4, "hp": 1}]}, CallError, r"party.members\[0\].name = 4; it takes a word"),
        ({"members": [{"name": "A", "hp": 1, "level": True}]}, CallError, "level = true; it takes a whole number"),
        ({"members": "A"}, CallError, "party.members is no list"),
        ([], CallError, "party is no Party"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_path(data, error, message):
    with pytest.raises(error, match=message):
        build(Party, data, DOMAINS, "party")


@pytest.mark.parametrize("text", ["1e99999999", "1e-31", "9" * 61, "1/0", "nine"])
def test_text_is_a_number_only_within_bounds(text):
    with pytest.raises(CallError, match="it takes a number"):
        build(Fighter, {"name": "Hộ", "hp": text}, DOMAINS, "fighter")
