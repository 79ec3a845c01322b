"""What approvals bind: a digest changes with what a part says, and with nothing else."""

import datetime as dt
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.book.bound import bound_parts, texts_in
from engine.book.digests import part_digest, text_digest
from engine.book.load import load_book
from engine.book.record import record_approvals, sign, unapproved
from engine.book.registers import read_toml
from engine.errors import BookError, CallError
from tests.scratch import write_book

CLAUSE = """### TT-1.1 Twice

Twice the level.

```yaml
source: [1]
define: twice(level) = 2 * level if Q01 == "up" else level
cases:
  - {level: 1, is: 2, work: "2 × 1"}
  - {level: 1/2, is: 1}
```
"""
QUESTION = """### TT-Q01 Which way?

It is not said.

```yaml
source: [1]
readings:
  - {id: up, says: upwards, gives: 2}
  - {id: down, says: downwards, gives: 1}
ask: twice
given: {level: 1}
```
"""
PROPERTY = """### TT-P1 Never negative

Nobody is below nothing.

```yaml
claim: twice(level) >= 0
by: enumeration
```
"""
BOOK = """# a book
system = "test_system"
prefix = "TT"
title  = "Test"
source = "source.txt"
retired = ["TT-1.9"]

[domains]
level = {is = "0..4 by 1/2", label = "Level"}   # of a lamp
kind  = ["small", "large"]
pool  = "dice d6 d4"
lit   = "bool"

[records.lamp]
oil   = "formula"
size  = ["small", "large"]
"""
FILES = {
    "book.toml": BOOK,
    "profiles.toml": '[profiles.plain]\nQ01 = "up"\n',
    "fights.toml": '[fighters.weak]\nbody = 1\npills = 2\n\n[sweeps.all]\nplayer = ["weak"]\ngap = [0, 1]\n',
}
IDS = [
    "TT-1.1", "TT-Q01", "TT-P1", "TT-input-level", "TT-input-kind", "TT-input-pool", "TT-input-lit", "TT-record-lamp",
    "TT-profile-plain", "TT-fighter-weak", "TT-sweep-all", "TT-passages", "TT-1.9",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    return write_book(tmp_path, CLAUSE, questions=QUESTION, properties=PROPERTY, files=FILES)


def digests(folder):
    return {id_: part.digest for id_, part in bound_parts(load_book(folder)).items()}


def edit(folder, file, old, new):
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_every_part_is_bound_under_an_id_and_stands_where_it_says(folder):
    parts = bound_parts(load_book(folder))
    assert list(parts) == IDS
    places = {id_: f"{part.place.file.name}:{part.place.line}" for id_, part in parts.items()}
    assert places["TT-input-kind"] == "book.toml:10"
    assert places["TT-record-lamp"] == "book.toml:14"
    assert places["TT-profile-plain"] == "profiles.toml:1"
    assert places["TT-sweep-all"] == "fights.toml:5"
    assert places["TT-1.9"] == "book.toml:6"
    assert parts["TT-input-level"].text == "level: 0..4 by 1/2\nlabel: Level"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (
            "01-rules.md",
            '  - {level: 1, is: 2, work: "2 × 1"}',
            "  - is: 2    # by hand\n    work: 2 × 1\n    level: 1",
        ),
        ("01-rules.md", "source: [1]\n", "source:\n  - 1\n"),
        ("01-rules.md", "level: 1/2, is: 1", "is: 1.0, level: 2/4"),
        ("01-rules.md", "Twice the level.\n", "Twice the level.  \n"),
        ("questions.md", "says: upwards, gives: 2", 'gives: 2, says: "upwards"'),
        (
            "properties.md",
            "claim: twice(level) >= 0\nby: enumeration",
            "by: enumeration # all\nclaim: 'twice(level) >= 0'",
        ),
        ("book.toml", "   # of a lamp", ""),
        ("book.toml", '{is = "0..4 by 1/2", label = "Level"}', '{ label = "Level", is = "0 .. 4  by 2/4" }'),
        ("book.toml", '["small", "large"]\npool', '{is = [\n  "small",\n  "large",\n]}\npool'),
        ("book.toml", '"dice d6 d4"', '"dice d4 d6 up to 4"'),
        (
            "book.toml",
            'kind  = ["small", "large"]\npool  = "dice d6 d4"',
            'pool = "dice d6 d4"\nkind = ["small", "large"]',
        ),
        ("book.toml", 'oil   = "formula"\nsize  = ["small", "large"]', 'size = ["small", "large"]\noil = "formula"'),
        ("book.toml", 'title  = "Test"', 'title = "Another title"'),
        ("profiles.toml", "[profiles.plain]", "# mine\n[profiles.plain]"),
        ("fights.toml", "body = 1\npills = 2", "pills = 2\nbody = 1  # small"),
        ("fights.toml", "gap = [0, 1]", "gap = [\n  0,\n  1,\n]"),
    ],
)
def test_layout_comments_and_idle_order_change_no_digest(folder, file, old, new):
    before = digests(folder)
    edit(folder, file, old, new)
    assert digests(folder) == before


