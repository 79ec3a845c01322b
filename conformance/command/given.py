"""What the operator types as inputs, rolls and readings, as exact values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from conformance.command.common import split_choice
from conformance.command.library import suggest
from engine.book.blocks import read_scalar
from engine.book.domains import Choice, Domain
from engine.book.model import Book
from engine.errors import CallError, InputError
from engine.values import exact

MOST_CHARACTERS = 20_000
MOST_DEPTH = 12


def inputs(pairs: Sequence[str], domains: Mapping[str, Domain]) -> dict[str, Any]:
    """`MAG=4`, `hit_dice=2d4+1d6`, `hero={"HP": 12}` and `hero.HP=12` as inputs by name.

    Raises `CallError` for a pair that is none and for a name that is given twice.
    """
    given: dict[str, Any] = {}
    for pair in pairs:
        path, equals, text = pair.partition("=")
        if not equals or not path.strip():
            raise CallError(f'"{pair[:60]}" is no input', "write inputs like MAG=4")
        if len(text) > MOST_CHARACTERS:
            raise CallError(f"{path[:60]} of {len(text)} characters", f"at most {MOST_CHARACTERS}")
        *outer, name = path.strip().split(".")
        level = given
        for key in outer:
            level = level.setdefault(key, {})
            if not isinstance(level, dict):
                raise CallError(f"{path[:60]} is given twice", "give each input once")
        if name in level:
            raise CallError(f"{path[:60]} is given twice", "give each input once")
        level[name] = value_of(text.strip(), domains.get(name), path.strip())
    return given


def value_of(text: str, domain: Domain | None, name: str) -> Any:
    """One value: a word of the domain, an exact number, a truth value, a JSON object or list, else the text."""
    if isinstance(domain, Choice) and text in domain.words:
        return text
    if text[:1] in ("{", "["):
        return _json(text, name)
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1]
    try:
        value = read_scalar(text)
    except InputError as error:
        raise CallError(f"{name}: {error.problem}", error.remedy) from None
    if value is None:
        raise CallError(f"{name} has no value", f"write it like {name}=4")
    return value


def _json(text: str, name: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise CallError(f"{name} holds a key twice", "keep one")
        return found

    def figure(digits: str) -> int | Fraction:
        try:
            return exact(digits)
        except ValueError:
            raise CallError(f"{name} holds {digits[:60]}", "a number in digits") from None

    def refuse(word: str) -> Any:
        raise CallError(f"{name} holds {word}", "a number in digits")

    try:
        return json.loads(text, parse_float=figure, parse_constant=refuse, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise CallError(f"{name} is no JSON ({error})", f"""quote it for the shell: {name}='{{"HP": 12}}'""") from None


def rolls(text: str | None) -> tuple[int, ...] | None:
    """`14,3` as a script of rolls. Raises `CallError` for anything but whole numbers."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",") if part.strip()]
    for part in parts:
        if not (part.isascii() and part.isdigit() and len(part) < 10):
            raise CallError(f'--rolls holds "{part[:60]}"', "what each die showed, in order: --rolls 14,3")
    return tuple(int(part) for part in parts)


def readings(book: Book, chosen: Sequence[str], profile: str | None) -> dict[str, str]:
    """The readings that a call is made under: those of the profile for questions without a ruling, then `chosen`.

    Raises `CallError` for an unknown profile, question or reading, and for a question that is chosen twice.
    """
    under: dict[str, str] = {}
    if profile is not None:
        if profile not in book.profiles:
            raise CallError(f"{book.system} has no profile {profile[:60]}", suggest(profile, book.profiles))
        under = {q: r for q, r in book.profiles[profile].items() if q not in book.ruled}
    questions = {q.name: q for q in book.questions.values()}
    seen: set[str] = set()
    for choice in chosen:
        question, reading = split_choice(choice, "--reading")
        name = question.removeprefix(f"{book.prefix}-")
        if name not in questions:
            raise CallError(f"{book.system} has no question {question[:60]}", suggest(name, questions))
        known = [r.id for r in questions[name].readings]
        if reading not in known:
            raise CallError(f'{name} has no reading "{reading[:60]}"', suggest(reading, known))
        if name in seen:
            raise CallError(f"{name} is chosen twice", "choose one reading of each question")
        seen.add(name)
        under[name] = reading
    return under
