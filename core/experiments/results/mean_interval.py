"""A model's mean over the queries of a part, with its interval over such queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.choosing import FEWEST_QUERIES
from core.analysis.evaluation import FloatArray, FoldJudge
from core.experiments.results.statistics import CONFIDENCE, bootstrap_interval
from core.names.counted import counted


@dataclass(frozen=True)
class MeanInterval:
    """The mean of one model over queries.

    The interval is of this model: it leaves open how far other training queries would have made another one.

    Attributes
    ----------
    value : float
    n_queries : int
    ends : tuple of float or None
        95 % bootstrap percentile interval over the queries; None for fewer than `FEWEST_QUERIES`.
    """

    value: float
    n_queries: int
    ends: tuple[float, float] | None

    @property
    def words(self) -> str:
        """The mean and its interval, such as "0.4512 (95 % interval 0.4301 to 0.4723 over 90 queries)"."""
        if self.ends is None:
            return f"{self.value:.4f} ({counted(self.n_queries, 'query', 'queries')}, too few for an interval)"
        low, high = self.ends
        share = f"{100 * CONFIDENCE:.0f} %"
        return f"{self.value:.4f} ({share} interval {low:.4f} to {high:.4f} over {self.n_queries:,} queries)"


def mean_interval(judge: FoldJudge, weights: FloatArray, part: str, measure: str) -> MeanInterval:
    """Measure a linear model on a part of a fold, over the orders of tied documents.

    Parameters
    ----------
    judge : FoldJudge
    weights : ndarray, shape (n_features,)
    part : {"train", "vali", "test"}
    measure : str

    Raises
    ------
    KeyError
        If the fold has no such part.
    ValueError
        If there is no such measure.
    """
    values = judge.per_query(weights, part, measure)
    ends = bootstrap_interval(values, np.zeros(len(values))) if len(values) >= FEWEST_QUERIES else None
    return MeanInterval(float(np.sort(values).mean()), len(values), ends)
