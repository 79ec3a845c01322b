"""`raw check`: one line a book, or one line a problem."""


def test_a_sound_book_is_counted(raw):
    said = raw("check")
    assert said.status == 0
    assert said.squeezed == "harbour 8 clauses 3 questions (3 open) 1 property 9 passages Cảng biển [red]"


def test_unclaimed_passages_and_rulings_are_counted(raw):
    raw("rule", "HB-Q01", "half-up", "--by", "Bo", "--why", "custom")
    raw.edit("passages.toml", ', informative = "a farewell"', "")
    assert "3 questions (2 open) 1 property 9 passages (1 unclaimed)" in raw("check").squeezed


def test_every_problem_of_every_part_has_its_line(raw):
    raw.edit("01-ropes.md", "define: rope(", "defin: rope(")
    raw.edit("01-ropes.md", "define: toll(level) = round(level / 2, Q01)", "define: toll(level) = round(level / 2")
    raw.edit("questions.md", "readings:\n  - {id: from", "readings:\n  - {id: half way")
    raw.edit("properties.md", "by: enumeration", "by: prayer")
    said = raw("check")
    assert (said.status, said.out) == (2, "")
    places = [line.partition(": ")[0] for line in said.err.splitlines()]
    assert places == [
        "spec/harbour/01-ropes.md:10",
        "spec/harbour/01-ropes.md:22",
        "spec/harbour/properties.md:9",
        "spec/harbour/questions.md:33",
    ]


def test_a_problem_of_the_whole_book_is_told(raw):
    raw.edit("01-ropes.md", "source: [7]", "source: [77]")
    said = raw("check")
    assert (said.status, said.err.count("\n")) == (2, 1)
    assert said.err.startswith("spec/harbour/01-ropes.md:58: HB-1.5 cites passage 77, which the source has not")


def test_a_broken_book_does_not_hide_the_others(raw):
    raw("new", "texts/harbour.txt", "--system", "other")
    (raw.folder / "spec" / "other" / "book.toml").write_text("system = ")
    said = raw("check")
    assert said.status == 2
    assert said.lines[0].startswith("harbour  8 clauses")
    assert said.err.startswith("spec/other/book.toml:1: broken TOML")
    assert raw("ask", "rope", "level=1", "knots=0").status == 0
    assert raw.bad("ask", "nothing").startswith("spec/other/book.toml:1: broken TOML")


def test_a_folder_without_books_says_what_to_do(raw):
    assert raw.bad("check", "--books", "texts") == (
        "texts:1: no rule book here; point --books at a folder of rule books, or make one with `raw new`"
    )
    assert raw.bad("check", "--books", "nowhere") == (
        "nowhere:1: there is no such folder; point --books at a folder of rule books"
    )


def test_a_single_book_may_be_named(raw):
    assert raw("check", "--books", "spec/harbour").squeezed.startswith("harbour 8 clauses")
    assert raw("--books", "spec/harbour", "check").squeezed.startswith("harbour 8 clauses")
