"""Names at the ends of lines, beside marks and of rows, close to what they name and without overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.figures.look.drawing import Drawing, Part
from core.figures.look.labels import name_labels
from core.figures.look.style import ABOVE, SUBTITLE_LINE, TITLE_LINE, MethodStyle, Picture, Words, layout, wrapped

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


CHARACTERS = (72, 100)  # a line of title and subtitle, where the chart is 560 pixels wide; the page's own words wrap
ROW = 21
LEGEND = 26
BELOW = 66  # room for an axis with its title, with or without one: charts side by side align


def row_labels(names: Sequence[str], rows: Sequence[int]) -> list[str]:
    """Return short names of features for their rows; all names of the data decide what tells them apart."""
    return [f"{label} " for label in name_labels(names, rows)]


def heading_height(words: Words) -> int:
    """Return the height of a wrapped title and subtitle, in pixels."""
    titles, subtitles = map(wrapped, (words.title, words.subtitle), CHARACTERS)
    return ABOVE + TITLE_LINE * len(titles) + SUBTITLE_LINE * len(subtitles)


def row_layout(
    figure: Picture,
    labels: Sequence[str],
    words: Words,
    *,
    heading: int | None = None,
    above: float = 0.6,
    legend: bool = False,
) -> Picture:
    """Lay out rows 0, 1, … from the top down under a heading that wraps, and return the figure.

    Parameters
    ----------
    figure : plotly Figure or Drawing
    labels : sequence of str
        One label a row, made by `row_labels`.
    words : Words
    heading : int, optional
        Pixels for heading and top axis; by default those of the heading. Charts side by side align if it is equal.
    above : float
        Space above the first row, in rows.
    legend : bool
        Whether to leave a line for a legend between heading and rows.
    """
    top = (heading_height(words) if heading is None else heading) + (LEGEND if legend else 0)
    body = ROW * (max(len(labels), 3) + above)
    drawn = layout(figure, words, height=round(top + body + BELOW), characters=CHARACTERS)
    figure.update_yaxes(
        range=[len(labels) - 0.4, -above],
        tickvals=list(range(len(labels))),
        ticktext=list(labels),
        tickfont={"size": 12},
        automargin=True,
    )
    return drawn.update_layout(
        title={"y": 1.0, "yref": "container", "yanchor": "top", "pad": {"t": 12}},
        margin={"t": top, "r": 14, "l": 8, "b": BELOW},
        meta=drawn.layout["meta"] | {"rows": True},  # never so low that their names meet
        showlegend=legend,
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "itemclick": False},
    )
