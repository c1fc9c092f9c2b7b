"""What each feature can do alone: its value as the ranking score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.data import Convention, RankingData
from core.metrics import JudgedLists, Measure

_NDCG_AT_10 = Measure("NDCG", 10)
_MAP = Measure("MAP")


@dataclass(frozen=True)
class SingleFeatureScore:
    """The quality of the ranking by one feature, in the order of its values and in the reverse.

    Parameters
    ----------
    index : int
        The feature's number, counted from 1 as in LETOR files.
    name : str
    ndcg_at_10, map : float
        Documents by descending value of the feature.
    reversed_ndcg_at_10, reversed_map : float
        Documents by ascending value: what the feature is worth under a negative weight.
    """

    index: int
    name: str
    ndcg_at_10: float
    map: float
    reversed_ndcg_at_10: float
    reversed_map: float


def single_feature_scores(data: RankingData, convention: Convention) -> tuple[SingleFeatureScore, ...]:
    """NDCG@10 and MAP of every feature alone, in the order of the features.

    Documents that a feature does not tell apart keep file order, in both directions; a constant feature
    therefore gets the value of the file's order, which need not be that of a random one.

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
    """`single_feature_scores` one feature at a time; stop by not taking the next."""
    judged = JudgedLists(data, convention)
    for position, name in enumerate(data.feature_names):
        values = data.features[:, position]
        descending, ascending = judged.rank(values), judged.rank(-values)
        yield SingleFeatureScore(
            index=position + 1,
            name=name,
            ndcg_at_10=descending.mean(_NDCG_AT_10),
            map=descending.mean(_MAP),
            reversed_ndcg_at_10=ascending.mean(_NDCG_AT_10),
            reversed_map=ascending.mean(_MAP),
        )
