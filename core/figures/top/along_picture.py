"""The rate of positives on top along the paths of a few methods: a picture of its own, and a part of others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.path import PathPoint
from core.analysis.path_views import FoldModel, FoldPath, ratio_of
from core.analysis.tuning.tuning import told_by_validation
from core.figures.drag.drag import Dot, Drag, Mark
from core.figures.drag.hand import Hand
from core.figures.look.drawing import Part
from core.figures.look.labels import narrow
from core.figures.look.line_labels import end_notes, name_ends
from core.figures.look.style import AXIS, MUTED, layout, method_style
from core.figures.of_paths import OfPaths
from core.figures.path.axes import horizontal_range, metric_range
from core.figures.path.lines import along_axis, click_data, measure_dots, measured
from core.figures.path.tuning import PART_TITLES, metric_lines
from core.figures.picture import Words, aside, said
from core.figures.top.words import TOP, along_title
from core.methods import get_method
from core.methods.registry import full_title
from core.names.numbers import short

Paths = Mapping[str, Sequence[PathPoint]]
HEIGHT = 380
LABEL_GAP = 0.062  # of the height of the plot: a line of text


@dataclass(frozen=True, eq=False)
class TopAlong(OfPaths[Paths]):
    """Draw the share of positives on top along paths, on every part. The table has a row a model.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method.
    """

    _: KW_ONLY
    hint: str = aside("")
    chosen: PathPoint | None = aside(None)

    name = "top_along"

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods."""
        return {path.method: full_title(get_method(path.method)) for path in self.paths}

    def subject(self) -> str:
        return f"Positives on top along the paths of {self.names}"

    def result(self, needed: Mapping[str, Any]) -> Paths:
        return {path.method: path.points for path in self.paths}

    def rows(self, found: Paths) -> pd.DataFrame:
        return pd.DataFrame(
            [
                {"method": self.titles[method], "C": point.fit.c, "λ/λ_max": ratio_of(point)}
                | {"features": point.fit.result.nonzero}
                | {f"{TOP}, {PART_TITLES[part]}": values[TOP] for part, values in point.metrics.items()}
                for method, points in found.items()
                for point in points
            ]
        )

    def words(self, found: Paths) -> Words:
        title = along_title(found, self.titles)
        line = "" if self.chosen is None else "line: the chosen C"
        return Words(title, said(self.where_words, line, self.hint), title)

    def drawing(self, found: Paths, words: Words) -> go.Figure:
        """Draw a line a method and part: colour shows the method, width and dash the part."""
        titles, chosen = self.titles, self.chosen
        figure = go.Figure()
        views = {method: points for method, points in found.items() if points}
        low, high = _range(views.values())
        ends = []
        for method, points in views.items():
            places = [ratio_of(point) for point in points]
            for line in metric_lines(points, TOP, places):
                part = line["name"]
                taken = click_data(points) if method == next(iter(views)) else None
                figure.add_trace(line | {"name": f"{titles[method]}, {part}", "customdata": taken})
            # Top counts ties against a document: there is one kind of it.
            for part, values in points[-1].metrics.items():
                ends.append((f"{PART_TITLES[part]} {values[TOP]:.3f}", values[TOP], method_style(method).colour))
        name_ends(figure, ends, LABEL_GAP * (high - low), low, high, size=12, xshift=4)
        names = [f'<b style="color:{method_style(method).colour}">{titles[method]}</b>' for method in views]
        figure.add_annotation(
            x=0.0, xref="paper", xanchor="left", y=1.0, yref="paper", yanchor="bottom", yshift=4,
            text=" &nbsp; ".join(names), font={"size": 14}, showarrow=False,
        )  # fmt: skip
        reach = horizontal_range(views.values(), "lambda", None if chosen is None else ratio_of(chosen))
        figure.update_xaxes(title="λ / λ_max", range=reach, type="log", exponentformat="e", dtick=1)
        figure.update_yaxes(title="Top: positives above all negatives", range=[low, high])
        if chosen is not None:
            figure.add_vline(x=ratio_of(chosen), line={"color": MUTED, "width": 1.8})
        drawn = layout(figure, words, height=HEIGHT)
        return drawn.update_layout(margin_r=124, margin_t=88, hoverdistance=12, uirevision="lambda")

    def moves(self, found: Paths, hand: Hand, beside: Sequence[Hand] = ()) -> Drag | None:
        """Dots on the chosen method's curves; they follow the handle of another picture."""
        across = along_axis(hand, "lambda")
        parts = [part for part in PART_TITLES if part in hand.now.judgement.metrics]
        dots = [Dot(across=across, up=measured(hand, part, TOP), colour=hand.colour) for part in parts]
        return Drag(hand=hand, picture="along lambda", dots=dots)


def _range(views: Iterable[Sequence[PathPoint]]) -> tuple[float, float]:
    """Return the range of all but the lowest tenth, with a margin; the first models would flatten the rest."""
    values = [part[TOP] for points in views for point in points for part in point.metrics.values()]
    low, high = float(np.quantile(values, 0.1)), max(values)
    air = 0.05 * (high - low) or 0.05
    return low - air, high + air


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
    chosen = PathPoint.of(model.fit, model.judgement)
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
