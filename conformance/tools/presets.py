"""Whom one can pick in a tool instead of entering numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conformance.tools.said import Reader, Said
from engine.duel.kits import FILE, read_kits
from engine.readings import Engine

Kind = Literal["page", "array", "build", "assumed"]


@dataclass(frozen=True, slots=True)
class Preset:
    """A fighter by name.

    `page` is Lục Trần of the fight with seed 1; `array` the fixed array, in the order of the abilities; `build` one of
    the page's builds; `assumed` a fighter of fights.toml, whom the page does not print.
    """

    kind: Kind
    name: str
    label: str

    def modifier(self, reader: Reader, ability: str) -> Said:
        """The modifier for the roller."""
        match self.kind:
            case "page":
                return reader.ask("roller_modifier", edited=False, entered=0)
            case "array":
                return reader.work(lambda rules: rules.array_mod(rank=rules.ability_rank(ability=ability)))
            case "build":
                return reader.work(lambda rules: rules.mod(score=rules.preset_score(build=self.name, ability=ability)))
            case "assumed":
                return self._assumed(reader, ability)

    def score(self, reader: Reader, ability: str) -> Said:
        """The score for the calculator."""
        match self.kind:
            case "page":
                return reader.ask("roller_modifier", edited=False, entered=0)
            case "array":
                return reader.work(lambda rules: rules.array_score(rank=rules.ability_rank(ability=ability)))
            case "build":
                return reader.ask("preset_score", build=self.name, ability=ability)
            case "assumed":
                known = self._assumed(reader, ability)
                return reader.ask("score_of", modifier=known.value) if known.settled else known

    def grade(self, reader: Reader, grade: Literal["the_chat", "cong_phap"]) -> int | None:
        """The thể chất or công pháp that comes with the fighter; None where none is known."""
        if self.kind != "assumed":
            return None
        value = read_kits(reader.engine).entries[self.name].get(grade)
        return value if isinstance(value, int) else None

    def _assumed(self, reader: Reader, ability: str) -> Said:
        value = read_kits(reader.engine).entries[self.name].get(ability)
        if isinstance(value, int):
            return Said(value)
        return Said(lacking=f"{FILE} says nothing of it")


def presets(engine: Engine) -> tuple[Preset, ...]:
    """All that can be picked: the page's own first."""
    own = [
        Preset("page", "luc tran", "Lục Trần (seed 1)"),
        Preset("array", "fixed array", "mảng cố định (fixed array)"),
    ]
    own += [Preset("build", build, f"{build} (page)") for build in ("weak", "mid", "strong")]
    fighters = [name for name, entry in read_kits(engine).entries.items() if "the_phach" in entry]
    return (*own, *(Preset("assumed", name, f"{name} ({FILE}, assumed)") for name in fighters))


def by_name(engine: Engine, kind: Kind, name: str = "") -> Preset:
    """A preset of a kind; the only one without a name. Raises `StopIteration` for none."""
    return next(one for one in presets(engine) if one.kind == kind and name in ("", one.name))
