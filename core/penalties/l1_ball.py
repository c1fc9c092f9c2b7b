"""The l1 ball as a penalty: a limit on the sum of the absolute weights."""

import numpy as np

from core.penalties.base import DualRay, FloatArray, Penalty, best_on_ray

ROUNDING = 1e-12  # of the radius: what a sum of weights on the sphere may be off by


class L1Ball(Penalty):
    """0 where ||w||_1 <= radius, else infinite (Lai et al. 2013, eq. 3).

    It is not a sum over features: `curve` is the penalty of a single weight when all others are 0.

    Raises a `ValueError` if the radius is negative or not a number.

    Parameters
    ----------
    radius : float
        r >= 0; at 0 the only model is the empty one.
    """

    title = "ℓ1 ball"
    convex = True
    among = "in this ℓ1 ball"

    def __init__(self, radius: float) -> None:
        if not radius >= 0.0:
            msg = f"the radius of an l1 ball must be 0 or more, not {radius:g}"
            raise ValueError(msg)
        self.radius = float(radius)

    def contains(self, w: FloatArray) -> bool:
        """Tell whether ||w||_1 <= radius, up to rounding."""
        return bool(np.abs(w).sum() <= self.radius * (1.0 + ROUNDING))

    def curve(self, t: FloatArray) -> FloatArray:
        return np.where(t <= self.radius * (1.0 + ROUNDING), 0.0, np.inf)

    def weights(self, w: FloatArray) -> FloatArray:
        """Return 0 everywhere: the penalty is flat inside the ball, so there is nothing to reweight."""
        return np.zeros_like(w)

    def value(self, w: FloatArray) -> float:
        return 0.0 if self.contains(w) else np.inf

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Project on the ball, whatever the step: soft thresholding at the level that leaves ||u||_1 = r.

        Duchi, Shalev-Shwartz, Singer & Chandra (2008), Figure 1. Sorts the features, once.
        """
        size = np.abs(v)
        if size.sum() <= self.radius:
            return v.copy()
        falling = np.sort(size)[::-1]
        level = ((np.cumsum(falling) - self.radius) / np.arange(1, len(v) + 1)).max()
        u: FloatArray = np.sign(v) * np.maximum(size - level, 0.0)
        total = float(np.abs(u).sum())
        return u if total <= self.radius else u * (self.radius / total)  # the rounding of a large v

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Compute the distance of 0 from gradient_j + nu * subdifferential of |.| at w_j, nu the limit's multiplier.

        Inside the ball nu is 0. On its sphere nu is ||gradient||_inf, as at the optimum. Outside, the distance is
        infinite.
        """
        if not self.contains(w):
            return np.full_like(w, np.inf)
        if np.abs(w).sum() < self.radius * (1.0 - ROUNDING):
            return np.abs(gradient)
        multiplier = np.abs(gradient).max(initial=0.0)
        return np.where(w == 0.0, 0.0, np.abs(gradient + multiplier * np.sign(w)))

    def dual_bound(self, ray: DualRay, gradient: FloatArray, lam: float) -> float:
        """Return the largest dual value on the ray.

        The conjugate of the limit is r ||.||_inf (Lai et al. 2013, Lemma 3), so any theta is feasible.
        """
        cost = self.radius * float(np.abs(gradient).max(initial=0.0))
        return best_on_ray(ray.dual_slope - cost, ray.dual_curvature, ray.dual_limit)
