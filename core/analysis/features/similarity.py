"""How alike features are: two that rank alike are redundant, and a sparse model needs one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.cluster.hierarchy import average, leaves_list
from scipy.spatial.distance import squareform

from core.data import RankingData
from core.data.ranking_data import FloatArray, IntArray
from core.metrics.feature_similarity import bounded, pearson_matrix
from core.metrics.kendall import kendall_matrix

Kind = Literal["pearson", "kendall"]


@dataclass(frozen=True, eq=False)
class Similarity:
    """Similarity of all features over the documents of all queries.

    Parameters
    ----------
    kind : {"pearson", "kendall"}
        Pearson's correlation of values, or Kendall's tau-b of the orders they make.
    values : ndarray, shape (n_features, n_features)
        Symmetric, in [-1, 1], never NaN: a constant feature has 0 with all others and 1 with itself.
    n_documents : int
        How many documents it was worked out on.
    """

    kind: Kind
    values: FloatArray
    n_documents: int

    def order(self) -> IntArray:
        """Features (from 0) put so that those alike are neighbours, shape (n_features,).

        The leaves of average-linkage clustering with distance 1 − |similarity|: to a linear model a feature and its
        negative are the same.
        """
        if len(self.values) < 2:
            return np.arange(len(self.values), dtype=np.int64)
        distance = 1.0 - np.abs(self.values)
        return leaves_list(average(squareform(distance, checks=False))).astype(np.int64)

    def closest(self) -> list[Pair]:
        """For each feature the other that is most like it, strongest first.

        A pair that is closest both ways comes once.
        """
        if len(self.values) < 2:
            return []
        twins = self._strength_of_others().argmax(axis=1).tolist()
        closest = {(min(j, twin), max(j, twin)) for j, twin in enumerate(twins)}
        pairs = [Pair(first, second, float(self.values[first, second])) for first, second in closest]
        return sorted(pairs, key=lambda pair: (-abs(pair.similarity), pair.first, pair.second))

    def with_twin(self, threshold: float) -> IntArray:
        """Features (from 0) that have another at least this similar, in absolute value."""
        return np.flatnonzero(self._strength_of_others().max(axis=1) >= threshold)

    def _strength_of_others(self) -> FloatArray:
        """Absolute similarity, with −1 on the diagonal: nothing is its own twin."""
        strength = np.abs(self.values)
        np.fill_diagonal(strength, -1.0)
        return strength


@dataclass(frozen=True)
class Pair:
    """Two features (from 0, the smaller number first) and their similarity."""

    first: int
    second: int
    similarity: float


def pearson(data: RankingData) -> Similarity:
    """Pearson's correlation of all features, over all documents."""
    return Similarity("pearson", pearson_matrix(data.features), data.n_documents)


def kendall_similarity(rows: list[FloatArray], n_documents: int) -> Similarity:
    """The similarity that all rows of `kendall_rows` make, worked out on this many documents."""
    return Similarity("kendall", bounded(kendall_matrix(rows)), n_documents)
