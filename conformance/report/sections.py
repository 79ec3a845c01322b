"""The sections of a system's page. Each is a function from a view to what a notebook's cell shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from conformance.report.addresses import chapter_pages, passages_page, places, properties_page, questions_page
from conformance.report.bodies import body_html, claim_html, names_in
from conformance.report.charts import Chart, chart_of
from conformance.report.fixed import Fixed, fixed_by
from conformance.report.pagetext import render
from conformance.report.prose import Prose
from conformance.report.uses import clauses_in
from conformance.report.view import View, plain_dict, worst
from conformance.report.words import STATUS_WORDS, WORST_FIRST, domain_words, given_words, listed, plural
from conformance.results import FAILING, Item, Status
from engine.book.model import Case, Property, Question

MOST_NEXT = 3
MOST_CHANGES = 16  # cases shown in full below a question; the others are counted by their rules


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: HTML for the site, and its figures as plain text, which is what notebooks store.

    `whole` is whether a notebook's cell shows the HTML too.
    """

    html: str
    text: str
    whole: bool

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        figures = {"text/plain": self.text}
        return {"text/html": self.html, **figures} if self.whole else figures

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class NextStep:
    """Something that waits for an operator: where it stands, what it is, and why it comes now."""

    address: str
    what: str
    why: str = ""
    question: Question | None = None

    @property
    def stop(self) -> str:
        """What ends `what` as a sentence."""
        return "" if self.what[-1] in "?.!" else "."


def glance(view: View) -> Section:
    """What holds, what is open, what is broken, and what to do next."""
    words = verdict(view.totals)
    steps = next_steps(view)
    html = _render(
        "glance.html.j2",
        view,
        verdict=words,
        steps=steps,
        known={part.id for part in view.book.parts},
        mend=[item for item in view.failing if item.what != "approval"],
        unapproved=[item for item in view.failing if item.what == "approval"],
    )
    lines = [words, *(f"{n}. {step.what}{step.stop} {step.why}".strip() for n, step in enumerate(steps, 1))]
    return Section(html, "\n".join(lines), view.html)


def verdict(totals: Mapping[Status, int]) -> str:
    """The state of a book in one or two sentences."""
    number = sum(totals.values())
    wrong = sum(totals.get(status, 0) for status in FAILING)
    parts = [f"{totals.get('conforms', 0):,} of {plural(number, 'check')} conform"]
    if wrong:
        parts.append(f"{wrong:,} must be mended")
    if totals.get("unsupported"):
        parts.append(f"{totals['unsupported']:,} are not supported by the program under test")
    if totals.get("broken"):
        parts.append(
            f"{plural(totals['broken'], 'claim')} ought to hold and {'does' if totals['broken'] == 1 else 'do'} not"
        )
    if totals.get("open"):
        parts.append(f"{plural(totals['open'], 'question')} {'is' if totals['open'] == 1 else 'are'} open")
    if totals.get("ruled"):
        parts.append(f"{plural(totals['ruled'], 'question')} {'was' if totals['ruled'] == 1 else 'were'} decided")
    start = "Text, rules and program agree wherever the text decides. " if not wrong else ""
    return f"{start}{listed(parts)}." if number else "Nothing was checked."


