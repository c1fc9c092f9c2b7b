"""The infinite push with a top share as a barrier of the interior-point method.

Every pair has a multiplier, but features are read by document: there is no row of features a pair.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.losses.base import IntArray
from core.solvers.infinite_push import _top_share_kernels as kernels
from core.solvers.problem import FloatArray, Problem
from core.threads import cut, over_chunks

PAIRS = 1 << 15  # enough work to outweigh handing a chunk to a thread
BYTES_A_PAIR = 88
MOST_ROWS = 1024  # so many rows of features fit in the processor's cache while they are multiplied


class TopShareBarrier:
    """Mean over queries of t + (1/k) sum_j max(0, h_j - t), h_j = (1/m) sum_i max(0, z_ij), z_ij = 1 - s_i + s_j.

    A pair has z = xi - slack and a multiplier alpha of at most p_j / m; gamma = p_j / m - alpha. A negative has
    (1/m) sum_i xi_ij - t = eta - sigma and a multiplier p_j of at most cap = 1 / (k Q). At the optimum alpha slack,
    gamma xi, p sigma and (cap - p) eta are 0. Pairs and thresholds are eliminated from the linear system. So a step's
    cost grows with pairs times features, but no row of features is formed for a pair. Where k is the number of all
    negatives, p_j is fixed at 1 / (k Q).

    Parameters
    ----------
    positive : ndarray of bool, shape (n_documents,)
    starts : ndarray of int, shape (n_queries,)
        First row of every query; each has positives and negatives.
    top : ndarray, shape (n_queries,)
        k, the number of top negatives.
    """

    def __init__(self, positive: NDArray[np.bool_], starts: IntArray, top: FloatArray) -> None:
        n_queries = len(starts)
        m = np.add.reduceat(positive.astype(np.int64), starts)
        n = np.add.reduceat((~positive).astype(np.int64), starts)
        self.layout = kernels.Layout(
            _offsets(m * n), _offsets(m), _offsets(n), np.flatnonzero(positive), np.flatnonzero(~positive), top >= n
        )
        self.starts = starts
        self.n_documents = len(positive)
        self.mass = 1.0 / n_queries
        self._free = ~np.repeat(self.layout.fixed, n)
        self.chunks = cut(m * n, PAIRS)
        self.row_chunks = cut(m + 2 * n, MOST_ROWS)

        n_pairs, n_negatives = int((m * n).sum()), int(n.sum())
        share = np.repeat(self.mass / n, n)
        half = 0.5 * np.repeat(share, np.repeat(m, n)) / np.repeat(m, m * n)
        self.state = kernels.State(
            alpha=half,
            gamma=half.copy(),
            slack=np.full(n_pairs, 0.5),
            xi=np.full(n_pairs, 1.5),
            p=share,
            spare=np.repeat(self.mass / np.minimum(top, n), n) - share,
            sigma=np.full(n_negatives, 0.5),
            eta=np.full(n_negatives, 0.5),
            t=np.full(n_queries, 1.5),
        )
        # These arrays hold one step at a time; the next step overwrites them.
        self._changes = kernels.Changes(*(np.zeros_like(self.state[i]) for i in (0, 2, 3, 4, 6, 7, 8)))
        self._wanted = kernels.Wanted(*(np.zeros_like(self.state[i]) for i in (2, 3, 6, 7)))
        self._curvature = kernels.Curvature(*(np.zeros_like(self.state[i]) for i in (0, 0, 4)))

    def complementarity(self) -> tuple[float, int]:
        now, free = self.state, self._free
        pairs = float(now.alpha @ now.slack + now.gamma @ now.xi)
        caps = float(now.p[free] @ now.sigma[free] + now.spare[free] @ now.eta[free])
        return pairs + caps, 2 * (len(now.alpha) + int(free.sum()))

    def multipliers(self) -> FloatArray:
        signed = np.empty(self.n_documents)
        for tops, lows, pairs in self.queries():
            alpha = self.state.alpha[pairs].reshape(len(lows), len(tops))
            signed[lows] = alpha.sum(axis=1)
            signed[tops] = -alpha.sum(axis=0)
        return signed

    def dual_point(self) -> tuple[float, FloatArray]:
        return float(self.state.alpha.sum()), self.multipliers()

    def queries(self) -> Iterator[tuple[IntArray, IntArray, slice]]:
        """Yield, query by query, the rows of its positives, the rows of its negatives and its range of pairs."""
        layout = self.layout
        for q in range(len(self.state.t)):
            yield (
                layout.positives[layout.positive_start[q] : layout.positive_start[q + 1]],
                layout.negatives[layout.negative_start[q] : layout.negative_start[q + 1]],
                slice(layout.pair_start[q], layout.pair_start[q + 1]),
            )

    def linearise(self, scores: FloatArray) -> None:
        def sweep(first: int, last: int) -> None:
            kernels.linearise(self.layout, first, last, self.state, self._curvature)

        over_chunks(sweep, self.chunks)
        self._scores = scores

    def gram(self, problem: Problem) -> FloatArray:
        x, layout = problem.features, self.layout
        width = x.shape[1]
        tops, lows = layout.positive_start, layout.negative_start

        def share(first: int, last: int) -> FloatArray:
            m, n = int(tops[last] - tops[first]), int(lows[last] - lows[first])
            scaled, beaten = np.empty((m + 2 * n, width)), np.empty((m, width))
            count = kernels.hessian_rows(x, layout, first, last, self._curvature, scaled, beaten)
            origins = np.repeat(tops[first:last], np.diff(tops[first : last + 1]))
            preferred = x[layout.positives[tops[first] : tops[last]]] - x[layout.positives[origins]]
            cross = preferred.T @ beaten
            own: FloatArray = scaled[:count].T @ scaled[:count] - cross - cross.T
            return own

        total: FloatArray = np.sum(over_chunks(share, self.row_chunks), axis=0)
        return total

    def score_curvature(self) -> FloatArray:
        whole = np.zeros((self.n_documents, self.n_documents))
        for q, (tops, lows, pairs) in enumerate(self.queries()):
            theta = self._curvature.theta[pairs].reshape(len(lows), len(tops))
            whole[lows, lows] += theta.sum(axis=1)
            whole[tops, tops] += theta.sum(axis=0)
            whole[np.ix_(lows, tops)] -= theta
            whole[np.ix_(tops, lows)] -= theta.T
            if not self.layout.fixed[q]:
                omega = self._curvature.omega[pairs].reshape(len(lows), len(tops)) / len(tops)
                pi = self._curvature.pi[self.layout.negative_start[q] : self.layout.negative_start[q + 1]]
                lifts = np.hstack([np.diag(omega.sum(axis=1)), -omega])
                both = np.concatenate([lows, tops])
                lifts -= pi @ lifts / pi.sum()
                whole[np.ix_(both, both)] += lifts.T @ (pi[:, None] * lifts)
        return whole

    def aim(self, target: float, *, correct: bool) -> FloatArray:
        def sweep(first: int, last: int) -> None:
            kernels.aim(self.layout, first, last, self.state, self._changes, self._wanted, target, correct)

        over_chunks(sweep, self.chunks)
        return -self._respond(np.zeros(self.n_documents), keep=False)[0]

    def _respond(self, change: FloatArray, *, keep: bool) -> tuple[FloatArray, float]:
        """Return the change of the multipliers for a change of the scores, and the longest step.

        Only with ``keep`` are the changes of the other variables stored and the longest step computed.
        """
        signed = np.empty(self.n_documents)

        def sweep(first: int, last: int) -> float:
            step: float = kernels.respond(
                self.layout, first, last, self.state, self._changes, self._wanted, self._curvature, self.mass,
                self._scores, change, keep, signed,
            )  # fmt: skip
            return step

        return signed, min(over_chunks(sweep, self.chunks))

    def move(self, change: FloatArray, multipliers: FloatArray | None) -> float:
        """Make the step for these scores; ``multipliers`` is not used, because pairs have their own."""
        return self._respond(change, keep=True)[1]

    def promise(self, length: float) -> float:
        def sweep(first: int, last: int) -> float:
            total: float = kernels.promise(self.layout, first, last, self.state, self._changes, length)
            return total

        return sum(over_chunks(sweep, self.chunks))

    def take(self, length: float) -> None:
        def sweep(first: int, last: int) -> None:
            kernels.advance(self.layout, first, last, self.state, self._changes, length)

        over_chunks(sweep, self.chunks)


def _offsets(sizes: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
