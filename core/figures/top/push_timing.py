"""Figure 3 of Rakotomamonjy (2012): running time against the number of pairs, with its exponent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.experiments.papers.infinite_push_time import MOST_REPEATS, TimingCurve
from core.figures.look.line_labels import name_ends
from core.figures.look.style import MUTED, Words, layout, method_style, seconds

DASHES = ("solid", "dot", "dash", "longdash")
MARKERS = {"admm": "diamond"}  # the same method, another solver
LABEL_GAP = 0.065
SUBTITLE = (
    "exponents are fitted to the filled marks; open ones were given up · least of up to "
    f"{MOST_REPEATS} fits, on the machine that timed them"
)
LABEL_ROOM = 285  # pixels


def timing_figure(curves: Sequence[TimingCurve]) -> go.Figure:
    """Draw seconds against pairs, both in log; few noisy features are solid, more are dotted, as in the paper.

    Open marks are fits that reached their time limit.
    """
    figure = go.Figure()
    noisy = sorted({curve.n_noisy for curve in curves})
    for curve in curves:
        style = method_style(curve.system.method)
        symbol = MARKERS.get(curve.system.solver, style.marker)
        figure.add_scatter(
            x=curve.pairs,
            y=curve.seconds,
            mode="lines+markers",
            line={"color": style.colour, "width": 2.2, "dash": DASHES[noisy.index(curve.n_noisy) % len(DASHES)]},
            marker={
                "size": 10,
                "symbol": [symbol if done else f"{symbol}-open" for done in curve.converged],
                "color": style.colour,
            },
            name=_name(curve),
            hovertext=[
                f"{pairs:,} pairs: {seconds(took)}{'' if done else ', given up'}"
                for pairs, took, done in zip(curve.pairs, curve.seconds, curve.converged, strict=True)
            ],
            hovertemplate=f"<b>{_name(curve)}</b><br>%{{hovertext}}<extra></extra>",
        )
    _name_ends(figure, curves)
    ticks = 10.0 ** np.arange(-5, 4)
    figure.update_yaxes(title="solver time of a fit", type="log", tickvals=ticks, ticktext=list(map(seconds, ticks)))
    figure.update_xaxes(title="pairs of a positive and a negative document", type="log", dtick=1, exponentformat="e")
    drawn = layout(figure, Words(timing_sentence(curves), SUBTITLE), height=470)
    drawn.update_layout(margin_r=LABEL_ROOM if curves else 24)
    return drawn


def _name(curve: TimingCurve) -> str:
    growth = "" if curve.exponent is None else f": pairs<sup>{curve.exponent:.2f}</sup>"
    return f"{curve.system.title} ({curve.n_noisy} noisy){growth}"


def _name_ends(figure: go.Figure, curves: Sequence[TimingCurve]) -> None:
    heights = [float(np.log10(took)) for curve in curves for took in curve.seconds]
    if not heights:
        figure.add_annotation(text="Press Start to measure", x=0.5, y=0.5, xref="paper", yref="paper",
                              showarrow=False, font={"color": MUTED})  # fmt: skip
        return
    room = max(max(heights) - min(heights), 0.5)
    low, high = min(heights) - 0.08 * room, max(heights) + 0.08 * room
    figure.update_yaxes(range=[low, high])
    ends = [
        (f" {_name(curve)}", float(np.log10(curve.seconds[-1])), method_style(curve.system.method).colour)
        for curve in curves
    ]
    name_ends(figure, ends, LABEL_GAP * (high - low), low, high, size=12)


def timing_sentence(curves: Sequence[TimingCurve]) -> str:
    """Say how much faster the exact solver is than ADMM at the largest problem both solved, or how time grows."""
    solved = {
        (curve.system.solver, curve.n_noisy): dict(zip(curve.pairs, curve.seconds, strict=True))
        for curve in curves
        if all(curve.converged) or curve.system.solver == "admm"
    }
    both = [
        (pairs, solved["interior-point", noisy][pairs], took)
        for (solver, noisy), times in solved.items()
        if solver == "admm" and ("interior-point", noisy) in solved
        for pairs, took in times.items()
        if pairs in solved["interior-point", noisy]
    ]
    if both:
        pairs, exact, admm = max(both)
        least = "" if _converged(curves, pairs) else "at least "
        times = f"{least}{admm / exact:,.0f} times that"
        return f"At {pairs:,} pairs the exact infinite push takes {seconds(exact)}, ADMM {times}"
    grown = [curve for curve in curves if curve.exponent is not None]
    if grown:
        return f"Time of the {grown[0].system.title} grows as pairs to the power {grown[0].exponent:.2f}"
    return "Nothing has been timed yet"


def _converged(curves: Sequence[TimingCurve], pairs: int) -> bool:
    """Tell whether ADMM converged at this size."""
    return all(
        done
        for curve in curves
        if curve.system.solver == "admm"
        for size, done in zip(curve.pairs, curve.converged, strict=True)
        if size == pairs
    )
