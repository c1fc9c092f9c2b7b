"""FSMRank's penalty: weighted l1 that costs more for unimportant features, plus a charge on similar features."""

import numpy as np

from core.kernels import kernel
from core.penalties.base import FloatArray, Penalty
from core.penalties.separable import WeightedL1

PROX_TOLERANCE = 1e-12  # of the prox, relative to the largest |v|
PROX_SWEEPS = 10_000


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
        n = len(v)
        start = np.zeros(n)
        threshold = float(step) * np.broadcast_to(self.price, n)
        tolerance = PROX_TOLERANCE * float(np.abs(v).max(initial=0.0))
        u: FloatArray = coupled_lasso(
            np.eye(n), -v, start, threshold, float(step) * self.coupling(n), tolerance, PROX_SWEEPS
        )
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
def coupled_lasso(hessian, gradient, start, threshold, coupling, tolerance, max_sweeps):  # type: ignore[no-untyped-def]
    """Minimise gradient.(u - start) + (u - start).H.(u - start) / 2 + sum threshold_j |u_j| + |u|.C.|u| / 2 over u.

    Each coordinate is soft-thresholded by its own threshold plus the coupling to the other coordinates. The directional
    derivative is a sum over coordinates, so a point that no single coordinate improves is a minimiser.

    Parameters
    ----------
    hessian, coupling : ndarray of float64, shape (k, k)
        H and C, symmetric and positive semi-definite; C has no negative entry.
    gradient, start, threshold : ndarray of float64, shape (k,)
        A threshold may be infinite.
    tolerance : float
        Stop when no coordinate's distance of 0 to the subdifferential exceeds it.
    max_sweeps : int

    Returns
    -------
    ndarray of float64, shape (k,)
    """
    k = len(start)
    u = start.copy()
    slope = gradient.copy()  # of the quadratic at u
    toll = coupling @ np.abs(u)
    largest = 0.0
    for j in range(k):
        largest = max(largest, hessian[j, j])
    floor = 1e-12 * largest  # keeps duplicate or nearly constant features bounded
    for _ in range(max_sweeps):
        worst = 0.0
        for j in range(k):
            own = hessian[j, j] + floor
            curvature = own + coupling[j, j]
            old = u[j]
            if curvature <= 0.0:  # nothing but the penalty is left to say where the coordinate goes
                new = 0.0
            else:
                pull = own * old - slope[j]
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
                for i in range(k):
                    slope[i] += move * hessian[i, j]
                    toll[i] += growth * coupling[i, j]
                worst = max(worst, abs(move) * curvature)
        if worst <= tolerance:
            break
    return u
