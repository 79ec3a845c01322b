"""Rule books for tests of formulas, written as a few lines of definitions."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.book.domains import parse_domain
from engine.book.model import Book, Property
from engine.errors import Place
from engine.formula.parse import parse
from tests.scratch import book_of


def terse_book(
    folder: Path,
    *bodies: str,
    domains: Mapping[str, object] | None = None,
    questions: Mapping[str, Sequence[str]] | None = None,
    cases: Mapping[int, str] | None = None,
) -> Book:
    """A book whose clause TT-1.N holds the N-th of `bodies`: `define: …`, `decide: …` with its rows, a table's lines.

    `cases[N]` are the lines of its cases; without, it has one that nobody looks at.
    """
    chapter = ""
    for number, body in enumerate(bodies, 1):
        written = body.strip().splitlines()
        table = "\n".join(line for line in written if line.startswith("|"))
        block = "\n".join(line for line in written if not line.startswith("|"))
        lines = (cases or {}).get(number, "- {is: 0}")
        indented = "\n".join("  " + line.strip() for line in lines.strip().splitlines())
        chapter += f"\n### TT-1.{number} Clause {number}\n\nProse.\n\n{table}\n\n```yaml\nsource: [1]\n{block}\n"
        chapter += f"cases:\n{indented}\n```\n"
    text = ""
    for name, readings in (questions or {}).items():
        listed = "\n".join(f"  - {{id: {r}, says: {r}, gives: {i}}}" for i, r in enumerate(readings))
        text += f"\n### TT-{name} Question {name}\n\nProse.\n\n```yaml\nsource: [1]\n"
        text += (f"readings:\n{listed}\n" if readings else "") + "ask: nobody\n```\n"
    return book_of(folder, chapter, domains=dict(domains or {}), questions=text)


def claim(
    book: Book,
    text: str,
    by: str,
    over: Mapping[str, str] | None = None,
    *,
    split: Mapping[str, int] | None = None,
    under: Mapping[str, str] | None = None,
    broken: Mapping[str, object] | None = None,
) -> Property:
    """A property of `book`, as `properties.md` would give it."""
    formula = parse(text)
    narrowed = {name: parse_domain(name, spec) for name, spec in (over or {}).items()}
    domains = {
        n: narrowed.get(n) or book.domains[n] for n in sorted(formula.names) if n in narrowed or n in book.domains
    }
    place = Place(book.folder / "properties.md", 1)
    return Property("TT-P1", "A claim", "", "", place, (), formula, domains, by, split or {}, under or {}, broken)
