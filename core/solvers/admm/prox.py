"""The proximal operator of the infinite push loss of pairs: exactly, and by the nested loops of the paper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.solvers.admm.l1_inf_projection import project_l1_inf
from core.solvers.admm.pairs import PairBlocks

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DualBall:
    """The dual points alpha of the loss: all |alpha_ij| <= tau_j with sum_j tau_j <= radius, tau_j <= cap, by query.

    The loss of one query is g(a) = max_j (1/m) sum_i (a_ij)_+, the largest alpha.a over the alpha >= 0 of the ball of
    radius 1/m. The mean over Q queries divides the radius by Q. Where the loss is the mean of the k largest columns
    instead of the largest, no column may take more than 1/k of the radius: the cap.

    Attributes
    ----------
    pairs : PairBlocks
    radius, cap : ndarray of float64, shape (n_blocks,)
    """

    pairs: PairBlocks
    radius: FloatArray
    cap: FloatArray

    def project(self, values: FloatArray, scale: float) -> FloatArray:
        """The nearest point of the ball times ``scale``, shape (n_pairs,)."""
        pairs = self.pairs
        return project_l1_inf(values, pairs.block_start, pairs.height, scale * self.radius, scale * self.cap)

    def scaled_inside(self, alpha: FloatArray) -> FloatArray:
        """alpha >= 0, scaled down in every query that lies outside: a dual point whatever the rounding, or worse."""
        pairs = self.pairs
        heights = np.repeat(pairs.height, pairs.width)
        tau = np.maximum.reduceat(alpha, np.cumsum(heights) - heights)
        first_column = np.cumsum(pairs.width) - pairs.width
        total = np.add.reduceat(tau, first_column)
        highest = np.maximum.reduceat(tau, first_column)
        excess = np.maximum(np.maximum(total / self.radius, highest / self.cap), 1.0)
        scaled: FloatArray = alpha / np.repeat(excess, pairs.height * pairs.width)
        return scaled


def exact_prox(ball: DualBall, s: FloatArray, step: float) -> FloatArray:
    """The minimiser of ||a - s||^2 / 2 + step * g(a), shape (n_pairs,), by one projection.

    By duality a = s - alpha, where alpha maximises alpha.s - ||alpha||^2 / 2 over the alpha >= 0 of the ball times
    step: the point of the ball nearest to the positive part of s. All columns that stay at the maximum share theta, the
    sum of their positive parts, and theta solves one scalar equation (`project_l1_inf`).
    """
    return s - ball.project(np.maximum(s, 0.0), step)


@dataclass(frozen=True)
class NestedProx:
    """Lines 8 to 18 of Algorithm 1: a = a+ - a-, block coordinate descent, Douglas-Rachford inside.

    Line 14 of the paper omits the radius of the ball; by its eq. 14 it is gamma / (m mu), here ``gamma * step`` times
    that of `DualBall`. With the radius right, the first a+ is already the solution: the second round only confirms it.

    Attributes
    ----------
    tol : float
        Both loops end where no entry of their vector moves by more; the vector's unit is a margin.
    gamma : float
        Step of Douglas-Rachford, > 0 (not the multiplier of the same letter).
    eta : float
        Relaxation, between 0 and 2.
    most_rounds : int
        Of each loop.
    """

    tol: float
    gamma: float
    eta: float
    most_rounds: int

    def __call__(self, ball: DualBall, s: FloatArray, step: float) -> FloatArray:
        """An approximate minimiser of ||a - s||^2 / 2 + step * g(a), shape (n_pairs,)."""
        positive = negative = np.zeros_like(s)
        for _ in range(self.most_rounds):
            before = positive, negative
            negative = np.maximum(positive - s, 0.0)
            positive = self._positive_part(ball, negative + s, step)
            if max(_largest_move(positive, before[0]), _largest_move(negative, before[1])) <= self.tol:
                break
        return positive - negative

    def _positive_part(self, ball: DualBall, b: FloatArray, step: float) -> FloatArray:
        """Eq. 11: the minimiser over a+ >= 0 of ||a+ - b||^2 / 2 + step * max_j sum_i |a+_ij| / m."""
        gamma, v = self.gamma, np.zeros_like(b)
        u = np.full_like(b, np.inf)
        for _ in range(self.most_rounds):
            before, u = u, np.maximum(v + gamma * b, 0.0) / (1.0 + gamma)
            if _largest_move(u, before) <= self.tol:
                break
            v = v + self.eta * (u - v - ball.project(2.0 * u - v, gamma * step))
        return u


def _largest_move(now: FloatArray, before: FloatArray) -> float:
    return float(np.abs(now - before).max(initial=0.0))
