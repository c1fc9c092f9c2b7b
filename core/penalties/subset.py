"""Half the squared l2 norm on some features: chosen ones, at most k, within a budget, at a price, on a support."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.names.counted import features
from core.penalties.base import DualRay, FloatArray, Parameter, Penalty, best_on_ray
from core.penalties.separable import L2

KEEP = Parameter(
    "keep", "k", 10.0, 1.0, 1e6,
    "The most features that the model may keep; the ℓ2 penalty shrinks their weights.",
    tried=(5.0, 10.0, 20.0), counts=True,
)  # fmt: skip


class L2AtMost(L2):
    """(1/2) sum_j w_j^2 if at most ``keep`` weights are non-zero, else infinite.

    Minimising with it is best-subset selection; eliminations and filters find good models, and their certificates hold
    among models on the same features.

    Raises a `ValueError` if ``keep`` is not a whole number of at least 1.

    Parameters
    ----------
    keep : float
        k, a whole number of at least 1.
    """

    title = "ℓ2 on at most k features"
    convex = False
    sparse = True
    same_for_all = False
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

    def dual_bound(self, ray: DualRay, gradient: FloatArray, lam: float) -> float | None:
        """Bound every model with at most k features, whatever they are: the conjugate takes the k largest g_j^2."""
        squares = gradient * gradient
        largest = np.partition(squares, -self.keep)[-self.keep :] if self.keep < len(squares) else squares
        return best_on_ray(ray.dual_slope, ray.dual_curvature + float(largest.sum()) / (2.0 * lam), ray.dual_limit)


SHARE = Parameter(
    "share", "r/d", 0.1, 0.0, 1.0,
    "The rounds end when at most this share of the features, or a single one, is left. Features that are zero "
    "everywhere do not count. The paper takes 0.5, 0.3 and 0.1.",
)  # fmt: skip
NULL = Parameter("null", "ε", 1e-5, 1e-12, 1.0, "A feature is dropped when a round makes its weight this small.")


class L2Survivors(L2AtMost):
    """(1/2) sum_j w_j^2 if at most ``keep`` weights are non-zero, else infinite.

    The solver finds these weights by dropping every weight that falls below a null threshold (Laporte, Déjean & Mothe
    2014, Algorithm 1).

    Parameters
    ----------
    keep : float
        r, a whole number of at least 1.
    null : float
        Null threshold, > 0. It decides which features survive, not what their weights cost.
    """

    title = "ℓ2 on the survivors"
    among = "on the surviving features"

    def __init__(self, keep: float, null: float = NULL.default) -> None:
        super().__init__(keep)
        self.null = NULL.check(null)


class L2On(L2):
    """(1/2) sum_j w_j^2 if only the weights of the chosen features are non-zero, else infinite.

    Parameters
    ----------
    columns : ndarray of int, shape (n_chosen,)
        The chosen features (from 0).
    """

    title = "ℓ2 on chosen features"
    sparse = True
    same_for_all = False
    among = "on these features"

    def __init__(self, columns: NDArray[np.integer]) -> None:
        self._columns = np.sort(columns)

    @property
    def columns(self) -> NDArray[np.integer]:
        """The chosen features (from 0), ascending."""
        return self._columns

    def value(self, w: FloatArray) -> float:
        return super().value(w) if not np.any(w[self._others(w)]) else np.inf

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        return np.where(self._others(v), 0.0, super().prox(v, step))

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Distance for l2 on the chosen features; 0 for the others, which are held at 0 whatever their gradient."""
        return np.where(self._others(w), 0.0, np.abs(gradient + lam * w))

    def dual_bound(self, ray: DualRay, gradient: FloatArray, lam: float) -> float | None:
        return super().dual_bound(ray, np.where(self._others(gradient), 0.0, gradient), lam)

    def _others(self, w: FloatArray) -> NDArray[np.bool_]:
        """Mark the features that are not chosen."""
        others = np.ones(len(w), dtype=bool)
        others[self.columns] = False
        return others


