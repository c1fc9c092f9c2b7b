"""What follows the hand on the Features page: the handle for C over a small path, filled features, bars of weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from core.analysis.features.single_feature import SingleFeatureScore
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.analysis.path_views import ratio_of
from core.figures.features.selection import MODEL_ROW
from core.figures.features.weights_matrix import HALF_BAR
from core.figures.look.drawing import Drawing
from core.figures.look.style import layout
from core.figures.path.handle import HandlePanel, Spec, at_frames, following, path_handle
from core.figures.path.tuning import metric_lines
from core.metrics.measures import MeasureName

STRIP = 84  # pixels
ABOVE, BELOW = 26, 20  # room for the handle's words, and for lambda
LOWEST_SHARE = 0.2  # of the models along a path may lie below the strip
FILLED, MODEL = 5.0, 6.5  # radii, in pixels


def along_c_figure(points: Sequence[PathPoint], measure: str, *, title: str, scale: float = 1.0) -> go.Figure:
    """Draw the measure of every part along a path, in one low strip: where the hand takes hold of C.

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


@dataclass(frozen=True, eq=False)
class SelectionHandle:
    """What the pictures of the kept features have in common.

    Attributes
    ----------
    panel : HandlePanel
        The frames of the chosen method's path, its model at the chosen C, and its colour. Without frames nothing
        moves.
    rows : sequence of int
        Columns (from 0) of the features drawn, from the top down.
    part, measure : str
        The part on which features are measured, and by what, as is the strip.
    identity : str
        The same as long as the path is the same.
    """

    panel: HandlePanel
    rows: Sequence[int]
    part: str
    measure: MeasureName
    identity: str

    def in_strip(self, readings: Callable[[Frame], Mapping[str, str]], best: float | None) -> Spec:
        """The handle itself; there have to be frames.

        Parameters
        ----------
        readings : callable
            From a frame to the texts on the page that follow the hand, by name.
        best : float or None
            lambda / lambda_max that is best on the validation part.
        """
        spec = path_handle([self.panel], [], self.measure, "lambda", readings, self.identity, best=best)
        # Of a path picture the strip has the lower half, the curves of the measure, on its only axes.
        only = {"x": "xaxis", "y": "yaxis"}
        return spec | {kind: [drawn | only for drawn in spec[kind] if drawn["y"] == "yaxis2"]
                       for kind in ("marks", "dots")}  # fmt: skip

    def in_single_features(self, scores: Sequence[SingleFeatureScore]) -> Spec:
        """A dot on every feature that is kept, and one at the quality of the whole model."""
        on = {"x": "xaxis", "y": "yaxis", "colour": self.panel.colour}
        together = self._values(lambda frame: frame.judgement.metrics[self.part][self.measure])
        dots = [on | {"across": together, "now": MODEL_ROW, "size": MODEL}]
        for row, j in enumerate(self.rows):
            kept = self._values(lambda frame, j=j: float(frame.weights[j] != 0.0))  # type: ignore[misc]
            place = {"across": {"now": scores[j].value(self.measure)}, "now": float(row), "size": FILLED}
            dots.append(on | place | {"seen": kept})
        return following(self.identity, f"single {list(self.rows)}", self.panel, dots=dots)

    def in_weights(self) -> Spec:
        """A bar a feature, from zero to its weight."""
        on = {"x": "xaxis", "y": "yaxis", "half": HALF_BAR, "colour": self.panel.colour}
        bars = [
            on | {"row": float(row)} | self._values(lambda frame, j=j: float(frame.weights[j]))  # type: ignore[misc]
            for row, j in enumerate(self.rows)
        ]
        return following(self.identity, f"weights {list(self.rows)}", self.panel, bars=bars)

    @property
    def reach(self) -> tuple[float, float]:
        """The smallest and the largest weight of any feature with a row, at any frame; with 0 between them."""
        drawn = [frame.weights[list(self.rows)] for frame in (*self.panel.frames, self.panel.now)]
        return float(min(0.0, np.min(drawn, initial=0.0))), float(max(0.0, np.max(drawn, initial=0.0)))

    def _values(self, of: Callable[[Frame], float]) -> Spec:
        return at_frames([of(frame) for frame in self.panel.frames], of(self.panel.now))
