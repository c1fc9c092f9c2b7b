"""The minimax concave penalty."""

from __future__ import annotations

import numpy as np

from core.penalties.base import FloatArray, Parameter, Penalty
from core.penalties.l1 import soft_threshold


class MCP(Penalty):
    """g'(t) = max(1 - t / knee, 0): like l1 near 0, flat beyond the knee (Zhang 2010).

    Laporte et al. (2014, Table II) write the knee as gamma lambda for the *summed* loss, that is gamma / C. Its size
    relative to a weight then depends on the number of pairs, so here the knee is a parameter of its own, in units of a
    weight.

    Parameters
    ----------
    knee : float
        A weight at or above it is not shrunk. The default is the sparsest value within one standard error of
        the best by validation MAP on five sets other than LETOR's (``python -m benchmarks mcp_knee``), where 0.02 to
        0.5 are nearly level and larger ones, ℓ1 among them, a little worse.
    """

    title = "MCP"
    convex = False
    parameters = (
        Parameter(
            "knee", "γλ", 0.05, 1e-12, 1e12,
            "Weights beyond the knee are not shrunk at all; a huge knee gives ℓ1.",
            pictured=0.5,
        ),
    )  # fmt: skip

    def __init__(self, knee: float = 0.05) -> None:
        self.knee = self.parameters[0].check(knee)

    def curve(self, t: FloatArray) -> FloatArray:
        below = np.minimum(t, self.knee)
        return below - below * below / (2.0 * self.knee)

    def weights(self, w: FloatArray) -> FloatArray:
        return np.maximum(1.0 - np.abs(w) / self.knee, 0.0)

    def curvature(self, w: FloatArray) -> FloatArray:
        return np.where((w == 0.0) | (np.abs(w) >= self.knee), 0.0, -1.0 / self.knee)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Apply the firm threshold where the problem is convex (step < knee), else take the better of 0 and v."""
        convex = np.less(step, self.knee)
        inside = soft_threshold(v, step) / np.where(convex, 1.0 - step / self.knee, 1.0)
        firm = np.where(np.abs(v) <= self.knee, inside, v)
        leap = np.where(0.5 * v * v <= 0.5 * step * self.knee, 0.0, v)
        return np.where(convex, firm, leap)
