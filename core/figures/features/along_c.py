"""The measure along a path in one low strip, on which the reader drags C."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.figures.look.drawing import Drawing
from core.figures.look.style import layout
from core.figures.path.tuning import metric_lines

STRIP = 84  # pixels
ABOVE, BELOW = 26, 20  # room for the handle, and for lambda
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
    drawn = layout(figure, title=title, height=round(STRIP * scale))
    drawn.update_xaxes(
        type="log", range=[np.log10(ratios[0]) + 0.03, np.log10(ratios[-1]) - 0.03], exponentformat="e", dtick=1,
        tickfont={"size": 11}, fixedrange=True,
    )  # fmt: skip
    values = np.concatenate([line["y"] for line in lines])
    high, usual = values.max(), np.quantile(values, LOWEST_SHARE)
    room = max(high - usual, 1e-3)
    # The first models may rank so badly that all other differences would vanish.
    drawn.update_yaxes(range=[usual - 0.5 * room, high + 0.2 * room], showticklabels=False, showgrid=False,
                       fixedrange=True)  # fmt: skip
    drawn.add_annotation(
        text="λ / λ_max", x=1.0, y=0.0, xref="paper", yref="paper", xanchor="right", yanchor="bottom", showarrow=False,
        font={"size": 11},
    )  # fmt: skip
    # The page says what it is; its own heading would take as much room again.
    return drawn.update_layout(margin={"t": ABOVE, "r": 8, "l": 8, "b": BELOW}, meta=None, title=None).figure()
