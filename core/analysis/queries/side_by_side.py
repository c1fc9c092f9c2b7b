"""Lists under two models: of one query, how far each document moves; of every query, who gains and who loses."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray, IntArray
from core.metrics import JudgedLists, Measure
from core.metrics.feature_scores import values_of


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The documents of one query, in the order of the file, with their places under A and B.

    Attributes
    ----------
    data : RankingData
        The one query.
    scores_a, scores_b : ndarray, shape (n_documents,)
    """

    data: RankingData
    scores_a: FloatArray
    scores_b: FloatArray
    convention: Convention

    @cached_property
    def order_a(self) -> IntArray:
        """The documents from the first place of A to its last; documents with the same score keep file order."""
        return self._lists.rank(self.scores_a).order

    @cached_property
    def order_b(self) -> IntArray:
        """The same of B."""
        return self._lists.rank(self.scores_b).order

    @cached_property
    def places_a(self) -> IntArray:
        """The place of every document under A, from 1, shape (n_documents,)."""
        return _places(self.order_a)

    @cached_property
    def places_b(self) -> IntArray:
        """The same under B."""
        return _places(self.order_b)

    @property
    def moves(self) -> IntArray:
        """How many places higher every document stands under A than under B; negative where it stands lower."""
        return self.places_b - self.places_a

    @property
    def relevant_moves(self) -> tuple[int, int, int]:
        """Of the relevant documents: how many stand higher under A than under B, lower, and at the same place."""
        moves = self.moves[self.data.relevance >= 1]
        return int((moves > 0).sum()), int((moves < 0).sum()), int((moves == 0).sum())

    @property
    def telling_pair(self) -> tuple[int, ...]:
        """The first document of A that stands above a more relevant one, and the first such one beneath it.

        Where no document does, the first two, or the only one.
        """
        levels = self.data.relevance[self.order_a]
        wrong = np.flatnonzero(levels < np.maximum.accumulate(levels[::-1])[::-1])
        if not len(wrong):
            return tuple(int(i) for i in self.order_a[:2])
        below = int(np.argmax(levels[wrong[0] :] > levels[wrong[0]]))
        return int(self.order_a[wrong[0]]), int(self.order_a[wrong[0] + below])

    def measure(self, name: str) -> tuple[float, float]:
        """Measure the list under A and under B, over the orders of tied documents.

        Raises a `ValueError` if there is no such measure.
        """
        measure = Measure.parse(name)
        a, b = (self._lists.rank(scores).mean(measure) for scores in (self.scores_a, self.scores_b))
        return a, b

    @cached_property
    def _lists(self) -> JudgedLists:
        return JudgedLists(self.data, self.convention)


def side_by_side(
    data: RankingData, query: int, scores_a: FloatArray, scores_b: FloatArray, convention: Convention
) -> SideBySide:
    """Take one query of a part, and what two scorings of all documents of the part say of it.

    Raises an `IndexError` if there is no such query.

    Parameters
    ----------
    query : int
        Its number, from 0.
    scores_a, scores_b : ndarray, shape (n_documents,)
        Of all documents of the part.
    """
    rows = data.rows_of(query)
    return SideBySide(data.take_queries([query]), scores_a[rows], scores_b[rows], convention)


def ideal_scores(data: RankingData) -> FloatArray:
    """Scores that put the most relevant documents first, shape (n_documents,)."""
    return np.asarray(data.relevance, dtype=np.float64)


def single_feature_weights(n_features: int, feature: int, *, reverse: bool = False) -> FloatArray:
    """The model that ranks by one feature alone, shape (n_features,); ``feature`` is its column, from 0."""
    weights = np.zeros(n_features)
    weights[feature] = -1.0 if reverse else 1.0
    return weights


def _places(order: NDArray[np.int64]) -> IntArray:
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(1, len(order) + 1)
    return places


def ranks_better_reversed(data: RankingData, convention: Convention, feature: int) -> bool:
    """Whether the smallest values first have the higher MAP.

    Documents with the same value count in expectation over their orders.

    Parameters
    ----------
    data : RankingData
        The training part: the direction is chosen as a model is.
    feature : int
        Its column, from 0.
    """
    lists, values, measure = JudgedLists(data, convention), values_of(data, np.array([feature]))[:, 0], Measure("MAP")
    return lists.rank(-values).mean(measure) > lists.rank(values).mean(measure) + 1e-12


_BLOCK = 1 << 22  # pairs looked at together


@dataclass(frozen=True, eq=False)
class QueryChanges:
    """One measure for every query of a part under A and under B.

    Attributes
    ----------
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

    Raises a `ValueError` if there is no such measure.

    Parameters
    ----------
    scores_a, scores_b : ndarray, shape (n_documents,)
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
    weights_a : ndarray, shape (n_features,)
    weights_b : ndarray, shape (n_features,), optional
        None if B is the ideal order: then the gaps under A are added up for the pairs that A puts the wrong way round.

    Returns
    -------
    moved : ndarray, shape (n_features,)
    """
    rows = data.rows_of(query)
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
