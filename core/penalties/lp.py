"""The lp pseudo-norm, p < 1."""

from __future__ import annotations

import numpy as np

from core.penalties.base import FloatArray, Parameter, Penalty


class Lp(Penalty):
    """sum_j |w_j|^p, so that g'(t) = p t^(p - 1) (Laporte et al. 2014, Table II; the paper uses p = 0.5).

    The derivative is infinite at 0: a weight that has reached zero stays zero in reweighting.

    Parameters
    ----------
    p : float
        Between 0 and 1.
    """

    title = "ℓp"
    convex = False
    parameters = (
        Parameter(
            "p", "p", 0.5, 0.05, 0.95,
            "Closer to 0 is closer to counting features, closer to 1 is closer to ℓ1.",
        ),
    )  # fmt: skip

    def __init__(self, p: float = 0.5) -> None:
        self.p = self.parameters[0].check(p)

    def curve(self, t: FloatArray) -> FloatArray:
        return np.asarray(t, dtype=np.float64) ** self.p

    def weights(self, w: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return self.p * np.abs(w) ** (self.p - 1.0)

    def curvature(self, w: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return np.where(w == 0.0, 0.0, self.p * (self.p - 1.0) * np.abs(w) ** (self.p - 2.0))

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Run Newton's method from |v| down to the larger stationary point; return it if it is better than 0."""
        size = np.abs(np.asarray(v, dtype=np.float64))
        bend = (step * self.p * (1.0 - self.p)) ** (1.0 / (2.0 - self.p))  # where the objective turns convex
        lowest_slope = bend - size + step * self.p * bend ** (self.p - 1.0)
        has_root = lowest_slope < 0.0
        u = np.where(has_root, size, bend)
        for _ in range(60):  # the slope is convex and increasing here: monotone, quadratic convergence
            slope = u - size + step * self.p * u ** (self.p - 1.0)
            curvature = 1.0 - step * self.p * (1.0 - self.p) * u ** (self.p - 2.0)
            move = np.where(has_root & (curvature > 0.0), slope / np.where(curvature > 0.0, curvature, 1.0), 0.0)
            u = np.maximum(u - move, bend)
            if np.all(np.abs(move) <= 1e-15 * np.maximum(u, bend)):
                break
        gain = 0.5 * size**2 - 0.5 * (u - size) ** 2 - step * u**self.p
        return np.sign(v) * np.where(has_root & (gain > 0.0), u, 0.0)
