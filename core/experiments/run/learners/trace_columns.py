"""Conversion of a fit's trace to plain columns for the run store, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.solvers import Certificate, TracePoint

_COLUMNS: Mapping[str, Callable[[TracePoint], Any]] = {
    "step": lambda point: point.step,
    "objective": lambda point: point.objective,
    "certificate": lambda point: point.certificate.value,
    "relative": lambda point: point.certificate.relative,
    "kind": lambda point: point.certificate.kind,
    "unit": lambda point: point.certificate.unit,
    "among": lambda point: point.certificate.among,
    "seconds": lambda point: point.seconds,
    "passes": lambda point: point.passes,
    "nonzero": lambda point: point.nonzero,
    "provisional": lambda point: point.provisional,
}
_FLOATS = ("objective", "certificate", "relative", "seconds", "passes")


def trace_columns(trace: Sequence[TracePoint]) -> dict[str, NDArray[Any]]:
    """Make columns with one row an iterate.

    They are step, objective, certificate (its value), relative, seconds, passes, nonzero and provisional. The
    certificate's kind, unit and among are columns too, because they may change during a fit.
    """
    return {
        name: np.array([read(point) for point in trace], dtype=np.float64 if name in _FLOATS else None)
        for name, read in _COLUMNS.items()
    }


def trace_points(columns: Mapping[str, NDArray[Any]]) -> tuple[TracePoint, ...]:
    """Rebuild the trace that `trace_columns` made; empty if the columns are not those of a solver."""
    if not columns.keys() >= _COLUMNS.keys():
        return ()
    rows = zip(*(columns[name].tolist() for name in _COLUMNS), strict=True)
    return tuple(
        TracePoint(
            step, objective, Certificate(kind, value, relative, unit, among=among), seconds, passes, nonzero, inner
        )
        for step, objective, value, relative, kind, unit, among, seconds, passes, nonzero, inner in rows
    )
