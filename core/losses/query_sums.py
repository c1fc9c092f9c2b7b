"""Sums of the squared hinge over queries, for one or several models, in one pass over X.

Pairs never cross queries. So scores, slack, gradient and curvature of some queries follow from their own rows, which
are read once and stay in the processor's cache until all four are there.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.kernels import read_only
from core.losses._squared_hinge_kernels import curvature_at_zero, models_pass, query_pass
from core.losses.base import FloatArray, IntArray
from core.losses.pair_groups import PairGroups
from core.threads import cut, over_chunks

CHUNK_VALUES = 1 << 21  # of X; the pass reads it query by query, and a chunk costs some 40 us beside
LEAST_CHUNK = 1 << 17  # values of X
CHUNKS_HELD = 32  # of which partial sums are held at once
Sums = TypeVar("Sums", "QuerySums", FloatArray)
SMALL = 3_000_000  # multiplications, some 0.4 ms on one thread: two are no faster


@dataclass(frozen=True, eq=False)
class QuerySums:
    """Sums over the pairs of some queries, not yet divided by the number of pairs.

    Attributes
    ----------
    scalars : ndarray, shape (n_models, 4)
        Of the squared slack and of the slack over pairs; over documents, of the size of the gradient of the first one
        with respect to the score, times the score's, and of that size alone.
    slopes : ndarray, shape (n_models, n_features)
        Gradient of the sum of the squared slack with respect to the weights.
    curvature : ndarray, shape (n_columns, n_columns)
        Of the first model: the sum over active pairs of (x_i - x_j)(x_i - x_j)^T.
    """

    scalars: FloatArray
    slopes: FloatArray
    curvature: FloatArray

    def __add__(self, more: QuerySums) -> QuerySums:
        """Add the sums of other queries."""
        return QuerySums(self.scalars + more.scalars, self.slopes + more.slopes, self.curvature + more.curvature)


def query_sums(features: NDArray[np.floating], groups: PairGroups, weights: FloatArray, columns: IntArray) -> QuerySums:
    """Read the rows once, in chunks of whole queries; sums are in float64, in the order of the chunks.

    Parameters
    ----------
    features : ndarray, shape (n_rows, n_features)
    groups : PairGroups
        Of these rows.
    weights : ndarray of float64, shape (n_models, n_features)
    columns : ndarray of int
        Of the curvature: the first model's; none for several.
    """
    (n_models, n_features), width = weights.shape, len(columns)
    columns = np.ascontiguousarray(columns, dtype=np.int64)
    sizes, rows = groups.query_sizes, groups.query_rows
    chunks = _chunks(sizes, n_features)
    used, none = np.flatnonzero(weights.any(axis=0)), np.empty(0)
    of_used = np.ascontiguousarray(weights[:, used])

    def none_yet() -> QuerySums:
        return QuerySums(np.zeros((n_models, 4)), np.zeros((n_models, n_features)), np.zeros((width, width)))

    def share(first: int, last: int) -> QuerySums:
        begin, end = int(rows[first]), int(rows[last - 1] + sizes[last - 1])
        part = read_only(features[begin:end])
        own = none_yet()
        of = groups.order, groups.group_start, groups.query_group, first, last
        if n_models == 1:
            own.scalars[0] = query_pass(part, begin, weights[0], used, columns, none, *of, own.slopes[0], own.curvature)
        else:
            models_pass(part, begin, of_used, used, *of, own.slopes, own.scalars)
        return own

    return _summed(share, chunks, none_yet(), len(groups.order) * (4 * n_models * n_features + width**2))


def _summed(share: Callable[[int, int], Sums], chunks: list[tuple[int, int]], none: Sums, work: int) -> Sums:
    """Add up what each chunk finds, in their order, some at once; ``work`` are multiplications."""
    for held in range(0, len(chunks), CHUNKS_HELD):
        none = reduce(operator.add, over_chunks(share, chunks[held : held + CHUNKS_HELD], small=work < SMALL), none)
    return none


def _chunks(sizes: IntArray, n_features: int) -> list[tuple[int, int]]:
    """Cut queries into chunks of `CHUNK_VALUES` of X, or of a fourth of a small X, so that threads have some each."""
    width = max(n_features, 1)
    return cut(sizes, max(max(min(CHUNK_VALUES, int(sizes.sum()) * width // 4), LEAST_CHUNK) // width, 1))


def curvature_estimate(features: NDArray[np.floating], groups: PairGroups, columns: IntArray) -> FloatArray:
    """Estimate the curvature of `QuerySums` at w = 0, shape (n_columns, n_columns); see `curvature_at_zero`."""
    columns = np.ascontiguousarray(columns, dtype=np.int64)
    sizes, rows = groups.query_sizes, groups.query_rows

    def share(first: int, last: int) -> FloatArray:
        begin, end = int(rows[first]), int(rows[last - 1] + sizes[last - 1])
        part = read_only(features[begin:end])
        curvature = np.zeros((len(columns), len(columns)))
        curvature_at_zero(
            part, begin, columns, groups.order, groups.group_start, groups.query_group, first, last, curvature
        )
        return curvature

    none = np.zeros((len(columns), len(columns)))
    return _summed(share, _chunks(sizes, features.shape[1]), none, len(groups.order) * len(columns) ** 2)
