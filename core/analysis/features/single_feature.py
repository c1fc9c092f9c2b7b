"""Quality of the ranking by each feature alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray
from core.metrics import Measure
from core.metrics.feature_scores import varying_within_queries
from core.metrics.stacked_lists import StackedLists, stacked_columns

_NDCG_AT_10 = Measure("NDCG", 10)
_MAP = Measure("MAP")
_Quality = tuple[float, float, float, float, float, float]
"""The measures of a `SingleFeatureScore`, in its order."""


@dataclass(frozen=True)
class SingleFeatureScore:
    """The quality of the ranking by one feature, in descending and in ascending order of its values.

    Parameters
    ----------
    index : int
        The feature's number, counted from 1 as in LETOR files.
    name : str
    ndcg_at_10, map : float
        Quality by descending value; documents with the same value count in expectation over their orders.
    reversed_ndcg_at_10, reversed_map : float
        Quality by ascending value, that is with a negative weight.
    official_ndcg_at_10, official_map : float
        Quality by descending value as the official scripts count: ties in the order of the file.
    ranks : bool
        Whether the feature differs between two documents of some query. If not, the values above are those of a random
        order.
    """

    index: int
    name: str
    ndcg_at_10: float
    map: float
    reversed_ndcg_at_10: float
    reversed_map: float
    official_ndcg_at_10: float
    official_map: float
    ranks: bool = True


def single_feature_scores(data: RankingData, convention: Convention) -> tuple[SingleFeatureScore, ...]:
    """Compute NDCG@10 and MAP of every feature alone, in the order of the features.

    Documents with the same value are judged in expectation over their orders, so that a feature gets no credit for the
    order of the file.

    Parameters
    ----------
    data : RankingData
    convention : {"standard", "letor3", "letor4"}

    Returns
    -------
    tuple of SingleFeatureScore, length n_features

    Raises
    ------
    ValueError
        If there is no such convention.

    References
    ----------
    Lai et al., Sparse Learning-to-Rank via an Efficient Primal-Dual Algorithm (FenchelRank), IEEE TC 2013,
    Fig. 1.
    """
    return tuple(each_single_feature(data, convention))


def each_single_feature(data: RankingData, convention: Convention) -> Iterator[SingleFeatureScore]:
    """Yield `single_feature_scores` one feature at a time; of few documents, some hundred are measured at once."""
    varies = varying_within_queries(data)
    # Features that cannot rank have one quality, and wide data has many of them.
    (idle,) = _quality(StackedLists(data, convention, 1), np.zeros(data.n_documents))
    position = 0
    for lists, block, values in stacked_columns(data, convention, np.flatnonzero(varies)):
        for known, quality in zip(block.tolist(), _quality(lists, values), strict=True):
            for unranked in range(position, known):
                yield SingleFeatureScore(unranked + 1, data.feature_names[unranked], *idle, False)
            yield SingleFeatureScore(known + 1, data.feature_names[known], *quality)
            position = known + 1
    for unranked in range(position, data.n_features):
        yield SingleFeatureScore(unranked + 1, data.feature_names[unranked], *idle, False)


def _quality(lists: StackedLists, values: FloatArray) -> Iterator[_Quality]:
    """Measure the rankings by the values of each column."""
    official = lists.judged.rank(values)
    descending, ascending = official.expected, lists.judged.expect(-values)
    rows = np.column_stack([
        lists.means(ranked, measure)
        for ranked in (descending, ascending, official)
        for measure in (_NDCG_AT_10, _MAP)
    ])  # fmt: skip
    yield from rows.tolist()
