"""YAML blocks as data with line numbers and exact numbers.

Plain scalars are whole numbers, exact decimals and fractions (`37.5`, `75/2`), `true`, `false`, or text; nothing
else is guessed (`on`, `no` and dates stay text). Anchors, tags and repeated keys are refused.
"""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

from engine.book.files import refuse_control
from engine.dice import plain
from engine.errors import BookError, Place

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,30}\.[0-9]{1,30}")
_FRACTION = re.compile(r"[+-]?[0-9]{1,30}/[0-9]{1,30}")
# Where an anchor, an alias or a tag may begin; few blocks hold anything like it, and only those are read twice.
_MARKED = re.compile(r"(?:^|[\s\[{,:?\-])[&*!]\S", re.MULTILINE)
MOST_DEPTH = 12


class Map(dict[str, Any]):
    """A YAML mapping that knows where it and its keys stand, and that of a whole block how it is written."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.text = ""
        self.place = place
        self.places: dict[str, Place] = {}


class Seq(list[Any]):
    """A YAML sequence that knows where its items stand."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.places: list[Place] = []


def read_block(text: str, file: Path, first_line: int) -> Map:
    """The mapping that a fenced block holds. `first_line` is the file line of the block's first line.

    Raises `BookError` with the line where it is broken.
    """
    try:
        for event in yaml.parse(text, Loader=_LOADER) if _MARKED.search(text) else ():
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) or _tagged(event):
                mark = event.start_mark
                place = Place(file, first_line + (mark.line if mark else 0))
                raise BookError("anchors, aliases and tags are not part of a block", "write the value out", place)
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(file, first_line + (mark.line if mark else 0))
        raise BookError(f"broken YAML: {error.problem}", "check quotes, commas and indentation", place) from None
    except yaml.YAMLError as error:
        raise BookError(f"broken YAML: {error}", "remove control characters", Place(file, first_line)) from None
    if not isinstance(root, yaml.MappingNode):
        raise BookError("the block is no mapping", "write `key: value` lines", Place(file, first_line))
    mapping: Map = _build(root, file, first_line, 0)
    if "\\" in text:
        # A file holds no control character as such; only here could one be written by its number.
        _refuse_control(root, file, first_line)
    mapping.text = text
    return mapping


def _refuse_control(node: yaml.Node, file: Path, first_line: int) -> None:
    if isinstance(node, yaml.ScalarNode):
        refuse_control(node.value.replace("\n", " "), Place(file, first_line + node.start_mark.line))
        return
    for entry in node.value:
        for each in entry if isinstance(entry, tuple) else (entry,):
            _refuse_control(each, file, first_line)


def _tagged(event: yaml.Event) -> bool:
    tag = getattr(event, "tag", None)
    return tag is not None and tag != "!"


def _build(node: yaml.Node, file: Path, first_line: int, depth: int) -> Any:
    place = Place(file, first_line + node.start_mark.line)
    if depth > MOST_DEPTH:
        raise BookError("a block nested too deep", f"at most {MOST_DEPTH} levels", place)
    if isinstance(node, yaml.MappingNode):
        mapping = Map(place)
        for key_node, value_node in node.value:
            key_place = Place(file, first_line + key_node.start_mark.line)
            if not isinstance(key_node, yaml.ScalarNode):
                raise BookError("a key that is no word", "write `key: value`", key_place)
            key = key_node.value
            if key in mapping:
                raise BookError(f'the key "{key}" stands twice', "keep one", key_place)
            mapping[key] = _build(value_node, file, first_line, depth + 1)
            mapping.places[key] = key_place
        return mapping
    if isinstance(node, yaml.SequenceNode):
        sequence = Seq(place)
        for item in node.value:
            sequence.append(_build(item, file, first_line, depth + 1))
            sequence.places.append(Place(file, first_line + item.start_mark.line))
        return sequence
    assert isinstance(node, yaml.ScalarNode)
    return node.value if node.style else read_scalar(node.value, place)


def read_scalar(text: str, place: Place | None = None) -> Any:
    """An unquoted scalar: exact number, truth value, None for nothing, else the text itself."""
    if text in ("true", "false"):
        return text == "true"
    if text in ("", "~", "null"):
        return None
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return plain(Fraction(text))
    if _FRACTION.fullmatch(text):
        try:
            return plain(Fraction(text))
        except ZeroDivisionError:
            raise BookError(f"{text} divides by zero", "write a number", place) from None
    return text
