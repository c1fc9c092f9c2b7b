"""The strip of C over the kept features, and what moves with its handle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import plotly.graph_objects as go

from core.analysis.features.single_feature import SingleFeatureScore
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, counts_among
from core.analysis.path_views import ratio_of
from core.figures.drag.drag import MODEL, Dot, Drag, Mark, weight_bars
from core.figures.drag.hand import Hand, still
from core.figures.features.selection import HALF_BAR, MODEL_ROW
from core.figures.look.drawing import Drawing, note
from core.figures.look.labels import name_ends
from core.figures.look.style import Words, layout
from core.figures.path.lines import measure_dots
from core.figures.path.tuning import metric_lines
from core.metrics.measures import MeasureName

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
    drawn.add_annotation(**note("λ / λ_max", 1.0, 0.0, "left top", 11, xref="paper", yref="paper", xshift=16))
    low, top = drawn.layout["yaxis"]["range"]
    ends = [(line["name"], float(np.clip(line["y"][-1], low, top)), None) for line in lines]
    name_ends(drawn, ends, LABEL * (top - low) / (STRIP - ABOVE - BELOW), low, top, 11)
    # The page says what it is; its own heading would take as much room again.
    return drawn.update_layout(margin={"t": ABOVE, "r": ENDS, "l": 8, "b": BELOW}, meta=None, title=None).figure()


FILLED = 5.0  # radius of a feature's dot, in pixels


@dataclass(frozen=True, eq=False)
class SelectionDrags:
    """What moves in the pictures of the kept features."""

    hand: Hand
    """The chosen method's path."""
    rows: Sequence[int]
    """Columns (from 0) of the features drawn, from the top down."""
    part: str
    measure: MeasureName
    """The part on which features are measured, and by what, as is the strip."""

    def in_strip(self) -> Drag:
        """The handle, in `along_c_figure`; there have to be frames."""
        across = self.hand.along(lambda frame: frame.ratio)
        return Drag(
            hand=self.hand,
            picture=f"strip {self.measure}",
            marks=[Mark(across=across)],
            dots=measure_dots(self.hand, across, self.measure),
            measure=self.measure,
        )

    def in_single_features(self, scores: Sequence[SingleFeatureScore]) -> Drag:
        """A dot on every feature that is kept, and one at the quality of the whole model."""
        colour = self.hand.colour
        together = self.hand.along(lambda frame: frame.judgement.metrics[self.part][self.measure])
        dots = [Dot(across=together, up=still(MODEL_ROW), colour=colour, size=MODEL)]
        dots += [
            Dot(
                across=still(scores[j].value(self.measure)),
                up=still(row),
                colour=colour,
                size=FILLED,
                shown=self.hand.along(lambda frame, j=j: float(frame.weights[j] != 0.0)),  # type: ignore[misc]
            )
            for row, j in enumerate(self.rows)
        ]
        return Drag(hand=self.hand, picture=f"single features {list(self.rows)}", dots=dots)

    def in_weights(self) -> Drag:
        """A bar a feature, from zero to its weight."""
        bars = weight_bars(self.hand, self.rows, HALF_BAR)
        return Drag(hand=self.hand, picture=f"weights {list(self.rows)}", bars=bars)

    @property
    def reach(self) -> tuple[float, float]:
        """The smallest and the largest weight of any feature with a row, at any frame; with 0 between them."""
        drawn = [frame.weights[list(self.rows)] for frame in (*self.hand.frames, self.hand.now)]
        return float(min(0.0, np.min(drawn, initial=0.0))), float(max(0.0, np.max(drawn, initial=0.0)))


def rowless_words(hand: Hand, rows: Sequence[int]) -> Callable[[Frame], str]:
    """Return what is said of kept features without a row (columns from 0) at a frame; nothing where all have one."""
    without = sorted(set(range(len(hand.now.weights))) - set(rows))
    along = cache(lambda: counts_among(hand.frames, without))

    def words(shown: Frame) -> str:
        count = str(np.count_nonzero(shown.weights[without])) if shown is hand.now else along()[shown.c]
        return "" if count == "0" else f"{count} more kept feature{' has' if count == '1' else 's have'} no row here"

    return words
