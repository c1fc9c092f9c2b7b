"""Figures of the sets of features that come near the best one: what they have in common, and how they rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.best_subset.alternatives import Alternatives
from core.analysis.best_subset.yardstick import BEST
from core.figures.best_subset.excess import percent
from core.figures.look.drawing import Drawing
from core.figures.look.feature_rows import row_labels, row_layout
from core.figures.look.style import MUTED, layout, method_style
from core.figures.look.ticks import PERCENT
from core.names.plain import in_plotly

SOME = "rgba(128,128,128,0.35)"


def shares_figure(
    alternatives: Alternatives,
    names: Sequence[str],
    *,
    kept: Sequence[int] = (),
    most: int = 20,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw a bar a feature: the share of the sets that have it. Those in every set are filled.

    Parameters
    ----------
    names : sequence of str, length n_features
    kept : sequence of int
        Columns of the features that the chosen model keeps; their names are bold.
    most : int
        Largest number of rows; the rarest features are then only in the table.
    """
    shares = alternatives.shares
    rows = [j for j in np.argsort(-shares, kind="stable").tolist() if shares[j] > 0.0][:most]
    best = set(alternatives.found.sets[0].columns.tolist()) if alternatives.found.sets else set()
    colour = method_style(BEST).colour
    figure = go.Figure()
    figure.add_bar(
        name="share of the sets",
        x=shares[rows].tolist(),
        y=list(range(len(rows))),
        orientation="h",
        width=0.55,
        marker={
            "color": [colour if shares[j] == 1.0 else SOME for j in rows],
            "line": {
                "color": [colour if j in best else MUTED for j in rows],
                "width": [2 if j in best else 1 for j in rows],
            },
        },
        customdata=[
            [in_plotly(names[j]), j + 1, "in the best set" if j in best else "not in the best set"] for j in rows
        ],
        hovertemplate="%{customdata[0]} (feature %{customdata[1]})<br>in %{x:.0%} of "
        f"{len(alternatives.found.sets)} sets, %{{customdata[2]}}<extra></extra>",
    )
    figure.update_xaxes(title="share of the sets that have the feature", range=[0, 1.02], tickformat=PERCENT)
    labels = [f"<b>{label}</b>" if j in kept else label for j, label in zip(rows, row_labels(names, rows), strict=True)]
    return row_layout(figure, labels, title=title, subtitle=subtitle)


def spread_figure(
    alternatives: Alternatives,
    names: Sequence[str],
    *,
    part: str,
    measure: str,
    up: str,
    heading: int | None = None,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw every set that has been measured: how much higher its objective is, and how it ranks.

    Parameters
    ----------
    names : sequence of str, length n_features
    part, measure : str
        The y axis; ``up`` is its title.
    """
    figure = Drawing()
    values = alternatives.values(part, measure)
    sets, excesses = alternatives.found.sets[: len(values)], alternatives.excesses[: len(values)]
    style = method_style(BEST)
    figure.add_scatter(
        x=(100.0 * excesses).tolist(),
        y=values.tolist(),
        mode="markers",
        marker={"size": 7, "color": MUTED, "opacity": 0.6},
        name="sets",
        hovertext=[
            f"{percent(excess)} % above the best objective<br>{measure} {value:.4f}<br>"
            + "<br>".join(in_plotly(names[j]) for j in one.columns)
            for one, excess, value in zip(sets, excesses, values, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    if len(values):
        figure.add_scatter(
            x=[0.0],
            y=[float(values[0])],
            mode="markers",
            marker={"size": 13, "symbol": style.marker, "color": style.colour, "opacity": 1.0},
            name="best set",
            hovertemplate=f"the best set<br>{measure} {values[0]:.4f}<extra></extra>",
            cliponaxis=False,
        )
        figure.add_hline(y=float(values[0]), line={"color": style.colour, "width": 1, "dash": "dot"})
    figure.update_xaxes(title="objective above the best, %", rangemode="tozero")
    figure.update_yaxes(title=up)
    drawn = layout(figure, title=title, subtitle=subtitle, height=480, characters=(48, 72))
    if heading is not None:
        drawn.update_layout(margin_t=heading)
    return drawn.figure()
