"""Quality of the ranking by each feature alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan
from typing import get_args

import numpy as np

from core.analysis.ingredient import Ingredient
from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray
from core.metrics import Measure
from core.metrics.equal_values import rounded
from core.metrics.feature_scores import StackedLists, stacked_columns, varying_within_queries
from core.metrics.measures import MeasureName
from core.work import Steps

_NDCG_AT_10, _MAP, _TOP = (Measure.parse(name) for name in get_args(MeasureName))
_Quality = tuple[float, float, float, float, float, float, float, float]
"""The measures of a `SingleFeatureScore`, in its order."""


@dataclass(frozen=True)
class SingleFeatureScore:
    """The quality of the ranking by one feature, in descending and in ascending order of its values.

    Parameters
    ----------
    index : int
        The feature's number, counted from 1 as in LETOR files.
    ndcg_at_10, map : float
        Quality by descending value; documents with the same value count in expectation over their orders.
    reversed_ndcg_at_10, reversed_map : float
        Quality by ascending value, that is with a negative weight.
    official_ndcg_at_10, official_map : float
        Quality by descending value as tables print it: under LETOR's conventions in file order among ties.
    top, reversed_top : float
        Share of the relevant documents above every irrelevant one, by descending and by ascending value; a tie counts
        against a document.
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
    top: float = nan
    reversed_top: float = nan
    ranks: bool = True

    @property
    def expected_over_ties(self) -> dict[str, float]:
        """The values in expectation over ties that differ from those of tables."""
        found = {"NDCG@10": (self.ndcg_at_10, self.official_ndcg_at_10), "MAP": (self.map, self.official_map)}
        return {name: value for name, (value, official) in found.items() if rounded(value) != rounded(official)}

    def value(self, measure: MeasureName) -> float:
        """The quality by descending value."""
        return {"NDCG@10": self.ndcg_at_10, "MAP": self.map, "Top": self.top}[measure]

    def reversed_value(self, measure: MeasureName) -> float:
        """The quality by ascending value."""
        return {"NDCG@10": self.reversed_ndcg_at_10, "MAP": self.reversed_map, "Top": self.reversed_top}[measure]


def best_alone(scores: Sequence[SingleFeatureScore], measure: MeasureName) -> tuple[int, ...]:
    """Columns of the features, counted from 0, that with the largest value of a measure first; among equals the first.

    Parameters
    ----------
    scores : sequence of SingleFeatureScore, length n_features
    """
    worth = [rounded(score.value(measure)) for score in scores]
    return tuple(sorted(range(len(scores)), key=lambda j: (-worth[j], j)))


def single_feature_scores(data: RankingData, convention: Convention) -> tuple[SingleFeatureScore, ...]:
    """Compute all of `each_single_feature`."""
    return tuple(each_single_feature(data, convention))


@dataclass(frozen=True)
class SingleFeatureScores(Ingredient[tuple[SingleFeatureScore, ...]]):
    """`single_feature_scores` as work in steps, a feature each."""

    data: RankingData
    convention: Convention

    what = "Ranking by each feature alone"

    def work(self) -> Steps[SingleFeatureScore]:
        """Prepare to measure every feature."""
        return Steps(each_single_feature(self.data, self.convention), self.data.n_features)

    def result(self, run: Steps[SingleFeatureScore]) -> tuple[SingleFeatureScore, ...]:
        """The scores in the order of the features."""
        return tuple(run.found)


def each_single_feature(data: RankingData, convention: Convention) -> Iterator[SingleFeatureScore]:
    """Yield NDCG@10, MAP and Top of every feature alone, in the order of the features (Lai et al. 2013, Fig. 1).

    Documents with the same value are judged in expectation over their orders, so that a feature gets no credit for the
    order of the file. Of few documents, some hundred features are measured at once.
    """
    varies = varying_within_queries(data)
    # Features that cannot rank have one quality, and wide data has many of them.
    (idle,) = _quality(StackedLists(data, convention, 1), np.zeros(data.n_documents))
    stacked = stacked_columns(data, convention, np.flatnonzero(varies))
    measured = (quality for lists, _, values in stacked for quality in _quality(lists, values))
    for j, name in enumerate(data.feature_names):
        quality = next(measured) if varies[j] else idle
        yield SingleFeatureScore(j + 1, name, *quality, ranks=bool(varies[j]))


def _quality(lists: StackedLists, values: FloatArray) -> Iterator[_Quality]:
    """Measure the rankings by the values of each column."""
    descending, ascending = lists.judged.rank(values), lists.judged.rank(-values)
    measured = [
        lists.means(ranked, measure)
        for ranked in (descending, ascending, descending.official)
        for measure in (_NDCG_AT_10, _MAP)
    ]
    rows = np.column_stack([*measured, *(lists.means(ranked, _TOP) for ranked in (descending, ascending))])
    yield from rows.tolist()
