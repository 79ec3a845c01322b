"""`raw sweep`: tables, files, fits, and one line for whatever is wrong."""

import pytest

from conformance.command.library import PROJECT

BOOKS = ("--books", PROJECT / "spec")
SMALL = ("--vary", "gap=0", "--vary", "stage=1,2", "--workers", "1")


def test_a_table_says_what_is_fixed_and_what_came_of_each_cell(raw):
    said = raw("sweep", "tu_chan_gioi", *SMALL, *BOOKS)
    assert said.status == 0
    assert "foe mid" in said.lines[0]
    assert said.lines[2].split() == ["player", "stage", "win", "rounds", "band"]
    assert [line.split()[:2] for line in said.lines[3:7]] == [
        ["weak", "1"], ["weak", "2"], ["strong", "1"], ["strong", "2"],
    ]  # fmt: skip
    assert "Solved exactly" in said.lines[-1]


def test_files_are_written(raw):
    said = raw("sweep", "tu_chan_gioi", *SMALL, "--csv", "s.csv", "--plot", "s.svg", *BOOKS)
    assert said.status == 0
    assert (raw.folder / "s.csv").read_text(encoding="utf-8").startswith("player,stage,win,")
    assert (raw.folder / "s.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_fit_agrees_or_disagrees_by_its_exit_status(raw):
    good = raw("sweep", "tu_chan_gioi", "--fit", *BOOKS)
    assert good.status == 0
    assert good.lines[-1] == "12 of 12 printed figures lie within their sampling error."
    bad = raw("sweep", "tu_chan_gioi", "--fit", "--reading", "Q52=nobody", *BOOKS)
    assert bad.status == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["worlds_awakening"], "fights.toml:1: there is no such file"),
        (["tu_chan_gioi", "another"], 'no sweep "another"'),
        (["tu_chan_gioi", "--vary", "stage=99"], "outside its domain"),
        (["tu_chan_gioi", "--vary", "luck=1"], "nothing is called luck"),
        (["tu_chan_gioi", "--reading", "Q52"], "is no choice"),
        (["tu_chan_gioi", "--profile", "none"], 'no profile "none"'),
        (["tu_chan_gioi", "--workers", "0"], "0 workers"),
    ],
)
def test_what_is_wrong_is_one_line(raw, options, says):
    assert says in raw.bad("sweep", *options, *BOOKS)
