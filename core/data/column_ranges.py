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
from numpy.typing import NDArray

from core.data.feature_blocks import ChangedBlocks, blocks_of
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

    Its lowest and highest value; the largest difference of two values ``within`` a query; and how ``far`` it is from 0,
    the largest size of a value in a query whose values lie within a factor of two of each other (0 if there is none).
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

        def some(first: int, last: int) -> ColumnRanges:
            low, high, near = _ends(features, query_offsets[first : last + 1])
            far = np.where(near, np.maximum(high, -low), features.dtype.type(0))
            with np.errstate(over="ignore"):
                return cls(low.min(axis=0), high.max(axis=0), (high - low).max(axis=0), far.max(axis=0))

        return reduce(cls.__or__, over_chunks(some, _chunks(features, query_offsets)))

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


def in_units(features: Features, query_offsets: IntArray, units: FloatArray) -> Features:
    """Return features without their offsets within queries, divided by powers of 2; blocks where they come in blocks.

    The offset is that of the query's first document. It stays where values of the query differ by more than a factor
    of two: it is then no larger than the differences, and taking it away would round. A difference within a factor of
    two has no rounding error (Sterbenz 1974), nor has a division by a power of 2.

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

    def some(first: int, last: int) -> None:
        offsets = query_offsets[first : last + 1]
        _, _, near = _ends(features, offsets)
        origin = np.where(near, features[offsets[:-1]], features.dtype.type(0))
        rows = changed[offsets[0] : offsets[-1]]
        np.subtract(features[offsets[0] : offsets[-1]], np.repeat(origin, np.diff(offsets), axis=0), out=rows)
        np.divide(rows, unit, out=rows)

    over_chunks(some, _chunks(features, query_offsets))
    changed.setflags(write=False)
    return changed


def _ends(features: Features, offsets: IntArray) -> tuple[Features, Features, NDArray[np.bool_]]:
    """Lowest and highest value of every feature in some queries, and whether they lie within a factor of two."""
    rows, starts = features[offsets[0] : offsets[-1]], offsets[:-1] - offsets[0]
    low, high = np.minimum.reduceat(rows, starts, axis=0), np.maximum.reduceat(rows, starts, axis=0)
    return low, high, ((low > 0.0) & (0.5 * high <= low)) | ((high < 0.0) & (0.5 * low >= high))


def _chunks(features: Features, query_offsets: IntArray) -> list[tuple[int, int]]:
    return cut(np.diff(query_offsets), max(_VALUES_AT_ONCE // features.shape[1], 1))


def offsets_between(query_offsets: IntArray, first: int, last: int) -> IntArray:
    """Return the query offsets between two rows that begin a query, counted from the first of them."""
    inside = slice(np.searchsorted(query_offsets, first), np.searchsorted(query_offsets, last) + 1)
    return query_offsets[inside] - first
