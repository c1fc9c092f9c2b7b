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

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from core.kernels import kernel

CACHE_LINE = 64  # bytes
AHEAD = 8192  # bytes of rows that are asked for before they are needed
COMING = 1 << 19  # bytes of the next query's rows that are asked for while sums over this one's are computed
STRIDE, LEAST_OF_GROUP = 4, 32  # of the documents that stand for all in the curvature at w = 0
SPARSE = 4  # times as many features as a model has: its scores are sums of single products


def _instruction(locality: int) -> Any:
    """Return the instruction that fetches to the cache of this closeness: 3 for the first level, 2 for the second."""

    @intrinsic
    def fetch(_typing: Any, address: Any) -> Any:
        """Ask for the cache line at an address, an integer; it need not be one of the program's."""
        byte_pointer, word = ir.IntType(8).as_pointer(), ir.IntType(32)

        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            kind = ir.FunctionType(ir.VoidType(), [byte_pointer, word, word, word])
            instruction = builder.module.declare_intrinsic("llvm.prefetch", [byte_pointer], kind)
            read, keep, data = word(0), word(locality), word(1)
            return builder.call(instruction, [builder.inttoptr(arguments[0], byte_pointer), read, keep, data])

        return types.void(types.uintp), generate

    return fetch


prefetch = _instruction(3)
"""For what is used next: it stays in the first-level cache, which holds some dozen rows."""
prefetch_early = _instruction(2)
"""For what is used later: it leaves the first-level cache to what is used meanwhile."""


@njit(nogil=True, cache=True)
def _keys(longest):  # type: ignore[no-untyped-def]
    """Allocate ``key`` of `_sort_group` for up to so many documents."""
    return np.empty((longest + 15) & ~15)


@njit(nogil=True, cache=True)
def _sort_group(local, first, size, key, place):  # type: ignore[no-untyped-def]
    """Sort local[first:first+size] into key, and store the places; insertion sort for the usual few documents.

    ``key`` continues to a multiple of 16 with infinity.
    """
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
    for a in range(size, (size + 15) & ~15):
        key[a] = np.inf


@njit(nogil=True, cache=True)
def _count_active(key, size, score):  # type: ignore[no-untyped-def]
    """Count the sorted scores h with h - score < 1: bisection to 16 of them, which a processor compares at once.

    ``key`` continues to a multiple of 16 with infinity.
    """
    first, blocks = 0, (size + 15) >> 4
    while blocks > 1:
        half = blocks >> 1
        first += 16 * half if key[first + 16 * half - 1] - score < 1.0 else 0
        blocks -= half
    count = first
    for k in range(16):
        count += 1 if key[first + k] - score < 1.0 else 0
    return count


