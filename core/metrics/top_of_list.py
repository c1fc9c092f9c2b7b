"""The share of positives ranked above all negatives, the objective of the infinite push."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.data.ranking_data import FloatArray, IntArray
from core.kernels import kernel
from core.metrics.by_query import descending_order, tie_starts


def shares_on_top(positive: NDArray[np.bool_], query_offsets: IntArray, scores: FloatArray) -> FloatArray:
    """Compute the share of every query's positives that score strictly above all its negatives.

    A positive tied with the best negative is not above it, so a constant score puts none on top, whatever the order of
    the file. `tie_starts` defines ties, as for all measures. A query without positives has 0, as in the other measures;
    one without negatives has 1.

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
    order = descending_order(scores, query_offsets)
    return shares_on_top_ranked(positive, query_offsets, order, tie_starts(scores[order], query_offsets))


@kernel
def shares_on_top_ranked(
    positive: NDArray[np.bool_], query_offsets: IntArray, order: IntArray, first: IntArray
) -> FloatArray:
    """Compute the same of documents in ranked order.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_documents,)
        In file order.
    query_offsets : ndarray of int64, shape (n_queries + 1,)
    order : ndarray of int64, shape (n_documents,)
        The documents in ranked order, query by query.
    first : ndarray of int64, shape (n_groups,)
        The places in that order where groups of tied documents begin.
    """
    shares, group = np.zeros(query_offsets.size - 1), 0
    for q in range(shares.size):
        found, on_top, only_positives = 0, 0, True
        for i in range(query_offsets[q], query_offsets[q + 1]):
            if group < first.size and first[group] == i:
                group += 1
                on_top = found if only_positives else on_top
            if positive[order[i]]:
                found += 1
            else:
                only_positives = False
        shares[q] = (found if only_positives else on_top) / max(found, 1)
    return shares
