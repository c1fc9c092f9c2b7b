"""What sparsity costs, in a small view: the models of paths by the features they keep and how they rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.figures.lab.compact import HANDLE, WORDS, compact
from core.figures.look.style import STAR_MARK, method_style
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.tradeoff import View, tradeoff_drawing

LABEL_SHARE = 0.11  # of the height of the plot: a line of text
RIGHT = 76  # pixels for the methods' names


def lab_tradeoff_figure(
    curves: Mapping[str, Sequence[TradeoffPoint]],
    view: View,
    titles: Mapping[str, str],
    *,
    pinned: TradeoffPoint | None = None,
    best: TradeoffPoint | None = None,
    revision: str = "",
) -> go.Figure:
    """Draw the trade-off of `tradeoff_figure` small, with a pinned run as a ring and the best one as a star.

    Parameters
    ----------
    curves : mapping
        Points by method, in the order of their paths.
    view : View
    titles : mapping
        A method's name for people.
    pinned : TradeoffPoint, optional
    best : TradeoffPoint, optional
        The chosen method's best model on the validation part, drawn as a star.
    revision : str
        A zoom is kept as long as this is the same.
    """
    figure = tradeoff_drawing(curves, view, titles, gap=LABEL_SHARE)
    if pinned is not None:
        colour = method_style(pinned.method).colour
        figure.add_scatter(
            x=[view.across.of(pinned)],
            y=[pinned.value(view.part, view.measure)],
            mode="markers",
            marker={"symbol": "circle-open", "size": 15, "color": colour, "line": {"width": 2}},
            name="pinned",
            hovertemplate=f"pinned: {pinned.kept} features, {view.measure} %{{y:.4f}}<extra></extra>",
            customdata=[[pinned.method, pinned.c]],
        )
    if best is not None:
        figure.add_scatter(
            x=[view.across.of(best)],
            y=[best.value(view.part, view.measure)],
            mode="markers",
            marker=STAR_MARK,
            name="best on validation",
            hovertemplate=f"best on validation: {best.kept} features, {view.measure} %{{y:.4f}}<extra></extra>",
            customdata=[[best.method, best.c]],
        )
    figure.update_yaxes(title_text=f"{PART_TITLES[view.part]} {view.measure}", nticks=5)
    figure.update_annotations(font_size=WORDS)
    return compact(figure, left=56, right=RIGHT, top=HANDLE).update_layout(uirevision=revision).figure()
