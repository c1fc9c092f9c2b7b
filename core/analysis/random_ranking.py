"""What a ranking without any knowledge gets: the band that a feature or a model has to leave.

The red line of Lai et al. (FenchelRank, IEEE TC 2013), Fig. 1, with its width.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray
from core.metrics import JudgedLists, Measure

_NDCG_AT_10 = Measure("NDCG", 10)
_MAP = Measure("MAP")


@dataclass(frozen=True)
class Band:
    """A measure under random rankings: its exact expectation, and the range of nine draws in ten.

    Parameters
    ----------
    expected : float
        Mean over all orders of the documents; calculated, not drawn.
    low, high : float
        5 % and 95 % quantile over the drawn orders of the mean over queries.
    """

    expected: float
    low: float
    high: float


@dataclass(frozen=True)
class RandomRanking:
    """The bands of NDCG@10 and MAP under uniformly random orders of every query's documents.

    Parameters
    ----------
    ndcg_at_10, map : Band
    n_draws : int
        How many orders were drawn for the quantiles.
    """

    ndcg_at_10: Band
    map: Band
    n_draws: int


def random_ranking(data: RankingData, convention: Convention, *, n_draws: int = 200, seed: int = 0) -> RandomRanking:
    """Bands of NDCG@10 and MAP under random rankings; the same seed gives the same bands.

    Parameters
    ----------
    data : RankingData
    convention : {"standard", "letor3", "letor4"}
    n_draws : int
        At least 1.
    seed : int

    Raises
    ------
    ValueError
        If there is no such convention, or nothing is to be drawn.
    """
    if n_draws < 1:
        msg = f"a band of random rankings needs at least one draw, not {n_draws}"
        raise ValueError(msg)
    judged = JudgedLists(data, convention)
    rng = np.random.default_rng(seed)
    # Independent uniform scores put the documents of every query in a uniformly random order.
    draws = (judged.rank(rng.random(data.n_documents)) for _ in range(n_draws))
    drawn = np.array([(ranked.mean(_NDCG_AT_10), ranked.mean(_MAP)) for ranked in draws])
    return RandomRanking(
        ndcg_at_10=_band(_expected_ndcg(judged, 10), drawn[:, 0]),
        map=_band(_expected_average_precision(judged), drawn[:, 1]),
        n_draws=n_draws,
    )


def _band(expected_per_query: FloatArray, drawn_means: FloatArray) -> Band:
    low, high = np.quantile(drawn_means, [0.05, 0.95])
    return Band(expected=float(expected_per_query.mean()), low=float(low), high=float(high))


def _expected_ndcg(judged: JudgedLists, cutoff: int) -> FloatArray:
    """NDCG is linear in the gains, and at every rank the expected gain is the query's mean gain."""
    mean_gain = judged.sums_by_query(judged.gains) / judged.sizes
    curve = judged.ndcg_curve(np.repeat(mean_gain, judged.sizes))
    return judged.at_cutoff(curve, cutoff, needs_full_list=judged.rules.ndcg_needs_full_list)


def _expected_average_precision(judged: JudgedLists) -> FloatArray:
    """Average precision of m relevant among n documents in random order.

    Rank r is relevant with probability m/n, and each of the r − 1 ranks above it is then relevant with
    probability (m − 1)/(n − 1). Hence E[AP] = (1/n) Σ_r (1 + (r − 1)(m − 1)/(n − 1)) / r, for m > 0.
    """
    n, m = judged.sizes, judged.n_relevant
    harmonic = judged.sums_by_query(1.0 / judged.ranks)
    # With one document no rank is above another: n − harmonic is 0, and so is the term.
    expected = (harmonic + (n - harmonic) * (m - 1) / np.maximum(n - 1, 1)) / n
    return np.where(m > 0, expected, 0.0)
