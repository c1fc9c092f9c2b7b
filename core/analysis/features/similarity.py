"""Similarity of features: of two that rank alike a sparse model needs one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.analysis.ingredient import Ingredient
from core.data import DataError, RankingData
from core.data.ranking_data import FloatArray, IntArray
from core.metrics.feature_scores import pearson_matrix
from core.metrics.kendall import LARGEST_SAMPLE, kendall_steps, sample_documents
from core.work import Steps

Kind = Literal["pearson", "kendall"]
MOST_FEATURES = 2_000
"""Of all against all: the picture then has four million cells."""


@dataclass(frozen=True, eq=False)
class Similarity:
    """Similarity of all features over the documents of all queries.

    Parameters
    ----------
    kind : {"pearson", "kendall"}
        Pearson's correlation of the values, or Kendall's tau-b of the rankings by them.
    values : ndarray, shape (n_features, n_features)
        Symmetric, in [-1, 1], never NaN: a constant feature has 0 with all others and 1 with itself.
    n_documents : int
        Number of documents on which it was computed.
    """

    kind: Kind
    values: FloatArray
    n_documents: int

    def order(self) -> IntArray:
        """Order the features (from 0) so that similar ones are neighbours, shape (n_features,).

        The order is that of the leaves of average-linkage clustering with distance 1 − |similarity|: to a linear model
        a feature and its negative are the same.
        """
        if len(self.values) < 2:
            return np.arange(len(self.values), dtype=np.int64)
        from scipy.cluster.hierarchy import average, leaves_list  # heavy to import, and no page begins with it
        from scipy.spatial.distance import squareform

        distance = 1.0 - np.abs(self.values)
        return leaves_list(average(squareform(distance, checks=False))).astype(np.int64)

    def closest(self) -> list[Pair]:
        """List for each feature the other feature most similar to it, the most similar pair first.

        A pair that is closest in both directions appears once.
        """
        if len(self.values) < 2:
            return []
        twins = self._strength_of_others().argmax(axis=1).tolist()
        closest = {(min(j, twin), max(j, twin)) for j, twin in enumerate(twins)}
        pairs = [Pair(first, second, float(self.values[first, second])) for first, second in closest]
        return sorted(pairs, key=lambda pair: (-abs(pair.similarity), pair.first, pair.second))

    def with_twin(self, threshold: float) -> IntArray:
        """Return the features (from 0) that have another one at least this similar, in absolute value."""
        return np.flatnonzero(self._strength_of_others().max(axis=1) >= threshold)

    def _strength_of_others(self) -> FloatArray:
        """Return absolute similarities, with −1 on the diagonal, so that no feature is its own twin."""
        strength = np.abs(self.values)
        np.fill_diagonal(strength, -1.0)
        return strength


@dataclass(frozen=True)
class Pair:
    """Two features (from 0, the smaller number first) and their similarity."""

    first: int
    second: int
    similarity: float


def refuse_too_many(n_features: int) -> None:
    """Refuse to compare all features with all, where memory, time and picture grow with their square.

    Raises a `DataError` if there are more than `MOST_FEATURES`.
    """
    if n_features > MOST_FEATURES:
        msg = (
            f"{n_features:,} features are too many to compare in pairs (at most {MOST_FEATURES:,}); the Features page "
            "compares those that a model keeps"
        )
        raise DataError(msg)


def pearson(data: RankingData) -> Similarity:
    """Compute Pearson's correlation of all features, as `pearson_among` does of some."""
    refuse_too_many(data.n_features)
    return Similarity("pearson", pearson_matrix(data.features), data.n_documents)


def pearson_among(data: RankingData, chosen: IntArray) -> Similarity:
    """Compute Pearson's correlation of some features (from 0), over all documents.

    Raises a `DataError` if they are more than `MOST_FEATURES`.
    """
    refuse_too_many(len(chosen))
    return Similarity("pearson", pearson_matrix(data.features[:, chosen]), data.n_documents)


@dataclass(frozen=True)
class FeatureSimilarity(Ingredient[Similarity]):
    """Similarity of all features of data; Kendall's in steps, on a sample of large data that is always the same."""

    data: RankingData
    kind: Kind

    what = "Comparing features"

    @property
    def in_steps(self) -> bool:
        """Only Kendall's tau-b is computed in steps."""
        return self.kind == "kendall"

    def work(self) -> Steps[FloatArray | None] | None:
        """Prepare Kendall's tau-b; Pearson's r takes no steps.

        Raises a `DataError` if there are more than `MOST_FEATURES`.
        """
        refuse_too_many(self.data.n_features)
        if self.kind == "pearson":
            return None
        sample = sample_documents(self.data)
        return Steps(kendall_steps(self.data.features[sample]), self.data.n_features)

    def result(self, run: Steps[FloatArray | None] | None) -> Similarity:
        """Put the similarities together."""
        if run is None:
            return pearson(self.data)
        tau = run.found[-1]
        if tau is None:
            msg = "Kendall's tau-b is not complete"
            raise ValueError(msg)
        return Similarity("kendall", tau, min(self.data.n_documents, LARGEST_SAMPLE))
