"""What a page depends on, as one digest: a page whose digest is known need not be made again."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
ROOMS = ("engine", "conformance", "notebooks")
KINDS = (".py", ".j2", ".css", ".ipynb")
# What the bytes of a page come from, besides our own code.
PACKAGES = ("hypothesis", "jinja2", "latex2mathml", "markdown-it-py", "sympy", "tabulate")


def digest_of(*parts: str) -> str:
    """SHA-256 over the parts, each with its length."""
    whole = hashlib.sha256()
    for part in parts:
        raw = part.encode()
        whole.update(f"{len(raw)}:".encode() + raw)
    return whole.hexdigest()


@lru_cache(maxsize=1)
def code_digest() -> str:
    """SHA-256 over this project's own code, templates and notebooks, and the packages that shape a page."""
    files = sorted(f for room in ROOMS for f in (HOME / room).rglob("*") if f.suffix in KINDS and f.is_file())
    packages = [f"{name} {version(name)}" for name in PACKAGES]
    return digest_of(f"{sys.version_info[:3]}", *packages, *_contents(files))


def _contents(files: Iterable[Path]) -> list[str]:
    return [f"{f.relative_to(HOME).as_posix()} {hashlib.sha256(f.read_bytes()).hexdigest()}" for f in files]
