"""One query's list under two scorings, and how far each document moves from one to the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray, IntArray
from core.metrics import JudgedLists, Measure
from core.metrics.stacked_lists import values_of


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The documents of one query, in the order of the file, with their places under A and B.

    Attributes
    ----------
    data : RankingData
        The one query.
    scores_a, scores_b : ndarray, shape (n_documents,)
    convention : {"standard", "letor3", "letor4"}
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

        Raises
        ------
        ValueError
            If there is no such measure.
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

    Parameters
    ----------
    data : RankingData
    query : int
        Its number, from 0.
    scores_a, scores_b : ndarray, shape (n_documents,)
        Of all documents of the part.
    convention : {"standard", "letor3", "letor4"}

    Raises
    ------
    IndexError
        If there is no such query.
    """
    if not 0 <= query < data.n_queries:
        msg = f"there are {data.n_queries} queries, and none has the number {query}"
        raise IndexError(msg)
    rows = slice(*data.query_offsets[query : query + 2])
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
    convention : {"standard", "letor3", "letor4"}
    feature : int
        Its column, from 0.
    """
    lists, values, measure = JudgedLists(data, convention), values_of(data, np.array([feature]))[:, 0], Measure("MAP")
    return lists.rank(-values).mean(measure) > lists.rank(values).mean(measure) + 1e-12
