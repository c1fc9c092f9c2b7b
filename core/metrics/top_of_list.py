"""How many positives stand above all negatives: what the infinite push is after."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from core.data import RankingData
from core.metrics.lists import as_scores


def top_rate(data: RankingData, scores: ArrayLike) -> float:
    """Share of a query's positives that score strictly above all its negatives, averaged over queries.

    A document is positive if its relevance is 1 or more. A positive tied with the best negative is not above
    it, so a constant score has rate 0. Every query counts the same, and only queries that have both positives
    and negatives count.

    Parameters
    ----------
    data : RankingData
    scores : array-like, shape (n_documents,)

    Returns
    -------
    float
        In [0, 1]; NaN if no query has both positives and negatives.

    Raises
    ------
    ValueError
        If there is not one score a document, or a score is NaN.

    References
    ----------
    Rakotomamonjy, Sparse Support Vector Infinite Push, ICML 2012, §4.1: the rate of positives on top.
    """
    s = as_scores(scores, data.n_documents)
    starts = data.query_offsets[:-1]
    positive = data.relevance >= 1
    best_negative = np.maximum.reduceat(np.where(positive, -np.inf, s), starts)
    on_top = positive & (s > best_negative[data.query_of_document])
    n_positive = np.add.reduceat(positive.astype(np.int64), starts)
    counts = (n_positive > 0) & (n_positive < np.diff(data.query_offsets))
    if not counts.any():
        return float("nan")
    n_on_top = np.add.reduceat(on_top.astype(np.int64), starts)
    return float(np.mean(n_on_top[counts] / n_positive[counts]))
