"""Distribution of a feature's values at each relevance level."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.data import RankingData
from core.data.ranking_data import FloatArray

MOST_POINTS = 200


@dataclass(frozen=True, eq=False)
class LevelValues:
    """The values of one feature in the documents of one relevance level.

    Parameters
    ----------
    five_numbers : tuple of float
        Lowest value, lower quartile, median, upper quartile, highest value.
    shares : ndarray, shape (n_bins,)
        Share of the documents in every bin of the histogram.
    quantiles : ndarray, shape (n_points,)
        Quantiles at ``linspace(0, 1, n_points)``: the empirical distribution function, at most 200 points for data of
        any size.
    """

    relevance: int
    n_documents: int
    five_numbers: tuple[float, float, float, float, float]
    shares: FloatArray
    quantiles: FloatArray


@dataclass(frozen=True, eq=False)
class FeatureDistribution:
    """A feature's values by relevance level.

    Parameters
    ----------
    index : int
        Counted from 1.
    bin_edges : ndarray, shape (n_bins + 1,)
        Common to all levels.
    levels : tuple of LevelValues
        In ascending order of relevance.
    higher_when_relevant : float or None
        Share of all pairs of a relevant (level 1 or more) and an irrelevant document, of any queries, in which the
        relevant one has the higher value; ties count half. At 0.5 the feature carries no information. None where one of
        the two kinds is missing.
    """

    index: int
    name: str
    bin_edges: FloatArray
    levels: tuple[LevelValues, ...]
    higher_when_relevant: float | None


def feature_distribution(data: RankingData, position: int, *, n_bins: int = 30) -> FeatureDistribution:
    """Compute the distribution of the feature at a position (from 0) over all documents.

    Raises an `IndexError` if there is no such feature.
    """
    values = np.asarray(data.features[:, position], dtype=np.float64)
    edges = _bin_edges(float(values.min()), float(values.max()), n_bins)
    levels = tuple(
        _level_values(values[data.relevance == level], int(level), edges) for level in np.unique(data.relevance)
    )
    return FeatureDistribution(
        index=position + 1,
        name=data.feature_names[position],
        bin_edges=edges,
        levels=levels,
        higher_when_relevant=_higher_share(values, data.relevance >= 1),
    )


def _bin_edges(lowest: float, highest: float, n_bins: int) -> FloatArray:
    """Space edges evenly from the lowest to the highest value; fewer where doubles are not that dense."""
    if lowest == highest:
        return np.array([lowest - 0.5, highest + 0.5]) if abs(lowest) < 1e15 else lowest * np.array([0.5, 1.5])
    return np.unique(np.linspace(lowest, highest, n_bins + 1))


def _level_values(values: FloatArray, relevance: int, edges: FloatArray) -> LevelValues:
    counts = np.histogram(values, bins=edges)[0]
    lowest, lower, median, upper, highest = np.quantile(values, [0.0, 0.25, 0.5, 0.75, 1.0]).tolist()
    shares = np.linspace(0.0, 1.0, min(MOST_POINTS, len(values)))
    return LevelValues(
        relevance=relevance,
        n_documents=len(values),
        five_numbers=(lowest, lower, median, upper, highest),
        shares=counts / len(values),
        quantiles=np.quantile(values, shares, method="inverted_cdf"),
    )


def _higher_share(values: FloatArray, relevant: NDArray[np.bool_]) -> float | None:
    """Compute the Mann-Whitney statistic over its maximum (the area under the ROC curve)."""
    n_relevant = int(relevant.sum())
    n_other = len(values) - n_relevant
    if n_relevant == 0 or n_other == 0:
        return None
    from scipy.stats import rankdata  # heavy to import, and no page begins with it

    rank_sum = rankdata(values)[relevant].sum()
    return float((rank_sum - n_relevant * (n_relevant + 1) / 2) / (n_relevant * n_other))
