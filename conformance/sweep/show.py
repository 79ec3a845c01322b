"""Rows and fits as tables and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from conformance.sweep.fit import Figure, Fit
from conformance.sweep.run import Row
from engine.values import show

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]  # heads, rows

RARE = 5e-5  # shares below show as such: they are no zero


def table(rows: Sequence[Row]) -> Table:
    """Rows for people: wins in percent, average rounds, and where a win stands to its band."""
    names = list(dict.fromkeys(name for row in rows for name in row.labels))
    extra = [end for end in ("both", "endless") if any(row.solved and getattr(row.solved, end) > RARE for row in rows)]
    banded = any(row.band for row in rows)
    heads = (*names, "win", *extra, "rounds", *(("band", "") if banded else ()))
    found = []
    for row in rows:
        labels = tuple(show(row.labels[name]) if name in row.labels else "" for name in names)
        if row.solved is None:
            found.append((*labels, row.problem))
            continue
        solved = row.solved
        ends = tuple(percent(getattr(solved, end)) for end in extra)
        band = (f"{row.band[0]:g}–{row.band[1]:g} %", _stands(row)) if row.band else ("", "")
        found.append((*labels, percent(solved.win), *ends, f"{solved.rounds:.2f}", *(band if banded else ())))
    return heads, found


def _stands(row: Row) -> str:
    assert row.band is not None
    assert row.solved is not None
    if row.within:
        return "within"
    return "below" if 100 * row.solved.win < row.band[0] else "above"


def fit_table(fit: Fit) -> Table:
    """Printed figures beside exact ones, for people."""
    names = list(dict.fromkeys(name for figure in fit.figures for name in figure.labels))
    heads = (*names, "figure", "printed", "exact", "standard error", "off by", "chance of as much", "")
    return heads, [
        (
            *(show(figure.labels[name]) for name in names),
            figure.what,
            _printed(figure),
            percent(figure.exact / 100) if figure.what == "win" else f"{figure.exact:.2f}",
            f"{figure.error:.2f}",
            _off(figure.errors),
            f"{figure.chance:.3f}" if figure.chance >= 0.0005 else "< 0.001",
            "fits" if figure.fits else "does not fit",
        )
        for figure in fit.figures
    ]


def _off(errors: float) -> str:
    """So many standard errors, with their sign."""
    if abs(errors) < 0.05:
        return "0.0"
    return f"{errors:+.1f}".replace("-", "−") if abs(errors) < 100 else "very far"


def _printed(figure: Figure) -> str:
    digits = 1
    while (figure.printed * 10**digits).denominator != 1:
        digits += 1
    return f"{float(figure.printed):.{digits}f}" + (" %" if figure.what == "win" else "")


def percent(share: float) -> str:
    """`25.18 %`; what is neither nothing nor all is never shown as either."""
    if 0 < share < RARE:
        return "< 0.01 %"
    if 1 - RARE < share < 1 - 1e-9:
        return "> 99.99 %"
    return f"{100 * share:.2f} %"


def to_csv(rows: Sequence[Row]) -> str:
    """Rows for programs: shares as they are, with the bound of their relative error."""
    names = list(dict.fromkeys(name for row in rows for name in row.labels))
    fields = ("win", "loss", "both", "endless", "rounds", "variance", "bound")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*names, *fields, "band_low", "band_high", "problem"])
    for row in rows:
        labels = [_cell(row.labels.get(name, "")) for name in names]
        values: list[Any] = [repr(getattr(row.solved, field)) if row.solved else "" for field in fields]
        writer.writerow([*labels, *values, *(row.band or ("", "")), row.problem])
    return text.getvalue()


def _cell(value: Any) -> str:
    """A value as a cell; none that a spreadsheet would take for a formula."""
    text = show(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(("=", "+", "-", "@", "\t")) else text
