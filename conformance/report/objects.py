"""Objects for people: `hero: M 935, SP 1600; friend inspired: passed 0` in place of nested brackets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from conformance.report.words import shown
from engine.values import canonical

NAMES = ("name", "target")


class _Sign:
    """What no object holds."""


MISSING: Final = _Sign()
PRESENT: Final = _Sign()

Path = tuple[str, ...]
"""The way to a value within an object, in words: `("results", "chance")`, `("hero", "HP")`."""


def told(value: Any, guide: Any = None) -> str:
    """A value for people. `guide` is an object of the same build that has the names which `value` leaves out."""
    return tell(spread([value], guide), 0) or "nothing"


def spread(values: Sequence[Any], guide: Any = None) -> dict[Path, list[Any]]:
    """What the values hold, side by side: for each path the value of each, or `MISSING`.

    What has a name stands under it alone, whatever the way there; where only some of the values have somebody, the path
    is the name, and its value `PRESENT`.
    """
    found: dict[Path, list[Any]] = {}
    _spread([value if value is MISSING else canonical(value) for value in values], canonical(guide), (), (), found)
    return found


def tell(leaves: Mapping[Path, Sequence[Any]], at: int, paths: Sequence[Path] | None = None) -> str:
    """What the value number `at` has on these paths; on all that it has where None is said."""
    chosen = [path for path in leaves if leaves[path][at] is not MISSING] if paths is None else paths
    if [*chosen] == [()]:
        return _thing(leaves[()][at])
    parts = []
    for owner, group in groupby(chosen, lambda path: path[:-1]):
        found = [(path[-1], leaves[path][at]) for path in group]
        words = ", ".join(_field(key, value) for key, value in found if not (key in NAMES and value in owner))
        parts.append(": ".join(part for part in (" ".join(owner), words) if part))
    return "; ".join(parts)


def _field(key: str, value: Any) -> str:
    if value is PRESENT or value is MISSING:
        return key if value is PRESENT else f"no {key}"
    return f"{key} {_thing(value)}"


def _spread(values: list[Any], guide: Any, owner: Path, path: Path, found: dict[Path, list[Any]]) -> None:
    there = [value for value in values if value is not MISSING]
    if there and all(isinstance(value, dict) for value in there):
        for key in dict.fromkeys(key for value in there for key in value):
            inner = guide.get(key) if isinstance(guide, dict) else None
            parts = [MISSING if value is MISSING else value.get(key, MISSING) for value in values]
            _spread(parts, inner, owner, (*path, key), found)
    elif there and all(_is_rows(value) for value in there) and any(there):
        _spread_rows(values, guide if _is_rows(guide) else [], owner, path, found)
    else:
        found[path] = values


def _spread_rows(values: list[Any], guide: list[Any], owner: Path, path: Path, found: dict[Path, list[Any]]) -> None:
    lists = [value for value in values if value is not MISSING]
    named = [MISSING if value is MISSING else _by_name(value, guide) or _by_place(value, lists) for value in values]
    if None not in named:
        guides = _by_name(guide, []) or {}
        for name in dict.fromkeys(name for rows in named if isinstance(rows, dict) for name in rows):
            parts = [rows.get(name, MISSING) if isinstance(rows, dict) else MISSING for rows in named]
            own = (*owner, name)
            if any(isinstance(rows, dict) and name not in rows for rows in named):
                found[own] = [part if part is MISSING else PRESENT for part in parts]
            else:
                _spread(parts, guides.get(name), own, own, found)
    elif len({len(each) for each in lists}) == 1:
        for at in range(len(lists[0])):
            way = (*path[:-1], f"{path[-1]} {at + 1}") if len(lists[0]) > 1 else path
            inner = guide[at] if at < len(guide) else None
            _spread([MISSING if value is MISSING else value[at] for value in values], inner, owner, way, found)
    else:
        found[path] = values


def _by_name(rows: list[Any], guide: list[Any]) -> dict[str, Any] | None:
    """The rows by their names, their own or those of the same places in `guide`; None where these do not tell."""
    found: dict[str, Any] = {}
    for at, row in enumerate(rows):
        known = {**(guide[at] if at < len(guide) else {}), **row}
        name = next((str(known[key]) for key in NAMES if known.get(key)), "")
        if not name or name in found:
            return None
        found[name] = row
    return found


def _by_place(rows: list[Any], lists: Sequence[list[Any]]) -> dict[str, Any] | None:
    """The rows by the names that others have at their places."""
    others = (_by_name(rows, other) for other in lists if len(other) == len(rows))
    return next((found for found in others if found is not None), None)


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _thing(value: Any) -> str:
    """A value within an object."""
    if isinstance(value, dict):
        rest = ", ".join(f"{key} {_thing(inner)}" for key, inner in value.items() if key != "name")
        name = str(value.get("name", ""))
        return f"{name} ({rest})" if name and rest else name or rest or "nothing"
    if isinstance(value, list):
        if any(isinstance(item, dict) for item in value):
            return "; ".join(map(_thing, value))
        return ", ".join(map(shown, value)) or "none"
    return "none" if value == "" else shown(value)
