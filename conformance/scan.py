"""What the suite refuses to hold: `pytest.xfail()` calls, and cases that are commented out."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from conformance.checks import Check, Finding, Subject
from engine.errors import Place

HOME = Path(__file__).resolve().parent.parent
ROOMS = ("conformance", "tests", "engine")

_IGNORE_STRICT = ("xfail", "XFailed")
_CASE = re.compile(r"^\s*#\s*(?:- \{.*\}|(?:cases|readings|witnesses|claim|broken|define|decide)\s*:)", re.ASCII)
_HIDDEN = re.compile(r"<!--.*?-->", re.DOTALL)
_INSIDE = re.compile(r"^\s*(?:#{1,6} [A-Z]+-\w|- \{|```yaml)", re.MULTILINE)
_PYTHON = re.compile(r"#\s*(?:(?:async )?def test_|@pytest\.|@given|class Test|assert\s+\w.*(?:==|\bis\b|\bin\b))")
_TOML = re.compile(r"^\s*#\s*(?:\[|\d+\s*=\s*\{)")


def suite_checks(books: Path) -> Iterator[Check]:
    """Two items for the suite as a whole: no `pytest.xfail()`, nothing commented out."""
    for name, title, scan, remedy in (
        (
            "xfail-calls",
            "No test calls pytest.xfail(), which ignores strict",
            xfail_calls,
            "Mark the item instead: xfail(strict=True, raises=…); an open point of the text is a question.",
        ),
        (
            "commented-out",
            "No case and no test is commented out",
            commented_out,
            "Bring it back, or remove it; a case in dispute is a question, a known defect is `broken:`.",
        ),
    ):
        about = Subject(f"suite[{name}]", "suite", "suite", "trace", Place(books, 1), title=title)
        yield Check(about.id, "suite", "suite", "trace", about.place, partial(_look, about, scan, books, remedy))


def _look(about: Subject, scan: Callable[[Path], list[str]], books: Path, remedy: str) -> Finding:
    wrong = scan(books)
    if not wrong:
        return about.found("conforms", expected=about.title, actual="none")
    return about.found(
        "deviates",
        expected=about.title,
        actual=f"{len(wrong)} found",
        message="\n".join(wrong[:12]),
        blame="rule book",
        remedy=remedy,
    )


def xfail_calls(books: Path) -> list[str]:
    """Each use of `pytest.xfail` (not of the mark) as `file:line: …`, by whatever name or way it is reached.

    Code that puts the name together from pieces is not found; of rules, the plugin then says that pytest and the suite
    disagree.
    """
    return [
        f"{_shown(file)}:{line}: pytest.xfail() ignores strict" for file in _python(books) for line in _calls_in(file)
    ]


def _calls_in(file: Path) -> list[int]:
    raw = file.read_bytes()
    if not any(name.encode() in raw for name in _IGNORE_STRICT):
        return []
    try:
        tree = ast.parse(raw)
    except SyntaxError as error:
        return [error.lineno or 1]
    return sorted({line for node in ast.walk(tree) for line in _reached_by(node)})


def _reached_by(node: ast.AST) -> Iterator[int]:
    """The line of a node that reaches it: `….xfail`, an import, `getattr(…, "xfail")` and the like, `…["xfail"]`."""
    if isinstance(node, ast.Attribute) and node.attr in _IGNORE_STRICT:
        if not _is_mark(node.value):
            yield node.lineno
    elif isinstance(node, ast.ImportFrom) and node.module in ("pytest", "_pytest.outcomes"):
        yield from (node.lineno for alias in node.names if alias.name in _IGNORE_STRICT)
    elif isinstance(node, ast.Subscript):
        yield from [node.lineno] if _names_it(node.slice) else []
    elif isinstance(node, ast.Call) and any(map(_names_it, node.args[1:2])) and not _is_mark(node.args[0]):
        yield node.lineno


def _names_it(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in _IGNORE_STRICT


def _is_mark(node: ast.expr) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "mark") or (
        isinstance(node, ast.Name) and node.id == "mark"
    )


def commented_out(books: Path) -> list[str]:
    """Each commented-out case, clause or test as `file:line: …`."""
    found = []
    for file in sorted(books.rglob("*.md")):
        found += [f"{_shown(file)}:{line}: a case that is commented out" for line in _hidden_in(file)]
    for file in sorted(books.rglob("passages.toml")):
        lines = file.read_text(encoding="utf-8").split("\n")
        found += [
            f"{_shown(file)}:{number}: an entry that is commented out"
            for number, line in enumerate(lines, 1)
            if _TOML.match(line)
        ]
    for file in _python(books):
        found += [f"{_shown(file)}:{line}: a test that is commented out" for line in _comments_in(file)]
    return found


def _hidden_in(file: Path) -> list[int]:
    text = file.read_text(encoding="utf-8")
    lines = []
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced and line.strip() == "```yaml"
        elif fenced and _CASE.match(line):
            lines.append(number)
    hidden = [comment for comment in _HIDDEN.finditer(text) if _INSIDE.search(comment.group()[len("<!--") :])]
    lines += [text.count("\n", 0, comment.start()) + 1 for comment in hidden]
    return sorted(lines)


def _comments_in(file: Path) -> list[int]:
    text = file.read_text(encoding="utf-8")
    if not _PYTHON.search(text):
        return []
    try:
        # A comment, not a string that looks like one.
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return [1]
    return [token.start[0] for token in tokens if token.type == tokenize.COMMENT and _PYTHON.match(token.string)]


def _python(books: Path) -> list[Path]:
    folders = [*(HOME / room for room in ROOMS), books]
    return sorted({file.resolve() for folder in folders if folder.is_dir() for file in folder.rglob("*.py")})


def _shown(file: Path) -> str:
    try:
        return file.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return file.as_posix()
