"""A broken book is one line: file, line, what is wrong, what would be right."""

import os
import re

import pytest

from engine.book.load import find_books, load_book
from engine.errors import BookError, FormulaError, InputError
from engine.readings import Engine
from tests.engine.book.small import CLAUSE, PROPERTY, QUESTION, load
from tests.scratch import write_book


def test_a_book_is_read_whole(tmp_path):
    book = load(tmp_path, questions=QUESTION, properties=PROPERTY)
    clause = book.clauses["TT-1.1"]
    assert (clause.title, clause.prose, clause.sources) == ("Double", "Twice the number.", (1,))
    assert clause.cases[0].label == "n=1"
    assert book.questions["TT-Q01"].name == "Q01"
    assert list(book.properties["TT-P1"].domains) == ["n"]
    assert book.claims() == {1: ["TT-1.1", "TT-Q01"]}


def test_a_chapter_says_first_what_it_is_about(tmp_path):
    book = load(tmp_path, "\nOf numbers,\nand *twice* them.\n\n## Doubling\n\nNot this.\n" + CLAUSE)
    assert book.leads == {"01-rules": "Of numbers,\nand *twice* them."}


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (("### TT-1.1 Double", "### Double"), r'01-rules.md:3: the heading "Double" has no id; write it like'),
        (("### TT-1.1 Double", "### WA-1.1 Double"), r'01-rules.md:3: the id "WA-1.1"; write it like TT-5.4'),
        (("### TT-1.1 Double", "### TT-Q01 Double"), r'01-rules.md:3: the id "TT-Q01"; write it like TT-5.4'),
        (("Twice the number.", ""), "01-rules.md:3: TT-1.1 says nothing"),
        (("source: [1]\n", ""), "01-rules.md:8: TT-1.1 names no source"),
        (("source: [1]", "source: [7]"), "01-rules.md:3: TT-1.1 cites passage 7, which the source has not"),
        (("source: [1]", "sauce: [1]"), '01-rules.md:8: TT-1.1: unknown key "sauce"'),
        (("define: double(n) = 2 * n", "define: double(n) = 2 * m"), '01-rules.md:3: double: "m" names nothing here'),
        (("define: double(n) = 2 * n", "define: double(m) = 2 * m"), "01-rules.md:9: TT-1.1: m has no domain"),
        (("define: double(n) = 2 * n", "define: double(n) = 2 *"), '01-rules.md:9: TT-1.1: "2 \\*" is no formula'),
        (("define: double(n) = 2 * n", "define: double(n) = n.real"), r"01-rules.md:9: TT-1.1: .*lacks \(Attribute\)"),
        (("define: double(n) = 2 * n", "define: n(n) = 2"), "01-rules.md:3: TT-1.1 defines n, which is an input"),
        (("define: double(n) = 2 * n\n", ""), "01-rules.md:8: TT-1.1 has 0 of define"),
        (("cases:\n  - {n: 1, is: 2}\n", ""), "01-rules.md:3: TT-1.1 has no case"),
        (("{n: 1, is: 2}", "{n: 1}"), "01-rules.md:11: TT-1.1: a case without `is`"),
        (("{n: 1, is: 2}", "{n: 1, is: 2, example: 9}"), "01-rules.md:11: TT-1.1 cites passage 9"),
        (("{n: 1, is: 2}", "{n: 1, is: 2}\n  - {n: 1, is: 2}"), '01-rules.md:12: TT-1.1: two cases "n=1"'),
        (("{n: 1, is: 2}", "{n: 1, is: 2, under: {Q09: up}}"), "01-rules.md:11: TT-1.1: there is no question Q09"),
        (("```\n", ""), "01-rules.md:7: a fenced block that never closes"),
        (("```yaml", "```text"), "01-rules.md:3: TT-1.1 has 0 yaml blocks"),
        (("# Rules", "# Rules"), None),
    ],
)
def test_a_broken_clause_is_named_with_its_line(tmp_path, broken, message):
    old, new = broken
    assert old in "# Rules" + CLAUSE
    chapter = CLAUSE.rstrip("\n") + "\n"
    if message is None:
        load(tmp_path, chapter)
        return
    broken_chapter = chapter.replace(old, new) if old != "```\n" else chapter[: chapter.rindex("```\n")]
    with pytest.raises(InputError, match=message):
        Engine(load(tmp_path, broken_chapter))


