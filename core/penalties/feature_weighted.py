"""A sparse penalty multiplied, feature by feature, by a factor: a cost, a ban (infinity) or an exemption (0)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.penalties.base import FloatArray, Penalty


class FeatureWeighted(Penalty):
    """sum_j factor_j g(|w_j|), with g the curve of another penalty.

    A factor of 2 makes a feature twice as expensive, 0 exempts it from the penalty, infinity forbids it. In every round
    of reweighting, the weights are multiplied by the factors.

    Parameters
    ----------
    penalty : Penalty
        Sparse, and the same for every feature.
    factors : ndarray, shape (n_features,)
        Each >= 0.

    Raises
    ------
    ValueError
        If a factor is negative or not a number, or the penalty is not sparse.
    """

    def __init__(self, penalty: Penalty, factors: FloatArray) -> None:
        factors = np.asarray(factors, dtype=np.float64)
        if np.any(np.isnan(factors)) or np.any(factors < 0.0):
            msg = "the factors of a penalty must be 0 or more"
            raise ValueError(msg)
        if not penalty.sparse:
            msg = f"factors affect which features are kept, but {penalty.title} keeps them all; use a sparse penalty"
            raise ValueError(msg)
        self.penalty = penalty
        self.factors = factors
        self.title = f"{penalty.title}, weighted by feature"
        self.convex = penalty.convex
        self._forbidden = np.isinf(factors)
        without = "without the features that are off" if self._forbidden.any() else ""
        self.among = " ".join(filter(None, [penalty.among, without]))
        self._free: NDArray[np.bool_] = factors == 0.0
        self._finite = np.where(self._forbidden, 1.0, factors)  # inf * 0 is not a number

    def exempt(self, n_features: int) -> NDArray[np.bool_]:
        return self._free

    def curve(self, t: FloatArray) -> FloatArray:
        dear = self._finite * self.penalty.curve(t)
        return np.where(self._forbidden & (t > 0.0), np.inf, dear)

    def weights(self, w: FloatArray) -> FloatArray:
        return self._scaled(self.penalty.weights(w))

    def first_weights(self, n_features: int) -> FloatArray:
        return self._scaled(self.penalty.first_weights(n_features))

    def curvature(self, w: FloatArray) -> FloatArray:
        return np.where(self._forbidden | self._free, 0.0, self._finite * self.penalty.curvature(w))

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        ordinary = ~(self._free | self._forbidden)
        # The others get a step that no prox stumbles over; what it gives for them is not used.
        u = self.penalty.prox(v, np.where(ordinary, step * self._finite, 1.0))
        return np.where(ordinary, u, np.where(self._free, v, 0.0))

    def dual_bound(
        self, slope: float, curvature: float, gradient: FloatArray, lam: float, limit: float = np.inf
    ) -> float | None:
        """Return the dual bound of the inner penalty at the gradient divided by the factors.

        A sparse penalty is concave in |w|. One with a dual bound is also convex, hence a multiple of |w|. Then
        |gradient_j| <= lam factor_j g'(0) is the same as |gradient_j / factor_j| <= lam g'(0).
        """
        if np.any(self._free & (gradient != 0.0)):
            return None  # an exempt feature needs slope 0; see `core.solvers.exempt_features`
        scaled = gradient / np.where(self._free, 1.0, self.factors)
        return self.penalty.dual_bound(slope, curvature, scaled, lam, limit)

    def _scaled(self, slopes: FloatArray) -> FloatArray:
        """Multiply slopes by factors, either of which may be infinite; forbidden and exempt features stay so."""
        finite = self._finite * np.where(self._free, 0.0, slopes)
        return np.where(self._forbidden, np.inf, finite)
