"""Sorting and summing within each query, over all queries at once.

Compiled, because queries are short and many: sorting a whole file by query and score takes numpy two to ten
times as long, and numpy has no exact form of a running sum that starts afresh at every query.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.data.ranking_data import FloatArray, IntArray


@njit(nogil=True, cache=True)
def descending_order(values: FloatArray, query_offsets: IntArray) -> IntArray:
    """Positions of the documents, query by query, from the largest value down; ties keep file order.

    Parameters
    ----------
    values : ndarray of float64, shape (n_documents,)
        Without NaN.
    query_offsets : ndarray of int64, shape (n_queries + 1,)

    Returns
    -------
    ndarray of int64, shape (n_documents,)
        A permutation that keeps every document inside its query.
    """
    order = np.empty(values.size, dtype=np.int64)
    for q in range(query_offsets.size - 1):
        start, stop = query_offsets[q], query_offsets[q + 1]
        order[start:stop] = start + np.argsort(-values[start:stop], kind="mergesort")
    return order


@njit(nogil=True, cache=True)
def running_sums(values: FloatArray, query_offsets: IntArray) -> FloatArray:
    """Cumulative sums that start afresh at every query.

    Parameters
    ----------
    values : ndarray of float64, shape (n_documents,)
    query_offsets : ndarray of int64, shape (n_queries + 1,)

    Returns
    -------
    ndarray of float64, shape (n_documents,)
    """
    sums = np.empty(values.size, dtype=np.float64)
    for q in range(query_offsets.size - 1):
        total = 0.0
        for i in range(query_offsets[q], query_offsets[q + 1]):
            total += values[i]
            sums[i] = total
    return sums