def test_a_block_under_no_id_is_refused(tmp_path):
    chapter = "## Doubles\n\n```yaml\nsource: [1]\n```\n" + CLAUSE
    with pytest.raises(BookError, match="01-rules.md:5: a yaml block that stands under no id"):
        load(tmp_path, chapter)


def test_an_id_used_twice_or_again_is_refused(tmp_path):
    again = CLAUSE.replace("double", "twofold")
    with pytest.raises(BookError, match="TT-1.1 is used twice; first at .*01-rules.md:3"):
        load(tmp_path, CLAUSE + again)
    (tmp_path / "b").mkdir()
    folder = write_book(tmp_path / "b", CLAUSE, domains={"n": "0..9"})
    settings = folder / "book.toml"
    settings.write_text('retired = ["TT-1.1"]\n' + settings.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(BookError, match="01-rules.md:3: TT-1.1 was retired; ids are never reused"):
        load_book(folder)


def test_a_name_defined_twice_is_refused(tmp_path):
    with pytest.raises(BookError, match="TT-1.2 defines double again; TT-1.1 defines it already"):
        load(tmp_path, CLAUSE + CLAUSE.replace("TT-1.1", "TT-1.2"))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (("  - {id: half-down, says: down, gives: 1}\n", ""), "questions.md:7: TT-Q01 has one reading"),
        (("gives: 1", "gives: 2"), 'questions.md:3: TT-Q01: no witness tells "half-up" from "half-down"'),
        ((", gives: 1", ""), "questions.md:8: TT-Q01: a reading without its value"),
        (("id: half-down", "id: half-up"), 'questions.md:11: TT-Q01: reading "half-up"'),
        (("ask: double\n", ""), "questions.md:3: TT-Q01 has no witness"),
    ],
)
def test_a_broken_question_is_named_with_its_line(tmp_path, broken, message):
    assert broken[0] in QUESTION
    with pytest.raises(BookError, match=re.sub(r"questions.md:\d+", r"questions.md:\\d+", message)):
        load(tmp_path, questions=QUESTION.replace(*broken))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (("by: enumeration", "by: luck"), 'TT-P1: by "luck"; one of proof'),
        (("by: enumeration", "by: enumeration\nfor: {m: 1..2}"), "TT-P1: the claim has no m"),
        (("by: enumeration", "by: enumeration\nunder: {Q01: half-up}"), "TT-P1: there is no question Q01"),
    ],
)
def test_a_broken_property_is_named(tmp_path, broken, message):
    with pytest.raises(BookError, match=message):
        load(tmp_path, properties=PROPERTY.replace(*broken))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xef\xbb\xbf# Rules\n", "01-rules.md:1: begins with a byte order mark"),
        (b"# Rules\r\n", "01-rules.md:1: has CR line endings"),
        (b"# Rules\n\n\xff\n", "01-rules.md:3: is not UTF-8"),
    ],
)
def test_bytes_that_are_no_plain_text_are_named_for_what_they_are(tmp_path, content, message):
    folder = write_book(tmp_path, CLAUSE, domains={"n": "0..9"})
    (folder / "01-rules.md").write_bytes(content)
    with pytest.raises(BookError, match=message):
        load_book(folder)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("book.toml", "system = \n", "book.toml:1: broken TOML"),
        ("book.toml", 'system = "test_system"\n', "book.toml:1: `prefix` is missing"),
        ("passages.toml", "[passages]\n1 = {sha256 = 'ab'}\n", "passages.toml:2: passage 1 has no SHA-256"),
        (
            "rulings.toml",
            '[rulings."TT-Q01"]\nreading = "half-up"\n',
            "rulings.toml:1: an entry without who, when and why",
        ),
        (
            "rulings.toml",
            '[rulings."TT-Q02"]\nreading = "a"\nby = "x"\non = 2026-01-01\nwhy = "y"\n',
            "rulings.toml:1: ruling: there is no question TT-Q02",
        ),
        ("profiles.toml", '[profiles.a]\nQ01 = "sideways"\n', 'profile a: Q01 has no reading "sideways"'),
    ],
)
def test_a_broken_register_is_named_with_its_line(tmp_path, name, text, message):
    folder = write_book(tmp_path, CLAUSE, questions=QUESTION, domains={"n": "0..9"}, files={name: text})
    with pytest.raises(BookError, match=message):
        load_book(folder)


