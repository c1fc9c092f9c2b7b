"""Figure of Table 6 of the FenchelRank paper: seconds and shares of features, fold by fold."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.experiments.papers.fenchelrank_time import BallOutcome, TimedFit
from core.figures.look.style import layout, method_style
from core.figures.look.style import seconds as duration
from core.names.plain import in_plotly

ROW = 26  # pixels
SYSTEMS = (("tgrank", "TGRank"), ("fenchelrank", "FenchelRank"))


def ball_sentence(outcomes: Sequence[BallOutcome]) -> str:
    """Say what the figure shows for FenchelRank at r = |w_TG|_1; needs at least one outcome."""
    faster = sum(found.same_ball.seconds < found.tgrank.seconds for found in outcomes)
    sparser = sum(found.same_ball.share < found.tgrank.share for found in outcomes)
    total = len(outcomes)
    return f"FenchelRank takes less time than TGRank on {faster} of {total} folds and keeps fewer features on {sparser}"


def ball_figure(outcomes: Sequence[BallOutcome]) -> go.Figure:
    """Draw a row a fold: solver seconds on the left, share of features on the right."""
    figure = make_subplots(cols=2, shared_yaxes=True, horizontal_spacing=0.05)
    places = list(range(len(outcomes)))
    for method, title in SYSTEMS:
        fits = [found.tgrank if method == "tgrank" else found.same_ball for found in outcomes]
        style = method_style(method)
        for column, values in enumerate(([f.seconds for f in fits], [f.share for f in fits]), start=1):
            figure.add_scatter(
                x=values, y=places, mode="markers", row=1, col=column, name=title, cliponaxis=False,
                marker={"size": 11, "symbol": style.marker, "color": style.colour}, showlegend=column == 1,
                hovertext=[_hover(title, fit) for fit in fits], hoverinfo="text",
            )  # fmt: skip
    layout(
        figure, title=ball_sentence(outcomes), height=150 + ROW * len(outcomes),
        subtitle="TGRank at C = 0.1 after 1000 steps; FenchelRank in the ball r = ‖w‖₁ of TGRank's model, to ε = 0.001 "
        "or 1000 steps · seconds on this machine",
    )  # fmt: skip
    figure.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.35}, margin_l=120)
    figure.update_yaxes(
        tickvals=places, ticktext=[in_plotly(found.cell.where) for found in outcomes], autorange="reversed"
    )
    figure.update_xaxes(title_text="solver seconds", type="log", exponentformat="e", row=1, col=1)
    figure.update_xaxes(title_text="share of all features", rangemode="tozero", row=1, col=2)
    return figure


def _hover(title: str, fit: TimedFit) -> str:
    return f"{title}: {duration(fit.seconds)}, {fit.share:.4f} of the features, {fit.steps} steps, {fit.stop}"
