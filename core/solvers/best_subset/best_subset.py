"""Branch and bound for the best model within a budget of features, with a certified gap at every step."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.losses import SquaredHinge
from core.penalties import L0, L2Budget, Signed
from core.solvers.base import Certificate, Iterate
from core.solvers.best_subset.kept_search import KeptSearch, refusal_of
from core.solvers.best_subset.search import Search
from core.solvers.problem import FloatArray, Problem

SECONDS_BETWEEN = 10.0  # after which a search is kept again
QUICK = 0.5  # seconds of keeping it; if that takes longer, it is kept less often, so that it takes a twentieth at most


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
        from it, in whatever process, to the same proof. Steps and seconds are those since then.
    folder : Path, optional
        Where searches are kept like that, each in a file of its own, so that a killed fit that is asked for again has
        the steps and seconds of one that was not killed. A damaged file is ignored, and where nothing can be written
        the search is only not kept; the log says so.
    """

    id: ClassVar[str] = "branch-and-bound"
    title: ClassVar[str] = "branch and bound"
    explanation: ClassVar[str] = (
        "Splits the sets of features into parts and bounds what each part can reach. A part whose bound is above the "
        "best model so far is discarded. When no part is left, that model is proven to be the best. With 200,000 "
        "documents or more, the first model is improved on a sample of the queries; objective and gap are always "
        "those of all."
    )

    tol: float = 1e-5
    group: int = 25
    file: Path | None = None
    folder: Path | None = None

    def accepts(self, problem: Problem) -> str | None:
        penalty = problem.penalty.penalty if isinstance(problem.penalty, Signed) else problem.penalty
        if not isinstance(penalty, L2Budget | L0):
            return "branch and bound is for the ℓ2 penalty within a budget of features, or with a price for each"
        if not isinstance(problem.loss, SquaredHinge):
            return "branch and bound is for RankSVM's squared hinge"
        return refusal_of(self.file, problem) if self.file is not None else None

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        begun = time.perf_counter()
        search = Search.begun(problem, self.tol)
        kept = self._kept(search)
        if kept is not None and kept.resume():
            yield from self._steps_before(search, problem)
            steps = search.further_steps(self.group)
            begun = time.perf_counter()
        else:
            if not np.isfinite(problem.penalty.value(start)):
                start = np.zeros(problem.n_features)
            steps = search.steps(start[search.space.columns], self.group)
        keeping, last, longest = 0.0, time.monotonic(), 0.0
        try:
            for _ in steps:
                search.curve[-1] = replace(search.curve[-1], seconds=time.perf_counter() - begun - keeping)
                yield replace(_iterate(search, problem, -1), measuring=keeping)
                begun, keeping = time.perf_counter(), 0.0
                if kept is not None and time.monotonic() - last > SECONDS_BETWEEN * max(longest / QUICK, 1.0):
                    kept.keep()
                    keeping, last = time.perf_counter() - begun, time.monotonic()
                    longest = max(keeping, longest)
        finally:
            if kept is not None:
                kept.keep()

    def _kept(self, search: Search) -> KeptSearch | None:
        if self.file is not None:
            return KeptSearch(search, self.file)
        return None if self.folder is None else KeptSearch.within(self.folder, search)

    def _steps_before(self, search: Search, problem: Problem) -> Iterator[Iterate]:
        """The steps of a search that was left: all of them with their seconds, or in a file the last one."""
        if self.folder is None:
            yield _iterate(search, problem, -1)
            return
        for place, reached in enumerate(search.curve):
            yield replace(_iterate(search, problem, place), spent=reached.seconds)


def _iterate(search: Search, problem: Problem, place: int) -> Iterate:
    """The step at a place of the curve."""
    now = search.curve[place]
    gap = max(now.objective - now.bound, 0.0)
    step = range(len(search.curve))[place]
    return Iterate(
        step=step,
        weights=search.space.spread(now.w),
        objective=now.objective,
        certificate=Certificate("duality gap", gap, gap / now.objective, among=problem.penalty.among),
        passes=now.passes,
        hidden=(now.bound, float(now.nodes), 0.0 if now.nodes else float(step)),
    )
