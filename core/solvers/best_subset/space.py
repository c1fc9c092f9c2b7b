"""The data of a search in the form that thousands of evaluations need: only what can matter, laid out for speed."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from core.losses import SquaredHinge
from core.penalties import L0, L2Budget, Signed
from core.solvers.problem import FloatArray, Problem

IntArray = NDArray[np.int64]
ROUNDING = 1e-12  # share of the budget by which a sum of costs may pass it


@dataclass(frozen=True, eq=False)
class Point:
    """The loss at weights of a search.

    Attributes
    ----------
    w, gradient : ndarray, shape (n_columns,)
        Weights and dL/dw.
    loss, dual_slope : float
        See `LossEvaluation`; the dual curvature of this loss is its value.
    """

    w: FloatArray
    loss: float
    gradient: FloatArray
    dual_slope: float


class Tally:
    """A number to which several threads add; as a share of each addition it goes to another one, too."""

    def __init__(self, whole: Tally | None = None, share: float = 1.0) -> None:
        self.total = 0.0
        self._lock = Lock()
        self._whole, self._share = whole, share

    def add(self, more: float) -> None:
        """Count on."""
        with self._lock:
            self.total += more
        if self._whole is not None:
            self._whole.add(self._share * more)


class Space:
    """The documents that are in pairs, and the features that may be used and vary among them; costs, budget, signs.

    Parameters
    ----------
    problem : Problem
        With a `SquaredHinge`, and an `L2Budget` or an `L0`, which may be `Signed`.

    Attributes
    ----------
    columns : ndarray of int
        The features of the search, by their column in the problem.
    costs, roots, signs : ndarray, shape (n_columns,)
        Costs, their roots, and the signs that weights are to have. Equal costs are 1.
    free_of_charge : ndarray of int
        Features (of the search) that cost nothing: a model always has them.
    threshold : float
        Where features have prices, the size of a weight at which one of cost 1 is worth its price; else 0.
    passes : Tally
        Passes over the features so far: two an evaluation, one a Hessian.
    """

    def __init__(self, problem: Problem) -> None:
        penalty, loss = problem.penalty, problem.loss
        limits = penalty.penalty if isinstance(penalty, Signed) else penalty
        assert isinstance(limits, L2Budget | L0)
        assert isinstance(loss, SquaredHinge)
        costs = limits.costs_of(problem.n_features)
        budget, self.threshold = (limits.budget, 0.0) if isinstance(limits, L2Budget) else (np.inf, limits.threshold)
        affordable = (costs <= budget * (1.0 + ROUNDING)) & np.isfinite(costs)
        self._loss, rows = loss.paired()
        affordable &= np.ptp(problem.features, axis=0) > 0.0
        features = np.asarray(problem.features[np.ix_(rows, np.flatnonzero(affordable))], dtype=np.float64)
        differing = _differ_within(features, self._loss.groups.query_sizes)
        self.columns: IntArray = np.flatnonzero(affordable)[differing]
        self.costs: FloatArray = costs[self.columns].copy()
        paid = self.costs > 0.0
        self._each = 0.0  # what each feature costs that is not free, if they all cost the same
        if self.threshold == 0.0 and paid.any() and np.ptp(self.costs[paid]) == 0.0:
            self._each = float(self.costs[paid][0])
            self.costs[paid] = 1.0
        self.budget = self._in_own_units(budget)
        self.roots: FloatArray = np.sqrt(self.costs)
        self.free_of_charge: IntArray = np.flatnonzero(~paid)
        self.signs: FloatArray = penalty.signs(problem.n_features)[self.columns]
        self.lam = problem.lam
        self._n_features = problem.n_features
        self._features = np.ascontiguousarray(features[:, differing])
        self._by_feature = np.ascontiguousarray(self._features.T)
        self.passes = Tally()

    def within(self, budget: float) -> Space:
        """Return the same data with a smaller budget, in units of the problem's costs."""
        smaller = copy(self)
        smaller.budget = self._in_own_units(budget)
        return smaller

    def sample(self, documents: int) -> Space | None:
        """Return the same search on evenly spaced queries with about so many documents.

        None where that would be more than half of all: queries are few or long then, or all are needed. Passes over the
        sample are counted as shares of passes over all documents.
        """
        sizes = self._loss.groups.query_sizes
        count = int(documents / sizes.mean())
        queries = np.unique(np.linspace(0, len(sizes) - 1, max(count, 1)).astype(np.int64))
        if 2 * sizes[queries].sum() > self.n_documents:
            return None
        part = copy(self)
        part._loss, rows = self._loss.of_queries(queries)
        part._features = np.ascontiguousarray(self._features[rows])
        part._by_feature = np.ascontiguousarray(part._features.T)
        part.passes = Tally(self.passes, len(rows) / self.n_documents)
        return part

    def _in_own_units(self, budget: float) -> float:
        whole = np.floor(budget / self._each * (1.0 + ROUNDING)) if self._each > 0.0 else budget
        return float(whole) * (1.0 + 0.1 * ROUNDING)

    @property
    def n_documents(self) -> int:
        """Number of documents that are in pairs."""
        return len(self._features)

    @property
    def n_columns(self) -> int:
        """Number of features of the search."""
        return len(self.columns)

    def at(self, w: FloatArray) -> Point:
        """Evaluate the loss at weights."""
        self.passes.add(2.0)
        used = np.flatnonzero(w)
        few = 3 * len(used) < len(w)
        scores = w[used] @ self._by_feature[used] if few else self._features @ w
        found = self._loss.evaluate(scores)
        return Point(w, found.value, self._by_feature @ found.gradient, found.dual_slope)

    def hessian(self, w: FloatArray) -> FloatArray:
        """Compute d2L/dw2, shape (n_columns, n_columns)."""
        self.passes.add(1.0)
        return self._loss.hessian(self._features @ w, self._features, np.arange(self.n_columns))

    def objective(self, point: Point) -> float:
        """F at a point, whose weights keep to the budget."""
        price = 0.5 * self.lam * self.threshold**2 * float(self.costs[point.w != 0.0].sum())
        return point.loss + 0.5 * self.lam * float(point.w @ point.w) + price

    def spread(self, w: FloatArray) -> FloatArray:
        """Return weights of the search as weights of the problem."""
        full = np.zeros(self._n_features)
        full[self.columns] = w
        return full


def _differ_within(features: FloatArray, sizes: IntArray) -> NDArray[np.bool_]:
    """Tell which features differ within a query; the others can rank nothing, and get weights of rounding errors."""
    if features.size == 0:
        return np.zeros(features.shape[1], dtype=np.bool_)
    starts = np.cumsum(sizes) - sizes
    differs: NDArray[np.bool_] = np.any(
        np.maximum.reduceat(features, starts) > np.minimum.reduceat(features, starts), axis=0
    )
    return differs
