"""Ranges of features within queries, and features in units in which no number hides another.

Pairs see differences within a query only. So an offset of a feature in a query never matters, and where it is large
beside the differences it costs digits of every sum. `in_units` takes it away, and brings ranges together, by
operations without a rounding error: the problem is the same to the last bit of X.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.data.feature_blocks import ChangedBlocks, blocks_of
from core.kernels import kernel, read_only
from core.threads import cut, over_chunks

Features = NDArray[np.floating]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FAR = 1e4  # times its range within queries: an offset beyond that costs four digits
WIDE = 100.0  # times another range: first-order methods then take some hundred times as many steps
_VALUES_AT_ONCE = 1 << 20


@dataclass(frozen=True, eq=False)
class ColumnRanges:
    """What one pass over X finds out about each feature; arrays of shape (n_features,).

    Attributes
    ----------
    low, high : ndarray
        Lowest and highest value.
    within : ndarray
        Largest difference of two values of one query.
    far : ndarray
        Largest size of a value in a query whose values lie within a factor of two of each other; 0 if there is none.
    """

    low: Features
    high: Features
    within: Features
    far: Features

    @classmethod
    def of(cls, features: Features, query_offsets: IntArray) -> ColumnRanges:
        """Read an array, or blocks, once."""
        if (blocks := blocks_of(features)) is not None:
            return reduce(cls.__or__, blocks.over(cls.of, lambda a, b: (offsets_between(query_offsets, a, b),)))

        rows, offsets = read_only(features), read_only(query_offsets)

        def sweep(first: int, last: int) -> ColumnRanges:
            low, high, within, far = (np.full(features.shape[1], end, features.dtype) for end in _NOTHING_SEEN)
            _range_sweep(rows, offsets, first, last, low, high, within, far)
            return cls(low, high, within, far)

        return reduce(cls.__or__, over_chunks(sweep, _chunks(features, query_offsets)))

    def __or__(self, more: ColumnRanges) -> ColumnRanges:
        """Join the ranges of other queries."""
        return ColumnRanges(
            np.minimum(self.low, more.low),
            np.maximum(self.high, more.high),
            np.maximum(self.within, more.within),
            np.maximum(self.far, more.far),
        )

    @property
    def typical(self) -> float:
        """Range within queries of a feature in the middle of those that vary; 0 if none does."""
        varying = np.sort(self.within[self.within > 0.0])
        return float(varying[(len(varying) - 1) // 2]) if len(varying) else 0.0

    @property
    def has_offsets(self) -> bool:
        """Whether a feature's offset hides its differences, or those of others if it has none."""
        seen = np.where(self.within > 0.0, self.within.astype(np.float64), self.typical)
        return bool(np.any(self.far / FAR > seen))

    @property
    def is_wide(self) -> bool:
        """Whether the ranges differ so much that tolerances for one hide another."""
        varying = self.within[self.within > 0.0]
        return len(varying) > 1 and float(varying.max()) / WIDE > float(varying.min())

    @property
    def units(self) -> FloatArray:
        """Powers of 2 in which every range within queries is about that of a feature in the middle; 1 where none is."""
        varies = self.within > 0.0
        share = np.where(varies, self.within.astype(np.float64), 1.0) / np.where(varies, self.typical or 1.0, 1.0)
        return np.exp2(np.round(np.log2(share)))


def plainly_even(features: Features, query_offsets: IntArray, lowest: float, highest: float) -> bool:
    """Tell whether an array is neither wide nor has offsets, from the ends of all its values and some queries.

    No range within queries is above that of all values, or below that of some documents of a query. So True is
    certain; False means that only `ColumnRanges` tell.
    """
    queries = np.unique(np.linspace(0, len(query_offsets) - 2, _SAMPLED).astype(np.int64))
    sizes = np.minimum(query_offsets[queries + 1] - query_offsets[queries], _SAMPLED)
    rows = np.repeat(query_offsets[queries], sizes) + np.concatenate([np.arange(size) for size in sizes])
    drawn, firsts = features[rows], np.cumsum(sizes) - sizes
    with np.errstate(over="ignore", invalid="ignore"):
        ranges = np.maximum.reduceat(drawn, firsts) - np.minimum.reduceat(drawn, firsts)
    within = ranges.max(axis=0).astype(np.float64)
    if (rare := np.flatnonzero(within == 0.0)).size:
        within[rare] = ColumnRanges.of(np.ascontiguousarray(features[:, rare]), query_offsets).within
    least = float(within[within > 0.0].min(initial=np.inf))
    return least < np.inf and (highest - lowest) / WIDE <= least and max(highest, -lowest) / FAR <= least


