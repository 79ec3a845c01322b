"""Proposals from the first look to the book, and what is refused on the way."""

import shutil
import subprocess
from pathlib import Path

import pytest

from conformance.options import Options, open_engines
from conformance.suite import run
from engine.book.load import load_book
from tests.conformance.command.conftest import BOOKS, Raw

SIGNED = ("--by", "An", "--on", "2026-01-31")


@pytest.fixture
def ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Raw:
    shutil.copytree(BOOKS / "proposed", tmp_path / "spec")
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    raw = Raw(tmp_path)
    raw.book = tmp_path / "spec" / "ladder"
    return raw


def failing(proposals: tuple[str, ...] = ()) -> list[str]:
    options = Options(books=Path("spec"), proposals=proposals)
    return [i.id for i in run(open_engines(options), options).items if i.status in ("deviates", "errored", "missing")]


def test_the_walk_of_a_proposal_that_is_approved_and_adopted(ladder):
    assert failing() == []
    shown = ladder("impact", "slower")
    assert shown.status == 0
    assert "level = 2 120 → 110" in shown.squeezed
    assert "LD-P2 known defect → checked The fourth level costs at most 150" in shown.squeezed
    assert shown.squeezed.endswith("or raw reject slower …")
    said = ladder("approve", "slower", *SIGNED, "--why", "long games stall")
    assert (said.status, said.lines[0]) == (0, "slower A gentler ladder: approved (it was undecided)")
    assert failing() == []
    said = ladder("adopt", "slower", "--by", "Bo", "--on", "2026-02-01")
    assert said.status == 0
    assert "spec/ladder/01-growth.md -6 +6" in said.squeezed
    assert failing() == []
    assert ladder("ask", "sxp", "level=2").lines[0].endswith("= 110")
    assert (ladder.folder / "CHANGELOG.md").read_text(encoding="utf-8").count("A gentler ladder (slower: LD-1.1,") == 1


def test_the_walk_of_a_proposal_that_is_rejected(ladder):
    said = ladder("reject", "slower", *SIGNED, "--why", "fine as it is")
    assert (said.status, said.lines[0]) == (0, "slower A gentler ladder: rejected (it was undecided)")
    assert ladder.bad("adopt", "slower", *SIGNED) == (
        "raw adopt: slower is rejected by An on 2026-01-31; approve it first: raw approve slower --by NAME --why TEXT"
    )
    assert failing() == []
    assert ladder("ask", "sxp", "level=2").lines[0].endswith("= 120")


def test_a_broken_promise_is_refused_unless_it_is_known(ladder):
    ladder.edit("proposals/slower.md", "define: growth = 1.1", "define: growth = 1.16")
    ladder.edit("proposals/slower.md", "{is: 11/10}", "{is: 29/25}")
    assert ladder("impact", "slower").status == 1
    said = ladder("approve", "slower", *SIGNED, "--why", "it will do")
    assert (said.status, said.out) == (1, "")
    assert "slower.md:6: LD-P2 is promised and does not hold: broken at level = 4" in said.err
    assert not (ladder.book / "decisions.toml").exists()
    said = ladder("approve", "slower", *SIGNED, "--why", "it will do", "--despite")
    assert said.status == 0
    assert load_book(ladder.book).decisions[0].despite.startswith("LD-P2 is promised and does not hold")


def test_what_would_fail_once_adopted_is_not_adopted(ladder):
    ladder.edit("proposals/slower.md", "{level: 4, is: 134", "{level: 4, is: 135")
    ladder("approve", "slower", *SIGNED, "--why", "unseen")
    before = {file: file.read_bytes() for file in ladder.folder.rglob("*") if file.is_file()}
    said = ladder("adopt", "slower", *SIGNED)
    assert (said.status, said.out) == (1, "")
    assert "LD-1.2[level=4]: expected 135, got 134" in said.err
    assert said.err.endswith("1 item would fail; nothing was written\n")
    assert {file: file.read_bytes() for file in ladder.folder.rglob("*") if file.is_file()} == before


def test_a_proposal_edited_after_its_approval_is_an_item_that_fails(ladder):
    ladder("approve", "rounding", *SIGNED, "--why", "one answer")
    assert failing() == []
    ladder.edit("proposals/rounding.md", "half-up}", "floor}")
    assert failing() == ["LD-proposal-rounding"]
    assert "undecided again (edited since it was approved on 2026-01-31)" in ladder("proposals").squeezed
    ladder("approve", "rounding", *SIGNED, "--why", "another answer")
    assert failing() == []


def test_the_suite_runs_as_if_it_were_adopted(ladder):
    assert failing(("slower",)) == []
    assert failing(("rounding", "no-fee")) == []


def test_the_log_tells_who_decided_what_by_clause(ladder):
    ladder("approve", "slower", *SIGNED, "--why", "long games stall")
    ladder("adopt", "slower", "--by", "Bo", "--on", "2026-02-01")
    ladder("rule", "LD-Q02", "floor", *SIGNED, "--why", "players lose less")
    lines = [" ".join(line.split()) for line in ladder("log", "ladder").lines]
    assert lines == [
        "ladder The Ladder",
        "2026-01-02 An operator approved LD-2.1, LD-2.2, LD-2.3 and 8 more first edition",
        "2026-01-02 An operator approved LD-1.1, LD-1.2, LD-P2, LD-P3 first edition",
        "2026-01-31 An approved slower (LD-1.1, LD-1.2, LD-P2, LD-P3) long games stall",
        "2026-01-31 An ruled LD-Q02 floor players lose less",
        "2026-02-01 Bo adopted slower (LD-1.1, LD-1.2, LD-P2, LD-P3) as approved",
    ]
    about = [" ".join(line.split()) for line in ladder("log", "LD-1.2").lines]
    assert len(about) == 4
    assert about[0] == "LD-1.2 ladder"
    assert " ".join(ladder("log", "LD-Q01").out.split()).startswith(
        "LD-Q01 ladder 2026-01-02 An operator approved LD-2.1, LD-2.2"
    )


