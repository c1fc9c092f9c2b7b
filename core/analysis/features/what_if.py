"""What-if analysis: features made expensive, forbidden, forced in or held to a sign, and how the model changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from core.data.ranking_data import FloatArray
from core.methods import Fit, Method
from core.penalties import L0, FeatureWeighted, L2Budget, Penalty, Signed

Change = Literal["in", "out", "kept"]


def penalty_factors(
    n_features: int,
    *,
    costs: FloatArray | None = None,
    off: Sequence[int] = (),
    forced: Sequence[int] = (),
) -> FloatArray:
    """Compute a penalty factor a feature: its cost over the mean cost, infinity if it is off, 0 if it is forced in.

    The mean is that of the features that are not off: what a feature would cost that is not there changes no model.

    Raises a `ValueError` if a cost is negative or not a finite number, or all are 0.

    Parameters
    ----------
    costs : ndarray, shape (n_features,), optional
        Each >= 0, in any unit: only their ratios matter. A cost of 0 forces the feature in. Equal by default.
    off, forced : sequence of int
        Columns, from 0. A feature in both is off.
    """
    costs = np.ones(n_features) if costs is None else np.asarray(costs, dtype=np.float64)
    if costs.shape != (n_features,) or not np.isfinite(costs).all() or np.any(costs < 0.0):
        msg = f"{n_features} features need {n_features} costs, each a number of 0 or more"
        raise ValueError(msg)
    if not costs.any():
        msg = "at least one cost must be above 0: only their proportions count"
        raise ValueError(msg)
    there = np.setdiff1d(np.arange(n_features), list(off))
    mean = float(costs[there].mean()) if costs[there].any() else 1.0
    factors: FloatArray = costs / mean
    factors[list(forced)] = 0.0
    factors[list(off)] = np.inf
    return factors


def weighted(method: Method, factors: FloatArray, signs: FloatArray | None = None) -> Method:
    """Return the method with its penalty multiplied by factors and, where asked for, with signs of weights.

    Where the penalty is a budget of features or a price for each, the factors multiply their costs.

    Parameters
    ----------
    method : Method
        A separable one.
    factors : ndarray, shape (n_features,)
        See `penalty_factors`.
    signs : ndarray, shape (n_features,), optional
        1 for a feature that may only help, -1 for one that may only hurt, 0 for any other; see `Signed`. Solvers that
        know no signs, and refits, say so when they are asked to fit.
    """
    return replace(method, make_penalty=partial(_penalty, method, factors, signs))


def _penalty(
    method: Method, factors: FloatArray, signs: FloatArray | None, parameters: Mapping[str, float], c: float
) -> Penalty:
    own = method.make_penalty(parameters, c)
    priced = own.priced(factors) if isinstance(own, L0 | L2Budget) else FeatureWeighted(own, factors)
    return Signed(priced, signs) if signs is not None and np.any(signs) else priced


@dataclass(frozen=True)
class FeatureChange:
    """A feature of the model before, after, or both, with its weights; ``feature`` is its column, from 0."""

    feature: int
    name: str
    before: float
    after: float

    @property
    def change(self) -> Change:
        """Whether the feature enters, leaves or stays."""
        if self.before == 0.0:
            return "in"
        return "out" if self.after == 0.0 else "kept"


def feature_changes(before: Fit, after: Fit) -> tuple[FeatureChange, ...]:
    """List every feature of either model, largest absolute weight first."""
    old, new = before.weights, after.weights
    larger = np.maximum(np.abs(old), np.abs(new))
    order = np.argsort(-larger, kind="stable")
    return tuple(
        FeatureChange(int(j), before.feature_names[j], float(old[j]), float(new[j])) for j in order if larger[j] > 0.0
    )
