"""How the chosen model's fit came to its certificate, in a small view."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import plotly.graph_objects as go

from core.figures.fit.convergence import Curve, convergence_drawing
from core.figures.lab.compact import WORDS, compact
from core.solvers import TracePoint

BESIDE_NAMES = 1.4  # of the last step, where two curves have their names beside them
FEW = 6  # steps that are counted one by one along the axis
LEAST = 1e-12  # of what a certificate can tell
SMALL = {"duality gap": "relative gap", "stationarity": "relative residual"}


def lab_convergence_figure(
    method: str,
    trace: Sequence[TracePoint],
    *,
    name: str = "",
    also: Iterable[float] = (),
    beside: Curve | None = None,
    revision: str = "",
) -> go.Figure:
    """Draw the certificate against the steps of one fit, on a log axis; beside it another method's, if there is one.

    Parameters
    ----------
    method : str
        Decides the colour.
    trace : sequence of TracePoint
        At least one.
    name : str
        The method's title, where another one is beside it.
    also : iterable of float
        Certificates that the axis is to reach.
    beside : Curve, optional
        Another method's fit at the same share of lambda_max.
    revision : str
        A zoom is kept as long as this is the same.
    """
    curves = [*([] if beside is None else [beside]), Curve(name, method, trace)]
    figure = convergence_drawing(curves, y="certificate", log_y=True)
    shown = [point.certificate.relative for curve in curves for point in curve.trace]
    low, high = certificate_range([*shown, *also])
    air = 0.06 * (high - low)
    last = max(curve.trace[-1].step for curve in curves)
    end = (1.05 if len(curves) == 1 else BESIDE_NAMES) * max(last, 1)
    figure.update_xaxes(title_text="steps", range=[-0.02 * max(last, 1), end], nticks=6)
    if last <= FEW:
        figure.update_xaxes(dtick=1)
    kinds = {curve.trace[-1].certificate.kind for curve in curves}
    words = SMALL[kinds.pop()] if len(kinds) == 1 else "gap or residual"
    figure.update_yaxes(title_text=words, range=[low - air, high + air], exponentformat="e", nticks=5)
    # Curves fall from the left, and the axis goes on beyond them: the names have room at the upper right.
    legend = {"x": 1, "xanchor": "right", "y": 1, "yanchor": "top", "yref": "paper", "orientation": "v"}
    figure.update_layout(legend=legend | {"font": {"size": WORDS}, "bgcolor": "rgba(0,0,0,0)"})
    return compact(figure, left=62, right=20, top=10).update_layout(uirevision=revision).figure()


def certificate_range(values: Iterable[float]) -> tuple[float, float]:
    """Return the decimal logarithms of the least and the largest of these certificates, at least a decade apart."""
    logs = [math.log10(max(value, LEAST)) for value in values if math.isfinite(value)]
    low, high = min(logs, default=-1.0), max(logs, default=0.0)
    return (low, high) if high - low >= 1.0 else (high - 1.0, high)
