"""Where a fit at one of several falling lambdas starts: one rule for paths, benches and resamples.

A convex method starts from its model at the previous lambda. Reweighting must not: its answer would depend on the path
taken (and a weight of lp never comes back from 0). Its first round is plain l1, so the l1 path is followed beside it
and each of its models starts from the l1 model at its own lambda, as a single fit's does.

Where a step reads X once, l1 models at neighbouring lambda are found together (`core.solvers.along_path`). Such a fit
begins at the model that it finds ready.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.methods import Method, Training
from core.methods.method_run import MethodRun
from core.penalties import L1, Penalty, weighted_l1_of
from core.solvers import FIRST_ROUND_TOL, FitResult, Solver, Stop, solve

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WarmStart:
    """Where the fit at one lambda starts.

    Attributes
    ----------
    method : Method
    weights : ndarray, shape (n_features,)
    cost : FitResult or None
        The fit that found them, where one was needed.
    """

    method: Method
    weights: FloatArray
    cost: FitResult | None = None

    @classmethod
    def at(
        cls, method: Method, training: Training, lam: float, near: FloatArray, l1_solver: Solver | None = None
    ) -> WarmStart:
        """The start at a lambda.

        Parameters
        ----------
        method : Method
        training : Training
        lam : float
        near : ndarray, shape (n_features,)
            `after` the fit at the lambda before; zeros at first.
        l1_solver : Solver, optional
            See `l1_fit`.
        """
        if method.path_start != "l1":
            return cls(method, near)
        penalty = method.make_penalty(method.settings(), training.c_of(lam))
        found = l1_fit(training, lam, near, penalty, l1_solver)
        return cls(method, found.weights, found)

    def after(self, run: MethodRun) -> FloatArray:
        """What the next start is near to, once the fit from this one has ended; shape (n_features,)."""
        return run.next_start if self.method.path_start == "previous" else self.weights


def l1_fit(
    training: Training,
    lam: float,
    start: FloatArray,
    penalty: Penalty | None = None,
    solver: Solver | None = None,
) -> FitResult:
    """The l1 model, as accurate as the first round of reweighting needs it; features' prices and signs are kept.

    Parameters
    ----------
    training : Training
    lam : float
    start : ndarray, shape (n_features,)
    penalty : Penalty, optional
        That reweighting is to minimise with; one that treats all features alike by default.
    solver : Solver, optional
        By default the recipe's own; `along_path` makes one for a whole path.
    """
    penalty = penalty or L1()
    first = weighted_l1_of(penalty, penalty.first_weights(training.data.n_features))
    problem = training.problem(first, lam)
    return solve(solver or training.recipe.l1_solver, problem, Stop(tol=FIRST_ROUND_TOL), start)
