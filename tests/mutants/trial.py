"""Trials: in a process of its own each change is made, and the items that can notice it are judged again."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import os
import resource
import selectors
import signal
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from unittest import mock

from conformance import cases, play, proofs, questions
from conformance.checks import Check
from conformance.context import Context
from conformance.items import collect
from conformance.options import Options
from engine import thresholds
from engine.book.load import load_book
from engine.book.model import Clause, Property
from engine.errors import FormulaError
from engine.formula.compile import Workbench, link
from engine.procedures import procedures_of
from engine.readings import Engine
from tests.mutants.formulas import RuleMutant, reaches, readings_of, rule_mutants
from tests.mutants.operators import Mutant, mutants
from tests.mutants.sources import Served, left_alone, modules_of, served

# The order in which items are asked: cheap ones first. Approvals, thresholds and what holds for the book as a text
# are not asked: they would notice any change of a formula, whether a case knows of it or not.
KINDS = ("case", "reading", "question", "play", "table", "property")
BY_CODE = frozenset(KINDS[:4])

SPARE_SECONDS = 2.0  # of computing, that one item may take beside ten times what it took unchanged
TIMES = 10
SEARCH_SECONDS = 10.0
SPARE_MEMORY = 1 << 30

Tell = Callable[[str], None]

State = Literal["killed", "timed out", "survived", "same", "void"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a change: `by` is the item that noticed, `asked` how many items were judged.

    "same" is a changed formula that is proved to give the same everywhere, "void" one that does not compile. `note`
    says how far a formula that survived was compared with what it was, or which case is missing.
    """

    state: State
    by: str = ""
    asked: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """One item, and what it did in the unchanged book."""

    check: Check
    status: str
    lines: frozenset[tuple[str, int]]
    rules: frozenset[str]
    seconds: float


