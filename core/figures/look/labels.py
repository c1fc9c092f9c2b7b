"""Labels in figures: names, numbers along axes, words on hover, and what stands in their place on a narrow screen.

Names at the ends of lines, beside marks and of rows stand close to what they name and without overlap. Plotly rounds a
label that has a fixed number of decimals, so that neighbours become equal; formats here have as many decimals as they
need.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.figures.look.drawing import Drawing, Part, note
from core.figures.look.style import (
    ABOVE,
    SUBTITLE_LINE,
    TITLE_LINE,
    MethodStyle,
    Picture,
    Words,
    layout,
    silent,
    wrapped,
)
from core.names.plain import in_plotly
from core.names.short import LONGEST, short_names


def name_labels(names: Sequence[str], columns: Iterable[int], longest: int = LONGEST) -> list[str]:
    """Return labels of these names (columns from 0), at most ``longest`` characters on the screen.

    All names of the set decide what tells one from the others. Labels of features are as long in every picture.
    """
    return [in_plotly(label) for label in short_names(names, columns, longest)]


def told(name: str, words: Sequence[str], what: str = "") -> dict[str, Any]:
    """What marks of this name say on hover, as the properties of a trace: ``what`` they are, and words for each."""
    return {"hovertext": words, "hovertemplate": f"<b>{name}</b>{what}<br>%{{hovertext}}<extra></extra>"}


def of_features(
    names: Sequence[str], columns: Iterable[int], words: str, *values: Iterable[object], head: str = ""
) -> dict[str, Any]:
    """What marks of these features (columns from 0) say on hover, as the properties of a trace.

    They begin with the feature's name and number; then ``words``, for which ``values`` are ``customdata[2]`` and on.
    """
    named = ((in_plotly(names[j]), j + 1) for j in columns)
    return {
        "customdata": [[*feature, *more] for feature, *more in zip(named, *values, strict=True)],
        "hovertemplate": f"{head}%{{customdata[0]}} (feature %{{customdata[1]}})<br>{words}<extra></extra>",
    }


NarrowWords = str | Mapping[str, Any]


def at_the_end(text: str) -> NarrowWords:
    """Return words that stand on a narrow screen at the right end of their line, among the names of the other lines."""
    return {"text": text, "x": 1, "xanchor": "left", "xshift": 4, "yanchor": "middle"}


def narrow(words: Mapping[str, NarrowWords], layout: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the part of a layout's ``meta`` that `core/figures/browser/narrow.js` reads.

    Labels at the right end of lines need nothing here: there they are moved apart by the height that they get. By the
    text of an annotation ``words`` has what stands there instead, or what of it differs; nothing where the text is
    empty. ``layout`` has parts of the layout; of an axis only what differs.
    """
    return {"narrow": {"words": dict(words), "layout": dict(layout or {})}}


PERCENT = "~%"
NUMBER = ".12~g"
WHOLE = 6
"""Counts as small as this have a label each; plotly would put labels between them."""


def count_axis(low: float, high: float) -> dict[str, Any]:
    """What an axis of counts over this range has beside its range, as parts of a layout."""
    return {"tick0": 0, "dtick": 1} if high - low <= WHOLE else {}


def first_of_each(labels: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """Places with their labels, without those whose label stands already."""
    places: dict[str, float] = {}
    for place, text in labels:
        places.setdefault(text, place)
    return [(place, text) for text, place in places.items()]


FloatArray = NDArray[np.float64]
LINE = 21  # pixels of a name beside a mark
LEAST_HEIGHT, AROUND = 430, 150  # pixels: of a picture with names beside its marks, and of what stands around its plot
LETTER, WIDEST = 7.2, 235  # pixels: of a letter, and of the room for names


def end_notes(
    ends: Sequence[tuple[str, float, str | None]], gap: float, low: float, high: float, size: int = 0, **more: Any
) -> list[Part]:
    """Make annotations with names at the right edge, each as near to the end of its line as the others allow.

    ``ends`` are name, height and colour of every line; gap and range are those of `spread_labels`, ``size`` is that of
    the letters (0: as elsewhere in the figure), and ``more`` are further properties of the annotations.
    """
    places = spread_labels([height for _, height, _ in ends], gap, low, high)
    return [
        note(name, 1.0, y, "left", size, colour or "", **{"xref": "paper", **more})
        for (name, _, colour), y in zip(ends, places.tolist(), strict=True)
    ]


def name_ends(
    figure: go.Figure | Drawing, ends: Sequence[tuple[str, float, str | None]], gap: float, low: float, high: float,
    size: int = 0, **more: Any,
) -> None:  # fmt: skip
    """Write the annotations of `end_notes` on a figure."""
    for drawn in end_notes(ends, gap, low, high, size, **more):
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
    gap: float = 0.0,
    log: bool = False,
) -> list[tuple[Part, Part]]:
    """Return a thin line from every mark to the right edge, and the mark's name there, in its colour.

    ``low`` and ``high`` are ends of the y axis, on a log axis decimal logarithms; ``gap`` is the share of their
    distance between two names, that of a picture of `beside_height` if it is 0.
    """
    gap = gap or LINE / (beside_height(len(marks)) - AROUND)
    heights = [math.log10(y) if log else y for _, y in marks]
    places = spread_labels(heights, gap * (high - low), low, high).tolist()
    return [
        (
            silent([x, right], [y, 10.0**place if log else place], 1, style.colour, opacity=0.6),
            note(f" {name}", 1.0, place, "left", 13, style.colour, xref="paper"),
        )
        for (x, y), name, style, place in zip(marks, names, styles, places, strict=True)
    ]


def spread_labels(wanted: Sequence[float] | FloatArray, gap: float, low: float, high: float) -> FloatArray:
    """Place labels at least ``gap`` apart and within [low, high], with the least sum of squared shifts.

    With z_i = y_i − i·gap (labels in order of their wanted positions) the gaps require only that z does not decrease.
    So the solution is an isotonic regression by pooling adjacent violators, clipped to the range. If n labels do not
    fit, the gap shrinks until they do. The result, shape (n,), is in the order of ``wanted``, the ends of the lines;
    order between labels is kept, among equals the first one is lowest.
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


def row_labels(names: Sequence[str], rows: Sequence[int], bold: Iterable[int] = ()) -> list[str]:
    """Return short names of features for their rows; all names of the data decide what tells them apart."""
    thick, labels = set(bold), zip(rows, name_labels(names, rows), strict=True)
    return [f"<b>{label} </b>" if j in thick else f"{label} " for j, label in labels]


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

    A row has one of the `row_labels`; there is space for ``above`` rows above the first one, and with ``legend`` a line
    for a legend. ``heading`` is in pixels, with the top axis; charts side by side align if it is equal.
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