@njit(nogil=True, cache=True)
def _rows_within(features, n_bytes):  # type: ignore[no-untyped-def]
    """Return how many rows so many bytes hold, at least 1; X may have no feature, and rows of no length."""
    return max(n_bytes // max(features.strides[0], 1), 1)


@njit(nogil=True, cache=True)
def _longest(group_start, query_group, first, last):  # type: ignore[no-untyped-def]
    longest = 0
    for q in range(first, last):
        longest = max(longest, group_start[query_group[q + 1]] - group_start[query_group[q]])
    return longest


@njit(nogil=True, cache=True)
def _work(longest):  # type: ignore[no-untyped-def]
    """Allocate what `_pairs_of_query` overwrites for queries of up to so many documents."""
    key, place = _keys(longest), np.empty(longest, dtype=np.int64)
    active = np.empty(longest, dtype=np.int64)  # pairs of each document
    mean = np.empty(longest + 1)  # of the lowest k heights
    spread = np.empty(longest + 1)  # sum of their squared deviations from it
    bin_count, bin_sum = np.empty(longest + 1, dtype=np.int64), np.empty(longest + 1)
    return key, place, active, mean, spread, bin_count, bin_sum


@njit(nogil=True, cache=True)
def _pairs_of_query(  # type: ignore[no-untyped-def]
    local, size, group_start, first, last, slope, work, rows, degree, preferred, beaten, bins
):
    """Sum over the pairs of a query's groups ``first`` to ``last``; write its slopes and what its curvature is made of.

    Scores are taken relative to the query's first document: pair differences do not change, and sums of squares round
    less. With c_i the number of active pairs of document i and x_i its row, the sum over active pairs of
    (x_i - x_j)(x_i - x_j)^T is the sum of c_i x_i x_i^T, less M^T Z + Z^T M. M has the rows of the preferred documents,
    and each row of Z is the sum of the rows that the row's document in M should beat.

    Parameters
    ----------
    local : ndarray of float64, shape (at least size,)
        Scores.
    slope : ndarray of float64, shape (at least size,)
        Output: d(sum of squares)/d(score).
    work : tuple of ndarray
        See `_work`.
    rows : ndarray of float64, shape (at least size, n_columns)
        Chosen columns of the documents. None: only the loss.
    degree : ndarray of float64, shape (at least size,)
        Output: c.
    preferred, beaten : ndarray of float64, shape (at least size, n_columns)
        Output, filled from the top: M and Z.
    bins : ndarray of float64, shape (more than size, n_columns)
        Overwritten.

    Returns
    -------
    (float, float, int)
        Sums of the squared slack and of the slack; number of rows filled in ``preferred`` and ``beaten``.
    """
    key, place, active, mean, spread, bin_count, bin_sum = work
    width = rows.shape[1]
    begin = group_start[first]
    shift = local[0]
    squares = 0.0
    slacks = 0.0
    n_preferred = 0
    for p in range(size):
        slope[p] = 0.0
        degree[p] = 0.0
    for g in range(first, last):
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
        for k in range(m + 1):
            bin_count[k] = 0
            bin_sum[k] = 0.0
            for c in range(width):
                bins[k, c] = 0.0
        for p in range(below, size):
            active[p] = _count_active(key, m, local[p])
        for p in range(below, size):
            r = np.uint64(active[p])
            score = local[p] - shift
            short = 1.0 + score - mean[r]  # of the margin, on average
            slack = active[p] * short
            slope[p] += 2.0 * slack
            slacks += slack
            squares += slack * short + spread[r]
            bin_count[r] += 1
            bin_sum[r] += score
        if width:
            for p in range(below, size):
                degree[p] += active[p]
                row, sums = rows[p], bins[np.uint64(active[p])]
                for c in range(width):
                    sums[c] += row[c]
        count = 0
        total = 0.0
        for k in range(m, 0, -1):
            count += bin_count[k]
            total += bin_sum[k]
            i = place[k - 1]
            slope[i] -= 2.0 * (count * (1.0 - (key[k - 1] - shift)) + total)
            if width:
                degree[i] += count
                if k < m:
                    for c in range(width):
                        bins[k, c] += bins[k + 1, c]
                if count > 0:
                    for c in range(width):
                        preferred[n_preferred, c] = rows[i, c]
                        beaten[n_preferred, c] = bins[k, c]
                    n_preferred += 1
    return squares, slacks, n_preferred


@njit(nogil=True, cache=True)
def _pairs_at_zero(size, group_start, first, last, slope):  # type: ignore[no-untyped-def]
    """Do as `_pairs_of_query` for the loss where all scores are 0: every slack is 1, and groups have one slope each."""
    begin = group_start[first]
    n_pairs = 0
    for g in range(first, last + 1):
        top, below = group_start[g] - begin, group_start[g + 1] - begin
        n_pairs += top * (below - top)
        for p in range(top, below):
            slope[p] = 2.0 * (top - (size - below))
    return n_pairs


@kernel
def loss_sweep(scores, order, group_start, query_group, first, last, slopes):  # type: ignore[no-untyped-def]
    """Sum over the pairs of queries ``first`` to ``last``.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_documents,)
    slopes : ndarray of float64, shape (n_documents,)
        Output: d(sum of squares)/d(score).

    Returns
    -------
    (float, float)
        Sums of the squared slack and of the slack.
    """
    longest = _longest(group_start, query_group, first, last)
    local, slope, degree, work = np.empty(longest), np.empty(longest), np.empty(longest), _work(longest)
    none = np.empty((longest + 1, 0))
    squares = 0.0
    slacks = 0.0
    for q in range(first, last):
        begin = group_start[query_group[q]]
        size = group_start[query_group[q + 1]] - begin
        for p in range(size):
            local[p] = scores[order[begin + p]]
        own_squares, own_slacks, _ = _pairs_of_query(
            local, size, group_start, query_group[q], query_group[q + 1] - 1, slope, work, none, degree, none, none,
            none,
        )  # fmt: skip
        squares += own_squares
        slacks += own_slacks
        for p in range(size):
            slopes[order[begin + p]] = slope[p]
    return squares, slacks


@kernel
def query_pass(  # type: ignore[no-untyped-def]
    features, before, w, moving, columns, scores, order, group_start, query_group, first, last, gradient, curvature
):
    """Do as `loss_sweep`, and add up gradient and curvature, from rows that are read once, query by query.

    It also returns the sums of |slope| |score| and of |slope|.

    Parameters
    ----------
    features : ndarray, shape (n_rows, n_features)
    before : int
        Number of documents before the first row.
    w : ndarray of float64, shape (n_features,)
        The model, for the scores.
    moving : ndarray of int64, shape (n_moving,)
        Its features. None: ``scores`` are those of the documents, or all 0 if it is empty.
    columns : ndarray of int64, shape (n_columns,)
        Of the curvature. They are taken relative to the query's first document: differences of a pair do not change,
        and rounding errors are smaller.
    scores : ndarray of float64, shape (n_documents,) or (0,)
    gradient : ndarray of float64, shape (n_features,) or (0,)
        Added to: that of the sum of squares, unless it is empty.
    curvature : ndarray of float64, shape (n_columns, n_columns)
        Added to: the sum over active pairs of (x_i - x_j)(x_i - x_j)^T.
    """
    longest = _longest(group_start, query_group, first, last)
    width = len(columns)
    local, slope, degree, work = np.empty(longest), np.empty(longest), np.empty(longest), _work(longest)
    minus = np.full(longest, -1.0)
    row_of = np.empty(longest, dtype=np.int64)
    rows = np.empty((longest, width))
    preferred = np.empty((longest, width))
    beaten = np.empty((longest, width))
    bins = np.empty((longest + 1, width))
    stop = group_start[query_group[last]]
    n_coming = _rows_within(features, COMING)
    of_one = slope.reshape(1, -1)
    at_zero = len(moving) == 0 and len(scores) == 0 and width == 0
    squares = 0.0
    slacks = 0.0
    answer = 0.0
    score_slope = 0.0
    for q in range(first, last):
        begin = group_start[query_group[q]]
        size = group_start[query_group[q + 1]] - begin
        for p in range(size):
            row_of[p] = order[begin + p] - before
            if len(moving) == 0:
                local[p] = scores[order[begin + p]] if len(scores) else 0.0
        reads = width > 0 or len(moving) > 0
        if reads:
            _read_rows(features, before, w, moving, columns, order, begin, begin + size, stop, rows, local)
        if at_zero:
            own_squares = own_slacks = float(
                _pairs_at_zero(size, group_start, query_group[q], query_group[q + 1] - 1, slope)
            )
            n_preferred = 0
        else:
            own_squares, own_slacks, n_preferred = _pairs_of_query(
                local, size, group_start, query_group[q], query_group[q + 1] - 1, slope, work, rows, degree, preferred,
                beaten, bins,
            )  # fmt: skip
        squares += own_squares
        slacks += own_slacks
        for p in range(size):
            answer += abs(slope[p]) * abs(local[p])
            score_slope += abs(slope[p])
        coming = order[begin + size : min(begin + size + n_coming, stop)]
        if width:
            _add_products(degree, rows, rows, size, curvature, features, before, coming)
            _add_products(minus, preferred, beaten, n_preferred, curvature, features, before, coming[:0])
            _add_products(minus, beaten, preferred, n_preferred, curvature, features, before, coming[:0])
        if len(gradient):
            soon = coming[:0] if width else coming
            _add_rows(features, row_of[:size], of_one, gradient.reshape(1, -1), reads, before, soon)
    _mirror(curvature)
    return squares, slacks, answer, score_slope


@kernel
def models_pass(  # type: ignore[no-untyped-def]
    features, before, weights, used, order, group_start, query_group, first, last, gradients, sums
):
    """Do as `query_pass` for several models, without curvature.

    Parameters
    ----------
    features : ndarray, shape (n_rows, n_features)
    before : int
        Number of documents before the first row.
    weights : ndarray of float64, shape (n_models, n_used)
        Those of the features ``used``; the others are 0 in every model.
    used : ndarray of int64, shape (n_used,)
    gradients : ndarray of float64, shape (n_models, n_features)
        Added to: those of the sums of squares.
    sums : ndarray of float64, shape (n_models, 4)
        Added to: what `query_pass` returns.
    """
    longest = _longest(group_start, query_group, first, last)
    n_models = len(weights)
    columns = np.empty((len(used), longest))
    scores = np.empty((n_models, longest))
    slopes = np.empty((n_models, longest))
    degree, work = np.empty(longest), _work(longest)
    row_of = np.empty(longest, dtype=np.int64)
    none = np.empty((longest + 1, 0))
    stop = group_start[query_group[last]]
    n_coming = _rows_within(features, COMING)
    for q in range(first, last):
        begin = group_start[query_group[q]]
        size = group_start[query_group[q + 1]] - begin
        for p in range(size):
            row_of[p] = order[begin + p] - before
            row = features[row_of[p]]
            for c in range(len(used)):
                columns[c, p] = row[used[c]]
        for m in range(n_models):
            _add_columns(columns, weights[m], size, scores[m])
            own_squares, own_slacks, _ = _pairs_of_query(
                scores[m], size, group_start, query_group[q], query_group[q + 1] - 1, slopes[m], work, none, degree,
                none, none, none,
            )  # fmt: skip
            sums[m, 0] += own_squares
            sums[m, 1] += own_slacks
            for p in range(size):
                sums[m, 2] += abs(slopes[m, p]) * abs(scores[m, p])
                sums[m, 3] += abs(slopes[m, p])
        coming = order[begin + size : min(begin + size + n_coming, stop)]
        _add_rows(features, row_of[:size], slopes, gradients, True, before, coming)


@njit(nogil=True, cache=True)
def _add_columns(columns, factors, n, total):  # type: ignore[no-untyped-def]
    """Write the sum of columns, each times its factor, to ``total``, up to row n."""
    total[:n] = 0.0
    for c in range(len(factors)):
        factor, column = factors[c], columns[c]
        for p in range(n):
            total[p] += factor * column[p]


@njit(nogil=True, cache=True)
def _stride(size):  # type: ignore[no-untyped-def]
    """Return of how many documents of a group one stands for all."""
    return max(min(size // LEAST_OF_GROUP, STRIDE), 1)


@njit(nogil=True, cache=True)
def _take(order, group_start, query_group, q, taken):  # type: ignore[no-untyped-def]
    """Write the documents that stand for those of a query; return how many there are."""
    n = 0
    for g in range(query_group[q], query_group[q + 1]):
        for p in range(group_start[g], group_start[g + 1], _stride(group_start[g + 1] - group_start[g])):
            taken[n] = order[p]
            n += 1
    return n


@kernel
def curvature_at_zero(  # type: ignore[no-untyped-def]
    features, before, columns, order, group_start, query_group, first, last, curvature
):
    """Estimate what `query_pass` adds to the curvature at w = 0, where every pair is active.

    Of a large group of equally relevant documents, one of up to `STRIDE` stands for all of them; of at least
    `LEAST_OF_GROUP`, if there are so many. The sum over pairs of two groups needs each group's sums of x x^T and of x.
    """
    longest = _longest(group_start, query_group, first, last)
    width = len(columns)
    taken, coming = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    weight = np.empty(longest)
    degree = np.empty(longest)
    rows = np.empty((longest, width))
    none = np.empty(0)
    above, own, minus = np.empty((1, width)), np.empty((1, width)), np.full(1, -1.0)
    n_coming = _take(order, group_start, query_group, first, coming)
    for q in range(first, last):
        taken, coming, n = coming, taken, n_coming
        n_coming = _take(order, group_start, query_group, q + 1, coming) if q + 1 < last else 0
        _read_rows(features, before, none, columns[:0], columns, taken, 0, n, n, rows, none)
        size = group_start[query_group[q + 1]] - group_start[query_group[q]]
        above[:] = 0.0
        n = 0
        for g in range(query_group[q], query_group[q + 1]):
            top, below = group_start[g], group_start[g + 1]
            stride = _stride(below - top)
            own[:] = 0.0
            for p in range(top, below, stride):
                weight[n] = min(stride, below - p)
                degree[n] = weight[n] * (size - (below - top))
                for c in range(width):
                    own[0, c] += weight[n] * rows[n, c]
                n += 1
            _add_products(minus, above, own, 1, curvature, features, before, coming[:0])
            _add_products(minus, own, above, 1, curvature, features, before, coming[:0])
            above += own
        soon = coming[: min(n_coming, _rows_within(features, COMING))]
        _add_products(degree, rows, rows, n, curvature, features, before, soon)
    _mirror(curvature)


@njit(nogil=True, cache=True)
def _mirror(lower):  # type: ignore[no-untyped-def]
    """Copy the lower triangle to the upper one."""
    for a in range(lower.shape[0]):
        for b in range(a):
            lower[b, a] = lower[a, b]


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def _read_rows(features, before, w, moving, columns, order, begin, end, stop, rows, local):  # type: ignore[no-untyped-def]
    """Compute the scores of a query's documents, if the model has features, and gather their chosen columns.

    Rows are asked for ahead, up to position ``stop``: the few numbers that are taken from each would make the processor
    wait for every one.
    """
    width, n_features = len(columns), features.shape[1]
    origin = np.empty(width)
    for c in range(width):
        origin[c] = features[order[begin] - before, columns[c]]
    address, stride = np.uintp(features.ctypes.data), features.strides[0]
    ahead = _rows_within(features, AHEAD)
    for p in range(end - begin):
        coming = address + np.uintp((order[min(begin + p + ahead, stop - 1)] - before) * stride)
        for line in range(0, stride, CACHE_LINE):
            prefetch(coming + np.uintp(line))
        source, row = features[order[begin + p] - before], rows[p]
        if SPARSE * len(moving) > n_features:
            total = 0.0
            for j in range(n_features):
                total += np.float64(source[j]) * w[j]
            local[p] = total
        elif len(moving):
            total = 0.0
            for c in range(len(moving)):
                total += np.float64(source[moving[c]]) * w[moving[c]]
            local[p] = total
        for c in range(width):
            row[c] = np.float64(source[columns[c]]) - origin[c]


@njit(nogil=True, cache=True)
def _ask_for(row, stride):  # type: ignore[no-untyped-def]
    """Ask for the row of X at an address: reading it from memory overlaps with what is computed meanwhile."""
    for line in range(0, stride, CACHE_LINE):
        prefetch_early(row + np.uintp(line))


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def _add_products(factor, left, right, n, total, features, before, coming):  # type: ignore[no-untyped-def]
    """Add the sum over p < n of factor_p left_p right_p^T to the lower triangle of ``total``.

    Four rows and two rows of the total at a time, so that each is loaded less often. The rows of up to n documents that
    are ``coming`` are asked for meanwhile.
    """
    width = total.shape[0]
    address, stride, n_coming = np.uintp(features.ctypes.data), features.strides[0], len(coming)
    for p in range(0, n - 3, 4):
        for i in range(p, min(p + 4, n_coming)):
            _ask_for(address + np.uintp((coming[i] - before) * stride), stride)
        l0, l1, l2, l3 = left[p], left[p + 1], left[p + 2], left[p + 3]
        r0, r1, r2, r3 = right[p], right[p + 1], right[p + 2], right[p + 3]
        f0, f1, f2, f3 = factor[p], factor[p + 1], factor[p + 2], factor[p + 3]
        for a in range(0, width - 1, 2):
            s0, s1, s2, s3 = f0 * l0[a], f1 * l1[a], f2 * l2[a], f3 * l3[a]
            t0, t1, t2, t3 = f0 * l0[a + 1], f1 * l1[a + 1], f2 * l2[a + 1], f3 * l3[a + 1]
            upper, lower = total[a], total[a + 1]
            for b in range(a + 2):
                x0, x1, x2, x3 = r0[b], r1[b], r2[b], r3[b]
                upper[b] += (s0 * x0 + s1 * x1) + (s2 * x2 + s3 * x3)
                lower[b] += (t0 * x0 + t1 * x1) + (t2 * x2 + t3 * x3)
        if width % 2:
            a = width - 1
            s0, s1, s2, s3 = f0 * l0[a], f1 * l1[a], f2 * l2[a], f3 * l3[a]
            upper = total[a]
            for b in range(width):
                upper[b] += (s0 * r0[b] + s1 * r1[b]) + (s2 * r2[b] + s3 * r3[b])
    for p in range(n - n % 4, n):
        for a in range(width):
            s0 = factor[p] * left[p, a]
            for b in range(a + 1):
                total[a, b] += s0 * right[p, b]


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def _add_rows(features, rows, factors, totals, cached, before, coming):  # type: ignore[no-untyped-def]
    """Add some rows of X, times each model's factor, to its total, and ask for those that are ``coming`` meanwhile.

    Four at once are faster where the processor's cache has them, and one by one where they come from memory.

    Parameters
    ----------
    rows : ndarray of int64, shape (n,)
    factors : ndarray of float64, shape (n_models, at least n)
    totals : ndarray of float64, shape (n_models, n_features)
    """
    n = len(rows) if cached else 0
    address, stride, n_coming = np.uintp(features.ctypes.data), features.strides[0], len(coming)
    for p in range(0, n - 3, 4):
        for i in range(p, min(p + 4, n_coming)):
            _ask_for(address + np.uintp((coming[i] - before) * stride), stride)
        r0, r1, r2, r3 = features[rows[p]], features[rows[p + 1]], features[rows[p + 2]], features[rows[p + 3]]
        for m in range(len(totals)):
            f0, f1, f2, f3 = factors[m, p], factors[m, p + 1], factors[m, p + 2], factors[m, p + 3]
            total = totals[m]
            for j in range(len(total)):
                total[j] += (f0 * np.float64(r0[j]) + f1 * np.float64(r1[j])) + (
                    f2 * np.float64(r2[j]) + f3 * np.float64(r3[j])
                )
    for p in range(n - n % 4, len(rows)):
        if p < n_coming:
            _ask_for(address + np.uintp((coming[p] - before) * stride), stride)
        row = features[rows[p]]
        for m in range(len(totals)):
            factor, total = factors[m, p], totals[m]
            for j in range(len(total)):
                total[j] += factor * np.float64(row[j])


@kernel
def curvature_sweep(scores, direction, order, group_start, query_group, first, last, product):  # type: ignore[no-untyped-def]
    """Write 2 x sum over active pairs of (v_i - v_j)(e_i - e_j) into ``product``, for a direction v in scores."""
    longest = _longest(group_start, query_group, first, last)
    local = np.empty(longest)
    slope = np.empty(longest)
    key = _keys(longest)
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
