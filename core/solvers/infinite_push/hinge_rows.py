"""The infinite push as hinges of documents against one threshold a query, for an interior-point method.

There is one row a document, not one a pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.losses.base import IntArray
from core.solvers.infinite_push.barriers import above_zero, longest_step
from core.solvers.problem import FloatArray, Problem
from core.threads import over_chunks

ROWS = 4096  # rows that a thread weights and multiplies at a time


class HingeRows:
    """Minimise over thresholds t: sum_q mass_q t_q + sum_r cap_r max(0, y_r), y_r = offset_r + sign_r (s_r - t_q(r)).

    An infinite cap means the constraint y_r <= 0. Every row has y = xi - slack and a multiplier alpha from 0 to its
    cap. At the optimum alpha slack = 0 and (cap - alpha) xi = 0. The thresholds are eliminated from the linear system.

    Parameters
    ----------
    starts : ndarray of int, shape (n_queries,)
        First row of every query.
    sign, offset, cap : ndarray, shape (n_rows,)
    alpha : ndarray, shape (n_rows,)
        Starting multipliers, between 0 and the cap; their signed sum in a query is its mass.

    Attributes
    ----------
    alpha, slack : ndarray, shape (n_rows,)
    capped : ndarray of int, shape (n_capped,)
        The rows with a finite cap.
    beta, xi : ndarray, shape (n_capped,)
        cap - alpha and xi of the capped rows.
    t, mass : ndarray, shape (n_queries,)
    query : ndarray of int, shape (n_rows,)
    """

    def __init__(
        self, starts: IntArray, sign: FloatArray, offset: FloatArray, cap: FloatArray, alpha: FloatArray
    ) -> None:
        self.starts = starts
        self.query = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(sign)))
        self.sign, self.offset = sign, offset
        self.capped = np.flatnonzero(np.isfinite(cap))
        self.alpha = alpha
        self.beta = (cap - alpha)[self.capped]
        self.mass = self.sums(sign * alpha)
        self.slack = np.ones(len(sign))
        self.xi = 1.0 + np.maximum(offset[self.capped], 0.0)
        self.t = np.zeros(len(starts))

    @classmethod
    def infinite_push(cls, positive: NDArray[np.bool_], starts: IntArray) -> HingeRows:
        """Make the rows of the infinite push (kappa = 0).

        It is the mean over queries of (1/m) sum_i max(0, 1 + t - s_i), with t >= s_j for every negative j.
        """
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

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum the values of each query, shape (n_queries,)."""
        return np.add.reduceat(values, self.starts)

    def complementarity(self) -> tuple[float, int]:
        return float(self.alpha @ self.slack + self.beta @ self.xi), len(self.alpha) + len(self.xi)

    def multipliers(self) -> FloatArray:
        return self.sign * self.alpha

    def dual_point(self) -> tuple[float, FloatArray]:
        """Return a feasible dual point: rows with sign +1 are scaled so that the signed sums are the masses."""
        alpha, up = self.alpha, self.sign > 0.0
        rising = self.sums(np.where(up, alpha, 0.0))
        falling = self.sums(np.where(up, 0.0, alpha))
        scaled = np.where(up, alpha * ((self.mass + falling) / rising)[self.query], alpha)
        return float(self.offset @ scaled), self.sign * scaled

    def linearise(self, scores: FloatArray) -> None:
        ratio = self.slack / self.alpha
        ratio[self.capped] += self.xi / self.beta
        self._theta = 1.0 / ratio  # curvature of every row
        self._weight = self.sums(self._theta)
        # Minus slack minus y is minus xi, and no mass is missing, once the residuals are 0.
        self._below = -self.slack - (self.offset + self.sign * (scores - self.t[self.query]))
        self._missing = self.mass - self.sums(self.multipliers())

    def gram(self, problem: Problem) -> FloatArray:
        """Compute sum_r theta_r (x_r - mean)(x_r - mean)^T, mean being the query's mean weighted by theta."""
        x, theta, query = problem.features, self._theta, self.query
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
        theta, query = self._theta, self.query
        same = query[:, None] == query
        curvature: FloatArray = np.where(same, -theta[:, None] * (theta / self._weight[query]), 0.0)
        np.fill_diagonal(curvature, 0.0)
        np.fill_diagonal(curvature, -curvature.sum(axis=1))  # rather than theta (1 - theta / sum), which cancels
        return curvature

    def aim(self, target: float, *, correct: bool) -> FloatArray:
        self._wanted = target - self.alpha * self.slack
        self._wanted_cap = target - self.beta * self.xi
        if correct:
            self._wanted -= self._d_alpha * self._d_slack
            self._wanted_cap += self._d_alpha[self.capped] * self._d_xi
        height = self._below - self._wanted / self.alpha
        height[self.capped] += self.xi + self._wanted_cap / self.beta
        self._height = self.sign * height  # the change of score minus threshold at which no multiplier changes
        return -self._respond(np.zeros(len(height)))[1]

    def _respond(self, change: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the changes of the thresholds and of the signed multipliers for a change of the scores."""
        rise = (self.sums(self._theta * (change - self._height)) - self._missing) / self._weight
        return rise, self._theta * (change - rise[self.query] - self._height)

    def move(self, change: FloatArray, multipliers: FloatArray | None) -> float:
        self._d_t, signed = self._respond(change)
        if multipliers is not None:  # each row takes the one whose rounding is smaller
            far = self._theta * np.abs(change).max() > np.abs(multipliers).max()
            signed = np.where(far, multipliers, signed)
        self._d_alpha = self.sign * signed
        self._d_slack = (self._wanted - self.slack * self._d_alpha) / self.alpha
        capped = self._d_alpha[self.capped]
        self._d_xi = (self._wanted_cap + self.xi * capped) / self.beta
        return min(
            longest_step(self.slack, self._d_slack),
            longest_step(self.xi, self._d_xi),
            longest_step(self.alpha, self._d_alpha),
            longest_step(self.beta, -capped),
        )

    def promise(self, length: float) -> float:
        own = (self.alpha + length * self._d_alpha) @ (self.slack + length * self._d_slack)
        capped = self.beta - length * self._d_alpha[self.capped]
        return float(own + capped @ (self.xi + length * self._d_xi))

    def take(self, length: float) -> None:
        self.beta = above_zero(self.beta - length * self._d_alpha[self.capped])
        self.alpha = above_zero(self.alpha + length * self._d_alpha)
        self.slack = above_zero(self.slack + length * self._d_slack)
        self.xi = above_zero(self.xi + length * self._d_xi)
        self.t = self.t + length * self._d_t
