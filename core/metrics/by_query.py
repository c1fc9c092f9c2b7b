"""Compiled sorting and running sums within each query, over all queries at once.

They are compiled because queries are short and many: numpy takes two to ten times as long to sort a whole file by query
and score, and has no exact running sum that restarts at every query.
"""

from __future__ import annotations

import numpy as np

from core.data.ranking_data import FloatArray, IntArray
from core.kernels import kernel, read_only


def descending_order(values: FloatArray, query_offsets: IntArray) -> IntArray:
    """Sort the documents of every query from the largest value down; ties keep file order.

    Parameters
    ----------
    values : ndarray of float64, shape (n_documents,)
        Without NaN.
    query_offsets : ndarray of int64, shape (n_queries + 1,)

    Returns
    -------
    ndarray of int64, shape (n_documents,)
        A permutation of the documents within each query.
    """
    return _descending_order(read_only(values), read_only(query_offsets))


@kernel
def _descending_order(values: FloatArray, query_offsets: IntArray) -> IntArray:
    order = np.empty(values.size, dtype=np.int64)
    for q in range(query_offsets.size - 1):
        start, stop = query_offsets[q], query_offsets[q + 1]
        order[start:stop] = start + np.argsort(-values[start:stop], kind="mergesort")
    return order


@kernel
def running_sums(values: FloatArray, query_offsets: IntArray) -> FloatArray:
    """Compute cumulative sums that restart at every query.

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


TIED = 1e-12
"""Neighbours are tied if they differ by at most this share of the larger absolute value. Such a difference is rounding:
the processor decides whether two documents with the same features have the same last bit."""
TIED_BESIDE = 1e-15
"""They are also tied if they differ by at most this share of the query's largest absolute score. That is the rounding
of a sum of terms of that size, and a small score may be the rest of large terms that cancel."""


@kernel
def tie_starts(ranked: FloatArray, query_offsets: IntArray) -> IntArray:
    """Find the places where groups of tied documents begin; a document without ties is a group of its own.

    Two neighbours are tied if they are equal, or finite and differ by no more than rounding: see `TIED` and
    `TIED_BESIDE`. One score far from all others does not tie the others.

    Parameters
    ----------
    ranked : ndarray of float64, shape (n_documents,)
        Scores in descending order within each query. Without NaN.
    query_offsets : ndarray of int64, shape (n_queries + 1,)

    Returns
    -------
    ndarray of int64, shape (n_groups,)
        Ascending; every query begins a group.
    """
    first = np.empty(ranked.size, dtype=np.int64)
    n_groups = 0
    for q in range(query_offsets.size - 1):
        start, stop = query_offsets[q], query_offsets[q + 1]
        largest = 0.0
        for i in range(start, stop):
            if np.isfinite(ranked[i]):
                largest = max(largest, abs(ranked[i]))
        for i in range(start, stop):
            tied = False
            if i > start:
                larger = max(abs(ranked[i]), abs(ranked[i - 1]))
                rounding = max(TIED * larger, TIED_BESIDE * largest) if np.isfinite(larger) else 0.0
                tied = ranked[i] == ranked[i - 1] or ranked[i - 1] - ranked[i] <= rounding
            if not tied:
                first[n_groups] = i
                n_groups += 1
    return first[:n_groups]


@kernel
def list_curves(
    gains: FloatArray, relevant: FloatArray, discounts: FloatArray, order: IntArray, groups: IntArray, starts: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Go down every ranked list once, in expectation over the orders of the documents of a group.

    Parameters
    ----------
    gains, relevant : ndarray of float64, shape (n_documents,)
        In file order; ``relevant`` is 1 or 0.
    discounts : ndarray of float64, shape (n_documents,)
        Of every rank, along the lists.
    order : ndarray of int64, shape (n_documents,)
        The documents in ranked order, query by query.
    groups : ndarray of int64, shape (n_groups,)
        Places in that order where groups begin; every query begins one.
    starts : ndarray of int64, shape (n_queries,)

    Returns
    -------
    hits, dcg : ndarray of float64, shape (n_documents,)
        Number of relevant documents, and DCG, up to every rank.
    summed_precision : ndarray of float64, shape (n_queries,)
        Sum of the precision at every rank whose document is relevant.
    """
    hits, dcg, summed_precision = np.empty(order.size), np.empty(order.size), np.zeros(starts.size)
    query, begin, above, total = -1, 0, 0.0, 0.0
    for g in range(groups.size):
        first, end = groups[g], groups[g + 1] if g + 1 < groups.size else order.size
        if query + 1 < starts.size and first == starts[query + 1]:
            query, begin, above, total = query + 1, first, 0.0, 0.0
        size, found, gain = end - first, 0.0, 0.0
        for i in range(first, end):
            found += relevant[order[i]]
            gain += gains[order[i]]
        others = (found - 1.0) / max(size - 1, 1)
        for place in range(size):
            rank = first + place - begin + 1
            hits[first + place] = above + found * (place + 1) / size
            total += gain / size * discounts[first + place]
            dcg[first + place] = total
            summed_precision[query] += found / size * (above + 1.0 + place * others) / rank
        above += found
    return hits, dcg, summed_precision
