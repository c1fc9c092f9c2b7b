"""Bar chart of a model: the features it keeps and their weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.figures.look.names import name_labels
from core.figures.look.style import layout, method_style
from core.figures.picture import said
from core.names.counted import counted
from core.names.plain import in_plotly


def weights_figure(
    weights: NDArray[np.float64],
    names: Sequence[str],
    method: str,
    *,
    most: int = 40,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw bars of the non-zero weights, largest on top.

    Parameters
    ----------
    weights : ndarray, shape (n_features,)
    names : sequence of str, length n_features
    method : str
        Decides the colour.
    most : int
        Largest number of rows; the smallest weights are then only in the table.
    """
    chosen = np.flatnonzero(weights)
    order = chosen[np.argsort(-np.abs(weights[chosen]), kind="stable")][:most][::-1]
    figure = go.Figure(
        go.Bar(
            x=weights[order],
            y=[f"{j + 1}" for j in order],
            orientation="h",
            marker={"color": method_style(method).colour, "opacity": [1.0 if weights[j] > 0 else 0.6 for j in order]},
            customdata=[[in_plotly(names[j]), j + 1] for j in order],
            hovertemplate="%{customdata[0]} (feature %{customdata[1]})<br>weight %{x:.6g}<extra></extra>",
        )
    )
    figure.update_yaxes(
        type="category",
        tickvals=[f"{j + 1}" for j in order],
        ticktext=[f"{label} " for label in name_labels(names, order)],
        automargin=True,
    )
    figure.update_xaxes(title="weight", zeroline=True, zerolinecolor="rgba(128,128,128,0.6)")
    left_out = len(chosen) - len(order)
    note = said(subtitle, smaller_words(left_out))
    return layout(figure, title=title, subtitle=note, height=130 + 24 * max(len(order), 3))


def smaller_words(count: int) -> str:
    """Say how many weights have no bar; nothing where all have one."""
    return f"the table below has {counted(count, 'smaller weight')}" if count > 0 else ""
