"""How many positives stand above all negatives: what the infinite push is after."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.data.ranking_data import FloatArray, IntArray


def shares_on_top(positive: NDArray[np.bool_], query_offsets: IntArray, scores: FloatArray) -> FloatArray:
    """Share of every query's positives that score strictly above all its negatives.

    A positive tied with the best negative is not above it, so a constant score puts none on top, whatever the
    order of the file. As in the other measures, a query without positives has 0, and one without negatives 1.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_documents,)
    query_offsets : ndarray of int64, shape (n_queries + 1,)
    scores : ndarray of float64, shape (n_documents,)
        Without NaN.

    Returns
    -------
    ndarray of float64, shape (n_queries,)

    References
    ----------
    Rakotomamonjy, Sparse Support Vector Infinite Push, ICML 2012, §4.1: the rate of positives on top.
    """
    starts, sizes = query_offsets[:-1], np.diff(query_offsets)
    n_positive = np.add.reduceat(positive.astype(np.int64), starts)
    best_negative = np.maximum.reduceat(np.where(positive, -np.inf, scores), starts)
    n_on_top = np.add.reduceat((positive & (scores > np.repeat(best_negative, sizes))).astype(np.int64), starts)
    return np.asarray(n_on_top / np.maximum(n_positive, 1))
