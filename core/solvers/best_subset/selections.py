"""Selections that people do by hand: forward, backward by weight or by curvature, and exchanges."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.solvers.best_subset.incumbents import Incumbent, dense_model, eliminated, swaps
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound, relax
from core.solvers.best_subset.space import IntArray, Space
from core.solvers.problem import FloatArray, Problem

Selection = Callable[[Problem], IntArray]
"""Takes a problem with an `L2Budget`, returns the selected features (from 0) of the problem."""
TOL = 1e-7  # relative gap at which a set of features need not be looked at


def forward(problem: Problem) -> IntArray:
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
        if len(others) == 0:
            return space.columns[chosen]
        before = incumbent.objective
        for j in others[np.argsort(-np.abs(near.gradient[others]), kind="stable")]:
            incumbent.try_set(np.append(chosen, j), near, hessian)
        if incumbent.objective >= before * (1.0 - TOL):
            return space.columns[chosen]
        chosen = np.flatnonzero(incumbent.w)
        near, hessian = space.at(incumbent.w), space.hessian(incumbent.w)


def backward_by_weight(problem: Problem) -> IntArray:
    """Drop the feature with the smallest w_j^2 and fit again, until the budget pays the rest (Guyon et al. 2002)."""
    return _backward(problem, lambda found, curvature: found.point.w**2)


def backward_by_curvature(problem: Problem) -> IntArray:
    """Drop the feature whose loss costs least by the quadratic model, w_j^2 / (2 [H^-1]_jj), and fit again."""

    def cost(found: Relaxed, curvature: FloatArray) -> FloatArray:
        w = found.point.w
        kept = np.flatnonzero(w)
        costs = np.zeros(len(w))
        costs[kept] = w[kept] ** 2 / (2.0 * np.diag(np.linalg.inv(curvature[np.ix_(kept, kept)])))
        return costs

    return _backward(problem, cost)


def exchanged(problem: Problem) -> IntArray:
    """Eliminate by curvature without fits between, then exchange single features while that lowers the objective."""
    space = Space(problem)
    incumbent = Incumbent(space, TOL)
    dense = dense_model(space, incumbent.at_zero)
    incumbent.try_set(eliminated(space, dense), dense.point, dense.hessian)
    for _ in swaps(space, incumbent):
        pass
    return space.columns[np.flatnonzero(incumbent.w)]


def _backward(problem: Problem, cost: Callable[[Relaxed, FloatArray], FloatArray]) -> IntArray:
    """Drop the paid feature with the lowest cost, a unit of its price, and fit again until the budget pays the rest."""
    space = Space(problem)
    found = dense_model(space, space.at(np.zeros(space.n_columns)))
    left = np.arange(space.n_columns)
    while space.costs[left].sum() > space.budget:
        curvature = space.hessian(found.point.w)
        curvature[np.diag_indices_from(curvature)] += space.lam
        paid = left[space.costs[left] > 0.0]
        worth = cost(found, curvature)[paid] / space.costs[paid]
        left = left[left != paid[np.argmin(worth)]]
        part = Part.alone(left)
        found = relax(space, part, found.point, found.hessian, np.inf, dual_bound(space, found.point, part))
    return space.columns[left]
