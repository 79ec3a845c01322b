"""The command as a process: streams, statuses, start-up, and errors that are ours."""

import os
import subprocess
import sys

import pytest

COMMANDS = (
    "explain", "ask", "check", "sources", "rule", "proposals", "impact", "tune", "approve", "reject", "withdraw",
    "adopt", "log", "new", "vectors", "report", "sweep", "schema",
)  # fmt: skip
COMMAND = [sys.executable, "-m", "conformance.command"]


def run(raw, *arguments, **environment):
    env = {**os.environ, **environment}
    return subprocess.run([*COMMAND, *arguments], cwd=raw.folder, env=env, capture_output=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["ask", "toll", "level=2"], 0),
        (["ask", "toll", "level=3"], 3),
        (["ask", "listed", "level=1"], 3),
        (["ask", "tolls"], 2),
        (["sources", "texts"], 0),
        (["schema", "--check"], 1),
        (["explain", "HB-1.1"], 0),
    ],
)
def test_statuses_of_the_process(raw, arguments, status):
    done = run(raw, *arguments)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


def test_in_a_pipe_there_are_no_colours_and_no_broken_lines(raw):
    done = run(raw, "explain", "HB-1.1", COLUMNS="30")
    assert b"\x1b" not in done.stdout
    assert max(map(len, done.stdout.decode().splitlines())) > 100


def test_a_terminal_without_our_letters_gets_their_numbers(raw):
    done = run(raw, "explain", "HB-1.1", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert b"C\\u1ea3ng" in done.stdout


def test_a_reader_that_leaves_early_is_no_error(raw):
    with subprocess.Popen(
        [*COMMAND, "explain", "HB-1.1"], cwd=raw.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        error = process.stderr.read()
        assert (process.wait(timeout=60), error) == (0, b"")


def test_asking_starts_without_what_only_reports_need(raw):
    script = (
        "import sys\n"
        "from conformance.command.app import app\n"
        "app(['ask', 'rope', 'level=1', 'knots=0'], standalone_mode=False)\n"
        "heavy = {'sympy', 'numpy', 'numba', 'matplotlib', 'nbconvert', 'nbformat', 'papermill', 'IPython', 'filelock',"
        " 'tomlkit', 'hypothesis', 'pytest'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=raw.folder, capture_output=True, check=True, timeout=60)
    assert done.stdout.decode().splitlines()[-1] == "[]"


def test_an_error_of_ours_is_one_line_too(raw, monkeypatch):
    from engine.readings import Engine

    def fail(*arguments, **options):
        raise RuntimeError("a [bold]bug[/bold]\nin two lines")

    monkeypatch.setattr(Engine, "ask", fail)
    assert raw.bad("ask", "rope", "level=1", "knots=0") == (
        "raw ask: an error of ours (RuntimeError: a [bold]bug[/bold] in two lines); "
        "report it, with what RAW_DEBUG=1 shows"
    )


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["aks"], "raw: no command aks; did you mean ask?"),
        (["frobnicate"], f"raw: no command frobnicate; there are {', '.join(COMMANDS[:12])} …"),
        (["--nope"], "raw: no option --nope; there are --help"),
        (["check", "--books"], "raw check: option '--books' requires an argument; see `raw check --help`"),
        (["check", "more"], "raw check: got unexpected extra argument(s) (more); see `raw check --help`"),
        (["vectors", "spec"], "spec:1: is a folder; name a file, such as vectors.jsonl"),
        (["vectors", "v", "--system", "harbor"], "raw vectors: there is no system harbor; did you mean harbour?"),
        (["report", "--out", "texts/harbour.txt"], "texts/harbour.txt:1: is a file; name a folder for the report"),
        (["report", "--system", "x"], "raw report: there is no system x; there are harbour"),
    ],
)  # fmt: skip
def test_errors_of_usage_are_one_line(raw, arguments, line):
    assert raw.bad(*arguments) == line


def test_help_documents_the_exit_statuses(raw):
    said = raw("--help")
    for text in ("0  it agrees", "1  it disagrees", "2  the input is bad", "3  the text gives no single answer"):
        assert text in said.out
    assert raw().out == said.out


def test_vectors_are_written_whole(raw):
    said = raw("vectors", "out/v.jsonl")
    assert (said.status, said.squeezed) == (0, "out/v.jsonl: 16 vectors of harbour")
    assert (raw.folder / "out" / "v.jsonl").read_text(encoding="utf-8").count("\n") == 18


def test_schemas_are_written_and_checked(raw):
    assert raw("schema", "--check").status == 1
    assert raw("schema").squeezed == "spec/schema: 10 schemas, 10 written"
    assert raw("schema", "--check").status == 0
    (raw.folder / "spec" / "schema" / "clause.json").write_text("{}")
    said = raw("schema", "--check")
    assert (said.status, said.err) == (1, "spec/schema/clause.json:1: not up to date; run `raw schema`\n")
    assert raw("schema").squeezed == "spec/schema: 10 schemas, 1 written"
    # The folder of schemas is no book.
    assert raw("check").status == 0
