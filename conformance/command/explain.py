"""`raw explain`: a part of a book or a passage, with all that hangs on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from conformance.command.common import AGREES, Books
from conformance.command.library import Library
from conformance.command.page import Page, Part, counted, page
from conformance.report.uses import Uses, clauses_in, uses_of
from engine.book.bound import Bound, bound_parts
from engine.book.files import read_raw
from engine.book.markdown import MOST_BYTES
from engine.book.model import (
    Book,
    Case,
    Clause,
    DecisionTable,
    Definition,
    LookupTable,
    Passage,
    ProcedureName,
    Property,
    Question,
    Record,
    Witness,
)
from engine.errors import BookError, Place, RawError
from engine.readings import Engine
from engine.values import canonical, show

MOST_CASES = 5


def explain(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="WA-5.4, WA-Q03, WA-P1, WA-input-level, a passage WA:14, a name such as max_mp, or a system.",
            show_default=False,
        ),
    ] = None,
    source_folder: Annotated[
        Path | None,
        typer.Option("--sources", metavar="DIR", help="Show a passage's own text from here.", show_default=False),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every case of a procedure.")] = False,
    books: Books = None,
) -> int:
    """Show a clause, a question, a property, an input or a passage, whole.

    A system's name shows what its book holds; nothing, all books.
    """
    library = Library(books)
    if what is None or what in library.folders:
        for system in [what] if what else library.folders:
            _Shown(library.book(system), page()).contents()
        return AGREES
    found = library.find(what)
    shown = _Shown(found.book, page(), every=every)
    if isinstance(found.part, Clause):
        shown.clause(found.part)
    elif isinstance(found.part, Question):
        shown.question(found.part)
    elif isinstance(found.part, Property):
        shown.property(found.part)
    elif isinstance(found.part, Bound):
        shown.declared(found.part)
    else:
        shown.passage(found.part, source_folder)
    return AGREES


def uses_in(book: Book) -> Uses:
    """Who consults what: as formulas say it, and as the cases of procedures show it."""
    names = {clause.name: clause.id for clause in book.clauses.values()}
    questions = {q.name: q.id for q in book.questions.values()}
    calls: dict[str, set[str]] = {}
    asked: dict[str, set[str]] = {}
    procedures = [clause for clause in book.clauses.values() if isinstance(clause.body, ProcedureName)]
    if procedures:
        engine = Engine(book)
        for clause in procedures:
            for case in clause.cases:
                try:
                    answer = engine.ask(case.call, case.given, rolls=case.rolls, under=case.under, traced=True)
                except RawError:
                    continue  # a wrong case is the suite's matter
                steps = {names.get(step.name, step.clause) for o in answer.outcomes for step in o.steps}
                calls.setdefault(clause.id, set()).update(step for step in steps if step in book.clauses)
                met = {questions[q] for o in answer.outcomes for q in (*o.readings, *o.consulted) if q in questions}
                asked.setdefault(clause.id, set()).update(met)
    return uses_of(book, calls, asked)


class _Shown:
    """Parts of one book on a page."""

    def __init__(self, book: Book, on: Page, *, every: bool = False) -> None:
        self._book = book
        self._every = every
        self._page = on
        self._parts: dict[str, Clause | Question | Property] = {part.id: part for part in book.parts}

    # --- the kinds of part ----------------------------------------------------------------

    def clause(self, clause: Clause) -> None:
        uses = uses_in(self._book)
        self._head(clause.id, clause.title, self._book.chapters.get(clause.chapter, clause.chapter), clause.place)
        prose = clause.prose
        if isinstance(clause.body, LookupTable):
            prose = "\n".join(line for line in prose.split("\n") if not line.lstrip().startswith("|")).strip()
        self._page.prose(prose, indent=2)
        self._body(clause)
        self._cases(clause)
        direct = uses.questions.get(clause.id, ())
        self._section("Consults", [self._question_line(q) for q in direct])
        further = [q for q in uses.consulted([clause.id]) if q not in direct]
        self._section("Consults through others", [self._question_line(q) for q in further])
        self._section("Uses", [self._title_line(c) for c in uses.calls.get(clause.id, ())])
        self._section("Used by", [self._title_line(c) for c in uses.users(clause.id)])
        speaking = [p.id for p in self._book.properties.values() if clause.id in clauses_in(self._book, p.claim)]
        self._section("Properties", [self._property_line(p) for p in speaking])
        self._passages(clause.sources)
        self._approval(clause.id)

    def question(self, question: Question) -> None:
        uses = uses_in(self._book)
        self._head(question.id, question.title, "a question of the text", question.place)
        self._page.prose(question.prose, indent=2)
        ruling = self._book.rulings.get(question.id)
        if not question.readings:
            self._section("Readings", [["none: the text lacks what it takes, so whatever needs it is unspecified"]])
        else:
            rows: list[list[Part]] = []
            for reading in question.readings:
                chosen = ruling is not None and ruling.reading == reading.id
                rows.append([(reading.id, "bold green" if chosen else "bold"), reading.says])
            self._section("Readings", rows)
        for witness in question.witnesses:
            self._witness(witness)
        direct = [c for c, asked in uses.questions.items() if question.id in asked]
        self._section("Consulted by", [self._title_line(c) for c in direct])
        reached = [c for c in uses.calls if question.id in uses.consulted([c]) and c not in direct]
        self._section("Matters through them to", [self._title_line(c) for c in reached])
        self._passages(question.sources)
        self._page.gap()
        if ruling is not None:
            self._field("Ruled", (ruling.reading, "bold green"), f", by {ruling.by} on {ruling.on}: {ruling.why}")
        elif question.readings:
            self._field("Open", f"settle it with: raw rule {question.id} READING --by NAME --why TEXT")
        self._approval(question.id)

    def property(self, prop: Property) -> None:
        self._head(prop.id, prop.title, "a property", prop.place)
        self._page.prose(prop.prose, indent=2)
        self._page.gap()
        self._field("Claim", (prop.claim.text, "bold"))
        self._domains("For every", prop.domains)
        methods = {"proof": "by proof", "enumeration": "by trying every input", "sampling": "by trying samples"}
        self._field("Judged", methods[prop.by])
        if prop.under:
            self._field("Under", ", ".join(f"{q}={r}" for q, r in prop.under.items()))
        if prop.broken is not None:
            counter = ", ".join(f"{name} = {show(value)}" for name, value in prop.broken.items())
            self._field("Known defect", f"it fails at {counter}")
        about = clauses_in(self._book, prop.claim)
        self._section("Speaks of", [self._title_line(c) for c in about])
        asked = uses_in(self._book).consulted(about)
        self._section("Which consult", [self._question_line(q) for q in asked])
        self._passages(prop.sources)
        self._page.gap()
        self._field("Run it", f"pytest conformance --system {self._book.system} -k {prop.id}")
        self._approval(prop.id)

    def declared(self, part: Bound) -> None:
        self._head(part.id, part.title, "", part.place)
        for line in part.text.split("\n"):
            self._page.line(line, indent=2, hang=4)
        self._page.gap()
        self._approval(part.id)

    def passage(self, passage: Passage, folder: Path | None) -> None:
        book = self._book
        text = _line_of_source(folder / book.source_file, passage) if folder is not None else ""
        self._head(f"{book.prefix}:{passage.number}", f"line {passage.number} of {book.source_file}", "", passage.place)
        if text:
            self._page.prose(text, indent=2)
            self._page.gap()
        if passage.informative:
            self._field("Rules nothing", passage.informative)
        claimed = book.claims().get(passage.number, [])
        self._section("Claimed by", [self._title_line(owner) for owner in claimed])
        printed: list[list[Part]] = [
            [(clause.id, "cyan"), _call(case)]
            for clause in book.clauses.values()
            for case in clause.cases
            if case.passage == passage.number
        ]
        self._section("Printed examples", printed)
        if not claimed and not passage.informative:
            self._field("Unclaimed", "cite it (`source: [" + str(passage.number) + "]`), or mark it informative")
        self._page.gap()
        self._field("SHA-256", passage.sha256)

    def contents(self) -> None:
        """The whole book, a line a part."""
        book = self._book
        self._page.line((book.system, "bold cyan"), "  ", (book.title, "bold"), hang=4)
        self._page.line((str(book.folder), "dim"))
        for stem, title in book.chapters.items():
            rows: list[list[Part]] = [
                [(clause.id, "cyan"), (clause.name or "", "dim"), clause.title]
                for clause in book.clauses.values()
                if clause.chapter == stem
            ]
            self._section(title or stem, rows)
        self._section("Questions", [self._question_line(question) for question in book.questions])
        self._section("Properties", [self._property_line(prop) for prop in book.properties])
        self._page.gap()

    # --- their parts ----------------------------------------------------------------------

    def _head(self, id_: str, title: str, chapter: str, place: Place) -> None:
        self._page.line((id_, "bold cyan"), "  ", (title, "bold"), hang=4)
        where = " · ".join(part for part in (self._book.title, chapter) if part)
        self._page.line((where, "dim"), hang=4)
        self._page.line((str(place), "dim"))
        self._page.gap()

    def _field(self, name: str, *parts: Part) -> None:
        self._page.line((f"{name}: ", "bold"), *parts, hang=4)

    def _section(self, name: str, rows: Sequence[Sequence[Part]]) -> None:
        if rows:
            self._page.gap()
            self._page.line((name, "bold"))
            self._page.table(rows, indent=2)

    def _body(self, clause: Clause) -> None:
        body = clause.body
        self._page.gap()
        if body is None:
            self._field("Nothing to compute", clause.no_case)
            return
        if isinstance(body, Definition):
            self._field("Formula", (f"{_signature(body.name, body.params)} = {body.formula.text}", "bold"))
        elif isinstance(body, DecisionTable):
            self._field("Decided by rows", (_signature(body.name, body.params), "bold"))
            rows: list[list[Part]] = [[("when", "dim"), ("gives", "dim")]]
            rows += [[row.when.text, row.value.text] for row in body.rows]
            self._page.table(rows, indent=2)
        elif isinstance(body, LookupTable):
            self._field("Looked up in a table", (_signature(body.name, body.params), "bold"))
            self._page.table(_grid(body), indent=2)
        elif isinstance(body, Record):
            self._field(body.kind.capitalize(), (body.name, "bold"))
            fields: list[list[Part]] = [[key, show(canonical(value))] for key, value in body.fields.items()]
            fields += [[f"{d.name}({', '.join(d.params)})", d.formula.text] for d in body.formulas.values()]
            self._page.table(fields, indent=2)
        else:
            self._field("Procedure", (body.name, "bold"), ", a sequence of steps: ask it to see them")
        params = getattr(body, "params", ())
        self._domains("Inputs", {name: self._book.domains[name] for name in params if name in self._book.domains})

    def _domains(self, name: str, domains: object) -> None:
        from conformance.report.words import domain_words

        assert isinstance(domains, dict)
        rows: list[list[Part]] = [
            [(key, "bold"), domain_words(domain), ", ".join(text for text in (domain.label, domain.why) if text)]
            for key, domain in domains.items()
        ]
        if rows:
            self._page.line((name, "bold"))
            self._page.table(rows, indent=2)

    def _cases(self, clause: Clause) -> None:
        if any(_is_deep(case) for case in clause.cases):
            self._deep_cases(clause)
            return
        rows: list[list[Part]] = [
            [_inputs(case), ("= " + show(canonical(case.expected)), "bold"), _reason(case)] for case in clause.cases
        ]
        self._section("Cases", rows)

    def _deep_cases(self, clause: Clause) -> None:
        """Cases whose inputs have fields of their own: each as a few lines."""
        self._page.gap()
        self._page.line(("Cases", "bold"))
        shown = clause.cases if self._every else clause.cases[:MOST_CASES]
        for case in shown:
            reason = _reason(case)
            self._page.line("• ", (case.label, "bold"), f"  line {case.place.line}", indent=2, hang=2)
            rows: list[list[Part]] = [[name, show(canonical(value))] for name, value in case.given.items()]
            if case.rolls is not None:
                rows.append(["rolls", ", ".join(map(str, case.rolls)) or "none"])
            rows.append([("gives", "bold"), (show(canonical(case.expected)), "bold")])
            if reason:
                rows.append(["why", reason])
            self._page.table(rows, indent=4)
        left = len(clause.cases) - len(shown)
        if left:
            self._page.line(f"… and {counted(left, 'more case', 'more cases')} (--all shows them)", indent=2)

    def _witness(self, witness: Witness) -> None:
        given = ", ".join(f"{name} = {show(value)}" for name, value in witness.given.items())
        self._page.gap()
        self._page.line(("Where it shows: ", "bold"), f"{witness.call}({given})" if given else witness.call, hang=4)
        rows: list[list[Part]] = [
            [f"under {reading}", (show(value), "bold")] for reading, value in witness.gives.items()
        ]
        self._page.table(rows, indent=2)
        if witness.under:
            self._page.line("with " + ", ".join(f"{q}={r}" for q, r in witness.under.items()), indent=2)

    def _passages(self, numbers: Iterable[int]) -> None:
        shown = ", ".join(f"{self._book.prefix}:{number}" for number in numbers)
        if shown:
            self._page.gap()
            self._field("Rests on passages", shown)

    def _approval(self, id_: str) -> None:
        approval = self._book.approvals.get(id_)
        if approval is None:
            self._field("Approved", ("not yet", "yellow"))
        elif approval.digest != bound_parts(self._book)[id_].digest:
            self._field("Approved", ("changed since ", "yellow"), f"{approval.by} approved it on {approval.on}")
        else:
            self._field("Approved", f"by {approval.by} on {approval.on}: {approval.why}")

    def _title_line(self, id_: str) -> list[Part]:
        part = self._parts[id_]
        return [(id_, "cyan"), part.title]

    def _question_line(self, id_: str) -> list[Part]:
        question = self._book.questions[id_]
        ruling = self._book.rulings.get(id_)
        state = f"ruled: {ruling.reading}" if ruling else "open" if question.readings else "the text lacks it"
        return [(id_, "cyan"), (state, "green" if ruling else "yellow"), question.title]

    def _property_line(self, id_: str) -> list[Part]:
        prop = self._book.properties[id_]
        return [(id_, "cyan"), f"{prop.title}{' (known defect)' if prop.broken is not None else ''}"]


def _is_deep(case: Case) -> bool:
    return any(isinstance(value, Mapping) for value in case.given.values())


def _signature(name: str, params: Sequence[str]) -> str:
    return f"{name}({', '.join(params)})" if params else name


def _grid(body: LookupTable) -> list[list[Part]]:
    rows: dict[str, list[Part]] = {}
    for key, value in body.cells.items():
        rows.setdefault(show(key[0]), [show(key[0])]).append(show(value))
    head: list[Part] = [(column, "dim") for column in body.columns]
    return [head, *rows.values()]


def _inputs(case: Case) -> str:
    parts = [f"{name} = {show(canonical(value))}" for name, value in case.given.items()]
    if case.rolls is not None:
        parts.append(f"rolls {', '.join(map(str, case.rolls))}")
    return ", ".join(parts) or "(no inputs)"


def _call(case: Case) -> str:
    return f"{case.call}: {_inputs(case)} = {show(canonical(case.expected))}"


def _reason(case: Case) -> str:
    parts = []
    if case.passage is not None:
        parts.append(f"printed in passage {case.passage}")
    if case.why:
        parts.append(case.why)
    if case.work:
        parts.append(case.work)
    if case.under:
        parts.append("if " + ", ".join(f"{q} is {r}" for q, r in case.under.items()))
    return "; ".join(parts)


def _line_of_source(file: Path, passage: Passage) -> str:
    lines = read_raw(file, MOST_BYTES, "check --sources").split(b"\n")
    if passage.number > len(lines):
        raise BookError("the source has fewer lines", "see `raw sources`", Place(file, len(lines)))
    return lines[passage.number - 1].decode("utf-8", errors="replace")