def next_steps(view: View, on: str | None = None) -> list[NextStep]:
    """What to do, most urgent first, with addresses as they are written on the page `on`."""
    there = places(view.book, on)
    steps = []
    failing = view.failing
    unread = [item for item in failing if item.what == "approval"]
    other = len(failing) - len(unread)
    if other:
        where = list(dict.fromkeys(item.clause for item in failing if item.what != "approval"))
        shown = ", ".join(where[:MOST_NEXT]) + (" and others" if len(where) > MOST_NEXT else "")
        steps.append(
            NextStep(
                f"{there.home}#mend",
                f"Mend {plural(other, 'check')} that {'does' if other == 1 else 'do'} not agree",
                f"In {shown}.",
            )
        )
    if unread:
        what = f"Read {plural(len(unread), 'part')} and approve or correct {'it' if len(unread) == 1 else 'them'}"
        steps.append(NextStep(f"{there.home}#unapproved", what, "No one has approved what stands there now."))
    for question in view.decisions[:MOST_NEXT]:
        impact = view.impact(question)
        cases, rules = impact.weight
        hangs = f"{plural(cases, 'worked case')} and {plural(rules, 'rule')}" if cases else plural(rules, "rule")
        steps.append(
            NextStep(
                there.at(question.id), f"Decide {question.id}: {question.title}", f"It bears on {hangs}.", question
            )
        )
    left = len(view.decisions) - MOST_NEXT
    if left > 0:
        steps.append(
            NextStep(
                f"{there.home}#decisions",
                f"Then decide {plural(left, 'other question')}",
                "They stand in the order of their weight.",
            )
        )
    if view.missing:
        steps.append(
            NextStep(
                f"{there.home}#missing",
                f"Write what the text does not say, in {plural(len(view.missing), 'place')}",
                "Until then nothing can be computed there. Each says where its readings would stand.",
            )
        )
    if view.totals.get("broken"):
        steps.append(
            NextStep(
                f"{there.home}#properties",
                f"Judge {plural(view.totals['broken'], 'known defect')}",
                "Each shows the smallest input at which it fails. A proposal mends its rule; else it stays known.",
            )
        )
    return steps


def decisions(view: View) -> Section:
    """The open questions, those on which most hangs first: a line each, and in full on the page of questions."""
    questions = view.decisions
    intro = (
        f"The text leaves {plural(len(questions), 'point')} open. Each was worked out under every reading that the text"
        " allows, and none was chosen for you. Those on which most hangs come first."
        if questions
        else "No question waits for a decision."
    )
    everything = f"{questions_page(view.book.system)}#to-decide"
    html = _render("decisions.html.j2", view, intro=intro, questions=questions, all=everything)
    html += _questions(view, "to-decide", "Decisions waiting for you", intro, questions)
    return Section(html, _question_lines(view, questions), view.html)


def missing(view: View) -> Section:
    """The questions where nothing can be computed."""
    if not view.missing:
        return Section("", "nothing is missing from the text", view.html)
    intro = "Here the text names something and does not say what it is. Nothing was made up in its place."
    html = _render("missing.html.j2", view, intro=intro, questions=view.missing)
    html += _questions(view, "to-write", "What the text does not say", intro, view.missing)
    return Section(html, _question_lines(view, view.missing), view.html)


def ruled(view: View) -> Section:
    """The questions that were decided."""
    if not view.ruled:
        return Section("", "no question has been decided yet", view.html)
    intro = "The text left these open, and an operator decided."
    html = _render("ruled.html.j2", view, intro=intro, questions=view.ruled)
    html += _questions(view, "decided", "Decided questions", intro, view.ruled)
    return Section(html, _question_lines(view, view.ruled), view.html)


def _questions(view: View, anchor: str, title: str, intro: str, questions: list[Question]) -> Markup:
    """The questions in full, for their own page."""
    if not questions:
        return Markup("")
    return _render(
        "questions.html.j2",
        view,
        questions_page(view.book.system),
        id=anchor,
        title=title,
        intro=intro,
        questions=questions,
        MOST_CHANGES=MOST_CHANGES,
        reading_item=lambda question, reading: _reading_item(view, question, reading),
        question_item=lambda question: _question_item(view, question),
        question_items=lambda question: _question_items(view, question),
    )


def _reading_item(view: View, question: Question, reading: str) -> Item | None:
    items = [item for item in view.by_part.get(question.id, ()) if item.what == "reading"]
    return next((item for item in items if item.id == f"{question.id}[{reading}]"), None)


def _question_item(view: View, question: Question) -> Item | None:
    return next((item for item in view.by_part.get(question.id, ()) if item.what == "question"), None)


