"""The log penalty."""

from __future__ import annotations

import numpy as np

from core.penalties.base import FloatArray, Parameter, Penalty


class Log(Penalty):
    """sum_j log(1 + |w_j| / epsilon), so that g'(t) = 1 / (epsilon + t) (Laporte et al. 2014, Table II).

    Parameters
    ----------
    epsilon : float
        A weight far above epsilon is hardly shrunk. The paper's default is 0.1.
    """

    title = "log"
    convex = False
    parameters = (
        Parameter(
            "epsilon", "ε", 0.1, 1e-4, 100.0,
            "Weights well above ε are hardly shrunk; a smaller ε is closer to counting features.",
        ),
    )  # fmt: skip

    def __init__(self, epsilon: float = 0.1) -> None:
        self.epsilon = self.parameters[0].check(epsilon)

    def curve(self, t: FloatArray) -> FloatArray:
        return np.log1p(t / self.epsilon)

    def weights(self, w: FloatArray) -> FloatArray:
        return 1.0 / (self.epsilon + np.abs(w))

    def curvature(self, w: FloatArray) -> FloatArray:
        return np.where(w == 0.0, 0.0, -1.0 / (self.epsilon + np.abs(w)) ** 2)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Return the larger root of u^2 + (epsilon - |v|) u + step - epsilon |v| = 0 if it is better than 0."""
        size = np.abs(v)
        discriminant = (size + self.epsilon) ** 2 - 4.0 * step
        root = 0.5 * (size - self.epsilon + np.sqrt(np.maximum(discriminant, 0.0)))
        root = np.where(discriminant >= 0.0, np.maximum(root, 0.0), 0.0)
        gain = 0.5 * size**2 - 0.5 * (root - size) ** 2 - step * self.curve(root)
        return np.sign(v) * np.where(gain > 0.0, root, 0.0)
