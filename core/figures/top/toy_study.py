"""Figures 1 and 2 of Rakotomamonjy (2012): positives on top, and features found, in the toy problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.analysis.tradeoff.fold_tradeoff import Spread
from core.experiments.papers.infinite_push_toy import REFERENCE, TITLES, ToyPoint
from core.figures.look.line_labels import name_ends
from core.figures.look.style import NO_WORDS, Words, layout, method_style

Across = Literal["training examples", "noisy features"]
LABEL_GAP = 0.07  # of the height of the plot: a line of text
LABEL_ROOM = 150  # pixels
HIGHEST = 1.04
BESIDE = 1.25  # factor of the room left and right of the marks
APART = 1.02  # factor between the places of two methods, so that their bars can be told apart


@dataclass(frozen=True)
class StudyPoint:
    """A point of a curve; ``note`` stands beside it."""

    x: int
    y: Spread
    note: str = ""


@dataclass(frozen=True)
class StudyPanel:
    """One of the panels side by side: its head, and marks by method."""

    head: str
    curves: Mapping[str, Sequence[StudyPoint]]


def top_panels(points: Sequence[ToyPoint]) -> list[StudyPanel]:
    """Make panels of the rate on top, one for every number of noisy features; p-values stand beside the marks."""
    return [
        _panel(f"{noisy} noisy features", [p for p in points if p.n_noisy == noisy], "training examples", "top")
        for noisy in sorted({point.n_noisy for point in points})
    ]


def retrieval_panels(points: Sequence[ToyPoint]) -> list[StudyPanel]:
    """Make panels of precision, recall and F-measure of the selected features against noisy features."""
    measures = {"precision": "precision", "recall": "recall", "F-measure": "f_measure"}
    return [_panel(head, points, "noisy features", name) for head, name in measures.items()]


def _panel(head: str, points: Sequence[ToyPoint], across: Across, measure: str) -> StudyPanel:
    curves: dict[str, list[StudyPoint]] = {}
    for point in points:
        x = point.n_train if across == "training examples" else point.n_noisy
        note = _p_words(point.p_value) if measure == "top" and point.p_value is not None else ""
        curves.setdefault(point.method, []).append(StudyPoint(x, getattr(point, measure), note))
    return StudyPanel(head, {method: sorted(marks, key=lambda mark: mark.x) for method, marks in curves.items()})


def _p_words(p: float) -> str:
    return "p < .001" if p < 0.0005 else f"p = {p:.3f}".replace("0.", ".", 1) if p < 0.9995 else "p = 1"


def toy_figure(panels: Sequence[StudyPanel], across: Across, up: str, words: Words = NO_WORDS) -> go.Figure:
    """Draw panels side by side with one y axis; a bar is one standard error over trials.

    Parameters
    ----------
    panels : sequence of StudyPanel
        The result of `top_panels` or `retrieval_panels`.
    across : {"training examples", "noisy features"}
    up : str
        Title of the y axis.
    words : Words
    """
    figure = make_subplots(cols=max(len(panels), 1), shared_yaxes=True, horizontal_spacing=0.04,
                           subplot_titles=[panel.head for panel in panels])  # fmt: skip
    top = max((mark.y.mean for panel in panels for marks in panel.curves.values() for mark in marks), default=1.0)
    top = min(1.15 * top + 0.05, HIGHEST)
    for column, panel in enumerate(panels, start=1):
        for place, (method, marks) in enumerate(panel.curves.items()):
            shift = APART ** (place - (len(panel.curves) - 1) / 2)
            _add_curve(figure, method, marks, across, column, shift)
        ticks = sorted({mark.x for marks in panel.curves.values() for mark in marks})
        figure.update_xaxes(title=across, type="log", tickvals=ticks, ticktext=[f"{x:,}" for x in ticks], col=column)
        if ticks:
            ends = [min(ticks) / BESIDE, max(ticks) * BESIDE]
            figure.update_xaxes(range=np.log10(ends).tolist(), col=column)
    if panels:
        _name_curves(figure, panels[-1], len(panels), top)
    figure.update_yaxes(range=[0.0, top])
    figure.update_yaxes(title=up, col=1)
    drawn = layout(figure, words, height=470)
    drawn.update_layout(margin_r=LABEL_ROOM, margin_t=92)
    return drawn


def _add_curve(
    figure: go.Figure, method: str, marks: Sequence[StudyPoint], across: Across, column: int, shift: float
) -> None:
    style = method_style(method)
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
        hovertemplate=f"<b>{TITLES[method]}</b>, %{{customdata[3]}} {across}<br>%{{y:.3f}} ± %{{customdata[0]:.3f}}, "
        "%{customdata[1]:.3f} to %{customdata[2]:.3f} %{text}<extra></extra>",
        row=1,
        col=column,
        cliponaxis=False,
    )


def _name_curves(figure: go.Figure, panel: StudyPanel, column: int, top: float) -> None:
    """Write names at the right of the last panel, each at the height of its curve's end."""
    ends = {method: marks[-1].y.mean for method, marks in panel.curves.items() if marks}
    named = [(f" {TITLES[method]}", y, method_style(method).colour) for method, y in ends.items()]
    name_ends(figure, named, LABEL_GAP * top, 0.0, top, yref="y" if column == 1 else f"y{column}")


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
