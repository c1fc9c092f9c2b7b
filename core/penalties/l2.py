"""Half the squared l2 norm, the penalty of the dense RankSVM."""

from __future__ import annotations

import numpy as np

from core.penalties.base import FloatArray, Penalty, best_on_ray


class L2(Penalty):
    """(1/2) sum_j w_j^2 (Laporte et al. 2014, eq. 5; Chapelle & Keerthi 2010). Keeps every feature."""

    title = "ℓ2"
    convex = True
    sparse = False

    def curve(self, t: FloatArray) -> FloatArray:
        return 0.5 * t * t

    def weights(self, w: FloatArray) -> FloatArray:
        return np.abs(w)

    def curvature(self, w: FloatArray) -> FloatArray:
        return np.ones_like(w)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        return v / (1.0 + step)

    def dual_bound(
        self, slope: float, curvature: float, gradient: FloatArray, lam: float, limit: float = np.inf
    ) -> float | None:
        return best_on_ray(slope, curvature + float(gradient @ gradient) / (2.0 * lam), limit)
