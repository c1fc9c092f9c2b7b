"""Half the squared l2 norm on the features that another penalty has selected: the penalty of a refit."""

from __future__ import annotations

import numpy as np

from core.penalties.base import FloatArray, Penalty


class Refitted(Penalty):
    """(ratio / 2) sum_j w_j^2 on the support of a model that another penalty has selected.

    The other penalty decides which weights are non-zero (selection), this one their values (shrinkage). The support is
    the outcome of another problem, so no penalty has the refitted model as its minimiser among all models.

    Parameters
    ----------
    first : Penalty
        The penalty that selects the support.
    ratio : float
        Ratio of the refit's lambda to the first penalty's, > 0. The refit minimises L(w) + lambda * this penalty.

    Raises
    ------
    ValueError
        If the ratio is not a positive number.
    """

    title = "ℓ2 on the support"
    convex = False

    def __init__(self, first: Penalty, ratio: float) -> None:
        if not (np.isfinite(ratio) and ratio > 0.0):
            msg = f"a refit needs a positive lambda, not {ratio:g} times that of the first penalty"
            raise ValueError(msg)
        self.first = first
        self.ratio = float(ratio)
        self.sparse = first.sparse

    def curve(self, t: FloatArray) -> FloatArray:
        return 0.5 * self.ratio * t * t

    def weights(self, w: FloatArray) -> FloatArray:
        return self.ratio * np.abs(w)

    def curvature(self, w: FloatArray) -> FloatArray:
        return np.full_like(w, self.ratio)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Compute the prox on the support of v."""
        return v / (1.0 + step * self.ratio)

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Compute the distance on the support of w; the other weights are held at 0, whatever their gradient."""
        return np.where(w == 0.0, 0.0, np.abs(gradient + lam * self.ratio * w))
