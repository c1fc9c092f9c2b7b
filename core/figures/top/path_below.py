"""The rate of positives on top along a path, beneath the pictures of one of its models."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from core.analysis.path import PathPoint
from core.analysis.path_views import FoldModel, FoldPath, ratio_of
from core.analysis.tuning.tuning import told_by_validation
from core.figures.drag.drag import Dot, Mark
from core.figures.drag.hand import Hand
from core.figures.look.drawing import Part
from core.figures.look.labels import narrow
from core.figures.look.line_labels import end_notes
from core.figures.look.style import AXIS, MUTED, method_style
from core.figures.path.axes import horizontal_range, metric_range
from core.figures.path.lines import click_data, measure_dots
from core.figures.path.tuning import PART_TITLES, metric_lines
from core.figures.top.words import TOP
from core.names.numbers import short

ABOVE, BELOW = (0.44, 1.0), (0.0, 0.24)  # of the height of the plots; between them stand an axis and the handle's words
SMALLEST_RATIO = 1e-4  # lambda / lambda_max at the right end of an axis without a path
LABELS = 76  # pixels at the right for names of parts
LABEL_SHARE = 0.2  # of the height of the lower plot: a line of text


def check_path(path: FoldPath | None, model: FoldModel) -> None:
    """Refuse a path that does not belong beneath a picture of a model.

    Raises
    ------
    ValueError
        If it is of another fold, convention or method.
    """
    if path is None:
        return
    folds = {(one.fold.train.fingerprint, one.convention) for one in (path, model)}
    if len(folds) > 1 or (path.points and path.method != model.fit.method):
        msg = "give the path of the model's method, on its fold and under its convention"
        raise ValueError(msg)


def best_on_path(path: FoldPath | None) -> PathPoint | None:
    """The model with the best Top on the validation part; None where that cannot tell."""
    return told_by_validation(path.points, TOP) if path is not None and path.points else None


def line_words(model: FoldModel, path: FoldPath | None) -> str:
    """Say what the lines in `with_top_below` are; without a path, which C the model has."""
    if path is None:
        return f"C = {short(model.fit.c)}"
    return f"solid: the chosen C{' · dashed: best on validation' if best_on_path(path) is not None else ''}"


def with_top_below(figure: go.Figure, model: FoldModel, path: FoldPath | None) -> go.Figure:
    """Make room beneath a picture of one of its models, and draw Top on every part along the path there.

    A path may have no points while none is known: then the axes stand there alone. Without a path, return the figure as
    it is.
    """
    if path is None:
        return figure
    points, best = path.points, best_on_path(path)
    chosen = PathPoint(model.fit, model.judgement)
    reach = horizontal_range([points], "lambda", ratio_of(chosen)) if points else [0.02, math.log10(SMALLEST_RATIO)]
    low, high = metric_range([points] if points else [[chosen]], TOP, [])
    scale = {"type": "log", "exponentformat": "e", "dtick": 1, "range": reach, "autorange": False}
    below = {"domain": list(BELOW), "anchor": "x2", "range": [low, high], "nticks": 6, "title": TOP}
    lines = [_line(ratio_of(chosen), "solid", "chosen C")]
    if best is not None:
        lines.append(_line(ratio_of(best), "dash", "best on validation"))
    figure.update_layout(
        yaxis={"domain": list(ABOVE), "anchor": "x"},
        xaxis={"anchor": "y"},
        xaxis2=AXIS | scale | {"anchor": "y2", "title": "λ / λ_max"},
        yaxis2=AXIS | below,
        margin_r=LABELS,
        meta=(figure.layout.meta or {}) | narrow({}, {"xaxis": {"title": {"text": ""}}}),  # else beneath the handle
        shapes=[*figure.layout.shapes, *lines],
    )
    if points:
        on = {"xaxis": "x2", "yaxis": "y2", "showlegend": False, "customdata": click_data(points)}
        figure.add_traces([line | on for line in metric_lines(points, TOP, [ratio_of(point) for point in points])])
        figure.update_layout(annotations=[*figure.layout.annotations, *_ends(points[-1], low, high)])
    return figure


def _line(ratio: float, dash: str, name: str) -> Part:
    ends = {"x0": ratio, "x1": ratio, "xref": "x2", "y0": 0, "y1": 1, "yref": "y2 domain"}
    return {"type": "line", "name": name, "line": {"dash": dash, "color": MUTED, "width": 1.8}, **ends}


def _ends(last: PathPoint, low: float, high: float) -> list[Part]:
    """Which curve is which part, at the right ends."""
    found, colour = last.judgement, method_style(last.fit.method).colour
    ends = [(PART_TITLES[part], found.metrics[part][TOP], colour) for part in found.metrics]
    return end_notes(ends, LABEL_SHARE * (high - low), low, high, 12, xref="x2 domain", xshift=5, yref="y2")


def path_below_drag(hand: Hand) -> tuple[Mark, list[Dot]]:
    """The line in the curves beneath the picture, and dots on them."""
    across = hand.along(lambda frame: frame.ratio)
    return Mark(across=across, x="xaxis2", y="yaxis2"), measure_dots(hand, across, TOP, "xaxis2", "yaxis2")
