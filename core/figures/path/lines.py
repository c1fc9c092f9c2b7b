"""Lines of coefficient paths, and what moves on them with C: important features coloured and labelled, others grey."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.path import PathPoint
from core.analysis.path_frames import count_features
from core.analysis.path_views import weights_along
from core.figures.drag.drag import Dot, Drag, Lights, Mark, lit_curves
from core.figures.drag.hand import Along, Hand
from core.figures.look.colours import feature_colours
from core.figures.look.drawing import Part
from core.figures.path.axes import Across, Axes, across, long_name
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
    """Make one trace of all grey lines, then one for each coloured feature (columns from 0) that enters."""
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


def path_drag(
    hands: Sequence[Hand],
    coloured: Sequence[int],
    measure: str,
    view: Across,
    picture: str,
    *,
    lead: int = 0,
    names: Sequence[str] = (),
) -> Drag:
    """Return what moves in the picture of paths.

    The frames are those of one panel; the others show their model nearest in lambda / lambda_max.

    Parameters
    ----------
    hands : sequence of Hand
        A path for each panel, in their order.
    coloured : sequence of int
        Columns (from 0) with lines of their own.
    measure : str
        As the metrics name it.
    view : {"lambda", "features"}
    picture : str
        The same as long as the same is drawn of the same paths.
    lead : int
        The panel (from 0) whose path the handle moves through.
    names : sequence of str, length n_features
        Of the features, each of which lights up when it is pointed at; by default none does.
    """
    marks: list[Mark] = []
    dots: list[Dot] = []
    lit = []
    # The handle stands over the first mark: that of the method whose model its words name.
    for k in sorted(range(len(hands)), key=lambda k: k != lead):
        hand, axes = hands[lead].beside(hands[k]), Axes(k + 1)
        x, y, below_x, below_y = map(long_name, (axes.x, axes.y, axes.x_metric, axes.y_metric))
        across = along_axis(hand, view)
        marks += [Mark(across=across, x=x, y=y), Mark(across=across, x=below_x, y=below_y)]
        dots += weight_dots(hand, across, coloured, x, y) + measure_dots(hand, across, measure, below_x, below_y)
        lit.append(lit_curves(hand.frames, across, x, y))
    return Drag(
        hand=hands[lead],
        picture=f"path {picture}",
        marks=marks,
        dots=dots,
        measure=measure,
        lights=Lights(names, coloured, panels=lit) if names else None,
    )


def along_axis(hand: Hand, view: Across) -> Along:
    """Where the models stand on the x axis: by lambda / lambda_max, or by the number of features.

    A model between two fitted ones stands between their numbers of features; see `Frame.placed`.
    """
    if view == "lambda":
        return hand.along(lambda frame: frame.ratio)
    return hand.along(lambda frame: frame.placed(count_features))


def weight_dots(hand: Hand, across: Along, columns: Sequence[int], x: str = "xaxis", y: str = "yaxis") -> list[Dot]:
    """A dot on the curve of each of these features (columns from 0), where the model has it."""
    colours = feature_colours(columns)
    return [
        Dot(
            across=across,
            up=hand.along(lambda frame, j=j: float(frame.weights[j])),  # type: ignore[misc]
            colour=colours[j],
            shown="nonzero",
            x=x,
            y=y,
        )
        for j in columns
    ]


def measure_dots(hand: Hand, across: Along, measure: str, x: str = "xaxis", y: str = "yaxis") -> list[Dot]:
    """A dot on the curve of the measure on each part."""
    return [
        Dot(across=across, up=measured(hand, part, measure), colour=hand.colour, x=x, y=y)
        for part in hand.now.judgement.metrics
    ]


def measured(hand: Hand, part: str, measure: str) -> Along:
    """A measure on a part, as curves show it."""
    return hand.along(lambda frame: frame.judgement.metrics[part][measure])
