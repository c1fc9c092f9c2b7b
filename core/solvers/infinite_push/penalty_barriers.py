"""Penalties as barriers of the interior-point method: weighted l1, and half the squared l2 norm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.solvers.infinite_push.barriers import above_zero, longest_step
from core.solvers.problem import FloatArray

FREEDOM = 1e-10  # curvature of a feature without penalty, as a share of the median one of the others
LEAST_SLACK = 0.1  # smallest slack of a feature that joins, as a share of its price


class SmoothBarrier:
    """The penalty (lam / 2) ||w||^2. It is smooth, so it has no multipliers and no products."""

    def __init__(self, lam: float, n_features: int) -> None:
        self.weights = np.zeros(n_features)
        self._lam = lam

    def complementarity(self) -> tuple[float, int]:
        return 0.0, 0

    def tangent(self, gradient: FloatArray) -> _SmoothTangent:
        return _SmoothTangent(self, np.full(len(self.weights), self._lam), -(self._lam * self.weights + gradient))


@dataclass(frozen=True, eq=False)
class _SmoothTangent:
    """The linearised penalty. It is also its right-hand side, because there are no products."""

    barrier: SmoothBarrier
    diagonal: FloatArray
    pull: FloatArray

    def border(self) -> FloatArray | None:
        return None

    def aim(self, target: float) -> _SmoothTangent:
        return self

    def move(self, change: FloatArray, side: FloatArray | None) -> _SmoothStep:
        return _SmoothStep(self, change)


@dataclass(frozen=True, eq=False)
class _SmoothStep:
    tangent: _SmoothTangent
    change: FloatArray
    longest: float = 1.0
    further: float = 0.0

    def aim(self, target: float) -> _SmoothTangent:
        return self.tangent

    def promise(self, length: float) -> float:
        return 0.0

    def take(self, length: float) -> None:
        barrier = self.tangent.barrier
        barrier.weights = barrier.weights + length * self.change


class L1Barrier:
    """The penalty sum_j kappa_j (p_j + n_j) with w = p - n and p, n >= 0.

    The slacks are z_p = kappa + gradient and z_n = kappa - gradient.

    Parameters
    ----------
    kappa : ndarray, shape (n_features,)
        Price of every feature, finite; a feature with price 0 is free.
    product : float
        Starting value of every product of a part and its slack.

    Attributes
    ----------
    weights : ndarray, shape (n_features,)
    kappa : ndarray, shape (n_bound,)
        Prices of the features that are not free.
    parts, slacks : ndarray, shape (2, n_bound)
        p and n, and z_p and z_n.
    """

    def __init__(self, kappa: FloatArray, product: float) -> None:
        self.weights = np.zeros(len(kappa))
        self.bound = np.flatnonzero(kappa > 0.0)
        self._free = np.flatnonzero(kappa == 0.0)
        self.kappa = kappa[self.bound]
        self.parts = np.tile(product / self.kappa, (2, 1))
        self.slacks = np.tile(self.kappa, (2, 1))

    def complementarity(self) -> tuple[float, int]:
        return float((self.parts * self.slacks).sum()), self.parts.size

    def tangent(self, gradient: FloatArray) -> _L1Tangent:
        diagonal = np.empty(len(self.weights))
        diagonal[self.bound] = 1.0 / (self.parts / self.slacks).sum(axis=0)
        if len(self._free) > 0:
            diagonal[self._free] = FREEDOM * (float(np.median(diagonal[self.bound])) if len(self.bound) else 1.0)
        bound = gradient[self.bound]
        residual = np.stack([self.kappa + bound, self.kappa - bound]) - self.slacks
        return _L1Tangent(self, gradient, diagonal, residual)

    def join(self, kappa: FloatArray, gradient: FloatArray) -> None:
        """Add features after the others; their products start at the present mean product.

        Parameters
        ----------
        kappa : ndarray, shape (n_joining,)
            Their prices, each above 0.
        gradient : ndarray, shape (n_joining,)
            X^T times the scores' multipliers. Where it exceeds the price, the slack would be negative; it starts at a
            small positive value instead.
        """
        total, count = self.complementarity()
        slacks = np.maximum(np.stack([kappa + gradient, kappa - gradient]), LEAST_SLACK * kappa)
        parts = total / (count * slacks)
        self.bound = np.concatenate([self.bound, len(self.weights) + np.arange(len(kappa))])
        self.weights = np.concatenate([self.weights, parts[0] - parts[1]])
        self.kappa = np.concatenate([self.kappa, kappa])
        self.parts = np.concatenate([self.parts, parts], axis=1)
        self.slacks = np.concatenate([self.slacks, slacks], axis=1)

    def nonzero(self, objective: float) -> NDArray[np.bool_]:
        """Guess which weights are not 0 at the optimum; shape (n_features,).

        At the optimum a part or its slack is 0. The guess is that it is the smaller one, where the part is measured as
        a share of the objective and the slack as a share of kappa_j.
        """
        chosen = np.ones(len(self.weights), dtype=bool)
        shares = self.parts * self.kappa / max(objective, 1e-300)
        chosen[self.bound] = (shares > self.slacks / self.kappa).any(axis=0)
        return chosen


@dataclass(frozen=True, eq=False)
class _L1Tangent:
    """The penalty, linearised.

    ``residual``, shape (2, n_bound), is kappa + gradient and kappa - gradient, minus the slacks.
    """

    barrier: L1Barrier
    gradient: FloatArray
    diagonal: FloatArray
    residual: FloatArray

    def border(self) -> FloatArray | None:
        return None

    def aim(self, target: float) -> _L1Aim:
        return self.aim_at(target - self.barrier.parts * self.barrier.slacks)

    def aim_at(self, wanted: FloatArray) -> _L1Aim:
        at = self.barrier
        ahead = (wanted - at.parts * self.residual) / at.slacks
        pull = -self.gradient
        pull[at.bound] = self.diagonal[at.bound] * (ahead[0] - ahead[1])
        return _L1Aim(self, wanted, pull)


@dataclass(frozen=True, eq=False)
class _L1Aim:
    """The right-hand side; ``wanted``, shape (2, n_bound), are the wanted changes of the products."""

    tangent: _L1Tangent
    wanted: FloatArray
    pull: FloatArray

    def move(self, change: FloatArray, side: FloatArray | None) -> _L1Step:
        at = self.tangent.barrier
        slope = (self.pull - self.tangent.diagonal * change)[at.bound]  # how the gradient changes
        slacks = np.stack([slope, -slope]) + self.tangent.residual
        parts = (self.wanted - at.parts * slacks) / at.slacks
        longest = min(longest_step(at.parts, parts), longest_step(at.slacks, slacks))
        return _L1Step(self.tangent, change, parts, slacks, longest)


@dataclass(frozen=True, eq=False)
class _L1Step:
    """A step; ``parts`` and ``slacks`` are changes."""

    tangent: _L1Tangent
    change: FloatArray
    parts: FloatArray
    slacks: FloatArray
    longest: float
    further: float = 0.0

    def aim(self, target: float) -> _L1Aim:
        at = self.tangent.barrier
        return self.tangent.aim_at(target - at.parts * at.slacks - self.parts * self.slacks)

    def promise(self, length: float) -> float:
        at = self.tangent.barrier
        return float(((at.parts + length * self.parts) * (at.slacks + length * self.slacks)).sum())

    def take(self, length: float) -> None:
        at = self.tangent.barrier
        at.parts = above_zero(at.parts + length * self.parts)
        at.slacks = above_zero(at.slacks + length * self.slacks)
        at.weights = at.weights + length * self.change
