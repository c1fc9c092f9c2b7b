"""Figure of stability selection: how often every feature is kept, and which features reach the threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.features.stability import Stability
from core.figures.look.feature_rows import row_labels, row_layout
from core.figures.look.style import MUTED, method_style
from core.figures.look.ticks import PERCENT
from core.names.plain import in_plotly

MOST_ROWS = 24


def stability_figure(
    samples: Stability | None,
    folds: Stability | None,
    names: Sequence[str],
    method: str,
    *,
    threshold: float,
    kept: Sequence[int] = (),
    most: int = MOST_ROWS,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw a bar a feature for the resamples and a diamond for the folds, most frequent on top.

    Parameters
    ----------
    samples, folds : Stability, optional
        At least one; the first one given decides the order.
    names : sequence of str, length n_features
    method : str
        Decides the colour.
    threshold : float
        Bars that reach it are filled.
    kept : sequence of int
        Columns of the features that the chosen model keeps; their names are bold.
    most : int
        Largest number of rows; the rarest features are then only in the table.
    """
    counted = [found for found in (samples, folds) if found is not None]
    # Nearly equal frequencies of the resamples are told apart by the folds.
    order = sorted(range(len(names)), key=lambda j: tuple(-found.probabilities[j] for found in counted))
    rows = [j for j in order if any(found.probabilities[j] > 0.0 for found in counted)][:most]
    colour = method_style(method).colour
    customdata = [[in_plotly(names[j]), j + 1] for j in rows]
    figure = go.Figure()
    if samples is not None:
        shares = samples.probabilities[rows]
        figure.add_bar(
            name=f"{samples.n_samples} resamples",
            x=shares,
            y=list(range(len(rows))),
            orientation="h",
            width=0.55,
            marker={
                "color": [colour if share >= threshold else "rgba(128,128,128,0.35)" for share in shares],
                "line": {"color": colour, "width": 1},
            },
            error_x={
                "type": "data",
                "array": np.sqrt(shares * (1.0 - shares) / max(samples.n_samples, 1)),
                "color": MUTED,
                "thickness": 1,
                "width": 2,
            },
            customdata=customdata,
            hovertemplate="%{customdata[0]} (feature %{customdata[1]})<br>kept in %{x:.0%} of "
            f"{samples.n_samples} resamples<extra></extra>",
        )
    if folds is not None:
        figure.add_scatter(
            name=f"{folds.n_samples} folds",
            x=folds.probabilities[rows],
            y=list(range(len(rows))),
            mode="markers",
            marker={"symbol": "diamond-open", "size": 10, "color": MUTED, "line": {"width": 2}},
            customdata=customdata,
            hovertemplate="%{customdata[0]} (feature %{customdata[1]})<br>kept in %{x:.0%} of "
            f"{folds.n_samples} folds<extra></extra>",
            cliponaxis=False,
        )
    figure.add_vline(x=threshold, line={"color": MUTED, "width": 1.5, "dash": "dash"})
    figure.add_annotation(
        x=threshold, xanchor="right", xshift=-3, y=-1.0, text=f"threshold {threshold:.0%}", showarrow=False,
        font={"size": 12},
    )  # fmt: skip
    figure.update_xaxes(title="share of samples that keep the feature", range=[-0.02, 1.02], tickformat=PERCENT)
    labels = [f"<b>{label}</b>" if j in kept else label for j, label in zip(rows, row_labels(names, rows), strict=True)]
    return row_layout(figure, labels, title=title, subtitle=subtitle, above=1.6, legend=True)
