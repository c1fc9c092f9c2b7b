"""Selections that people do by hand: forward, backward by weight or by curvature, and exchanges."""

from collections.abc import Callable, Iterator

import numpy as np

from core.solvers.best_subset.incumbents import TOL, Incumbent, dense_model, first_models
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound, relax
from core.solvers.best_subset.space import IntArray, Space
from core.solvers.problem import FloatArray, Problem

Selection = Callable[[Problem], Iterator[IntArray]]
"""Takes a problem with an `L2Budget`, yields the features (from 0) kept so far, as often as it can; the last ones are
those selected."""


def selected(select: Selection, problem: Problem) -> IntArray:
    """Run a selection to its end."""
    *_, chosen = select(problem)
    return chosen


def forward(problem: Problem) -> Iterator[IntArray]:
    """Add the affordable feature that lowers the objective most, until the budget pays no other."""
    space = Space(problem)
    incumbent = Incumbent(space, TOL)
    chosen = space.free_of_charge
    near, hessian = incumbent.at_zero, space.hessian(incumbent.at_zero.w)
    if len(chosen):
        incumbent.try_set(chosen, near, hessian)
    while True:
        room = space.budget - space.costs[chosen].sum()
        others = np.setdiff1d(np.flatnonzero(space.costs <= room), chosen)
        yield space.columns[chosen]
        if len(others) == 0:
            return
        before = incumbent.objective
        for j in others[np.argsort(-np.abs(near.gradient[others]), kind="stable")]:
            incumbent.try_set(np.append(chosen, j), near, hessian)
            yield space.columns[chosen]
        if incumbent.objective >= before * (1.0 - TOL):
            return
        chosen = np.flatnonzero(incumbent.w)
        near, hessian = space.at(incumbent.w), space.hessian(incumbent.w)


def backward_by_weight(problem: Problem) -> Iterator[IntArray]:
    """Drop the feature with the smallest w_j^2 and fit again, until the budget pays the rest (Guyon et al. 2002)."""
    unit = problem.weight_units
    return _backward(problem, lambda space, found, curvature: (found.point.w * unit[space.columns]) ** 2)


def backward_by_curvature(problem: Problem) -> Iterator[IntArray]:
    """Drop the feature whose loss costs least by the quadratic model, w_j^2 / (2 [H^-1]_jj), and fit again."""

    def cost(space: Space, found: Relaxed, curvature: FloatArray) -> FloatArray:
        w = found.point.w
        kept = np.flatnonzero(w)
        costs = np.zeros(len(w))
        costs[kept] = w[kept] ** 2 / (2.0 * np.diag(np.linalg.inv(curvature[np.ix_(kept, kept)])))
        return costs

    return _backward(problem, cost)


def exchanged(problem: Problem) -> Iterator[IntArray]:
    """Eliminate by curvature without fits between, then exchange single features while that lowers the objective."""
    space = Space(problem)
    incumbent = Incumbent(space, TOL)
    dense = dense_model(space, incumbent.at_zero)
    for _ in first_models(space, incumbent, dense, None):
        yield space.columns[np.flatnonzero(incumbent.w)]


def _backward(problem: Problem, cost: Callable[[Space, Relaxed, FloatArray], FloatArray]) -> Iterator[IntArray]:
    """Drop the paid feature with the lowest cost, a unit of its price, and fit again until the budget pays the rest."""
    space = Space(problem)
    found = dense_model(space, space.at(np.zeros(space.n_columns)))
    left = np.arange(space.n_columns)
    yield space.columns[left]
    while space.costs[left].sum() > space.budget:
        curvature = space.hessian(found.point.w)
        curvature[np.diag_indices_from(curvature)] += space.lam
        paid = left[space.costs[left] > 0.0]
        worth = cost(space, found, curvature)[paid] / space.costs[paid]
        left = left[left != paid[np.argmin(worth)]]
        part = Part.alone(left)
        found = relax(space, part, found.point, found.hessian, np.inf, dual_bound(space, found.point, part))
        yield space.columns[left]
