"""Sums of the squared hinge over queries, for one or several models, in one pass over X.

Pairs never cross queries. So scores, slack, gradient and curvature of some queries follow from their own rows, which
are read once and stay in the processor's cache until all four are there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.losses._squared_hinge_kernels import hessian_rows, loss_sweep
from core.losses.base import FloatArray, IntArray
from core.losses.pair_groups import PairGroups
from core.threads import cut, over_chunks

CACHED_VALUES = 1 << 17  # of X, 1 MB in double precision
MOST_DOCUMENTS = 2048  # of a chunk, whose rows of the active features are to stay in the cache too
CHUNKS_HELD = 32  # of which partial sums are held at once
SMALL = 30_000_000  # multiplications, some 3 ms on one thread: two are no faster


@dataclass(frozen=True, eq=False)
class QuerySums:
    """Sums over the pairs of some queries, not yet divided by the number of pairs.

    Attributes
    ----------
    squares, slacks : ndarray, shape (n_models,)
        Sums of the squared slack and of the slack.
    slopes : ndarray, shape (n_models, n_features)
        Gradient of ``squares`` with respect to the weights.
    curvature : ndarray, shape (n_columns, n_columns)
        Of the first model: the sum over active pairs of (x_i - x_j)(x_i - x_j)^T.
    by_row : ndarray, shape (0, 1 or 2, n_rows)
        Of the first model: scores, and the gradient of ``squares`` with respect to them; 0 for rows without pairs.
    """

    squares: FloatArray
    slacks: FloatArray
    slopes: FloatArray
    curvature: FloatArray
    by_row: FloatArray


def query_sums(
    features: NDArray[np.floating], weights: FloatArray, columns: IntArray, groups: PairGroups, per_row: int
) -> QuerySums:
    """Read the rows once, in chunks of whole queries, each in float64; add up in the order of the chunks.

    Parameters
    ----------
    features : ndarray, shape (n_rows, n_features)
    weights : ndarray of float64, shape (n_models, n_features)
    columns : ndarray of int
        Of the curvature.
    groups : PairGroups
        Of these rows.
    per_row : int
        How many numbers a row to return: 1 for the scores, 2 for their slopes too, else 0.
    """
    (n_models, n_features), width = weights.shape, len(columns)
    columns = np.ascontiguousarray(columns, dtype=np.int64)
    sizes, rows = groups.query_sizes, groups.query_rows
    kept = np.zeros((per_row, len(features)))

    def share(first: int, last: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        begin, end = int(rows[first]), int(rows[last - 1] + sizes[last - 1])
        part = np.ascontiguousarray(features[begin:end], dtype=np.float64)
        within = groups.of_queries(first, last, begin)
        where = within.order, within.group_start, within.query_group, 0, last - first
        scores = np.ascontiguousarray(weights @ part.T)
        slopes = np.zeros_like(scores)
        sums = np.array([loss_sweep(scores[m], *where, slopes[m]) for m in range(n_models)])
        for whole, own in zip(kept, (scores[0], slopes[0]), strict=False):
            whole[begin:end] = own
        return sums, slopes @ part, _curvature(part, columns, scores[0], where)

    sums, slopes, curvature = np.zeros((n_models, 2)), np.zeros((n_models, n_features)), np.zeros((width, width))
    small = len(groups.order) * (4 * n_models * n_features + width**2) < SMALL
    chunks = cut(sizes, max(min(CACHED_VALUES // max(n_features, 1), MOST_DOCUMENTS), 1))
    for held in range(0, len(chunks), CHUNKS_HELD):
        for more_sums, more_slopes, more_curvature in over_chunks(
            share, chunks[held : held + CHUNKS_HELD], small=small
        ):
            sums += more_sums
            slopes += more_slopes
            curvature += more_curvature
    return QuerySums(sums[:, 0], sums[:, 1], slopes, curvature, kept)


def _curvature(
    part: FloatArray, columns: IntArray, scores: FloatArray, where: tuple[IntArray, IntArray, IntArray, int, int]
) -> FloatArray:
    """Compute the sum over active pairs of (x_i - x_j)(x_i - x_j)^T, restricted to ``columns``."""
    width = len(columns)
    if width == 0:
        return np.zeros((0, 0))
    scaled, preferred, beaten = (np.empty((len(where[0]), width)) for _ in range(3))
    n_scaled, n_preferred = hessian_rows(part, columns, scores, *where, scaled, preferred, beaten)
    cross = preferred[:n_preferred].T @ beaten[:n_preferred]
    own: FloatArray = scaled[:n_scaled].T @ scaled[:n_scaled] - cross - cross.T
    return own
