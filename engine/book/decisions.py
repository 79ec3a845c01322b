"""What was decided about a proposal, and whether that still is what was judged."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from engine.book.digests import part_digest
from engine.book.markdown import read_text
from engine.book.model import Book, Decision, Proposal
from engine.book.proposals import apply_proposals, followed_by, proposal_of
from engine.book.registers import read_toml
from engine.values import canonical

ADOPTED = "adopted"
FIGHTS = "fights.toml"


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
        return State("undecided", stale=last, edited=last.text != part_digest(proposal))
    return State(last.kind, last)


def judged_digest(book: Book, name: str) -> str:
    """SHA-256 over exactly what is judged with a proposal.

    Its own text, the present text of each part that it touches or promises (as the open proposals that it follows
    leave it), and the texts of the proposals that it follows, open or adopted.
    """
    proposal = proposal_of(book, name)
    before = followed_by(book, name)
    lines = [f"proposal {name} {part_digest(proposal)}"]
    lines += [f"follows {other} {_text_digest(book, other)}" for other in sorted({*before, *proposal.follows})]
    ground = apply_proposals(book, before) if before else book
    parts = {part.id: part for part in ground.parts}
    fighters = read_fighters(book)
    for touched in sorted(proposal.touches | set(proposal.promises)):
        kind, blank, what = touched.partition(" ")
        if blank and kind == "fighter":
            present = _sha(json.dumps(canonical({**fighters.get(what, {}), **ground.fights.get(what, {})})))
        elif blank:
            present = str(ground.domains.get(what, "absent"))
        else:
            present = part_digest(parts[touched]) if touched in parts else "absent"
            ruling = ground.rulings.get(touched)
            present += f" ruled {ruling.reading}" if ruling is not None else ""
        lines.append(f"part {touched} {present}")
    return _sha("\n".join(lines))


def read_fighters(book: Book) -> dict[str, dict[str, object]]:
    """The entries of fights.toml by name, of whatever table; none where there is no such file."""
    file = book.folder / FIGHTS
    if not file.is_file():
        return {}
    tables = {name: rows for name, rows in read_toml(file).items() if name != "sweeps" and isinstance(rows, dict)}
    return {name: row for rows in tables.values() for name, row in rows.items() if isinstance(row, dict)}


def _text_digest(book: Book, name: str) -> str:
    """The digest of a proposal that is followed: the same before and after it is adopted."""
    if name in book.proposals:
        return part_digest(book.proposals[name])
    file = book.folder / "proposals" / ADOPTED / f"{name}.md"
    return _sha(read_text(file).strip("\n").strip()) if file.is_file() else "gone"


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
