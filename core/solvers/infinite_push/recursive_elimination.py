"""Recursive feature elimination: fit, drop the features with the smallest weights, and repeat."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.losses import InfinitePush
from core.penalties import L2, L2AtMost
from core.solvers.base import Iterate, Solver, empty_start, until_standstill
from core.solvers.infinite_push.lam_max import steepest_fall
from core.solvers.problem import FloatArray, Problem

NEAR = 1e-3  # a round whose optimum is known to be so near the empty model's objective may have that as its answer
ROUNDING = 1e-14  # of the largest slope there could be: features that never differ within a query leave as much
SHARE = 0.1  # of the features that a round drops before that; Guyon et al. drop half
ROUND_TOL = 1e-3  # relative gap at which a round ends; the last one has no such limit
ONE_BY_ONE = 64  # from so many features down they go one at a time


@dataclass(frozen=True)
class RecursiveElimination:
    """SVM-RFE of Guyon, Weston, Barnhill & Vapnik (2002) around any solver of l2 problems.

    Every round solves the l2 problem on the remaining features, warm-started from the last round, and drops those with
    the smallest w_j^2: one at a time, or a share while there are many. The last round, on k features, continues until
    the fit is stopped. If no model on the remaining features beats the empty one at any lambda, the weights do not rank
    the features: then the empty model is the result.

    Parameters
    ----------
    inner : Solver
        Solver of the l2 problem.
    """

    id: ClassVar[str] = "rfe"
    title: ClassVar[str] = "recursive elimination"
    explanation: ClassVar[str] = (
        "Fits the ℓ2 model, drops the features with the smallest weights, and fits again until k are left. It is "
        "greedy: a dropped feature never comes back."
    )

    inner: Solver

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.penalty, L2AtMost):
            return "recursive elimination is for the ℓ2 penalty on at most k features"
        return self.inner.accepts(replace(problem, penalty=L2()))

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        assert isinstance(problem.penalty, L2AtMost)
        keep = min(problem.penalty.keep, problem.n_features)
        left = np.arange(problem.n_features)
        empty = empty_start(problem, among="")
        step, passes, w = 0, 2.0, empty.weights
        yield replace(empty, passes=passes)
        while True:
            last = len(left) <= keep
            within = problem if last and len(left) == problem.n_features else _restricted(problem, left)
            within = replace(within, penalty=L2())
            begun, looked = passes, False
            among = problem.penalty.among if len(left) < problem.n_features else ""
            for iterate in until_standstill(self.inner.iterate(within, w[left])):
                w = np.zeros(problem.n_features)
                w[left] = iterate.weights
                passes = begun + iterate.passes * len(left) / problem.n_features
                step += 1
                certificate = replace(iterate.certificate, among=among)
                if not looked and iterate.objective - certificate.value >= (1.0 - NEAR) * empty.objective:
                    looked = True
                    if _empty_is_best(within):
                        w, exact = np.zeros(problem.n_features), replace(certificate, value=0.0, relative=0.0)
                        yield Iterate(step, w, empty.objective, exact, passes, ends="empty model on what is left")
                        return
                yield replace(
                    iterate,
                    step=step,
                    weights=w,
                    passes=passes,
                    provisional=not last,
                    certificate=certificate,
                    hidden=(len(left), *iterate.hidden),
                )
                if not last and iterate.certificate.relative <= ROUND_TOL:
                    break
            if last:
                return
            drop = int(SHARE * len(left)) if len(left) > ONE_BY_ONE else 1
            drop = min(max(drop, 1), len(left) - keep)
            left = np.sort(left[np.argsort(np.abs(w * problem.weight_units)[left], kind="stable")[drop:]])


def _empty_is_best(within: Problem) -> bool:
    """Tell whether 0 minimises the loss; then it also minimises the objective with l2 at any lambda."""
    if isinstance(within.loss, InfinitePush):
        return steepest_fall(within) == 0.0
    gradient = within.loss.evaluate(np.zeros(len(within.features))).gradient
    largest = np.maximum(within.features.max(axis=0), -within.features.min(axis=0)) * float(np.abs(gradient).sum())
    return bool(np.all(np.abs(within.pull_back(gradient)) <= ROUNDING * largest))


def _restricted(problem: Problem, columns: np.ndarray) -> Problem:
    return replace(problem, features=np.ascontiguousarray(problem.features[:, columns]), units=None)
