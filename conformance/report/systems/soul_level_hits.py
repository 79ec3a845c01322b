"""Hits to kill in Soul Level, class against class, and what the open questions do to them. All of it exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import ceil, prod

from conformance.report.systems.desk import Cell, Desk, Part, Table, tenth, words_of
from conformance.report.words import listed, plural
from engine.book.model import Question
from engine.readings import Answer, Outcome
from engine.run import Run

LEVELS = (1, 12)
AIMS = ("melee", "magic", "spirit")
ACTING = ("FOR", "VEL", "INT", "ESP")
STRUCK = ("VIT", "VEL", "RES", "RSOB")
FACES = range(1, 101)
SUCCESSES = ("success", "critical success")


@dataclass(frozen=True, slots=True)
class Attacks:
    """The kind of attack that ends it soonest: hits that it takes, faces of a d100 that hit, attacks on average."""

    average: Fraction
    hits: int
    faces: int
    aim: str


@lru_cache(maxsize=4096)
def attacks_needed(hits: int, faces: int, critical: int) -> Fraction:
    """The attacks that it takes on average to land `hits`, of which a critical one counts twice.

    Of 100 faces `faces` hit, and `critical` of these are critical.
    """
    land, twice = Fraction(faces, 100), Fraction(critical, 100)
    before, now = Fraction(0), Fraction(0)  # with one hit less, and with none left
    for _ in range(hits):
        before, now = now, (1 + (land - twice) * now + twice * before) / land
    return now


@dataclass(frozen=True)
class Pairings:
    """Each class against each at one Soul Level, with an answer for each combination of readings that it meets."""

    desk: Desk
    base: Mapping[str, str]
    level: int

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The classes."""
        return words_of(self.desk.book, "class_name")

    @cached_property
    def answers(self) -> Mapping[tuple[str, str], Answer]:
        """By attacker and target."""
        contests: dict[tuple[int, int], Answer] = {}
        return {(a, t): self.desk.engine.explore(self._play(a, t, contests)) for a in self.names for t in self.names}

    @cached_property
    def consulted(self) -> list[Question]:
        """The questions that any pairing meets."""
        met = {name for answer in self.answers.values() for name in answer.consulted}
        return [q for q in self.desk.book.questions.values() if q.name in met]

    def plain(self, attacker: str, target: str) -> Attacks | None:
        """What a pairing comes to under the base readings; None where no plain attack ever kills."""
        outcomes = self.answers[attacker, target].outcomes
        found: Attacks | None = next(
            o.value for o in outcomes if all(self.base.get(q) == r for q, r in o.readings.items())
        )
        return found

    def range(self, attacker: str, target: str) -> tuple[Fraction, Fraction] | None:
        """The least and the greatest average over all readings; None where under some of them nothing ever kills."""
        found: list[Attacks | None] = [o.value for o in self.answers[attacker, target].outcomes]
        averages = [each.average for each in found if each is not None]
        return (min(averages), max(averages)) if len(averages) == len(found) else None

    def moved(self, question: str) -> dict[tuple[str, str], Fraction]:
        """The pairings whose average changes with the reading of `question` alone, and by how much at most."""
        found = {}
        for pair, answer in self.answers.items():
            apart = [
                abs(_average(one) - _average(other))
                for one, other in combinations(answer.outcomes, 2)
                if _apart_by(question, one.readings, other.readings)
            ]
            if any(apart):
                found[pair] = max(apart)
        return found

    def _play(
        self, attacker: str, target: str, contests: dict[tuple[int, int], Answer]
    ) -> Callable[[Run], Attacks | None]:
        engine = self.desk.engine

        def play(run: Run) -> Attacks | None:
            rules = engine.rules(run)

            def at_level(name: str, attribute: str) -> int:
                value = rules.base_attribute(class_name=name, attribute=attribute)
                return int(rules.attribute_at(value=value, soul_level=self.level))

            acting = {each: at_level(attacker, each) for each in ACTING}
            struck = {each: at_level(target, each) for each in STRUCK}
            health = rules.max_HP(VIT=struck["VIT"])
            DEF = rules.target_DEF(VEL=struck["VEL"], HP=health, dodging=False)
            found: list[Attacks] = []
            for aim in AIMS:
                faces, critical = self._faces(run, rules.attack_A(aimed_kind=aim, **acting), DEF, contests)
                damage = rules.mitigated_damage(
                    aimed_kind=aim,
                    damage=rules.base_damage(aimed_kind=aim, **acting, soul_level=self.level),
                    RES=struck["RES"],
                    RSOB=struck["RSOB"],
                )
                if faces and damage:
                    hits = ceil(Fraction(health) / damage)
                    found.append(Attacks(attacks_needed(hits, faces, critical), hits, faces, aim))
            return min(found, key=lambda each: each.average, default=None)

        return play

    def _faces(self, run: Run, A: int, DEF: int, contests: dict[tuple[int, int], Answer]) -> tuple[int, int]:
        """How many faces of a d100 hit, and how many of them critically. Worked out once for each contest."""
        if (A, DEF) not in contests:
            result = self.desk.engine.functions["test_result"]

            def play(inner: Run) -> tuple[int, int]:
                results = [result(inner, A, DEF, d100) for d100 in FACES]
                return sum(r in SUCCESSES for r in results), results.count("critical success")

            contests[A, DEF] = self.desk.engine.explore(play)
        for outcome in contests[A, DEF].outcomes:
            if all(run.reading(question) == reading for question, reading in outcome.readings.items()):
                counts: tuple[int, int] = outcome.value
                return counts
        raise AssertionError("each combination of readings has its outcome")


