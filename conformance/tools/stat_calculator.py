"""The stat calculator: a fighter now and after the next step up, against a foe, and at every breakthrough.

The page's calculator works by C1 and C2 of the proposed spec, whose text is lost (TU-Q73); what is left of it to
compute are its prototype rows, which show the breakthrough bug. What it says of a foe is lost too (TU-Q71): those rows
are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.tools.boxes import domain_of
from conformance.tools.page import Grid, Page, once
from conformance.tools.presets import Preset
from conformance.tools.said import Reader, Said, Word
from conformance.tools.words import ABILITIES, ANY_READING, SHORT_MODES, THE_CHAT, number, percent, signed, yes
from engine.procedures import Rules

WIDEST = (29, 9, 10, 9, 31)  # columns of text; with their heads they fill a page
FALLS = " ▼"  # beside a change for the worse


@dataclass(frozen=True, slots=True)
class Fighter:
    """What the calculator is told: scores by ability, grades of thể chất and công pháp, realm and stage."""

    scores: Mapping[str, int]
    the_chat: int = 0
    cong_phap: int = 0
    cap: int = 1
    stage: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A stat now, after the next step up, and the change. `both` holds (now, after) under one choice of readings."""

    label: str
    now: Said
    after: Said
    both: Said
    change: Said | None = None
    word: Word = number

    def cells(self) -> tuple[str, ...]:
        """As shown: label, now, next, change, and a line for each reading that gives something else."""
        falls = self.change is not None and self.change.settled and self.change.value < 0
        change = "" if self.change is None else self.change.cell(signed) + (FALLS if falls else "")
        readings = self.both.lacking or "\n".join(self.both.readings(self._pair))
        return (self.label, self.now.cell(self.word), self.after.cell(self.word), change, readings)

    def _pair(self, both: tuple[Any, Any]) -> str:
        return " → ".join(self.word(value) for value in both)


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that the calculator shows."""

    rows: tuple[Row, ...]
    proposed: tuple[Row, ...]
    breakthroughs: tuple[Row, ...]
    against: tuple[Row, ...]
    notes: tuple[str, ...]
    profile: str

    def page(self, put: Sequence[str] = (), notes: Sequence[str] = ()) -> Page:
        """The tables. What was `put` back into range stands above them, `notes` come first among the notes."""
        under = self.profile or ANY_READING
        heads = ("", "nay (now)", "sau (next)", "đổi (±)", "cách đọc (readings)")
        stats = Grid(f"Chỉ số (stats), prototype rules, under {under}", heads, _cells(self.rows), WIDEST)
        lost = Grid("Đặc tả đề xuất (proposed spec) C1–C2", heads, _cells(self.proposed), WIDEST)
        grids = [stats, *([self._foe(heads)] if self.against else []), lost, self._bug(heads)]
        return Page(once(put), tuple(grids), once([*notes, *self.notes]))

    def _foe(self, heads: tuple[str, ...]) -> Grid:
        rows = tuple((*row[:3], row[4]) for row in _cells(self.against))
        title = "Đối thủ (foe), rows of our own: what the die must show, its chance (naturals aside)"
        return Grid(title, (*heads[:3], heads[4]), rows, (25, 21, 21, 27))

    def _bug(self, heads: tuple[str, ...]) -> Grid:
        title = "Đột phá (breakthrough), prototype rows: where HP and linh lực fall"
        return Grid(title, (heads[0], "tầng 10", "tầng 1", *heads[3:]), _cells(self.breakthroughs), WIDEST)


def calculate(reader: Reader, fighter: Fighter, foe: Fighter | None = None) -> Sheet:
    """Everything about a fighter, and against a foe. Raises `InputError` for a number outside its domain."""
    for one in (fighter, *([foe] if foe else [])):
        _check(reader, one)
    against = (*versus(reader, fighter, foe), *struck(reader, fighter, foe)) if foe else ()
    return Sheet(
        stats(reader, fighter),
        proposed(reader, fighter),
        breakthroughs(reader, fighter),
        against,
        _notes(reader, fighter, foe),
        reader.profile,
    )


def of_preset(reader: Reader, preset: Preset, fighter: Fighter) -> tuple[Fighter, tuple[str, ...]]:
    """`fighter` with what is known of `preset`, and notes on the abilities that are not."""
    scores = dict(fighter.scores)
    unknown: dict[str, list[str]] = {}
    for ability, label in ABILITIES.items():
        said = preset.score(reader, ability)
        if said.settled:
            scores[ability] = said.value
        else:
            unknown.setdefault(reader.title_of(said.why()), []).append(label)
    notes = [f"{preset.label}: {', '.join(labels)} left as it was; {why}" for why, labels in unknown.items()]
    the_chat, cong_phap = preset.grade(reader, "the_chat"), preset.grade(reader, "cong_phap")
    made = Fighter(
        scores,
        fighter.the_chat if the_chat is None else the_chat,
        fighter.cong_phap if cong_phap is None else cong_phap,
        fighter.cap,
        fighter.stage,
    )
    return made, tuple(notes)


# --- The fighter -------------------------------------------------------------------------


def stats(reader: Reader, one: Fighter) -> tuple[Row, ...]:
    """The stats by the prototype's formulas, now and one step higher."""
    step = _row(reader, one, "Cấp · tầng (realm · stage)", lambda _rules, cap, stage: f"{cap} · {stage}", change=False)
    return (
        step,
        _row(reader, one, "HP", lambda rules, cap, stage: _hp(rules, one, cap, stage)),
        _row(reader, one, "Linh lực (spirit energy)", lambda rules, cap, stage: _linh_luc(rules, one, cap, stage)),
        _row(
            reader,
            one,
            "Bí pháp đủ trả (arts it pays)",
            lambda rules, cap, stage: rules.arts_in_pool(linh_luc_left=_linh_luc(rules, one, cap, stage)),
        ),
        _row(
            reader, one, "R cảnh giới (realm bonus)", lambda rules, cap, stage: rules.realm_bonus(cap=cap, stage=stage)
        ),
        _row(reader, one, "Đòn đánh (attack bonus)", lambda rules, cap, stage: _attack(rules, one, cap, stage)),
        _row(reader, one, "Hộ thể (body shield)", lambda rules, cap, _stage: _ho_the(rules, one, cap)),
        _row(reader, one, "DC bí pháp (art DC)", lambda rules, cap, stage: _art_dc(rules, one, cap, stage)),
    )


