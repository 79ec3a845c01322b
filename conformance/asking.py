"""Asking the engine under test: the built-in one, or a program behind the adapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from conformance.checks import crash
from engine.errors import InputError, Undetermined, Unsettled, Unspecified
from engine.readings import Engine
from engine.run import Step
from engine.values import canonical, show

MOST_STEPS = 60
MOST_TEXT = 300


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. `value` is canonical; `text` is the reason where there is no value.

    `fault` says whose an error is: a bad book's ("rule book") or a bad program's ("engine under test").
    """

    kind: Literal["value", "open", "unsupported", "error"]
    value: Any = None
    text: str = ""
    error: Unsettled | None = None
    fault: Literal["rule book", "engine under test"] = "engine under test"


class UnderTest(Protocol):
    """A program that answers calls."""

    name: str

    def ask(
        self,
        system: str,
        call: str,
        given: Mapping[str, Any],
        rolls: Sequence[int] | None,
        readings: Mapping[str, str],
    ) -> Reply:
        """The answer to one call under the given readings. Never raises for what the program does."""


def ask_built_in(
    engine: Engine, call: str, given: Mapping[str, Any], rolls: Sequence[int] | None, under: Mapping[str, str]
) -> Reply:
    """The built-in engine's answer; what the text leaves open comes back as "open", with the exception."""
    try:
        return Reply("value", canonical(engine.ask(call, given, rolls=rolls, under=under).value))
    except Unspecified as missing:
        return Reply("value", canonical(missing), error=missing)
    except Undetermined as conflict:
        return Reply("open", text=by_reading(conflict), error=conflict)
    except InputError as error:
        return Reply("error", text=str(error), fault="rule book")
    except Exception as error:  # noqa: BLE001 - a procedure may raise anything
        return Reply("error", text=crash(error))


def by_reading(conflict: Undetermined) -> str:
    """`Q05=half-up: 10; Q05=half-down: 9`, bounded."""
    rows = []
    for readings, value in conflict.values[:8]:
        choice = ", ".join(f"{q}={r}" for q, r in readings.items()) or "any reading"
        rows.append(f"{choice}: {brief(value)}")
    more = f"; and {len(conflict.values) - 8} more" if len(conflict.values) > 8 else ""
    return "; ".join(rows) + more


def steps_of(
    engine: Engine, call: str, given: Mapping[str, Any], rolls: Sequence[int] | None, under: Mapping[str, str]
) -> tuple[str, ...]:
    """How the rule book gets to its answer, one line a step; nothing where it gets to none."""
    try:
        answer = engine.ask(call, given, rolls=rolls, under=under, traced=True)
    except Exception:  # noqa: BLE001 - the failure itself is reported by the item
        return ()
    lines: list[str] = []
    for outcome in answer.outcomes[:4]:
        if len(answer.outcomes) > 1:
            lines.append("under " + (", ".join(f"{q}={r}" for q, r in outcome.readings.items()) or "any reading") + ":")
        lines += [step_line(step) for step in outcome.steps]
    return tuple(lines[:MOST_STEPS]) + ((f"… and {len(lines) - MOST_STEPS} more",) if len(lines) > MOST_STEPS else ())


def step_line(step: Step) -> str:
    """One step for people: `WA-5.4  attack_test(d20 = 14, level = 1) = 18`."""
    given = ", ".join(f"{name} = {brief(value)}" for name, value in step.given.items())
    call = f"{step.name}({given})" if given else step.name
    clause = f"{step.clause}  " if step.clause else ""
    return "  " * step.depth + f"{clause}{call} = {brief(step.value)}"


def brief(value: Any) -> str:
    """A value for people, of bounded length; anything that is no value of a rule by its own name."""
    try:
        text = show(value)
    except InputError:
        text = str(value)
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 1] + "…"


def inputs(given: Mapping[str, Any], rolls: Sequence[int] | None = None, under: Mapping[str, str] | None = None) -> str:
    """The inputs of a call for people."""
    parts = [f"{name} = {brief(value)}" for name, value in given.items()]
    if rolls is not None:
        parts.append("rolls " + (", ".join(map(str, rolls)) or "none"))
    if under:
        parts.append("under " + ", ".join(f"{q}={r}" for q, r in under.items()))
    return ", ".join(parts)