@pytest.mark.parametrize(
    ("file", "old", "new", "changed"),
    [
        ("01-rules.md", "Twice the level.", "Double the level.", "TT-1.1"),
        ("01-rules.md", "### TT-1.1 Twice", "### TT-1.1 Double", "TT-1.1"),
        ("01-rules.md", "= 2 * level if", "= level + level if", "TT-1.1"),
        ("01-rules.md", "  - {level: 1/2, is: 1}\n", "", "TT-1.1"),
        ("01-rules.md", "is: 2, work", 'is: "2", work', "TT-1.1"),
        ("questions.md", "says: upwards", "says: upward", "TT-Q01"),
        ("questions.md", "id: down", "id: below", "TT-Q01"),
        ("questions.md", "gives: 1}", "gives: 3}", "TT-Q01"),
        ("properties.md", ">= 0", ">= -1", "TT-P1"),
        ("properties.md", "by: enumeration", "by: sampling", "TT-P1"),
        ("properties.md", "claim:", "under: plain\nclaim:", "TT-P1"),
        ("book.toml", "0..4 by 1/2", "0..5 by 1/2", "TT-input-level"),
        ("book.toml", "0..4 by 1/2", "0..4 by 1/4", "TT-input-level"),
        ("book.toml", 'label = "Level"', 'label = "Rank"', "TT-input-level"),
        ("book.toml", 'label = "Level"', 'why = "Level"', "TT-input-level"),
        ("book.toml", '["small", "large"]\npool', '["large", "small"]\npool', "TT-input-kind"),
        ("book.toml", '["small", "large"]\npool', '["small, large"]\npool', "TT-input-kind"),
        ("book.toml", '"dice d6 d4"', '"dice d6 d4 up to 5"', "TT-input-pool"),
        ("book.toml", '"bool"', '["bool"]', "TT-input-lit"),
        ("book.toml", 'oil   = "formula"', 'oil   = "text"', "TT-record-lamp"),
        ("book.toml", 'size  = ["small"', 'tall  = ["small"', "TT-record-lamp"),
        ("profiles.toml", '"up"', '"down"', "TT-profile-plain"),
        ("profiles.toml", 'Q01 = "up"\n', "", "TT-profile-plain"),
        ("fights.toml", "pills = 2", "pills = 3", "TT-fighter-weak"),
        ("fights.toml", "gap = [0, 1]", "gap = [1, 0]", "TT-sweep-all"),
        ("passages.toml", '"}', '", informative = "a heading"}', "TT-passages"),
    ],
)  # fmt: skip
def test_what_carries_meaning_changes_the_digest_of_its_part_alone(folder, file, old, new, changed):
    if changed == "TT-passages":
        edit(folder, "passages.toml", "[passages]\n", '[passages]\n7 = {sha256 = "' + "0" * 64 + '"}\n')
        before = digests(folder)
        edit(folder, "passages.toml", "0" * 64 + old, "0" * 64 + new)
    else:
        before = digests(folder)
        edit(folder, file, old, new)
    after = digests(folder)
    assert {id_ for id_ in before if after[id_] != before[id_]} == {changed}


def test_a_passage_that_rules_nothing_may_change_its_number_and_not_its_text(folder):
    entry = '{sha256 = "' + "0" * 64 + '", informative = "a heading"}\n'
    edit(folder, "passages.toml", "[passages]\n", f"[passages]\n7 = {entry}")
    before = digests(folder)["TT-passages"]
    edit(folder, "passages.toml", "7 =", "9 =")
    assert digests(folder)["TT-passages"] == before
    edit(folder, "passages.toml", "0" * 64, "1" * 64)
    assert digests(folder)["TT-passages"] != before


def test_a_line_that_rules_something_changes_with_what_it_says_and_with_its_place(folder):
    lines = [f'{number} = {{sha256 = "{digit * 64}"}}\n' for number, digit in ((7, "0"), (8, "1"))]
    edit(folder, "passages.toml", "[passages]\n", "[passages]\n" + "".join(lines))
    before = digests(folder)
    edit(folder, "passages.toml", "1" * 64, "2" * 64)
    changed = digests(folder)
    edit(folder, "passages.toml", "0" * 64, "1" * 64)
    edit(folder, "passages.toml", "2" * 64, "0" * 64)
    swapped = digests(folder)
    for after in (changed, swapped):
        assert {id_ for id_ in before if after[id_] != before[id_]} == {"TT-passages"}
    assert changed != swapped


WORDS = st.text("xyz", min_size=1, max_size=2)
TEXTS = st.text("ab:#'\" -{}[],\n", max_size=8)
SCALARS = st.one_of(st.integers(-99, 99), st.booleans(), st.none(), st.fractions(max_denominator=9), TEXTS)
DATA = st.dictionaries(
    st.text("abc", min_size=1, max_size=3),
    st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
        max_leaves=8,
    ),
    min_size=1,
    max_size=4,
)


