"""Whether printed figures of a sweep can have come of these fights: each against its own sampling error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from conformance.sweep.cells import Cell
from conformance.sweep.run import asked
from engine.duel.fast import Doubles
from engine.duel.kits import Sweep, make_duel
from engine.duel.solve import Length, length_of, solve_duel
from engine.errors import CallError
from engine.readings import Engine

LEAST_CHANCE = 0.0027  # what lies beyond three standard errors of a normal distribution
MOST_POINTS = 1 << 21


@dataclass(frozen=True, slots=True)
class Figure:
    """A printed figure beside the exact one.

    `chance` is that of a sample of `fights` which is as far off, or farther, on either side; `errors` says how many
    standard errors the printed figure is off.
    """

    labels: Mapping[str, Any]
    what: str  # "win" in percent, or "rounds"
    printed: Fraction
    exact: float
    error: float
    errors: float
    chance: float
    fights: int

    @property
    def fits(self) -> bool:
        """Whether the printed figure lies within its sampling error."""
        return self.chance >= LEAST_CHANCE


@dataclass(frozen=True, slots=True)
class Fit:
    """All printed figures of a sweep beside the exact ones."""

    figures: tuple[Figure, ...]

    @property
    def fits(self) -> bool:
        """Whether every figure lies within its sampling error."""
        return all(figure.fits for figure in self.figures)

    @property
    def within(self) -> int:
        """How many figures lie within their sampling error."""
        return sum(figure.fits for figure in self.figures)

    @property
    def worst(self) -> Figure:
        """The figure that is farthest off."""
        return min(self.figures, key=lambda figure: figure.chance)


def fit(engine: Engine, sweep: Sweep, cells: Sequence[Cell]) -> Fit:
    """Every printed figure of the sweep. Raises `CallError` where the book prints none for any cell."""
    figures: list[Figure] = []
    for cell in cells:
        win, rounds, fights = (
            asked(engine, sweep, cell, sweep.printed.get(key, "")) for key in ("win", "rounds", "fights")
        )
        if fights is None or (win is None and rounds is None):
            continue
        duel = make_duel(engine, cell.readings, cell.given)
        if win is not None:
            p = solve_duel(engine, duel, cell.readings).win
            figures.append(_win(cell.labels, Fraction(win), p, int(fights)))
        if rounds is not None:
            figures.append(_rounds(cell.labels, Fraction(rounds), length_of(engine, duel, cell.readings), int(fights)))
    if not figures:
        raise CallError("no figures are printed for these cells", "see `printed` in fights.toml")
    return Fit(tuple(figures))


def _win(labels: Mapping[str, Any], printed: Fraction, p: float, fights: int) -> Figure:
    """A share of fights: binomial. What a printed share can stand for are all counts that round to it."""
    half = _half_step(printed) / 100
    low = max(0, -(-((printed / 100 - half) * fights) // 1))
    high = min(fights, ((printed / 100 + half) * fights) // 1)
    counts = binomial(fights, p)
    chance = _two_sided(float(counts[: int(high) + 1].sum()), float(counts[int(low) :].sum()))
    error = 100 * (p * (1 - p) / fights) ** 0.5
    return Figure(labels, "win", printed, 100 * p, error, _off(float(printed), 100 * p, error), chance, fights)


def _rounds(labels: Mapping[str, Any], printed: Fraction, length: Length, fights: int) -> Figure:
    """An average of fights: the distribution of the sum of so many lengths."""
    step = min((b - a for a, b in zip(length.length, length.length[1:], strict=False)), default=1.0)
    mean, error = length.mean, (length.variance / fights) ** 0.5
    half = _half_step(printed)
    below, above = _sums(length, step, fights, float(printed + half), float(printed - half))
    return Figure(
        labels, "rounds", printed, mean, error, _off(float(printed), mean, error), _two_sided(below, above), fights
    )


def _sums(length: Length, step: float, fights: int, high: float, low: float) -> tuple[float, float]:
    """The chances that the average of `fights` lengths is at most `high`, and at least `low`; by Fourier transform."""
    first = length.length[0]
    places = [round((n - first) / step) for n in length.length]
    # The sum lies within 12 standard deviations of its mean but for less than doubles can tell; the rest wraps around.
    size = 1
    while size < min(fights * (places[-1] + 1), 24 * (fights * length.variance) ** 0.5 / step + 64):
        size *= 2
    if size > MOST_POINTS:
        raise CallError("lengths too far apart to be added up", "sweep shorter fights")
    base = np.zeros(size)
    for place, chance in zip(places, length.chance, strict=True):
        base[place % size] += chance / sum(length.chance)
    sums = np.maximum(np.fft.irfft(np.fft.rfft(base) ** fights, size), 0.0)
    centre = round((length.mean - first) / step * fights)
    offsets = np.arange(centre - size // 2, centre - size // 2 + size)
    chances = sums[offsets % size]
    averages = first + offsets * step / fights
    near = step / fights / 4  # a half of the last printed place is a tie: it can have been rounded either way
    return float(chances[averages <= high + near].sum()), float(chances[averages >= low - near].sum())


def binomial(count: int, p: float) -> Doubles:
    """The chances of 0 to `count` successes, by recursion from the likeliest one."""
    chances = np.zeros(count + 1)
    if p <= 0 or p >= 1:
        chances[0 if p <= 0 else count] = 1.0
        return chances
    top = min(count, int((count + 1) * p))
    chances[top] = 1.0
    for k in range(top, count):
        chances[k + 1] = chances[k] * (count - k) / (k + 1) * p / (1 - p)
    for k in range(top, 0, -1):
        chances[k - 1] = chances[k] * k / (count - k + 1) * (1 - p) / p
    chances /= chances.sum()
    return chances


def _half_step(printed: Fraction) -> Fraction:
    """Half of the last place that is printed; at least one decimal is."""
    digits = 1
    while (printed * 10**digits).denominator != 1:
        digits += 1
    return Fraction(1, 2 * 10**digits)


def _two_sided(below: float, above: float) -> float:
    return min(1.0, 2 * min(below, above))


def _off(printed: float, exact: float, error: float) -> float:
    return (printed - exact) / error if error else 0.0 if abs(printed - exact) < 0.05 else float("inf")
