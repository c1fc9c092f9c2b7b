"""Figures 1 to 3 and Table 1 of Rakotomamonjy (2012): toy problem, running time, and ours beside what was printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.analysis.tradeoff.fold_tradeoff import Spread
from core.experiments.papers.infinite_push_sets import TopRow
from core.experiments.papers.infinite_push_time import MOST_REPEATS, TimingCurve
from core.experiments.papers.infinite_push_toy import REFERENCE, TITLES, ToyPoint
from core.figures.look.drawing import note
from core.figures.look.labels import name_ends, told
from core.figures.look.style import MUTED, NO_WORDS, Words, layout, method_style, seconds
from core.names.plain import in_plotly

Across = Literal["training examples", "noisy features"]
TOY_LABEL_GAP = 0.07  # of the height of the plot: a line of text
TOY_LABEL_ROOM = 150  # pixels
HIGHEST = 1.04
BESIDE = 1.25  # factor of the room left and right of the marks
APART = 1.02  # factor between the places of two methods, so that their bars can be told apart


@dataclass(frozen=True)
class StudyPoint:
    """A point of a curve; ``note`` stands beside it."""

    x: int
    y: Spread
    note: str = ""


Curves = Mapping[str, Sequence[StudyPoint]]
"""Marks by method."""


def top_panels(points: Sequence[ToyPoint]) -> dict[str, Curves]:
    """Make a panel of the rate on top for every number of noisy features, by its head; p-values stand beside marks."""
    sizes = sorted({point.n_noisy for point in points})
    panels = {size: [point for point in points if point.n_noisy == size] for size in sizes}
    return {f"{size} noisy features": _panel(own, "training examples", "top") for size, own in panels.items()}


def retrieval_panels(points: Sequence[ToyPoint]) -> dict[str, Curves]:
    """Make panels of precision, recall and F-measure of the selected features against noisy ones, by their heads."""
    measures = {"precision": "precision", "recall": "recall", "F-measure": "f_measure"}
    return {head: _panel(points, "noisy features", name) for head, name in measures.items()}


def _panel(points: Sequence[ToyPoint], across: Across, measure: str) -> Curves:
    curves: dict[str, list[StudyPoint]] = {}
    for point in points:
        x = point.n_train if across == "training examples" else point.n_noisy
        note = _p_words(point.p_value) if measure == "top" and point.p_value is not None else ""
        curves.setdefault(point.method, []).append(StudyPoint(x, getattr(point, measure), note))
    return {method: sorted(marks, key=lambda mark: mark.x) for method, marks in curves.items()}


def _p_words(p: float) -> str:
    return "p < .001" if p < 0.0005 else f"p = {p:.3f}".replace("0.", ".", 1) if p < 0.9995 else "p = 1"


def toy_figure(panels: Mapping[str, Curves], across: Across, up: str, words: Words = NO_WORDS) -> go.Figure:
    """Draw `top_panels` or `retrieval_panels` side by side with one y axis; a bar is one standard error over trials."""
    figure = make_subplots(cols=max(len(panels), 1), shared_yaxes=True, horizontal_spacing=0.04,
                           subplot_titles=list(panels))  # fmt: skip
    top = max((mark.y.mean for curves in panels.values() for marks in curves.values() for mark in marks), default=1.0)
    top = min(1.15 * top + 0.05, HIGHEST)
    for column, curves in enumerate(panels.values(), start=1):
        for place, (method, marks) in enumerate(curves.items()):
            style, shift = method_style(method), APART ** (place - (len(curves) - 1) / 2)
            figure.add_scatter(
                x=[mark.x * shift for mark in marks],
                y=[mark.y.mean for mark in marks],
                mode="lines+markers+text",
                line={"color": style.colour, "width": 2.8 if method == REFERENCE else 2.0, "dash": style.dash},
                marker={"size": 9, "symbol": style.marker, "color": style.colour},
                error_y={"type": "data", "array": [mark.y.error for mark in marks], "thickness": 1.1, "width": 3},
                text=[mark.note for mark in marks],
                textposition="bottom right",
                textfont={"size": 10, "color": style.colour},
                name=TITLES[method],
                customdata=[[mark.y.error, mark.y.low, mark.y.high, mark.x] for mark in marks],
                hovertemplate=f"<b>{TITLES[method]}</b>, %{{customdata[3]}} {across}<br>%{{y:.3f}} ± "
                "%{customdata[0]:.3f}, %{customdata[1]:.3f} to %{customdata[2]:.3f} %{text}<extra></extra>",
                row=1,
                col=column,
                cliponaxis=False,
            )
        ticks = sorted({mark.x for marks in curves.values() for mark in marks})
        figure.update_xaxes(title=across, type="log", tickvals=ticks, ticktext=[f"{x:,}" for x in ticks], col=column)
        if ticks:
            ends = [min(ticks) / BESIDE, max(ticks) * BESIDE]
            figure.update_xaxes(range=np.log10(ends).tolist(), col=column)
        if column == len(panels):  # at its right, each at the height of its curve's end
            named = [(f" {TITLES[m]}", marks[-1].y.mean, method_style(m).colour) for m, marks in curves.items()]
            name_ends(figure, named, TOY_LABEL_GAP * top, 0.0, top, yref="y" if column == 1 else f"y{column}")
    figure.update_yaxes(range=[0.0, top])
    figure.update_yaxes(title=up, col=1)
    return layout(figure, words, height=470, margin_r=TOY_LABEL_ROOM, margin_t=92)


def top_sentence(points: Sequence[ToyPoint]) -> str:
    """Say in one sentence which method is best and which last at the end of the x axis."""
    if not points:
        return "Nothing has been computed yet"
    last = max(points, key=lambda p: (p.n_train, p.n_noisy))
    here = [point for point in points if (point.n_train, point.n_noisy) == (last.n_train, last.n_noisy)]
    here.sort(key=lambda point: -point.top.mean)
    where = f"with {last.n_train} examples and {last.n_noisy} noisy features"
    words = f"{TITLES[here[0].method]} puts {here[0].top.mean:.0%} of the positives on top {where}"
    return words if len(here) == 1 else f"{words}, {TITLES[here[-1].method]} {here[-1].top.mean:.0%}"


def retrieval_sentence(points: Sequence[ToyPoint]) -> str:
    """Say which method finds the features best among the most noisy ones, and how well."""
    if not points:
        return "Nothing has been computed yet"
    noisy = max(point.n_noisy for point in points)
    best = max((point for point in points if point.n_noisy == noisy), key=lambda point: point.f_measure.mean)
    worth = f"F {best.f_measure.mean:.2f}, precision {best.precision.mean:.2f}, recall {best.recall.mean:.2f}"
    return f"Among {noisy} noisy features {TITLES[best.method]} finds the relevant ones best: {worth}"


ROW = 30  # pixels


def top_table_figure(rows: Sequence[TopRow]) -> go.Figure:
    """Draw a row for every set and method: the rate on top on the left, the number of variables on the right."""
    figure = make_subplots(cols=2, shared_yaxes=True, horizontal_spacing=0.05, column_widths=[0.6, 0.4])
    places = list(range(len(rows)))
    for place, row in zip(places, rows, strict=True):
        style = method_style(row.method)
        ours = (row.top, row.kept)
        printed = row.published
        theirs = (None, None) if printed is None else (printed.top, printed.n_features)
        for column, (found, published) in enumerate(zip(ours, theirs, strict=True), start=1):
            figure.add_scatter(
                x=[found.mean], y=[place], mode="markers", row=1, col=column, cliponaxis=False,
                marker={"size": 11, "symbol": style.marker, "color": style.colour},
                error_x={"type": "data", "array": [found.deviation], "color": style.colour, "thickness": 1.2},
                name=f"{in_plotly(row.set)}, {TITLES[row.method]}", hovertext=_hover(row),
                hovertemplate="%{hovertext}<extra></extra>",
            )  # fmt: skip
            if published is not None:
                figure.add_scatter(
                    x=[published], y=[place], mode="markers", row=1, col=column, cliponaxis=False,
                    marker={"size": 13, "symbol": f"{style.marker}-open", "color": MUTED, "line": {"width": 2}},
                    name="published", hovertemplate=f"{in_plotly(row.set)}, {TITLES[row.method]}<br>published: %{{x}}"
                    "<extra></extra>",
                )  # fmt: skip
    figure.update_yaxes(tickvals=places, ticktext=[_label(row) for row in rows],
                        range=[len(rows) - 0.4, -0.6])  # fmt: skip
    figure.update_xaxes(title="rate of positives on top", range=[0.0, 1.02], col=1)
    figure.update_xaxes(title="number of variables", rangemode="tozero", col=2)
    subtitle = (
        f"mean ± standard deviation over {max((row.n_splits for row in rows), default=0)} splits · grey and open: "
        "printed\nin brackets: significantly worse than the best (Wilcoxon's signed-rank test at 0.05)"
    )
    return layout(figure, Words(table_sentence(rows), subtitle), height=170 + ROW * len(rows), margin_l=230)


def _label(row: TopRow) -> str:
    name = f"{in_plotly(row.set)}: {TITLES[row.method]}"
    return f"({name})" if row.worse() else name


def _hover(row: TopRow) -> str:
    p = row.p_value
    against = "the best of this set" if p is None else f"p = {p:.3f} against the best of this set"
    return (
        f"<b>{in_plotly(row.set)}, {TITLES[row.method]}</b><br>on top {row.top.mean:.2f} ± {row.top.deviation:.2f}, "
        f"{row.kept.mean:.1f} ± {row.kept.deviation:.1f} variables<br>{against}"
    )


def table_sentence(rows: Sequence[TopRow]) -> str:
    """Say on how many sets the ℓ1 infinite push is not significantly worse than the best."""
    sets = {row.set: row for row in rows if row.method == REFERENCE}
    if not sets:
        return "Nothing has been computed yet"
    level = [name for name, row in sets.items() if not row.worse()]
    best = [name for name, row in sets.items() if row.p_value is None]
    return (
        f"{TITLES[REFERENCE]} is best on top on {len(best)} of {len(sets)} sets, and on "
        f"{len(level)} not significantly worse than the best"
    )


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
        words = [
            f"{pairs:,} pairs: {seconds(took)}{'' if done else ', given up'}"
            for pairs, took, done in zip(curve.pairs, curve.seconds, curve.converged, strict=True)
        ]
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
            **told(_name(curve), words),
        )
    _name_ends(figure, curves)
    ticks = 10.0 ** np.arange(-5, 4)
    figure.update_yaxes(title="solver time of a fit", type="log", tickvals=ticks, ticktext=list(map(seconds, ticks)))
    figure.update_xaxes(title="pairs of a positive and a negative document", type="log", dtick=1, exponentformat="e")
    room = LABEL_ROOM if curves else 24
    return layout(figure, Words(timing_sentence(curves), SUBTITLE), height=470, margin_r=room)


def _name(curve: TimingCurve) -> str:
    growth = "" if curve.exponent is None else f": pairs<sup>{curve.exponent:.2f}</sup>"
    return f"{curve.system.title} ({curve.n_noisy} noisy){growth}"


def _name_ends(figure: go.Figure, curves: Sequence[TimingCurve]) -> None:
    heights = [float(np.log10(took)) for curve in curves for took in curve.seconds]
    if not heights:
        words = note("Press Start to measure", 0.5, 0.5, colour=MUTED, xref="paper", yref="paper")
        figure.add_annotation(**words)
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
        ended = (zip(c.pairs, c.converged, strict=True) for c in curves if c.system.solver == "admm")
        least = "" if all(done for marks in ended for size, done in marks if size == pairs) else "at least "
        times = f"{least}{admm / exact:,.0f} times that"
        return f"At {pairs:,} pairs the exact infinite push takes {seconds(exact)}, ADMM {times}"
    grown = [curve for curve in curves if curve.exponent is not None]
    if grown:
        return f"Time of the {grown[0].system.title} grows as pairs to the power {grown[0].exponent:.2f}"
    return "Nothing has been timed yet"
