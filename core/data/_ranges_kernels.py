"""Compiled sweeps for the ranges of features within queries, and for features without offsets."""

from __future__ import annotations

from numba import njit


@njit(nogil=True, cache=True)
def range_sweep(features, offsets, first, last, low, high, within, far):  # type: ignore[no-untyped-def]
    """Widen the ends of every feature by the rows of queries ``first`` to ``last``.

    Parameters
    ----------
    features : ndarray, shape (n_rows, n_features)
    offsets : ndarray of int64, shape (n_queries + 1,)
        First rows of the queries, counted from the first row of ``features``.
    low, high : ndarray of the features' type, shape (n_features,)
        Lowest and highest value.
    within : ndarray of the features' type, shape (n_features,)
        Largest difference of two values of a query.
    far : ndarray of the features' type, shape (n_features,)
        Largest size of a value in a query from which `without_offsets` takes an offset.
    """
    width = features.shape[1]
    lowest, highest = low.copy(), high.copy()
    for q in range(first, last):
        begin = offsets[q]
        for j in range(width):
            lowest[j] = highest[j] = features[begin, j]
        for i in range(begin + 1, offsets[q + 1]):
            row = features[i]
            for j in range(width):
                value = row[j]
                lowest[j] = value if value < lowest[j] else lowest[j]
                highest[j] = value if value > highest[j] else highest[j]
        for j in range(width):
            a, b = lowest[j], highest[j]
            low[j] = a if a < low[j] else low[j]
            high[j] = b if b > high[j] else high[j]
            within[j] = b - a if b - a > within[j] else within[j]
            if (a > 0.0 and 0.5 * b <= a) or (b < 0.0 and 0.5 * a >= b):
                size = max(b, -a)
                far[j] = size if size > far[j] else far[j]


@njit(nogil=True, cache=True)
def without_offsets(features, offsets, first, last, unit, changed):  # type: ignore[no-untyped-def]
    """Write the rows of some queries less each feature's offset in the query, divided by its unit.

    The offset is the value of the first document wherever all values of the query lie within a factor of two of each
    other; else it is 0. Such a difference has no rounding error (Sterbenz 1974), nor has a division by a power of 2.

    Parameters
    ----------
    features, changed : ndarray, shape (n_rows, n_features)
    offsets : ndarray of int64, shape (n_queries + 1,)
    unit : ndarray of the features' type, shape (n_features,)
        Powers of 2.
    """
    width = features.shape[1]
    lowest, highest, origin = unit.copy(), unit.copy(), unit.copy()
    for q in range(first, last):
        begin = offsets[q]
        for j in range(width):
            lowest[j] = highest[j] = features[begin, j]
        for i in range(begin + 1, offsets[q + 1]):
            row = features[i]
            for j in range(width):
                value = row[j]
                lowest[j] = value if value < lowest[j] else lowest[j]
                highest[j] = value if value > highest[j] else highest[j]
        for j in range(width):
            a, b = lowest[j], highest[j]
            near = (a > 0.0 and 0.5 * b <= a) or (b < 0.0 and 0.5 * a >= b)
            origin[j] = features[begin, j] if near else 0.0
        for i in range(begin, offsets[q + 1]):
            row, target = features[i], changed[i]
            for j in range(width):
                target[j] = (row[j] - origin[j]) / unit[j]
