"""The squared hinge over preference pairs, the loss of RankSVM, without building pairs."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import replace
from functools import reduce
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from core.data import RankingData
from core.data.feature_blocks import blocks_of
from core.kernels import read_only
from core.losses._squared_hinge_kernels import curvature_sweep, loss_sweep, query_pass
from core.losses.base import FloatArray, IntArray, LossAt, LossEvaluation
from core.losses.pair_groups import PairGroups
from core.losses.query_sums import QuerySums, curvature_estimate, query_sums
from core.threads import cut, over_chunks

CHUNK_DOCUMENTS = 8192  # enough work to outweigh handing a chunk to a thread
SMALL_SWEEP = 16_384  # documents, some 1.3 ms on one thread
SMALL_HESSIAN = 30_000_000  # multiplications, some 3 ms on one thread: two are no faster
LONGEST_STEP, STEP_ACCURACY, TINY = 8.0, 1e-3, 1e-12
CHUNKS_HELD = 16  # of which the Hessian holds partial sums at once


class SquaredHinge:
    """L(s) = (1/P) sum over pairs (i, j) of max(0, 1 - s_i + s_j)^2, pairs with relevance_i > relevance_j.

    It is the mean over pairs, as in FenchelRank (Lai et al. 2013, eq. 2). Laporte et al. (2014, eq. 7) use C times the
    sum: C = 1 / (lambda P).

    Raises a `DataError` if no query has documents of different relevance, so that there are no pairs.

    Parameters
    ----------
    relevance : ndarray of int, shape (n_documents,)
    query_offsets : ndarray of int64, shape (n_queries + 1,)
    """

    def __init__(self, relevance: NDArray[np.integer], query_offsets: IntArray) -> None:
        self.groups = PairGroups.to_learn_from(relevance, query_offsets)
        self._n_documents = len(relevance)
        self.n_pairs = self.n_terms = self.groups.n_pairs
        self._chunks = cut(self.groups.query_sizes, CHUNK_DOCUMENTS)

    @classmethod
    def of(cls, data: RankingData) -> SquaredHinge:
        """Return the loss of these documents, one for all that is fitted to them; it goes with the data.

        What a fit has put beside their blocks is then there for the next one.
        """
        loss = _of_data.get(data)
        if type(loss) is not cls:
            loss = _of_data[data] = cls(data.relevance, data.query_offsets)
        return loss

    def paired(self) -> tuple[SquaredHinge, IntArray]:
        """Return the same loss of the documents that are in pairs, and their rows; queries keep them together.

        A search that evaluates the loss thousands of times then reads no other document, and those in order.
        """
        within = copy(self)
        within.groups = replace(self.groups, order=np.arange(len(self.groups.order)))
        within._n_documents = len(self.groups.order)
        return within, self.groups.order

    def of_queries(self, queries: IntArray) -> tuple[SquaredHinge, IntArray]:
        """Return the loss of some of the queries that have pairs, and the rows of their documents, in its order.

        Parameters
        ----------
        queries : ndarray of int
            Places among the queries of ``groups``, ascending.
        """
        groups = self.groups
        edges = groups.group_start[groups.query_group]
        rank = np.repeat(np.arange(len(groups.group_start) - 1), np.diff(groups.group_start))
        places = np.concatenate([np.arange(edges[q], edges[q + 1]) for q in queries])
        offsets = np.concatenate([[0], np.cumsum(groups.query_sizes[queries])])
        return SquaredHinge(-rank[places], offsets), groups.order[places]

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        """Compute value, gradient and dual ray in O(n log m), m the size of the largest group of equal relevance.

        The dual ray goes through alpha_p = (2/P) max(0, 1 - x_p w), with slope sum(alpha) and curvature (P/4)
        sum(alpha^2) = L.
        """
        groups = self.groups
        gradient = np.zeros(self._n_documents)

        def sweep(first: int, last: int) -> tuple[float, float]:
            sums: tuple[float, float] = loss_sweep(
                scores, groups.order, groups.group_start, groups.query_group, first, last, gradient
            )
            return sums

        sums = over_chunks(sweep, self._chunks, small=len(groups.order) <= SMALL_SWEEP)
        value = max(sum(squares for squares, _ in sums), 0.0) / self.n_pairs
        slack = sum(slacks for _, slacks in sums)
        gradient /= self.n_pairs
        return LossEvaluation(2.0 * slack / self.n_pairs, value, value=value, gradient=gradient)

    def curvature_product(self, scores: FloatArray, direction: FloatArray) -> FloatArray:
        """Compute d2L/ds2 times a direction v: (2/P) sum over active pairs of (v_i - v_j)(e_i - e_j)."""
        groups = self.groups
        product = np.zeros(self._n_documents)

        def sweep(first: int, last: int) -> None:
            curvature_sweep(
                scores, direction, groups.order, groups.group_start, groups.query_group, first, last, product
            )

        over_chunks(sweep, self._chunks, small=len(groups.order) <= SMALL_SWEEP)
        product /= self.n_pairs
        return product

    def hessian(self, scores: FloatArray, features: NDArray[np.floating], columns: IntArray) -> FloatArray:
        """Compute (2/P) sum over active pairs of (x_i - x_j)(x_i - x_j)^T, restricted to ``columns``.

        A pair is active where 1 - s_i + s_j > 0. Each thread needs four blocks of 1,024 documents x n_columns
        numbers.

        Returns
        -------
        ndarray of float64, shape (n_columns, n_columns)
            Symmetric, positive semi-definite up to rounding.
        """
        total: FloatArray
        if (blocks := blocks_of(features)) is not None:
            total = np.zeros((len(columns), len(columns)))
            for part in blocks.over(
                pair_curvature, lambda first, last: (columns, scores[first:last]), beside=self.groups
            ):
                total += part
        else:
            total = pair_curvature(features, self.groups, columns, scores)
        total *= 2.0 / self.n_pairs
        return total

    def at(self, features: NDArray[np.floating], w: FloatArray, columns: IntArray) -> LossAt:
        """Compute value, dual ray, gradient and the Hessian of ``columns`` in one pass over X.

        Blocks, which may be far away, send back sums.
        """
        return self._each(self._sums(features, w[None], columns), columns)[0]

    def hessian_at_zero(self, features: NDArray[np.floating], columns: IntArray) -> FloatArray:
        """Estimate the Hessian of ``columns`` at w = 0 from a part of the documents; see `curvature_estimate`."""
        if (blocks := blocks_of(features)) is None:
            return curvature_estimate(features, self.groups, columns) * (2.0 / self.n_pairs)
        parts = blocks.over(curvature_estimate, lambda _, __: (columns,), beside=self.groups)
        return reduce(np.add, parts) * (2.0 / self.n_pairs)

    def at_each(self, features: NDArray[np.floating], weights: FloatArray) -> list[LossAt]:
        """Compute value, dual ray and gradient of each model in one pass over X, and no Hessian.

        Blocks send back n_models x n_features numbers.
        """
        none = np.empty(0, dtype=np.int64)
        return self._each(self._sums(features, weights, none), none)

    def step_from_zero(self, slope: float, curvature: float, penalty_slope: float) -> float:
        """Estimate how far from w = 0 the loss and a penalty fall along a direction, without a pass over X.

        Slope and curvature of the loss at 0, -2 E[z] and 2 E[z^2], are moments of a pair's score difference z. With z
        taken as normal, the loss at t times the direction is E[max(0, 1 - t z)^2]. A Newton step, for which all pairs
        stay active, is too short by up to a half.

        Parameters
        ----------
        slope, curvature : float
            Derivatives of the loss along the direction; the slope is below 0.
        penalty_slope : float
            That of the penalty, which does not change.

        Returns
        -------
        float
            In units of the direction, at most `LONGEST_STEP`.
        """
        mean = -0.5 * slope
        deviation = math.sqrt(max(0.5 * curvature - mean**2, 0.0))
        low, high = 0.0, LONGEST_STEP
        while high - low > STEP_ACCURACY:
            t = 0.5 * (low + high)
            slack, spread = 1.0 - t * mean, max(t * deviation, TINY)
            active = 0.5 * math.erfc(-slack / (spread * math.sqrt(2.0)))
            hinge = slack * active + spread * math.exp(-0.5 * (slack / spread) ** 2) / math.sqrt(2.0 * math.pi)
            falls = 2.0 * (mean * hinge - t * deviation**2 * active) > penalty_slope
            low, high = (t, high) if falls else (low, t)
        return high

    def _each(self, sums: QuerySums, columns: IntArray) -> list[LossAt]:
        """Divide the sums by the number of pairs, one model after the other; the Hessian is the first one's."""
        return [
            LossAt(
                value=max(squares, 0.0),
                dual_slope=2.0 * slack,
                dual_curvature=max(squares, 0.0),
                answer=answer,
                score_slope=score_slope,
                gradient=slopes / self.n_pairs,
                columns=columns,
                hessian=sums.curvature * (2.0 / self.n_pairs),
            )
            for (squares, slack, answer, score_slope), slopes in zip(
                (sums.scalars / self.n_pairs).tolist(), sums.slopes, strict=True
            )
        ]

    def _sums(self, features: NDArray[np.floating], weights: FloatArray, columns: IntArray) -> QuerySums:
        """Return the sums over all pairs, added up in the order of the blocks; see `query_sums`."""
        if (blocks := blocks_of(features)) is None:
            return query_sums(features, self.groups, weights, columns)
        parts = blocks.over(query_sums, lambda _, __: (weights, columns), beside=self.groups)
        return reduce(QuerySums.__add__, parts)


_of_data: WeakKeyDictionary[RankingData, SquaredHinge] = WeakKeyDictionary()


def pair_curvature(
    features: NDArray[np.floating], groups: PairGroups, columns: IntArray, scores: FloatArray
) -> FloatArray:
    """Compute the sum over active pairs of (x_i - x_j)(x_i - x_j)^T, restricted to ``columns``."""
    columns = np.ascontiguousarray(columns, dtype=np.int64)
    shape, none, rows = (len(columns), len(columns)), np.empty(0), read_only(features)

    def share(first: int, last: int) -> FloatArray:
        curvature = np.zeros(shape)
        query_pass(
            rows, 0, none, columns[:0], columns, scores, groups.order, groups.group_start, groups.query_group,
            first, last, none, curvature,
        )  # fmt: skip
        return curvature

    total = np.zeros(shape)
    small = len(groups.order) * len(columns) ** 2 < SMALL_HESSIAN
    chunks = groups.chunks
    for first in range(0, len(chunks), CHUNKS_HELD):
        for part in over_chunks(share, chunks[first : first + CHUNKS_HELD], small=small):
            total += part
    return total
