"""Compiled sweeps over the preference pairs of a range of queries; their time grows with documents, not pairs.

A sweep takes one group of equally relevant documents and all less relevant documents of the query. It sorts the group's
scores h_0 <= h_1 <= ... A less relevant document with score b forms active pairs (1 - h_k + b > 0) with exactly the
first r of them, found by bisection on the unshifted scores, so that rounding does not decide whether a margin is
exactly 1. Prefix sums over the h give the less relevant document its share of the gradient; bins by r, summed from the
top, give each h_k its share. The sum of squares is computed as the squared deviations from the mean of the h plus the
square of that mean: both have the same sign. Expanded into sums of scores and of squared scores it would cancel where
every slack is small, and the objective at a tiny lambda would be lost. Cost: documents x log(group size) for every
level; the (many) documents of the lowest level are not sorted.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@njit(nogil=True, cache=True)
def _sort_group(local, first, size, key, place):  # type: ignore[no-untyped-def]
    """Sort local[first:first+size] into key and store the places; insertion sort for the usual few documents."""
    if size <= 48:
        for a in range(size):
            value = local[first + a]
            b = a
            while b > 0 and key[b - 1] > value:
                key[b] = key[b - 1]
                place[b] = place[b - 1]
                b -= 1
            key[b] = value
            place[b] = first + a
    else:
        ranks = np.argsort(local[first : first + size])
        for a in range(size):
            place[a] = first + ranks[a]
            key[a] = local[place[a]]


@njit(nogil=True, cache=True)
def _count_active(key, size, score):  # type: ignore[no-untyped-def]
    """Count the sorted scores h with h - score < 1."""
    low, high = 0, size
    while low < high:
        middle = (low + high) >> 1
        if key[middle] - score < 1.0:
            low = middle + 1
        else:
            high = middle
    return low


@njit(nogil=True, cache=True)
def _longest(group_start, query_group, first, last):  # type: ignore[no-untyped-def]
    longest = 0
    for q in range(first, last):
        longest = max(longest, group_start[query_group[q + 1]] - group_start[query_group[q]])
    return longest


@njit(nogil=True, cache=True)
def loss_sweep(scores, order, group_start, query_group, first, last, gradient):  # type: ignore[no-untyped-def]
    """Sum the squared slack and the slack over pairs; write d(sum of squares)/d(score) into ``gradient``.

    Scores are taken relative to the query's first document: pair differences do not change, and sums of squares round
    less.
    """
    longest = _longest(group_start, query_group, first, last)
    local = np.empty(longest)
    slope = np.empty(longest)
    key = np.empty(longest)
    place = np.empty(longest, dtype=np.int64)
    mean = np.empty(longest + 1)  # of the lowest k heights
    spread = np.empty(longest + 1)  # sum of their squared deviations from it
    bin_count = np.empty(longest, dtype=np.int64)
    bin_sum = np.empty(longest)
    squares = 0.0
    slacks = 0.0
    for q in range(first, last):
        begin = group_start[query_group[q]]
        size = group_start[query_group[q + 1]] - begin
        shift = scores[order[begin]]
        for p in range(size):
            local[p] = scores[order[begin + p]]
            slope[p] = 0.0
        for g in range(query_group[q], query_group[q + 1] - 1):
            top = group_start[g] - begin
            below = group_start[g + 1] - begin
            m = below - top
            _sort_group(local, top, m, key, place)
            mean[0] = 0.0
            spread[0] = 0.0
            for k in range(m):
                height = key[k] - shift
                ahead = height - mean[k]
                mean[k + 1] = mean[k] + ahead / (k + 1)
                spread[k + 1] = spread[k] + ahead * (height - mean[k + 1])
                bin_count[k] = 0
                bin_sum[k] = 0.0
            lowest = key[0]
            for p in range(below, size):
                if lowest - local[p] < 1.0:
                    r = _count_active(key, m, local[p])
                    score = local[p] - shift
                    short = 1.0 + score - mean[r]  # of the margin, on average
                    slack = r * short
                    slope[p] += 2.0 * slack
                    slacks += slack
                    squares += slack * short + spread[r]
                    bin_count[r - 1] += 1
                    bin_sum[r - 1] += score
            count = 0
            total = 0.0
            for k in range(m - 1, -1, -1):
                count += bin_count[k]
                total += bin_sum[k]
                slope[place[k]] -= 2.0 * (count * (1.0 - (key[k] - shift)) + total)
        for p in range(size):
            gradient[order[begin + p]] = slope[p]
    return squares, slacks


@njit(nogil=True, cache=True)
def curvature_sweep(scores, direction, order, group_start, query_group, first, last, product):  # type: ignore[no-untyped-def]
    """Write 2 x sum over active pairs of (v_i - v_j)(e_i - e_j) into ``product``, for a direction v in scores."""
    longest = _longest(group_start, query_group, first, last)
    local = np.empty(longest)
    slope = np.empty(longest)
    key = np.empty(longest)
    place = np.empty(longest, dtype=np.int64)
    prefix = np.empty(longest + 1)
    bin_count = np.empty(longest, dtype=np.int64)
    bin_sum = np.empty(longest)
    for q in range(first, last):
        begin = group_start[query_group[q]]
        size = group_start[query_group[q + 1]] - begin
        for p in range(size):
            local[p] = scores[order[begin + p]]
            slope[p] = 0.0
        for g in range(query_group[q], query_group[q + 1] - 1):
            top = group_start[g] - begin
            below = group_start[g + 1] - begin
            m = below - top
            _sort_group(local, top, m, key, place)
            prefix[0] = 0.0
            for k in range(m):
                prefix[k + 1] = prefix[k] + direction[order[begin + place[k]]]
                bin_count[k] = 0
                bin_sum[k] = 0.0
            for p in range(below, size):
                r = _count_active(key, m, local[p])
                if r > 0:
                    v = direction[order[begin + p]]
                    slope[p] += 2.0 * (r * v - prefix[r])
                    bin_count[r - 1] += 1
                    bin_sum[r - 1] += v
            count = 0
            total = 0.0
            for k in range(m - 1, -1, -1):
                count += bin_count[k]
                total += bin_sum[k]
                slope[place[k]] += 2.0 * (count * direction[order[begin + place[k]]] - total)
        for p in range(size):
            product[order[begin + p]] = slope[p]


@njit(nogil=True, cache=True)
def hessian_rows(  # type: ignore[no-untyped-def]
    features, columns, scores, order, group_start, query_group, first, last, scaled, preferred, beaten
):
    """Compute rows whose products give the Hessian of the chosen columns, for queries ``first`` to ``last``.

    With c_i the number of active pairs of document i, the sum over active pairs of (x_i - x_j)(x_i - x_j)^T is B^T B -
    M^T Z - Z^T M. B holds sqrt(c_i) x_i, M the preferred documents, and each row of Z the sum of the documents that the
    row's document in M should beat. Features are taken relative to the query's first document: differences do not
    change, and rounding errors are smaller.

    Parameters
    ----------
    features : ndarray, shape (n_documents, n_features), C-contiguous
    columns : ndarray of int64, shape (n_columns,)
    scaled, preferred, beaten : ndarray of float64, shape (n_documents of these queries, n_columns)
        Output, filled from the top: B, M and Z.

    Returns
    -------
    (int, int)
        Number of rows filled in ``scaled``, and in both ``preferred`` and ``beaten``.
    """
    longest = _longest(group_start, query_group, first, last)
    width = len(columns)
    local = np.empty(longest)
    key = np.empty(longest)
    place = np.empty(longest, dtype=np.int64)
    bins = np.empty((longest, width))
    bin_count = np.empty(longest, dtype=np.int64)
    degree = np.empty(longest, dtype=np.int64)
    rows = np.empty((longest, width))
    n_scaled = 0
    n_preferred = 0
    for q in range(first, last):
        begin = group_start[query_group[q]]
        size = group_start[query_group[q + 1]] - begin
        origin = order[begin]
        for p in range(size):
            document = order[begin + p]
            local[p] = scores[document]
            degree[p] = 0
            for c in range(width):
                rows[p, c] = np.float64(features[document, columns[c]]) - np.float64(features[origin, columns[c]])
        for g in range(query_group[q], query_group[q + 1] - 1):
            top = group_start[g] - begin
            below = group_start[g + 1] - begin
            m = below - top
            _sort_group(local, top, m, key, place)
            for k in range(m):
                bin_count[k] = 0
                for c in range(width):
                    bins[k, c] = 0.0
            for p in range(below, size):
                r = _count_active(key, m, local[p])
                if r > 0:
                    degree[p] += r
                    bin_count[r - 1] += 1
                    for c in range(width):
                        bins[r - 1, c] += rows[p, c]
            for k in range(m - 2, -1, -1):
                bin_count[k] += bin_count[k + 1]
                for c in range(width):
                    bins[k, c] += bins[k + 1, c]
            for k in range(m):
                if bin_count[k] > 0:
                    degree[place[k]] += bin_count[k]
                    for c in range(width):
                        preferred[n_preferred, c] = rows[place[k], c]
                        beaten[n_preferred, c] = bins[k, c]
                    n_preferred += 1
        for p in range(size):
            if degree[p] > 0:
                root = np.sqrt(degree[p])
                for c in range(width):
                    scaled[n_scaled, c] = root * rows[p, c]
                n_scaled += 1
    return n_scaled, n_preferred


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def products(rows, weights, scores):  # type: ignore[no-untyped-def]
    """Compute rows of single precision times weights in double precision, without a copy of the rows.

    Sums are taken in an order that the processor's width suggests, as matrix products do.

    Parameters
    ----------
    rows : ndarray of float32, shape (n_rows, n_features), C-contiguous
    weights : ndarray of float64, shape (n_models, n_features)
    scores : ndarray of float64, shape (n_models, n_rows)
        Output.
    """
    for i in range(rows.shape[0]):
        for m in range(weights.shape[0]):
            total = 0.0
            for j in range(rows.shape[1]):
                total += np.float64(rows[i, j]) * weights[m, j]
            scores[m, i] = total


@njit(nogil=True, cache=True)
def add_rows(rows, factors, sums):  # type: ignore[no-untyped-def]
    """Add rows of single precision times factors up in double precision, without a copy of the rows.

    Parameters
    ----------
    rows : ndarray of float32, shape (n_rows, n_features), C-contiguous
    factors : ndarray of float64, shape (n_models, n_rows)
    sums : ndarray of float64, shape (n_models, n_features)
        Added to.
    """
    for i in range(rows.shape[0]):
        for m in range(factors.shape[0]):
            factor = factors[m, i]
            if factor != 0.0:
                for j in range(rows.shape[1]):
                    sums[m, j] += factor * np.float64(rows[i, j])
