"""The stat calculator with its controls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from conformance.tools.page import Page, once
from conformance.tools.panel import Boxes, Panel, choice_box, profile_box
from conformance.tools.presets import Preset, by_name, presets
from conformance.tools.said import Reader
from conformance.tools.stat_calculator import Fighter, calculate, of_preset
from conformance.tools.words import ABILITIES, THE_CHAT, signed
from engine.readings import Engine

FOE = "Đối thủ (foe)"
OWN = "own scores"  # a list must hold something: None would show nothing as chosen


class Side:
    """One fighter's controls."""

    def __init__(self, engine: Engine, reader: Callable[[], Reader], changed: Callable[[], None], title: str) -> None:
        self._reader, self._changed = reader, changed
        self._preset_notes: tuple[str, ...] = ()
        self._filling = False
        people = [("tự nhập (own scores)", OWN), *((one.label, one) for one in presets(engine))]
        self.preset = choice_box("Người (fighter)", people, OWN)
        self.boxes = Boxes({**dict.fromkeys(ABILITIES, 10), "the_chat": 0, "cap": 1, "stage": 1}, reader, self._entered)
        grades = engine.book.domains["cong_phap"].values()
        bonus = {grade: reader().ask("cong_phap_bonus", cong_phap=grade).cell(signed) for grade in grades}
        self.cong_phap = choice_box(
            "Công pháp (method)",
            [(f"hạng (grade) {grade}: {worth} linh lực", grade) for grade, worth in bonus.items()],
            0,
        )
        self.preset.observe(self._picked, "value")
        self.cong_phap.observe(lambda _change: self._told(), "value")
        legend = widgets.HTML("Thể chất: " + " · ".join(THE_CHAT.values()), layout={"width": "26rem"})
        self.widget = widgets.VBox(
            [widgets.HTML(f"<b>{title}</b>"), self.preset, *self.boxes.box.values(), legend, self.cong_phap]
        )

    @property
    def fighter(self) -> Fighter | None:
        """Who is set; None while it is open what a box holds."""
        values = self.boxes.values
        if values is None:
            return None
        scores = {ability: values[ability] for ability in ABILITIES}
        return Fighter(scores, values["the_chat"], self.cong_phap.value, values["cap"], values["stage"])

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not known of the fighter, and what is taken as entered."""
        return once([*self._preset_notes, *self.boxes.remarks])

    def again(self) -> None:
        """Another profile: the preset and the ranges may be others."""
        self.boxes.again()
        self._fill()

    def pick(self, preset: Preset) -> None:
        """Chooses a preset, as a person would."""
        self.preset.value = preset

    def _picked(self, _change: Any) -> None:
        self._fill()
        self._told()

    def _fill(self) -> None:
        """Puts what is known of the preset into the boxes."""
        preset, known = self.preset.value, self.fighter
        self._preset_notes = ()
        if preset == OWN or known is None:
            return
        made, self._preset_notes = of_preset(self._reader(), preset, known)
        self._filling = True
        try:
            self.boxes.set({**made.scores, "the_chat": made.the_chat})
            self.cong_phap.value = made.cong_phap
        finally:
            self._filling = False

    def _entered(self, name: str) -> None:
        if name in ABILITIES:  # no longer the preset
            self._filling = True
            try:
                self.preset.value = OWN
            finally:
                self._filling = False
        self._told()

    def _told(self) -> None:
        if not self._filling:
            self._changed()


class CalculatorPanel(Panel):
    """Set a fighter, and a foe: the tables follow at once."""

    title = "Máy tính chỉ số (stat calculator)"

    def __init__(self, engine: Engine, profile: str = "custom") -> None:
        super().__init__()
        self._engine = engine
        self._reader = Reader(engine, profile)
        self.profile = profile_box(engine, profile)
        self.with_foe = widgets.Checkbox(value=False, description="có đối thủ (with a foe)", indent=False)
        self.you = Side(engine, lambda: self._reader, self._compute, "Nhân vật của bạn (your fighter)")
        self.foe = Side(engine, lambda: self._reader, self._compute, FOE)
        self.foe.widget.layout.display = "none"
        self.profile.observe(self._profile, "value")
        self.with_foe.observe(self._foe_set, "value")
        self.widget = widgets.VBox(
            [
                widgets.HBox([self.profile, self.with_foe]),
                widgets.HBox([self.you.widget, self.foe.widget]),
                self.shown,
            ]
        )
        self.you.pick(by_name(engine, "array"))

    def _profile(self, change: Any) -> None:
        self._reader = Reader(self._engine, change.new)
        self.you.again()
        self.foe.again()
        self._compute()

    def _foe_set(self, change: Any) -> None:
        self.foe.widget.layout.display = None if change.new else "none"
        self._compute()

    def _compute(self) -> None:
        sides = [self.you, *([self.foe] if self.with_foe.value else [])]
        put = [*self.you.boxes.notes, *(f"{FOE}, {note}" for side in sides[1:] for note in side.boxes.notes)]
        notes = once([*self.you.notes, *(f"{FOE}, {note}" for side in sides[1:] for note in side.notes)])
        fighters = [side.fighter for side in sides]
        you, foe = fighters[0], fighters[1] if len(fighters) > 1 else None
        if you is None or None in fighters:
            self.show(Page((*put, "không tính (not computed)"), notes=notes))
            return
        self.show(calculate(self._reader, you, foe).page(put, notes))