class L2OnSelected(L2On):
    """`L2On` whose features a selection finds step by step, so that a solver can check its time limit between steps.

    Reading `columns` before `select` has been called runs the whole selection.

    Parameters
    ----------
    selection : iterator of ndarray of int
        Yields the features kept so far (from 0), as often as it can; the last ones are the chosen.
    """

    def __init__(self, selection: Iterator[NDArray[np.integer]]) -> None:
        super().__init__(np.zeros(0, dtype=np.int64))
        self._selection = selection
        self._begun = self._known = False

    def __getstate__(self) -> dict[str, Any]:
        """A pickled copy has the features kept so far, and cannot go on with the selection."""
        return vars(self) | {"_selection": iter(()), "_begun": True}

    @property
    def columns(self) -> NDArray[np.integer]:
        """The chosen features; while they are selected, those kept so far."""
        if not self._begun:
            for _ in self.select():
                pass
        return self._columns

    def select(self) -> Iterator[None]:
        """Go on with the selection; ``columns`` are the features kept so far."""
        self._begun = True
        for columns in self._selection:
            self._columns = np.sort(columns)
            yield
        self._known = True

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Distance for l2 on all features until the chosen ones are known, so that no start looks like an end."""
        return super().distance_to_stationarity(w, gradient, lam) if self._known else np.abs(gradient + lam * w)


ROUNDING = 1e-12  # by which a sum of costs may pass the budget


class _AtCosts(L2):
    """The l2 penalty where features cost something: 0 for one that is free, infinity for one that is off."""

    convex = False
    sparse = True
    same_for_all = False

    def __init__(self, costs: FloatArray | None) -> None:
        if costs is not None and not np.all(np.asarray(costs) >= 0.0):
            msg = "the costs of features must be 0 or more"
            raise ValueError(msg)
        self.costs = None if costs is None else np.asarray(costs, dtype=np.float64)

    def costs_of(self, n_features: int) -> FloatArray:
        """Return the cost of each feature, shape (n_features,)."""
        return np.ones(n_features) if self.costs is None else self.costs

    def _dearer(self, factors: FloatArray) -> FloatArray:
        factors = np.asarray(factors, dtype=np.float64)
        return factors if self.costs is None else np.where(np.isinf(factors), np.inf, factors * self.costs)


class L2Budget(_AtCosts):
    """(1/2) sum_j w_j^2 if the features with non-zero weights cost at most the budget, else infinite.

    With costs of 1 the budget is k, the number of features that a model may have.

    Raises a `ValueError` if the budget or a cost is negative or not a number.

    Parameters
    ----------
    budget : float
        At least 0.
    costs : ndarray, shape (n_features,), optional
        Each >= 0: 0 for a feature that is free, infinity for one that is off. 1 by default.
    """

    title = "ℓ2 within a budget"

    def __init__(self, budget: float, costs: FloatArray | None = None) -> None:
        if not budget >= 0.0 or not np.isfinite(budget):
            msg = f"the budget must be 0 or more, not {budget:g}"
            raise ValueError(msg)
        super().__init__(costs)
        self.budget = float(budget)
        self.among = self._words()

    def priced(self, factors: FloatArray) -> L2Budget:
        """Return the penalty with costs multiplied by factors: 0 makes a feature free, infinity takes it away."""
        return L2Budget(self.budget, self._dearer(factors))

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

    def dual_bound(self, ray: DualRay, gradient: FloatArray, lam: float) -> float | None:
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
        return best_on_ray(ray.dual_slope, ray.dual_curvature + total / (2.0 * lam), ray.dual_limit)

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


class L0(_AtCosts):
    """sum_j w_j^2 / 2 + price cost_j 1[w_j != 0].

    In F = L + lambda Omega a feature of cost 1 then costs lambda times the price.

    Raises a `ValueError` if the price is no positive number, or a cost is negative or not a number.

    Parameters
    ----------
    price : float
        Above 0.
    costs : ndarray, shape (n_features,), optional
        Each >= 0: 0 for a feature that is free, infinity for one that is off. 1 by default.
    """

    title = "ℓ0"

    def __init__(self, price: float, costs: FloatArray | None = None) -> None:
        if not (price > 0.0 and np.isfinite(price)):
            msg = f"the price of a feature must be above 0, not {price:g}"
            raise ValueError(msg)
        super().__init__(costs)
        self.price = float(price)
        off = self.costs is not None and bool(np.isinf(self.costs).any())
        self.among = "without the features that are off" if off else ""

    @property
    def threshold(self) -> float:
        """The size of a weight at which its square is worth the price of a feature of cost 1."""
        return float(np.sqrt(2.0 * self.price))

    def priced(self, factors: FloatArray) -> L0:
        """Return the penalty with costs multiplied by factors: 0 makes a feature free, infinity takes it away."""
        return L0(self.price, self._dearer(factors))

    def curve(self, t: FloatArray) -> FloatArray:
        prices = self.price * self.costs_of(t.shape[-1])
        return super().curve(t) + np.where(t > 0.0, prices, 0.0)

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

    def dual_bound(self, ray: DualRay, gradient: FloatArray, lam: float) -> float | None:
        """Bound every model: the conjugate of a feature is (theta g_j)^2 / (2 lambda) less its price, or 0."""
        prices = lam * self.price * self.costs_of(len(gradient))
        squares = gradient * gradient / (2.0 * lam)
        with np.errstate(divide="ignore", invalid="ignore"):
            # from there a feature is worth its price
            bends = np.sqrt(np.where(squares > 0.0, prices / squares, np.inf))
        slope, bent, paid, reached = ray.dual_slope, ray.dual_curvature, 0.0, 0.0
        for j in [*np.argsort(bends, kind="stable"), None]:
            top = min(slope / (2.0 * bent) if bent > 0.0 else np.inf, ray.dual_limit)
            if j is None or top <= bends[j] or np.isinf(bends[j]):
                reached = max(top, reached)
                break
            reached = float(bends[j])
            bent, paid = bent + float(squares[j]), paid + float(prices[j])
        return reached * slope - reached * reached * bent + paid if slope > 0.0 and np.isfinite(reached) else 0.0


class Refitted(Penalty):
    """(ratio / 2) sum_j w_j^2 on the support of a model that another penalty has selected.

    The other penalty decides which weights are non-zero (selection), this one their values (shrinkage). The support is
    the outcome of another problem, so no penalty has the refitted model as its minimiser among all models.

    Raises a `ValueError` if the ratio is not a positive number.

    Parameters
    ----------
    first : Penalty
        The penalty that selects the support.
    ratio : float
        Ratio of the refit's lambda to the first penalty's, > 0. The refit minimises L(w) + lambda * this penalty.
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
