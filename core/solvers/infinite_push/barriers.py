"""How the interior-point method uses the barriers of a loss and of a penalty; and penalties as such: l1, and ridge.

A barrier holds a point: weights or scores, with their multipliers and slacks. A step takes these calls, of which only
``take`` changes the point. It is aimed and moved twice, the second time corrected::

    linearise --> aim --> (the linear system) --> move --> promise --> aim, corrected --> (...) --> move --> take

"Products" are the complementarity products, multiplier times slack, which are 0 at the optimum; ``complementarity``
returns their sum and their number.

A loss does not change if one number is added to all scores of a query; ``starts``, shape (n_queries,), are the first
rows of the queries. Its ``multipliers``, shape (n_documents,), are dL/ds as they stand, and ``dual_point`` has the dual
value, and dL/ds, at multipliers that are exactly feasible. It is linearised at scores. With B the curvature in the
scores, whose rows sum to 0 within a query, it then has ``gram``, X^T B X, shape (n_features, n_features), and
``score_curvature``, B, shape (n_documents, n_documents). A penalty is linearised at X^T times the loss's multipliers.
Its part of the Hessian is ``diagonal``. Where it has a further unknown (the multiplier of a ball), ``border`` is the
right-hand side for that, else None; both have shape (n_features,).

``aim`` returns the right-hand side for products equal to a target, less those of the last step's changes where it is to
``correct``. A loss's, shape (n_documents,), is the r such that the multipliers will change by B ds - r; a penalty's,
shape (n_features,), is the right-hand side of the step in the weights.

``move`` makes the step that follows from a change, and returns its longest length, up to 1, that keeps all multipliers
and slacks above 0. A loss's takes the change of the scores and, where the linear system was solved for them, the
multipliers' changes (where the curvature is large, B multiplies the rounding error of ds, so they are more accurate). A
penalty's takes the change of the weights with the further unknown held fixed and, as ``side``, the solution for the
``border`` if there is one. It then has the whole ``change`` of the weights, shape (n_features,), and that of the
further unknown, ``further``. ``promise`` is the sum of the products after a step of a length. Changes are named by the
variable with a d.
"""

import numpy as np
from numpy.typing import NDArray

from core.solvers.problem import FloatArray

LEAST = 1e-100
FREEDOM = 1e-10  # curvature of a feature without penalty, as a share of the median one of the others
LEAST_SLACK = 0.1  # smallest slack of a feature that joins, as a share of its price


def longest_step(values: FloatArray, changes: FloatArray) -> float:
    """Return the longest step, up to 1, that keeps all values >= 0; each is above 0 now."""
    return -1.0 / float((changes / values).min(initial=-1.0))


def above_zero(values: FloatArray) -> FloatArray:
    """Return the values with those that rounding has put on the boundary moved just inside it.

    Such a value allows only tiny steps, so it soon ends the path.
    """
    kept: FloatArray = np.maximum(values, LEAST)
    return kept


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
