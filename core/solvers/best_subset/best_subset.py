"""Branch and bound for the best model within a budget of features, with a certified gap at every step."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.losses import SquaredHinge
from core.penalties import L0, L2Budget, Signed
from core.solvers.base import Certificate, Iterate
from core.solvers.best_subset.kept_search import keep, name_of, refusal_of, resumed
from core.solvers.best_subset.search import Reached, Search
from core.solvers.problem import FloatArray, Problem

SECONDS_BETWEEN = 10.0  # after which a search is kept again


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
    file : Path, optional
        Where the search is kept, every ten seconds and when it is left. If it is there already, the search goes on
        from it, in whatever process, to the same proof.
    """

    id: ClassVar[str] = "branch-and-bound"
    title: ClassVar[str] = "branch and bound"
    explanation: ClassVar[str] = (
        "Splits the sets of features into parts and bounds what each part can reach. A part whose bound is above the "
        "best model so far is done. When no part is left, that model is proven to be the best. Of 200,000 documents or "
        "more, the first model is improved on a sample of the queries; objective and gap are always those of all."
    )

    tol: float = 1e-5
    group: int = 25
    file: Path | None = None

    def accepts(self, problem: Problem) -> str | None:
        penalty = problem.penalty.penalty if isinstance(problem.penalty, Signed) else problem.penalty
        if not isinstance(penalty, L2Budget | L0):
            return "branch and bound is for the ℓ2 penalty within a budget of features, or with a price for each"
        if not isinstance(problem.loss, SquaredHinge):
            return "branch and bound is for RankSVM's squared hinge"
        return refusal_of(self.file, problem) if self.file is not None else None

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        search = resumed(self.file, problem, self.tol) if self.file is not None else None
        if search is None:
            search = Search.begun(problem, self.tol)
            steps = self._from(search, problem, start)
        else:
            steps = self._on(search, problem)
        if self.file is None:
            yield from steps
            return
        kept, name = time.monotonic(), name_of(problem)
        try:
            for iterate in steps:
                yield iterate
                if time.monotonic() - kept > SECONDS_BETWEEN:
                    keep(search, self.file, name)
                    kept = time.monotonic()
        finally:
            keep(search, self.file, name)

    def _from(self, search: Search, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        """The steps of a search from its start."""
        space = search.space
        if not np.isfinite(problem.penalty.value(start)):
            start = np.zeros(problem.n_features)
        given = space.at(start[space.columns])
        search.curve.append(Reached(space.objective(given), 0.0, 0, space.passes.total))
        yield _iterate(search, problem, start)
        for _ in search.first_steps(given.w):
            yield _iterate(search, problem)
        yield from self._through_the_tree(search, problem)

    def _on(self, search: Search, problem: Problem) -> Iterator[Iterate]:
        """The steps of a search that was left, from the one where it was left."""
        yield _iterate(search, problem)
        yield from self._through_the_tree(search, problem)

    def _through_the_tree(self, search: Search, problem: Problem) -> Iterator[Iterate]:
        while not search.tree.done:
            search.visit(self.group)
            yield _iterate(search, problem)


def _iterate(search: Search, problem: Problem, weights: FloatArray | None = None) -> Iterate:
    now = search.curve[-1]
    gap = max(now.objective - now.bound, 0.0)
    return Iterate(
        step=len(search.curve) - 1,
        weights=search.space.spread(search.incumbent.w) if weights is None else weights,
        objective=now.objective,
        certificate=Certificate("duality gap", gap, gap / now.objective, among=problem.penalty.among),
        passes=now.passes,
        hidden=(now.bound, float(now.nodes), float(search.first)),
    )
