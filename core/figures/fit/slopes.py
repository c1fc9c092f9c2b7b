"""Theory's rates as thin lines to hold a convergence curve against: 1/k, 1/k² and linear."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.figures.look.drawing import Part
from core.figures.look.style import MUTED

FloatArray = NDArray[np.float64]

POINTS = 60
SLOPES_EXPLAINED = (
    "Thin lines: the rates of theory. 1/k takes ten times the steps for each further digit, 1/k² about three times, "
    "and linear the same number of steps for every digit. Compare how steep they are; where they begin means nothing."
)


def guide_slopes(curves: Sequence[tuple[Sequence[float], Sequence[float]]]) -> list[Part]:
    """Draw the rates from the upper left corner of what the curves cover, named at their ends.

    The curves are places across and up, which are positive. Where they span nothing there are no lines.
    """
    across = np.concatenate([np.asarray(x, dtype=float) for x, _ in curves] or [np.empty(0)])
    up = np.concatenate([np.asarray(y, dtype=float) for _, y in curves] or [np.empty(0)])
    positive = across[across > 0]
    if not len(positive) or positive.min() == positive.max() or up.min() == up.max():
        return []
    first, last, high, low = float(positive.min()), float(positive.max()), float(up.max()), float(up.min())
    middle = float(np.sqrt(first * last))  # there the linear one, whose factor theory leaves open, arrives at the foot
    rates: dict[str, Callable[[FloatArray], FloatArray]] = {
        "1/k": lambda k: high * first / k,
        "1/k²": lambda k: high * (first / k) ** 2,
        "linear": lambda k: high * (low / high) ** ((k - first) / (middle - first)),
    }
    k = np.geomspace(first, last, POINTS)
    return [_line(name, k, rate(k), low) for name, rate in rates.items()]


def _line(name: str, k: FloatArray, value: FloatArray, low: float) -> Part:
    inside = value >= low * (1.0 - 1e-9)
    places, heights = k[inside], value[inside]
    return {
        "type": "scatter",
        "x": places,
        "y": heights,
        "mode": "lines+text",
        "line": {"color": MUTED, "width": 1, "dash": "solid"},
        "text": [""] * (len(places) - 1) + [name],
        "textposition": "middle right",
        "textfont": {"color": MUTED, "size": 12},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "showlegend": False,
        "name": name,
    }
