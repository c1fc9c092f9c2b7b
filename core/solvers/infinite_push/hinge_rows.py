"""The infinite push as hinges of documents against one threshold a query, for an interior-point method.

There is one row a document, not one a pair.
"""

from __future__ import annotations

from dataclasses import dataclass

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

    def tangent(self, scores: FloatArray) -> HingeTangent:
        ratio = self.slack / self.alpha
        ratio[self.capped] += self.xi / self.beta
        theta = 1.0 / ratio
        y = self.offset + self.sign * (scores - self.t[self.query])
        return HingeTangent(self, theta, self.sums(theta), -self.slack - y, self.mass - self.sums(self.multipliers()))


@dataclass(frozen=True, eq=False)
class HingeTangent:
    """The rows, linearised at the present point.

    Attributes
    ----------
    theta : ndarray, shape (n_rows,)
        Curvature of every row.
    weight : ndarray, shape (n_queries,)
        Sums of theta by query.
    below : ndarray, shape (n_rows,)
        -slack - y; it equals -xi once the residuals are 0.
    missing : ndarray, shape (n_queries,)
        Mass minus the signed sum of the multipliers; 0 once the point is feasible.
    """

    barrier: HingeRows
    theta: FloatArray
    weight: FloatArray
    below: FloatArray
    missing: FloatArray

    def gram(self, problem: Problem) -> FloatArray:
        """Compute sum_r theta_r (x_r - mean)(x_r - mean)^T, mean being the query's mean weighted by theta."""
        x, theta, query = problem.features, self.theta, self.barrier.query
        blocks = [(first, min(first + ROWS, len(theta))) for first in range(0, len(theta), ROWS)]

        def weighted(first: int, last: int) -> tuple[int, FloatArray]:
            inside = query[first:last]
            cuts = np.flatnonzero(np.diff(inside, prepend=-1))
            return int(inside[0]), np.add.reduceat(theta[first:last, None] * x[first:last], cuts, axis=0)

        means = np.zeros((len(self.weight), x.shape[1]))
        for first, part in over_chunks(weighted, blocks):
            means[first : first + len(part)] += part
        means /= self.weight[:, None]
        root = np.sqrt(theta)

        def share(first: int, last: int) -> FloatArray:
            centred = x[first:last] - means[query[first:last]]
            centred *= root[first:last, None]
            product: FloatArray = centred.T @ centred
            return product

        total: FloatArray = np.sum(over_chunks(share, blocks), axis=0)
        return total

    def score_curvature(self) -> FloatArray:
        theta, query = self.theta, self.barrier.query
        same = query[:, None] == query
        curvature: FloatArray = np.where(same, -theta[:, None] * (theta / self.weight[query]), 0.0)
        np.fill_diagonal(curvature, 0.0)
        np.fill_diagonal(curvature, -curvature.sum(axis=1))  # rather than theta (1 - theta / sum), which cancels
        return curvature

    def aim(self, target: float) -> HingeAim:
        at = self.barrier
        return self.aim_at(target - at.alpha * at.slack, target - at.beta * at.xi)

    def aim_at(self, wanted: FloatArray, wanted_cap: FloatArray) -> HingeAim:
        at = self.barrier
        height = self.below - wanted / at.alpha
        height[at.capped] += at.xi + wanted_cap / at.beta
        signed = at.sign * height
        _, pull = self.respond(np.zeros(len(signed)), signed)
        return HingeAim(self, wanted, wanted_cap, signed, -pull)

    def respond(self, change: FloatArray, height: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the changes of the thresholds and of the signed multipliers for a change of the scores."""
        rise = (self.barrier.sums(self.theta * (change - height)) - self.missing) / self.weight
        return rise, self.theta * (change - rise[self.barrier.query] - height)


@dataclass(frozen=True, eq=False)
class HingeAim:
    """The rows' part of a step towards given complementarity products.

    Attributes
    ----------
    wanted, wanted_cap : ndarray, shapes (n_rows,) and (n_capped,)
        Wanted changes of alpha slack and of beta xi.
    height : ndarray, shape (n_rows,)
        The change of score minus threshold at which a row's multiplier does not change.
    pull : ndarray, shape (n_rows,)
    """

    tangent: HingeTangent
    wanted: FloatArray
    wanted_cap: FloatArray
    height: FloatArray
    pull: FloatArray

    def move(self, change: FloatArray, multipliers: FloatArray | None) -> HingeStep:
        at, theta = self.tangent.barrier, self.tangent.theta
        rise, signed = self.tangent.respond(change, self.height)
        if multipliers is not None:  # each row takes the one whose rounding is smaller
            signed = np.where(theta * np.abs(change).max() > np.abs(multipliers).max(), multipliers, signed)
        alpha = at.sign * signed
        slack = (self.wanted - at.slack * alpha) / at.alpha
        capped = alpha[at.capped]
        xi = (self.wanted_cap + at.xi * capped) / at.beta
        longest = min(
            longest_step(at.slack, slack),
            longest_step(at.xi, xi),
            longest_step(at.alpha, alpha),
            longest_step(at.beta, -capped),
        )
        return HingeStep(self.tangent, alpha, slack, xi, rise, longest)


@dataclass(frozen=True, eq=False)
class HingeStep:
    """A step of the rows; ``alpha``, ``slack``, ``xi`` and ``t`` are the changes."""

    tangent: HingeTangent
    alpha: FloatArray
    slack: FloatArray
    xi: FloatArray
    t: FloatArray
    longest: float

    def aim(self, target: float) -> HingeAim:
        at = self.tangent.barrier
        wanted = target - at.alpha * at.slack - self.alpha * self.slack
        return self.tangent.aim_at(wanted, target - at.beta * at.xi + self.alpha[at.capped] * self.xi)

    def promise(self, length: float) -> float:
        at = self.tangent.barrier
        own = (at.alpha + length * self.alpha) @ (at.slack + length * self.slack)
        return float(own + (at.beta - length * self.alpha[at.capped]) @ (at.xi + length * self.xi))

    def take(self, length: float) -> None:
        at = self.tangent.barrier
        at.beta = above_zero(at.beta - length * self.alpha[at.capped])
        at.alpha = above_zero(at.alpha + length * self.alpha)
        at.slack = above_zero(at.slack + length * self.slack)
        at.xi = above_zero(at.xi + length * self.xi)
        at.t = at.t + length * self.t
