"""What queries that lose have in common: a number by query, compared between them and all others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.data.ranking_data import FloatArray, IntArray
from core.experiments.results.statistics import CONFIDENCE, chunks

RESAMPLES = 4000


@dataclass(frozen=True)
class Trait:
    """A number by query, compared between the queries that lose and all others.

    Attributes
    ----------
    losing, others : float
        Means over the queries of each group.
    interval : tuple of float or None
        95 % bootstrap interval of the difference of the means; None where a group has fewer than two queries.
    alike : bool
        Whether every query of both groups has the same number.
    """

    losing: float
    others: float
    interval: tuple[float, float] | None
    alike: bool = False

    @property
    def clear(self) -> bool:
        """Whether the interval excludes 0."""
        return self.interval is not None and not self.interval[0] <= 0.0 <= self.interval[1]


def trait(values: NDArray[np.floating] | IntArray, losing: NDArray[np.bool_]) -> Trait | None:
    """Compare the queries that lose with all others; None where one of the two groups is empty."""
    one, other = (np.sort(values[group].astype(np.float64)) for group in (losing, ~losing))  # drawn by what they hold
    if not len(one) or not len(other):
        return None
    interval = None
    if min(len(one), len(other)) > 1:
        draw = np.random.default_rng(0)
        low, high = np.quantile(
            _resampled_means(one, draw) - _resampled_means(other, draw), ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
        )
        interval = (float(low), float(high))
    return Trait(float(one.mean()), float(other.mean()), interval, bool(np.ptp(values) == 0))


def _resampled_means(values: FloatArray, draw: np.random.Generator) -> FloatArray:
    """Means of as many values drawn with replacement: few at a time, as there may be many values."""
    n = len(values)
    return np.concatenate([values[draw.integers(n, size=(rows, n))].mean(axis=1) for rows in chunks(RESAMPLES, n)])
