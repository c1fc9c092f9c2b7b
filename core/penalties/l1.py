"""The l1 norm and the weighted l1 norm."""

from __future__ import annotations

import numpy as np

from core.penalties.base import FloatArray, Penalty, best_on_ray


def soft_threshold(v: FloatArray, threshold: FloatArray | float) -> FloatArray:
    """Compute sign(v) max(|v| - threshold, 0) (Laporte et al. 2014, eq. 11-12); an infinite threshold gives 0."""
    return np.sign(v) * np.maximum(np.abs(v) - threshold, 0.0)


class WeightedL1(Penalty):
    """sum_j beta_j |w_j|.

    Parameters
    ----------
    beta : ndarray, shape (n_features,)
        Each >= 0. An infinite weight forbids the feature.
    rounding : float
        How far rounding may carry a slope of the loss, as a share of the slope of the dual ray. A slope that exceeds
        its price by no more than that is within it; it matters where some prices are tiny beside others.
    """

    title = "weighted ℓ1"
    convex = True

    def __init__(self, beta: FloatArray, rounding: float = 0.0) -> None:
        if np.any(np.isnan(beta)) or np.any(beta < 0):
            msg = "the weights of a weighted l1 penalty must be 0 or more"
            raise ValueError(msg)
        self.beta, self.rounding = beta, rounding

    def curve(self, t: FloatArray) -> FloatArray:
        beta, t = np.broadcast_arrays(self.beta, t)
        return np.where(t == 0.0, 0.0, np.where(t == 0.0, 0.0, beta) * t)

    def weights(self, w: FloatArray) -> FloatArray:
        return np.broadcast_to(self.beta, w.shape).astype(np.float64)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        return soft_threshold(v, step * self.beta)

    def dual_bound(
        self, slope: float, curvature: float, gradient: FloatArray, lam: float, limit: float = np.inf
    ) -> float | None:
        steep = np.abs(gradient)
        allowed = np.broadcast_to(lam * self.beta, steep.shape)
        if self.rounding:
            steep = np.maximum(steep - self.rounding * slope, np.minimum(steep, allowed))
        if np.any((allowed == 0.0) & (steep > 0.0)):
            return None  # an unpenalised feature needs gradient 0, which no scaling of alpha provides
        bound = steep > 0.0
        longest = float((allowed[bound] / steep[bound]).min()) if bound.any() else np.inf
        return best_on_ray(slope, curvature, min(longest, limit))


class L1(WeightedL1):
    """sum_j |w_j|."""

    title = "ℓ1"

    def __init__(self) -> None:
        super().__init__(np.ones(1))