def proposed(reader: Reader, one: Fighter) -> tuple[Row, ...]:
    """What the proposed spec would say, which is lost, so that nothing but the prototype can be computed."""
    rows = [
        _row(
            reader,
            one,
            "HP",
            lambda rules, cap, stage: rules.hp_under(
                spec="proposed", cap=cap, stage=stage, the=rules.the_in_hp(score=one.scores["the_phach"])
            ),
        )
    ]
    if one.the_chat:
        rows.append(
            _row(
                reader,
                one,
                "HP với thể chất (constitution)",
                lambda rules, cap, stage: rules.hp_with_the_chat(
                    spec="proposed", the_chat=one.the_chat, HP_max=_hp(rules, one, cap, stage)
                ),
            )
        )
    return tuple(rows)


def breakthroughs(reader: Reader, one: Fighter) -> tuple[Row, ...]:
    """HP, then linh lực, before and after each breakthrough, whatever realm the fighter is in.

    That is: at the last stage of a realm, and at the first of the next.
    """
    low, high = domain_of(reader, "cap")
    first, last = domain_of(reader, "stage")
    formulas: tuple[tuple[str, Formula], ...] = (
        ("HP", lambda rules, cap, stage: _hp(rules, one, cap, stage)),
        ("Linh lực", lambda rules, cap, stage: _linh_luc(rules, one, cap, stage)),
    )
    return tuple(
        _pair(
            reader,
            f"{label}, cấp {cap} → {cap + 1}",
            _at(formula, cap, last),
            _at(formula, cap + 1, first),
        )
        for label, formula in formulas
        for cap in range(low, high)
    )


