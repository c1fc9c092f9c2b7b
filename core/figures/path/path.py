"""Figure of regularization paths: weights and a measure as the model grows, one panel a penalty, on linked axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core.analysis.path import PathPoint
from core.analysis.path_views import by_size
from core.figures.look.assembling import Part, assembled
from core.figures.look.feature_colours import feature_colours
from core.figures.look.line_labels import spread_labels
from core.figures.look.names import name_labels
from core.figures.look.narrow import Words, at_the_end, narrow
from core.figures.look.style import AXIS, MUTED, counting, layout_parts, method_style, title_height
from core.figures.look.ticks import count_axis
from core.figures.path.axes import (
    ABOVE_NUMBERS,
    TOP_WORDS,
    Across,
    Axes,
    across,
    axes_layout,
    horizontal_range,
    metric_range,
    numbers_on_top,
    stacked_axes,
    weight_range,
)
from core.figures.path.grid import AIR, COLUMNS, FOOT, LABELS, path_grid
from core.figures.path.lines import click_data, labelled, weight_lines
from core.figures.path.marks import Drawn, LabelledLine
from core.figures.path.tuning import PART_TITLES, metric_lines
from core.names.counted import features
from core.names.plain import in_plotly

LABEL_HEIGHT = 18  # pixels, of which a low window takes a quarter
PLOT = 500  # pixels across all panels on a tablet
ROOM_BELOW = 0.2  # of a measure's range: what words beneath a line take


@dataclass(frozen=True)
class PathPanel:
    """The path of one penalty.

    Attributes
    ----------
    title : str
    points : sequence of PathPoint
        At least one point, in descending order of lambda, with metrics.
    best : PathPoint, optional
        The best model on the validation part, drawn as the dashed line.
    chosen : PathPoint, optional
        The model at, or nearest to, the chosen C; its size stands beside the solid line.
    """

    title: str
    points: Sequence[PathPoint]
    best: PathPoint | None = None
    chosen: PathPoint | None = None

    @property
    def colour(self) -> str:
        """Colour of the method."""
        return method_style(self.points[0].fit.method).colour


@dataclass(frozen=True)
class Reference:
    """A horizontal line behind the curves of the measure."""

    words: str
    value: float

    @property
    def lines(self) -> str:
        """Its words as plotly has them, in two lines: there is not much room in a panel on a tablet or on paper."""
        return in_plotly(self.words).replace(", ", ",<br>", 1)


def path_figure(
    panels: Sequence[PathPanel],
    coloured: Sequence[int],
    measure: str,
    *,
    view: Across = "lambda",
    chosen_ratio: float | None = None,
    reference: Reference | None = None,
    revision: str = "",
    title: str = "",
    subtitle: str = "",
    convention: str = "",
) -> go.Figure:
    """Draw penalties side by side, with the model growing to the right.

    Parameters
    ----------
    panels : sequence of PathPanel
        At least one panel; all have the same features.
    coloured : sequence of int
        Columns (from 0) of the features with colours and labels; the others are grey.
    measure : str
        Name of the measure in the metrics.
    view : {"lambda", "features"}
        The x axis: lambda / lambda_max, or the number of features, with one model a size.
    chosen_ratio : float, optional
        lambda / lambda_max of the chosen C.
    reference : Reference, optional
    revision : str
        A zoom is kept between figures as long as this and the view are the same.
    """
    parts = layout_parts(title, subtitle, 0)
    grid = path_grid(len(panels), title_height(parts) + AIR)
    stacked = path_grid(len(panels), title_height(parts) + AIR, 1)
    shorter: dict[str, Words] = {TOP_WORDS[view]: ""}
    below: Drawn = {"height": stacked.height}
    views = [by_size(panel.points) if view == "features" else panel.points for panel in panels]
    reach = horizontal_range(views, view, chosen_ratio)
    weights_span = weight_range(views, coloured)
    metric_span = metric_range(views, measure, [reference.value] if reference else [])
    traces: list[Part] = []
    words: list[Drawn] = []
    lines: list[Drawn] = []
    laid: Drawn = {}
    one_line = not convention or len(panels) > COLUMNS
    measured = measure if one_line else f"{measure} ({counting(convention)})"
    for number, (panel, points, cell) in enumerate(zip(panels, views, grid.cells, strict=True), start=1):
        axes = Axes(number)
        laid |= axes_layout(cell, axes, view, measured)
        below |= stacked_axes(axes_layout(stacked.cells[number - 1], axes, view, measure))
        upper = numbers_on_top(axes, points, view, chosen_ratio if view == "lambda" else None)
        words += [_title(panel, axes), *upper]
        shorter |= {number["text"]: "" for number in upper if view == "features"}  # there is no room for so many digits
        traces += weight_lines(points, coloured, view, axes) + _metric_traces(points, measure, view, axes)
        words += _weight_labels(axes, points, coloured, weights_span, grid.block.weights)
        words += _part_labels(axes, points, measure, metric_span, panel.colour, grid.block.metric)
        if reference is not None:
            lines.append(_reference_line(axes, reference))
            words += [_reference_words(axes, reference, metric_span)] if number == 1 else []
            shorter[reference.lines] = at_the_end("best alone")
        marks = _marks(panel, view, chosen_ratio)
        for mark in marks:
            lines += mark.lines(axes)
            others = [other for other in marks if other is not mark]
            words += [mark.label(axes, view, reach, PLOT * (cell.right - cell.left), others)] if mark.words else []
            shorter[mark.words] = ""  # the handle says it
    laid["yaxis"]["range"], laid["yaxis2"]["range"] = weights_span, metric_span
    along = {"range": reach, "autorange": False} | (count_axis(*reach) if view == "features" else {})
    for name, axis in laid.items():
        axis |= AXIS | (along if name.startswith("x") else {})
    common = {
        "margin": {"l": 64, "r": LABELS, "t": grid.top, "b": FOOT},
        "uirevision": f"{view} {revision}",
        "hoverdistance": 12,
        "annotations": words,
        "shapes": lines,
        "meta": parts["meta"] | narrow(shorter, below),
    }
    return assembled(traces, parts | {"height": grid.height} | common | laid)


def _title(panel: PathPanel, axes: Axes) -> Drawn:
    return {
        "text": f"<b>{panel.title}</b>",
        "font": {"size": 16, "color": panel.colour},
        "x": 0.0,
        "xref": f"{axes.x} domain",
        "xanchor": "left",
        "y": 1.0,
        "yref": f"{axes.y} domain",
        "yanchor": "bottom",
        "yshift": ABOVE_NUMBERS,
        "showarrow": False,
    }


def _metric_traces(points: Sequence[PathPoint], measure: str, view: Across, axes: Axes) -> list[Part]:
    lines = metric_lines(points, measure, [across(point, view) for point in points])
    where = {"xaxis": axes.x_metric, "yaxis": axes.y_metric}
    return [line | {"mode": "lines", "customdata": click_data(points)} | where for line in lines]


def _weight_labels(
    axes: Axes, points: Sequence[PathPoint], coloured: Sequence[int], span: Sequence[float], pixels: int
) -> list[Drawn]:
    """Place names at the right end, in the colours of their lines."""
    names = points[0].fit.feature_names
    ends = labelled(points, coloured)
    labels = name_labels(names, ends)
    colours = feature_colours(coloured)
    words = [(label, colours[j]) for j, label in zip(ends, labels, strict=True)]
    drawn = _end_labels(axes.x, axes.y, words, list(ends.values()), span, pixels)
    return [label | {"name": f"feature {j}"} for j, label in zip(ends, drawn, strict=True)]


def _part_labels(
    axes: Axes, points: Sequence[PathPoint], measure: str, span: Sequence[float], colour: str, pixels: int
) -> list[Drawn]:
    last = points[-1].judgement
    ends = {part: last.metrics[part][measure] for part in last.metrics}
    words = [(PART_TITLES[part], colour) for part in ends]  # no values: the headline has those of the line
    return _end_labels(axes.x_metric, axes.y_metric, words, list(ends.values()), span, pixels)


def _end_labels(
    x_axis: str,
    y_axis: str,
    words: Sequence[tuple[str, str]],
    ends: Sequence[float],
    span: Sequence[float],
    pixels: int,
) -> list[Drawn]:
    low, high = span
    gap = LABEL_HEIGHT * (high - low) / pixels
    return [
        {
            "text": text,
            "font": {"size": 12, "color": colour},
            "x": 1.0,
            "xref": f"{x_axis} domain",
            "xanchor": "left",
            "xshift": 4,
            "y": float(y),
            "yref": y_axis,
            "showarrow": False,
        }
        for (text, colour), y in zip(words, spread_labels(ends, gap, low, high), strict=True)
    ]


def _reference_line(axes: Axes, reference: Reference) -> Drawn:
    y = reference.value
    where = {"xref": f"{axes.x_metric} domain", "yref": axes.y_metric, "x0": 0, "x1": 1, "y0": y, "y1": y}
    return {"type": "line", "line": {"color": MUTED, "dash": "solid", "width": 1.2}, **where}


def _reference_words(axes: Axes, reference: Reference, span: Sequence[float]) -> Drawn:
    low, high = span
    return {
        "text": reference.lines,
        "align": "right",
        "font": {"size": 12, "color": MUTED},
        "x": 0.99,
        "xref": f"{axes.x_metric} domain",
        "xanchor": "right",
        "y": reference.value,
        "yref": axes.y_metric,
        "yanchor": "top" if reference.value > low + ROOM_BELOW * (high - low) else "bottom",
        "showarrow": False,
    }


def _marks(panel: PathPanel, view: Across, chosen_ratio: float | None) -> list[LabelledLine]:
    """Make a dashed line at the best validation value, which the title tells, and a solid one at the chosen C."""
    marks = []
    if panel.best is not None:
        marks.append(LabelledLine("", across(panel.best, view), "dash"))
    if panel.chosen is not None and chosen_ratio is not None:
        x = chosen_ratio if view == "lambda" else across(panel.chosen, view)
        marks.append(LabelledLine(f"chosen:<br>{features(panel.chosen.fit.result.nonzero)}", x, "solid"))
    return marks
