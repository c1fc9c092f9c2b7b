"""The picture of a model's weights, beneath an axis of C where its path is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.path import PathPoint
from core.analysis.path_views import FoldModel
from core.figures.drag.drag import Drag, Mark, weight_bars
from core.figures.drag.hand import Hand
from core.figures.fit.convergence_picture import kept_words
from core.figures.look.drawing import upright
from core.figures.look.labels import of_features, row_labels
from core.figures.look.style import MUTED, NO_WORDS, layout, method_style
from core.figures.picture import Picture, Words, aside, option, said
from core.methods import Fit, get_method
from core.names.counted import counted

STRIP = 0.86  # of the height, where the axis of C begins
BARS = 0.75  # and where the bars beneath it end
HALF = 0.4  # of a row: half the height of a bar
GHOST = 0.25  # opacity of the bars at rest, seen behind those that move with C


def weights_figure(fit: Fit, words: Words = NO_WORDS, most: int = 40) -> go.Figure:
    """Draw bars of the non-zero weights, largest on top: at most so many, the others are then only in the table."""
    weights = fit.weights
    chosen = np.flatnonzero(weights)
    order = chosen[np.argsort(-np.abs(weights[chosen]), kind="stable")][:most][::-1]
    figure, axes = _bars(fit, order.tolist(), [1.0 if weights[j] > 0 else 0.6 for j in order])
    figure.update_layout(axes)
    left_out = len(chosen) - len(order)
    words = replace(words, subtitle=said(words.subtitle, smaller_words(left_out)))
    return layout(figure, words, height=130 + 24 * max(len(order), 3))


def _bars(fit: Fit, upwards: Sequence[int], opacity: float | list[float]) -> tuple[go.Figure, dict[str, Any]]:
    """Bars of the weights of these features (columns from 0), from the bottom up, and their axes."""
    names, rows = fit.feature_names, [f"{j + 1}" for j in upwards]
    bars = go.Bar(
        x=[float(fit.weights[j]) for j in upwards],
        y=rows,
        orientation="h",
        marker={"color": method_style(fit.method).colour, "opacity": opacity},
        **of_features(names, upwards, "weight %{x:.6g}"),
    )
    labels = row_labels(names, upwards)
    return go.Figure(bars), {
        "xaxis": {"title": "weight", "zeroline": True, "zerolinecolor": "rgba(128,128,128,0.6)"},
        "yaxis": {"type": "category", "automargin": True, "tickvals": rows, "ticktext": labels},
    }


def smaller_words(count: int) -> str:
    """Say how many weights have no bar; nothing where all have one."""
    return f"the table below has {counted(count, 'smaller weight')}" if count > 0 else ""


def rows_of(weights: NDArray[np.float64], points: Sequence[PathPoint], most: int) -> list[int]:
    """Choose columns (from 0) for rows, at most so many: the model's, largest first, then others by the path."""
    along = np.max([np.abs(point.fit.weights) for point in points], axis=0)
    order = np.lexsort((-along, -np.abs(weights)))
    return [int(j) for j in order if weights[j] or along[j]][:most]


def _log_range(points: Sequence[PathPoint]) -> list[float]:
    ends = np.log10([points[0].fit.c, points[-1].fit.c])
    air = 0.02 * (ends[1] - ends[0])
    return [float(ends[0] - air), float(ends[1] + air)]


@dataclass(frozen=True, eq=False)
class WeightsPicture(Picture[int]):
    """Draw the weights of a model, the largest first. The table has a row for each feature that is kept.

    Parameters
    ----------
    model : Model
    most : int
        Largest number of rows drawn.
    """

    model: FoldModel
    _: KW_ONLY
    most: int = option(40, looks=True)
    along: Sequence[PathPoint] = aside(())
    best: float | None = aside(None)
    measure: str = aside("")
    same: str = aside("")

    name = "weights"

    def subject(self) -> str:
        return f"Weights of {get_method(self.model.fit.method).title}"

    def result(self, needed: Mapping[str, Any]) -> int:
        """The number of features."""
        return len(self.model.fit.weights)

    def rows(self, found: int) -> pd.DataFrame:
        fit = self.model.fit
        kept = fit.selected
        return pd.DataFrame(
            {"feature": kept + 1, "name": [fit.feature_names[j] for j in kept], "weight": fit.weights[kept]}
        )

    def words(self, found: int) -> Words:
        title = kept_words(self.model.fit)
        if not self.along:
            return Words(title, self.where_words, title)
        more = self.model.fit.result.nonzero - self.most
        left_out = smaller_words(more)
        thin = "" if self.best is None else "thin line: best on validation"
        subtitle = said(left_out, "drag the line to another C", thin)
        return Words(title, subtitle, f"{title}. A handle moves C along the path.")

    def drawing(self, found: int, words: Words) -> go.Figure:
        fit = self.model.fit
        if not self.along:
            return weights_figure(fit, words, self.most)
        rows, points = self._drawn, self.along
        figure, axes = _bars(fit, rows[::-1], GHOST)
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
        ends = [float(point.fit.weights[j]) for point in points for j in rows] + [float(fit.weights[j]) for j in rows]
        low, high = min([0.0, *ends]), max([0.0, *ends])
        air = 0.03 * ((high - low) or 1.0)
        laid = layout(figure, words, height=420)
        laid.update_layout(
            xaxis=axes["xaxis"] | {"range": [low - air, high + air], "anchor": "y"},
            yaxis=axes["yaxis"] | {"domain": [0.0, BARS], "range": [-0.5, len(rows) - 0.5]},
            xaxis2={"type": "log", "anchor": "y2", "exponentformat": "e", "dtick": 1,
                    "tickprefix": "C ", "showtickprefix": "first", "gridcolor": "rgba(128,128,128,0.18)",
                    "range": _log_range(points)},
            yaxis2={"domain": [STRIP, 1.0], "showticklabels": False, "showgrid": False, "rangemode": "tozero",
                    "zeroline": False, "fixedrange": True, "title": {"text": "kept", "standoff": 4}},
            uirevision=self.same,
        )  # fmt: skip
        if self.best is not None:
            line = {"color": method_style(fit.method).colour, "width": 1.0}
            laid.add_shape(**upright(self.best, line, "x2", "y2"))
        return laid

    def moves(self, found: int, hand: Hand, beside: Sequence[Hand] = ()) -> Drag:
        """A line on the axis of C, and the bars beneath it."""
        upwards = self._drawn[::-1]
        line = Mark(across=hand.along(lambda frame: frame.c), x="xaxis2", y="yaxis2")
        bars = weight_bars(hand, upwards, HALF)
        return Drag(hand=hand, picture=f"weights {upwards}", marks=[line], bars=bars, measure=self.measure)

    @property
    def _drawn(self) -> list[int]:
        """Columns (from 0) of the features that have a row, from the top down."""
        return rows_of(self.model.fit.weights, self.along, self.most)
