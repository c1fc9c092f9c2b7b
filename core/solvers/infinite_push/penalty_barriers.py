"""Penalties as barriers of the interior-point method: weighted l1, and half the squared l2 norm."""

import numpy as np
from numpy.typing import NDArray

from core.solvers.infinite_push.barriers import above_zero, longest_step
from core.solvers.problem import FloatArray

FREEDOM = 1e-10  # curvature of a feature without penalty, as a share of the median one of the others
LEAST_SLACK = 0.1  # smallest slack of a feature that joins, as a share of its price


class SmoothBarrier:
    """The penalty (1/2) sum_j price_j w_j^2. It is smooth, so it has no multipliers and no products, and no bound."""

    further = 0.0

    def __init__(self, price: FloatArray) -> None:
        self.weights = np.zeros(len(price))
        self.diagonal = price

    def complementarity(self) -> tuple[float, int]:
        return 0.0, 0

    def linearise(self, gradient: FloatArray) -> None:
        self._pull = -(self.diagonal * self.weights + gradient)

    def border(self) -> FloatArray | None:
        return None

    def aim(self, target: float, *, correct: bool) -> FloatArray:
        return self._pull

    def move(self, change: FloatArray, side: FloatArray | None) -> float:
        self.change = change
        return 1.0

    def promise(self, length: float) -> float:
        return 0.0

    def take(self, length: float) -> None:
        self.weights = self.weights + length * self.change


class L1Barrier:
    """The penalty sum_j kappa_j (p_j + n_j) with w = p - n and p, n >= 0.

    The slacks are z_p = kappa + gradient and z_n = kappa - gradient.

    A weight with a sign has one of the two parts only.

    Parameters
    ----------
    kappa : ndarray, shape (n_features,)
        Price of every feature, finite; a feature with price 0 and without a sign is free.
    signs : ndarray, shape (n_features,)
        1 and -1 for weights that have that sign or are 0, 0 for others.
    product : float
        Starting value of every product of a part and its slack.

    Attributes
    ----------
    weights : ndarray, shape (n_features,)
    kappa : ndarray, shape (n_bound,)
        Prices of the features that are not free.
    open : ndarray of bool, shape (2, n_bound)
        Which parts exist. A part that does not exist stays 0; its slack is 1, and nothing reads it.
    parts, slacks : ndarray, shape (2, n_bound)
        p and n, and z_p and z_n.
    """

    further = 0.0
    _d_parts: FloatArray
    _d_slacks: FloatArray

    def __init__(self, kappa: FloatArray, signs: FloatArray, product: float) -> None:
        self.weights = np.zeros(len(kappa))
        bound = (kappa > 0.0) | (signs != 0.0)
        self.bound, self._free = np.flatnonzero(bound), np.flatnonzero(~bound)
        self.kappa = kappa[self.bound]
        self.open = _parts_of(signs[self.bound])
        priced = self.kappa > 0.0
        # A slack begins as large as the price; where there is none, as large as others' prices.
        self._first_slack = np.where(priced, self.kappa, np.median(self.kappa[priced]) if priced.any() else 1.0)
        self.parts = np.where(self.open, product / self._first_slack, 0.0)
        self.slacks = np.where(self.open, self._first_slack, 1.0)
        self.weights[self.bound] = self.parts[0] - self.parts[1]

    def complementarity(self) -> tuple[float, int]:
        return float((self.parts * self.slacks).sum()), int(np.count_nonzero(self.open))

    def linearise(self, gradient: FloatArray) -> None:
        self.diagonal = np.empty(len(self.weights))
        self.diagonal[self.bound] = 1.0 / (self.parts / self.slacks).sum(axis=0)
        if len(self._free) > 0:
            others = float(np.median(self.diagonal[self.bound])) if len(self.bound) else 1.0
            self.diagonal[self._free] = FREEDOM * others
        bound = gradient[self.bound]
        residual = np.stack([self.kappa + bound, self.kappa - bound]) - self.slacks
        self._gradient, self._residual = gradient, np.where(self.open, residual, 0.0)

    def border(self) -> FloatArray | None:
        return None

    def aim(self, target: float, *, correct: bool) -> FloatArray:
        wanted = target - self.parts * self.slacks
        if correct:
            wanted -= self._d_parts * self._d_slacks
        self._wanted = np.where(self.open, wanted, 0.0)
        ahead = (self._wanted - self.parts * self._residual) / self.slacks
        self._pull = -self._gradient
        self._pull[self.bound] = self.diagonal[self.bound] * (ahead[0] - ahead[1])
        return self._pull

    def move(self, change: FloatArray, side: FloatArray | None) -> float:
        slope = (self._pull - self.diagonal * change)[self.bound]  # how the gradient changes
        self.change = change
        self._d_slacks = np.where(self.open, np.stack([slope, -slope]) + self._residual, 0.0)
        self._d_parts = (self._wanted - self.parts * self._d_slacks) / self.slacks
        return min(
            longest_step(self.parts[self.open], self._d_parts[self.open]), longest_step(self.slacks, self._d_slacks)
        )

    def promise(self, length: float) -> float:
        return float(((self.parts + length * self._d_parts) * (self.slacks + length * self._d_slacks)).sum())

    def take(self, length: float) -> None:
        self.parts = np.where(self.open, above_zero(self.parts + length * self._d_parts), 0.0)
        self.slacks = above_zero(self.slacks + length * self._d_slacks)
        self.weights = self.weights + length * self.change

    def join(self, kappa: FloatArray, signs: FloatArray, gradient: FloatArray) -> None:
        """Add features after the others; their products start at the present mean product.

        Parameters
        ----------
        kappa : ndarray, shape (n_joining,)
            Their prices, each above 0.
        signs : ndarray, shape (n_joining,)
        gradient : ndarray, shape (n_joining,)
            X^T times the scores' multipliers. Where it exceeds the price, the slack would be negative; it starts at a
            small positive value instead.
        """
        total, count = self.complementarity()
        present = _parts_of(signs)
        slacks = np.where(present, np.maximum(np.stack([kappa + gradient, kappa - gradient]), LEAST_SLACK * kappa), 1.0)
        parts = np.where(present, total / (count * slacks), 0.0)
        self.bound = np.concatenate([self.bound, len(self.weights) + np.arange(len(kappa))])
        self.weights = np.concatenate([self.weights, parts[0] - parts[1]])
        self.kappa = np.concatenate([self.kappa, kappa])
        self._first_slack = np.concatenate([self._first_slack, kappa])
        self.open = np.concatenate([self.open, present], axis=1)
        self.parts = np.concatenate([self.parts, parts], axis=1)
        self.slacks = np.concatenate([self.slacks, slacks], axis=1)

    def nonzero(self, objective: float) -> NDArray[np.bool_]:
        """Guess which weights are not 0 at the optimum; shape (n_features,).

        At the optimum a part or its slack is 0. The guess is that it is the smaller one, where the part is measured as
        a share of the objective and the slack as a share of its first value.
        """
        chosen = np.ones(len(self.weights), dtype=bool)
        shares = self.parts * self._first_slack / max(objective, 1e-300)
        chosen[self.bound] = (shares > self.slacks / self._first_slack).any(axis=0)
        return chosen


def _parts_of(signs: FloatArray) -> NDArray[np.bool_]:
    """Which of its two parts each weight has, shape (2, n)."""
    parts: NDArray[np.bool_] = np.stack([signs >= 0.0, signs <= 0.0])
    return parts
