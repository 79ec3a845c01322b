"""YAML blocks: exact numbers, no guesses, the line of every mistake."""

from fractions import Fraction
from pathlib import Path

import pytest

from engine.book.blocks import read_block
from engine.errors import BookError

FILE = Path("chapter.md")


def test_numbers_are_exact_and_words_stay_words():
    block = read_block("a: 1.2\nb: 75/2\nc: 4\nd: no\ne: OFF\nf: '4'\ng: 2026-01-02\nh: true\ni: 1e5\n", FILE, 1)
    assert block == {
        "a": Fraction(6, 5), "b": Fraction(75, 2), "c": 4, "d": "no", "e": "OFF", "f": "4",
        "g": "2026-01-02", "h": True, "i": "1e5",
    }  # fmt: skip


def test_keys_and_items_know_their_lines():
    block = read_block("source: [1]\ncases:\n  - {a: 1}\n  - {a: 2}\n", FILE, 10)
    assert block.places["cases"].line == 11
    assert [place.line for place in block["cases"].places] == [12, 13]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: 1\na: 2\n", 11, 'the key "a" stands twice'),
        ("a: &x 1\nb: *x\n", 10, "anchors, aliases and tags"),
        ("a: 1\nb: !!python/object:os.system x\n", 11, "anchors, aliases and tags"),
        ("a: 1\nb: [1, 2\n", 12, "broken YAML"),
        ("- 1\n", 10, "the block is no mapping"),
        ("a: 1/0\n", 10, "1/0 divides by zero"),
        ("? [a, b]\n: 1\n", 10, "a key that is no word"),
        ("a: " + "[" * 20 + "]" * 20 + "\n", 10, "nested too deep"),
    ],
)
def test_a_mistake_is_named_with_its_line(text, line, message):
    with pytest.raises(BookError, match=message) as caught:
        read_block(text, FILE, 10)
    assert caught.value.place is not None
    assert caught.value.place.line == line
