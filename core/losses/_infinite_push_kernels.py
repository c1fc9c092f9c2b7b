"""Compiled sweep of the infinite push with a top share over a range of queries, without building pairs.

The positives of a query are sorted by score once. For a top negative j, the height h_j = (1/m) sum_i max(0, 1 - s_i +
s_j) comes from the first r positives, found by bisection, and their prefix sum. The gradient of the positives comes
from the numbers r, summed from the top. Only the top negatives are visited.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels import kernel
from core.losses._squared_hinge_kernels import _count_active, _keys, _longest, _sort_group


@njit(nogil=True, cache=True)
def _kth_smallest(values, k):  # type: ignore[no-untyped-def]
    """Return the value at place k of the sorted values, whose order is changed (Hoare 1961).

    ``np.partition`` finds it as fast, but takes three seconds to compile.
    """
    low, high = 0, len(values) - 1
    while low < high:
        pivot, i, j = values[(low + high) >> 1], low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if j < k < i:
            break
        low, high = (low, j) if k <= j else (i, high)
    return values[k]


@njit(nogil=True, cache=True)
def _top_weights(local, m, size, k, weight):  # type: ignore[no-untyped-def]
    """Give weight 1 to the k highest-scored negatives, 0 to the others; ties at the k-th share the rest of k evenly."""
    n = size - m
    last = n - min(int(np.ceil(k)), n)
    threshold = _kth_smallest(local[m:size].copy(), last)
    above = 0
    level = 0
    for j in range(n):
        above += local[m + j] > threshold
        level += local[m + j] == threshold
    rest = (k - above) / level
    for j in range(n):
        score = local[m + j]
        weight[j] = 1.0 if score > threshold else (rest if score == threshold else 0.0)


@kernel
def push_sweep(scores, order, group_start, query_group, first, last, top, gradient):  # type: ignore[no-untyped-def]
    """Sum the loss and its dual point over queries, and write a subgradient of the loss into ``gradient``.

    Every query has two groups of documents in ``order``, positives first, and k = ``top[q]`` top negatives.
    """
    longest = _longest(group_start, query_group, first, last)
    local = np.empty(longest)
    key = _keys(longest)
    place = np.empty(longest, dtype=np.int64)
    weight = np.empty(longest)
    sums = np.empty(longest + 1)
    pulls = np.empty(longest + 1)
    value = 0.0
    dual = 0.0
    for q in range(first, last):
        begin = group_start[query_group[q]]
        m = group_start[query_group[q] + 1] - begin
        size = group_start[query_group[q + 1]] - begin
        n = size - m
        k = top[q]
        origin = scores[order[begin]]
        for p in range(size):
            local[p] = scores[order[begin + p]]
        _sort_group(local, 0, m, key, place)
        _top_weights(local, m, size, k, weight)
        sums[0] = 0.0
        for a in range(m):
            sums[a + 1] = sums[a] + (key[a] - origin)
            pulls[a + 1] = 0.0
        for j in range(n):
            pull = weight[j] / (k * m)
            r = _count_active(key, m, local[m + j]) if pull > 0.0 else 0
            gradient[order[begin + m + j]] = pull * r
            value += pull * (r * (1.0 + (local[m + j] - origin)) - sums[r])
            dual += pull * r
            pulls[r] += pull
        pull = 0.0
        for a in range(m - 1, -1, -1):
            pull += pulls[a + 1]
            gradient[order[begin + place[a]]] = -pull
    return value, dual
