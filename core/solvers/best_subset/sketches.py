"""A good model and a bound for every number of features, in a fraction of a second each: what a search begins with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.solvers.best_subset.incumbents import Incumbent, dense_model, first_models
from core.solvers.best_subset.relaxation import Part, dual_bound, relax
from core.solvers.best_subset.space import Space
from core.solvers.problem import FloatArray, Problem

TOL = 1e-7  # relative gap at which a set of features need not be looked at


@dataclass(frozen=True, eq=False)
class Sketch:
    """What is known of the best model within a budget before any search.

    Attributes
    ----------
    budget : float
    weights : ndarray, shape (n_features,)
        A good model, by elimination and exchanges.
    objective : float
        Its F(w).
    bound : float
        No model within the budget has a lower objective: the optimum of the relaxation.
    passes : float
        Passes over the features so far.
    """

    budget: float
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
        yield Sketch(budget, space.spread(incumbent.w), incumbent.objective, bound, space.passes.total)
