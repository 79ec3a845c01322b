"""What the panels of both tools have in common: boxes that put numbers back, and a way to show oneself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from conformance.tools.boxes import Boxed, put_back
from conformance.tools.page import Page, once
from conformance.tools.said import Reader
from conformance.tools.words import ANY_READING, BOXES
from engine.readings import Engine

STYLE = {"description_width": "13rem"}
LAYOUT = {"width": "26rem"}


def number_box(label: str, value: int) -> Any:
    """A box for a whole number, which takes any: what is out of range must be seen before it is put back."""
    return widgets.IntText(value=value, description=label, style=STYLE, layout=LAYOUT)


def choice_box(label: str, options: list[tuple[str, Any]], value: Any) -> Any:
    """A list to choose from; `options` holds (label, value) pairs."""
    return widgets.Dropdown(options=options, value=value, description=label, style=STYLE, layout=LAYOUT)


def profile_box(engine: Engine, profile: str) -> Any:
    """The profiles of the book, and none."""
    options = [(ANY_READING, ""), *((name, name) for name in engine.book.profiles)]
    return choice_box("Hồ sơ (profile)", options, profile)


class Boxes:
    """Number boxes by the names of `words.BOXES`. A number out of range is put back, and a note says so."""

    def __init__(self, values: Mapping[str, int], reader: Callable[[], Reader], changed: Callable[[str], None]) -> None:
        """`changed` is called with the name of a box whose number is another, after it was put back."""
        self.box = {name: number_box(BOXES[name], value) for name, value in values.items()}
        self._good = dict(values)
        self._boxed = {name: Boxed(value) for name, value in values.items()}
        self._reader, self._changed = reader, changed
        self._setting = False
        for name, box in self.box.items():
            box.observe(lambda _change, name=name: self._entered(name), "value")

    @property
    def values(self) -> dict[str, int] | None:
        """The numbers; None while it is open what a box holds."""
        return None if any(boxed.value is None for boxed in self._boxed.values()) else dict(self._good)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was put back, and what is open."""
        return once([boxed.note for boxed in self._boxed.values()])

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was taken without a range to hold it against."""
        return once([boxed.remark for boxed in self._boxed.values()])

    def set(self, values: Mapping[str, int]) -> None:
        """Puts numbers into boxes, as if they had been entered, without telling of each."""
        self._setting = True
        try:
            for name, value in values.items():
                self.box[name].value = value
                self._take(name)
        finally:
            self._setting = False

    def again(self) -> None:
        """Looks at every box again: another profile may have another range."""
        self.set({name: int(box.value) for name, box in self.box.items()})

    def _entered(self, name: str) -> None:
        if self._setting:
            return
        self._setting = True
        try:
            self._take(name)
        finally:
            self._setting = False
        self._changed(name)

    def _take(self, name: str) -> None:
        box = self.box[name]
        boxed = put_back(self._reader(), name, int(box.value), self._good[name])
        self._boxed[name] = boxed
        if boxed.value is not None:
            self._good[name] = box.value = boxed.value


class Panel:
    """A tool with its controls. Jupyter shows the widgets; text alone says where they are."""

    title = ""

    def __init__(self) -> None:
        self.shown = widgets.HTML()
        self.page = Page()
        self.widget: Any = None

    def show(self, page: Page) -> None:
        """Shows a page below the controls, and keeps it."""
        self.page = page
        self.shown.value = page.html()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle = self.widget._repr_mimebundle_(**kwargs)
        return {**bundle, "text/plain": f"{self.title}: run this cell in Jupyter to use it"}
