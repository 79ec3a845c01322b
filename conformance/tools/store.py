"""Runs the tools' notebooks anew and stores their outputs: `python -m conformance.tools.store`."""

from __future__ import annotations

import sys

from conformance.report.build import NOTEBOOKS
from conformance.report.store import VIEW, store, store_all

FOLDER = NOTEBOOKS / "tools"

if __name__ == "__main__":
    sys.exit(store_all(FOLDER))

__all__ = ["FOLDER", "VIEW", "store"]
