"""Figure of a budget: the trade-off with the limit, the best model within it, and the next better one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.tradeoff.tradeoff import Budget, TradeoffPoint
from core.figures.look.style import MUTED, STAR_MARK
from core.figures.tradeoff.tradeoff import View, add_ring, around, tradeoff_drawing


def budget_figure(
    curves: Mapping[str, Sequence[TradeoffPoint]],
    view: View,
    titles: Mapping[str, str],
    limit: float,
    found: Budget | None,
    *,
    references: Mapping[str, TradeoffPoint] | None = None,
    certified: tuple[TradeoffPoint, bool] | None = None,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw one fold; see `tradeoff_figure`.

    Parameters
    ----------
    curves, view, titles, references
        As there.
    limit : float
        In the unit of the axis across, drawn as a vertical line.
    found : Budget, optional
        A star stands on its model, a ring around the next better one.
    certified : tuple of TradeoffPoint and bool, optional
        The best subset within the budget, and whether it is proven; a diamond stands around it.
    """
    figure = tradeoff_drawing(curves, view, titles, references=references, title=title, subtitle=subtitle)
    figure.add_vline(x=limit, line={"color": MUTED, "width": 1.5, "dash": "dot"})
    if certified is not None:
        point, proven = certified
        said = "the best subset within the budget, proven" if proven else "the best subset found within the budget"
        add_ring(figure, point, view, said, around("diamond-open", 20, MUTED))
    if found is not None:
        add_ring(figure, found.next_better, view, "the next better model", around("circle-open", 18, "#D55E00"))
        add_ring(figure, found.chosen, view, "the best model within the budget", STAR_MARK)
    return figure.figure()
