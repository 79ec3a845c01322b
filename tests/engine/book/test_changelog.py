"""A line for each change of the rules."""

from engine.book.changelog import changelog_of, with_line


def test_the_line_joins_the_unreleased_changes_of_rules():
    text = "# Changes\n\n## Unreleased\n\n### Rules\n\n- One.\n\n### Fixed\n\n- A thing.\n\n## 1.0\n\n### Rules\n"
    assert with_line(text, "Two.") == text.replace("- One.\n", "- One.\n- Two.\n")


def test_sections_that_lack_are_made():
    assert with_line("# Changes\n", "One.") == "# Changes\n\n## Unreleased\n\n### Rules\n\n- One.\n"
    text = "# Changes\n\n## 1.0\n\n- Old.\n"
    assert with_line(text, "One.") == "# Changes\n\n## Unreleased\n\n### Rules\n\n- One.\n\n## 1.0\n\n- Old.\n"
    text = "# Changes\n\n## Unreleased\n\n## 1.0\n"
    assert with_line(text, "One.") == "# Changes\n\n## Unreleased\n\n### Rules\n\n- One.\n\n## 1.0\n"


def test_a_long_line_is_wrapped_and_hangs():
    made = with_line("# Changes\n", "word " * 40)
    lines = made.splitlines()[6:]
    assert len(lines) == 2
    assert all(len(line) <= 120 for line in lines)
    assert lines[1].startswith("  word")


def test_the_nearest_one_above_counts_and_none_beyond_the_repository(tmp_path):
    deep = tmp_path / "project" / "spec" / "book"
    deep.mkdir(parents=True)
    (tmp_path / "CHANGELOG.md").write_text("")
    assert changelog_of(deep) == tmp_path / "CHANGELOG.md"
    (tmp_path / "project" / ".git").mkdir()
    assert changelog_of(deep) is None
    (tmp_path / "project" / "CHANGELOG.md").write_text("")
    assert changelog_of(deep) == tmp_path / "project" / "CHANGELOG.md"
