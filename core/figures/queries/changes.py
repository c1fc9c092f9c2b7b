"""What A changes for every query against B: a bar a query, sorted, and how the changes are distributed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.queries.changes import QueryChanges
from core.figures.look.assembling import assembled
from core.figures.look.narrow import narrow
from core.figures.look.style import AXIS, INK, MUTED, layout_parts, method_style
from core.figures.look.ticks import count_axis
from core.names.plain import in_plotly

HEIGHT = 420
MOST_BARS = 2000
BINS = np.linspace(-1.0, 1.0, 42)  # an odd number: the middle bin has what stays as it is
SORTED, SPREAD = [0.0, 0.70], [0.77, 1.0]


def changes_figure(
    changes: QueryChanges,
    ids: Sequence[str],
    names: Sequence[str],
    method: str,
    name: str,
    *,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw the changes of one measure, from the greatest loss to the greatest gain, and their distribution.

    Gains have the colour of A's method, losses are grey; both also tell by the side of 0. The customdata of a bar
    begins with the id of its query. Of many queries the middle ones are left out of the bars, not of the distribution.

    Parameters
    ----------
    changes : QueryChanges
    ids, names : sequence of str, length n_queries
        Of the queries.
    method : str
        Id of the method of A.
    name : str
        Of the measure for one query.
    """
    shown = _ends(changes.order)
    delta = changes.delta[shown]
    colour = method_style(method).colour
    counts, edges = np.histogram(changes.delta, bins=BINS)
    middles = (edges[:-1] + edges[1:]) / 2.0
    used = np.flatnonzero(counts)
    low, high = min(float(delta.min()), -0.05) * 1.08, max(float(delta.max()), 0.05) * 1.08
    mean = float(changes.delta.mean())
    bars = {
        "type": "bar",
        "x": np.arange(1, len(shown) + 1),
        "y": delta,
        "marker": {"color": [colour if value > 0 else MUTED for value in delta], "line": {"width": 0}},
        "customdata": [
            [ids[q], float(changes.a[q]), float(changes.b[q]), int(changes.n_relevant[q]), int(changes.n_documents[q])]
            for q in shown
        ],
        "text": [in_plotly(names[q]) for q in shown],
        "textposition": "none",
        "hovertemplate": f"<b>%{{text}}</b><br>Δ{name} %{{y:+.4f}}: %{{customdata[1]:.4f}} under A, "
        "%{customdata[2]:.4f} under B<br>"
        "%{customdata[3]:,} of %{customdata[4]:,} documents relevant<br>click: its lists<extra></extra>",
    }
    spread = {
        "type": "bar",
        "orientation": "h",
        "xaxis": "x2",
        "yaxis": "y2",
        "x": counts[used],
        "y": middles[used],
        "width": float(edges[1] - edges[0]) * 0.92,
        "marker": {"color": [colour if value > 1e-9 else MUTED for value in middles[used]], "line": {"width": 0}},
        "hovertemplate": f"Δ{name} about %{{y:+.2f}}: %{{x:,}} queries<extra></extra>",
    }
    axes = {
        "xaxis": AXIS | {"domain": SORTED, "title": {"text": "queries, from the greatest loss to the greatest gain"}}
        | {"showgrid": False, "range": [0.4, len(shown) + 0.6]},
        "yaxis": AXIS | {"title": {"text": f"Δ{name}, A − B"}, "range": [low, high], "zeroline": True},
        "xaxis2": AXIS | {"domain": SPREAD, "title": {"text": "queries"}, "rangemode": "tozero", "nticks": 4}
        | count_axis(0, int(counts.max())),
        "yaxis2": AXIS | {"anchor": "x2", "matches": "y", "showticklabels": False, "zeroline": True},
    }  # fmt: skip
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": mean, "y1": mean, "yref": "y"}
    words = {
        "text": f"mean {mean:+.4f}".replace("-", "−"), "xref": "paper", "y": mean, "yref": "y",
        # Where no bar is: those on the left lie beneath 0, those on the right above.
        "x": 0.005 if mean >= 0 else SORTED[1], "xanchor": "left" if mean >= 0 else "right",
        "yanchor": "bottom" if mean >= 0 else "top", "showarrow": False, "font": {"size": 13, "color": INK},
    }  # fmt: skip
    common = {
        "shapes": [line | {"line": {"color": INK, "width": 1.4, "dash": "dash"}}],
        "annotations": [words],
        "bargap": 0.12 if len(shown) < 200 else 0.0,
        "uirevision": "changes",
        "margin": {"l": 70, "r": 24, "t": 70, "b": 52},
    }
    parts = layout_parts(title, subtitle, HEIGHT)
    short = {"xaxis": {"title": {"text": "queries, by gain"}}, "xaxis2": {"title": {"text": ""}}}
    return assembled([bars, spread], parts | common | axes | {"meta": parts["meta"] | narrow({}, short)})


def _ends(order: np.ndarray) -> np.ndarray:
    """The queries that change most, either way."""
    if len(order) <= MOST_BARS:
        return order
    return np.concatenate([order[: MOST_BARS // 2], order[-MOST_BARS // 2 :]])
