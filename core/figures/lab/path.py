"""The path of one method in a small view: how its weights grow as lambda falls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of, weights_along
from core.figures.lab.compact import HANDLE, HEIGHT, WORDS, compact
from core.figures.look.assembling import Part
from core.figures.look.drawing import Drawing
from core.figures.look.feature_colours import feature_colours
from core.figures.look.line_labels import spread_labels
from core.figures.look.names import name_labels
from core.figures.look.style import AXIS, MUTED, STAR_MARK, layout_parts
from core.figures.path.axes import Axes, horizontal_range, weight_range
from core.figures.path.lines import entered, labelled, weight_lines
from core.names.counted import FEWER_MORE, features
from core.names.numbers import short

STAR = 0.06  # of the height: above the numbers of the axis
CHOSEN, THIN = 1.6, 1.1  # pixels: widths of lines
LABEL_SHARE = 0.1  # height of a label, of that of the picture


def lab_path_figure(
    points: Sequence[PathPoint],
    coloured: Sequence[int],
    *,
    chosen_ratio: float | None,
    best: PathPoint | None = None,
    beside: Sequence[PathPoint] = (),
    revision: str = "",
) -> go.Figure:
    """Draw one path against lambda / lambda_max, the model growing to the right.

    Parameters
    ----------
    points : sequence of PathPoint
        At least one, falling in lambda. A point carries its C as ``customdata``.
    coloured : sequence of int
        Columns (from 0) of the features with colours and names.
    chosen_ratio : float or None
        lambda / lambda_max of the chosen C, drawn as the solid line, if there is to be one.
    best : PathPoint, optional
        The best model on the validation part, drawn as a thin line with a star that can be clicked.
    beside : sequence of PathPoint, optional
        The path of another method, drawn in thin lines.
    revision : str
        A zoom is kept as long as this is the same.
    """
    span = weight_range([points], coloured)
    reach = horizontal_range([points], "lambda", chosen_ratio)
    lines = [] if chosen_ratio is None else [_line(chosen_ratio, CHOSEN)]
    lines += [] if best is None else [_line(ratio_of(best), THIN)]
    x = {"type": "log", "exponentformat": "e", "dtick": 1, "title": {"text": " · ".join(FEWER_MORE)}, "range": reach}
    y = {"title": {"text": "weight"}, "nticks": 5, "range": span}
    parts = layout_parts("", "", HEIGHT) | {
        "xaxis": AXIS | x,
        "yaxis": AXIS | y,
        "uirevision": revision,
        "annotations": _names(points, coloured, span),
        "shapes": lines,
    }
    traces = [*_thin_lines(beside, coloured), *weight_lines(points, coloured, "lambda", Axes(1))]
    traces += [] if best is None else [_peak(best, span)]
    figure = Drawing().update_layout(parts)
    for trace in traces:
        figure.add_trace(trace)
    return compact(figure, left=48, right=134, top=HANDLE).update_xaxes(showticklabels=False).figure()


def _line(x: float, width: float) -> dict[str, Any]:
    line = {"color": MUTED, "width": width}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain", "line": line}


def _thin_lines(points: Sequence[PathPoint], coloured: Sequence[int]) -> list[Part]:
    """Another method's weights of the coloured features, in their colours; not to be clicked."""
    if not points:
        return []
    weights = weights_along(points)
    places, colours = [ratio_of(point) for point in points], feature_colours(coloured)
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": places,
            "y": entered(weights[:, j]),
            "line": {"color": colours[j], "width": THIN},
            "opacity": 0.75,
            "name": f"{points[0].fit.method}, feature {j + 1}",
            "hoverinfo": "skip",
        }
        for j in coloured
        if weights[:, j].any()
    ]


def _peak(best: PathPoint, span: Sequence[float]) -> Part:
    """A star on the thin line, which a click takes."""
    words = f"<b>best on validation</b><br>C = {short(best.fit.c)}, {features(best.fit.result.nonzero)}"
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [ratio_of(best)],
        "y": [span[0] + STAR * (span[1] - span[0])],
        "marker": STAR_MARK,
        "text": [words],
        "hovertemplate": "%{text}<br>click to use this C<extra></extra>",
        "customdata": [best.fit.c],
        "name": "best on validation",
        "cliponaxis": False,
    }


def _names(points: Sequence[PathPoint], coloured: Sequence[int], span: Sequence[float]) -> list[dict[str, Any]]:
    """Place the names of the coloured features at the right end."""
    names = points[0].fit.feature_names
    ends = labelled(points, coloured)
    low, high = span
    colours = feature_colours(coloured)
    places = spread_labels(list(ends.values()), LABEL_SHARE * (high - low), low, high)
    fixed = {"x": 1.0, "xref": "x domain", "xanchor": "left", "xshift": 4, "showarrow": False}
    return [
        fixed
        | {
            "name": f"feature {j}",
            "text": label,
            "font": {"size": WORDS, "color": colours[j]},
            "y": float(place),
        }
        for j, label, place in zip(ends, name_labels(names, ends), places, strict=True)
    ]
