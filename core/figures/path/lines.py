"""Lines of paths, and what moves on them with C: coefficients, important ones coloured, and a measure on every part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.evaluation import Judgement
from core.analysis.path import PathPoint
from core.analysis.path_frames import count_features
from core.analysis.path_views import weights_along
from core.figures.drag.drag import Along, Dot, Drag, Hand, Lights, Mark, lit_curves
from core.figures.look.colours import feature_colours
from core.figures.look.drawing import Part
from core.figures.look.style import method_style
from core.figures.path.axes import Across, Axes, across, long_name
from core.methods import get_method
from core.methods.refit import REFIT
from core.names.numbers import short
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
    """Return what moves in the picture of paths, of which there is one a panel.

    The frames are those of the panel ``lead`` (from 0); the others show their model nearest in lambda / lambda_max.
    ``coloured`` are the columns (from 0) with lines of their own; ``picture`` is the same as long as the same is drawn
    of the same paths. If the ``names`` of all features are given, each lights up when it is pointed at.
    """
    marks: list[Mark] = []
    dots: list[Dot] = []
    lit = []
    # The handle stands over the first mark: that of the method whose model its words name.
    for k in sorted(range(len(hands)), key=lambda k: k != lead):
        hand, axes = hands[lead].beside(hands[k]), Axes(k + 1)
        x, y, below_x, below_y = map(long_name, (axes.x, axes.y, axes.x_metric, axes.y_metric))
        # A model between two fitted ones stands between their numbers of features; see `Frame.placed`.
        across = hand.along(lambda frame: frame.ratio if view == "lambda" else frame.placed(count_features))
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


def weight_dots(hand: Hand, across: Along, columns: Sequence[int], x: str = "xaxis", y: str = "yaxis") -> list[Dot]:
    """A dot on the curve of each of these features (columns from 0), where the model has it."""
    colours = feature_colours(columns)
    return [Dot(across=across, up=hand.weight(j), colour=colours[j], shown="nonzero", x=x, y=y) for j in columns]


def measure_dots(hand: Hand, across: Along, measure: str, x: str = "xaxis", y: str = "yaxis") -> list[Dot]:
    """A dot on the curve of the measure on each part."""
    return [
        Dot(across=across, up=measured(hand, part, measure), colour=hand.colour, x=x, y=y)
        for part in hand.now.judgement.metrics
    ]


def measured(hand: Hand, part: str, measure: str) -> Along:
    """A measure on a part, as curves show it."""
    return hand.along(lambda frame: frame.judgement.metrics[part][measure])


PART_WIDTHS = {"train": 1.2, "vali": 2.0, "test": 3.2}
PART_TITLES = {"train": "train", "vali": "validation", "test": "test"}
PART_WORDS = PART_TITLES | {"train": "training"}  # within a sentence
PART_DASHES = {"train": "dot", "vali": "dash", "test": "solid"}


def metric_lines(points: Sequence[PathPoint], measure: str, places: Sequence[float]) -> list[Part]:
    """Make a line of a measure for each part, at horizontal ``places``; the line's width shows the part.

    Tied documents count in expectation over their orders.
    """
    colour = method_style(points[0].fit.method).colour
    return [
        {
            "type": "scatter",
            "x": places,
            "y": [point.judgement.metrics[part][measure] for point in points],
            "mode": "lines+markers",
            "marker": {"size": 4},
            "line": {"color": colour, "width": PART_WIDTHS[part], "dash": PART_DASHES[part]},
            "name": PART_TITLES[part],
            "text": [_hover(point, part, measure) for point in points],
            "hovertemplate": "%{text}<extra></extra>",
        }
        for part in points[0].metrics
    ]


def settings_of(point: PathPoint) -> str:
    """List the parameters that have an effect; a switch that is off is left out."""
    settings = point.fit.parameters
    known = [p for p in get_method(point.fit.method).parameters if p.name in settings]
    told = [p for p in known if p.matters(settings) and (settings[p.name] or p != REFIT)]
    return ", ".join(f"{p.name} = {p.text(settings[p.name])}" for p in told)


def _hover(point: PathPoint, part: str, measure: str) -> str:
    fit = point.fit
    words = settings_of(point)
    settings = f"<br>{words}" if words else ""
    return (
        f"{PART_TITLES[part]} {measure} {measured_words(point.judgement, part, measure)}<br>C = {short(fit.c)}, "
        f"λ/λ_max = {short(fit.lam / fit.lam_max)}<br>{fit.result.nonzero} features{settings}"
    )


def measured_words(judgement: Judgement, part: str, measure: str) -> str:
    """Write the value, and that of the official script if four digits differ."""
    value, official = f"{judgement.metrics[part][measure]:.4f}", f"{judgement.official[part][measure]:.4f}"
    return value if value == official else f"{value} ({official} in the file's order among ties, as tables print)"
