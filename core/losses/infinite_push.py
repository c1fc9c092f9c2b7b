"""The infinite push loss and its extension to a top share of negatives, without building pairs.

In the compiled sweep the positives of a query are sorted by score once. For a top negative j, the height h_j = (1/m)
sum_i max(0, 1 - s_i + s_j) comes from the first r positives, found by bisection, and their prefix sum. The gradient of
the positives comes from the numbers r, summed from the top. Only the top negatives are visited.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.data import DataError, RankingData
from core.kernels import kernel
from core.losses._squared_hinge_kernels import _count_active, _keys, _longest, _sort_group
from core.losses.base import FloatArray, IntArray, LossEvaluation
from core.losses.pair_groups import PairGroups
from core.penalties import Parameter
from core.threads import cut, over_chunks

TOP_SHARE = Parameter(
    "top_share", "κ", 0.0, 0.0, 1.0,
    "How much of each list's highest-scored negatives counts: 0 is the single highest (infinite push), 1 all of them "
    "(average pairwise hinge).",
    ends=("absolute top", "whole list"),
)  # fmt: skip
ROUNDING = 1e-9  # 0.3 of 10 negatives are 3, whatever 0.3 * 10 is in binary
CHUNK_DOCUMENTS = 8192  # enough work to outweigh handing a chunk to a thread


class InfinitePush:
    """Mean over queries of the mean over the top negatives j of h_j = (1/m) sum_i max(0, 1 - s_i + s_j).

    A query's m positives i have relevance > 0, its n negatives j have relevance 0. The top negatives are the k
    highest-scored ones, where k is kappa n rounded up and at least 1: the mean over them is the conditional value at
    risk of h. h_j increases with s_j, so kappa = 0 gives max_j h_j, the infinite push of Agarwal (2011) and
    Rakotomamonjy (2012, eq. 2), and kappa = 1 the mean over all pairs. With equal scores the loss is 1.

    Raises a `DataError` if no query has both positives and negatives, and a `ValueError` if the share is not between 0
    and 1.

    Parameters
    ----------
    relevance : ndarray of int, shape (n_documents,)
    query_offsets : ndarray of int64, shape (n_queries + 1,)
    top_share : float
        kappa, from 0 to 1.

    Attributes
    ----------
    positive : ndarray of bool, shape (n_documents,)
    groups : PairGroups
        Two groups for every query in the loss: its positives, then its negatives.
    n_pairs : int
        Number of pairs of a positive and a negative of the same query.
    top : ndarray, shape (n_queries_used,)
        k of every query.
    n_queries_used, n_queries_skipped : int
        Number of queries with both positives and negatives, and of the others, which are not in the loss.
    """

    n_terms = 1

    def __init__(self, relevance: NDArray[np.integer], query_offsets: IntArray, top_share: float = 0.0) -> None:
        self.top_share = TOP_SHARE.check(top_share)
        self.positive = positive = relevance > 0
        self.groups = PairGroups.of(positive.astype(np.int64), query_offsets)
        self.query_offsets = query_offsets
        self.n_documents = len(relevance)
        self.n_queries_used = len(self.groups.query_group) - 1
        self.n_queries_skipped = len(query_offsets) - 1 - self.n_queries_used
        if self.n_queries_used == 0:
            raise DataError(_what_is_missing(positive))
        self.n_pairs = self.groups.n_pairs
        self.top = top_counts(self.top_share, np.diff(self.groups.group_start)[1::2])
        self._chunks = cut(self.groups.query_sizes, CHUNK_DOCUMENTS)

    @classmethod
    def of(cls, data: RankingData, top_share: float = 0.0) -> InfinitePush:
        """Make the loss of these documents."""
        return cls(data.relevance, data.query_offsets, top_share)

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        """Compute value, a subgradient and the dual ray in O(n log n) a query.

        The dual point alpha_ij is p_j / m where the pair's slack is positive; p_j <= 1/k is the weight of top negative
        j. Its ray has slope sum(alpha), no curvature, and ends at theta = 1.
        """
        groups = self.groups
        gradient = np.zeros(self.n_documents)

        def sweep(first: int, last: int) -> tuple[float, float]:
            result: tuple[float, float] = push_sweep(
                scores, groups.order, groups.group_start, groups.query_group, first, last, self.top, gradient
            )
            return result

        sums = over_chunks(sweep, self._chunks)
        gradient /= self.n_queries_used
        value = sum(value for value, _ in sums) / self.n_queries_used
        slope = sum(dual for _, dual in sums) / self.n_queries_used
        return LossEvaluation(slope, 0.0, 1.0, value=value, gradient=gradient)


def top_counts(top_share: float, n_negatives: NDArray[np.integer]) -> FloatArray:
    """Return k, the number of top negatives of each query: its share rounded up, at least 1 (as floats)."""
    counts: FloatArray = np.maximum(1.0, np.ceil(top_share * n_negatives - ROUNDING))
    return counts


def _what_is_missing(positive: NDArray[np.bool_]) -> str:
    if not positive.any():
        return "no document is relevant, so there is nothing to push to the top; check the relevance labels"
    if positive.all():
        return "every document is relevant, so there is nothing to rank them above; check the relevance labels"
    return (
        "no query has both relevant and irrelevant documents, so there is nothing to push to the top of a list; "
        "check the relevance labels and the query ids"
    )


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
