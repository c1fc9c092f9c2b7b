"""The lower bound beneath a convergence curve: a search ends where the two meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.figures.look.drawing import Drawing
from core.solvers import TracePoint

BAND = "rgba(128,128,128,0.18)"


def add_bound(
    figure: Drawing, points: Sequence[TracePoint], across: Callable[[TracePoint], float], colour: str
) -> None:
    """Draw the best bound so far beneath the objective, and fill what is between: there the optimum lies.

    Points before the first bound above 0, which says nothing of a loss, are left out.

    Parameters
    ----------
    points : sequence of TracePoint
        With duality gaps.
    across : callable
        Place of a point along the horizontal axis.
    colour : str
    """
    bounds, best = [], 0.0
    for point in points:
        best = max(best, point.objective - point.certificate.value)
        bounds.append(best)
    settled = [point.objective for point, bound in zip(points, bounds, strict=True) if bound > 0.0]
    if settled:  # the empty model, with which it begins, is far above: it would leave no room for what is between
        low, high = min(bound for bound in bounds if bound > 0.0), settled[0]
        room = max(high - low, 1e-3 * high)
        figure.update_yaxes(range=[low - 0.12 * room, high + 0.12 * room])
    shown = [(point, bound) for point, bound in zip(points, bounds, strict=True) if bound > 0.0]
    for name, heights, width in (
        ("objective above it", [point.objective for point, _ in shown], 0.0),
        ("lower bound: no set is below it", [bound for _, bound in shown], 1.8),
    ):
        figure.add_scatter(
            x=[across(point) for point, _ in shown],
            y=heights,
            mode="lines",
            line={"color": colour, "width": width, "dash": "dot"},
            fill="tonexty" if width else None,
            fillcolor=BAND if width else None,
            name=name,
            showlegend=False,
            hoverinfo=None if width else "skip",
            hovertemplate=f"%{{y:.6g}}<extra>{name}</extra>" if width else None,
        )
