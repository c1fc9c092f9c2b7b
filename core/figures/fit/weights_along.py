"""Weights of one model, and above them a slim axis of C with the number of features along the path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.figures.look.names import name_labels
from core.figures.look.style import MUTED, layout
from core.names.plain import in_plotly

STRIP = 0.86  # of the height, where the axis of C begins
BARS = 0.75  # and where the bars beneath it end
GHOST = 0.25  # opacity of the bars at rest, seen behind those that move with C


def rows_of(weights: NDArray[np.float64], points: Sequence[PathPoint], most: int) -> list[int]:
    """Choose the features with a row: those of the model, largest first, then others by their weights on the path.

    Parameters
    ----------
    weights : ndarray, shape (n_features,)
    points : sequence of PathPoint
    most : int
        Number of rows at most.

    Returns
    -------
    list of int
        Columns (from 0).
    """
    along = np.max([np.abs(point.fit.weights) for point in points], axis=0)
    order = np.lexsort((-along, -np.abs(weights)))
    return [int(j) for j in order if weights[j] or along[j]][:most]


def weights_along_figure(
    rows: Sequence[int],
    now: Frame,
    points: Sequence[PathPoint],
    colour: str,
    *,
    best: float | None = None,
    revision: str = "",
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw the weights of a model, and above them C with the number of features kept along the path.

    Parameters
    ----------
    rows : sequence of int
        Columns (from 0) with a bar, the first on top.
    now : Frame
        The model.
    points : sequence of PathPoint
        The path of its method.
    colour : str
    best : float, optional
        C that is best on the validation part; a thin line.
    revision : str
        As long as it stays the same, so does the zoom.
    title, subtitle : str
    """
    names = points[0].fit.feature_names
    upwards = list(rows)[::-1]
    labels = [f"{label} " for label in name_labels(names, upwards)]
    figure = go.Figure(
        go.Bar(
            x=[float(now.weights[j]) for j in upwards],
            y=[f"{j + 1}" for j in upwards],
            orientation="h",
            marker={"color": colour, "opacity": GHOST},
            customdata=[[in_plotly(names[j]), j + 1] for j in upwards],
            hovertemplate="%{customdata[0]} (feature %{customdata[1]})<br>weight %{x:.6g}<extra></extra>",
        )
    )
    figure.add_scatter(
        x=[point.fit.c for point in points],
        y=[point.fit.result.nonzero for point in points],
        xaxis="x2",
        yaxis="y2",
        mode="lines",
        line={"color": MUTED, "width": 1, "shape": "hv"},
        fill="tozeroy",
        fillcolor="rgba(138,143,152,0.18)",
        hovertemplate="C = %{x:.3g}: %{y} features kept<extra></extra>",
    )
    ends = [float(point.fit.weights[j]) for point in points for j in rows] + [float(now.weights[j]) for j in rows]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    air = 0.03 * ((high - low) or 1.0)
    laid = layout(figure, title=title, subtitle=subtitle, height=420)
    laid.update_layout(
        xaxis={"title": "weight", "range": [low - air, high + air], "zeroline": True, "anchor": "y",
               "zerolinecolor": "rgba(128,128,128,0.6)"},
        yaxis={"type": "category", "domain": [0.0, BARS], "automargin": True,
               "tickvals": [f"{j + 1}" for j in upwards], "ticktext": labels,
               "range": [-0.5, len(upwards) - 0.5]},
        xaxis2={"type": "log", "anchor": "y2", "exponentformat": "e", "dtick": 1,
                "tickprefix": "C ", "showtickprefix": "first", "gridcolor": "rgba(128,128,128,0.18)",
                "range": _log_range(points)},
        yaxis2={"domain": [STRIP, 1.0], "showticklabels": False, "showgrid": False, "rangemode": "tozero",
                "zeroline": False, "fixedrange": True, "title": {"text": "kept", "standoff": 4}},
        uirevision=revision,
    )  # fmt: skip
    if best is not None:
        laid.add_shape(
            type="line", x0=best, x1=best, y0=0, y1=1, xref="x2", yref="y2 domain",
            line={"color": colour, "width": 1.0},
        )  # fmt: skip
    return laid


def _log_range(points: Sequence[PathPoint]) -> list[float]:
    ends = np.log10([points[0].fit.c, points[-1].fit.c])
    air = 0.02 * (ends[1] - ends[0])
    return [float(ends[0] - air), float(ends[1] + air)]
