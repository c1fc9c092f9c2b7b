"""What a feature is worth by itself: as the ranking score, or by its correlation with relevance."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray
from core.metrics.feature_similarity import standardised
from core.metrics.lists import JudgedLists
from core.metrics.measures import Measure

Direction = Literal["descending", "better"]


def varying_features(data: RankingData) -> NDArray[np.bool_]:
    """Which features differ between any two documents, shape (n_features,)."""
    return np.asarray(data.features.min(axis=0) < data.features.max(axis=0))


def scores_alone(data: RankingData, measure: Measure, convention: Convention, direction: Direction) -> FloatArray:
    """The measure of the ranking by each feature alone, shape (n_features,), in [0, 1].

    A constant feature ranks nothing and has 0, not the worth of the file's order.

    Parameters
    ----------
    data : RankingData
    measure : Measure
    convention : {"standard", "letor3", "letor4"}
    direction : {"descending", "better"}
        Documents by falling value (FS-Rank), or by falling or rising value, whichever is better (Geng et al. 2007:
        a learner can give either sign).
    """
    judged = JudgedLists(data, convention)
    signs = (1.0,) if direction == "descending" else (1.0, -1.0)
    return np.array([
        max(judged.rank(sign * data.features[:, j]).mean(measure) for sign in signs) if varies else 0.0
        for j, varies in enumerate(varying_features(data))
    ])  # fmt: skip


def relevance_correlation(data: RankingData) -> FloatArray:
    """|Pearson's correlation| of every feature with relevance over all documents, shape (n_features,).

    The importance of FSMRank (Lai et al. 2013, Section III-B). 0 for a constant feature, whose correlation is 0 / 0.
    """
    label = standardised(data.relevance[:, None].astype(np.float64))[:, 0]
    return np.asarray(np.minimum(np.abs(standardised(data.features).T @ label), 1.0))
