"""fights.toml: who fights and what is swept, with the line of whatever is wrong."""

import shutil
from pathlib import Path

import pytest

from engine.book.load import load_book
from engine.duel.kits import make_duel, maker_of, read_kits
from engine.errors import BookError, CallError, InputError
from engine.readings import Engine

BOOK = Path(__file__).parents[3] / "spec" / "tu_chan_gioi"
TEXT = (BOOK / "fights.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return shutil.copytree(BOOK, tmp_path_factory.mktemp("k") / "tu_chan_gioi")


@pytest.fixture(scope="module")
def engine(folder):
    return Engine(load_book(folder))


def kits_of(engine, folder, text):
    (folder / "fights.toml").write_text(text, encoding="utf-8")
    return read_kits(engine)


def test_cells_are_the_grid_in_the_order_of_the_file(engine, folder):
    sweep = kits_of(engine, folder, TEXT).sweep("published")
    assert sweep.swept == ("player", "gap")
    assert [(cell["player"], cell["gap"]) for cell in sweep.cells()] == [
        ("weak", 0), ("weak", 1), ("weak", 2), ("strong", 0), ("strong", 1), ("strong", 2),
    ]  # fmt: skip


def test_entries_are_filled_in_and_single_fields_changed(engine, folder):
    kits = kits_of(engine, folder, TEXT)
    filled = kits.filled({"player": "weak", "player.pills": 1, "gap": 2})
    assert filled == {"player": {**kits.entries["weak"], "pills": 1}, "gap": 2}
    assert kits.entries["weak"]["pills"] == 2
    with pytest.raises(CallError, match="gap has no fields"):
        kits.filled({"gap": 1, "gap.pills": 2})


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("stage      = 7", "stage      = 11", "published: stage = 11 lies outside its domain"),
        ("the_phach  = 1\n", "the_phach  = 1\nsword = 3\n", "published: player has no field sword"),
        ('foe        = "mid"', 'foe        = "middling"', "published: foe is no Build"),
        ('profile    = "sweep-candidate"', 'profile    = "none"', 'published: no profile "none"'),
        ('win        = "printed_win"', 'win        = "printed_wine"', 'published: printed.win = "printed_wine"'),
        ("[bots.late]", "[bots.mid]", '"mid" stands twice'),
        ("[sweeps.published]", "[sweeps.published", "broken TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(engine, folder, old, new, says):
    assert old in TEXT
    with pytest.raises(BookError, match=says) as caught:
        kits_of(engine, folder, TEXT.replace(old, new, 1))
    assert caught.value.place is not None
    assert caught.value.place.file == folder / "fights.toml"
    assert caught.value.place.line > 1


def test_a_wrong_value_is_found_on_its_line(engine, folder):
    line = TEXT.split("\n").index("stage      = 7") + 1
    with pytest.raises(BookError) as caught:
        kits_of(engine, folder, TEXT.replace("stage      = 7", "stage      = 11", 1))
    assert caught.value.place is not None
    assert caught.value.place.line == line


def test_systems_without_duels_and_sweeps_without_names_are_refused(engine, folder):
    with pytest.raises(CallError, match="worlds_awakening has no duels"):
        maker_of("worlds_awakening")
    with pytest.raises(CallError, match='no sweep "other" in fights.toml; one of published, stage-eight'):
        kits_of(engine, folder, TEXT).sweep("other")


def test_a_duel_takes_what_it_declares(engine, folder):
    kits = kits_of(engine, folder, TEXT)
    cell = kits.filled(kits.sweep("").cells()[0])
    under = engine.book.profiles["sweep-candidate"]
    assert make_duel(engine, under, cell).most == (27, 30)
    with pytest.raises(InputError, match="sweep_duel lacks stage"):
        make_duel(engine, under, {key: value for key, value in cell.items() if key != "stage"})
