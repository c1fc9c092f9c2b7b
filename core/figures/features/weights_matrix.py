"""Figure of the weights that methods give to the features that they keep."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.features.single_feature import SingleFeatureScore
from core.figures.features.selection import ABOVE, Column
from core.figures.look.drawing import Drawing
from core.figures.look.feature_rows import heading_height, row_labels, row_layout
from core.figures.look.style import method_style
from core.metrics.measures import MeasureName
from core.names.plain import in_plotly

FloatArray = NDArray[np.float64]
AXIS_LINE = 16  # pixels
LONGEST_HEAD = 9  # characters
LABELLED_METHODS = 3  # with more columns there is no room for numbers beside the marks
SMALLEST, LARGEST = 6.0, 16.0  # of a mark, in pixels
HALF_BAR = 0.3  # of a row
BARS = 0.46  # of the matrix' width, where there are other methods
WEIGHTS_LEGEND = "bars: weights at C · ▲ ▼ sign, area by |weight|"


def matrix_figure(
    columns: Sequence[Column],
    scores: Sequence[SingleFeatureScore],
    measure: MeasureName,
    rows: Sequence[int],
    *,
    reach: tuple[float, float] | None = None,
    title: str = "",
    subtitle: str = "",
    heading: int | None = None,
) -> go.Figure:
    """Draw methods by features: bars of the chosen method's weights, then a triangle where another keeps a feature.

    Parameters
    ----------
    columns, scores, measure, rows, heading
        As for `core.figures.features.selection.single_features_figure`, whose rows it stands beside.
    reach : tuple of float, optional
        The smallest and the largest weight that the bars have room for; by default those of the model.
    """
    figure = Drawing()
    chosen, others = columns[0], columns[1:]
    _add_bars(figure, chosen, scores, measure, rows)
    for place, column in enumerate(others):
        _add_column(figure, place, column, scores, measure, rows, numbered=len(columns) <= LABELLED_METHODS)
    labels = row_labels([score.name for score in scores], rows)
    drawn = row_layout(figure, labels, title=title, subtitle=subtitle, heading=heading, above=ABOVE)
    low, high = reach or (min(0.0, chosen.weights.min(initial=0.0)), max(0.0, chosen.weights.max(initial=0.0)))
    width = high - low or 1.0
    top = {"side": "top", "tickangle": 0, "showgrid": False}
    # Numbers stand outside of their bars.
    drawn.update_layout(
        xaxis={
            "domain": [0.0, BARS if others else 1.0],
            "range": [low - (0.3 if low < 0.0 else 0.06) * width, high + 0.3 * width],
            "tickvals": [0.0],
            "ticktext": [_title_of(chosen)],
            "zeroline": True,
            "zerolinecolor": "rgba(128,128,128,0.6)",
            **top,
        },
    )
    if others:
        drawn.update_layout(
            xaxis2={
                "domain": [BARS + 0.02, 1.0],
                "range": [-0.45, len(others) - 0.15],
                "tickvals": list(range(len(others))),
                "ticktext": [_title_of(column) for column in others],
                "anchor": "y",
                "zeroline": False,
                **top,
            },
        )
    return drawn.figure()


def _title_of(column: Column) -> str:
    return f"<b>{'<br>'.join(_head(column))}</b><br>{column.nonzero} kept"


def agreement_title(columns: Sequence[Column]) -> str:
    """How many features all models keep."""
    if len(columns) == 1:
        return f"{columns[0].title} keeps {columns[0].nonzero}"
    kept = np.array([column.weights != 0.0 for column in columns])
    return f"{int(kept.all(axis=0).sum())} of {int(kept.any(axis=0).sum())} are kept by every method"


def weights_heading(columns: Sequence[Column]) -> int:
    """Return the height of everything above the rows of the matrix, in pixels."""
    return heading_height(agreement_title(columns), WEIGHTS_LEGEND) + _axis_height(columns)


def _axis_height(columns: Sequence[Column]) -> int:
    """Return the height of the methods' names above the matrix, in pixels."""
    return AXIS_LINE * (max(len(_head(column)) for column in columns) + 1) + 12


def _head(column: Column) -> list[str]:
    """Wrap the title to lines as short as its words allow, so that columns fit side by side."""
    return textwrap.wrap(column.title, LONGEST_HEAD, break_long_words=False)


def _add_bars(
    figure: Drawing,
    column: Column,
    scores: Sequence[SingleFeatureScore],
    measure: MeasureName,
    rows: Sequence[int],
) -> None:
    """Draw the weights at the chosen C as pale bars; those that move with C cover them."""
    members = [(y, j) for y, j in enumerate(rows) if column.weights[j] != 0.0]
    weights = column.weights[[j for _, j in members]]
    figure.add_bar(
        name=f"weights of {column.title}",
        x=weights,
        y=[y for y, _ in members],
        orientation="h",
        width=2.0 * HALF_BAR,
        marker={"color": method_style(column.method).colour, "opacity": 0.35, "line": {"width": 0}},
        text=[f" {signed(w)} " for w in weights],
        textposition="outside",
        textfont={"size": 10},
        cliponaxis=False,
        constraintext="none",
        customdata=_told(column, scores, measure, members),
        hovertemplate=_weight_hover(column, measure),
    )


def _told(
    column: Column, scores: Sequence[SingleFeatureScore], measure: MeasureName, members: Sequence[tuple[int, int]]
) -> list[list[object]]:
    return [[in_plotly(scores[j].name), j + 1, scores[j].value(measure), column.weights[j]] for _, j in members]


def _weight_hover(column: Column, measure: MeasureName) -> str:
    return (
        f"{column.title}: %{{customdata[0]}} (feature %{{customdata[1]}})"
        "<br>weight %{customdata[3]:.6g}"
        f"<br>{measure} alone %{{customdata[2]:.4f}}<extra></extra>"
    )


def _add_column(
    figure: Drawing,
    place: int,
    column: Column,
    scores: Sequence[SingleFeatureScore],
    measure: MeasureName,
    rows: Sequence[int],
    *,
    numbered: bool,
) -> None:
    members = [(y, j) for y, j in enumerate(rows) if column.weights[j] != 0.0]
    weights = column.weights[[j for _, j in members]]
    figure.add_scatter(
        name=f"weights of {column.title}",
        x=[place] * len(members),
        y=[y for y, _ in members],
        mode="markers+text" if numbered else "markers",
        marker=_marks(column.method, weights, np.abs(column.weights).max(initial=0.0)),
        text=[f" {signed(w)}" for w in weights] if numbered else None,
        textposition="middle right",
        textfont={"size": 10},
        customdata=_told(column, scores, measure, members),
        hovertemplate=_weight_hover(column, measure),
        cliponaxis=False,
        xaxis="x2",
    )


def _marks(method: str, weights: FloatArray, scale: float) -> dict[str, object]:
    """Make triangles: the sign gives the direction, |w| the area."""
    share = np.sqrt(np.abs(weights) / scale) if scale > 0.0 else np.zeros(len(weights))
    return {
        "symbol": ["triangle-up" if w > 0.0 else "triangle-down" for w in weights],
        "size": (SMALLEST + (LARGEST - SMALLEST) * share).tolist(),
        "color": method_style(method).colour,
        "opacity": 1.0,
        "line": {"width": 0},
    }


def signed(weight: float) -> str:
    """Write a weight with its sign and two decimals, or two significant digits if it is small."""
    digits = f"{abs(weight):.2f}" if abs(weight) >= 0.05 else f"{abs(weight):.2g}"
    return f"{'+' if weight > 0.0 else '−'}{digits}"