def flow(value):
    """A value in YAML's flow style."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value)


def block(value, indent=""):
    """The same value in YAML's block style, its keys the other way round, with comments."""
    if isinstance(value, dict) and value:
        lines = [f"{indent}{key}:{nested(each, indent)}" for key, each in reversed(value.items())]
        return f"\n{indent}# so it is\n" + "\n".join(lines)
    if isinstance(value, list) and value:
        return "\n" + "\n".join(f"{indent}-{nested(each, indent)}" for each in value)
    return " " + flow(value) + "  # as it is"


def nested(value, indent):
    return block(value, indent + "  ")


def scalar(value):
    if isinstance(value, str):
        return json.dumps(value)
    return json.dumps(value) if value is None or isinstance(value, bool) else str(value)


def plain(value):
    """A value by which two are told apart: whole numbers are no truth values, and lists have an order."""
    if isinstance(value, dict):
        return ("map", tuple(sorted((key, plain(each)) for key, each in value.items())))
    if isinstance(value, list):
        return ("list", tuple(map(plain, value)))
    return (type(value).__name__ if isinstance(value, bool | str | None) else "number", str(value))


def part(text):
    return f"### TT-1.1 A rule\n\nIt rules.\n\n```yaml\n{text}\n```"


@given(DATA)
def test_the_style_of_a_block_counts_for_nothing(data):
    assert text_digest(part(flow(data))) == text_digest(part(block(data).strip("\n")))


@given(DATA, DATA)
def test_blocks_that_hold_other_data_have_other_digests(one, other):
    same = plain(one) == plain(other)
    assert (text_digest(part(flow(one))) == text_digest(part(flow(other)))) == same


@given(st.text("ab \n`#yml", max_size=30), st.text("ab \n`#yml", max_size=30))
def test_prose_counts_as_it_is_written(one, other):
    assert (text_digest(one) == text_digest(other)) == (one == other)


def test_what_a_file_declared_earlier_is_known_as_it_is_now(folder):
    parts = bound_parts(load_book(folder))
    for file in (*FILES, "passages.toml"):
        for id_, text in texts_in(file, read_toml(folder / file), "TT").items():
            assert text == parts[id_].text
    assert texts_in("book.toml", {"domains": {"level": "twelve"}}, "TT") == {}
    assert texts_in("profiles.toml", {"profiles": 3}, "TT") == {}


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("profiles.toml", '[profiles."a b"]\nQ01 = "up"\n', r'profiles.toml:1: "a b" cannot be the name of a profile'),
        ("fights.toml", "[a.one]\nx = 1\n[b.one]\nx = 2\n", r'fights.toml:3: two entries are called "one"; rename one'),
        (
            "approved.toml",
            '[approved]\n"TT-input-wick" = {digest = "x", by = "b", on = 2026-01-31, why = "w"}\n',
            r"approved.toml:2: approval of TT-input-wick, which is no part of the book; take the line out, or",
        ),
        (
            "approved.toml",
            '[approved]\n"TT-1.2" = {digest = "x", by = "b", on = 2026-01-31, why = "w"}\n',
            r"approved.toml:2: approval of TT-1.2, which is no part of the book; retire the id in book.toml, or",
        ),
    ],
)
def test_a_name_without_an_id_and_an_approval_of_nothing_are_refused(folder, file, text, message):
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(BookError, match=message):
        load_book(folder)


def test_all_of_them_are_approved_and_an_edit_takes_the_approval_of_one(folder):
    signed = sign("An", dt.date(2026, 1, 31), "read")
    assert list(unapproved(load_book(folder))) == IDS
    assert record_approvals(folder, IDS, signed) == tuple(IDS)
    assert unapproved(load_book(folder)) == {}
    assert record_approvals(folder, IDS, signed) == ()
    edit(folder, "properties.md", ">= 0", ">= 1")
    assert list(unapproved(load_book(folder))) == ["TT-P1"]
    with pytest.raises(CallError, match="TT-input-wick is no part of test_system"):
        record_approvals(folder, ["TT-input-wick"], signed)


def test_a_part_as_read_and_its_text_alone_have_one_digest(folder):
    edit(folder, "01-rules.md", "source: [1]\n", "source: [1]   \n")
    for part in load_book(folder).parts:
        assert part_digest(part) == text_digest(part.text)


def test_a_block_that_is_not_the_one_that_was_read_stays_as_it_is(folder):
    # For people it is text; whatever it is, no word of it goes unbound.
    before = digests(folder)["TT-1.1"]
    edit(folder, "01-rules.md", "Twice the level.", "<div>\n```yaml\na: 1\n```\n</div>\n\nTwice the level.")
    one = digests(folder)["TT-1.1"]
    edit(folder, "01-rules.md", "a: 1", "a: 2")
    assert len({before, one, digests(folder)["TT-1.1"]}) == 3
