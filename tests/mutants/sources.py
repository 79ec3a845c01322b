"""The code of a system: its files, which of its functions are rules, and how changed code takes its place."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file of a system's code."""

    name: str
    file: Path
    source: bytes

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed file."""
        return ast.parse(self.source, self.file)

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins, counted in bytes."""
        found = [0]
        for line in self.source.splitlines(keepends=True):
            found.append(found[-1] + len(line))
        return found

    def span(self, node: Any) -> tuple[int, int]:
        """Where the text of a node begins and ends."""
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )


def modules_of(system: str, systems: Path) -> tuple[Module, ...]:
    """The files of a system under `systems`; none where it has no procedures."""
    name = f"engine.systems.{system}"
    folder, file = systems / system, systems / f"{system}.py"
    if file.is_file():
        return (Module(name, file, file.read_bytes()),)
    return tuple(
        Module(name if one.stem == "__init__" else f"{name}.{one.stem}", one, one.read_bytes())
        for one in sorted(folder.glob("*.py"))
    )


@dataclass
class _Part:
    """A function, a class, or a value that a module names; `owner` is the class of a method."""

    names: frozenset[str]
    node: ast.AST
    owner: ast.ClassDef | None


def unused(modules: Sequence[Module]) -> frozenset[int]:
    """The ids of the nodes (functions, classes, named values of a module) that no procedure uses.

    These are invariants and what only they use: they judge, and are no rules themselves. And what is there for others
    than the suite: solvers of fights.
    """
    parts = [part for module in modules for part in _parts(module.tree, None)]
    reached: dict[int, _Part] = {}
    mentioned: set[str] = set()
    before = -1
    while len(reached) != before:
        before = len(reached)
        for part in parts:
            if id(part.node) not in reached and _is_reached(part, mentioned, reached):
                reached[id(part.node)] = part
                mentioned |= set(_mentioned(part.node))
    return frozenset(id(part.node) for part in parts) - reached.keys()


def left_alone(modules: Sequence[Module]) -> dict[Path, list[str]]:
    """The names of what no procedure uses, by file; without invariants, of which everybody knows."""
    nodes = unused(modules)
    found: dict[Path, list[str]] = {}
    for module in modules:
        for node in module.tree.body:
            judge = isinstance(node, Function) and _decorated(node, "invariant")
            if isinstance(node, Function | ast.ClassDef) and id(node) in nodes and not judge:
                found.setdefault(module.file, []).append(node.name)
    return found


def _parts(tree: ast.AST, owner: ast.ClassDef | None) -> Iterator[_Part]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function | ast.ClassDef):
            yield _Part(frozenset({node.name}), node, owner)
        elif isinstance(tree, ast.Module) and isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield _Part(frozenset(n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)), node, owner)
        yield from _parts(node, node if isinstance(node, ast.ClassDef) else None)


def _is_reached(part: _Part, mentioned: set[str], reached: Mapping[int, _Part]) -> bool:
    if isinstance(part.node, Function) and _decorated(part.node, "invariant"):
        return False
    if isinstance(part.node, Function) and _decorated(part.node, "procedure"):
        return True
    if part.owner is not None:
        special = any(name.startswith("__") for name in part.names)
        return id(part.owner) in reached and (special or not mentioned.isdisjoint(part.names))
    return not mentioned.isdisjoint(part.names)


def _decorated(function: Function, name: str) -> bool:
    heads = [d.func if isinstance(d, ast.Call) else d for d in function.decorator_list]
    return any(isinstance(h, ast.Name) and h.id == name for h in heads)


def _mentioned(tree: ast.AST) -> Iterator[str]:
    """Every name and attribute in a part; of a class, without those in its methods, which are parts of their own."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(tree, ast.ClassDef) and isinstance(node, Function):
            continue
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        yield from _mentioned(node)


_HIT = "_hit_statement"


def _noting(module: Module) -> ast.Module:
    """The file with a note before each statement of its functions. Cheaper than tracing, which sees every call."""
    tree = ast.parse(module.source, module.file)
    for function in [node for node in ast.walk(tree) if isinstance(node, Function)]:
        for node in ast.walk(function):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block and not isinstance(block[0], _Note):
                    setattr(node, name, [part for one in block for part in _noted(one, module)])
    return ast.fix_missing_locations(tree)


class _Note(ast.Expr):
    """A note, told from the statements of the file."""


def _noted(statement: ast.stmt, module: Module) -> tuple[ast.stmt, ...]:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return (statement,)
    place = ast.Tuple(elts=[ast.Constant(str(module.file)), ast.Constant(statement.lineno)], ctx=ast.Load())
    note = _Note(ast.Call(func=ast.Name(id=_HIT, ctx=ast.Load()), args=[place], keywords=[]))
    return ast.copy_location(note, statement), statement


class Served(MetaPathFinder, Loader):
    """Imports a system from compiled code instead of its files."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self.modules = tuple(modules)
        self._modules = {module.name: module for module in modules}
        self._codes: dict[str, CodeType] = {}
        self._globals: dict[str, Any] = {}
        for module in modules:
            self.put(module, module.source)

    def put(self, module: Module, source: bytes | ast.Module) -> None:
        """From now on `module` is this source; modules that were imported before stay as they are."""
        self._codes[module.name] = compile(source, module.file, "exec", dont_inherit=True)

    @contextmanager
    def noting(self, hits: list[tuple[str, int]]) -> Iterator[None]:
        """While it lasts the system, imported anew, adds to `hits` the file and line of each statement that it runs."""
        self._globals[_HIT] = hits.append
        for module in self.modules:
            self.put(module, _noting(module))
        self.forget()
        yield
        for module in self.modules:
            self.put(module, module.source)
        self.forget()

    def forget(self) -> None:
        """The system is imported anew when it is next asked for."""
        for name in self._modules:
            sys.modules.pop(name, None)

    def find_spec(self, fullname: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        """How a module of the system is imported; None for any other."""
        module = self._modules.get(fullname)
        if module is None:
            return None
        package = module.file.stem == "__init__"
        return importlib.util.spec_from_loader(fullname, self, origin=str(module.file), is_package=package)

    def create_module(self, _spec: ModuleSpec) -> ModuleType | None:
        """A module as Python makes it."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Runs the code of a module."""
        vars(module).update(self._globals)
        exec(self._codes[module.__name__], vars(module))  # noqa: S102 - the project's own code, changed in one place


@contextmanager
def served(modules: Sequence[Module]) -> Iterator[Served]:
    """While it lasts the system comes from these modules."""
    before: Mapping[str, ModuleType | None] = {module.name: sys.modules.get(module.name) for module in modules}
    finder = Served(modules)
    finder.forget()
    sys.meta_path.insert(0, finder)
    try:
        yield finder
    finally:
        sys.meta_path.remove(finder)
        finder.forget()
        sys.modules.update({name: module for name, module in before.items() if module is not None})
