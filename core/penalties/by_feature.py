"""Another penalty with something of each feature: a cost, a sign, a unit."""

import numpy as np
from numpy.typing import NDArray

from core.penalties.base import DualRay, FloatArray, Penalty
from core.penalties.separable import L1, L2, WeightedL1, soft_threshold


class FeatureWeighted(Penalty):
    """sum_j factor_j g(|w_j|), with g the curve of another penalty.

    A factor of 2 makes a feature twice as expensive, 0 exempts it from the penalty, infinity forbids it. In every round
    of reweighting, the weights are multiplied by the factors.

    Raises a `ValueError` if a factor is negative or not a number, or the penalty is not sparse.

    Parameters
    ----------
    penalty : Penalty
        Sparse, and the same for every feature.
    factors : ndarray, shape (n_features,)
        Each >= 0.
    """

    def __init__(self, penalty: Penalty, factors: FloatArray) -> None:
        factors = np.asarray(factors, dtype=np.float64)
        if np.any(np.isnan(factors)) or np.any(factors < 0.0):
            msg = "the factors of a penalty must be 0 or more"
            raise ValueError(msg)
        if not penalty.sparse:
            msg = f"factors affect which features are kept, but {penalty.title} keeps them all; use a sparse penalty"
            raise ValueError(msg)
        self.penalty = penalty
        self.factors = factors
        self.title = f"{penalty.title}, weighted by feature"
        self.convex = penalty.convex
        self._forbidden = np.isinf(factors)
        without = "without the features that are off" if self._forbidden.any() else ""
        self.among = " ".join(filter(None, [penalty.among, without]))
        self._free: NDArray[np.bool_] = factors == 0.0
        self._finite = np.where(self._forbidden, 1.0, factors)  # inf * 0 is not a number

    def exempt(self, n_features: int) -> NDArray[np.bool_]:
        return self._free

    def curve(self, t: FloatArray) -> FloatArray:
        dear = self._finite * self.penalty.curve(t)
        return np.where(self._forbidden & (t > 0.0), np.inf, dear)

    def weights(self, w: FloatArray) -> FloatArray:
        return self._scaled(self.penalty.weights(w))

    def first_weights(self, n_features: int) -> FloatArray:
        return self._scaled(self.penalty.first_weights(n_features))

    def curvature(self, w: FloatArray) -> FloatArray:
        return np.where(self._forbidden | self._free, 0.0, self._finite * self.penalty.curvature(w))

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        ordinary = ~(self._free | self._forbidden)
        # The others get a step that no prox stumbles over; what it gives for them is not used.
        u = self.penalty.prox(v, np.where(ordinary, step * self._finite, 1.0))
        return np.where(ordinary, u, np.where(self._free, v, 0.0))

    def dual_bound(self, ray: DualRay, gradient: FloatArray, lam: float) -> float | None:
        """Return the dual bound of the inner penalty at the gradient divided by the factors.

        A sparse penalty is concave in |w|. One with a dual bound is also convex, hence a multiple of |w|. Then
        |gradient_j| <= lam factor_j g'(0) is the same as |gradient_j / factor_j| <= lam g'(0).
        """
        if np.any(self._free & (gradient != 0.0)):
            return None  # an exempt feature needs slope 0; see `core.solvers.certificates`
        scaled = gradient / np.where(self._free, 1.0, self.factors)
        return self.penalty.dual_bound(ray, scaled, lam)

    def _scaled(self, slopes: FloatArray) -> FloatArray:
        """Multiply slopes by factors, either of which may be infinite; forbidden and exempt features stay so."""
        finite = self._finite * np.where(self._free, 0.0, slopes)
        return np.where(self._forbidden, np.inf, finite)


