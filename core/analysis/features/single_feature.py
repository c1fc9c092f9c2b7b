"""Quality of the ranking by each feature alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.data import Convention, RankingData
from core.metrics import JudgedLists, Measure
from core.metrics.feature_scores import varying_within_queries

_NDCG_AT_10 = Measure("NDCG", 10)
_MAP = Measure("MAP")


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
    """Yield `single_feature_scores` one feature at a time."""
    judged = JudgedLists(data, convention)
    varies = varying_within_queries(data)
    # Features that cannot rank have one score, and wide data has many of them.
    idle = None if varies.all() else replace(_score(judged, np.zeros(data.n_documents)), ranks=False)
    for position, name in enumerate(data.feature_names):
        known = None if varies[position] else idle
        score = _score(judged, data.features[:, position]) if known is None else known
        yield replace(score, index=position + 1, name=name)


def _score(judged: JudgedLists, values: NDArray[np.floating]) -> SingleFeatureScore:
    """Measure the ranking by these values; the feature has no name yet."""
    official = judged.rank(values)
    descending, ascending = official.expected, judged.expect(-values)
    return SingleFeatureScore(
        index=0,
        name="",
        ndcg_at_10=descending.mean(_NDCG_AT_10),
        map=descending.mean(_MAP),
        reversed_ndcg_at_10=ascending.mean(_NDCG_AT_10),
        reversed_map=ascending.mean(_MAP),
        official_ndcg_at_10=official.mean(_NDCG_AT_10),
        official_map=official.mean(_MAP),
    )
