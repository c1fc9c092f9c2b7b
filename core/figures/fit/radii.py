"""Figure of the l1 ball's radius against lambda: FenchelRank and the l1 penalty have the same models."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.radii import RadiusPoint
from core.figures.look.style import MUTED, layout, method_style
from core.names.numbers import short


def radii_sentence(points: Sequence[RadiusPoint], radius: float, c: float) -> str:
    """Say the radius of the chosen model, and how far the paper's radii reach."""
    beyond = [point.radius for point in points if point.published and not point.holds]
    start = f"C = {short(c)} is the ball ‖w‖₁ ≤ {radius:.3g}"
    return f"{start}; from r = {beyond[0]:g} on, no ball limits the model" if beyond else start


def radii_figure(
    points: Sequence[RadiusPoint], radius: float, ratio: float, *, title: str = "", subtitle: str = ""
) -> go.Figure:
    """Draw the radius over lambda / lambda_max, descending, with marks at the paper's radii.

    Parameters
    ----------
    points : sequence of RadiusPoint
        The result of `radii`.
    radius, ratio : float
        Values of the chosen model, at which a vertical line is drawn.
    """
    figure = go.Figure()
    style = method_style("fenchelrank")
    curve = [point for point in points if not point.published]
    marks = [point for point in points if point.published and point.holds]
    figure.add_scatter(
        x=[point.ratio for point in curve],
        y=[point.radius for point in curve],
        mode="lines",
        line={"color": method_style("l1").colour, "width": 2},
        name="‖w‖₁ of the ℓ1 model",
        hovertext=[_hover(point) for point in curve],
        hovertemplate="ℓ1 model<br>%{hovertext}<extra></extra>",
    )
    figure.add_scatter(
        x=[point.ratio for point in marks],
        y=[point.radius for point in marks],
        mode="markers+text",
        marker={"size": 11, "symbol": style.marker, "color": style.colour},
        text=[f"r = {point.radius:g}" for point in marks],
        textposition=["bottom right", *("top left" for _ in marks[1:])],  # at either edge there is no room beyond
        name="radii of the paper",
        hovertext=[_hover(point) for point in marks],
        hovertemplate="a radius of the paper<br>%{hovertext}<extra></extra>",
    )
    figure.add_scatter(
        x=[ratio], y=[radius], mode="markers", name="the chosen model",
        marker={"size": 18, "symbol": "circle-open", "color": MUTED, "line": {"width": 2, "color": MUTED}},
        hovertemplate=f"the chosen model<br>r = {radius:.4g}, λ/λ_max = {short(ratio)}<extra></extra>",
    )  # fmt: skip
    figure.add_vline(x=ratio, line={"color": MUTED, "width": 1.2})
    figure.update_xaxes(title="λ / λ_max", type="log", autorange="reversed", exponentformat="e", dtick=1)
    heights = [radius, *(point.radius for point in [*curve, *marks])]
    room = [math.log10(0.7 * min(heights)), math.log10(2.2 * max(heights))]  # for the words above the highest mark
    figure.update_yaxes(title="radius r = ‖w‖₁", type="log", dtick=1, range=room)
    return layout(figure, title=title, subtitle=subtitle, height=360)


def _hover(point: RadiusPoint) -> str:
    return f"r = {point.radius:.4g}<br>C = {short(point.c)}, λ/λ_max = {short(point.ratio)}"
