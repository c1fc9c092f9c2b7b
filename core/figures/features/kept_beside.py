"""What stands beside the features alone, for the Features page and for a saved one: weights, and what has no row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import plotly.graph_objects as go

from core.analysis.path_frames import Frame, counts_among
from core.figures.drag.hand import Hand
from core.figures.features.kept_features import FeaturesPicture, KeptFeatures
from core.figures.features.weights_matrix import WEIGHTS_LEGEND, agreement_title, matrix_figure


def weights_figure(picture: FeaturesPicture, found: KeptFeatures, reach: tuple[float, float]) -> go.Figure:
    """Draw the weights of every model in the rows of a picture that stands beside them."""
    return matrix_figure(
        found.columns,
        found.scores,
        picture.shown_measure,
        picture.rows_drawn(found),
        reach=reach,
        title=agreement_title(found.columns),
        subtitle=WEIGHTS_LEGEND,
        heading=picture.heading(found, picture.words(found)),
    )


def rowless_words(hand: Hand, rows: Sequence[int]) -> Callable[[Frame], str]:
    """Return what is said of kept features without a row (columns from 0) at a frame; nothing where all have one."""
    without = sorted(set(range(len(hand.now.weights))) - set(rows))
    along = cache(lambda: counts_among(hand.frames, without))

    def words(shown: Frame) -> str:
        count = str(np.count_nonzero(shown.weights[without])) if shown is hand.now else along()[shown.c]
        return "" if count == "0" else f"{count} more kept feature{' has' if count == '1' else 's have'} no row here"

    return words