# --- The foe -----------------------------------------------------------------------------


def versus(reader: Reader, one: Fighter, foe: Fighter) -> tuple[Row, ...]:
    """What the fighter does to the foe, who stays as it is while the fighter steps up."""
    return _blows(reader, one, lambda cap, stage: ((one, cap, stage), (foe, foe.cap, foe.stage)), "player", "→ ")


def struck(reader: Reader, one: Fighter, foe: Fighter) -> tuple[Row, ...]:
    """What the foe does to the fighter."""
    return _blows(reader, one, lambda cap, stage: ((foe, foe.cap, foe.stage), (one, cap, stage)), "foe", "← ")


At = tuple[Fighter, int, int]


def _blows(
    reader: Reader, one: Fighter, sides: Callable[[int, int], tuple[At, At]], side: str, arrow: str
) -> tuple[Row, ...]:
    def felt(rules: Rules, cap: int, stage: int) -> Any:
        (_, mine, _), (_, theirs, _) = sides(cap, stage)
        return rules.realms_felt(up=rules.realms_up(cap=mine, foe_cap=theirs), side=side)

    def hit(rules: Rules, cap: int, stage: int) -> str:
        (striker, at, on), (target, there, _) = sides(cap, stage)
        bonus, shield = _attack(rules, striker, at, on), _ho_the(rules, target, there)
        return _chance(rules, rules.attack_mode(up=felt(rules, cap, stage)), bonus, shield)

    def save(rules: Rules, cap: int, stage: int) -> str:
        (caster, at, on), (target, there, on_there) = sides(cap, stage)
        mods = {name: rules.mod(score=target.scores[name]) for name in ("than_phap", "than_thuc")}
        bonus = rules.art_save_modifier(**mods) + rules.realm_bonus(cap=there, stage=on_there)
        mode = rules.save_mode(up=felt(rules, cap, stage), guarding=False)
        return _chance(rules, mode, bonus, _art_dc(rules, caster, at, on))

    def halved(rules: Rules, cap: int, stage: int) -> Any:
        return rules.suppresses_damage(up=felt(rules, cap, stage))

    who = "Bạn đánh (you hit)" if side == "player" else "Đối thủ đánh (foe hits)"
    saver = "Đối thủ né (foe saves)" if side == "player" else "Bạn né (you save)"
    return (
        _row(reader, one, arrow + who, hit, change=False),
        _row(reader, one, arrow + saver, save, change=False),
        _row(reader, one, arrow + "Nửa sát thương (half)", halved, change=False, word=yes),
    )


def _chance(rules: Rules, mode: str, bonus: int, target: int) -> str:
    """`11+ · bất lợi · 25%`: what the die has to show, the mode, and how often it does."""
    chance = rules.chance_in_mode(mode=mode, chance=rules.reach_chance(bonus=bonus, target=target))
    shown = "" if mode == "normal" else f" · {SHORT_MODES[mode]}"
    needed = target - bonus
    return f"{'—' if needed > 20 else f'{max(needed, 1)}+'}{shown} · {percent(chance)}"


# --- The book's formulas -----------------------------------------------------------------


def _hp(rules: Rules, one: Fighter, cap: int, stage: int) -> Any:
    return rules.hp_of(cap=cap, stage=stage, score=one.scores["the_phach"])


def _linh_luc(rules: Rules, one: Fighter, cap: int, stage: int) -> Any:
    return rules.linh_luc(cap=cap, stage=stage, cong_phap=one.cong_phap)


def _ho_the(rules: Rules, one: Fighter, cap: int) -> Any:
    return rules.ho_the_of(cap=cap, score=one.scores["than_phap"], the_chat=one.the_chat)


