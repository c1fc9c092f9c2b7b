"""RSRank's loss: a modified Huber loss of pairs, each weighted by the change of NDCG if the pair is swapped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.data import RankingData
from core.kernels import kernel
from core.losses.base import FloatArray, IntArray, LossEvaluation
from core.losses.pair_groups import PairGroups
from core.threads import over_chunks


class ImportanceWeightedHuber:
    """L(s) = (1/Q) sum over queries and pairs (i, j) of W_ij(s) psi(s_i - s_j); pairs with relevance_i > relevance_j.

    Source: Lai et al. (2013, eq. 8.5) after Sun et al. (2009). The latter paper was not available, so this is a
    reconstruction. The importance W_ij is the change of NDCG if i and j are swapped in the ranking by s: (2^l_i -
    2^l_j) |1/log2(1 + rank_i) - 1/log2(1 + rank_j)| over the ideal DCG. psi is the modified Huber loss: (1 - z)^2 for
    -1 <= z <= 1, 0 above and -4z below. Equal scores rank in the order of the data, so at s = 0 the importances depend
    on that order.

    W jumps where the ranking changes, so L is neither convex nor continuous. Its gradient is computed with the
    importances held fixed, and the loss with held importances is convex and continuous (see `held`). There is no second
    derivative.

    Raises a `DataError` if no query has documents of different relevance.

    Parameters
    ----------
    relevance : ndarray of int, shape (n_documents,)
    query_offsets : ndarray of int64, shape (n_queries + 1,)
    """

    def __init__(self, relevance: NDArray[np.integer], query_offsets: IntArray) -> None:
        self._groups = PairGroups.to_learn_from(relevance, query_offsets)
        self.n_terms = len(self._groups.query_group) - 1
        self._query = np.repeat(np.arange(len(query_offsets) - 1), np.diff(query_offsets))
        self._by_rank = _discounts(query_offsets)
        gain = np.exp2(relevance.astype(np.float64)) - 1.0
        ideal = np.add.reduceat(gain[np.lexsort((-gain, self._query))] * self._by_rank, query_offsets[:-1])
        self._gain = gain / np.where(ideal > 0.0, ideal, 1.0)[self._query]

    @classmethod
    def of(cls, data: RankingData) -> ImportanceWeightedHuber:
        """Make the loss of these documents."""
        return cls(data.relevance, data.query_offsets)

    def held(self, scores: FloatArray) -> HeldImportances:
        """Return the convex loss with the importances fixed by the ranking of these scores, shape (n_documents,)."""
        discount = np.empty_like(self._by_rank)
        discount[np.lexsort((-scores, self._query))] = self._by_rank
        return HeldImportances(self._groups, self._gain, discount)

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        """Compute value and gradient with the importances of the ranking by ``scores``. O(n^2) a query."""
        return self.held(scores).evaluate(scores)


@dataclass(frozen=True, eq=False)
class HeldImportances:
    """The mean over queries of sum W_ij psi(s_i - s_j) with fixed importances: convex, with a continuous gradient.

    Attributes
    ----------
    gain, discount : ndarray of float64, shape (n_documents,)
        W_ij = (gain_i - gain_j) |discount_i - discount_j|.
    """

    groups: PairGroups
    gain: FloatArray
    discount: FloatArray

    @property
    def n_terms(self) -> int:
        """Q, the number of queries with pairs."""
        return len(self.groups.query_group) - 1

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        """Compute value, gradient and dual ray.

        The dual point is alpha = -W psi' <= 4 W. By the conjugate of psi its dual value is sum(alpha) - sum(alpha^2 /
        (4 W)).
        """
        groups = self.groups
        gradient = np.zeros(len(scores))

        def sweep(first: int, last: int) -> tuple[float, float, float, float]:
            sums: tuple[float, float, float, float] = importance_sweep(
                scores, self.gain, self.discount, groups.order, groups.group_start, groups.query_group,
                first, last, gradient,
            )  # fmt: skip
            return sums

        parts = np.array(over_chunks(sweep, groups.chunks))
        gradient /= self.n_terms
        value, slope, curvature = (float(total) / self.n_terms for total in parts[:, :3].sum(axis=0))
        steepest = float(parts[:, 3].max())
        return LossEvaluation(
            slope, curvature, 4.0 / steepest if steepest > 0.0 else np.inf, value=value, gradient=gradient
        )


def _discounts(query_offsets: IntArray) -> FloatArray:
    """Compute 1 / log2(1 + rank) for the ranks 1, 2, ... of every query, shape (n_documents,)."""
    sizes = np.diff(query_offsets)
    rank = np.arange(1, query_offsets[-1] + 1) - np.repeat(query_offsets[:-1], sizes)
    discount: FloatArray = 1.0 / np.log2(1.0 + rank)
    return discount


@kernel
def importance_sweep(  # type: ignore[no-untyped-def]
    scores, gain, discount, order, group_start, query_group, first, last, gradient
):
    """Sum W_ij psi(s_i - s_j) over pairs (i, j), W_ij = (gain_i - gain_j) |discount_i - discount_j|.

    This takes O(n^2) a query: an importance depends on the ranks of both documents, so pairs share no sums.

    Parameters
    ----------
    scores, gain, discount : ndarray of float64, shape (n_documents,)
        The gains are divided by the query's ideal DCG.
    gradient : ndarray of float64, shape (n_documents,)
        Output, zeros before: d(sum)/d(score) is added for the documents of these queries.

    Returns
    -------
    (value, slope, curvature, steepest)
        The sum, and three numbers of its dual point alpha = -W psi': sum(alpha), sum(alpha^2 / (4 W)), max(alpha / W).
    """
    value, dual_slope, dual_curvature, steepest = 0.0, 0.0, 0.0, 0.0
    for q in range(first, last):
        end = group_start[query_group[q + 1]]
        for g in range(query_group[q], query_group[q + 1] - 1):
            below = group_start[g + 1]
            for p in range(group_start[g], below):
                i = order[p]
                pull = 0.0
                for b in range(below, end):
                    j = order[b]
                    z = scores[i] - scores[j]
                    if z >= 1.0:
                        continue
                    weight = (gain[i] - gain[j]) * abs(discount[i] - discount[j])
                    if z >= -1.0:
                        short = 1.0 - z
                        steep = 2.0 * short
                        value += weight * short * short
                    else:
                        steep = 4.0
                        value -= weight * 4.0 * z
                    alpha = weight * steep
                    pull += alpha
                    gradient[j] += alpha
                    dual_slope += alpha
                    dual_curvature += 0.25 * alpha * steep
                    steepest = max(steepest, steep)
                gradient[i] -= pull
    return value, dual_slope, dual_curvature, steepest
