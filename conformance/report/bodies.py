"""What a clause computes, typeset: a formula, a decision table, or what its procedure is called."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup, escape

from conformance.report.maths import mathml
from conformance.report.words import domain_words
from engine.book.domains import Domain
from engine.book.model import Book, Clause, DecisionTable, Definition, LookupTable, ProcedureName, Record
from engine.formula.latex import latex, latex_body
from engine.formula.parse import Formula
from engine.values import show

Links = Mapping[str, str]
"""Addresses by the names that formulas use."""

NO_LINKS: Links = {}


def names_in(book: Book, addresses: Mapping[str, str]) -> Links:
    """Where the names of a book's formulas stand: definitions and questions, by `addresses` of their parts."""
    found = {name: clause.id for clause in book.clauses.values() for name in _names(clause)}
    found |= {question.name: question.id for question in book.questions.values()}
    return {name: addresses[id_] for name, id_ in found.items() if id_ in addresses and name not in book.domains}


def _names(clause: Clause) -> list[str]:
    """What a clause defines."""
    if isinstance(clause.body, Record):
        # A formula shows the definitions of a record without the dot in their names.
        return [definition.name.replace(".", "_") for definition in clause.body.formulas.values()]
    return [clause.name] if clause.name else []


def body_html(book: Book, clause: Clause, links: Links = NO_LINKS) -> Markup:
    """The body of a clause as HTML. A look-up table stands in the clause's own text.

    Names in formulas become `links`, but for the clause's own.
    """
    body = clause.body
    links = {name: address for name, address in links.items() if name not in _names(clause)}
    if isinstance(body, Definition):
        return _formula(latex_body(body), links) + _inputs(book, body.params)
    if isinstance(body, DecisionTable):
        return _decision(clause, body, links) + _inputs(book, body.params)
    if isinstance(body, LookupTable):
        call = f"{body.name}({', '.join(body.params)})"
        return Markup('<p class="looked-up">The table gives <code>{}</code>.</p>').format(call) + _inputs(
            book, body.params
        )
    if isinstance(body, ProcedureName):
        return Markup('<p class="looked-up">A sequence of steps: <code>{}</code>.</p>').format(body.name)
    if isinstance(body, Record):
        return _record(book, body, links)
    return Markup("")


def claim_html(claim: Formula, links: Links = NO_LINKS) -> Markup:
    """A property's claim."""
    return mathml(latex(claim), links, block=True)


def _formula(text: str, links: Links) -> Markup:
    return Markup('<div class="formula">{}</div>').format(mathml(text, links, block=True)) if text else Markup("")


def _decision(clause: Clause, body: DecisionTable, links: Links) -> Markup:
    rows = [
        Markup('<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>').format(
            number, mathml(latex(row.when), links), mathml(latex(row.value), links)
        )
        for number, row in enumerate(body.rows, 1)
    ]
    return Markup(
        '<p class="looked-up"><code>{}({})</code> by the row that applies:</p>'
        '<div class="scroll" tabindex="0" role="group" aria-label="Decision table of {}"><table class="decision">'
        '<thead><tr><th scope="col">Row</th><th scope="col">Where</th><th scope="col">It is</th></tr></thead>'
        "<tbody>{}</tbody></table></div>"
    ).format(body.name, ", ".join(body.params), clause.id, Markup("").join(rows))


def _inputs(book: Book, params: tuple[str, ...]) -> Markup:
    entries = [_input(name, book.domains[name]) for name in params if name in book.domains]
    return (
        Markup('<ul class="inputs" aria-label="Inputs">{}</ul>').format(Markup("").join(entries))
        if entries
        else Markup("")
    )


def _input(name: str, domain: Domain) -> Markup:
    label = Markup(" ({})").format(domain.label) if domain.label not in ("", name) else Markup("")
    return Markup('<li><i class="name">{}</i>{}: {}</li>').format(name, label, domain_words(domain))


def _record(book: Book, body: Record, links: Links) -> Markup:
    rows = [
        Markup('<tr><th scope="row">{}</th><td>{}</td></tr>').format(name, show(value))
        for name, value in body.fields.items()
    ]
    rows += [
        Markup('<tr><th scope="row">{}</th><td>{}</td></tr>').format(name, mathml(latex_body(definition), links))
        for name, definition in body.formulas.items()
    ]
    params = tuple(dict.fromkeys(p for definition in body.formulas.values() for p in definition.params))
    table = Markup(
        '<div class="scroll" tabindex="0" role="group" aria-label="{} {}"><table class="record">'
        '<thead><tr><th scope="col">{}</th><th scope="col">{}</th></tr></thead><tbody>{}</tbody></table></div>'
    ).format(body.kind, body.name, body.kind, escape(body.name), Markup("").join(rows))
    return table + _inputs(book, params)