class Bench:
    """A system, its items, and what each reaches. Made by `bench`."""

    def __init__(self, system: str, books: Path, code: Served, options: Options) -> None:
        self.system = system
        self._code = code
        self._engine = Engine(load_book(books / system))
        self._untouched = Engine(self._engine.book)
        self._workbench = Workbench(self._engine.book)
        checks = [c for c in collect((self._engine,), options) if c.what in KINDS]
        self.probes = self._baseline(checks)

    @property
    def book(self) -> Any:
        """The book of the system."""
        return self._engine.book

    def _baseline(self, checks: Sequence[Check]) -> tuple[Probe, ...]:
        hits: list[tuple[str, int]] = []
        rules: set[str] = set()

        def wrap(name: str, _clause: str, function: Callable[..., Any]) -> Callable[..., Any]:
            def noted(run: Any, *arguments: Any) -> Any:
                rules.add(name)
                return function(run, *arguments)

            return noted

        self._engine.functions = link(self.book, wrap)
        found: list[tuple[int, int, Probe]] = []
        with self._code.noting(hits):
            self._engine.procedures = procedures_of(self.system)
            for check in checks:
                hits.clear()
                rules.clear()
                began = time.process_time()
                status = check.judge().status
                seconds = time.process_time() - began
                static = reaches(self.book, check.part) if _static(check) else frozenset()  # type: ignore[arg-type]
                probe = Probe(check, status, frozenset(hits), frozenset(rules) | static, seconds)
                found.append((KINDS.index(check.what), len(hits), probe))
        self._engine.procedures = procedures_of(self.system)
        self._engine.functions = self._workbench.functions
        return tuple(probe for _, _, probe in sorted(found, key=lambda each: each[:2]))

    # --- what can be changed ------------------------------------------------------------

    def code_mutants(self) -> list[Mutant]:
        """Every change of the procedures."""
        return mutants(self._code.modules, readings_of(self.book))

    def left_alone(self) -> dict[Path, list[str]]:
        """What no procedure uses, by file: it is not changed."""
        return left_alone(self._code.modules)

    def rule_mutants(self) -> list[RuleMutant]:
        """Every change of the formulas."""
        return rule_mutants(self.book)

    # --- trials: they change this process, and belong into one that ends ------------------

    def try_code(self, mutant: Mutant, tell: Tell) -> Iterator[Verdict]:
        """What becomes of the items when the code is changed. `tell` hears the name of each item before it is asked."""
        self._code.put(mutant.module, mutant.source)
        self._code.forget()
        try:
            self._engine.procedures = procedures_of(self.system)
        except Exception as error:  # noqa: BLE001 - changed code may raise anything while it is loaded
            yield Verdict("killed", f"it does not load: {type(error).__name__}")
            return
        yield _judge([(probe, probe.check) for probe in self._reaching(mutant)], tell)

    def _reaching(self, mutant: Mutant) -> list[Probe]:
        file = str(mutant.module.file)
        code = [probe for probe in self.probes if probe.check.what in BY_CODE and probe.lines]
        if mutant.lines is None:
            return code
        wanted = {(file, line) for line in mutant.lines}
        return [probe for probe in code if not wanted.isdisjoint(probe.lines)]

    def try_rule(self, mutant: RuleMutant, tell: Tell) -> Iterator[Verdict]:
        """What becomes of the items when a formula is changed; of one that survives, then, what tells it apart."""
        reaching = [probe for probe in self.probes if mutant.rule.name in probe.rules]
        try:
            with self._workbench.exchanged(mutant.changed, mutant.clause.id) as function:
                calls = _judge([(probe, probe.check) for probe in reaching if not _static(probe.check)], tell)
                if calls.state == "survived":
                    claims = self._claims(mutant, reaching, tell)
                    calls = dataclasses.replace(claims, asked=calls.asked + claims.asked)
                yield calls
                if calls.state == "survived":
                    yield self._compared(mutant, function, calls)
        except FormulaError:
            yield Verdict("void")

    def _claims(self, mutant: RuleMutant, reaching: Sequence[Probe], tell: Tell) -> Verdict:
        """The verdict of the items that look at formulas as such; they need the whole book with the changed one."""
        static = [probe for probe in reaching if _static(probe.check)]
        changed = Engine(mutant.book(self.book)) if static else self._untouched
        return _judge([(probe, _anew(probe.check, changed)) for probe in static], tell)

    def _compared(self, mutant: RuleMutant, function: Callable[..., Any], verdict: Verdict) -> Verdict:
        """The verdict with what the search of the thresholds found: an input that tells the two apart, or none."""
        signal.setitimer(signal.ITIMER_PROF, SEARCH_SECONDS)
        search = _Search(self._untouched)
        change = thresholds.Change(mutant.clause, mutant.rule, mutant.changed, mutant.before, mutant.after)
        found = search.untold(change, function)
        if found.state == "loose":
            return dataclasses.replace(verdict, note=f"a case is missing: {found.case}")
        note = found.why.rpartition(": ")[2]
        proved = note in ("proved", "they agree on every input")
        return dataclasses.replace(verdict, state="same" if proved else "survived", note=note)


class _Search(thresholds._Bench):
    """The search for an input that tells two formulas apart, without the calls of the book."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine


def _static(check: Check) -> bool:
    """Whether an item looks at the book's formulas as such, and calls nothing."""
    return check.what in ("table", "property")


def _anew(check: Check, engine: Engine) -> Check:
    """The same item of another book."""
    context = Context(engine, engine)
    part = check.part

    def look() -> Any:
        if isinstance(part, Property):
            return proofs.judge_property(context, part, check.id)
        assert isinstance(part, Clause)
        return proofs.judge_table(context, engine.book.clauses[part.id], check.id)

    return Check(check.id, check.system, check.clause, check.what, check.place, look, check.raises, part)