def _question_items(view: View, question: Question) -> list[Item]:
    """What belongs to a question and is not said by its heading or its table: whatever does not agree."""
    shown = {item.id for r in question.readings if (item := _reading_item(view, question, r.id))}
    own = _question_item(view, question)
    if own is not None and own.status in ("open", "ruled"):
        shown.add(own.id)
    return [item for item in view.by_part.get(question.id, ()) if item.id not in shown]


def _question_lines(view: View, questions: list[Question]) -> str:
    lines = []
    for question in questions:
        impact = view.impact(question)
        readings = " | ".join(reading.id for reading in question.readings) or "no reading"
        cases, users = impact.weight
        hangs = f"cases {cases}, properties {len(view.turns(question))}, rules {users}"
        lines.append(f"{question.id}  {readings}  {hangs}")
    return "\n".join(lines) or "none"


def profiles(view: View) -> Section:
    """The named sets of readings under which some cases and claims are judged."""
    named = view.book.profiles
    if not named:
        return Section("", "no profile", view.html)
    lines = [f"{name}  {plural(len(readings), 'reading')}" for name, readings in named.items()]
    return Section(_render("profiles.html.j2", view, profiles=named), "\n".join(lines), view.html)


def rules(view: View) -> Section:
    """Every rule by chapter in a line, and on the page of its chapter with its formula, its cases and their outcome."""
    charts: dict[str, Chart | None] = {c.id: chart_of(view.engine, c) for c in view.book.clauses.values()}
    pages = chapter_pages(view.book)
    chapters = [
        {
            "id": f"chapter-{stem}",
            "title": title or stem,
            "lead": view.book.leads[stem],
            "page": pages[stem],
            "clauses": clauses,
            "status": worst(item for c in clauses for item in view.by_part.get(c.id, ())) or "conforms",
        }
        for stem, title in view.book.chapters.items()
        if (clauses := [c for c in view.book.clauses.values() if c.chapter == stem])
    ]
    html = _render("rules.html.j2", view, chapters=chapters)
    for chapter in chapters:
        linked = names_in(view.book, places(view.book, str(chapter["page"])).parts)
        html += _render(
            "chapter.html.j2",
            view,
            str(chapter["page"]),
            chapter=chapter,
            body=lambda clause, linked=linked: body_html(view.book, clause, linked),
            chart_of=lambda clause: charts[clause.id],
            finding=lambda case, item, page=str(chapter["page"]): _finding(view, case, item, page),
        )
    counted = {
        c.id: [item.status if item else "missing" for _, item in view.case_items(c)] for c in view.book.clauses.values()
    }
    lines = [f"{id_}  {_tally(statuses)}{'  chart' if charts[id_] else ''}" for id_, statuses in counted.items()]
    return Section(html, "\n".join(lines), view.html)


def _tally(statuses: list[Status]) -> str:
    counts = {status: statuses.count(status) for status in STATUS_WORDS if status in statuses}
    return ", ".join(f"{number} {STATUS_WORDS[status]}" for status, number in counts.items()) or "no case"


def properties(view: View) -> Section:
    """Every property: how it was judged, over what, and where a broken one fails."""
    if not view.book.properties:
        return Section("", "no property", view.html)
    page = properties_page(view.book.system)
    linked = names_in(view.book, places(view.book, page).parts)
    claims = [(prop, view.status(prop.id) or "missing", _judged(view, prop)) for prop in view.book.properties.values()]
    claims.sort(key=lambda claim: WORST_FIRST.index(claim[1]))
    html = _render("claims.html.j2", view, claims=claims)
    html += _render(
        "properties.html.j2",
        view,
        page,
        claim=lambda prop: claim_html(prop.claim, linked),
        method=method_words,
        proved=lambda entries: any(e.status == "conforms" and e.detail.get("method") == "proved" for e in entries),
        counterexample=counterexample,
        consulted=lambda prop: view.impacts.uses.consulted(clauses_in(view.book, prop.claim)),
        finding=lambda case, item: _finding(view, case, item, page),
    )
    lines = []
    for prop in view.book.properties.values():
        for item in view.by_part.get(prop.id, ()):
            if item.what == "property":
                at = counterexample(prop, item)
                words = [prop.id, STATUS_WORDS[item.status], method_words(prop, item), f"fails at {at}" if at else ""]
                lines.append("  ".join(word for word in words if word))
    return Section(html, "\n".join(lines), view.html)


