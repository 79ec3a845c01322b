"""What is swept: inputs of a system's duel and readings, as a grid of cells."""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.book.domains import parse_domain
from engine.duel.kits import Kits, Sweep, maker_of, read_kits
from engine.errors import CallError, InputError
from engine.formula.parse import is_question
from engine.procedures import Procedure
from engine.readings import Engine

Progress = Callable[[int, int], None]  # cells that are done, of how many

_NUMBER = re.compile(r"-?\d+(\.\d+|/\d+)?")
_RANGE = re.compile(r"-?\d*\.\.-?\d*( by \d+(/\d+)?)?")


@dataclass(frozen=True, slots=True)
class Cell:
    """One fight of a sweep: what was swept, by name, and all that it takes to solve it."""

    labels: Mapping[str, Any]
    given: Mapping[str, Any]
    readings: Mapping[str, str]


def sweep_of(
    engine: Engine,
    name: str = "",
    *,
    profile: str = "",
    varied: Sequence[str] = (),
    readings: Mapping[str, str] | None = None,
) -> tuple[Sweep, tuple[Cell, ...]]:
    """A sweep of the book by name, under its own profile or another, with more that is varied; and its cells.

    Raises `InputError` for whatever the book, the profile or the grid does not bear.
    """
    kits = read_kits(engine)
    sweep = kits.sweep(name)
    if profile and profile not in engine.book.profiles:
        raise CallError(f'no profile "{profile[:60]}"', f"one of {', '.join(engine.book.profiles)}")
    chosen = {**engine.book.profiles[profile or sweep.profile], **(readings or {})}
    for word, reading in (readings or {}).items():
        _known_reading(engine, word, reading)
    inputs = dict(sweep.inputs)
    for text in varied:
        key, values = vary(engine, text)
        inputs.pop(key, None)
        inputs[key] = values
    sweep = dataclasses.replace(sweep, inputs=inputs, profile=profile or sweep.profile)
    return sweep, tuple(_cells(engine, kits, sweep, chosen))


def _cells(engine: Engine, kits: Kits, sweep: Sweep, readings: Mapping[str, str]) -> Iterator[Cell]:
    maker = maker_of(engine.book.system)
    for values in sweep.cells():
        own = {key: value for key, value in values.items() if is_question(key)}
        given = kits.filled({key: value for key, value in values.items() if key not in own})
        maker.prepare(given, engine.book.domains)
        yield Cell({key: values[key] for key in sweep.swept}, given, {**readings, **own})


def vary(engine: Engine, text: str) -> tuple[str, tuple[Any, ...]]:
    """`stage=1..10`, `the_phach=1,2`, `foe=mid,strong`, `Q24=from-two,none-then-three` as an input and its values.

    The name of a field alone means that of the first input that has one. Raises `CallError` for what is not known.
    """
    name, equals, spec = (part.strip() for part in text.partition("="))
    if not equals or not name or not spec:
        raise CallError(f'--vary "{text[:60]}"', "write it like stage=1..10 or foe=mid,strong")
    values = values_of(name, spec)
    if is_question(name.removeprefix(f"{engine.book.prefix}-")):
        question = name.removeprefix(f"{engine.book.prefix}-")
        for value in values:
            _known_reading(engine, question, str(value))
        return question, tuple(str(value) for value in values)
    return _full_name(maker_of(engine.book.system), name), values


def _full_name(maker: Procedure, name: str) -> str:
    """The input, or input and field, that a name means."""
    if name in maker.inputs:
        return name
    owner, dot, of_owner = name.partition(".")
    fields = {key: _fields(kind) for key, kind in maker.inputs.items()}
    if dot and of_owner in fields.get(owner, ()):
        return name
    holders = [key for key, names in fields.items() if name in names]
    if not dot and holders:
        return f"{holders[0]}.{name}"
    known = [*maker.inputs, *(f"{key}.{one}" for key, names in fields.items() for one in names)]
    raise CallError(f"nothing is called {name[:60]}", f"one of {', '.join(known)}")


def _fields(kind: Any) -> tuple[str, ...]:
    kinds = [kind, *typing.get_args(kind)]
    return tuple(f.name for one in kinds if dataclasses.is_dataclass(one) for f in dataclasses.fields(one))


def values_of(name: str, spec: str) -> tuple[Any, ...]:
    """`1..10` or `mid,strong` as values. Raises `CallError` for a range that is none, or without end."""
    if _RANGE.fullmatch(spec):
        try:
            return tuple(parse_domain(name, spec).values())
        except InputError as error:
            raise CallError(f"--vary {name}={spec[:60]}: {error.problem}", error.remedy) from None
    return tuple(_value(word.strip()) for word in spec.split(","))


def _value(word: str) -> Any:
    if word in ("true", "false"):
        return word == "true"
    if _NUMBER.fullmatch(word):
        number = Fraction(word)
        return number.numerator if number.denominator == 1 else number
    return word


def _known_reading(engine: Engine, question: str, reading: str) -> None:
    known = {q.name: [r.id for r in q.readings] for q in engine.book.questions.values()}
    if question not in known:
        raise CallError(f"there is no question {question[:60]}", "write it like Q24")
    if reading not in known[question]:
        raise CallError(f'{question} has no reading "{reading[:60]}"', f"one of {', '.join(known[question]) or 'none'}")
