"""The penalty's side of an interior-point step: weighted l1, half the squared l2 norm, or the l1 ball."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.solvers.problem import FloatArray

FREEDOM = 1e-10  # curvature, relative to the penalised features', that a feature without penalty is given
LEAST_SLACK = 0.1  # of its price, of a feature that joins


def longest_step(values: FloatArray, changes: FloatArray) -> float:
    """The longest step up to 1 that keeps every value, each above 0, at or above 0."""
    return -1.0 / float((changes / values).min(initial=-1.0))


LEAST = 1e-100


def above_zero(values: FloatArray) -> FloatArray:
    """The values after a step; one that rounding has put on the boundary stays just inside, and soon ends the path."""
    kept: FloatArray = np.maximum(values, LEAST)
    return kept


class PenaltyBarrier(Protocol):
    """A function of the weights with the multipliers that certify its minimum.

    Attributes
    ----------
    weights : ndarray, shape (n_features,)
    """

    weights: FloatArray

    def complementarity(self) -> tuple[float, int]:
        """Sum of the products that vanish at the optimum, and their number."""
        ...

    def curvature(self) -> FloatArray:
        """Diagonal that it adds to the Hessian, shape (n_features,)."""
        ...

    def aim(self, target: float, *, correct: bool) -> None:
        """Set out for products equal to the target, less, with ``correct``, the last move's products of changes."""
        ...

    def pull(self, gradient: FloatArray) -> FloatArray:
        """Right-hand side of the step, given X^T times the scores' multipliers; shape (n_features,)."""
        ...

    def border(self) -> FloatArray | None:
        """Right-hand side for one further unknown, where there is one; shape (n_features,)."""
        ...

    def settle(self, change: FloatArray, side: FloatArray) -> FloatArray:
        """The change of the weights once the further unknown, to which they answer with ``side``, is known."""
        ...

    def move(self, change: FloatArray) -> float:
        """Given the change of the weights, find that of all else; return the longest step."""
        ...

    def promise(self, step: float) -> float:
        """Sum of the products after a step of this length."""
        ...

    def advance(self, step: float) -> None:
        """Take the step."""
        ...


class SmoothBarrier:
    """(lam / 2) ||w||^2: no products, no further unknown."""

    def __init__(self, lam: float, n_features: int) -> None:
        self.weights = np.zeros(n_features)
        self._lam = lam

    def complementarity(self) -> tuple[float, int]:
        return 0.0, 0

    def curvature(self) -> FloatArray:
        return np.full(len(self.weights), self._lam)

    def aim(self, target: float, *, correct: bool) -> None:
        pass

    def pull(self, gradient: FloatArray) -> FloatArray:
        return -(self._lam * self.weights + gradient)

    def border(self) -> FloatArray | None:
        return None

    def settle(self, change: FloatArray, side: FloatArray) -> FloatArray:
        return change

    def move(self, change: FloatArray) -> float:
        self._change = change
        return 1.0

    def promise(self, step: float) -> float:
        return 0.0

    def advance(self, step: float) -> None:
        self.weights = self.weights + step * self._change


class L1Barrier:
    """sum_j kappa_j (p_j + n_j) for w = p - n; z_p = kappa + gradient and z_n = kappa - gradient are the slacks.

    Parameters
    ----------
    kappa : ndarray, shape (n_features,)
        Finite; a feature with 0 is free.
    product : float
        That every part makes with its slack at first.
    """

    def __init__(self, kappa: FloatArray, product: float) -> None:
        self.weights = np.zeros(len(kappa))
        self._bound = np.flatnonzero(kappa > 0.0)
        self._free = np.flatnonzero(kappa == 0.0)
        self._kappa = kappa[self._bound]
        self._parts = np.tile(product / self._kappa, (2, 1))  # p and n
        self._slacks = np.tile(self._kappa, (2, 1))  # z_p and z_n
        self._part_changes = np.zeros_like(self._parts)
        self._slack_changes = np.zeros_like(self._parts)

    def complementarity(self) -> tuple[float, int]:
        return float((self._parts * self._slacks).sum()), self._parts.size

    def curvature(self) -> FloatArray:
        diagonal = np.empty(len(self.weights))
        diagonal[self._bound] = 1.0 / (self._parts / self._slacks).sum(axis=0)
        if len(self._free) > 0:
            diagonal[self._free] = FREEDOM * (float(np.median(diagonal[self._bound])) if len(self._bound) else 1.0)
        return diagonal

    def aim(self, target: float, *, correct: bool) -> None:
        self._wanted = target - self._parts * self._slacks
        if correct:
            self._wanted -= self._part_changes * self._slack_changes

    def pull(self, gradient: FloatArray) -> FloatArray:
        self._diagonal = self.curvature()
        bound = gradient[self._bound]
        self._residual = np.stack([self._kappa + bound, self._kappa - bound]) - self._slacks
        ahead = (self._wanted - self._parts * self._residual) / self._slacks
        self._pull = -gradient
        self._pull[self._bound] = self._diagonal[self._bound] * (ahead[0] - ahead[1])
        return self._pull

    def border(self) -> FloatArray | None:
        return None

    def settle(self, change: FloatArray, side: FloatArray) -> FloatArray:
        return change

    def move(self, change: FloatArray) -> float:
        self._change = change
        slope = (self._pull - self._diagonal * change)[self._bound]  # how the gradient changes
        self._slack_changes = np.stack([slope, -slope]) + self._residual
        self._part_changes = (self._wanted - self._parts * self._slack_changes) / self._slacks
        return min(longest_step(self._parts, self._part_changes), longest_step(self._slacks, self._slack_changes))

    def promise(self, step: float) -> float:
        return float(((self._parts + step * self._part_changes) * (self._slacks + step * self._slack_changes)).sum())

    def advance(self, step: float) -> None:
        self._parts = above_zero(self._parts + step * self._part_changes)
        self._slacks = above_zero(self._slacks + step * self._slack_changes)
        self.weights = self.weights + step * self._change

    def join(self, kappa: FloatArray, gradient: FloatArray) -> None:
        """Further features, each with a price, take their places after the others, at the present mean product.

        Parameters
        ----------
        gradient : ndarray, like kappa
            X^T times the scores' multipliers. Where it exceeds the price, the slack begins small all the same.
        """
        total, count = self.complementarity()
        slacks = np.maximum(np.stack([kappa + gradient, kappa - gradient]), LEAST_SLACK * kappa)
        parts = total / (count * slacks)
        self._bound = np.concatenate([self._bound, len(self.weights) + np.arange(len(kappa))])
        self.weights = np.concatenate([self.weights, parts[0] - parts[1]])
        self._kappa = np.concatenate([self._kappa, kappa])
        self._parts = np.concatenate([self._parts, parts], axis=1)
        self._slacks = np.concatenate([self._slacks, slacks], axis=1)

    def nonzero(self, objective: float) -> NDArray[np.bool_]:
        """Which weights are not 0 at the optimum, as far as can be told yet; shape (n_features,).

        Of a part and its slack one vanishes: the smaller one, in shares of the objective and of kappa_j.
        """
        chosen = np.ones(len(self.weights), dtype=bool)
        shares = self._parts * self._kappa / max(objective, 1e-300)
        chosen[self._bound] = (shares > self._slacks / self._kappa).any(axis=0)
        return chosen
