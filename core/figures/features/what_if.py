"""Figure of a model's weights before and after a change of rules."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.features.what_if import FeatureChange
from core.figures.look.feature_rows import row_labels, row_layout
from core.figures.look.style import MUTED, method_style
from core.names.plain import in_plotly

SIGNS = {"in": "+ ", "out": "− ", "kept": ""}


def what_if_figure(
    changes: Sequence[FeatureChange], method: str, *, most: int = 40, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw a row a feature: a ring at its weight before, a dot at its weight after.

    Parameters
    ----------
    changes : sequence of FeatureChange
        Largest weight first. Features that enter or leave have bold names with + or -.
    method : str
        Decides the colour.
    most : int
        Largest number of rows; the smallest weights are then only in the table.
    """
    rows = changes[:most]
    colour = method_style(method).colour
    customdata = [[in_plotly(row.name), row.feature + 1, row.before, row.after] for row in rows]
    hover = (
        "%{customdata[0]} (feature %{customdata[1]})<br>weight %{customdata[2]:.6g} before, %{customdata[3]:.6g} after"
        "<extra></extra>"
    )
    places = list(range(len(rows)))
    figure = go.Figure()
    for y, row in enumerate(rows):
        figure.add_scatter(
            x=[row.before, row.after], y=[y, y], mode="lines", line={"color": MUTED, "width": 2}, hoverinfo="skip",
            showlegend=False,
        )  # fmt: skip
    figure.add_scatter(
        name="before",
        x=[row.before for row in rows],
        y=places,
        mode="markers",
        marker={"symbol": "circle-open", "size": 11, "color": MUTED, "line": {"width": 2}},
        customdata=customdata,
        hovertemplate=hover,
    )
    figure.add_scatter(
        name="after",
        x=[row.after for row in rows],
        y=places,
        mode="markers",
        marker={"symbol": "circle", "size": 9, "color": colour},
        customdata=customdata,
        hovertemplate=hover,
    )
    figure.update_xaxes(title="weight")
    drawn = row_layout(figure, _labels(changes, len(rows)), title=title, subtitle=subtitle, legend=True)
    return drawn.update_xaxes(zeroline=True, zerolinecolor="rgba(128,128,128,0.6)")


def _labels(changes: Sequence[FeatureChange], shown: int) -> list[str]:
    names = row_labels([row.name for row in changes], range(shown))
    labels = [f"{SIGNS[row.change]}{name}" for row, name in zip(changes, names, strict=False)]
    return [label if row.change == "kept" else f"<b>{label}</b>" for row, label in zip(changes, labels, strict=False)]
