"""A penalty with signs: features that may only help, or only hurt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.penalties.base import FloatArray, Penalty


class Signed(Penalty):
    """sum_j g_j(|w_j|) where every weight with a sign has that sign or is 0, infinite elsewhere.

    A search engineer knows that a better match cannot make a document worse: the weight of that feature is to be 0 or
    more. The constraint is convex, so a convex penalty keeps its duality gap, among the models with these signs.

    Parameters
    ----------
    penalty : Penalty
        A sum over features.
    signs : ndarray, shape (n_features,)
        1 for a weight of 0 or more, -1 for one of 0 or less, 0 for one that may be either.

    Raises
    ------
    ValueError
        If a sign is none of these.
    """

    def __init__(self, penalty: Penalty, signs: FloatArray) -> None:
        signs = np.asarray(signs, dtype=np.float64)
        if not np.isin(signs, (-1.0, 0.0, 1.0)).all():
            msg = "the sign of a weight is 1, -1 or, where it may be either, 0"
            raise ValueError(msg)
        self.penalty = penalty
        self._signs = signs
        self.title = f"{penalty.title}, with signs"
        self.convex = penalty.convex
        self.sparse = penalty.sparse
        self.among = " ".join(filter(None, [penalty.among, "with these signs"]))

    def signs(self, n_features: int) -> FloatArray:
        return self._signs

    def exempt(self, n_features: int) -> NDArray[np.bool_]:
        return self.penalty.exempt(n_features)

    def curve(self, t: FloatArray) -> FloatArray:
        return self.penalty.curve(t)

    def value(self, w: FloatArray) -> float:
        return np.inf if np.any(self._signs * w < 0.0) else self.penalty.value(w)

    def weights(self, w: FloatArray) -> FloatArray:
        return self.penalty.weights(w)

    def first_weights(self, n_features: int) -> FloatArray:
        return self.penalty.first_weights(n_features)

    def curvature(self, w: FloatArray) -> FloatArray:
        return self.penalty.curvature(w)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Return the prox of the penalty, of 0 where v has the other sign: there every allowed u but 0 is farther."""
        return self.penalty.prox(np.where(self._signs * v < 0.0, 0.0, v), step)

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Distance for the penalty; a weight that its sign holds at 0 is where it belongs, however steep the loss."""
        return self.penalty.distance_to_stationarity(w, np.where(w == 0.0, self._towards(gradient), gradient), lam)

    def dual_bound(
        self, slope: float, curvature: float, gradient: FloatArray, lam: float, limit: float = np.inf
    ) -> float | None:
        """Return the bound of the penalty; only slopes along which a weight may move restrict the dual point."""
        return self.penalty.dual_bound(slope, curvature, self._towards(gradient), lam, limit)

    def _towards(self, gradient: FloatArray) -> FloatArray:
        """Return the gradient, and 0 where the loss falls only towards the other sign."""
        return np.where(self._signs * gradient > 0.0, 0.0, gradient)
