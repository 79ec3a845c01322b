"""What a rule book is, as frozen data. Nothing here reads a file or computes a rule."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.book.blocks import Map
from engine.book.domains import Domain
from engine.errors import CallError, Place
from engine.formula.parse import Formula

INPUT = "input"
FIGHTER = "fighter"


@dataclass(frozen=True, slots=True)
class Definition:
    """A formula under a name; a constant has no parameters."""

    name: str
    params: tuple[str, ...]
    formula: Formula


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a decision table: its condition and its value."""

    when: Formula
    value: Formula
    place: Place


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """Unordered rows. No row that applies is a gap, two that differ are a conflict.

    `window` narrows domains for the search of gaps where a declared domain has no end. `holes` names the questions
    that own the gaps and conflicts of rows that repeat a source literally.
    """

    name: str
    params: tuple[str, ...]
    rows: tuple[Row, ...]
    window: Mapping[str, Domain] = field(default_factory=dict)
    holes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LookupTable:
    """Values by one or two words or numbers, as printed in the clause's Markdown table."""

    name: str
    params: tuple[str, ...]
    cells: Mapping[tuple[Any, ...], Any]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProcedureName:
    """A rule that is a sequence of steps; its code lies in `engine/systems/`."""

    name: str


@dataclass(frozen=True, slots=True)
class Record:
    """A thing with fields (a skill, a class): text, numbers and formulas under one name.

    `formulas` hold the fields that are computed; each becomes a definition `NAME.FIELD`.
    """

    kind: str
    name: str
    fields: Mapping[str, Any]
    formulas: Mapping[str, Definition]


Body = Definition | DecisionTable | LookupTable | ProcedureName | Record


@dataclass(frozen=True, slots=True)
class Case:
    """Inputs and the expected outcome of one call.

    `kind` is "example" (printed in the source, in passage `passage`), "boundary" or "derived".
    `expected` holds the value, or for a procedure the fields that are compared.
    """

    label: str
    call: str
    given: Mapping[str, Any]
    expected: Any
    kind: str
    place: Place
    passage: int | None = None
    rolls: tuple[int, ...] | None = None
    under: Mapping[str, str] = field(default_factory=dict)
    why: str = ""
    work: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """One numbered, atomic rule. `text` is the clause as written, `block` what its block holds."""

    id: str
    title: str
    chapter: str
    prose: str
    text: str
    place: Place
    sources: tuple[int, ...]
    body: Body | None
    cases: tuple[Case, ...] = ()
    no_case: str = ""
    block: Map | None = None

    @property
    def name(self) -> str | None:
        """The name under which its body can be called."""
        return self.body.name if self.body is not None else None


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read what the text leaves open."""

    id: str
    says: str


@dataclass(frozen=True, slots=True)
class Witness:
    """A call on which readings differ: `gives` holds the literal value under each reading."""

    call: str
    given: Mapping[str, Any]
    gives: Mapping[str, Any]
    place: Place
    rolls: Mapping[str, tuple[int, ...]] | tuple[int, ...] | None = None
    under: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """A point that the text leaves open; without readings where nothing can be computed at all."""

    id: str
    title: str
    prose: str
    text: str
    place: Place
    sources: tuple[int, ...]
    readings: tuple[Reading, ...]
    witnesses: tuple[Witness, ...]
    block: Map | None = None

    @property
    def name(self) -> str:
        """The name in formulas: Q07 for WA-Q07."""
        return self.id.rpartition("-")[2]


@dataclass(frozen=True, slots=True)
class Property:
    """A claim over a declared domain; `broken` holds the smallest counterexample of a known defect."""

    id: str
    title: str
    prose: str
    text: str
    place: Place
    sources: tuple[int, ...]
    claim: Formula
    domains: Mapping[str, Domain]
    by: str
    split: Mapping[str, int] = field(default_factory=dict)
    under: Mapping[str, str] = field(default_factory=dict)
    broken: Mapping[str, Any] | None = None
    block: Map | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A non-empty line of the source: its number and digest, and why it rules nothing where that is so."""

    number: int
    sha256: str
    place: Place
    informative: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """An operator's choice of one reading."""

    question: str
    reading: str
    by: str
    on: dt.date
    why: str
    place: Place


@dataclass(frozen=True, slots=True)
class Approval:
    """Who approved a part of the book (`bound.py` says which there are), and the digest of what was approved."""

    part: str
    digest: str
    by: str
    on: dt.date
    why: str
    place: Place


@dataclass(frozen=True, slots=True)
class Band:
    """From `low` to `high`, both ends within."""

    low: Fraction
    high: Fraction

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class Target:
    """A goal that is no property: how often the first side wins (in percent), after how many rounds, for some inputs.

    `inputs` are those of one of the book's sweeps (a player's build, a gap); `sweep` names it where there are several.
    """

    inputs: Mapping[str, Any]
    win: Band | None
    rounds: Band | None
    sweep: str
    place: Place


