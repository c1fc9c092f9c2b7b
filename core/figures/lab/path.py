"""The path of one method in a small view: how its weights grow as lambda falls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.figures.lab.compact import HANDLE, HEIGHT, WORDS, compact
from core.figures.look.feature_styles import FEATURE_STYLES
from core.figures.look.line_labels import shortened, spread_labels
from core.figures.look.style import AXIS, MUTED, layout_parts
from core.figures.path.axes import Axes, horizontal_range, weight_range
from core.figures.path.lines import labelled, weight_lines

LONGEST_NAME = 16
LABEL_SHARE = 0.085  # height of a label, of that of the picture


def lab_path_figure(
    points: Sequence[PathPoint],
    coloured: Sequence[int],
    *,
    chosen_ratio: float,
    best: PathPoint | None = None,
    revision: str = "",
) -> go.Figure:
    """Draw one path against lambda / lambda_max, the model growing to the right.

    Parameters
    ----------
    points : sequence of PathPoint
        At least one, falling in lambda. A point carries its C as ``customdata``.
    coloured : sequence of int
        Columns (from 0) of the features with colours and names.
    chosen_ratio : float
        lambda / lambda_max of the chosen C, drawn as the solid line.
    best : PathPoint, optional
        The best model on the validation part, drawn as the dashed line.
    revision : str
        A zoom is kept as long as this is the same.
    """
    span = weight_range([points], coloured)
    reach = horizontal_range([points], "lambda", chosen_ratio)
    lines = [_line(chosen_ratio, "solid")] + ([_line(ratio_of(best), "dash")] if best is not None else [])
    x = {"type": "log", "exponentformat": "power", "dtick": 1, "title": {"text": "λ / λ_max"}, "range": reach}
    y = {"title": {"text": "weight"}, "nticks": 5, "range": span}
    parts = layout_parts("", "", HEIGHT) | {
        "xaxis": AXIS | x,
        "yaxis": AXIS | y,
        "uirevision": revision,
        "annotations": _names(points, coloured, span),
        "shapes": lines,
    }
    figure = go.Figure(weight_lines(points, coloured, "lambda", Axes(1)), parts)
    return compact(figure, left=48, right=116, top=HANDLE)


def _line(x: float, dash: str) -> dict[str, Any]:
    line = {"dash": dash, "color": MUTED, "width": 1.6}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain", "line": line}


def _names(points: Sequence[PathPoint], coloured: Sequence[int], span: Sequence[float]) -> list[dict[str, Any]]:
    """Place the names of the coloured features at the right end."""
    names = points[0].fit.feature_names
    colours = dict(zip(coloured, (style.colour for style in FEATURE_STYLES), strict=False))
    ends = labelled(points, coloured)
    low, high = span
    places = spread_labels(list(ends.values()), LABEL_SHARE * (high - low), low, high)
    fixed = {"x": 1.0, "xref": "x domain", "xanchor": "left", "xshift": 4, "showarrow": False}
    return [
        fixed
        | {"text": shortened(names[j], LONGEST_NAME), "font": {"size": WORDS, "color": colours[j]}, "y": float(place)}
        for j, place in zip(ends, places, strict=True)
    ]
