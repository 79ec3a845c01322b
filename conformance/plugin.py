"""`pytest conformance`: the items of `items.collect` as pytest items, and their results in one file.

Bad options and bad books end the session with one line and exit status 2. pytest itself answers an option that does
not exist with its usage and exit status 4.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from _pytest._code.code import ReprFileLocation, TerminalRepr

if TYPE_CHECKING:
    from conformance.checks import Check, Finding
    from conformance.options import Options
    from conformance.results import Item, Results
    from engine.readings import Engine

HOME = Path(__file__).resolve().parent
BAD_INPUT = 2
SUITE = pytest.StashKey["Suite"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of a run."""
    group = parser.getgroup("conformance", "rule books (bad books and options: one line, exit status 2)")

    def add(name: str, metavar: str, help_text: str, **more: Any) -> None:
        group.addoption(name, metavar=metavar, help=help_text, **more)

    add("--books", "DIR", "folder of rule books (default: spec/)")
    add("--system", "NAME", "run this system only; repeatable", action="append", default=[])
    add("--proposal", "NAME", "run the books as if NAME were adopted; repeatable", action="append", default=[])
    add("--reading", "ID=READING", "fix a reading, as WA-Q07=half-up; repeatable", action="append", default=[])
    add("--profile", "NAME", "fix the readings of a profile", default="")
    add("--engine", "CMD", 'the engine under test, as "node my_engine.mjs"', default="")
    add("--sources", "DIR", "folder of the sources: check every passage against them")
    add("--results", "FILE", "write the results there, as JSON lines")
    add("--summary", "FILE", "write a Markdown summary there")


class Suite:
    """What one session shares: its books, its engine under test, what came of each item."""

    def __init__(self, options: Options, engines: tuple[Engine, ...], home: contextlib.ExitStack) -> None:
        from conformance.adapter import under_test
        from conformance.items import collect

        self.options = options
        self.engines = engines
        self.remote = home.enter_context(under_test(options.engine))
        self.checks = collect(engines, options, self.remote)
        self.position = {check.id: i for i, check in enumerate(self.checks)}
        self.found: dict[str, dict[str, Any]] = {}
        self.wanted: list[tuple[str, str]] = []

    def wants(self, check: Check) -> bool:
        """Whether an item was asked for by node id, alone or with its system."""
        return (check.system, "") in self.wanted or (check.system, check.id) in self.wanted

    def results(self, selection: str) -> Results:
        """What came of the items that ran, in the order of the books."""
        import dataclasses

        from conformance.results import Item, Results
        from conformance.suite import header

        items = [
            Item.model_validate(self.found[item_id]) for item_id in sorted(self.found, key=self.position.__getitem__)
        ]
        options = dataclasses.replace(self.options, selection=selection)
        return Results(header=header(self.engines, options), items=tuple(items))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Opens the books, where this session is about them."""
    if config.option.help or not _concerns(config):
        return
    from conformance.options import Options, open_engines
    from engine.errors import InputError

    home = contextlib.ExitStack()
    config.add_cleanup(home.close)
    books = config.getoption("books")
    options = Options(
        books=_near(Path(books) if books is not None else config.invocation_params.dir / HOME.parent / "spec"),
        systems=tuple(dict.fromkeys(config.getoption("system"))),
        proposals=tuple(dict.fromkeys(config.getoption("proposal"))),
        readings=tuple(config.getoption("reading")),
        profile=config.getoption("profile"),
        engine=config.getoption("engine"),
        sources=None if config.getoption("sources") is None else Path(config.getoption("sources")),
    )
    try:
        for name in ("results", "summary"):
            _writable(name, config.getoption(name))
        suite = Suite(options, open_engines(options), home)
        suite.wanted = _wanted(config, {engine.book.system for engine in suite.engines} | {"suite"})
    except InputError as error:
        _refuse(str(error))
    gc.freeze()  # the books stay as long as the session: looking for garbage among them, to its very end, finds none
    config.stash[SUITE] = suite
    config.pluginmanager.register(Recorder(config, suite), "conformance-recorder")


def _refuse(reason: str) -> NoReturn:
    pytest.exit(reason, returncode=BAD_INPUT)


def _writable(name: str, file: str | None) -> None:
    from engine.errors import InputError

    if file is None:
        return
    if Path(file).is_dir():
        raise InputError(f"--{name} {file}: that is a folder", "name a file")
    parent = Path(file).absolute().parent
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir():
        raise InputError(f"--{name} {file}: {parent} is no folder", "name a file in a folder")


def _concerns(config: pytest.Config) -> bool:
    """Whether one of the paths of this session is, holds, or lies in this folder."""
    paths = [_path_of(config, argument) for argument in config.args]
    return any(_is_ours(path) or path in HOME.parents for path in paths)


def _is_ours(path: Path) -> bool:
    return path == HOME or HOME in path.parents


def _path_of(config: pytest.Config, argument: str) -> Path:
    return (config.invocation_params.dir / argument.partition("::")[0]).resolve()


def _wanted(config: pytest.Config, systems: set[str]) -> list[tuple[str, str]]:
    """The node ids among the arguments, as (system, item id). pytest knows files only: it is given this folder."""
    from engine.errors import InputError

    wanted = []
    for i, argument in enumerate(config.args):
        path = _path_of(config, argument)
        if path.parent == HOME and not path.exists():
            if path.name not in systems:
                raise InputError(f"{argument[:80]}: there is no such system", f"one of {', '.join(sorted(systems))}")
            wanted.append((path.name, argument.partition("::")[2]))
            config.args[i] = str(HOME)
    return wanted


def _near(path: Path) -> Path:
    """The path as seen from here, where it lies below."""
    with contextlib.suppress(ValueError):
        return path.resolve().relative_to(Path.cwd())
    return path


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """This folder holds books, not test files."""
    if path.resolve() == HOME and SUITE in parent.config.stash:
        return Shelf.from_parent(parent, path=path)
    return None


class Shelf(pytest.Directory):
    """The books of this session."""

    def collect(self) -> Iterable[pytest.Collector]:
        """One collector a system."""
        suite = self.config.stash[SUITE]
        for system in dict.fromkeys(check.system for check in suite.checks):
            yield Volume.from_parent(self, name=system, nodeid=f"{self.nodeid}/{system}")


class Volume(pytest.Collector):
    """One book's items."""

    def collect(self) -> Iterator[pytest.Item]:
        """Its items, in the order of the book."""
        for check in self.config.stash[SUITE].checks:
            if check.system == self.name:
                yield RuleItem.from_parent(self, name=check.id, check=check)


