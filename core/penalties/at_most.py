"""Half the squared l2 norm on at most k features: the penalty of filters and eliminations."""

from __future__ import annotations

import numpy as np

from core.penalties.base import FloatArray, Parameter, best_on_ray
from core.penalties.l2 import L2

KEEP = Parameter(
    "keep", "k", 10.0, 1.0, 1e6,
    "The most features that the model may keep; the ℓ2 penalty shrinks their weights.",
    tried=(5.0, 10.0, 20.0), counts=True,
)  # fmt: skip


class L2AtMost(L2):
    """(1/2) sum_j w_j^2 if at most ``keep`` weights are non-zero, else infinite.

    Minimising with it is best-subset selection; eliminations and filters find good models, and their certificates hold
    among models on the same features.

    Parameters
    ----------
    keep : float
        k, a whole number of at least 1.

    Raises
    ------
    ValueError
        If ``keep`` is not a whole number of at least 1.
    """

    title = "ℓ2 on at most k features"
    convex = False
    sparse = True
    among = "on these features"

    def __init__(self, keep: float) -> None:
        if keep < 1 or keep != round(keep):
            msg = f"the number of features to keep must be a whole number, at least 1, not {keep:g}"
            raise ValueError(msg)
        self.keep = int(keep)

    def value(self, w: FloatArray) -> float:
        return super().value(w) if np.count_nonzero(w) <= self.keep else np.inf

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Keep the k weights whose removal would cost most and shrink them; ties go to the first."""
        gain = v * v / (1.0 + np.broadcast_to(step, v.shape))
        kept = np.argsort(-gain, kind="stable")[: self.keep]
        u = np.zeros_like(v)
        u[kept] = super().prox(v, step)[kept]
        return u

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Distance for l2 on the kept features; 0 for features that the limit holds at 0, whatever their gradient."""
        held = (w == 0.0) & (np.count_nonzero(w) >= self.keep)
        return np.where(held, 0.0, np.abs(gradient + lam * w))

    def dual_bound(
        self, slope: float, curvature: float, gradient: FloatArray, lam: float, limit: float = np.inf
    ) -> float | None:
        """Bound every model with at most k features, whatever they are: the conjugate takes the k largest g_j^2."""
        squares = gradient * gradient
        largest = np.partition(squares, -self.keep)[-self.keep :] if self.keep < len(squares) else squares
        return best_on_ray(slope, curvature + float(largest.sum()) / (2.0 * lam), limit)
