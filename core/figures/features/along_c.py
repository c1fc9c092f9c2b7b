"""The measure along a path in one low strip, on which the reader drags C."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.figures.look.drawing import Drawing
from core.figures.look.line_labels import name_ends
from core.figures.look.style import Words, layout
from core.figures.path.tuning import metric_lines

STRIP = 96  # pixels
ABOVE, BELOW = 26, 20  # room for the handle, and for lambda
ENDS, LABEL = 76, 14  # room for the names of the parts at the ends of their lines, and the height of one
LOWEST_SHARE = 0.2  # of the models along a path may lie below the strip


def along_c_figure(points: Sequence[PathPoint], measure: str, *, title: str, scale: float = 1.0) -> go.Figure:
    """Draw the measure of every part along a path, in one low strip.

    Parameters
    ----------
    points : sequence of PathPoint
        Of one method, falling in lambda; at least two.
    measure : str
        As the metrics name it.
    title : str
    scale : float
        How much higher than usual, where letters are larger.
    """
    ratios = [ratio_of(point) for point in points]
    lines = metric_lines(points, measure, ratios)
    figure = Drawing()
    for line in lines:
        figure.add_scatter(**line | {"mode": "lines"})
    drawn = layout(figure, Words(title), height=round(STRIP * scale))
    drawn.update_xaxes(
        type="log", range=[np.log10(ratios[0]) + 0.03, np.log10(ratios[-1]) - 0.03], exponentformat="e", dtick=1,
        tickfont={"size": 11}, fixedrange=True,
    )  # fmt: skip
    values = np.concatenate([line["y"] for line in lines])
    high, usual = values.max(), np.quantile(values, LOWEST_SHARE)
    room = max(high - usual, 1e-3)
    # The first models may rank so badly that all other differences would vanish.
    drawn.update_yaxes(range=[usual - 0.5 * room, high + 0.2 * room], nticks=3, tickfont={"size": 11}, showgrid=False,
                       fixedrange=True, automargin=True,
                       title={"text": measure, "font": {"size": 11}})  # fmt: skip
    drawn.add_annotation(
        text="λ / λ_max", x=1.0, y=0.0, xref="paper", yref="paper", xanchor="left", yanchor="top", xshift=16,
        showarrow=False, font={"size": 11},
    )  # fmt: skip
    low, top = drawn.layout["yaxis"]["range"]
    ends = [(line["name"], float(np.clip(line["y"][-1], low, top)), None) for line in lines]
    name_ends(drawn, ends, LABEL * (top - low) / (STRIP - ABOVE - BELOW), low, top, 11)
    # The page says what it is; its own heading would take as much room again.
    return drawn.update_layout(margin={"t": ABOVE, "r": ENDS, "l": 8, "b": BELOW}, meta=None, title=None).figure()
