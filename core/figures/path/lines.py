"""Lines of coefficient paths: important features coloured and labelled, the others grey."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.path import PathPoint
from core.analysis.path_views import weights_along
from core.figures.look.assembling import Part
from core.figures.look.colours import feature_colours
from core.figures.path.axes import Across, Axes, across
from core.names.plain import in_plotly

FloatArray = NDArray[np.float64]

MOST_GREY = 60
GREY = "rgba(138,143,152,0.5)"
HOVER = "weight %{y:.6g}<br>C = %{customdata:.3g}, "
HOVER_ACROSS: dict[Across, str] = {"lambda": "λ/λ_max = %{x:.3g}", "features": "%{x} features"}


def click_data(points: Sequence[PathPoint]) -> FloatArray:
    """Return the value that a click on a point reports: C, shape (n_points,)."""
    return np.array([point.fit.c for point in points])


def weight_lines(points: Sequence[PathPoint], coloured: Sequence[int], view: Across, axes: Axes) -> list[Part]:
    """Make one trace of all grey lines, then a trace for each coloured feature that enters.

    Parameters
    ----------
    coloured : sequence of int
        Columns (from 0).
    """
    names = points[0].fit.feature_names
    weights = weights_along(points)
    places = np.array([across(point, view) for point in points])
    hover = HOVER + HOVER_ACROSS[view] + "<extra></extra>"
    data = click_data(points)
    on = {"type": "scatter", "xaxis": axes.x, "yaxis": axes.y, "mode": "lines"}
    lines: list[Part] = []
    colours = feature_colours(coloured)
    for j in coloured:
        if not weights[:, j].any():
            continue
        lines.append(
            on
            | {
                "x": places,
                "y": entered(weights[:, j]),
                "name": f"{in_plotly(names[j])} (feature {j + 1})",
                "line": {"color": colours[j], "width": 2.4},
                "customdata": data,
                "hovertemplate": "<b>%{fullData.name}</b><br>" + hover,
            }
        )
    others = np.setdiff1d(np.flatnonzero(weights.any(axis=0)), coloured)
    others = others[np.argsort(-np.abs(weights[:, others]).max(axis=0, initial=0.0), kind="stable")][:MOST_GREY]
    if not len(others):
        return lines
    # All grey features in one trace, with a gap after each: a browser draws one long line faster than fifty.
    bent = np.array([np.append(entered(weights[:, j]), np.nan) for j in others])
    kept = ~np.isnan(bent)
    kept[:, 1:] |= kept[:, :-1]  # and the gap behind each stretch
    grey = on | {
        "x": np.tile(np.append(places, np.nan), (len(others), 1))[kept],
        "y": bent[kept],
        "text": [
            f"{in_plotly(names[j])} (feature {j + 1})"
            for j, count in zip(others, kept.sum(axis=1), strict=True)
            for _ in range(count)
        ],
        "name": "other features",
        "line": {"color": GREY, "width": 1},
        "customdata": np.tile(np.append(data, np.nan), (len(others), 1))[kept],
        "hovertemplate": "<b>%{text}</b><br>" + hover,
    }
    return [grey, *lines]


def entered(weights: FloatArray) -> FloatArray:
    """Return one feature's weights along a path, NaN where neither the model nor a neighbour on the path keeps it."""
    kept = weights != 0.0
    near = kept.copy()
    near[1:] |= kept[:-1]
    near[:-1] |= kept[1:]
    return np.where(near, weights, np.nan)


def labelled(points: Sequence[PathPoint], coloured: Sequence[int]) -> dict[int, float]:
    """Return the ends of the coloured features' lines: column to last weight, for those that have entered."""
    weights = weights_along(points)
    return {j: float(weights[-1, j]) for j in coloured if weights[:, j].any()}