def _average(outcome: Outcome) -> Fraction:
    return outcome.value.average if outcome.value else Fraction(0)


def _apart_by(question: str, one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two sets of readings differ in `question` alone, where both say something."""
    return {name for name in one.keys() & other.keys() if one[name] != other[name]} == {question}


def parts_of(desk: Desk, base: Mapping[str, str]) -> list[Part]:
    """A table for each level, and the questions that move them."""
    levels = [Pairings(desk, base, level) for level in LEVELS]
    return [
        Part("Which questions move them", (_method(levels),), (), _questions(levels)),
        *(Part(f"At Soul Level {each.level}", (), (), _table(each)) for each in levels),
    ]


def _asked(levels: Sequence[Pairings]) -> list[Question]:
    return [*{question.id: question for each in levels for question in each.consulted}.values()]


def _method(levels: Sequence[Pairings]) -> str:
    asked = _asked(levels)
    number = prod(len(q.readings) for q in asked)
    return (
        f"These rules consult {plural(len(asked), 'open question')}: {listed([q.id for q in asked])}. Each pairing was "
        f"worked out under every combination of their readings that it meets, {number} at most, so the ranges below "
        "are the true least and greatest; nothing was sampled. Counted here are the averages, of those in the table, "
        "that change with a question while the others are read alike, whatever these are."
    )


def _questions(levels: Sequence[Pairings]) -> Table:
    rows = []
    for question in _asked(levels):
        cells = []
        for each in levels:
            moved = each.moved(question.name)
            by = f", by at most {tenth(max(moved.values()))}" if moved else ""
            cells.append(f"{len(moved)} of {len(each.answers)}{by}" if moved else "none")
        readings = " or ".join(reading.id for reading in question.readings)
        rows.append((f"{question.id} {question.title}", readings, *cells))
    head = [f"Moves, at level {each.level}" for each in levels]
    return Table(("Question", "Readings", *head), tuple(rows), "stacked")


def _table(each: Pairings) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for attacker in each.names:
        cells = [_cell(each, attacker, target) for target in each.names]
        rows.append(((attacker, f"mean {_mean([each.plain(attacker, target) for target in each.names])}"), *cells))
    against = [_mean([each.plain(attacker, target) for attacker in each.names]) for target in each.names]
    rows.append(("Mean", *against))
    return Table(("Attacker \\ target", *each.names), tuple(rows), "matrix")


def _cell(each: Pairings, attacker: str, target: str) -> Cell:
    found = each.plain(attacker, target)
    if found is None:
        return "never"
    between = each.range(attacker, target)
    lines = [f"{found.hits} at {found.faces}\N{NO-BREAK SPACE}%", f"{found.aim}: {tenth(found.average)}"]
    if between is None:
        lines.append("or never")
    elif between[0] != between[1]:
        lines.append(f"{tenth(between[0])} to {tenth(between[1])}")
    return tuple(lines)


def _mean(found: Sequence[Attacks | None]) -> str:
    """The mean of averages; nothing where one of them has none."""
    averages = [each.average for each in found if each is not None]
    return tenth(sum(averages, Fraction(0)) / len(averages)) if len(averages) == len(found) else "–"
