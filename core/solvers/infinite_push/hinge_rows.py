"""Hinges of single documents against a threshold per query, for an interior-point method: no row is a pair."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.losses.base import IntArray
from core.losses.threads import over_chunks
from core.solvers.infinite_push.penalty_barriers import above_zero, longest_step
from core.solvers.problem import FloatArray, Problem

ROWS = 4096  # that a thread weighs and multiplies at a time


class HingeRows:
    """Minimise over thresholds t: sum_q mass_q t_q + sum_r cap_r max(0, y_r), y_r = offset_r + sign_r (s_r - t_q(r)).

    An infinite cap demands y_r <= 0. Every row has y = xi - slack and a multiplier alpha from 0 to its cap; at the
    optimum alpha slack = 0 and (cap - alpha) xi = 0. The thresholds are eliminated.

    Parameters
    ----------
    starts : ndarray of int, shape (n_queries,)
        First row of every query.
    sign, offset, cap : ndarray, shape (n_rows,)
    alpha : ndarray, shape (n_rows,)
        To start from, between 0 and the cap; their signed sum in a query is its mass.
    """

    def __init__(
        self, starts: IntArray, sign: FloatArray, offset: FloatArray, cap: FloatArray, alpha: FloatArray
    ) -> None:
        self._starts = starts
        self._query = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(sign)))
        self._sign, self._offset = sign, offset
        self._capped = np.flatnonzero(np.isfinite(cap))
        self._alpha = alpha
        self._beta = (cap - alpha)[self._capped]
        self._mass = self._sums(sign * alpha)
        self._slack = np.ones(len(sign))
        self._xi = 1.0 + np.maximum(offset[self._capped], 0.0)
        self._t = np.zeros(len(starts))
        self._moved: tuple[FloatArray, FloatArray, FloatArray, FloatArray] | None = None

    @classmethod
    def infinite_push(cls, positive: NDArray[np.bool_], starts: IntArray) -> HingeRows:
        """Mean over queries of (1/m) sum_i max(0, 1 + t - s_i) with t >= s_j for every negative j (kappa = 0)."""
        query = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(positive)))
        cap = 1.0 / (len(starts) * np.add.reduceat(positive.astype(np.float64), starts))
        share = 0.5 / (len(starts) * np.add.reduceat((~positive).astype(np.float64), starts))
        return cls(
            starts,
            sign=np.where(positive, -1.0, 1.0),
            offset=positive.astype(np.float64),
            cap=np.where(positive, cap[query], np.inf),
            alpha=np.where(positive, 0.5 * cap[query], share[query]),
        )

    def _sums(self, values: FloatArray) -> FloatArray:
        return np.add.reduceat(values, self._starts)

    def complementarity(self) -> tuple[float, int]:
        return float(self._alpha @ self._slack + self._beta @ self._xi), len(self._alpha) + len(self._xi)

    def multipliers(self) -> FloatArray:
        return self._sign * self._alpha

    def dual_point(self) -> tuple[float, FloatArray]:
        """The rows with sign +1 of a query are scaled so that its signed sum is its mass."""
        alpha, up = self._alpha, self._sign > 0.0
        rising = self._sums(np.where(up, alpha, 0.0))
        falling = self._sums(np.where(up, 0.0, alpha))
        scaled = np.where(up, alpha * ((self._mass + falling) / rising)[self._query], alpha)
        return float(self._offset @ scaled), self._sign * scaled

    def linearise(self) -> None:
        ratio = self._slack / self._alpha
        ratio[self._capped] += self._xi / self._beta
        self._theta = 1.0 / ratio
        self._weight = self._sums(self._theta)

    def gram(self, problem: Problem) -> FloatArray:
        """Sum over rows of theta (x - mean)(x - mean)^T, the mean that of the query, weighted by theta."""
        x, theta, query = problem.features, self._theta, self._query
        blocks = [(first, min(first + ROWS, len(theta))) for first in range(0, len(theta), ROWS)]

        def weighted(first: int, last: int) -> tuple[int, FloatArray]:
            inside = query[first:last]
            cuts = np.flatnonzero(np.diff(inside, prepend=-1))
            return int(inside[0]), np.add.reduceat(theta[first:last, None] * x[first:last], cuts, axis=0)

        means = np.zeros((len(self._weight), x.shape[1]))
        for first, part in over_chunks(weighted, blocks):
            means[first : first + len(part)] += part
        means /= self._weight[:, None]
        root = np.sqrt(theta)

        def share(first: int, last: int) -> FloatArray:
            centred = x[first:last] - means[query[first:last]]
            centred *= root[first:last, None]
            product: FloatArray = centred.T @ centred
            return product

        total: FloatArray = np.sum(over_chunks(share, blocks), axis=0)
        return total

    def score_curvature(self) -> FloatArray:
        same = self._query[:, None] == self._query
        curvature: FloatArray = np.where(same, -self._theta[:, None] * (self._theta / self._weight[self._query]), 0.0)
        np.fill_diagonal(curvature, 0.0)
        np.fill_diagonal(curvature, -curvature.sum(axis=1))  # rather than theta (1 - theta / sum), which cancels
        return curvature

    def aim(self, target: float, *, correct: bool) -> None:
        self._wanted = target - self._alpha * self._slack
        self._wanted_cap = target - self._beta * self._xi
        if correct and self._moved is not None:
            alpha, slack, xi, _ = self._moved
            self._wanted -= alpha * slack
            self._wanted_cap += alpha[self._capped] * xi

    def pull(self, scores: FloatArray) -> FloatArray:
        y = self._offset + self._sign * (scores - self._t[self._query])
        height = -self._slack - y - self._wanted / self._alpha
        height[self._capped] += self._xi + self._wanted_cap / self._beta
        self._height = self._sign * height
        self._missing = self._mass - self._sums(self.multipliers())
        return -self._respond(np.zeros(len(scores)))[1]

    def _respond(self, change: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Changes of the thresholds and of the signed multipliers, given that of the scores."""
        rise = (self._sums(self._theta * (change - self._height)) - self._missing) / self._weight
        return rise, self._theta * (change - rise[self._query] - self._height)

    def move(self, change: FloatArray) -> float:
        rise, signed = self._respond(change)
        alpha = self._sign * signed
        slack = (self._wanted - self._slack * alpha) / self._alpha
        capped = alpha[self._capped]
        xi = (self._wanted_cap + self._xi * capped) / self._beta
        self._moved = (alpha, slack, xi, rise)
        return min(
            longest_step(self._slack, slack),
            longest_step(self._xi, xi),
            longest_step(self._alpha, alpha),
            longest_step(self._beta, -capped),
        )

    def promise(self, step: float) -> float:
        assert self._moved is not None
        alpha, slack, xi, _ = self._moved
        own = (self._alpha + step * alpha) @ (self._slack + step * slack)
        return float(own + (self._beta - step * alpha[self._capped]) @ (self._xi + step * xi))

    def advance(self, step: float) -> None:
        assert self._moved is not None
        alpha, slack, xi, rise = self._moved
        self._beta = above_zero(self._beta - step * alpha[self._capped])
        self._alpha = above_zero(self._alpha + step * alpha)
        self._slack = above_zero(self._slack + step * slack)
        self._xi = above_zero(self._xi + step * xi)
        self._t = self._t + step * rise
