"""The check roller with its controls."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from conformance.tools.check_roller import Roller, Setting, roll_check, system_roller
from conformance.tools.page import Page, once
from conformance.tools.panel import Boxes, Panel, choice_box, profile_box
from conformance.tools.presets import presets
from conformance.tools.said import Reader
from conformance.tools.words import ABILITIES, INJURED, MODES
from engine.readings import Engine


class RollerPanel(Panel):
    """Pick an ability and a mode, mind the modifier, roll. `roller` gives the faces: tests hand over seeded ones."""

    title = "Máy tung d20 (d20 check roller)"

    def __init__(self, engine: Engine, roller: Roller | None = None, profile: str = "custom") -> None:
        super().__init__()
        self._engine = engine
        self._roller = roller or system_roller()
        self._reader = Reader(engine, profile)
        self._preset_note = ""
        self._edited = False
        people = presets(engine)
        self.profile = profile_box(engine, profile)
        self.fighter = choice_box("Người (fighter)", [(one.label, one) for one in people], people[0])
        self.ability = choice_box(
            "Chỉ số (ability)", [(label, name) for name, label in ABILITIES.items()], next(iter(ABILITIES))
        )
        self.mode = choice_box("Cách tung (roll mode)", [(label, name) for name, label in MODES.items()], "normal")
        self.injured = widgets.Checkbox(value=False, description=INJURED, indent=False)
        self.boxes = Boxes({"modifier_box": 0, "cap": 1, "stage": 1, "DC": 15}, lambda: self._reader, self._changed)
        self.roll = widgets.Button(description="Tung (roll)", button_style="primary")
        self.profile.observe(self._profile, "value")
        self.fighter.observe(self._preset, "value")
        self.ability.observe(self._preset, "value")
        self.roll.on_click(self._roll)
        left = [self.profile, self.fighter, self.ability, self.boxes.box["modifier_box"]]
        right = [self.mode, self.boxes.box["cap"], self.boxes.box["stage"], self.boxes.box["DC"]]
        self.widget = widgets.VBox(
            [
                widgets.HBox([widgets.VBox(left), widgets.VBox(right)]),
                widgets.HBox([self.injured, self.roll]),
                self.shown,
            ]
        )
        self._preset()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was put back, and where the modifier comes from or why it does not."""
        return once([*self.boxes.notes, self._preset_note])

    def _profile(self, change: Any) -> None:
        self._reader = Reader(self._engine, change.new)
        self.boxes.again()
        if self._edited:
            self.show(Page(notes=self.notes))
        else:
            self._preset()

    def _preset(self, _change: Any = None) -> None:
        """Another ability or another fighter: the modifier box gets that fighter's modifier."""
        self._edited = False
        said = self.fighter.value.modifier(self._reader, self.ability.value)
        whose = f"{self.fighter.label}, {ABILITIES[self.ability.value]}"
        if said.settled:
            self.boxes.set({"modifier_box": said.value})
            self._preset_note = ""
        else:
            self._preset_note = f"{whose}: the box stays as it is; {self._reader.title_of(said.why())}"
        self.show(Page(notes=self.notes))

    def _changed(self, name: str) -> None:
        if name == "modifier_box":
            self._edited, self._preset_note = True, ""  # what a person enters wins over the preset
        self.show(Page(notes=self.notes))

    def _roll(self, _button: Any) -> None:
        values = self.boxes.values
        if values is None:
            self.show(Page(("không tung (not rolled)",), notes=self.notes))
            return
        setting = Setting(
            ability=self.ability.value,
            modifier=values["modifier_box"],
            DC=values["DC"],
            cap=values["cap"],
            stage=values["stage"],
            mode=self.mode.value,
            injured=self.injured.value,
        )
        rolled = roll_check(self._reader, setting, self._roller).page()
        self.show(Page(rolled.lines, notes=once([*self.notes, *rolled.notes])))
