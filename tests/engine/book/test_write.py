"""Files are written whole or not at all."""

import multiprocessing
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from engine.book.write import (
    PENDING,
    finish_writing,
    locked,
    refuse_unfinished,
    write_all,
    write_book,
    write_whole,
)
from engine.errors import InputError


class Killed(BaseException):
    """Stands for the end of the process: nothing of ours catches it."""


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_the_content_is_there_and_readable_by_others(tmp_path):
    write_whole(tmp_path / "deep" / "file.toml", "áp chế\n")
    file = tmp_path / "deep" / "file.toml"
    assert file.read_bytes() == "áp chế\n".encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o644
    assert names(file.parent) == ["file.toml"]


def test_the_mode_of_a_file_that_was_there_stays(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(0o660)
    write_whole(file, b"new")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("new", 0o660)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_killed_in_the_middle_the_old_content_stays_whole(tmp_path, monkeypatch, moment):
    file = tmp_path / "file"
    file.write_text("old, whole\n")

    def die(*arguments):
        raise Killed

    monkeypatch.setattr(*((os, "fsync", die) if moment == "fsync" else (Path, "replace", die)))
    with pytest.raises(Killed):
        write_whole(file, "new, half")
    assert file.read_text() == "old, whole\n"
    assert names(tmp_path) == ["file"]


def test_of_several_files_all_or_none_are_new(tmp_path, monkeypatch):
    for name in "abc":
        (tmp_path / name).write_text(f"old {name}")
    true_replace = Path.replace
    replaced = []

    def die_at_the_second(self, target):
        replaced.append(target.name)
        if len(replaced) == 2:
            raise Killed
        return true_replace(self, target)

    monkeypatch.setattr(Path, "replace", die_at_the_second)
    with pytest.raises(Killed):
        write_all({tmp_path / "a": "new", tmp_path / "fresh": "new", tmp_path / "c": "new"})
    assert replaced == ["a", "fresh"]
    assert [(tmp_path / name).read_text() for name in "abc"] == ["old a", "old b", "old c"]
    assert names(tmp_path) == ["a", "b", "c"]


def test_nothing_takes_its_place_before_all_are_on_the_disk(tmp_path):
    (tmp_path / "a").write_text("old")
    (tmp_path / "in the way").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_all({tmp_path / "a": "new", tmp_path / "in the way" / "b": "new"})
    assert (tmp_path / "a").read_text() == "old"
    assert names(tmp_path) == ["a", "in the way"]


def test_a_place_that_cannot_be_written_to_is_told_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError) as caught:
        write_whole(tmp_path / "file" / "below", "text")
    assert str(caught.value).startswith(f"{tmp_path / 'file' / 'below'}:1: cannot be written (")


def count_up(folder: Path, times: int) -> None:
    for _ in range(times):
        with locked(folder):
            write_whole(folder / "count", str(int((folder / "count").read_text()) + 1))


def test_of_writers_at_once_none_is_lost(tmp_path):
    (tmp_path / "count").write_text("0")
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=count_up, args=(tmp_path, 40)) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    assert (tmp_path / "count").read_text() == "120"
    assert names(tmp_path) == ["count"]


def test_a_lock_that_is_held_too_long_is_told(tmp_path):
    with locked(tmp_path), pytest.raises(InputError, match="another command has been writing for 0.1 s"):  # noqa: SIM117
        with locked(tmp_path, wait=0.1):
            pass
    assert names(tmp_path) == []


def test_an_edit_under_way_is_waited_for(tmp_path):
    """A reader who comes between the plan of an edit and its end reads the book as it is afterwards."""
    plan = tmp_path / PENDING
    with ThreadPoolExecutor() as pool:
        with locked(tmp_path):
            plan.write_text("{}")
            reader = pool.submit(refuse_unfinished, tmp_path)
            assert wait([reader], timeout=0.2).not_done
            plan.unlink()
        assert reader.result(timeout=60) is None


KILLED = """
import os, pathlib, sys
from engine.book import write

folder, moment = pathlib.Path(sys.argv[1]), int(sys.argv[2])
count, replace = 0, pathlib.Path.replace

def die(self, target):
    global count
    count += 1
    if count == moment:
        os._exit(9)
    return replace(self, target)

pathlib.Path.replace = die
with write.locked(folder):
    write.write_book(folder, {folder / "a": "new a", folder / "b": "new b"})
"""


@pytest.mark.parametrize(("moment", "whole"), [(1, "old"), (2, "new"), (3, "new"), (4, "new")])
def test_a_process_that_is_killed_leaves_the_old_book_or_the_new_one(tmp_path, moment, whole):
    """A real process, ended without notice at each of its replacements: the plan, then each file."""
    for name in "ab":
        (tmp_path / name).write_text(f"old {name}")
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path, str(moment)], check=False, timeout=60)
    assert done.returncode == (9 if moment < 4 else 0)
    if moment in (2, 3):
        with pytest.raises(InputError, match="an edit was interrupted; finish it with `raw check`"):
            refuse_unfinished(tmp_path)
    assert finish_writing(tmp_path) is (moment in (2, 3))
    refuse_unfinished(tmp_path)
    assert [(tmp_path / name).read_text() for name in "ab"] == [f"{whole} a", f"{whole} b"]
    # Temporary files of a killed process have names that no reader looks for.
    assert [name for name in names(tmp_path) if not name.startswith(".")] == ["a", "b"]
    assert not finish_writing(tmp_path)


def test_an_error_on_the_way_leaves_nothing_to_finish(tmp_path):
    (tmp_path / "a").write_text("old a")
    (tmp_path / "in the way").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_book(tmp_path, {tmp_path / "a": "new a", tmp_path / "in the way" / "b": "new b"})
    assert not finish_writing(tmp_path)
    assert (tmp_path / "a").read_text() == "old a"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"../../elsewhere.md": "text"}', "an interrupted edit of "),
        ('{"/tmp/elsewhere.md": null}', "an interrupted edit of "),
        ('{"a": 3}', "not understood"),
        ("[1]", "not understood"),
        ("{", "not understood"),
        ("[" * 100_000, "not understood"),
    ],
)
def test_an_interrupted_edit_that_came_from_elsewhere_touches_nothing_else(tmp_path, text, what):
    book = tmp_path / "spec" / "book"
    book.mkdir(parents=True)
    (book / ".pending.json").write_text(text)
    with pytest.raises(InputError, match=rf"\.pending\.json:1: .*{what}.*; remove it"):
        finish_writing(book)
    assert names(tmp_path) == ["spec"]
