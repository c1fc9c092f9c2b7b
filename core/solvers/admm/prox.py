"""The proximal operator of the infinite push loss of pairs: exact, and by the nested loops of the paper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.solvers.admm.l1_inf_projection import project_l1_inf
from core.solvers.admm.pairs import PairBlocks

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DualBall:
    """The dual points alpha of the loss: |alpha_ij| <= tau_j with sum_j tau_j <= radius, tau_j <= cap, in every query.

    The loss of one query is g(a) = max_j (1/m) sum_i (a_ij)_+, the maximum of alpha.a over alpha >= 0 in the ball of
    radius 1/m. The mean over Q queries divides the radius by Q. If the loss is the mean of the k largest columns, no
    column may take more than 1/k of the radius: that is the cap.

    Attributes
    ----------
    pairs : PairBlocks
    radius, cap : ndarray of float64, shape (n_blocks,)
    """

    pairs: PairBlocks
    radius: FloatArray
    cap: FloatArray

    def project(self, values: FloatArray, scale: float) -> FloatArray:
        """Project on the ball times ``scale``, shape (n_pairs,)."""
        pairs = self.pairs
        return project_l1_inf(values, pairs.block_start, pairs.height, scale * self.radius, scale * self.cap)

    def scaled_inside(self, alpha: FloatArray) -> FloatArray:
        """Scale alpha >= 0 down in every query where it is outside the ball, so that it is a dual point."""
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
    """Minimise ||a - s||^2 / 2 + step * g(a) over a, shape (n_pairs,), by one projection.

    By duality a = s - alpha, where alpha is the point of the ball times step nearest to the positive part of s: it
    maximises alpha.s - ||alpha||^2 / 2 over alpha >= 0 there. All columns that stay at the maximum share theta, the sum
    of their positive parts, and theta solves one scalar equation (`project_l1_inf`).
    """
    return s - ball.project(np.maximum(s, 0.0), step)


@dataclass(frozen=True)
class NestedProx:
    """Lines 8 to 18 of Algorithm 1: a = a+ - a- by block coordinate descent with Douglas-Rachford inside.

    Line 14 of the paper omits the radius of the ball. By its eq. 14 the radius is gamma / (m mu), here ``gamma * step``
    times that of `DualBall`. With this radius the first a+ is already the solution, and the second round only confirms
    it.

    Attributes
    ----------
    tol : float
        Both loops end when no entry of their vector moves by more (in units of a margin).
    gamma : float
        Step of Douglas-Rachford, > 0 (not the multiplier of the same letter).
    eta : float
        Relaxation, between 0 and 2.
    most_rounds : int
        Largest number of rounds of each loop.
    """

    tol: float
    gamma: float
    eta: float
    most_rounds: int

    def __call__(self, ball: DualBall, s: FloatArray, step: float) -> FloatArray:
        """Approximate the minimiser of ||a - s||^2 / 2 + step * g(a), shape (n_pairs,)."""
        positive = negative = np.zeros_like(s)
        for _ in range(self.most_rounds):
            before = positive, negative
            negative = np.maximum(positive - s, 0.0)
            positive = self._positive_part(ball, negative + s, step)
            if max(_largest_move(positive, before[0]), _largest_move(negative, before[1])) <= self.tol:
                break
        return positive - negative

    def _positive_part(self, ball: DualBall, b: FloatArray, step: float) -> FloatArray:
        """Minimise ||a+ - b||^2 / 2 + step * max_j sum_i |a+_ij| / m over a+ >= 0 (eq. 11)."""
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
