"""Parts of the figure of the weights that methods give to the features that they keep."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.features.single_feature import SingleFeatureScore
from core.figures.features.selection import Column
from core.figures.look.drawing import Drawing
from core.figures.look.feature_rows import heading_height
from core.figures.look.style import Words, method_style
from core.metrics.measures import MeasureName
from core.names.plain import in_plotly

FloatArray = NDArray[np.float64]
AXIS_LINE = 16  # pixels
LONGEST_HEAD = 9  # characters
LABELLED_METHODS = 3  # with more columns there is no room for numbers beside the bars
HALF_BAR = 0.3  # of a row
GAP = 0.02  # of the matrix' width, between two columns


def title_of(column: Column) -> str:
    """What stands over a column of several."""
    return f"<b>{'<br>'.join(_head(column))}</b><br>{column.nonzero} kept"


def weights_words(columns: Sequence[Column]) -> Words:
    """How many features all models keep."""
    kept = np.array([column.weights != 0.0 for column in columns])
    title = f"{int(kept.all(axis=0).sum())} of {int(kept.any(axis=0).sum())} are kept by every method"
    if len(columns) == 1:
        title = f"{columns[0].title} keeps {columns[0].nonzero}"
    return Words(title, "weight of each feature in the model")


def weights_heading(columns: Sequence[Column]) -> int:
    """Return the height of everything above the rows of the matrix, in pixels."""
    return heading_height(weights_words(columns)) + _axis_height(columns)


def _axis_height(columns: Sequence[Column]) -> int:
    """Return the height of the methods' names above the matrix, in pixels; a single one stands in the heading."""
    if len(columns) == 1:
        return 0
    return AXIS_LINE * (max(len(_head(column)) for column in columns) + 1) + 12


def _head(column: Column) -> list[str]:
    """Wrap the title to lines as short as its words allow, so that columns fit side by side."""
    return textwrap.wrap(column.title, LONGEST_HEAD, break_long_words=False)


def add_bars(
    figure: Drawing,
    place: int,
    column: Column,
    scores: Sequence[SingleFeatureScore],
    measure: MeasureName,
    rows: Sequence[int],
    *,
    numbered: bool,
) -> None:
    """Draw the weights of a model; those of the first one are pale, since bars that move with C cover them."""
    members = [(y, j) for y, j in enumerate(rows) if column.weights[j] != 0.0]
    weights = column.weights[[j for _, j in members]]
    figure.add_bar(
        name=f"weights of {column.title}",
        x=weights,
        y=[y for y, _ in members],
        xaxis=f"x{place + 1 if place else ''}",
        orientation="h",
        width=2.0 * HALF_BAR,
        marker={"color": method_style(column.method).colour, "opacity": 1.0 if place else 0.35, "line": {"width": 0}},
        text=[f" {signed(w)} " for w in weights] if numbered else None,
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


def signed(weight: float) -> str:
    """Write a weight with its sign and two decimals, or two significant digits if it is small."""
    digits = f"{abs(weight):.2f}" if abs(weight) >= 0.05 else f"{abs(weight):.2g}"
    return f"{'+' if weight > 0.0 else '−'}{digits}"
