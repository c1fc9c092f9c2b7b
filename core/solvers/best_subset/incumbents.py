"""Good sets of features before the search begins: elimination from the dense model by curvature, then swaps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.kernels import kernel
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound, fitted_set, relax
from core.solvers.best_subset.space import IntArray, Point, Space
from core.solvers.problem import FloatArray, Problem

REFITTED = 30  # swaps that the quadratic model finds best are fitted
MANY_ENTRIES = 200_000_000  # of matrices: changing so many takes half a second
HESSIANS_OF_A_FIT = 20  # about what a fit costs, in entries that are changed
LARGE = 200_000  # documents from which on exchanges are looked for on a sample of the queries
SAMPLE = 20_000  # documents of that
LEAST_GAIN = 1e-9  # share of the objective: swaps end where a round gains less


class Incumbent:
    """The best model found so far.

    Attributes
    ----------
    w : ndarray, shape (n_columns,)
    tol : float
        Relative gap at which a part of the models need not be looked at.
    """

    def __init__(self, space: Space, tol: float) -> None:
        self._space = space
        empty = space.at(np.zeros(space.n_columns))
        self.objective, self.w, self.tol = empty.loss, empty.w, tol
        self.at_zero = empty

    @property
    def cutoff(self) -> float:
        """The bound from which on a part of the models is of no interest."""
        return self.objective * (1.0 - self.tol)

    def offer(self, found: Relaxed) -> None:
        """Keep the model of a leaf if it is better."""
        objective = self._space.objective(found.point)
        if objective < self.objective:
            self.objective, self.w = objective, found.point.w

    def try_set(self, columns: IntArray, near: Point, hessian: FloatArray) -> None:
        """Fit a set of features that the budget pays, unless its bound excludes it, and keep it if it is better."""
        found = fitted_set(self._space, columns, near, hessian, self.cutoff)
        if found is not None:
            self.offer(found)


def first_models(space: Space, incumbent: Incumbent, dense: Relaxed, given: FloatArray | None) -> Iterator[None]:
    """Eliminate from the dense model, try the features of a given one, then exchange; yield after each round.

    Where there are many features, it yields during the elimination and a round of exchanges, too. Of many documents,
    exchanges are looked for on a sample of the queries, and only where they end is fitted on all. Every objective of
    the incumbent is that of all documents.
    """
    columns, entries = np.arange(space.n_columns), 0
    for columns in eliminated(space, dense):
        entries += len(columns) ** 2
        if entries > MANY_ENTRIES:
            entries = 0
            yield
    incumbent.try_set(columns, dense.point, dense.hessian)
    if given is not None:
        used = np.union1d(np.flatnonzero(given), space.free_of_charge)
        if space.costs[used].sum() <= space.budget:
            incumbent.try_set(used, space.at(given), dense.hessian)
    yield
    sample = space.sample(SAMPLE) if space.n_documents >= LARGE else None
    if sample is None:
        yield from swaps(space, incumbent)
        return
    within = Incumbent(sample, incumbent.tol)
    used = np.union1d(np.flatnonzero(incumbent.w), space.free_of_charge)
    within.try_set(used, sample.at(incumbent.w), dense.hessian)
    yield from swaps(sample, within)
    incumbent.try_set(np.union1d(np.flatnonzero(within.w), space.free_of_charge), dense.point, dense.hessian)
    yield


def dense_model(space: Space, at_zero: Point) -> Relaxed:
    """Fit the l2 model of all features, whatever they cost."""
    part = Part.alone(np.arange(space.n_columns))
    return relax(space, part, at_zero, space.hessian(at_zero.w), np.inf, 0.0)


def eliminated(space: Space, dense: Relaxed) -> Iterator[IntArray]:
    """Drop the feature whose loss costs least by the quadratic model, for its cost, until the rest is paid or worth it.

    Yields the features that are left at first and after each drop.

    The loss is w_j^2 / (2 [H^-1]_jj), as the other weights then make up for it (optimal brain surgeon, Hassibi & Stork
    1993).
    """
    curvature = dense.hessian.copy()
    curvature[np.diag_indices_from(curvature)] += space.lam
    inverse, w = np.linalg.inv(curvature), dense.point.w.copy()
    left = np.ones(space.n_columns, dtype=bool)
    yield np.flatnonzero(left)
    price = 0.5 * space.lam * space.threshold**2
    while space.costs[left].sum() > space.budget or price > 0.0:
        paid = np.flatnonzero(left & (space.costs > 0.0))
        loss = w[paid] ** 2 / (2.0 * np.diag(inverse)[paid] * space.costs[paid])
        if price > 0.0 and loss.min(initial=np.inf) >= price:
            return
        j = paid[np.argmin(loss)]
        left[j] = False
        w -= inverse[:, j] * (w[j] / inverse[j, j])
        without_feature(inverse, left, j)
        w[~left] = 0.0
        yield np.flatnonzero(left)


@kernel
def without_feature(inverse, left, j):  # type: ignore[no-untyped-def]
    """Change the inverse of a matrix into that of the matrix without row and column j, in place.

    Parameters
    ----------
    inverse : ndarray of float64, shape (d, d)
    left : ndarray of bool, shape (d,)
        The rows and columns that are left beside j; no others are looked at.
    """
    pivot = inverse[j, j]
    for i in range(len(left)):
        if left[i]:
            for k in range(len(left)):
                if left[k]:
                    inverse[i, k] -= inverse[i, j] * inverse[j, k] / pivot


def swaps(space: Space, incumbent: Incumbent) -> Iterator[None]:
    """Exchange a feature of the incumbent for another while that lowers the objective; yield after each round.

    Where there are many features, it yields within a round, too.
    """
    entries = 0
    while True:
        before = incumbent.objective
        point, hessian = space.at(incumbent.w), space.hessian(incumbent.w)
        for columns in _promising(space, point, hessian)[:REFITTED]:
            incumbent.try_set(columns, point, hessian)
            entries += HESSIANS_OF_A_FIT * space.n_columns**2
            if entries > MANY_ENTRIES:
                entries = 0
                yield
        yield
        if incumbent.objective >= before * (1.0 - LEAST_GAIN):
            return


def _promising(space: Space, point: Point, hessian: FloatArray) -> list[IntArray]:
    """Sets after one exchange, addition or, with prices, loss; the best by the quadratic model first."""
    lam, costs = space.lam, space.costs
    price = 0.5 * lam * space.threshold**2
    curvature = hessian.copy()
    curvature[np.diag_indices_from(curvature)] += lam
    linear = hessian @ point.w - point.gradient  # of the model, with its centre at 0
    kept = np.union1d(np.flatnonzero(point.w), space.free_of_charge)
    others = np.setdiff1d(np.arange(space.n_columns), kept)
    found: list[tuple[float, IntArray]] = []
    for out in [*kept[costs[kept] > 0.0].tolist(), None]:
        rest = kept if out is None else kept[kept != out]
        room = space.budget - costs[rest].sum()
        entering = others[costs[others] <= room]
        if len(entering) == 0:
            continue
        solved = np.linalg.solve(
            curvature[np.ix_(rest, rest)], np.column_stack([linear[rest], curvature[rest][:, entering]])
        )
        base = linear[rest] @ solved[:, 0]
        cross = curvature[np.ix_(rest, entering)]
        spread = np.diag(curvature)[entering] - (cross * solved[:, 1:]).sum(axis=0)
        gain = (linear[entering] - linear[rest] @ solved[:, 1:]) ** 2 / np.maximum(spread, 1e-300)
        paid = price * costs[rest].sum()
        found += [
            (float(paid + price * costs[j] - 0.5 * (base + g)), np.append(rest, j))
            for g, j in zip(gain, entering, strict=True)
        ]
        if price > 0.0:
            found.append((float(paid - 0.5 * base), rest))
    return [columns for _, columns in sorted(found, key=lambda pair: pair[0])]


TOL = 1e-7  # relative gap at which a set of features need not be looked at


@dataclass(frozen=True, eq=False)
class Sketch:
    """What is known of the best model within a budget before any search.

    Attributes
    ----------
    weights : ndarray, shape (n_features,)
        A good model, by elimination and exchanges.
    objective : float
        Its F(w).
    bound : float
        No model within the budget has a lower objective: the optimum of the relaxation.
    passes : float
        Passes over the features so far.
    """

    weights: FloatArray
    objective: float
    bound: float
    passes: float


def sketches(problem: Problem, budgets: Sequence[float]) -> Iterator[Sketch]:
    """Yield a sketch for each budget, the model of each from the one before.

    Parameters
    ----------
    problem : Problem
        With a `SquaredHinge` and the `L2Budget` of the largest budget, which may be `Signed`.
    budgets : sequence of float
        Rising.
    """
    whole = Space(problem)
    dense = None
    before = np.zeros(whole.n_columns)
    for budget in budgets:
        space = whole.within(budget)
        incumbent = Incumbent(space, TOL)
        dense = dense or dense_model(space, incumbent.at_zero)
        for _ in first_models(space, incumbent, dense, before):
            pass
        before = incumbent.w
        root = Part.of(space, space.free_of_charge, np.flatnonzero(space.costs > 0.0))
        known = dual_bound(space, dense.point, root)
        found = relax(space, root, dense.point, dense.hessian, incumbent.objective, known)
        bound = min(found.bound, incumbent.objective)
        yield Sketch(space.spread(incumbent.w), incumbent.objective, bound, space.passes.total)
