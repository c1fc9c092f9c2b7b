"""How the chosen model's fit came to its certificate, in a small view."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import plotly.graph_objects as go

from core.figures.fit.convergence import Curve, convergence_figure
from core.figures.lab.compact import compact
from core.solvers import TracePoint

FEW = 6  # steps that are counted one by one along the axis
LEAST = 1e-12  # of what a certificate can tell
SMALL = {"duality gap": "relative gap", "stationarity": "relative residual"}


def lab_convergence_figure(method: str, trace: Sequence[TracePoint], *, also: Iterable[float] = ()) -> go.Figure:
    """Draw the certificate against the steps of one fit, on a log axis.

    Parameters
    ----------
    method : str
        Decides the colour.
    trace : sequence of TracePoint
        At least one.
    also : iterable of float
        Certificates that the axis is to reach.
    """
    figure = convergence_figure([Curve(method, method, trace)], y="certificate", log_y=True)
    low, high = certificate_range([*(point.certificate.relative for point in trace), *also])
    air = 0.06 * (high - low)
    last = trace[-1].step
    figure.update_xaxes(title_text="steps", range=[-0.02 * max(last, 1), 1.05 * max(last, 1)], nticks=6)
    if last <= FEW:
        figure.update_xaxes(dtick=1)
    figure.update_yaxes(
        title_text=SMALL[trace[-1].certificate.kind], range=[low - air, high + air], exponentformat="power", nticks=5
    )
    return compact(figure, left=62, right=20, top=10)


def certificate_range(values: Iterable[float]) -> tuple[float, float]:
    """Return the decimal logarithms of the least and the largest of these certificates, at least a decade apart."""
    logs = [math.log10(max(value, LEAST)) for value in values if math.isfinite(value)]
    low, high = min(logs, default=-1.0), max(logs, default=0.0)
    return (low, high) if high - low >= 1.0 else (high - 1.0, high)
