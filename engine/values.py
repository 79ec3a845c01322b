"""Values at the seams: exact and canonical as text, typed as inputs of procedures."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from engine.book.domains import Domain
from engine.dice import Pool, parse_pool, plain
from engine.errors import CallError, DomainError, InputError, Unspecified


def canonical(value: Any) -> Any:
    """`value` in JSON's types: Fractions and pools as text ("75/2", "2d4"), dataclasses as objects.

    Raises `CallError` for a float: nothing inexact passes this seam.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Pool):
        return str(value)
    if isinstance(value, Unspecified):
        return {"unspecified": value.reference}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: canonical(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(k): canonical(v) for k, v in value.items()}
    if isinstance(value, Sequence | frozenset | set):
        items = sorted(value, key=str) if isinstance(value, frozenset | set) else value
        return [canonical(item) for item in items]
    raise CallError(f"{type(value).__name__} is no value of a rule", "whole numbers, Fractions, truth values, text")


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal and of one kind (True is not 1)."""
    if type(left) is type(right) and isinstance(left, bool | int | str | Fraction):
        return bool(left == right)
    return bool(_tagged(canonical(left)) == _tagged(canonical(right)))


def differences(expected: Any, actual: Any, path: str = "") -> list[str]:
    """Where `actual` departs from `expected`, both canonical.

    Of an object only the expected fields are compared; the word "unspecified" stands for any unspecified outcome.
    """
    if expected == "unspecified" and isinstance(actual, Mapping) and set(actual) == {"unspecified"}:
        return []
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        found = []
        for key, value in expected.items():
            where = f"{path}.{key}" if path else str(key)
            if key not in actual:
                found.append(f"{where}: expected {show(value)}, but there is no such field")
            else:
                found += differences(value, actual[key], where)
        return found
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        pairs = enumerate(zip(expected, actual, strict=True))
        return [found for i, (e, a) in pairs for found in differences(e, a, f"{path}[{i}]")]
    if _tagged(expected) == _tagged(actual):
        return []
    return [f"{path + ': ' if path else ''}expected {show(expected)}, got {show(actual)}"]


def show(value: Any) -> str:
    """A value for people: `75/2`, `true`, `hit: true, damage: 4`."""
    value = canonical(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    if isinstance(value, dict):
        if set(value) == {"unspecified"}:
            return f"unspecified ({value['unspecified']})"
        return "{" + ", ".join(f"{k}: {show(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(show(v) for v in value) + "]"
    return str(value)


def _tagged(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _tagged(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_tagged(v) for v in value]
    return (isinstance(value, bool), value)


def check_inputs(
    given: Mapping[str, Any], params: Sequence[str], domains: Mapping[str, Domain], what: str
) -> dict[str, Any]:
    """The inputs of a formula in the order of its parameters, each within its domain.

    Raises `CallError` for a missing or unknown input, `DomainError` for one outside its domain.
    """
    if given.keys() != set(params):
        missing = [p for p in params if p not in given]
        unknown = [g for g in given if g not in params]
        problem = f"{what} lacks {', '.join(missing)}" if missing else f"{what} takes no {', '.join(unknown)[:60]}"
        raise CallError(problem, f"{what}({', '.join(params)})")
    return {p: domains[p].check(given[p]) if p in domains else given[p] for p in params}


def build(kind: Any, data: Any, domains: Mapping[str, Domain], path: str) -> Any:
    """`data` as the type that a procedure declares for an input: dataclasses, tuples, numbers, words, pools.

    A field whose name has a domain must lie within it. Raises `CallError` or `DomainError` with the path.
    """
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return _union(args, data, domains, path)
    if kind is Pool:
        return _pool(data, path)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _dataclass(kind, data, domains, path)
    if origin is tuple:
        return _tuple(args, data, domains, path)
    if origin is typing.Literal:
        return _literal(args, data, path)
    if kind is Fraction:
        return Fraction(_number(data, path))
    if kind in _WORDS:
        if type(data) is not kind:
            raise CallError(f"{path} = {show(data)[:60]}", f"it takes {_WORDS[kind]}")
        return data
    raise CallError(f"{path} is declared as {kind}, which no input can be", "use dataclasses, tuples, numbers, text")


def _literal(args: tuple[Any, ...], data: Any, path: str) -> Any:
    if data not in args:
        raise DomainError(f"{path} = {show(data)[:60]}", f"one of {', '.join(map(str, args))}")
    return data


def _union(args: tuple[Any, ...], data: Any, domains: Mapping[str, Domain], path: str) -> Any:
    if data is None and type(None) in args:
        return None
    real = [a for a in args if a is not type(None)]
    return _number(data, path) if set(real) == {int, Fraction} else build(real[0], data, domains, path)


def _tuple(args: tuple[Any, ...], data: Any, domains: Mapping[str, Domain], path: str) -> tuple[Any, ...]:
    if not isinstance(data, list | tuple):
        raise CallError(f"{path} is no list", "write it as [ … ]")
    kinds = [args[0]] * len(data) if len(args) == 2 and args[1] is Ellipsis else list(args)
    if len(kinds) != len(data):
        raise CallError(f"{path} has {len(data)} entries", f"it takes {len(kinds)}")
    pairs = enumerate(zip(kinds, data, strict=True))
    return tuple(build(kind, item, domains, f"{path}[{i}]") for i, (kind, item) in pairs)


def _pool(data: Any, path: str) -> Pool:
    if isinstance(data, Pool):
        return data
    if not isinstance(data, str):
        raise CallError(f"{path} is no dice pool", 'write it like "2d4"')
    return parse_pool(data)


_WORDS = {int: "a whole number", str: "a word", bool: "true or false"}


def exact(text: str) -> int | Fraction:
    """The number that `text` writes as digits, a decimal or a fraction.

    Raises `ValueError` for anything else, and for what is longer than 60 characters or has an exponent beyond 30: a
    power of ten of any size is written in a few characters.
    """
    if len(text) > 60 or abs(int(text.lower().partition("e")[2] or 0)) > 30:
        raise ValueError(text[:60])
    try:
        return plain(Fraction(text))
    except ZeroDivisionError:
        raise ValueError(text) from None


def _number(data: Any, path: str) -> int | Fraction:
    if isinstance(data, str):
        try:
            data = exact(data)
        except ValueError:
            raise CallError(f"{path} = {data[:60]}", 'it takes a number such as 3 or "75/2"') from None
    if isinstance(data, bool) or not isinstance(data, int | Fraction):
        raise CallError(f"{path} = {show(data)[:60]}", "it takes a number")
    return plain(data)


@lru_cache(maxsize=256)
def _hints(kind: type) -> Mapping[str, Any]:
    """The types of a dataclass's fields, which do not change."""
    return typing.get_type_hints(kind)


def _dataclass(kind: type, data: Any, domains: Mapping[str, Domain], path: str) -> Any:
    if isinstance(data, kind):
        return data
    if not isinstance(data, Mapping):
        raise CallError(f"{path} is no {kind.__name__}", f"write it as {{ … }} with the fields of {kind.__name__}")
    hints = _hints(kind)
    fields = {f.name: f for f in dataclasses.fields(kind) if f.init}
    for key in data:
        if key not in fields:
            raise CallError(f"{path} has no field {str(key)[:60]}", f"its fields: {', '.join(fields)}")
    built = {}
    for name, field in fields.items():
        where = f"{path}.{name}"
        if name not in data:
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                raise CallError(f"{path} lacks {name}", f"its fields: {', '.join(fields)}")
            continue
        value = build(hints[name], data[name], domains, where)
        try:
            built[name] = domains[name].check(value) if name in domains and value is not None else value
        except DomainError as error:
            raise DomainError(f"{where}: {error.problem}", error.remedy) from None
    try:
        return kind(**built)
    except InputError as error:
        raise type(error)(f"{path}: {error.problem}", error.remedy, error.place) from None
