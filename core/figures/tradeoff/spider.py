"""Spider plot of removed features: branches are datasets or folds, lines are methods."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from core.figures.look.style import MethodStyle, layout, method_style
from core.figures.look.ticks import PERCENT

FEWEST_BRANCHES = 3


def spider_figure(
    removed: Mapping[str, Mapping[str, float]],
    titles: Mapping[str, str],
    *,
    styles: Mapping[str, MethodStyle] | None = None,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw 1 − sparsity ratio as in Fig. 2 of Laporte et al. (2014): a larger polygon is a sparser method.

    With fewer than three branches there is no polygon; the same numbers are then marks on parallel lines.

    Parameters
    ----------
    removed : mapping
        Values by method, then by branch, in [0, 1]; a line omits branches that its method lacks.
    titles : mapping
        A method's name for people.
    styles : mapping, optional
        Styles of methods that differ from their usual style.
    """
    branches = list(dict.fromkeys(branch for row in removed.values() for branch in row))
    figure = go.Figure()
    for method, row in removed.items():
        style = (styles or {}).get(method) or method_style(method)
        here = [branch for branch in branches if branch in row]
        values = [row[branch] for branch in here]
        look = {
            "mode": "lines+markers",
            "line": {"color": style.colour, "dash": style.dash, "width": 2.4},
            "marker": {"symbol": style.marker, "size": 9, "color": style.colour},
            "name": titles[method],
        }
        if len(branches) >= FEWEST_BRANCHES:
            closed = [*here, *here[:1]]
            figure.add_scatterpolar(
                theta=closed,
                r=[*values, *values[:1]],
                hovertemplate=f"{titles[method]} removes %{{r:.0%}} on %{{theta}}<extra></extra>",
                **look,
            )
        else:
            figure.add_scatter(
                x=values, y=here, hovertemplate=f"{titles[method]} removes %{{x:.0%}} on %{{y}}<extra></extra>", **look
            )
    figure.update_polars(
        bgcolor="rgba(0,0,0,0)",
        radialaxis={"range": [0, 1], "tickformat": PERCENT, "angle": 90, "tickangle": 90, "gridcolor": _GRID},
        angularaxis={
            "gridcolor": _GRID,
            "direction": "clockwise",
            "rotation": 90,
            "categoryorder": "array",
            "categoryarray": branches,
        },
    )
    figure.update_xaxes(range=[0, 1.02], tickformat=PERCENT, title="features removed")
    drawn = layout(figure, title=title, subtitle=subtitle, height=470)
    # Lines that close on themselves have no end to be named at.
    drawn.update_layout(
        showlegend=True,
        legend={"orientation": "h", "y": -0.16, "x": 0.5, "xanchor": "center"},
        margin={"l": 84, "r": 84, "b": 90, "t": drawn.layout.margin.t + 26},
    )
    return drawn


_GRID = "rgba(128,128,128,0.25)"
