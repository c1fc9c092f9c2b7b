"""Sorting within each query and curves down its list, over all queries at once; and the cascade of RR and ERR.

Sorting and sums are compiled because queries are short and many: numpy takes two to ten times as long to sort a whole
file by query and score, and has no exact running sum that restarts at every query.

RR and ERR follow the cascade model of a reader (Chapelle, Metzler, Zhang & Grinspan, Expected Reciprocal Rank for
Graded Relevance, CIKM 2009): down the list from the top, until a document stops the reader. They are the mean of 1/rank
at the stop. Every relevant document stops in RR; in ERR a document of relevance l stops with probability (2^l − 1) /
2^L.
"""

import numpy as np
from numpy.typing import NDArray

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


@kernel
def shares_on_top(positive: NDArray[np.bool_], query_offsets: IntArray, order: IntArray, first: IntArray) -> FloatArray:
    """Compute the share of every query's positives that score strictly above all its negatives, shape (n_queries,).

    A positive tied with the best negative is not above it, so a constant score puts none on top, whatever the order of
    the file. A query without positives has 0, as in the other measures; one without negatives has 1.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_documents,)
        In file order.
    query_offsets : ndarray of int64, shape (n_queries + 1,)
    order : ndarray of int64, shape (n_documents,)
        The documents in ranked order, query by query.
    first : ndarray of int64, shape (n_groups,)
        The places in that order where groups of tied documents begin.

    References
    ----------
    Rakotomamonjy, Sparse Support Vector Infinite Push, ICML 2012, §4.1: the rate of positives on top.
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


LARGEST_GRADE = 4
"""The L of TREC's gdeval, and so of ir_measures; data with larger grades has its largest one instead."""


def stops_by_grade(relevance: NDArray[np.int32]) -> FloatArray:
    """Compute (2^l − 1) / 2^L for every document, shape (n_documents,)."""
    largest = float(max(LARGEST_GRADE, int(relevance.max())))
    return np.asarray(np.exp2(relevance - largest) - np.exp2(-largest))


@kernel
def reciprocal_ranks(stops: FloatArray, first: IntArray, query_offsets: IntArray) -> FloatArray:
    """Compute the mean of 1/rank where a reader stops, as far as every rank, in expectation over the orders of ties.

    Among n tied documents in a random order, the probability of getting past the first p is the mean of the product of
    1 − stop, over all choices of p. If the k-th document joins k − 1 others, p/k of the products have it as a factor
    and the others do not, so that A_k(p) = p/k (1 − stop_k) A_(k−1)(p − 1) + (1 − p/k) A_(k−1)(p).

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
    sums = np.empty(stops.size, dtype=np.float64)
    query, begin, before, total = 0, 0, 1.0, 0.0
    for g in range(first.size):
        start = first[g]
        stop = first[g + 1] if g + 1 < first.size else stops.size
        if start == query_offsets[query]:
            query, begin, before, total = query + 1, start, 1.0, 0.0
        means = np.zeros(stop - start + 1, dtype=np.float64)
        means[0] = 1.0
        for k in range(1, means.size):
            goes_on = 1.0 - stops[start + k - 1]
            for p in range(k, 0, -1):
                share = p / k
                means[p] = share * goes_on * means[p - 1] + (1.0 - share) * means[p]
        came = before
        for p in range(1, means.size):
            past = before * means[p]
            total += (came - past) / (start + p - begin)
            sums[start + p - 1] = total
            came = past
        before = came
    return sums