def test_a_keyword_cannot_be_an_input(tmp_path):
    with pytest.raises(BookError, match='"class" cannot be the name of an input'):
        load(tmp_path, domains={"n": "0..9", "class": "0..1"})


def test_a_missing_folder_is_one_line(tmp_path):
    with pytest.raises(BookError, match="there is no such folder"):
        find_books(tmp_path / "nowhere")
    with pytest.raises(BookError, match="book.toml:1: cannot be read"):
        load_book(tmp_path / "nowhere")


def test_a_lookup_table_is_the_markdown_table_of_its_clause(tmp_path):
    chapter = (
        CLAUSE
        + """
### TT-1.2 Bases

By kind.

| kind | FOR | VEL |
|------|-----|-----|
| orc  | 1.5 | 8   |
| elf  | 2   | 75/2 |

```yaml
source: [1]
table: base(kind, column)
cases:
  - {kind: orc, column: FOR, is: 3/2}
  - {kind: elf, column: VEL, is: 37.5}
```
"""
    )
    book = load(tmp_path, chapter, domains={"n": "0..9", "kind": ["orc", "elf"], "column": ["FOR", "VEL"]})
    assert str(Engine(book).value("base", kind="orc", column="FOR")) == "3/2"
    assert str(Engine(book).value("base", kind="elf", column="VEL")) == "75/2"


def test_a_lookup_table_may_hold_dice(tmp_path):
    chapter = (
        CLAUSE
        + """
### TT-1.2 Hit dice

| kind | dice |
|------|------|
| orc  | 2d4  |
| elf  | 1d6  |

```yaml
source: [1]
table: hit_dice(kind)
cases:
  - {kind: orc, is: 2d4}
```
"""
    )
    book = load(tmp_path, chapter, domains={"n": "0..9", "kind": ["orc", "elf"]})
    assert Engine(book).value("hit_dice", kind="orc").highest == 8


def test_a_formula_that_names_nothing_is_refused_when_linked(tmp_path):
    with pytest.raises((BookError, FormulaError), match='"triple" names nothing'):
        Engine(load(tmp_path, CLAUSE.replace("2 * n", "triple(n)")))


def test_a_literal_table_names_the_questions_that_own_its_holes(tmp_path):
    table = """
### TT-1.1 Literal

As printed, with a hole at 5.

```yaml
source: [1]
decide: double(n)
rows: [{when: n < 5, is: 1}, {when: n > 5, is: 2}]
holes: [TT-Q01]
cases:
  - {n: 1, is: 1}
```
"""
    book = load(tmp_path, table, questions=QUESTION)
    assert book.clauses["TT-1.1"].body.holes == ("TT-Q01",)
    (tmp_path / "bare").mkdir()
    with pytest.raises(BookError, match=r"01-rules\.md:3: TT-1\.1: holes TT-Q01, which is no question"):
        load(tmp_path / "bare", table)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("passages.toml", "passages = [1]\n", "passages.toml:1: `passages` is no table"),
        ("passages.toml", "[passages]\n1 = {sha256 = 3}\n", "passages.toml:2: passage 1"),
        ("passages.toml", '[passages]\n1 = {sha256 = "a", informative = 3}\n', "passages.toml:2: passage 1"),
        ("passages.toml", '[passages]\n"²" = {sha256 = "a"}\n', "passages.toml:.: passage ²"),
        ("passages.toml", f"[passages]\n{'9' * 5000} = {{}}\n", "passages.toml:2: passage 999"),
        ("passages.toml", "[passages]\n[more]\n", 'passages.toml:2: unknown key "more"; this file holds .passages.'),
        ("approved.toml", "approved = 3\n", "approved.toml:1: `approved` is no table"),
        ("rulings.toml", '\n[ruling."TT-Q01"]\n', 'rulings.toml:2: unknown key "ruling"; this file holds .rulings.'),
        (
            "rulings.toml",
            '[rulings."TT-Q01"]\nreading = "half-up"\nby = " "\non = 2026-01-31\nwhy = "so"\n',
            "rulings.toml:1: an entry without who",
        ),
        ("profiles.toml", '\n[profile.a]\nQ01 = "half-up"\n', 'profiles.toml:2: unknown key "profile"'),
        ("decisions.toml", "\n[[decision]]\n", 'decisions.toml:2: unknown key "decision"'),
        ("2-new.md", "# New\n", "2-new.md:1: a page that is no chapter"),
        ("02-new.md", "# New\n\nBold\x1b[1m\n", "02-new.md:3: holds the control character 0x1b; remove it"),
        ("02-new.md", "# New\n\0\n", "02-new.md:2: holds the control character 0x00; remove it"),
    ],
)
def test_a_register_of_another_shape_is_named_with_its_line(tmp_path, name, text, message):
    folder = write_book(tmp_path, CLAUSE, questions=QUESTION, domains={"n": "0..9"}, files={name: text})
    with pytest.raises(BookError, match=message):
        load_book(folder)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("retired = 3", "book.toml:1: `retired` is no list of ids"),
        ("retired = [[1]]", "book.toml:1: `retired` is no list of ids"),
        ('retired = "TT-9.1"', "book.toml:1: `retired` is no list of ids"),
        ('retired = ["bogus"]', "book.toml:1: `retired` is no list of ids"),
    ],
)
def test_retired_ids_are_ids(tmp_path, line, message):
    folder = write_book(tmp_path, CLAUSE, domains={"n": "0..9"})
    settings = folder / "book.toml"
    settings.write_text(f"{line}\n{settings.read_text()}")
    with pytest.raises(BookError, match=message):
        load_book(folder)


