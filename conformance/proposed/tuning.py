"""The smallest changes that meet targets: every combination of a grid, the smallest first, each solved exactly."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.proposed.fights import Aim, Scores, aim, has_fights
from conformance.sweep.cells import values_of
from engine import claims
from engine.book.model import Book, Definition, Target
from engine.duel.kits import FILE
from engine.errors import CallError, InputError
from engine.formula.parse import parse
from engine.readings import Engine
from engine.values import show

Progress = Callable[[int, int], None]
MOST_COMBINATIONS = 50_000


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something that may move: a field of an entry of fights.toml (`strong.pills`), or a constant of the book.

    `values` are those that it may take, the present one first.
    """

    name: str
    values: tuple[Any, ...]
    clause: str = ""

    @property
    def present(self) -> Any:
        """Its value now."""
        return self.values[0]

    def steps(self, value: Any) -> int:
        """How far a value lies from the present one, in steps of the values in their order."""
        if isinstance(value, str) or isinstance(self.present, str):
            return int(value != self.present)
        order = sorted(self.values)
        return abs(order.index(value) - order.index(self.present))


@dataclass(frozen=True, slots=True)
class Move:
    """A combination that meets every target: what moves, and how each target is met."""

    moves: Mapping[str, tuple[Any, Any]]
    aims: tuple[Aim, ...]
    steps: int


@dataclass(slots=True)
class Search:
    """What was asked and found. `tried` counts combinations, `solved` fights."""

    parameters: tuple[Parameter, ...]
    targets: tuple[Target, ...]
    keep: tuple[str, ...]
    found: list[Move] = field(default_factory=list)
    tried: int = 0
    combinations: int = 0
    exhausted: bool = True


def parameter(book: Book, text: str) -> Parameter:
    """`strong.the_phach=0..3`, `weak.pills=0,2`, `attack_die_sides=6,8`. Raises `CallError` for what there is not."""
    name, equals, spec = (part.strip() for part in text.partition("="))
    if not equals or not name or not spec:
        raise CallError(f'--vary "{text[:60]}"', "write it like strong.the_phach=0..3 or weak.pills=0,2")
    values = values_of(name, spec)
    clause = ""
    if "." in name:
        entry, _, fields = name.partition(".")
        scores = Scores(Engine(book))
        entries = scores.kits.entries
        if entry not in entries:
            raise CallError(f"--vary {name[:60]}: {FILE} has no entry {entry[:40]}", f"it has {', '.join(entries)}")
        if fields not in entries[entry]:
            known = ", ".join(entries[entry])
            raise CallError(f"--vary {name[:60]}: {entry} has no {fields[:40]}", f"it has {known}")
        present = entries[entry][fields]
    else:
        holder = book.clause_of(name)
        body = holder.body
        if not isinstance(body, Definition) or body.params or body.formula.names or body.formula.calls:
            raise CallError(f"--vary {name[:60]}: {holder.id} is no constant", "name one, or a field like weak.pills")
        present, clause = Engine(book).value(name), holder.id
    return Parameter(name, (present, *(value for value in values if value != present)), clause)


def search(  # noqa: PLR0913 - what is asked
    book: Book,
    parameters: Sequence[Parameter],
    targets: Sequence[Target],
    *,
    keep: Sequence[str] = (),
    most: int | None = None,
    limit: int = 10,
    tell: Progress,
) -> Search:
    """The smallest changes that meet every target and keep every property, at most `limit` of them.

    Small is: few parameters that move (at most `most`), then few steps. Raises `CallError` for a grid that is too
    large, `BookError` for a target that names no cell.
    """
    if targets and not has_fights(book):
        raise CallError(f"{book.system} has no {FILE}", "targets are about fights")
    for id_ in keep:
        if id_ not in book.properties:
            raise CallError(f"{id_[:60]} is no property of {book.system}", "name one of properties.md")
    done = Search(tuple(parameters), tuple(targets), tuple(keep))
    combinations = _combinations(parameters, most)
    done.combinations = len(combinations)
    books: dict[str, _Variant] = {}
    for combination in combinations:
        tell(done.tried, done.combinations)
        done.tried += 1
        aims = _met(book, books, combination, done)
        if aims is not None:
            moves = {p.name: (p.present, value) for p, value in combination if value != p.present}
            done.found.append(Move(moves, aims, sum(p.steps(value) for p, value in combination)))
            if len(done.found) == limit:
                done.exhausted = done.tried == done.combinations
                break
    tell(done.combinations, done.combinations)
    return done


_Combination = tuple[tuple[Parameter, Any], ...]


def _combinations(parameters: Sequence[Parameter], most: int | None) -> list[_Combination]:
    count = 1
    for each in parameters:
        count *= len(each.values)
    if count > MOST_COMBINATIONS:
        raise CallError(f"a grid of {count:,} combinations", f"at most {MOST_COMBINATIONS:,}: vary less")

    def all_of() -> Iterator[tuple[tuple[int, int], _Combination]]:
        for values in itertools.product(*(each.values for each in parameters)):
            combination = tuple(zip(parameters, values, strict=True))
            moved = sum(value != p.present for p, value in combination)
            if most is None or moved <= most:
                yield (moved, sum(p.steps(value) for p, value in combination)), combination

    return [combination for _, combination in sorted(all_of(), key=lambda pair: pair[0])]


@dataclass(slots=True)
class _Variant:
    """The book with some constants changed; fights are solved once each."""

    engine: Engine
    kept: bool
    scores: Scores | None


def _met(book: Book, books: dict[str, _Variant], combination: _Combination, done: Search) -> tuple[Aim, ...] | None:
    """How each target is met; None where one is missed, or a property is not kept."""
    constants = {p.name: value for p, value in combination if p.clause}
    key = show(constants)
    if key not in books:
        engine = Engine(_with_constants(book, constants))
        kept = all(claims.judge(engine, _claimed(engine.book, id_)).holds for id_ in done.keep)
        books[key] = _Variant(engine, kept, Scores(engine) if done.targets else None)
    variant = books[key]
    if not variant.kept:
        return None
    if variant.scores is None:
        return ()
    fields: dict[str, dict[str, Any]] = {}
    for p, value in combination:
        if not p.clause:
            entry, _, name = p.name.partition(".")
            fields.setdefault(entry, {})[name] = value
    kits = variant.scores.kits
    entries = {name: {**row, **fields.get(name, {})} for name, row in kits.entries.items()}
    scores = variant.scores.under(dataclasses.replace(kits, entries=entries))
    aims: list[Aim] = []
    for target in done.targets:
        try:
            aims.append(aim(scores, target))
        except InputError as error:
            if error.place is not None:
                raise
            return None  # a value outside its domain is no change to propose
        if not aims[-1].met:
            return None
    return tuple(aims)


def _claimed(book: Book, id_: str) -> Any:
    return dataclasses.replace(book.properties[id_], broken=None)


def _with_constants(book: Book, constants: Mapping[str, Any]) -> Book:
    clauses = dict(book.clauses)
    for name, value in constants.items():
        clause = book.clause_of(name)
        formula = parse(f"({show(value)})" if not isinstance(value, str) else repr(value))
        clauses[clause.id] = dataclasses.replace(clause, body=Definition(name, (), formula))
    return dataclasses.replace(book, clauses=clauses)
