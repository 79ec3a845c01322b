"""Who fights, and how their bots play: data beside a rule book, in its `fights.toml`, for whatever system has duels.

Any table holds entries by name: `[fighters.weak]`, `[bots.plain]`. `[sweeps.NAME]` names a profile and the inputs of
the system's duel: a word stands for the entry of that name, and a list is swept.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from engine.book.registers import line_of, read_toml
from engine.duel.build import Duel
from engine.errors import BookError, CallError, InputError, Place
from engine.procedures import Procedure
from engine.readings import Engine
from engine.run import Run

FILE = "fights.toml"
MOST_CELLS = 10_000
SWEEP_KEYS = ("profile", "names", "printed", "bands")
SWEEP_TABLES = {"printed": ("win", "rounds", "fights"), "bands": ("low", "high", "applies")}
_MARK = "_raw_duel"

Maker = Callable[..., Duel[Any]]


def duel(function: Maker) -> Maker:
    """Marks `make(rules, **inputs) -> Duel` as what sets up a fight of the system; inputs typed as a procedure's."""
    setattr(function, _MARK, True)
    return function


def maker_of(system: str) -> Procedure:
    """What sets up a fight of the system. Raises `CallError` where it has none."""
    module_name = f"engine.systems.{system}"
    if importlib.util.find_spec(module_name) is not None:
        for name, function in vars(importlib.import_module(module_name)).items():
            if getattr(function, _MARK, False):
                hints = typing.get_type_hints(function)
                params = list(inspect.signature(function).parameters.values())[1:]
                optional = frozenset(p.name for p in params if p.default is not inspect.Parameter.empty)
                return Procedure(name, function, {p.name: hints[p.name] for p in params}, optional)
    raise CallError(f"{system} has no duels", "write one in engine/systems/, marked @duel")


def make_duel(engine: Engine, profile: Mapping[str, str], given: Mapping[str, Any]) -> Duel[Any]:
    """The fight of these inputs, under a full profile of readings. Raises `InputError` for a bad input."""
    maker = maker_of(engine.book.system)
    prepared = maker.prepare(given, engine.book.domains)
    run = Run({**engine.book.ruled, **profile}, engine.missing)
    made: Duel[Any] = maker.function(engine.rules(run), **prepared)
    return made


@dataclass(frozen=True, slots=True)
class Sweep:
    """Inputs of a duel by name, each with one or more values in the order in which they are listed.

    The book may know more of it. `names`: what it calls an input that names an entry. `printed`: its definitions of
    the figures that the source prints, `win` in percent, `rounds`, and `fights` in each cell. `bands`: those of the
    `low` and `high` end of where a win ought to lie, and whether that `applies`. They are asked by the inputs that
    they take.
    """

    name: str
    profile: str
    inputs: Mapping[str, tuple[Any, ...]]
    place: Place
    names: Mapping[str, str] = field(default_factory=dict)
    printed: Mapping[str, str] = field(default_factory=dict)
    bands: Mapping[str, str] = field(default_factory=dict)

    @property
    def swept(self) -> tuple[str, ...]:
        """The inputs that have more than one value; the last one runs fastest."""
        return tuple(name for name, values in self.inputs.items() if len(values) > 1)

    def cells(self) -> tuple[dict[str, Any], ...]:
        """One set of inputs for each cell. Raises `CallError` for very many."""
        count = 1
        for values in self.inputs.values():
            count *= len(values)
        if count > MOST_CELLS:
            raise CallError(f"a sweep of {count} cells", f"at most {MOST_CELLS}")
        return tuple(dict(zip(self.inputs, values, strict=True)) for values in product(*self.inputs.values()))