class Signed(Penalty):
    """sum_j g_j(|w_j|) where every weight with a sign has that sign or is 0, infinite elsewhere.

    A search engineer knows that a better match cannot make a document worse: the weight of that feature is to be 0 or
    more. The constraint is convex, so a convex penalty keeps its duality gap, among the models with these signs.

    Raises a `ValueError` if a sign is none of 1, -1 and 0.

    Parameters
    ----------
    penalty : Penalty
        A sum over features.
    signs : ndarray, shape (n_features,)
        1 for a weight of 0 or more, -1 for one of 0 or less, 0 for one that may be either.
    """

    def __init__(self, penalty: Penalty, signs: FloatArray) -> None:
        signs = np.asarray(signs, dtype=np.float64)
        if not np.isin(signs, (-1.0, 0.0, 1.0)).all():
            msg = "the sign of a weight is 1, -1 or, where it may be either, 0"
            raise ValueError(msg)
        self.penalty = penalty
        self._signs = signs
        self.title = f"{penalty.title}, with signs"
        self.convex = penalty.convex
        self.sparse = penalty.sparse
        self.among = " ".join(filter(None, [penalty.among, "with these signs"]))

    def signs(self, n_features: int) -> FloatArray:
        return self._signs

    def exempt(self, n_features: int) -> NDArray[np.bool_]:
        return self.penalty.exempt(n_features)

    def curve(self, t: FloatArray) -> FloatArray:
        return self.penalty.curve(t)

    def value(self, w: FloatArray) -> float:
        return np.inf if np.any(self._signs * w < 0.0) else self.penalty.value(w)

    def weights(self, w: FloatArray) -> FloatArray:
        return self.penalty.weights(w)

    def first_weights(self, n_features: int) -> FloatArray:
        return self.penalty.first_weights(n_features)

    def curvature(self, w: FloatArray) -> FloatArray:
        return self.penalty.curvature(w)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Return the prox of the penalty, of 0 where v has the other sign: there every allowed u but 0 is farther."""
        return self.penalty.prox(np.where(self._signs * v < 0.0, 0.0, v), step)

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Distance for the penalty; a weight that its sign holds at 0 is where it belongs, however steep the loss."""
        return self.penalty.distance_to_stationarity(w, np.where(w == 0.0, self._towards(gradient), gradient), lam)

    def dual_bound(self, ray: DualRay, gradient: FloatArray, lam: float) -> float | None:
        """Return the bound of the penalty; only slopes along which a weight may move restrict the dual point."""
        return self.penalty.dual_bound(ray, self._towards(gradient), lam)

    def _towards(self, gradient: FloatArray) -> FloatArray:
        """Return the gradient, and 0 where the loss falls only towards the other sign."""
        return np.where(self._signs * gradient > 0.0, 0.0, gradient)


class Rescaled(Penalty):
    """sum_j g(|w_j| / unit_j), with g the curve of another penalty: what w_j / unit_j pays.

    Parameters
    ----------
    penalty : Penalty
        A sum over features.
    units : ndarray, shape (n_features,)
        Each > 0.
    rounding : float
        See `WeightedL1`.
    """

    def __init__(self, penalty: Penalty, units: FloatArray, rounding: float = 0.0) -> None:
        self.penalty, self.units, self.rounding = penalty, units, rounding
        self.title, self.convex, self.sparse, self.among = penalty.title, penalty.convex, penalty.sparse, penalty.among

    def curve(self, t: FloatArray) -> FloatArray:
        return self.penalty.curve(t / self.units)

    def weights(self, w: FloatArray) -> FloatArray:
        return self.penalty.weights(w / self.units) / self.units

    def first_weights(self, n_features: int) -> FloatArray:
        return self.penalty.first_weights(n_features) / self.units

    def curvature(self, w: FloatArray) -> FloatArray:
        return self.penalty.curvature(w / self.units) / self.units**2

    def dual_bound(self, ray: DualRay, gradient: FloatArray, lam: float) -> float | None:
        steep = soft_threshold(gradient, self.rounding * ray.dual_slope)
        return self.penalty.dual_bound(ray, steep * self.units, lam)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        return self.units * self.penalty.prox(v / self.units, step / self.units**2)


def is_ridge(penalty: Penalty) -> bool:
    """Tell whether a penalty is half the squared l2 norm, in whatever units."""
    return isinstance(penalty.penalty if isinstance(penalty, Rescaled) else penalty, L2)


def penalty_in_units(penalty: Penalty, units: FloatArray, rounding: float) -> Penalty | None:
    """Return what weights of features in other units pay; None for a penalty that is no such sum over features.

    Parameters
    ----------
    units : ndarray, shape (n_features,)
        A feature divided by its unit has its weight times the unit.
    rounding : float
        See `WeightedL1`.
    """
    if penalty.same_for_all:
        return Rescaled(penalty, units, rounding)
    if type(penalty) in (WeightedL1, L1):
        assert isinstance(penalty, WeightedL1)
        return WeightedL1(penalty.beta / units, rounding)
    if not isinstance(penalty, FeatureWeighted | Signed):
        return None
    inner = penalty_in_units(penalty.penalty, units, rounding)
    if inner is None:
        return None
    if isinstance(penalty, Signed):
        return Signed(inner, penalty.signs(len(units)))
    return FeatureWeighted(inner, penalty.factors)


def weighted_l1_of(penalty: Penalty, beta: FloatArray) -> Penalty:
    """Return weighted l1 with the signs of the penalty that it stands for.

    Parameters
    ----------
    beta : ndarray, shape (n_features,)
        Slopes g'(|w|), each >= 0; an infinite one forbids the feature.
    """
    signs = penalty.signs(len(beta))
    return Signed(WeightedL1(beta), signs) if np.any(signs) else WeightedL1(beta)
