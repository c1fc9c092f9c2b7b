"""The picture of a model's weights, beneath an axis of C where its path is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.fold_models import FoldModel
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, fitted_frame
from core.figures.drag.drag import Drag
from core.figures.drag.hand import Hand
from core.figures.fit.fit_drag import weights_drag
from core.figures.fit.weights import smaller_words, weights_figure
from core.figures.fit.words import kept_words
from core.figures.look.names import name_labels
from core.figures.look.style import MUTED, layout, method_style
from core.figures.picture import Picture, Words, aside, option, said
from core.methods import get_method
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
    where: str = aside("")
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
            return Words(title, self.where or self.model.fold.name, title)
        more = self.model.fit.result.nonzero - self.most
        left_out = smaller_words(more)
        thin = "" if self.best is None else "thin line: best on validation"
        subtitle = said(left_out, "drag the line to another C", thin)
        return Words(title, subtitle, f"{title}. A handle moves C along the path.")

    def drawing(self, found: int, words: Words) -> go.Figure:
        fit = self.model.fit
        if not self.along:
            return weights_figure(
                fit.weights,
                fit.feature_names,
                fit.method,
                most=self.most,
                title=words.title,
                subtitle=words.subtitle,
            )
        return weights_along_figure(
            self._drawn,
            fitted_frame(PathPoint.of(fit, self.model.judgement)),
            self.along,
            method_style(fit.method).colour,
            best=self.best,
            revision=self.same,
            title=words.title,
            subtitle=words.subtitle,
        )

    def moves(self, found: int, hand: Hand, beside: Sequence[Hand] = ()) -> Drag:
        return weights_drag(hand, self._drawn, self.measure)

    @property
    def _drawn(self) -> list[int]:
        """Columns (from 0) of the features that have a row, from the top down."""
        return rows_of(self.model.fit.weights, self.along, self.most)
