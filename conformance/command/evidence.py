"""An impact on a terminal: the change, what it does, the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.command.page import Page, Part, counted
from conformance.proposed.changes import Change
from conformance.proposed.checks import Flip
from conformance.proposed.fights import Aim, Table, target_words
from conformance.proposed.impact import Impact
from conformance.proposed.outcomes import Figures
from conformance.report.words import STATUS_WORDS
from conformance.results import Item
from engine.values import show

MOST_ROWS = 24
LONG_CALL = 60


class Evidence:
    """An impact on a terminal."""

    def __init__(self, on: Page, found: Impact, *, every: bool) -> None:
        self.on = on
        self._found = found
        self._most = None if every else MOST_ROWS

    def all(self) -> None:
        """The whole of it: the change, what it does, the verdict."""
        found = self._found
        for proposal, state in zip(found.stack.proposals, found.states, strict=True):
            self.on.line((proposal.name, "bold cyan"), "  ", (proposal.title, "bold"), hang=4)
            self.on.line((f"{found.stack.book.title} · {proposal.place} · {state}", "dim"), hang=4)
            self.on.gap()
            self.on.prose(proposal.prose, indent=2)
            self.on.gap()
        if found.stack.ground:
            self.on.line(f"judged on top of {', '.join(found.stack.ground)}, which it follows")
        if found.changes_nothing:
            asked = [a for p in found.stack.proposals for a in p.asks]
            self.on.line("It changes nothing: its text is lost or not written.")
            self._section("It leaves open", [[(a, "cyan"), found.stack.book.questions[a].title] for a in asked])
            self._goals()
            return
        self._changes()
        self._cases()
        for each in found.figures:
            self._figures(each)
        for table in found.tables:
            self._table(table)
        self._verdicts()

    def _section(self, name: str, rows: Sequence[Sequence[Part]], total: int | None = None) -> None:
        if not rows:
            return
        self.on.gap()
        self.on.line((name, "bold"))
        self.on.table(rows[: self._most], indent=2)
        left = (total or len(rows)) - len(rows[: self._most])
        if left:
            self.on.line(f"… and {left} more (--all shows them)", indent=2)

    def _changes(self) -> None:
        for change in self._found.changes:
            self.on.gap()
            self.on.line((change.id, "bold cyan"), f" {change.title}: {change.kind}", hang=4)
            self._difference(change)
        rows: list[list[Part]] = [[(s.name, "cyan"), s.before, ("→ " + s.after, "bold")] for s in self._found.settings]
        self._section("Settings", rows)

    def _difference(self, change: Change) -> None:
        styles = {"-": "red", "+": "green", "@": "dim"}
        lines = change.lines if change.kind == "rewritten" else change.lines[1:]
        for line in lines:
            self.on.line((line, styles.get(line[:1], "")), indent=2, hang=2)

    def _cases(self) -> None:
        shifts = self._found.shifts
        if not shifts:
            self.on.gap()
            self.on.line("No case has another outcome.")
            return
        name = f"{counted(len(shifts), 'case')} with another outcome"
        if all(len(shift.call) <= LONG_CALL for shift in shifts):
            rows: list[list[Part]] = [[(s.part, "cyan"), s.call, s.before, ("→ " + s.after, "bold")] for s in shifts]
            self._section(name, rows)
            return
        self.on.gap()
        self.on.line((name, "bold"))
        for shift in shifts[: self._most]:
            self.on.line((shift.part, "cyan"), f"  {shift.call}", indent=2, hang=4)
            self.on.line(shift.before, ("  → " + shift.after, "bold"), indent=6, hang=4)
        if len(shifts[: self._most]) < len(shifts):
            self.on.line(f"… and {len(shifts) - len(shifts[: self._most])} more (--all shows them)", indent=2)

    def _figures(self, figures: Figures) -> None:
        over = "its whole domain" if figures.whole else f"its {figures.looked_at} nearest inputs"
        name = f"{figures.name}({', '.join(figures.params)})" if figures.params else figures.name
        rows: list[list[Part]] = [
            [", ".join(f"{k} = {show(v)}" for k, v in given.items()) or "always", before, ("→ " + after, "bold")]
            for given, before, after in figures.rows
        ]
        self._section(f"{figures.clause} {name}: {len(rows)} of {figures.looked_at} change, over {over}", rows)

    def _table(self, table: Table) -> None:
        self.on.gap()
        self.on.line((f"Fights of the sweep {table.sweep}, exactly", "bold"), f" (profile {table.profile})")
        if not table.differs:
            self.on.line("nobody wins more or less often", indent=2)
            return
        names = list(table.cells[0].inputs)
        head: list[Part] = [*((n, "dim") for n in names), ("wins", "dim"), ("rounds", "dim"), ("target", "dim")]
        rows: list[list[Part]] = [head]
        for cell in table.cells:
            if cell.before is None or cell.after is None:
                continue
            bands = ", ".join(target_words(t).rpartition(": ")[2] for t in cell.bands)
            wins = f"{cell.before.win:.2f} → {cell.after.win:.2f} %"
            rounds = f"{cell.before.rounds:.2f} → {cell.after.rounds:.2f}"
            rows.append([*(show(v) for v in cell.inputs.values()), wins, rounds, bands])
        self.on.table(rows, indent=2)
        bound = max(cell.after.bound for cell in table.cells if cell.after is not None)
        self.on.line((f"each number is exact to a relative error of {bound:.0e}", "dim"), indent=2)

    def _verdicts(self) -> None:
        found = self._found
        self._section("Properties won", [self._flip(f) for f in found.checks.won])
        self._section("Properties lost", [self._flip(f) for f in found.checks.lost])
        self._section("Questions settled", [self._flip(f) for f in found.checks.settled])
        self._section("Questions opened", [self._flip(f) for f in found.checks.opened])
        flips = found.checks.expectations
        if flips:
            ids = ", ".join(flip.id for flip in flips)
            self.on.gap()
            self.on.line(("Strict expectations that flip: ", "bold"), ids, hang=4)
        self._goals()
        failing: list[list[Part]] = [
            [(item.id, "cyan"), item.where, item.message.replace("\n", "; ")] for item in found.checks.failing
        ]
        self._section("Would fail in pytest conformance", failing)
        self.on.gap()
        if found.broken:
            for line in found.broken:
                self.on.line(("Broken: ", "bold red"), line, hang=4)
        else:
            said = [f"{counted(len(found.promises), 'promise')} kept"] if found.promises else []
            said += [f"{counted(len(found.aims), 'target')} met"] if found.aims else []
            said += [f"{counted(len(failing), 'item')} would fail" if failing else "nothing would fail"]
            self.on.line(("Verdict: ", "bold"), ", ".join(said), hang=4)
        name = found.stack.names[-1]
        self.on.line(("Next: ", "bold"), f"raw approve {name} --by NAME --why TEXT, or raw reject {name} …")

    def _goals(self) -> None:
        found = self._found
        promised: list[list[Part]] = []
        for promise in found.promises:
            word = ("kept", "green") if promise.kept else ("BROKEN", "red")
            was = f"({promise.before} before)"
            promised.append([(promise.id, "cyan"), word, f"{promise.title}: {promise.note}", was])
        self._section("Promises", promised)
        targets: list[list[Part]] = [
            [target_words(aim.target), ("met", "green") if aim.met else ("MISSED", "red"), _reached(aim)]
            for aim in found.aims
        ]
        self._section("Targets", targets)

    def _flip(self, flip: Flip) -> list[Part]:
        return [(flip.id, "cyan"), _standing(flip.before), "→", _standing(flip.after), flip.title]


def _standing(item: Item | None) -> str:
    if item is None:
        return "absent"
    method = item.detail.get("method") if item.status == "conforms" else None
    return str(method or STATUS_WORDS[item.status])


def _reached(aim: Aim) -> str:
    """Why a target is missed, or what is reached."""
    if aim.missed or aim.problem or aim.score is None:
        return "; ".join(aim.missed) or aim.problem
    return f"win {aim.score.win:.2f} %, {aim.score.rounds:.2f} rounds"
