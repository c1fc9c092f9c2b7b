"""Penalties that are no sums over features: FSMRank's importance and similarity, and the l1 ball."""

import numpy as np

from core.kernels import kernel
from core.penalties.base import DualRay, FloatArray, Penalty, best_on_ray
from core.penalties.separable import WeightedL1

PROX_TOLERANCE = 1e-12  # of the prox, relative to the largest |v|
PROX_SWEEPS = 10_000
OWN = 1.0 + 1e-12  # curvature of a coordinate by itself; without the trillionth, last digits of published models change


class ImportanceSimilarity(Penalty):
    """sum_j |w_j| / s_j + (ratio / 2) |w|^T A |w| (Lai et al. 2013, FSMRank, eq. 2, divided by lambda_2).

    The paper writes it on 2d non-negative variables, the positive and the negative part of every weight. Both parts of
    a feature have the same importance and the same similarity to any other feature, so at a minimum one of the two is 0
    and the problem is this one in w. It is not the paper's eq. 1, where w^T A w rewards similar features for weights of
    opposite signs.

    Raises a `ValueError` if an importance, a similarity or the ratio is negative.

    Parameters
    ----------
    importance : ndarray, shape (n_features,)
        s, in [0, 1]; a feature of importance 0 is forbidden.
    similarity : ndarray, shape (n_features, n_features) or (n_features,)
        A, without negative entries and positive semi-definite (see `lifted`); one dimension means a diagonal matrix.
    ratio : float
        lambda_1 / lambda_2, at least 0.
    """

    title = "importance and similarity"
    convex = True

    def __init__(self, importance: FloatArray, similarity: FloatArray, ratio: float) -> None:
        if np.any(importance < 0.0) or np.any(similarity < 0.0) or not ratio >= 0.0:
            msg = "importance, similarity and their ratio must be 0 or more"
            raise ValueError(msg)
        with np.errstate(divide="ignore"):
            self.price = 1.0 / np.asarray(importance, dtype=np.float64)
        self.similarity = similarity
        self.ratio = ratio

    def toll(self, t: FloatArray) -> FloatArray:
        """Charge on each feature for its similarity to features of these absolute weights t: ratio * A t."""
        return self.ratio * (self.similarity @ t if self.similarity.ndim == 2 else self.similarity * t)

    def coupling(self, n_features: int) -> FloatArray:
        """Matrix ratio * A, shape (n_features, n_features)."""
        full = self.similarity if self.similarity.ndim == 2 else np.broadcast_to(self.similarity, n_features)
        return self.ratio * (full if full.ndim == 2 else np.diag(full))

    def curve(self, t: FloatArray) -> FloatArray:
        """Compute every feature's share of the penalty: its own price, and half of the charge for each of its pairs."""
        return WeightedL1(self.price).curve(t) + 0.5 * t * self.toll(t)

    def weights(self, w: FloatArray) -> FloatArray:
        return self.price + self.toll(np.abs(w))

    def first_weights(self, n_features: int) -> FloatArray:
        return self.weights(np.zeros(n_features))

    def curvature(self, w: FloatArray) -> FloatArray:
        diagonal = self.similarity.diagonal() if self.similarity.ndim == 2 else self.similarity
        return np.where(w == 0.0, 0.0, self.ratio * diagonal)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Compute the prox by coordinate descent, because the features are coupled.

        Raises a `ValueError` if the step differs by feature, because the penalty is no sum over features.
        """
        if np.ndim(step) != 0:
            msg = "similar features are charged together, so they need one common step"
            raise ValueError(msg)
        threshold, coupling = float(step) * np.broadcast_to(self.price, len(v)), float(step) * self.coupling(len(v))
        tolerance = PROX_TOLERANCE * float(np.abs(v).max(initial=0.0))
        u: FloatArray = coupled_lasso(v, threshold, coupling, tolerance, PROX_SWEEPS)
        return u

    def support(self, w: FloatArray) -> tuple[Penalty, float]:
        """Return the tangent in |w|: a weighted l1, less half of the quadratic part, which it counts twice."""
        t = np.abs(w)
        return WeightedL1(self.weights(w)), -0.5 * float(t @ self.toll(t))


def lifted(similarity: FloatArray) -> FloatArray:
    """Return |A| with its diagonal raised until it is positive semi-definite.

    A correlation matrix is positive semi-definite, but its absolute values need not be (the smallest eigenvalue on
    MQ2008 is -0.027). FSMRank's problem, which its paper takes to be convex, is then not convex.
    """
    sizes = np.abs(similarity)
    lowest = float(np.linalg.eigvalsh(sizes)[0])
    return sizes + max(-lowest, 0.0) * np.eye(len(sizes))


@kernel
def coupled_lasso(v, threshold, coupling, tolerance, max_sweeps):  # type: ignore[no-untyped-def]
    """Minimise ||u - v||^2 / 2 + sum threshold_j |u_j| + |u|.C.|u| / 2 over u, from 0.

    Each coordinate is soft-thresholded by its own threshold plus the coupling to the other coordinates. The directional
    derivative is a sum over coordinates, so a point that no single coordinate improves is a minimiser.

    Parameters
    ----------
    v, threshold : ndarray of float64, shape (k,)
        A threshold may be infinite.
    coupling : ndarray of float64, shape (k, k)
        C, symmetric and positive semi-definite, without a negative entry.
    tolerance : float
        Stop when no coordinate's distance of 0 to the subdifferential exceeds it.

    Returns
    -------
    ndarray of float64, shape (k,)
    """
    k = len(v)
    u, toll, slope = np.zeros(k), np.zeros(k), -v  # the slope is that of the quadratic at u
    for _ in range(max_sweeps):
        worst = 0.0
        for j in range(k):
            curvature, old = OWN + coupling[j, j], u[j]
            pull = OWN * old - slope[j]
            limit = threshold[j] + toll[j] - coupling[j, j] * abs(old)
            if pull > limit:
                new = (pull - limit) / curvature
            elif pull < -limit:
                new = (pull + limit) / curvature
            else:
                new = 0.0
            if new != old:
                move, growth = new - old, abs(new) - abs(old)
                u[j] = new
                slope[j] += move
                for i in range(k):
                    toll[i] += growth * coupling[i, j]
                worst = max(worst, abs(move) * curvature)
        if worst <= tolerance:
            break
    return u


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