HOSTILE = [
    ("01-rules.md", "Double\n", "Double\x9b2J\n", "01-rules.md:3: holds the control character 0x9b; remove it"),
    ("01-rules.md", "is: 2}", 'is: 2, work: "1\\e[2J"}', "01-rules.md:11: holds the control character 0x1b"),
    ("01-rules.md", "is: 2}", 'is: 2, work: "1\\x07"}', "01-rules.md:11: holds the control character 0x07"),
    ("01-rules.md", "is: 2}", 'is: 2, "a\\u009bb": 1}', "01-rules.md:11: holds the control character 0x9b"),
    ("01-rules.md", "is: 2}", 'is: 2, work: "a\\r"}', "01-rules.md:11: holds the control character 0x0d"),
    ("01-rules.md", "is: 2}", 'is: 2, work: "a\\0b"}', "01-rules.md:11: holds the control character 0x00"),
    ("questions.md", "says: up", 'says: "\\u202eup"', "questions.md:10: holds the control character 0x202e"),
    ("questions.md", "says: up", "says: up\u2066", "questions.md:10: holds the control character 0x2066"),
    ("questions.md", "says: up", 'says: "\\N"', "questions.md:10: holds the control character 0x85"),
    ("properties.md", "double(n) >= 0", '"double(n) \\f>= 0"', "properties.md:8: holds the control character 0x0c"),
    ("book.toml", '"Test"', '"Te\\u001b[31mst"', "book.toml:3: holds the control character 0x1b; remove it"),
    ("book.toml", '"Test"', '"Te\\bst"', "book.toml:3: holds the control character 0x08; remove it"),
    ("book.toml", 'n = "0..9"', '"n\\u007f" = "0..9"', "book.toml:6: holds the control character 0x7f; remove it"),
    ("passages.toml", '"}', '", informative = "\\u009b2J"}', "passages.toml:2: holds the control character 0x9b"),
    ("profiles.toml", "half-up", "half-up\\U0000001b", "profiles.toml:2: holds the control character 0x1b; remove it"),
]


@pytest.mark.parametrize(("file", "old", "new", "message"), HOSTILE)
def test_no_text_of_a_book_commands_a_terminal_or_a_page(tmp_path, file, old, new, message):
    profiles = {"profiles.toml": '[profiles.plain]\nQ01 = "half-up"\n'}
    folder = write_book(
        tmp_path, CLAUSE, questions=QUESTION, properties=PROPERTY, domains={"n": "0..9"}, files=profiles
    )
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BookError, match=re.escape(message)):
        load_book(folder)


def test_a_line_feed_a_tab_and_an_escaped_backslash_are_text(tmp_path):
    chapter = CLAUSE.replace("is: 2}", r'is: 2, work: "1\n\t2 \\e"}')
    folder = write_book(tmp_path, chapter, domains={"n": "0..9"})
    settings = folder / "book.toml"
    settings.write_text(settings.read_text().replace('"Test"', r'"a\tb \\beta \u00e9"'))
    book = load_book(folder)
    assert book.clauses["TT-1.1"].cases[0].work == "1\n\t2 \\e"
    assert book.title == "a\tb \\beta é"


