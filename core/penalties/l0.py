"""Half the squared l2 norm and a price for every feature that is used: the penalised best subset."""

from __future__ import annotations

import numpy as np

from core.penalties.base import FloatArray
from core.penalties.l2 import L2


class L0(L2):
    """sum_j w_j^2 / 2 + price cost_j 1[w_j != 0].

    In F = L + lambda Omega a feature of cost 1 then costs lambda times the price.

    Parameters
    ----------
    price : float
        Above 0.
    costs : ndarray, shape (n_features,), optional
        Each >= 0: 0 for a feature that is free, infinity for one that is off. 1 by default.

    Raises
    ------
    ValueError
        If the price is no positive number, or a cost is negative or not a number.
    """

    title = "ℓ0"
    convex = False
    sparse = True

    def __init__(self, price: float, costs: FloatArray | None = None) -> None:
        if not (price > 0.0 and np.isfinite(price)):
            msg = f"the price of a feature must be above 0, not {price:g}"
            raise ValueError(msg)
        if costs is not None and not np.all(np.asarray(costs) >= 0.0):
            msg = "the costs of features must be 0 or more"
            raise ValueError(msg)
        self.price = float(price)
        self.costs = None if costs is None else np.asarray(costs, dtype=np.float64)
        off = self.costs is not None and bool(np.isinf(self.costs).any())
        self.among = "without the features that are off" if off else ""

    @property
    def threshold(self) -> float:
        """The size of a weight at which its square is worth the price of a feature of cost 1."""
        return float(np.sqrt(2.0 * self.price))

    def costs_of(self, n_features: int) -> FloatArray:
        """Return the cost of each feature, shape (n_features,)."""
        return np.ones(n_features) if self.costs is None else self.costs

    def priced(self, factors: FloatArray) -> L0:
        """Return the penalty with costs multiplied by factors: 0 makes a feature free, infinity takes it away."""
        factors = np.asarray(factors, dtype=np.float64)
        if self.costs is None:
            return L0(self.price, factors)
        return L0(self.price, np.where(np.isinf(factors), np.inf, factors * self.costs))

    def curve(self, t: FloatArray) -> FloatArray:
        prices = self.price * self.costs_of(t.shape[-1])
        return super().curve(t) + np.where(t > 0.0, prices, 0.0)

    def value(self, w: FloatArray) -> float:
        return float(self.curve(np.abs(w)).sum())

    def weights(self, w: FloatArray) -> FloatArray:
        """Compute the slope; it is infinite at 0, where the curve jumps."""
        return np.where(w == 0.0, np.where(self.costs_of(len(w)) > 0.0, np.inf, 0.0), np.abs(w))

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Shrink, or drop what is not worth its price: v^2 / (2 (1 + step)) < step price."""
        kept = v * v / (2.0 * (1.0 + np.asarray(step))) > step * self.price * self.costs_of(len(v))
        return np.where(kept, super().prox(v, step), 0.0)

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Distance for l2 on the features used; 0 for others, which their price holds at 0."""
        free = self.costs_of(len(w)) == 0.0
        return np.where((w == 0.0) & ~free, 0.0, np.abs(gradient + lam * w))

    def dual_bound(
        self, slope: float, curvature: float, gradient: FloatArray, lam: float, limit: float = np.inf
    ) -> float | None:
        """Bound every model: the conjugate of a feature is (theta g_j)^2 / (2 lambda) less its price, or 0."""
        prices = lam * self.price * self.costs_of(len(gradient))
        squares = gradient * gradient / (2.0 * lam)
        with np.errstate(divide="ignore", invalid="ignore"):
            bends = np.sqrt(
                np.where(squares > 0.0, prices / squares, np.inf)
            )  # from there a feature is worth its price
        bent, paid, reached = curvature, 0.0, 0.0
        for j in [*np.argsort(bends, kind="stable"), None]:
            top = min(slope / (2.0 * bent) if bent > 0.0 else np.inf, limit)
            if j is None or top <= bends[j] or np.isinf(bends[j]):
                reached = max(top, reached)
                break
            reached = float(bends[j])
            bent, paid = bent + float(squares[j]), paid + float(prices[j])
        return reached * slope - reached * reached * bent + paid if slope > 0.0 and np.isfinite(reached) else 0.0
