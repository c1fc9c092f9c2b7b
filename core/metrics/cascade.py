"""The cascade model of a reader: down the list from the top, until a document stops the reader.

RR and ERR are the mean of 1/rank at the stop. Every relevant document stops in RR; in ERR a document of relevance l
stops with probability (2^l − 1) / 2^L.

References
----------
Chapelle, Metzler, Zhang & Grinspan, Expected Reciprocal Rank for Graded Relevance, CIKM 2009.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.data.ranking_data import FloatArray, IntArray
from core.kernels import kernel
from core.metrics.by_query import running_sums

LARGEST_GRADE = 4
"""The L of TREC's gdeval, and so of ir_measures; data with larger grades has its largest one instead."""


def stops_at_relevant(relevance: NDArray[np.int32]) -> FloatArray:
    """Return 1 for documents of relevance 1 or more, else 0, shape (n_documents,)."""
    return (relevance >= 1).astype(np.float64)


def stops_by_grade(relevance: NDArray[np.int32]) -> FloatArray:
    """Compute (2^l − 1) / 2^L for every document, shape (n_documents,)."""
    largest = float(max(LARGEST_GRADE, int(relevance.max())))
    return np.asarray(np.exp2(relevance - largest) - np.exp2(-largest))


@kernel
def passing(stops: FloatArray, first: IntArray, query_offsets: IntArray) -> FloatArray:
    """Compute the probability of getting past every rank, in expectation over the orders of tied documents.

    Among n tied documents in a random order, that of getting past the first p is the mean of the product of 1 − stop,
    over all choices of p. If the k-th document joins k − 1 others, p/k of the products have it as a factor and the
    others do not, so that A_k(p) = p/k (1 − stop_k) A_(k−1)(p − 1) + (1 − p/k) A_(k−1)(p).

    Parameters
    ----------
    stops : ndarray of float64, shape (n_documents,)
        In ranked order.
    first : ndarray of int64, shape (n_groups,)
        Places where groups of tied documents begin; `numpy.arange` where nothing is tied.
    query_offsets : ndarray of int64, shape (n_queries + 1,)

    Returns
    -------
    ndarray of float64, shape (n_documents,)
    """
    past = np.empty(stops.size, dtype=np.float64)
    query, before = 0, 1.0
    for g in range(first.size):
        start = first[g]
        stop = first[g + 1] if g + 1 < first.size else stops.size
        if start == query_offsets[query]:
            query, before = query + 1, 1.0
        means = np.zeros(stop - start + 1, dtype=np.float64)
        means[0] = 1.0
        for k in range(1, means.size):
            goes_on = 1.0 - stops[start + k - 1]
            for p in range(k, 0, -1):
                share = p / k
                means[p] = share * goes_on * means[p - 1] + (1.0 - share) * means[p]
        for p in range(1, means.size):
            past[start + p - 1] = before * means[p]
        before = past[stop - 1]
    return past


def reciprocal_ranks(past: FloatArray, ranks: IntArray, query_offsets: IntArray) -> FloatArray:
    """Compute the mean of 1/rank at the stop, as far as every rank, shape (n_documents,).

    Parameters
    ----------
    past : ndarray of float64, shape (n_documents,)
        From `passing`.
    ranks : ndarray of int64, shape (n_documents,)
    query_offsets : ndarray of int64, shape (n_queries + 1,)
    """
    came = np.concatenate([[1.0], past[:-1]])
    came[query_offsets[:-1]] = 1.0
    return running_sums((came - past) / ranks, query_offsets)
