"""Figure of how far methods are from the best possible: a cell for each method and number of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.best_subset.excess import Excess
from core.figures.look.drawing import Drawing
from core.figures.look.style import INK, layout

# From nothing to orange: a stronger colour is further away, on either theme.
FURTHER = [[0.0, "rgba(213,94,0,0.02)"], [1.0, "rgba(213,94,0,0.62)"]]
STRONGEST = 6.0  # per cent of excess from which the colour is the same
LETTERS = 12  # pixels


def percent(share: float) -> str:
    """Write a share in per cent with two significant digits; 0 below a thousandth of a per cent."""
    value = 100.0 * share
    return "0" if value < 1e-3 else f"{value:.2g}" if value < 9.95 else f"{value:.0f}"


def excess_figure(
    compared: Sequence[Excess], titles: Mapping[str, str], *, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw methods in rows, the nearest to the best on top, and numbers of features in columns.

    A cell has the excess of the objective in per cent and, beneath it, how many features of the best set the method's
    set has.

    Parameters
    ----------
    compared : sequence of Excess
    titles : mapping
        A method's name for people.
    """
    figure = Drawing()
    methods = order_of(compared)
    sizes = sorted({one.k for one in compared})
    cells = {(one.method, one.k): one for one in compared}
    grid = [[cells.get((method, k)) for k in sizes] for method in methods]
    figure.add_trace(
        {
            "type": "heatmap",
            "x": sizes,
            "y": [titles[method] for method in methods],
            "z": [[None if one is None else min(100.0 * one.excess, STRONGEST) for one in row] for row in grid],
            "text": [[_words(one) for one in row] for row in grid],
            "texttemplate": "%{text}",
            "textfont": {"size": LETTERS, "color": INK},
            "hovertext": [[_hover(one) for one in row] for row in grid],
            "hovertemplate": "<b>%{y}</b>, at most %{x} features<br>%{hovertext}<extra></extra>",
            "hoverongaps": False,
            "colorscale": FURTHER,
            "zmin": 0.0,
            "zmax": STRONGEST,
            "showscale": False,
            "xgap": 2,
            "ygap": 2,
        }
    )
    figure.update_xaxes(title="features at most", tickvals=sizes)
    drawn = layout(figure, title=title, subtitle=subtitle, height=max(360, 150 + 44 * len(methods)))
    drawn.update_xaxes(showgrid=False)
    return drawn.update_yaxes(autorange="reversed", automargin=True, showgrid=False).figure()


def order_of(compared: Sequence[Excess]) -> list[str]:
    """Return the methods, those with the smaller mean excess first; it is over what they have."""
    own = {one.method: [other.excess for other in compared if other.method == one.method] for one in compared}
    return sorted(own, key=lambda method: sum(own[method]) / len(own[method]))


def _words(one: Excess | None) -> str:
    return "" if one is None else f"{percent(one.excess)}<br>{one.shared}/{one.k}"


def _hover(one: Excess | None) -> str:
    if one is None:
        return ""
    more = "" if one.at_most - one.excess < 1e-4 else f" (at most {percent(one.at_most)} % above what is possible)"
    return (
        f"objective {one.found.objective:.6g}, {percent(one.excess)} % above the best set{more}<br>"
        f"{one.shared} of at most {one.k} features in common"
    )