def test_the_register_lists_every_proposal_with_its_state(ladder):
    ladder("withdraw", "no-fee", *SIGNED, "--why", "better ideas")
    lines = [" ".join(line.split()) for line in ladder("proposals").lines]
    assert lines == [
        "ladder spec/ladder/proposals",
        "lost undecided text lost A change whose text is lost",
        "no-fee withdrawn by An on 2026-01-31 LD-2.3, LD-2.4, LD-input-tip The fee goes",
        "rounding undecided LD-Q01 Half a percent goes up",
        "slower undecided LD-1.1, LD-1.2, LD-P3 A gentler ladder",
    ]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["impact", "slow"], "raw impact: there is no proposal slow; did you mean slower?"),
        (["impact", "x.slower"], "raw impact: there is no proposal x.slower; did you mean slower?"),
        (
            ["approve", "lost", *SIGNED, "--why", "x"],
            "raw approve: lost changes nothing: it holds a name for a text that",
        ),
        (["reject", "slower", "--by", " ", "--why", "x"], "raw reject: --by is empty; give the name of who decides"),
        (["adopt", "slower", *SIGNED], "raw adopt: slower is undecided; approve it first"),
        (["log", "LD-9.9"], "raw log: ladder has no LD-9.9"),
    ],
)
def test_what_is_wrong_is_one_line_and_nothing_is_written(ladder, arguments, line):
    assert ladder.bad(*arguments).startswith(line)
    assert not (ladder.book / "decisions.toml").exists()


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("promises: [LD-P1, LD-P2]", "withdraws: [LD-9.9]", "slower.md:6: slower withdraws LD-9.9, which is no clause"),
        ("promises: [LD-P1, LD-P2]", "promises: [LD-P9]", "slower.md:6: slower promises LD-P9, which is no property"),
        ("### LD-1.2 Points", "### LD-1.1 Points", "slower.md:20: LD-1.1 is used twice"),
        ("growth = 1.1", "growth = sxp(1)", "slower.md:"),  # a loop
        ("growth = 1.1", "growth = open('x')", 'slower.md:9: growth: "open" names nothing'),
        ("growth = 1.1", "growth = 1 / (1 - 1)", "slower.md:"),
    ],
)
@pytest.mark.parametrize("command", ["impact", "approve", "adopt"])
def test_a_bad_proposal_is_one_line_with_its_place(ladder, command, old, new, line):
    ladder.edit("proposals/slower.md", old, new)
    arguments = [] if command == "impact" else [*SIGNED, *(("--why", "x") if command == "approve" else ())]
    said = ladder(command, "slower", *arguments)
    if command == "adopt" and said.err.startswith("raw adopt: slower is undecided"):
        return
    assert (said.status, said.out) == (2, "")
    assert line in said.err.splitlines()[-1]
    assert not (ladder.book / "decisions.toml").exists()


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def approval(ladder, clause="LD-1.1"):
    options = Options(books=Path("spec"))
    return next(i for i in run(open_engines(options), options).items if i.id == f"{clause}[approval]")


def test_the_gate_shows_what_changed_since_the_approval(ladder):
    git(ladder.folder, "init", "-q")
    git(ladder.folder, "add", "spec")
    git(ladder.folder, "commit", "-qm", "one")
    ladder.edit("01-growth.md", "What a level costs.", "What one level costs.")  # no part of any clause
    git(ladder.folder, "commit", "-qam", "two")
    ladder.edit("01-growth.md", "costs a fifth more", "costs a quarter more")
    git(ladder.folder, "commit", "-qam", "three")  # a text that nobody approved is in the history too
    item = approval(ladder)
    assert item.status == "deviates"
    assert item.steps[:2] == ("--- approved by An operator on 2026-01-02", "+++ now")
    assert [line for line in item.steps[3:] if line[:1] in "+-"] == [
        "-Each level costs a fifth more than the one before.",
        "+Each level costs a quarter more than the one before.",
    ]
    assert item.remedy.endswith("raw approve LD-1.1 --by WHO --why TEXT")


def test_the_gate_shows_what_changed_in_a_file_of_settings(ladder):
    git(ladder.folder, "init", "-q")
    git(ladder.folder, "add", "spec")
    git(ladder.folder, "commit", "-qm", "one")
    ladder.edit("book.toml", 'level = "1..12"      # rungs', 'level = {is = "1..20", label = "Rung"}')
    git(ladder.folder, "commit", "-qam", "two")
    item = approval(ladder, "LD-input-level")
    assert item.steps == (
        "--- approved by An operator on 2026-01-02",
        "+++ now",
        "@@ -1 +1,2 @@",
        "-level: 1..12",
        "+level: 1..20",
        "+label: Rung",
    )
    assert item.remedy.startswith("Read the change (git diff ")
    assert ladder("approve", "LD-input-level", *SIGNED, "--why", "taller").status == 0
    assert approval(ladder, "LD-input-level").status == "conforms"


def test_the_gate_says_why_it_has_no_text_to_show(ladder):
    ladder.edit("01-growth.md", "costs a fifth more", "costs a quarter more")
    assert approval(ladder).steps[0].startswith("the approved text cannot be shown: the book lies in no git repository")