@pytest.mark.parametrize("source", ["../../etc/passwd", "/etc/passwd", "..", "a\\u2028b", "a\\\\b"])
def test_a_source_is_the_bare_name_of_a_file(tmp_path, source):
    folder = write_book(tmp_path, CLAUSE, domains={"n": "0..9"})
    settings = folder / "book.toml"
    settings.write_text(settings.read_text().replace("source.txt", source))
    with pytest.raises(BookError, match=r'book.toml:4: source ".*; the bare name of a file'):
        load_book(folder)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{id: half-up, says: up", "{id: half-up, says: ", "questions.md:10: TT-Q01: `says` is empty or no text"),
        ("{id: half-up, says: up", "{id: half-up, says: {a: b}", "questions.md:10: TT-Q01: `says` is empty"),
        ("{id: half-up", "{id: ''", 'questions.md:10: TT-Q01: reading ""; short ids of ASCII'),
        ("{id: half-up", "{id: <b>", 'questions.md:10: TT-Q01: reading "<b>"; short ids of ASCII'),
        ("{id: half-up", '{id: "a\\e[31m"', "questions.md:10: holds the control character 0x1b"),
        ("given: {n: 1}", "given: {n: 1}\nrolls: 5", "questions.md:8: TT-Q01: rolls: 5; a list of whole numbers"),
        (
            "given: {n: 1}",
            "given: {n: 1}\nwitnesses: [{ask: double, given: {n: 1}}]",
            "questions.md:12: TT-Q01 has `witnesses` and `ask`",
        ),
        (
            "ask: double\ngiven: {n: 1}",
            "witnesses: [{ask: double, givne: {n: 1}, gives: {half-up: 1, half-down: 2}}]",
            'questions.md:12: TT-Q01: unknown key "givne"',
        ),
    ],
)
def test_a_question_of_another_shape_is_refused(tmp_path, old, new, message):
    with pytest.raises(BookError, match=message):
        load(tmp_path, questions=QUESTION.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("is: 2}", "is: 2, rolls: 5}", "01-rules.md:11: TT-1.1: rolls: 5; a list of whole numbers"),
        ("is: 2}", "is: 2, rolls: [x]}", r"01-rules.md:11: TT-1.1: rolls: \[x\]; a list of whole numbers"),
        ("is: 2}", "is: 2, boundary: }", "01-rules.md:11: TT-1.1: `boundary` is empty or no text"),
        ("is: 2}", "is: 2, work: [a]}", "01-rules.md:11: TT-1.1: `work` is empty or no text"),
        ("TT-1.1", "TT-1." + "1" * 500, "01-rules.md:3: the id .TT-1.11"),
    ],
)
def test_a_case_of_another_shape_is_refused(tmp_path, old, new, message):
    with pytest.raises(BookError, match=message):
        load(tmp_path, CLAUSE.replace(old, new))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("split: {n: 5}", "properties.md:10: TT-P1: split, but by enumeration"),
        ("by: proof\nsplit: {m: 5}", "properties.md:10: TT-P1: the claim has no m; drop it from `split`"),
        ("by: proof\nsplit: {n: 0}", "properties.md:10: TT-P1: split n: 0"),
    ],
)
def test_a_split_helps_the_proof_of_a_claim_about_its_name(tmp_path, more, message):
    by = "" if "by:" in more else "by: enumeration\n"
    with pytest.raises(BookError, match=message):
        load(tmp_path, properties=PROPERTY.replace("by: enumeration\n", f"{by}{more}\n"))


@pytest.mark.parametrize("name", ["01-rules.md", "questions.md", "passages.toml", "book.toml"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_plain_file_is_refused_and_never_waited_for(tmp_path, name, kind):
    folder = write_book(tmp_path, CLAUSE, domains={"n": "0..9"})
    (folder / name).unlink()
    if kind == "pipe":
        os.mkfifo(folder / name)
    elif kind == "device":
        (folder / name).symlink_to("/dev/zero")
    else:
        (folder / name).mkdir()
    with pytest.raises(BookError, match=f"{name}:1: cannot be read"):
        load_book(folder)
