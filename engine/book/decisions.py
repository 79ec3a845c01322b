"""What was decided about a proposal, and whether that still is what was judged."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from engine.book.bound import bound_parts
from engine.book.digests import proposal_digest
from engine.book.ids import by_number
from engine.book.markdown import read_text
from engine.book.model import Book, Decision, Property, Proposal
from engine.book.proposals import apply_proposals, followed_by, proposal_of
from engine.book.registers import read_fights

ADOPTED = "adopted"


@dataclass(frozen=True, slots=True)
class State:
    """What holds of a proposal: its last decision, if the text that was judged still stands.

    `word` is "approved", "rejected", "withdrawn" or "undecided"; `stale` is the decision that fits no more, `edited`
    whether it does so because of the proposal's own text (else what it touches or follows has changed).
    """

    word: str
    decision: Decision | None = None
    stale: Decision | None = None
    edited: bool = False

    def __str__(self) -> str:
        if self.stale is not None:
            what = "edited" if self.edited else "what it touches changed"
            return f"undecided again ({what} since it was {self.stale.kind} on {self.stale.on})"
        if self.decision is None:
            return self.word
        return f"{self.word} by {self.decision.by} on {self.decision.on}"


def state_of(book: Book, proposal: Proposal) -> State:
    """The state of an open proposal. Raises `BookError` where it does not fit the book."""
    last = next((d for d in reversed(book.decisions) if d.about == proposal.name), None)
    if last is None:
        return State("undecided")
    if last.digest != judged_digest(book, proposal.name):
        return State("undecided", stale=last, edited=last.text != proposal_digest(proposal))
    return State(last.kind, last)


def judged_digest(book: Book, name: str) -> str:
    """SHA-256 over exactly what is judged with a proposal.

    Its own text, the present text of each part that it touches or promises (as the open proposals that it follows
    leave it), and the texts of the proposals that it follows, open or adopted.
    """
    proposal = proposal_of(book, name)
    before = followed_by(book, name)
    lines = [f"proposal {name} {proposal_digest(proposal)}"]
    lines += [f"follows {other} {_text_digest(book, other)}" for other in sorted({*before, *proposal.follows})]
    ground = apply_proposals(book, before) if before else book
    parts = bound_parts(ground)
    for touched in sorted(proposal.touches | set(proposal.promises)):
        present = parts[touched].digest if touched in parts else "absent"
        ruling = ground.rulings.get(touched)
        present += f" ruled {ruling.reading}" if ruling is not None else ""
        lines.append(f"part {touched} {present}")
    return _sha("\n".join(lines))


def bearing_on(book: Book, proposal: Proposal) -> list[str]:
    """The ids that a decision about a proposal bears on: what it touches, and the known defects that it mends."""
    return sorted(proposal.touches | {prop.id for prop in mended(book, proposal)}, key=by_number)


def mended(book: Book, proposal: Proposal) -> list[Property]:
    """The known defects that it promises to be none any more, and does not write anew."""
    promised = [book.properties[id_] for id_ in proposal.promises if id_ in book.properties]
    rewritten = {part.id for part in proposal.parts}
    return [prop for prop in promised if prop.broken is not None and prop.id not in rewritten]


def read_fighters(book: Book) -> dict[str, dict[str, object]]:
    """The entries of fights.toml by name, of whatever table; none where there is no such file."""
    tables = read_fights(book.folder)
    return {name: row for table, rows in tables.items() if table != "sweeps" for name, row in rows.items()}


def _text_digest(book: Book, name: str) -> str:
    """The digest of a proposal that is followed: the same before and after it is adopted."""
    if name in book.proposals:
        return proposal_digest(book.proposals[name])
    file = book.folder / "proposals" / ADOPTED / f"{name}.md"
    return _sha(read_text(file).strip("\n").strip()) if file.is_file() else "gone"


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
