"""Branch and bound for the best model within a budget of features, with a certified gap at every step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.losses import SquaredHinge
from core.penalties import L2Budget, Signed
from core.solvers.base import Certificate, Iterate
from core.solvers.best_subset.incumbents import Incumbent, dense_model, first_models
from core.solvers.best_subset.space import Space
from core.solvers.best_subset.tree import Tree
from core.solvers.problem import FloatArray, Problem


@dataclass(frozen=True)
class BranchAndBound:
    """Best-first branch and bound on the perspective relaxation.

    A step is a round of the search for a first model, or a group of nodes of the tree. The weights are those of the
    best model so far. The gap is its objective minus the lowest bound of all that is left, so it holds at every step.

    Parameters
    ----------
    tol : float
        Relative gap at which a part of the models is left aside; it is refined where that is not enough.
    group : int
        Nodes of a step.
    """

    id: ClassVar[str] = "branch-and-bound"
    title: ClassVar[str] = "branch and bound"
    explanation: ClassVar[str] = (
        "Splits the sets of features into parts and bounds what each part can reach. A part whose bound is above the "
        "best model so far is done. When no part is left, that model is proven to be the best."
    )

    tol: float = 1e-5
    group: int = 25

    def accepts(self, problem: Problem) -> str | None:
        penalty = problem.penalty.penalty if isinstance(problem.penalty, Signed) else problem.penalty
        if not isinstance(penalty, L2Budget):
            return "branch and bound is for the ℓ2 penalty within a budget of features"
        return None if isinstance(problem.loss, SquaredHinge) else "branch and bound is for RankSVM's squared hinge"

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        space = Space(problem)
        incumbent = Incumbent(space, self.tol)
        if not np.isfinite(problem.penalty.value(start)):
            start = np.zeros(problem.n_features)
        bound, step = 0.0, 0

        def iterate(w: FloatArray, objective: float, nodes: int) -> Iterate:
            gap = max(objective - bound, 0.0)
            certificate = Certificate("duality gap", gap, gap / objective, among=problem.penalty.among)
            return Iterate(step, w, objective, certificate, space.passes, hidden=(bound, float(nodes)))

        given = space.at(start[space.columns])
        yield iterate(start, given.loss + 0.5 * space.lam * float(given.w @ given.w), 0)
        step += 1
        dense = dense_model(space, incumbent.at_zero)
        tree = Tree(space, incumbent, dense.point, dense.hessian)
        bound = tree.bound
        for _ in first_models(space, incumbent, dense, given.w):
            yield iterate(space.spread(incumbent.w), incumbent.objective, tree.visited)
            step += 1
        while not tree.done:
            for _ in range(1 if tree.visited == 0 else self.group):
                if not tree.done:
                    tree.visit()
            bound = max(bound, tree.bound)
            yield iterate(space.spread(incumbent.w), incumbent.objective, tree.visited)
            step += 1
