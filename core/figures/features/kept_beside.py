"""What stands beside the features alone, for the Features page and for a saved one: weights, and what has no row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.path_frames import Frame, counts_among
from core.figures.drag.hand import Hand
from core.figures.features.kept_features import FeaturesPicture, KeptFeatures
from core.figures.features.selection import Column
from core.figures.features.weights_matrix import axis_height, matrix_figure
from core.figures.look.feature_rows import heading_height

LEGEND = "bars: weights at C · ▲ ▼ sign, area by |weight|"


def shared_heading(picture: FeaturesPicture, found: KeptFeatures) -> int:
    """Return the pixels above both pictures, whose rows then stand side by side."""
    words, columns = picture.words(found), found.columns
    beside = heading_height(agreement_title(columns), LEGEND) + axis_height(columns)
    return max(heading_height(words.title, words.subtitle), beside)


def weights_figure(picture: FeaturesPicture, found: KeptFeatures, reach: tuple[float, float]) -> go.Figure:
    """Draw the weights of every model in the rows of a picture that has its `shared_heading`."""
    return matrix_figure(
        found.columns,
        found.scores,
        picture.shown_measure,
        picture.rows_drawn(found),
        reach=reach,
        title=agreement_title(found.columns),
        subtitle=LEGEND,
        heading=picture.heading,
    )


def agreement_title(columns: Sequence[Column]) -> str:
    """How many features all models keep."""
    if len(columns) == 1:
        return f"{columns[0].title} keeps {columns[0].nonzero}"
    kept = np.array([column.weights != 0.0 for column in columns])
    return f"{int(kept.all(axis=0).sum())} of {int(kept.any(axis=0).sum())} are kept by every method"


def rowless_words(hand: Hand, rows: Sequence[int]) -> Callable[[Frame], str]:
    """Return what is said of kept features without a row (columns from 0) at a frame; nothing where all have one."""
    without = sorted(set(range(len(hand.now.weights))) - set(rows))
    missing = counts_among(hand.frames, without)

    def words(shown: Frame) -> str:
        count = str(np.count_nonzero(shown.weights[without])) if shown is hand.now else missing[shown.c]
        return "" if count == "0" else f"{count} more kept feature{' has' if count == '1' else 's have'} no row here"

    return words