def _judged(view: View, prop: Property) -> str:
    """How a property was judged, in short: where it fails, or over what it holds."""
    words = []
    for item in view.by_part.get(prop.id, ()):
        if item.what == "property":
            at = counterexample(prop, item)
            proved = item.status == "conforms" and item.detail.get("method") == "proved"
            words.append(f"Fails at {at}." if at else "Proved." if proved else method_words(prop, item))
    return " ".join(words)


def method_words(prop: Property, item: Item) -> str:
    """How a property was judged, in a sentence."""
    points = item.detail.get("points")
    number = points if isinstance(points, int) else 0
    if item.status in FAILING:
        return f"{STATUS_WORDS[item.status].capitalize()}: see below."
    if item.status == "broken":
        return "It ought to hold, and is known not to."
    method = item.detail.get("method", "")
    over = listed([f"{name} ({domain_words(domain)})" for name, domain in prop.domains.items()])
    if method == "proved":
        return f"Proved for every {over}." if over else "Proved."
    if method == "checked":
        return f"Checked at every one of {number:,} points." if number != 1 else "Checked at its one point."
    if method == "sampled":
        return f"Sampled at {number:,} points without finding a counterexample. That is no proof."
    return "Holds."


def counterexample(prop: Property, item: Item) -> str:
    """Where a property fails, in words; nothing where it holds."""
    if item.status in ("conforms", "open", "ruled"):
        return ""
    found = plain_dict(item.detail.get("counterexample"))
    if not found and item.status == "broken":
        found = dict(prop.broken or {})
    under = plain_dict(item.detail.get("readings"))
    where = given_words(found)
    if under:
        where += " under " + ", ".join(f"{question} {reading}" for question, reading in under.items())
    return where


def passages(view: View) -> Section:
    """Which passage is claimed by what, and the checks of the book as a whole."""
    claims = view.book.claims()
    claimed = sum(bool(owners) for owners in claims.values())
    silent = sum(bool(view.book.passages[number].informative) for number, owners in claims.items() if not owners)
    text = (
        f"{len(claims)} passages: {claimed} claimed, {silent} rule nothing, {len(claims) - claimed - silent} unclaimed"
    )
    own = {f"{view.book.prefix}-passage-{number}": number for number in claims}
    by_passage = {own[item.clause]: item for item in view.loose_items if item.clause in own}
    whole = [item for item in view.loose_items if item.clause not in own]
    page = passages_page(view.book.system)
    html = _render("whole.html.j2", view, whole=whole, passages=page, text=text)
    html += _render("passages.html.j2", view, page, by_passage=by_passage, text=text)
    return Section(html, text, view.html)


def _finding(view: View, case: Case | None, item: Item, on: str | None = None) -> Markup:
    """An item that does not conform, in full; its row carries its id already."""
    copy = item.model_copy(update={"case": "" if case else item.case})
    return _render("finding.html.j2", view, on, entry=copy)


def _render(template: str, view: View, on: str | None = None, **names: Any) -> Markup:
    """A template for the page `on`: the book's own where None is said."""
    tidy: Callable[[str], str] = view.tidy
    ids = {question.name: question.id for question in view.book.questions.values()}
    there = places(view.book, on)

    def fixed(under: Mapping[str, str]) -> Fixed:
        return fixed_by(view.book, under)

    def profile_id(name: str) -> str:
        return f"profile-{list(view.book.profiles).index(name) + 1}"

    names |= {
        "fixed": fixed,
        "profile_id": profile_id,
        "question_ids": ids,
        "home": there.home,
        "sources": there.passages,
        "page": on,
    }
    return render(template, Prose(there.parts), view=view, tidy=tidy, **names)
