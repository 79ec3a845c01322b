"""Sweeps of whole fights: cells solved exactly, side by side with printed figures and bands."""

from conformance.sweep.cells import Cell, Progress, sweep_of, vary
from conformance.sweep.executors import Dask, Executor, Local, executor
from conformance.sweep.fit import Figure, Fit, fit
from conformance.sweep.run import Row, run

__all__ = [
    "Cell",
    "Dask",
    "Executor",
    "Figure",
    "Fit",
    "Local",
    "Progress",
    "Row",
    "executor",
    "fit",
    "run",
    "sweep_of",
    "vary",
]
