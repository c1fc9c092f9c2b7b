"""Heat map of the features' similarity, ordered so that similar features are neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.features.similarity import Similarity
from core.figures.look.names import name_labels
from core.figures.look.style import layout
from core.names.plain import in_plotly

# Orange to blue keeps its meaning for every kind of colour vision. Strength is opacity: nothing is seen where there is
# nothing, on either theme.
DIVERGING = [
    [0.0, "rgba(200,90,0,1)"],
    [0.5, "rgba(200,90,0,0)"],
    [0.5, "rgba(31,119,200,0)"],
    [1.0, "rgba(31,119,200,1)"],
]
KIND_TITLES = {"pearson": "Pearson's r", "kendall": "Kendall's τ-b"}
MOST_NAMES = 80
FITTING = 30  # names, in a window of the usual height


def similarity_figure(
    similarity: Similarity, names: Sequence[str], *, title: str = "", subtitle: str = "", every_name: bool = True
) -> go.Figure:
    """Draw all features against all, in the order of their clustering.

    Parameters
    ----------
    similarity : Similarity
    names : sequence of str, length n_features
    every_name : bool
        Whether the picture is as high as all names need. Else a window's height is enough: of more than `FITTING`
        features it has every second, third, … name.
    """
    order = similarity.order()
    # A name may come twice in a person's table; with its number it does not.
    labels = [f"{j + 1} {in_plotly(names[j])}" for j in order]
    figure = go.Figure(
        go.Heatmap(
            z=similarity.values[np.ix_(order, order)].astype(np.float32),
            x=labels,
            y=labels,
            colorscale=DIVERGING,
            zmin=-1.0,
            zmax=1.0,
            colorbar={
                "title": {"text": KIND_TITLES[similarity.kind], "side": "top"},
                "orientation": "h",
                "thickness": 10,
                "len": 0.6,
                "y": 1.0,
                "yanchor": "bottom",
                "x": 0.5,
                "tickvals": [-1, -0.5, 0, 0.5, 1],
            },
            hovertemplate=f"%{{y}}<br>%{{x}}<br>{KIND_TITLES[similarity.kind]} %{{z:.3f}}<extra></extra>",
        )
    )
    named = len(labels) <= MOST_NAMES
    apart = 1 if every_name else -(-len(labels) // FITTING)
    figure.update_xaxes(showticklabels=False, ticks="")
    figure.update_yaxes(
        autorange="reversed",
        tickmode="array",
        tickvals=labels[::apart],
        ticktext=name_labels(names, order[::apart]),
        tickfont={"size": 11},
        showticklabels=named,
        automargin=True,
    )
    height = 260 + (14 * len(labels) if named and every_name else 500)
    drawn = layout(figure, title=title, subtitle=subtitle, height=height)
    drawn.update_xaxes(showgrid=False)
    drawn.update_yaxes(showgrid=False)
    return drawn.update_layout(margin={"t": 150, "l": 8, "r": 16})