@dataclass(frozen=True, slots=True)
class Proposal:
    """A named change: what it rewrites, adds, withdraws and settles, and what it promises.

    `follows` names the proposals after which it may touch the same parts. `domains` are inputs that it declares (as
    written in `domain_specs`), `fights` fields of entries of fights.toml that it changes. `places` holds the lines of
    the keys of its first block. A proposal that changes nothing is a register entry for a lost text.
    """

    name: str
    prefix: str
    title: str
    prose: str
    text: str
    place: Place
    sources: tuple[int, ...]
    clauses: tuple[Clause, ...]
    questions: tuple[Question, ...]
    properties: tuple[Property, ...]
    withdraws: tuple[str, ...]
    settles: Mapping[str, str]
    promises: tuple[str, ...]
    follows: tuple[str, ...]
    asks: tuple[str, ...]
    targets: tuple[Target, ...]
    domains: Mapping[str, Domain] = field(default_factory=dict)
    domain_specs: Mapping[str, Any] = field(default_factory=dict)
    fights: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[Clause | Question | Property, ...]:
        """What it rewrites or adds, in the order of the book's kinds."""
        return (*self.clauses, *self.questions, *self.properties)

    @property
    def touches(self) -> frozenset[str]:
        """The ids of what it changes, adds, withdraws or settles; entries of fights.toml as `WA-fighter-weak`."""
        ids = {part.id for part in self.parts} | set(self.withdraws) | set(self.settles)
        ids |= {f"{self.prefix}-{INPUT}-{name}" for name in self.domains}
        return frozenset(ids | {f"{self.prefix}-{FIGHTER}-{name}" for name in self.fights})

    @property
    def changes_nothing(self) -> bool:
        """Whether it only registers a name: its text is lost, or not written yet."""
        return not self.touches

    def at(self, key: str) -> Place:
        """Where a key of its first block stands."""
        return self.places.get(key, self.place)


@dataclass(frozen=True, slots=True)
class Decision:
    """One entry of the log: what was decided about a proposal, a question or clauses.

    `about` is a proposal's name or an id; `parts` are the ids that the decision bears on. `digest` is of exactly what
    was judged, `text` of the proposal's own text alone. `despite` says which broken promises were accepted, `reading`
    what was ruled.
    """

    about: str
    kind: str
    digest: str
    by: str
    on: dt.date
    why: str
    place: Place
    parts: tuple[str, ...] = ()
    text: str = ""
    despite: str = ""
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """A system's rule book, whole.

    `chapters` are titles and `leads` what stands below them, by the names of the chapters' files.
    """

    system: str
    prefix: str
    title: str
    folder: Path
    source_file: str
    chapters: Mapping[str, str]
    leads: Mapping[str, str]
    domains: Mapping[str, Domain]
    clauses: Mapping[str, Clause]
    questions: Mapping[str, Question]
    properties: Mapping[str, Property]
    passages: Mapping[int, Passage]
    rulings: Mapping[str, Ruling]
    approvals: Mapping[str, Approval]
    profiles: Mapping[str, Mapping[str, str]]
    retired: frozenset[str] = frozenset()
    proposals: Mapping[str, Proposal] = field(default_factory=dict)
    applied: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    fights: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    record_fields: Mapping[str, Mapping[str, Domain | str]] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[Clause | Question | Property, ...]:
        """Clauses, then questions, then properties."""
        parts: list[Clause | Question | Property] = [*self.clauses.values()]
        parts += self.questions.values()
        parts += self.properties.values()
        return tuple(parts)

    def clause_of(self, name: str) -> Clause:
        """The clause that defines `name`. Raises `CallError` where none does."""
        for clause in self.clauses.values():
            if clause.name == name:
                return clause
        raise CallError(f"{self.system} defines no {name[:60]}", f"names: {', '.join(self.names[:12])} …")

    @property
    def names(self) -> list[str]:
        """Every name that can be called, in the order of the book."""
        return [clause.name for clause in self.clauses.values() if clause.name]

    @property
    def ruled(self) -> dict[str, str]:
        """The reading of each ruled question, by its name in formulas."""
        return {self.questions[r.question].name: r.reading for r in self.rulings.values()}

    def claims(self) -> dict[int, list[str]]:
        """For each passage the ids that claim it, in the order of the book."""
        claimed: dict[int, list[str]] = {number: [] for number in self.passages}
        for part in self.parts:
            for number in part.sources:
                claimed[number].append(part.id)
        for clause in self.clauses.values():
            for case in clause.cases:
                if case.passage is not None and clause.id not in claimed[case.passage]:
                    claimed[case.passage].append(clause.id)
        return claimed
