"""Exact win rates of candidates, and the search that finds them."""

import dataclasses
from fractions import Fraction

import pytest

from conformance.proposed.fights import Scores, aims, within
from conformance.proposed.stack import open_stack
from conformance.proposed.tuning import parameter, search
from engine.book.load import load_book
from engine.book.model import Band
from engine.book.proposals import proposal_of
from engine.errors import BookError, CallError
from tests.conformance.proposed.conftest import SPEC


@pytest.fixture(scope="module")
def book():
    return load_book(SPEC / "tu_chan_gioi")


def wins(scores, build, gap):
    sweep = scores.kits.sweep("published")
    (cell,) = [cell for cell in sweep.cells() if (cell["player"], cell["gap"]) == (build, gap)]
    return scores.of(sweep, cell).win


@pytest.mark.parametrize("name", ["candidate-c4-bodies", "candidate-c4-pills"])
def test_a_candidate_meets_both_bands_and_ruins_the_strong_build_one_realm_up(book, name):
    stack = open_stack(book, [name])
    assert [aim.met for aim in aims(stack)] == [True, True]
    before, after = Scores(stack.before), Scores(stack.after)
    assert not 35 <= wins(before, "weak", 0) <= 45
    assert 35 <= wins(after, "weak", 0) <= 45
    assert 60 <= wins(after, "strong", 0) <= 75
    assert 29 < wins(before, "strong", 1) < 31  # about 30 %
    assert 1 < wins(after, "strong", 1) < 3  # about 2 %


def test_the_register_entry_of_c4_says_that_the_rules_miss_its_bands(book):
    found = aims(open_stack(book, ["C4"]))
    assert [aim.met for aim in found] == [False, False]
    assert found[0].missed[0].startswith("win 25.")


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"build": "meek"}, "a target for player = meek; fights.toml has weak, mid"),
        ({"moon": 1}, "a target for moon; inputs of published: player, gap"),
    ],
)
def test_a_target_that_names_no_cell_is_told_with_its_line(book, inputs, message):
    c4 = proposal_of(book, "C4")
    bad = dataclasses.replace(c4.targets[0], inputs=inputs)
    proposals = {**book.proposals, "C4": dataclasses.replace(c4, targets=(bad,))}
    with pytest.raises(BookError, match=message) as caught:
        aims(open_stack(dataclasses.replace(book, proposals=proposals), ["C4"]))
    assert caught.value.place == c4.targets[0].place


def test_a_band_holds_its_ends_and_nothing_beyond_the_bound():
    band = Band(Fraction(35), Fraction(45))
    assert within(band, 35.0, 0.0)
    assert within(band, 45.0, 0.0)
    assert not within(band, 45.001, 1e-9)
    assert not within(band, 34.999, 1e-9)


def test_the_search_finds_the_known_pair_and_the_smallest_first(book):
    texts = ["weak.the_chat=0..1", "strong.the_phach=0..3", "strong.cong_phap=0..1"]
    done = search(
        book, [parameter(book, text) for text in texts], book.proposals["C4"].targets, tell=lambda _done, _of: None
    )
    assert (done.tried, done.combinations, done.exhausted) == (16, 16, True)
    moves = [{name: new for name, (_, new) in move.moves.items()} for move in done.found]
    assert {"weak.the_chat": 1, "strong.the_phach": 1, "strong.cong_phap": 0} in moves
    assert [(len(move.moves), move.steps) for move in done.found] == sorted(
        (len(move.moves), move.steps) for move in done.found
    )
    # No change of a single thing meets both bands.
    assert all(len(move) > 1 for move in moves)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weak.pils=0,2", "weak has no pils; it has the_phach"),
        ("meek.pills=0,2", "fights.toml has no entry meek"),
        ("hp=1,2", "TU-4.5 is no constant; name one, or a field like weak.pills"),
        ("weak.pills", "write it like strong.the_phach=0..3"),
    ],
)
def test_what_cannot_move_is_refused(book, text, message):
    with pytest.raises(CallError, match=message):
        parameter(book, text)