def _judge(asked: Sequence[tuple[Probe, Check]], tell: Tell) -> Verdict:
    for number, (probe, check) in enumerate(asked, 1):
        tell(check.id)
        # Counted in this process's own computing, so that a busy machine changes no verdict; the signal ends it.
        signal.setitimer(signal.ITIMER_PROF, SPARE_SECONDS + TIMES * probe.seconds)
        try:
            status: str = check.judge().status
        except BaseException as error:  # noqa: BLE001 - changed code may raise anything
            status = type(error).__name__
        signal.setitimer(signal.ITIMER_PROF, 0)
        if status != probe.status:
            return Verdict("killed", f"{check.id}: {status}", number)
    return Verdict("survived", asked=len(asked))


@contextlib.contextmanager
def bench(system: str, books: Path, systems: Path) -> Iterator[Bench]:
    """The system as it stands, judged once. While it lasts, its code is that which was read at the beginning."""
    with contextlib.ExitStack() as stack:
        # Only the status counts: no smallest example, no steps, no blame.
        stack.enter_context(mock.patch.object(play, "_Found", play._Enough))
        stack.enter_context(mock.patch.object(cases, "steps_of", return_value=()))
        stack.enter_context(mock.patch.object(questions, "steps_of", return_value=()))
        stack.enter_context(mock.patch.object(cases, "_blame", return_value=("rule book", "")))
        code = stack.enter_context(served(modules_of(system, systems)))
        yield Bench(system, books, code, Options(books=books))


# --- processes ---------------------------------------------------------------------------

Trial = Callable[[Tell], Iterable[Verdict]]


def run(trials: Sequence[Trial], jobs: int, done: Callable[[int], None] = lambda _: None) -> list[Verdict]:
    """The verdict of each trial. Every one has a process of its own, `jobs` of them at a time."""
    verdicts: dict[int, Verdict] = {}
    waiting = iter(range(len(trials)))
    gc.collect()
    gc.freeze()
    with selectors.DefaultSelector() as pipes:
        for _ in range(jobs):
            _begin(pipes, trials, waiting)
        while pipes.get_map():
            for key, _ in pipes.select():
                number, pid, heard = key.data
                text = os.read(key.fd, 1 << 16)
                if text:
                    heard.append(text)
                    continue
                pipes.unregister(key.fd)
                os.close(key.fd)
                verdicts[number] = _verdict(b"".join(heard).decode().splitlines(), os.waitpid(pid, 0)[1])
                done(len(verdicts))
                _begin(pipes, trials, waiting)
    gc.unfreeze()
    return [verdicts[number] for number in range(len(trials))]


def _begin(pipes: selectors.BaseSelector, trials: Sequence[Trial], waiting: Iterator[int]) -> None:
    number = next(waiting, None)
    if number is None:
        return
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the child uses none of its parent's
        pid = os.fork()
    if not pid:
        os.close(reading)
        _child(trials[number], writing)
    os.close(writing)
    pipes.register(reading, selectors.EVENT_READ, (number, pid, []))


def _child(trial: Trial, writing: int) -> None:
    """Makes one trial, tells about it line by line, and ends the process."""
    status = 1
    try:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        _bound_memory()
        for verdict in trial(lambda item: _tell(writing, {"item": item})):
            _tell(writing, dataclasses.asdict(verdict))
        status = 0
    finally:
        os._exit(status)


def _tell(writing: int, what: Mapping[str, Any]) -> None:
    os.write(writing, json.dumps(what).encode() + b"\n")


def _bound_memory() -> None:
    status = Path("/proc/self/statm")
    if status.exists():
        most = int(status.read_text().split()[0]) * resource.getpagesize() + SPARE_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _verdict(lines: Sequence[str], ended: int) -> Verdict:
    told = [json.loads(line) for line in lines]
    if told and "state" in told[-1]:
        return Verdict(**told[-1])
    item = told[-1]["item"] if told else "nothing"
    if os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGPROF:
        return Verdict("timed out", item, len(told))
    if told:
        return Verdict("killed", f"{item}: the process ended", len(told))
    raise RuntimeError(f"a trial ended before it asked anything (status {ended})")
