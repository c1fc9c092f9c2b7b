"""Sums of the squared hinge over queries, for one or several models, in one pass over X.

Pairs never cross queries. So scores, slack, gradient and curvature of some queries follow from their own rows, which
are read once and stay in the processor's cache until all four are there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from core.losses._squared_hinge_kernels import add_rows, hessian_rows, loss_sweep, products
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
    answers : ndarray, shape (n_models,)
        Sums over documents of the size of the gradient of ``squares`` with respect to the score, times the score's.
    score_slopes : ndarray, shape (n_models,)
        The same sums, not times the score's.
    """

    squares: FloatArray
    slacks: FloatArray
    slopes: FloatArray
    curvature: FloatArray
    answers: FloatArray
    score_slopes: FloatArray

    def __add__(self, more: QuerySums) -> QuerySums:
        """Add the sums of other queries."""
        return QuerySums(*(own + other for own, other in zip(self._all, more._all, strict=True)))

    @property
    def _all(self) -> tuple[FloatArray, ...]:
        return self.squares, self.slacks, self.slopes, self.curvature, self.answers, self.score_slopes


def query_sums(features: NDArray[np.floating], groups: PairGroups, weights: FloatArray, columns: IntArray) -> QuerySums:
    """Read the rows once, in chunks of whole queries; sums are in float64, in the order of the chunks.

    Parameters
    ----------
    features : ndarray, shape (n_rows, n_features)
    groups : PairGroups
        Of these rows.
    weights : ndarray of float64, shape (n_models, n_features)
    columns : ndarray of int
        Of the curvature.
    """
    (n_models, n_features), width = weights.shape, len(columns)
    columns = np.ascontiguousarray(columns, dtype=np.int64)
    sizes, rows = groups.query_sizes, groups.query_rows
    chunks = cut(sizes, max(min(CACHED_VALUES // max(n_features, 1), MOST_DOCUMENTS), 1))
    most = max((int(sizes[first:last].sum()) for first, last in chunks), default=0)
    spare: list[FloatArray] = []

    def share(first: int, last: int) -> QuerySums:
        begin, end = int(rows[first]), int(rows[last - 1] + sizes[last - 1])
        part = np.ascontiguousarray(features[begin:end])
        within = groups.of_queries(first, last, begin)
        where = within.order, within.group_start, within.query_group, 0, last - first
        scores = _scores(part, weights)
        slopes = np.zeros_like(scores)
        sums = np.array([loss_sweep(scores[m], *where, slopes[m]) for m in range(n_models)])
        steep = np.abs(slopes)
        answers, score_slopes = (steep * np.abs(scores)).sum(axis=1), steep.sum(axis=1)
        try:
            space = spare.pop()
        except IndexError:
            # Dask's workers give memory back to the system at once: new memory for each chunk takes half as long as its
            # sums.
            space = np.empty((3, most, width))
        curvature = _curvature(part, columns, scores[0], where, space)
        spare.append(space)
        return QuerySums(sums[:, 0], sums[:, 1], _pulled_back(part, slopes), curvature, answers, score_slopes)

    none = np.zeros(n_models)
    total = QuerySums(none, none, np.zeros((n_models, n_features)), np.zeros((width, width)), none, none)
    small = len(groups.order) * (4 * n_models * n_features + width**2) < SMALL
    for held in range(0, len(chunks), CHUNKS_HELD):
        total = reduce(QuerySums.__add__, over_chunks(share, chunks[held : held + CHUNKS_HELD], small=small), total)
    return total


def _scores(part: NDArray[np.floating], weights: FloatArray) -> FloatArray:
    """Compute the scores of some rows by each model, shape (n_models, n_rows)."""
    if not weights.any():
        return np.zeros((len(weights), len(part)))
    if part.dtype == np.float64:
        return np.ascontiguousarray(weights @ part.T)
    scores = np.empty((len(weights), len(part)))
    products(part, weights, scores)
    return scores


def _pulled_back(part: NDArray[np.floating], slopes: FloatArray) -> FloatArray:
    """Compute ``slopes @ part`` in double precision, shape (n_models, n_features)."""
    if part.dtype == np.float64:
        return np.asarray(slopes @ part)
    gradients = np.zeros((len(slopes), part.shape[1]))
    add_rows(part, slopes, gradients)
    return gradients


def _curvature(
    part: NDArray[np.floating],
    columns: IntArray,
    scores: FloatArray,
    where: tuple[IntArray, IntArray, IntArray, int, int],
    space: FloatArray,
) -> FloatArray:
    """Compute the sum over active pairs of (x_i - x_j)(x_i - x_j)^T, restricted to ``columns``.

    ``space``, shape (3, at least the documents, n_columns), is overwritten.
    """
    width = len(columns)
    if width == 0:
        return np.zeros((0, 0))
    scaled, preferred, beaten = space
    n_scaled, n_preferred = hessian_rows(part, columns, scores, *where, scaled, preferred, beaten)
    cross = preferred[:n_preferred].T @ beaten[:n_preferred]
    own: FloatArray = scaled[:n_scaled].T @ scaled[:n_scaled] - cross - cross.T
    return own
