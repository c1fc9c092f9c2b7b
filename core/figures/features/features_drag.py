"""What moves with C on the Features page: dots along a strip, filled features, bars of weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from core.analysis.features.single_feature import SingleFeatureScore
from core.analysis.path_frames import Frame, counts_among
from core.figures.drag.along import still
from core.figures.drag.drag import MODEL, Dot, Drag, Mark, weight_bars
from core.figures.drag.hand import Hand
from core.figures.features.selection import MODEL_ROW
from core.figures.features.weights_matrix import HALF_BAR
from core.figures.path.path_drag import measure_dots
from core.metrics.measures import MeasureName

FILLED = 5.0  # radius of a feature's dot, in pixels


@dataclass(frozen=True, eq=False)
class SelectionDrags:
    """What moves in the pictures of the kept features.

    Attributes
    ----------
    hand : Hand
        The chosen method's path.
    rows : sequence of int
        Columns (from 0) of the features drawn, from the top down.
    part, measure : str
        The part on which features are measured, and by what, as is the strip.
    """

    hand: Hand
    rows: Sequence[int]
    part: str
    measure: MeasureName

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
