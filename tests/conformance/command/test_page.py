"""Lines and tables: widths that are right, ids that stay whole."""

import io

import pytest
from rich.console import Console

from conformance.command.page import Page, counted
from engine.terminal import clean


def printed(write, width=None):
    stream = io.StringIO()
    terminal = width is not None
    console = Console(file=stream, width=width or 80, force_terminal=terminal, color_system=None)
    write(Page(console))
    return stream.getvalue().splitlines()


def test_columns_stand_below_one_another_with_vietnamese_and_wide_letters():
    lines = printed(lambda page: page.table([["cấp độ", "x"], ["a", "y"], ["中文", "z"], ["e\u0302\u0301", "w"]]))
    assert lines == ["cấp độ  x", "a       y", "中文    z", "e\u0302\u0301       w"]


def test_on_a_terminal_lines_break_between_words_and_hang():
    lines = printed(
        lambda page: page.line("WA-Q03 is open, WA-Q04 is ruled, WA-Q05 is open and WA-Q06 too", hang=2), 40
    )
    assert lines == ["WA-Q03 is open, WA-Q04 is ruled, WA-Q05", "  is open and WA-Q06 too"]


def test_a_last_column_wraps_below_itself():
    rows = [["level = 1", "the lowest level that the book names, and more"], ["knots", "few"]]
    lines = printed(lambda page: page.table(rows, indent=2), 44)
    assert lines == [
        "  level = 1  the lowest level that the book",
        "             names, and more",
        "  knots      few",
    ]


def test_styles_go_on_over_a_break():
    stream = io.StringIO()
    console = Console(file=stream, width=40, force_terminal=True, color_system="standard", highlight=False)
    Page(console).line("a" * 30, " ", ("b" * 8 + " " + "c" * 8, "bold"))
    assert stream.getvalue().splitlines() == [
        "a" * 30 + " \x1b[1m" + "b" * 8 + "\x1b[0m",
        "\x1b[1m" + "c" * 8 + "\x1b[0m",
    ]


def test_in_a_pipe_no_line_is_wrapped():
    text = "word " * 100
    assert printed(lambda page: page.line(text)) == [text.strip()]


def test_markup_and_styles_of_a_book_are_text():
    assert printed(lambda page: page.line("[red]a[/red] :smile: ", ("[b]", "bold"))) == ["[red]a[/red] :smile: [b]"]


def test_gaps_do_not_add_up():
    def write(page):
        page.gap()
        page.line("a")
        page.gap()
        page.gap()
        page.line("b")

    assert printed(write) == ["a", "", "b"]


def test_paragraphs_flow_and_lists_stay_lists():
    lines = printed(lambda page: page.prose("one\n**two**\n\n- a\n  goes on\n- b\n\n2 * 3 ** 4 ** 5", indent=2))
    assert lines == ["  one two", "", "  - a goes on", "  - b", "", "  2 * 3 ** 4 ** 5"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[1m", "a[U+001B][1m"),
        ("a\rb", "a[U+000D]b"),
        ("a\u202eb", "a[U+202E]b"),
        ("a\tb\n", "a\tb\n"),
        ("é", "é"),
    ],
)
def test_commands_to_a_terminal_are_shown(text, shown):
    assert clean(text) == shown


def test_counts_have_their_plural():
    counts = [counted(1, "clause"), counted(1204, "clause"), counted(0, "property", "properties")]
    assert counts == ["1 clause", "1,204 clauses", "0 properties"]