_SAMPLED = 64
_NOTHING_SEEN = (np.inf, -np.inf, 0.0, 0.0)


def in_units(features: Features, query_offsets: IntArray, units: FloatArray) -> Features:
    """Return features without their offsets within queries, divided by powers of 2; blocks where they come in blocks.

    The offset is that of the query's first document. It stays where values of the query differ by more than a factor
    of two: it is then no larger than the differences, and taking it away would round.

    Parameters
    ----------
    features : ndarray, shape (n_documents, n_features)
    query_offsets : ndarray of int64, shape (n_queries + 1,)
    units : ndarray, shape (n_features,)
    """
    if (blocks := blocks_of(features)) is not None:
        in_place_of_array: Any = ChangedBlocks(
            blocks, in_units, lambda first, last: (offsets_between(query_offsets, first, last), units)
        )
        return cast("Features", in_place_of_array)
    changed = np.empty(features.shape, features.dtype)
    unit = units.astype(features.dtype)

    rows, offsets = read_only(features), read_only(query_offsets)

    def sweep(first: int, last: int) -> None:
        _without_offsets(rows, offsets, first, last, unit, changed)

    over_chunks(sweep, _chunks(features, query_offsets))
    changed.setflags(write=False)
    return changed


def _chunks(features: Features, query_offsets: IntArray) -> list[tuple[int, int]]:
    return cut(np.diff(query_offsets), max(_VALUES_AT_ONCE // features.shape[1], 1))


def offsets_between(query_offsets: IntArray, first: int, last: int) -> IntArray:
    """Return the query offsets between two rows that begin a query, counted from the first of them."""
    inside = slice(np.searchsorted(query_offsets, first), np.searchsorted(query_offsets, last) + 1)
    return query_offsets[inside] - first


@njit(nogil=True, cache=True)
def _ends(features, begin, end, lowest, highest):  # type: ignore[no-untyped-def]
    """Write the lowest and highest value of every feature in the rows of a query."""
    for j in range(features.shape[1]):
        lowest[j] = highest[j] = features[begin, j]
    for i in range(begin + 1, end):
        row = features[i]
        for j in range(features.shape[1]):
            value = row[j]
            lowest[j] = value if value < lowest[j] else lowest[j]
            highest[j] = value if value > highest[j] else highest[j]


@kernel
def _range_sweep(features, offsets, first, last, low, high, within, far):  # type: ignore[no-untyped-def]
    """Widen the ends of every feature by the rows of queries ``first`` to ``last``, as `ColumnRanges` has them."""
    width = features.shape[1]
    lowest, highest = low.copy(), high.copy()
    for q in range(first, last):
        _ends(features, offsets[q], offsets[q + 1], lowest, highest)
        for j in range(width):
            a, b = lowest[j], highest[j]
            low[j] = a if a < low[j] else low[j]
            high[j] = b if b > high[j] else high[j]
            within[j] = b - a if b - a > within[j] else within[j]
            if (a > 0.0 and 0.5 * b <= a) or (b < 0.0 and 0.5 * a >= b):
                size = max(b, -a)
                far[j] = size if size > far[j] else far[j]


@kernel
def _without_offsets(features, offsets, first, last, unit, changed):  # type: ignore[no-untyped-def]
    """Write the rows of some queries as `in_units` has them.

    A difference within a factor of two has no rounding error (Sterbenz 1974), nor has a division by a power of 2.
    """
    width = features.shape[1]
    lowest, highest, origin = unit.copy(), unit.copy(), unit.copy()
    for q in range(first, last):
        _ends(features, offsets[q], offsets[q + 1], lowest, highest)
        for j in range(width):
            a, b = lowest[j], highest[j]
            near = (a > 0.0 and 0.5 * b <= a) or (b < 0.0 and 0.5 * a >= b)
            origin[j] = features[offsets[q], j] if near else 0.0
        for i in range(offsets[q], offsets[q + 1]):
            row, target = features[i], changed[i]
            for j in range(width):
                target[j] = (row[j] - origin[j]) / unit[j]
