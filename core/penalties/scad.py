"""The smoothly clipped absolute deviation (SCAD)."""

from __future__ import annotations

import numpy as np

from core.penalties.base import FloatArray, Parameter, Penalty
from core.penalties.l1 import soft_threshold


class SCAD(Penalty):
    """g'(t) = 1 up to the knee, then falling linearly to 0 at a * knee (Fan & Li 2001), named by Laporte et al. (2014).

    Parameters
    ----------
    knee : float
        Up to the knee the penalty is l1. As for MCP, it is a parameter in units of a weight and does not depend on
        lambda. The default has the best validation MAP on five sets other than LETOR's (``python -m benchmarks
        mcp_knee``).
    a : float
        A weight at or above a * knee is not shrunk. Fan & Li suggest 3.7.
    """

    title = "SCAD"
    convex = False
    parameters = (
        Parameter(
            "knee", "λ", 0.05, 1e-4, 1e6,
            "Up to the knee the penalty is ℓ1; beyond a times the knee weights are not shrunk at all.",
            pictured=0.5,
        ),
        Parameter("a", "a", 3.7, 2.01, 100.0, "Beyond the knee the penalty's pull falls, to 0 at a times the knee."),
    )  # fmt: skip

    def __init__(self, knee: float = 0.05, a: float = 3.7) -> None:
        self.knee = self.parameters[0].check(knee)
        self.a = self.parameters[1].check(a)

    def curve(self, t: FloatArray) -> FloatArray:
        knee, a = self.knee, self.a
        beyond = np.clip(t, knee, a * knee) - knee
        return np.minimum(t, knee) + beyond - beyond * beyond / (2.0 * (a - 1.0) * knee)

    def weights(self, w: FloatArray) -> FloatArray:
        return np.clip((self.a * self.knee - np.abs(w)) / ((self.a - 1.0) * self.knee), 0.0, 1.0)

    def curvature(self, w: FloatArray) -> FloatArray:
        size = np.abs(w)
        falling = (size > self.knee) & (size < self.a * self.knee)
        return np.where(falling, -1.0 / ((self.a - 1.0) * self.knee), 0.0)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Return the best of the candidates of the three pieces, because the objective may have two local minima."""
        knee, a = self.knee, self.a
        size = np.abs(v)
        slack = (a - 1.0) * knee
        convex = np.less(step, slack)  # the middle piece; where it is not, its best point is one of its ends
        bottom = (slack * size - step * a * knee) / np.where(convex, slack - step, 1.0)
        stacked = np.stack(
            [
                np.zeros_like(size),
                np.minimum(soft_threshold(size, step), knee),
                np.where(convex, np.clip(bottom, knee, a * knee), knee),
                np.maximum(size, a * knee),
            ]
        )
        objective = 0.5 * (stacked - size) ** 2 + step * self.curve(stacked)
        best: FloatArray = np.take_along_axis(stacked, objective.argmin(axis=0)[None], axis=0)[0]
        return np.sign(v) * best
