"""Figure of what a change of the model does to each query: one bar a query, the greatest loss on the left."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.tradeoff.query_changes import QueryChange
from core.figures.look.style import MUTED, layout
from core.names.plain import in_plotly

LOSS, OTHER = "#D55E00", "rgba(128,128,128,0.55)"


def query_changes_figure(
    changes: Sequence[QueryChange], measure: str, *, marked: int, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw the changes in their order; those that lose most are coloured and named.

    Parameters
    ----------
    changes : sequence of QueryChange
        Worst first.
    measure : str
    marked : int
        How many of the first are marked, as far as they lose anything.
    """
    figure = go.Figure()
    worst = [change for change in changes[:marked] if change.change < 0.0]
    figure.add_bar(
        x=list(range(1, len(changes) + 1)),
        y=[change.change for change in changes],
        marker={"color": [LOSS] * len(worst) + [OTHER] * (len(changes) - len(worst)), "line": {"width": 0}},
        customdata=[
            [
                in_plotly(change.query_id),
                f"{change.before:.4f}",
                f"{change.after:.4f}",
                change.n_relevant,
                change.n_documents,
            ]
            for change in changes
        ],
        hovertemplate=(
            f"query %{{customdata[0]}}<br>{measure} %{{customdata[1]}} → %{{customdata[2]}} (%{{y:+.4f}})<br>"
            "%{customdata[3]} relevant of %{customdata[4]} documents<extra></extra>"
        ),
        name="change",
    )
    figure.add_hline(y=0.0, line={"color": MUTED, "width": 1})
    figure.update_xaxes(title=f"{len(changes)} queries, the greatest loss first")
    figure.update_yaxes(title=f"change of {measure}")
    return layout(figure, title=title, subtitle=subtitle, height=480).update_layout(bargap=0.05)