def _attack(rules: Rules, one: Fighter, cap: int, stage: int) -> Any:
    """All that an attack adds to its die."""
    R = rules.realm_bonus(cap=cap, stage=stage)
    return rules.attack_total(die=0, the_phach=rules.mod(score=one.scores["the_phach"]), R=R, injuries=0)


def _art_dc(rules: Rules, one: Fighter, cap: int, stage: int) -> Any:
    R = rules.realm_bonus(cap=cap, stage=stage)
    return rules.art_dc(R=R, than_thuc=rules.term_in_formula(score=one.scores["than_thuc"]))


Play = Callable[[Rules], Any]
Formula = Callable[[Rules, int, int], Any]
"""A stat at a realm and stage."""


def _at(formula: Formula, cap: int, stage: int) -> Play:
    return lambda rules: formula(rules, cap, stage)


def _row(
    reader: Reader, one: Fighter, label: str, formula: Formula, *, change: bool = True, word: Word = number
) -> Row:
    def after(rules: Rules) -> Any:
        at = {"cap": one.cap, "stage": one.stage}
        return formula(rules, rules.next_cap(**at), rules.next_stage(**at))

    return _pair(reader, label, _at(formula, one.cap, one.stage), after, change=change, word=word)


def _pair(reader: Reader, label: str, now: Play, after: Play, *, change: bool = True, word: Word = number) -> Row:
    both = reader.work(lambda rules: (now(rules), after(rules)))
    changed = reader.work(lambda rules: after(rules) - now(rules)) if change else None
    return Row(label, reader.work(now), reader.work(after), both, changed, word)


# --- How it is shown ---------------------------------------------------------------------


def _check(reader: Reader, one: Fighter) -> None:
    """Raises `DomainError` for a number outside its declared domain, `KeyError` for an ability without a score."""
    domains = reader.engine.book.domains
    for ability in ABILITIES:
        domains["score"].check(one.scores[ability])
    for name in ("the_chat", "cong_phap", "cap", "stage"):
        domains[name].check(getattr(one, name))


def _notes(reader: Reader, one: Fighter, foe: Fighter | None) -> tuple[str, ...]:
    method = reader.ask("cong_phap_grade", method="a named one")
    bonus = reader.ask("cong_phap_bonus", cong_phap=one.cong_phap)
    body = reader.ask("the_chat_bonus", the_chat=one.the_chat)
    notes = [
        f"Công pháp, grade {one.cong_phap}: {bonus.text(signed)} linh lực; {reader.title_of(method.why())}",
        f"Thể chất {THE_CHAT[one.the_chat]}: {body.text(signed)} hộ thể",
    ]
    for whose, side, fighter in (("your fighter", "player", one), ("the foe", "foe", foe)):
        if fighter is None:
            continue
        may = reader.ask("may_fight", side=side, cap=fighter.cap)
        if not may.settled or not may.value:
            notes.append(
                f"Cấp {fighter.cap} of {whose} is not playable in v0.1" + (f" [{may.why(yes)}]" if may.why() else "")
            )
    if foe is not None:
        notes.append(f"Rows of the foe are ours: {reader.title_of(reader.ask('shown_of_foe', foe_set=True).why())}")
    step = reader.ask("may_step_up", cap=one.cap, stage=one.stage)
    if step.settled and not step.value:
        notes.append("The next step is not playable in v0.1.")
    elif not step.settled:
        notes.append(f"What the step takes is open: {reader.title_of(step.why())}")
    lost = reader.work(lambda rules: rules.hp_under(spec="proposed", cap=one.cap, stage=one.stage, the=0))
    if not lost.settled:
        notes.append(f"The proposed rows cannot be computed: {reader.title_of(lost.why())}")
    return once(notes)


def _cells(rows: tuple[Row, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(row.cells() for row in rows)
