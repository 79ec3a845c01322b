"""Templates of the pages, with everything escaped, and the small filters that they use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from conformance.report.objects import told
from conformance.report.prose import Prose
from conformance.report.words import KIND_WORDS, STATUS_WORDS, domain_words, given_words, minus, name_of, plural, shown
from conformance.results import Item
from engine.book.model import Case, Witness
from engine.values import show

TEMPLATES = Path(__file__).parent / "templates"


class _Compiled(BytecodeCache):
    """Templates that are compiled already: a page renders dozens of them, each again and again."""

    def __init__(self) -> None:
        self._known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._known:
            bucket.bytecode_from_string(self._known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key] = bucket.bytecode_to_string()


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The environment of all templates. A name that a template misspells is an error, not a blank."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
        bytecode_cache=_Compiled(),
    )
    made.filters |= {
        "show": shown,
        "minus": minus,
        "domain": domain_words,
        "plural": plural,
        "status_word": STATUS_WORDS.__getitem__,
        "kind_word": KIND_WORDS.__getitem__,
        "groupby_order": groups,
        "call_text": call_text,
        "case_text": case_text,
        "case_name": name_of,
        "expected_text": expected_text,
    }
    return made


def render(template: str, prose: Prose, **names: Any) -> Markup:
    """A template as HTML; `prose` renders the texts of the rule book in it."""
    made = environment().overlay()
    # Each overlay has filters of its own: two systems in one process must not share the ids that become links.
    made.filters = {
        **environment().filters,
        "prose": prose.blocks,
        "line": prose.line,
        "ids": prose.ids,
        "idlink": prose.link,
    }
    return Markup(made.get_template(template).render(**names))  # noqa: S704 - escaped by the template


def groups(things: Iterable[Any], name: str) -> list[tuple[Any, list[Any]]]:
    """Neighbours that share an attribute, in the order in which they stand."""
    return [(key, list(group)) for key, group in groupby(things, attrgetter(name))]


def call_text(witness: Witness) -> str:
    """A witness as a call: `level_up_dice(count = 2)`."""
    rolls = f"; rolls {', '.join(map(str, witness.rolls))}" if isinstance(witness.rolls, tuple) else ""
    inputs = f"({given_words(witness.given)}{rolls})" if witness.given or rolls else ""
    return f"{witness.call}{inputs}"


def case_text(case: Case) -> str:
    """The inputs of a case, with the rolls that were made."""
    nested = {name: value for name, value in case.given.items() if isinstance(value, Mapping) or _holds_objects(value)}
    plain = given_words({name: value for name, value in case.given.items() if name not in nested})
    rolls = "rolls " + (", ".join(map(str, case.rolls)) or "none") if case.rolls is not None else ""
    return "; ".join(part for part in (told(nested) if nested else "", plain, rolls) if part) or "no inputs"


def _holds_objects(value: Any) -> bool:
    return isinstance(value, Sequence) and any(isinstance(item, Mapping) for item in value)


def expected_text(case: Case, entry: Item | None) -> str:
    """What a case expects, as the results have it; an object in words."""
    if entry is None or not entry.expected or entry.expected == show(case.expected):
        return told(case.expected, case.given)
    return minus(entry.expected)