class RuleItem(pytest.Item):
    """One item of the suite."""

    def __init__(self, *, check: Check, **more: Any) -> None:
        super().__init__(**more)
        self.check = check
        self.finding: Finding | None = None
        if check.raises is not None:
            reason = "a known defect" if check.what == "property" else "the text does not decide this"
            self.add_marker(pytest.mark.xfail(strict=True, raises=check.raises, reason=reason))

    def runtest(self) -> None:
        """Judges the item. Raises what pytest's own machinery is to weigh."""
        self.finding = self.check.find()
        if self.finding.error is not None:
            raise self.finding.error

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure in words."""
        del style
        if self.finding is not None and excinfo.value is self.finding.error:
            return _words(self.finding.item)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the rule stands, and the heading of a failure."""
        # Not the bare name: pytest would take the point of WA-5.4 for one between a class and its method.
        return self.check.place.file.absolute(), self.check.place.line - 1, f"{self.name} ({self.check.what})"


class _Words(TerminalRepr):
    """A failure in words, and in one line for the list at the end."""

    def __init__(self, text: str, line: str) -> None:
        self.text = text
        self.reprcrash = ReprFileLocation("", 0, line)

    def toterminal(self, tw: Any) -> None:
        """Writes the words."""
        tw.line(self.text)


def _words(item: Item) -> _Words:
    from conformance.failure import failure_text
    from engine.terminal import clean

    return _Words(failure_text(item), clean(item.message.partition("\n")[0]))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Puts the judged item beside pytest's verdict, and its words in place of a bare `XPASS(strict)`."""
    report = yield
    if not isinstance(item, RuleItem) or report.when != "call":
        return report
    from conformance.results import FAILING

    finding = item.finding
    if finding is None:
        return report
    judged = finding.item
    if item.config.option.runxfail:
        pass  # asked for on purpose: then open questions fail, and the results still say that they are open
    elif report.failed != (judged.status in FAILING) or report.skipped != (judged.status in ("open", "broken")):
        judged = judged.model_copy(
            update={
                "status": "errored",
                "message": f"judged {judged.status}, but pytest reports {report.outcome}",
                "remedy": "Report this: the suite and pytest disagree.",
            }
        )
        report.outcome = "failed"
        report.longrepr = _words(judged)
    elif report.failed and finding.error is None:
        report.longrepr = _words(judged)
    report.conformance = judged.model_dump()  # type: ignore[attr-defined]  # reports carry what plugins add
    return report


class Recorder:
    """Hears what came of each item, also in other processes, and writes it down at the end."""

    def __init__(self, config: pytest.Config, suite: Suite) -> None:
        self._config = config
        self._suite = suite
        # pytest shows an expected failure as skipped; where every item is ours, we write its JUnit file ourselves.
        self._junit = None
        if all(_is_ours(_path_of(config, argument)) for argument in config.args):
            self._junit, config.option.xmlpath = getattr(config.option, "xmlpath", None), None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leaves out what was not asked for by its node id."""
        if self._suite.wanted:
            chosen = [item for item in items if not isinstance(item, RuleItem) or self._suite.wants(item.check)]
            kept = {id(item) for item in chosen}
            self._config.hook.pytest_deselected(items=[item for item in items if id(item) not in kept])
            items[:] = chosen

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keeps what came of an item."""
        judged = getattr(report, "conformance", None)
        if judged is not None:
            self._suite.found[judged["id"]] = judged

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Writes the files that were asked for."""
        if hasattr(self._config, "workerinput"):
            return
        from conformance.results import write_results
        from conformance.summary import junit, markdown
        from engine.book.write import write_whole
        from engine.errors import InputError

        results = self._suite.results(self._selection())
        option = self._config.option
        try:
            if option.results is not None:
                write_results(results, Path(option.results))
            if option.summary is not None:
                write_whole(Path(option.summary), markdown(results))
            if self._junit is not None:
                write_whole(Path(self._junit), junit(results))
        except InputError as error:
            _refuse(str(error))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Ends with counts by status, a line a system."""
        if self._config.option.collectonly:
            return
        from conformance.summary import terminal

        results = self._suite.results(self._selection())
        terminalreporter.ensure_newline()
        terminalreporter.section("conformance")
        for line in terminal(results):
            terminalreporter.write_line(line)

    def _selection(self) -> str:
        """Which part of the suite ran; nothing where all of it did."""
        ran, whole = len(self._suite.found), len(self._suite.checks)
        if ran == whole:
            return ""
        option = self._config.option
        asked = [f"-k {option.keyword}"] if option.keyword else []
        asked += [f"-m {option.markexpr}"] if option.markexpr else []
        asked += [f"{system}::{name}" if name else system for system, name in self._suite.wanted]
        return f"{', '.join(asked) or 'stopped early'}: {ran} of {whole} items"
