"""Names at the ends of lines and beside marks, close to them and without overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.figures.look.assembling import Part
from core.figures.look.drawing import Drawing
from core.figures.look.style import MethodStyle

FloatArray = NDArray[np.float64]
LINE = 21  # pixels of a name beside a mark
LEAST_HEIGHT, AROUND = 430, 150  # pixels: of a picture with names beside its marks, and of what stands around its plot
LETTER, WIDEST = 7.2, 235  # pixels: of a letter, and of the room for names


def end_notes(
    ends: Sequence[tuple[str, float, str | None]], gap: float, low: float, high: float, size: int = 0, **note: Any
) -> list[Part]:
    """Make annotations with names at the right edge, each as near to the end of its line as the others allow.

    Parameters
    ----------
    ends : sequence of (str, float, str or None)
        Name, height and colour of every line.
    gap, low, high : float
        As for `spread_labels`.
    size : int
        Of their letters; 0: as elsewhere in the figure.
    note : optional
        Further properties of the annotations.
    """
    places = spread_labels([height for _, height, _ in ends], gap, low, high)
    at = {"x": 1.0, "xref": "paper", "xanchor": "left", "showarrow": False}
    fonts = [({"size": size} if size else {}) | ({"color": colour} if colour else {}) for _, _, colour in ends]
    return [
        at | {"y": y, "text": name} | ({"font": font} if font else {}) | note
        for (name, _, _), font, y in zip(ends, fonts, places.tolist(), strict=True)
    ]


def name_ends(
    figure: go.Figure | Drawing, ends: Sequence[tuple[str, float, str | None]], gap: float, low: float, high: float,
    size: int = 0, **note: Any,
) -> None:  # fmt: skip
    """Write the annotations of `end_notes` on a figure."""
    for drawn in end_notes(ends, gap, low, high, size, **note):
        figure.add_annotation(**drawn)


def beside_height(count: int) -> int:
    """Height of a picture, in pixels, so that so many names fit beside its marks."""
    return max(LEAST_HEIGHT, AROUND + LINE * count)


def beside_room(longest: int) -> float:
    """Pixels at the right for names of so many letters."""
    return min(24 + LETTER * longest, WIDEST)


def names_beside(
    marks: Sequence[tuple[float, float]],
    names: Sequence[str],
    styles: Sequence[MethodStyle],
    right: float,
    low: float,
    high: float,
    *,
    log: bool = False,
) -> list[tuple[Part, Part]]:
    """Return a thin line from every mark to the right edge, and the mark's name there, in its colour.

    Parameters
    ----------
    marks : sequence of (float, float)
    names : sequence of str
    styles : sequence of MethodStyle
    right, low, high : float
        Ends of the axes; on a log axis ``low`` and ``high`` are decimal logarithms.
    log : bool
    """
    heights = [math.log10(y) if log else y for _, y in marks]
    places = spread_labels(heights, LINE / (beside_height(len(marks)) - AROUND) * (high - low), low, high).tolist()
    return [
        (
            {
                "x": [x, right],
                "y": [y, 10.0**place if log else place],
                "mode": "lines",
                "line": {"color": style.colour, "width": 1, "dash": style.dash},
                "opacity": 0.35,
                "hoverinfo": "skip",
            },
            {"x": 1.0, "xref": "paper", "xanchor": "left", "y": place, "text": f" {name}", "showarrow": False}
            | {"font": {"color": style.colour, "size": 13}},
        )
        for (x, y), name, style, place in zip(marks, names, styles, places, strict=True)
    ]


def spread_labels(wanted: Sequence[float] | FloatArray, gap: float, low: float, high: float) -> FloatArray:
    """Place labels at least ``gap`` apart and within [low, high], with the least sum of squared shifts.

    With z_i = y_i − i·gap (labels in order of their wanted positions) the gaps require only that z does not decrease.
    So the solution is an isotonic regression by pooling adjacent violators, clipped to the range.

    Parameters
    ----------
    wanted : sequence of float, length n
        Ends of the lines, in any order.
    gap : float
        Height of a label, in the same units. If n labels do not fit, the gap shrinks until they do.
    low, high : float
        The range.

    Returns
    -------
    ndarray, shape (n,)
        In the order of ``wanted``; order between labels is kept, among equals the first one is lowest.
    """
    targets = np.asarray(wanted, dtype=float)
    n = len(targets)
    if n == 0:
        return targets
    gap = min(gap, (high - low) / (n - 1)) if n > 1 else gap
    order = np.argsort(targets, kind="stable")
    steps = gap * np.arange(n)
    pooled = _isotonic(targets[order] - steps)
    placed = np.empty(n)
    placed[order] = np.clip(pooled, low, max(high - steps[-1], low)) + steps
    return placed


def _isotonic(values: FloatArray) -> FloatArray:
    """Compute the non-decreasing sequence nearest to ``values`` in least squares."""
    means: list[float] = []
    sizes: list[int] = []
    for value in values:
        mean, size = float(value), 1
        while means and means[-1] > mean:
            before, count = means.pop(), sizes.pop()
            mean, size = (before * count + mean * size) / (count + size), count + size
        means.append(mean)
        sizes.append(size)
    return np.repeat(means, sizes)
