"""What moves with C in the four views of the Lab: the path has the handle, and all move by its frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.features.single_feature import SingleFeatureScore, best_alone
from core.analysis.path_frames import Frame, count_features
from core.analysis.tradeoff.tradeoff import TradeoffRow
from core.figures.drag.drag import MODEL, Dot, Drag, Hand, Lights, LitModels, LitRows, Mark, lit_curves, still
from core.figures.fit.picture import certificate_drag
from core.figures.look.colours import feature_colours
from core.figures.look.style import MUTED, method_style
from core.figures.path.lines import weight_dots
from core.metrics.measures import MeasureName

OUTLINE = 7.5  # pixels: radius of the ring around a feature that the method beside keeps
ALONE_ON = "train"
"""The part that ranks single features: what is judged by test may not choose."""


@dataclass(frozen=True, eq=False)
class LabDrags:
    """What moves in each of the views."""

    hand: Hand
    """The chosen method's path; without frames the views show its model at the chosen C and nothing moves."""
    coloured: Sequence[int]
    """Columns (from 0) with colours of their own."""
    part: str
    measure: MeasureName
    """How models are judged; single features are ranked by the training part, as on every page."""
    names: Sequence[str]
    """Length n_features: of the features."""
    other: Hand | None = None
    """The path of another method, which shows its model at the same share of lambda_max."""

    def in_path(self) -> Drag | None:
        """The handle, with dots on the curves of the weights; None where there are no frames."""
        frames = self.hand.frames
        if not frames:
            return None
        across = self.hand.along(lambda frame: frame.ratio)
        curves = lit_curves(frames, across)
        return Drag(
            hand=self.hand,
            picture="path",
            marks=[Mark(across=across)],
            dots=weight_dots(self.hand, across, self.coloured),
            measure=self.measure,
            lights=Lights(self.names, self.coloured, panels=[curves]),
        )

    def in_tradeoff(self, curves: Mapping[str, Sequence[TradeoffRow]]) -> Drag:
        """A dot where the model stands among those drawn, and which of these keep a feature that is pointed at."""
        models = [point for points in curves.values() for point in points]
        lit = LitModels(
            np.array([float(point.kept) for point in models]),
            np.array([point.value(self.part, self.measure) for point in models]),
            [point.selected for point in models],
            [method_style(point.method).colour for point in models],
        )
        dots = self._dots(
            lambda frame: frame.placed(count_features), lambda frame: frame.judgement.metrics[self.part][self.measure]
        )
        return Drag(hand=self.hand, picture="trade-off", dots=dots, lights=Lights(self.names, models=[lit]))

    def in_features(self, scores: Sequence[SingleFeatureScore], rows: Sequence[int]) -> Drag:
        """A dot on every feature that is kept, in its colour, and one for the whole model in the row above them.

        A feature that the method beside keeps has a ring in that method's colour.
        """
        dots = self._dots(lambda frame: frame.judgement.metrics[ALONE_ON][self.measure], lambda _: 0.0)
        hand, beside, colours = self.hand, self._beside, feature_colours(self.coloured)
        for row, j in enumerate(rows, start=1):
            dot = Dot(
                across=still(scores[j].value(self.measure)),
                up=still(row),
                colour=colours.get(j, MUTED),
                shown=hand.keeps(j),
            )
            if beside is not None:
                ring = replace(dot, colour=beside.colour, size=OUTLINE, shown=beside.keeps(j), outline=True)
                dots.append(ring)
            dots.append(dot)
        ranks = {j: rank for rank, j in enumerate(best_alone(scores, self.measure), start=1)}
        lit = LitRows(
            {j: (scores[j].value(self.measure), float(row)) for row, j in enumerate(rows, start=1)},
            {
                j: f"{self.measure} {score.value(self.measure):.4f} alone, rank {ranks[j]}"
                for j, score in enumerate(scores)
            },
        )
        return Drag(hand=self.hand, picture="features", dots=dots, lights=Lights(self.names, places=[lit]))

    def in_convergence(self, steps: float) -> Drag:
        """A dot at the certificate of the model under the handle, above the last step of the fit."""
        return certificate_drag(self.hand, steps)

    @property
    def _beside(self) -> Hand | None:
        """The other method with a frame for each of the chosen method's, and its frame nearest to the chosen C."""
        if self.other is None or not self.other.frames:
            return None
        now = self.other.frames[self.other.nearest(self.hand.now.ratio)]
        return replace(self.hand.beside(self.other), now=now)

    def _dots(self, across: Callable[[Frame], float], up: Callable[[Frame], float]) -> list[Dot]:
        """A dot for the model, and a ring for that of the method beside."""
        hand, beside = self.hand, self._beside
        dots = [Dot(across=hand.along(across), up=hand.along(up), colour=hand.colour, size=MODEL)]
        if beside is not None:
            ring = Dot(across=beside.along(across), up=beside.along(up), colour=beside.colour, size=MODEL, outline=True)
            dots.append(ring)
        return dots
