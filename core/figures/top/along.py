"""Drawing of the rate of positives on top along the paths of a few methods, on every part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.figures.look.line_labels import spread_labels
from core.figures.look.style import MUTED, layout, method_style
from core.figures.path.axes import horizontal_range
from core.figures.path.lines import click_data
from core.figures.path.tuning import PART_TITLES, metric_lines

TOP = "Top"
HEIGHT = 380
LABEL_GAP = 0.062  # of the height of the plot: a line of text


def top_along_figure(
    paths: Mapping[str, Sequence[PathPoint]],
    titles: Mapping[str, str],
    *,
    chosen: PathPoint | None = None,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw a line a method and part: colour shows the method, width and dash the part.

    Parameters
    ----------
    paths : mapping
        Points by method, in descending order of lambda, with metrics; at least one method has points. A click takes
        the C of the first one's models alone.
    titles : mapping
        A method's name for people.
    chosen : PathPoint, optional
        The model at which the vertical line is drawn.
    """
    figure = go.Figure()
    views = {method: points for method, points in paths.items() if points}
    low, high = _range(views.values())
    ends, words = [], []
    for method, points in views.items():
        places = [ratio_of(point) for point in points]
        for line in metric_lines(points, TOP, places):
            part = line["name"]
            taken = click_data(points) if method == next(iter(views)) else None
            figure.add_trace(line | {"name": f"{titles[method]}, {part}", "customdata": taken})
        for part, values in points[-1].metrics.items():  # Top counts ties against a document: there is one kind of it
            ends.append(values[TOP])
            words.append((f"{PART_TITLES[part]} {values[TOP]:.3f}", method_style(method).colour))
    for (text, colour), y in zip(words, spread_labels(ends, LABEL_GAP * (high - low), low, high), strict=True):
        figure.add_annotation(
            x=1.0, xref="paper", xanchor="left", xshift=4, y=float(y), text=text, font={"size": 12, "color": colour},
            showarrow=False,
        )  # fmt: skip
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
    drawn = layout(figure, title=title, subtitle=subtitle, height=HEIGHT)
    return drawn.update_layout(margin_r=124, margin_t=88, hoverdistance=12, uirevision="lambda")


def _range(views: Iterable[Sequence[PathPoint]]) -> tuple[float, float]:
    """Return the range of all but the lowest tenth, with a margin; the first models would flatten the rest."""
    values = [part[TOP] for points in views for point in points for part in point.metrics.values()]
    low, high = float(np.quantile(values, 0.1)), max(values)
    air = 0.05 * (high - low) or 0.05
    return low - air, high + air
