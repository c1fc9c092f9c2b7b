"""How arbitrary a selection is: all sets of features whose objective comes near the optimum, and how they rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.best_subset.certified_path import RidgeIngredient
from core.analysis.best_subset.refitted_sets import Ridge
from core.analysis.evaluation import Judgement
from core.penalties import L2Budget
from core.solvers.best_subset.near_optimal import MOST, NearOptimal, near_optimal_sets
from core.work import OpenEndedWork

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Alternatives:
    """The sets found so far, with their measures.

    Attributes
    ----------
    found : NearOptimal
    judgements : sequence of Judgement
        Of the sets in their order, as far as they have been measured.
    n_features : int
        Of the data.
    """

    found: NearOptimal
    judgements: Sequence[Judgement]
    n_features: int

    @property
    def shares(self) -> FloatArray:
        """The share of the sets that have each feature, shape (n_features,)."""
        counts = np.zeros(self.n_features)
        for one in self.found.sets:
            counts[one.columns] += 1.0
        return counts / max(len(self.found.sets), 1)

    @property
    def in_every(self) -> NDArray[np.int64]:
        """The features that all sets have, from 0."""
        return np.flatnonzero(self.shares == 1.0) if self.found.sets else np.zeros(0, dtype=np.int64)

    @property
    def excesses(self) -> FloatArray:
        """The relative excess of each set's objective over that of the first one."""
        objectives = np.array([one.objective for one in self.found.sets])
        return objectives / objectives[0] - 1.0 if len(objectives) else objectives

    def values(self, part: str, measure: str) -> FloatArray:
        """The measure of each set that has been measured."""
        return np.array([judgement.metrics[part][measure] for judgement in self.judgements])


class AlternativesRun(OpenEndedWork):
    """The search for `Alternatives` in progress; see `Work`. First it finds the sets, then it measures them.

    Parameters
    ----------
    ridge : Ridge
        With a judge.
    k : int
        Of features at most.
    within : float
        Relative excess of the objective, such as 0.01.
    """

    only_at_work = ("_coming",)
    grows = ("_judgements",)

    def __init__(self, ridge: Ridge, k: int, within: float, most: int = MOST) -> None:
        self._ridge = ridge
        self._coming = near_optimal_sets(ridge.problem(L2Budget(float(k))), within, most)
        self._found: NearOptimal | None = None
        self._judgements: list[Judgement] = []

    @property
    def result(self) -> Alternatives | None:
        """What has been found so far; None before the first step."""
        if self._found is None:
            return None
        return Alternatives(self._found, tuple(self._judgements), self._ridge.training.data.n_features)

    @property
    def done(self) -> bool:
        """Whether the search has ended and every set is measured."""
        return self._found is not None and self._found.done and len(self._judgements) == len(self._found.sets)

    @property
    def share(self) -> float:
        """0 while it searches, as nobody knows how far it is; then the share of the sets that are measured."""
        if self._found is None or not self._found.done:
            return 0.0
        return len(self._judgements) / max(len(self._found.sets), 1)

    def advance(self) -> None:
        """Search a little, or measure a set."""
        if self._found is None or not self._found.done:
            self._found = next(self._coming)
        elif not self.done:
            self._judgements.append(self._ridge.judged(self._found.sets[len(self._judgements)].weights))


@dataclass(frozen=True)
class NearOptimalSets(RidgeIngredient[Alternatives]):
    """All sets of at most k features whose objective is within a share of the lowest one, with their measures.

    Attributes
    ----------
    fold, convention, ridge
        As for `core.analysis.best_subset.certified_path.RidgeIngredient`.
    k : int
    within : float
        Relative excess of the objective.
    """

    k: int
    within: float

    what = "Searching all sets near the best one"

    def work(self) -> AlternativesRun:
        """Prepare the search, and the measures after it."""
        return AlternativesRun(self.model, self.k, self.within)

    def result(self, run: AlternativesRun) -> Alternatives:
        """The sets, the lowest objective first."""
        assert run.result is not None, "the work has begun"
        return run.result
