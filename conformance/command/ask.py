"""`raw ask`: what the rules make of a call, and how they get there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import Annotated, Any

import typer

from conformance.command import given as typed
from conformance.command.common import AGREES, UNSETTLED, Books, Json
from conformance.command.grouped import Group, grouped
from conformance.command.library import Library, suggest
from conformance.command.page import Page, Part, page
from conformance.command.worked import worked
from engine.book.model import Book, Clause, Definition
from engine.errors import CallError, ScriptError, Unspecified
from engine.readings import Answer, Engine, Outcome
from engine.run import Step
from engine.values import canonical, show

MOST_STEPS = 60
MOST_WAYS = 8
MOST_IDLE = 3


def ask(
    call: Annotated[str, typer.Argument(metavar="CALL", help="SYSTEM.NAME, a NAME or a clause's id.")],
    inputs: Annotated[list[str] | None, typer.Argument(metavar="INPUT=VALUE", show_default=False)] = None,
    rolls: Annotated[
        str | None, typer.Option(metavar="14,3", help="What the dice showed, in order.", show_default=False)
    ] = None,
    reading: Annotated[
        list[str] | None,
        typer.Option(metavar="Q07=half-up", help="Take this reading of a question.", show_default=False),
    ] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="Take the readings of a profile.", show_default=False)
    ] = None,
    books: Books = None,
    as_json: Json = False,
) -> int:
    """Say what the rules make of a call, step by step.

    Values are exact: 4, 37.5, 75/2, words, true, 2d4+1d6, and for procedures
    JSON objects such as hero='{"HP": 12}', or their fields: hero.HP=12.

    Where the text leaves a point open, every reading of it is worked out.
    """
    library = Library(books)
    book, name = _callable(library, call)
    under = typed.readings(book, reading or (), profile)
    script = typed.rolls(rolls)
    values = typed.inputs(inputs or (), book.domains)
    answer = _answer(Engine(book), name, values, script, under)
    if as_json:
        _print_json(book, name, values, script, under, answer)
    else:
        _Shown(book, page()).answer(_call_text(name, values), under, answer)
    return AGREES if answer.settled else UNSETTLED


def _callable(library: Library, call: str) -> tuple[Book, str]:
    found = library.find(call)
    if not isinstance(found.part, Clause):
        raise CallError(f"{call[:60]} cannot be computed", f"see `raw explain {call[:60]}`")
    if found.part.name is None:
        raise CallError(f"{found.part.id} defines nothing to compute ({found.part.no_case})", "ask for another clause")
    return found.book, found.part.name


def _answer(
    engine: Engine,
    name: str,
    values: Mapping[str, Any],
    script: tuple[int, ...] | None,
    under: Mapping[str, str],
) -> Answer:
    params = engine.params[name] if name in engine.params else tuple(engine.procedures[name].inputs)
    for given in values:
        if given not in params:
            known = f"it takes {', '.join(params)}" if params else "it takes no inputs"
            close = suggest(given, params) if params else known
            raise CallError(f"{name} takes no {given[:60]}", close if close.startswith("did") else known)
    if script and name in engine.params:
        raise CallError(f"{name} rolls no dice", "leave --rolls out")
    try:
        return engine.ask(name, values, rolls=script, under=under, traced=True)
    except ScriptError as error:
        # Where readings throw different dice, no one script fits all of them.
        other = ", or fix a reading with --reading" if error.problem.startswith("under ") else ""
        raise ScriptError(error.problem, f"{error.remedy} in --rolls{other}", error.place) from None
    except CallError as error:
        if error.problem == "this call needs rolls":
            raise CallError(f"{name} needs to know what the dice showed", "add --rolls, like --rolls 14,3") from None
        raise


def _call_text(name: str, values: Mapping[str, Any]) -> str:
    return name + (f"({', '.join(f'{k} = {show(v)}' for k, v in values.items())})" if values else "")


def number_words(value: Any) -> str:
    """A value for people; beside a fraction, what it is in decimals or as whole and rest: `75/2 (37.5)`."""
    text = show(value)
    if not isinstance(value, Fraction):
        return text
    denominator = value.denominator
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
    if denominator == 1 and value.denominator <= 10**6:
        places = next(n for n in range(1, 25) if 10**n % value.denominator == 0)
        whole, rest = divmod(abs(value.numerator) * 10**places // value.denominator, 10**places)
        return f"{text} ({'-' if value < 0 else ''}{whole}.{rest:0{places}d})"
    whole, rest = divmod(abs(value.numerator), value.denominator)
    return f"{text} ({'-' if value < 0 else ''}{whole} and {rest}/{value.denominator})" if whole else text


class _Shown:
    """An answer on a page."""

    def __init__(self, book: Book, on: Page) -> None:
        self._book = book
        self._page = on
        self._questions = {q.name: q for q in book.questions.values()}

    def answer(self, call: str, under: Mapping[str, str], answer: Answer) -> None:
        first = answer.outcomes[0]
        if answer.settled:
            self._settled(call, under, answer)
        elif all(isinstance(outcome.value, Unspecified) for outcome in answer.outcomes):
            self._unspecified(call, under, answer)
        else:
            self._undetermined(call, under, answer)
            return
        self._steps(first)

    def _headline(self, call: str, *parts: Part) -> None:
        self._page.line((call, "bold"), *parts, hang=4)

    def _settled(self, call: str, under: Mapping[str, str], answer: Answer) -> None:
        value = answer.outcomes[0].value
        if isinstance(canonical(value), dict):
            self._headline(call, " gives")
            rows: list[list[Part]] = [[k, (show(v), "bold green")] for k, v in canonical(value).items()]
            self._page.table(rows, indent=2)
        else:
            self._headline(call, " = ", (number_words(value), "bold green"))
        self._under(under, answer)
        self._consulted(answer)

    def _under(self, under: Mapping[str, str], answer: Answer) -> None:
        """The readings taken, of those that the call met; a profile chooses many that it does not."""
        met = answer.consulted.keys() & under.keys()
        for name in (name for name in under if name in met):
            question = self._questions[name]
            says = next(r.says for r in question.readings if r.id == under[name])
            self._page.line(f"taking {question.id} as {under[name]}: {says}", indent=2, hang=2)
        idle = [self._questions[name].id for name in under if name not in met]
        if idle:
            shown = ", ".join(idle) if len(idle) <= MOST_IDLE else f"{len(idle)} other questions"
            self._page.line(f"nothing here asks {shown}", indent=2, hang=2)

    def _consulted(self, answer: Answer) -> None:
        """Which open questions were met without a difference, and which rulings decided."""
        met = answer.consulted
        open_ones = [self._questions[q].id for o in answer.outcomes for q in o.readings if q in self._questions]
        if open_ones:
            names = ", ".join(dict.fromkeys(open_ones))
            self._page.line(f"the same under every reading of {names}", indent=2, hang=2)
        for name, reading in met.items():
            ruling = self._book.rulings.get(self._questions[name].id) if name in self._questions else None
            if ruling is not None and ruling.reading == reading:
                self._page.line(
                    f"{ruling.question} is ruled: {reading}, by {ruling.by} on {ruling.on}", indent=2, hang=2
                )

    def _steps(self, outcome: Outcome, indent: int = 2, leave: AbstractSet[object] = frozenset()) -> None:
        """The steps that led to an outcome, but those to `leave` out."""
        steps = [step for step in outcome.steps if _key(step) not in leave]
        if not steps:
            return
        if not leave:
            self._page.gap()
        readings = {**self._book.ruled, **outcome.consulted}
        shallowest = min(step.depth for step in steps)
        for step in steps[:MOST_STEPS]:
            self._step(step, readings, indent + 2 * (step.depth - shallowest))
        left = len(steps) - MOST_STEPS
        if left > 0:
            self._page.line(f"… and {left} more steps (--json has them all)", indent=indent)

    def _step(self, step: Step, readings: Mapping[str, str], indent: int) -> None:
        clause = self._book.clauses.get(step.clause)
        title: list[Part] = []
        if clause is not None:
            title = [(clause.id, "cyan"), (f" {clause.title}: ", "dim")]
        elif step.clause:
            title = [(step.clause, "cyan"), ": "]
        body = clause.body if clause is not None else None
        how = ""
        if isinstance(body, Definition) and body.name == step.name:
            how = worked(body.formula, step.given, readings)
        shown = _call_text(step.name, step.given)
        between = f" = {how} = " if how and how != show(step.value) else " = "
        self._page.line("• ", *title, shown, between, (number_words(step.value), "bold"), indent=indent, hang=4)

    def _unspecified(self, call: str, under: Mapping[str, str], answer: Answer) -> None:
        self._headline(call, " is ", ("unspecified", "bold yellow"), ": the text lacks what it takes")
        self._under(under, answer)
        for reference, why in dict.fromkeys((o.value.reference, o.value.why) for o in answer.outcomes):
            self._page.gap()
            self._missing(reference, why)

    def _missing(self, reference: str, why: str) -> None:
        question, clause = self._book.questions.get(reference), self._book.clauses.get(reference)
        if question is not None:
            self._page.line((question.id, "cyan"), f" {question.title}", indent=2, hang=4)
            self._page.prose(question.prose, indent=4)
        elif clause is not None:
            self._page.line((clause.id, "cyan"), f" {clause.title}: {why}", indent=2, hang=4)
        else:
            self._page.line((reference, "cyan"), f": {why}", indent=2, hang=4)

    def _undetermined(self, call: str, under: Mapping[str, str], answer: Answer) -> None:
        known = {name: [r.id for r in q.readings] for name, q in self._questions.items()}
        groups = grouped(answer.outcomes, known)
        self._headline(
            call, " is ", ("undetermined", "bold yellow"), f": the text leaves room for {len(groups)} answers"
        )
        self._under(under, answer)
        alike, fields = _fields([group.value for group in groups])
        shared = set.intersection(*({_key(step) for step in group.example.steps} for group in groups))
        for group, own in zip(groups, fields, strict=True):
            self._page.gap()
            self._group(group, own)
            self._steps(group.example, indent=4, leave=shared)
        if alike:
            self._page.gap()
            self._page.line("the same in all of them", indent=2)
            self._page.table([[name, value] for name, value in alike.items()], indent=4)
        if shared:
            self._page.gap()
            self._page.line("on the way to all of them", indent=2)
            first = groups[0].example
            self._steps(first, indent=4, leave={_key(step) for step in first.steps} - shared)
        self._legend(groups)
        decisive = next((q for g in groups for way in g.ways for q in way if q in self._questions), None)
        if decisive is not None:
            question = self._questions[decisive]
            self._page.gap()
            self._page.line(
                f"To settle it: raw rule {question.id} READING --by NAME --why TEXT"
                f"  (to try one: --reading {decisive}={question.readings[0].id})",
                hang=4,
            )

    def _group(self, group: Group, own: Mapping[str, str]) -> None:
        ways = [" and ".join(self._choice(q, r) for q, r in way.items()) or "otherwise" for way in group.ways]
        shown = [ways[0], *(f"or {way}" for way in ways[1:MOST_WAYS])]
        if len(ways) > MOST_WAYS:
            shown.append(f"or in {len(ways) - MOST_WAYS} more combinations (--json has them all)")
        if own:
            self._page.line("where ", shown[0], indent=2, hang=4)
        else:
            value = group.value
            text = f"unspecified ({value.reference} {value.why})" if isinstance(value, Unspecified) else ""
            self._page.line((text or number_words(value), "bold"), "  where ", shown[0], indent=2, hang=4)
        for way in shown[1:]:
            self._page.line(way, indent=6, hang=4)
        self._page.table([[name, (value, "bold")] for name, value in own.items()], indent=4)

    def _choice(self, name: str, reading: str) -> str:
        question = self._questions.get(name)
        return f"{name} is {reading}" if question is not None else f"{reading} of the table in {name} applies"

    def _legend(self, groups: list[Group]) -> None:
        """The questions that decide, each with its readings as sentences."""
        names = dict.fromkeys(q for group in groups for way in group.ways for q in way)
        for name in names:
            question = self._questions.get(name)
            if question is None:
                continue
            self._page.gap()
            self._page.line((question.id, "cyan"), f" {question.title}", hang=4)
            rows: list[list[Part]] = [[(r.id, "bold"), r.says] for r in question.readings]
            self._page.table(rows, indent=2)


def _key(step: Step) -> tuple[object, ...]:
    return (step.name, step.clause, _call_text(step.name, step.given), show(step.value))


def _fields(values: Sequence[Any]) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Of outcomes with fields: the fields that are alike in all, and for each outcome its others."""
    if any(isinstance(value, Unspecified) or not isinstance(canonical(value), dict) for value in values):
        return {}, [{} for _ in values]
    flat = [_flat(canonical(value)) for value in values]
    alike = {k: v for k, v in flat[0].items() if all(other.get(k) == v for other in flat[1:])}
    return alike, [{k: v for k, v in fields.items() if k not in alike} for fields in flat]