@dataclass(frozen=True, slots=True)
class Kits:
    """A book's fighters, bots and the like by name, and its sweeps."""

    file: Path
    entries: Mapping[str, Mapping[str, Any]]
    sweeps: Mapping[str, Sweep]

    def sweep(self, name: str) -> Sweep:
        """A sweep by name; the first one without. Raises `CallError` where there is none such."""
        if not name and self.sweeps:
            return next(iter(self.sweeps.values()))
        if name not in self.sweeps:
            raise CallError(f'no sweep "{name[:60]}" in {self.file.name}', f"one of {', '.join(self.sweeps)}")
        return self.sweeps[name]

    def filled(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Inputs with names of entries replaced by the entries; `player.pills` changes a single field of one."""
        found: dict[str, Any] = {}
        for name, value in given.items():
            owner, dot, field = name.partition(".")
            if dot:
                if not isinstance(found.get(owner), Mapping):
                    raise CallError(f"{name}: {owner} has no fields", "name an input that is a table, before it")
                found[owner] = {**found[owner], field: value}
            else:
                found[name] = dict(self.entries[value]) if isinstance(value, str) and value in self.entries else value
        return found


def read_kits(engine: Engine) -> Kits:
    """The kits of a book. Raises `BookError` with the line of what is unknown, doubled or outside its domain."""
    file = engine.book.folder / FILE
    if not file.is_file():
        raise BookError("there is no such file", f"say in {FILE} who fights", Place(file, 1))
    data = read_toml(file)
    maker = maker_of(engine.book.system)
    entries: dict[str, dict[str, Any]] = {}
    for table, rows in data.items():
        if table == "sweeps":
            continue
        if not isinstance(rows, dict) or not all(isinstance(row, dict) for row in rows.values()):
            raise BookError(f"`{table}` is no table of entries", f"[{table}.name]", line_of(file, table))
        for name, row in rows.items():
            if name in entries:
                raise BookError(f'"{name}" stands twice', "names are for all tables", line_of(file, f"[{table}.{name}"))
            entries[name] = row
    for name, fields in engine.book.fights.items():  # what a proposal changes
        if name not in entries:
            raise BookError(f"{FILE} has no entry {name[:60]}", f"it has {', '.join(entries)}", Place(file, 1))
        entries[name] = {**entries[name], **fields}
    kits = Kits(file, entries, {})
    sweeps = {name: _sweep(engine, kits, maker, name, row) for name, row in data.get("sweeps", {}).items()}
    return Kits(file, entries, sweeps)


def _sweep(engine: Engine, kits: Kits, maker: Procedure, name: str, row: Any) -> Sweep:
    place = line_of(kits.file, f"[sweeps.{name}")
    if not isinstance(row, dict) or not isinstance(row.get("profile"), str):
        raise BookError(f"the sweep {name} has no profile", 'profile = "…"', place)
    profile = row["profile"]
    if profile not in engine.book.profiles:
        known = ", ".join(engine.book.profiles) or "none"
        raise BookError(f'{name}: no profile "{profile}"', f"profiles.toml has {known}", place)
    inputs = {key: _values(value) for key, value in row.items() if key not in SWEEP_KEYS}
    tables = [_table(engine, kits, name, row, key) for key in SWEEP_KEYS[1:]]
    sweep = Sweep(name, profile, inputs, place, *tables)
    for key, values in inputs.items():
        for value in values:
            single = {k: v[0] for k, v in inputs.items()} | {key: value}
            try:
                maker.prepare(kits.filled(single), engine.book.domains)
            except InputError as error:
                owner = next((k for k in inputs if error.problem.startswith(k)), key)
                place = error.place or _line(kits, name, owner)
                raise BookError(f"{name}: {error.problem}", error.remedy, place) from None
    return sweep


def _table(engine: Engine, kits: Kits, sweep: str, row: Mapping[str, Any], key: str) -> dict[str, str]:
    """`names`, `printed` or `bands` of a sweep. Raises `BookError` for what the book does not know."""
    table = row.get(key, {})
    place = line_of(kits.file, f"[sweeps.{sweep}.{key}]")
    if not isinstance(table, dict) or not all(isinstance(word, str) for word in table.values()):
        raise BookError(f"{sweep}: `{key}` is no table of names", f"[sweeps.{sweep}.{key}]", place)
    for entry, word in table.items():
        known = engine.book.domains if key == "names" else engine.params
        if word not in known or (key != "names" and entry not in SWEEP_TABLES[key]):
            raise BookError(f'{sweep}: {key}.{entry} = "{word[:60]}"', "a name that the book defines", place)
    return dict(table)


def _values(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else (value,)


def _line(kits: Kits, sweep: str, key: str) -> Place:
    """The line of `key` within the sweep's table."""
    begin = line_of(kits.file, f"[sweeps.{sweep}").line
    lines = kits.file.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines[begin:], begin + 1):
        if line.lstrip().startswith("["):
            break
        if line.lstrip().startswith(key):
            return Place(kits.file, number)
    return Place(kits.file, begin)
