"""Half the squared l2 norm on features within a budget: the penalty of the best subset."""

from __future__ import annotations

import numpy as np

from core.names.counted import features
from core.penalties.base import FloatArray, best_on_ray
from core.penalties.l2 import L2

ROUNDING = 1e-12  # by which a sum of costs may pass the budget


class L2Budget(L2):
    """(1/2) sum_j w_j^2 if the features with non-zero weights cost at most the budget, else infinite.

    With costs of 1 the budget is k, the number of features that a model may have.

    Parameters
    ----------
    budget : float
        At least 0.
    costs : ndarray, shape (n_features,), optional
        Each >= 0: 0 for a feature that is free, infinity for one that is off. 1 by default.

    Raises
    ------
    ValueError
        If the budget or a cost is negative or not a number.
    """

    title = "ℓ2 within a budget"
    convex = False
    sparse = True

    def __init__(self, budget: float, costs: FloatArray | None = None) -> None:
        if not budget >= 0.0 or not np.isfinite(budget):
            msg = f"the budget must be 0 or more, not {budget:g}"
            raise ValueError(msg)
        if costs is not None and not np.all(np.asarray(costs) >= 0.0):
            msg = "the costs of features must be 0 or more"
            raise ValueError(msg)
        self.budget = float(budget)
        self.costs = None if costs is None else np.asarray(costs, dtype=np.float64)
        self.among = self._words()

    def costs_of(self, n_features: int) -> FloatArray:
        """Return the cost of each feature, shape (n_features,)."""
        return np.ones(n_features) if self.costs is None else self.costs

    def priced(self, factors: FloatArray) -> L2Budget:
        """Return the penalty with costs multiplied by factors: 0 makes a feature free, infinity takes it away."""
        factors = np.asarray(factors, dtype=np.float64)
        if self.costs is None:
            return L2Budget(self.budget, factors)
        return L2Budget(self.budget, np.where(np.isinf(factors), np.inf, factors * self.costs))

    def allows(self, w: FloatArray) -> bool:
        """Tell whether the features with non-zero weights are within the budget."""
        return bool(self.costs_of(len(w))[w != 0.0].sum() <= self.budget * (1.0 + ROUNDING))

    def value(self, w: FloatArray) -> float:
        return super().value(w) if self.allows(w) else np.inf

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Keep the affordable features whose removal would cost most, and shrink them: a knapsack problem."""
        from scipy.optimize import Bounds, LinearConstraint, milp  # heavy to import, and no solver needs it

        costs, gain = self.costs_of(len(v)), v * v / (1.0 + np.broadcast_to(step, v.shape))
        free, affordable = costs == 0.0, costs <= self.budget
        priced = np.where(affordable, costs, 1.0)
        packed = milp(
            -gain / max(float(gain.max(initial=0.0)), 1e-300),
            constraints=LinearConstraint(priced[None, :], ub=self.budget * (1.0 + ROUNDING)),
            integrality=np.ones(len(v), dtype=np.int64),
            bounds=Bounds(0.0, affordable.astype(float)),
        )
        kept = free | (np.asarray(packed.x, dtype=np.float64) > 0.5)
        return np.where(kept, super().prox(v, step), 0.0)

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Distance for l2 on the features used; 0 for others, which the budget holds at 0, and so is no optimum."""
        return np.where(w == 0.0, 0.0, np.abs(gradient + lam * w))

    def dual_bound(
        self, slope: float, curvature: float, gradient: FloatArray, lam: float, limit: float = np.inf
    ) -> float | None:
        """Bound every model within the budget: the conjugate takes the largest g_j^2 that it pays, the last in part."""
        costs = self.costs_of(len(gradient))
        worth = np.where(costs <= self.budget, gradient * gradient, 0.0)
        total, room = float(worth[costs == 0.0].sum()), self.budget * (1.0 + ROUNDING)
        paid = np.flatnonzero((costs > 0.0) & (worth > 0.0))
        for j in paid[np.argsort(-worth[paid] / costs[paid], kind="stable")]:
            total += worth[j] * min(room / costs[j], 1.0)
            room -= min(costs[j], room)
            if room <= 0.0:
                break
        return best_on_ray(slope, curvature + total / (2.0 * lam), limit)

    def _words(self) -> str:
        if self.costs is None:
            return f"with at most {features(f'{self.budget:g}')}"
        paid = self.costs[(self.costs > 0.0) & np.isfinite(self.costs)]
        if len(paid) and np.ptp(paid) == 0.0:
            count = int(self.budget / paid[0] * (1.0 + ROUNDING))
            words = f"with at most {features(count)}"
        else:
            words = f"whose features cost at most {self.budget:g} times the mean cost"
        free = " in addition to the free ones" if np.any(self.costs == 0.0) else ""
        off = " without the features that are off" if np.isinf(self.costs).any() else ""
        return words + free + off
