"""What a model changes for every query against another one: who gains, who loses, and what moved their lists."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray, IntArray
from core.metrics import JudgedLists, Measure

_BLOCK = 1 << 22  # pairs looked at together


@dataclass(frozen=True, eq=False)
class QueryChanges:
    """One measure for every query of a part under A and under B.

    Attributes
    ----------
    measure : str
    a, b : ndarray, shape (n_queries,)
    n_documents, n_relevant : ndarray of int64, shape (n_queries,)
    """

    measure: str
    a: FloatArray
    b: FloatArray
    n_documents: IntArray
    n_relevant: IntArray

    @cached_property
    def delta(self) -> FloatArray:
        """A minus B, shape (n_queries,); differences below rounding are 0."""
        delta = self.a - self.b
        return np.where(np.abs(delta) < 1e-12, 0.0, delta)

    @cached_property
    def order(self) -> IntArray:
        """The queries from the one that loses most to the one that gains most; equal ones in the order of the file."""
        return np.argsort(self.delta, kind="stable")

    @property
    def counts(self) -> tuple[int, int, int]:
        """Number of queries that lose, gain and stay as they are."""
        return int((self.delta < 0).sum()), int((self.delta > 0).sum()), int((self.delta == 0).sum())


def query_changes(
    data: RankingData, scores_a: FloatArray, scores_b: FloatArray, convention: Convention, measure: str
) -> QueryChanges:
    """Measure every query of a part under two scorings, over the orders of tied documents.

    Parameters
    ----------
    data : RankingData
    scores_a, scores_b : ndarray, shape (n_documents,)
    convention : {"standard", "letor3", "letor4"}
    measure : str

    Raises
    ------
    ValueError
        If there is no such measure.
    """
    lists, wanted = JudgedLists(data, convention), Measure.parse(measure)
    a, b = (lists.rank(scores).per_query(wanted) for scores in (scores_a, scores_b))
    return QueryChanges(measure, a, b, np.asarray(lists.sizes), lists.n_relevant.astype(np.int64))


def moving_features(
    data: RankingData, query: int, weights_a: FloatArray, weights_b: FloatArray | None
) -> tuple[FloatArray, int]:
    """Compute how much each feature has moved the pairs that A and B order differently, and count these pairs.

    Of every such pair, that is of a more and a less relevant document of which one of the two models puts the less
    relevant first, feature j has changed the gap between the two by (w_Aj − w_Bj) (x_j − x'_j). These are added up.
    Because only the order counts, each model's weights are first divided by the standard deviation of its scores in
    the query. Negative: the feature speaks for the worse order under A, more than under B.

    Parameters
    ----------
    data : RankingData
    query : int
    weights_a : ndarray, shape (n_features,)
    weights_b : ndarray, shape (n_features,), optional
        None if B is the ideal order: then the gaps under A are added up for the pairs that A puts the wrong way round.

    Returns
    -------
    moved : ndarray, shape (n_features,)
    n_pairs : int
    """
    rows = slice(*data.query_offsets[query : query + 2])
    x = np.asarray(data.features[rows], dtype=np.float64)
    relevance = np.asarray(data.relevance[rows], dtype=np.float64)
    a = _standardised(x, weights_a)
    b = np.zeros_like(a) if weights_b is None else _standardised(x, weights_b)
    scores_b = relevance if weights_b is None else x @ b
    counts, n_pairs = _changed_pairs(relevance, x @ a, scores_b)
    return (a - b) * (counts @ x), n_pairs


def _standardised(x: FloatArray, weights: FloatArray) -> FloatArray:
    spread = float((x @ weights).std())
    return weights / spread if spread > 0.0 else np.zeros_like(weights)


def _changed_pairs(relevance: FloatArray, a: FloatArray, b: FloatArray) -> tuple[FloatArray, int]:
    """How often each document is the more relevant one of a pair in another order, minus how often the less relevant.

    A pair is in the right order where the more relevant document scores higher.
    """
    counts, n_pairs = np.zeros(len(a)), 0
    step = max(_BLOCK // len(a), 1)
    for first in range(0, len(a), step):
        rows = slice(first, first + step)
        better = relevance[rows, None] > relevance
        changed = better & ((a[rows, None] > a) != (b[rows, None] > b))
        counts[rows] += changed.sum(axis=1)
        counts -= changed.sum(axis=0)
        n_pairs += int(changed.sum())
    return counts, n_pairs


def main_mover(moved: FloatArray, delta: float) -> int | None:
    """The feature that moved most towards what has happened to a query; None where none did."""
    towards = moved if delta > 0 else -moved
    best = int(towards.argmax())
    return best if delta != 0.0 and towards[best] > 0.0 else None