def _flat(value: Mapping[str, Any], path: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, inner in value.items():
        found |= _flat(inner, f"{path}{key}.") if isinstance(inner, dict) and inner else {f"{path}{key}": show(inner)}
    return found


def _print_json(
    book: Book,
    name: str,
    values: Mapping[str, Any],
    script: tuple[int, ...] | None,
    under: Mapping[str, str],
    answer: Answer,
) -> None:
    import json

    if answer.settled:
        status = "answered"
    else:
        missing = all(isinstance(outcome.value, Unspecified) for outcome in answer.outcomes)
        status = "unspecified" if missing else "undetermined"
    named = {q.name: q for q in book.questions.values()}
    met = dict.fromkeys(q for o in answer.outcomes for q in (*o.readings, *o.consulted) if q in named)
    print(
        json.dumps(
            {
                "system": book.system,
                "call": name,
                "given": canonical(values),
                "rolls": None if script is None else list(script),
                "under": dict(under),
                "status": status,
                "value": canonical(answer.outcomes[0].value) if status != "undetermined" else None,
                "outcomes": [
                    {
                        "readings": dict(outcome.readings),
                        "value": canonical(outcome.value),
                        "steps": [_step_data(step) for step in outcome.steps],
                    }
                    for outcome in answer.outcomes
                ],
                "questions": [
                    {
                        "id": named[q].id,
                        "title": named[q].title,
                        "readings": {r.id: r.says for r in named[q].readings},
                        "ruled": book.ruled.get(q),
                    }
                    for q in met
                ],
            },
            ensure_ascii=False,
            indent=2,
        )
    )


def _step_data(step: Step) -> dict[str, Any]:
    return {
        "name": step.name,
        "clause": step.clause,
        "given": canonical(step.given),
        "value": canonical(step.value),
        "depth": step.depth,
    }
