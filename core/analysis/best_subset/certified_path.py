"""The best subsets of every size with a ridge, and all sets that come near one, as results that pictures share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from core.analysis.best_subset.refitted_sets import BY_HAND, RefittedSet, Ridge, by_hand, refitted_path
from core.analysis.best_subset.yardstick import (
    BEST,
    SECONDS_EACH,
    CertifiedSubset,
    Yardstick,
    best_known,
    certified_rows,
)
from core.analysis.evaluation import FloatArray, FoldJudge, Judgement
from core.analysis.ingredient import Ingredient, Made, made_at_once
from core.analysis.path import PathPoint
from core.data import Convention, Fold
from core.methods import Training, get_method
from core.penalties import L2Budget
from core.solvers.best_subset.near_optimal import NearOptimal, near_optimal_sets
from core.work import Growing, OpenEndedWork

MOST_SEARCHED = 200
"""Features up to which the search fits into memory."""


def refuse_too_many(n_features: int) -> None:
    """Refuse data with more features than the search has memory for.

    Raises
    ------
    ValueError
    """
    if n_features > MOST_SEARCHED:
        msg = (
            f"The search is for data with at most {MOST_SEARCHED} features. Choose fewer with a sparse method first, "
            "and keep those columns."
        )
        raise ValueError(msg)


@dataclass(frozen=True)
class RidgeIngredient(Ingredient[Made], Generic[Made]):
    """Base of the results of searches among sets of features with one ridge.

    Attributes
    ----------
    ridge : float
        lambda / lambda_max of the ridge models.
    """

    fold: Fold
    convention: Convention
    ridge: float

    @property
    def training(self) -> Training:
        """The training part as the search sees it."""
        return get_method(BEST).training(self.fold.train, convention=self.convention)

    @property
    def model(self) -> Ridge:
        """The ridge model that all sets are fitted with."""
        training = self.training
        return Ridge.of(training, training.lam_at(self.ridge), FoldJudge(self.fold, self.convention))


@dataclass(frozen=True)
class BestSubsets(RidgeIngredient[tuple[CertifiedSubset, ...]]):
    """The lowest objective of 1, 2, … features with its bound.

    Attributes
    ----------
    most : int
        The largest number of features; no more than are usable.
    seconds : float
        Solver time for the proof of a size.
    """

    most: int
    seconds: float = SECONDS_EACH

    what = "Searching the best subsets"

    @property
    def largest(self) -> int:
        """The largest number of features that is searched."""
        return min(self.most, int(FoldJudge(self.fold, self.convention).usable_features.sum()))

    @property
    def c(self) -> float:
        """The C of the ridge."""
        training = self.training
        return training.c_of(training.lam_at(self.ridge))

    def work(self) -> Yardstick:
        """Prepare the search of all sizes."""
        return Yardstick(get_method(BEST), self.model, self.largest, self.seconds)

    def result(self, run: Yardstick) -> tuple[CertifiedSubset, ...]:
        """What is known of each size, by ascending size."""
        return tuple(best_known(certified_rows(run)))


@made_at_once("Fitting the methods' sets again")
def method_sets(best: BestSubsets, paths: Mapping[str, Sequence[PathPoint]]) -> Mapping[str, Sequence[RefittedSet]]:
    """Fit sets along paths and those of selections by hand, by method, with the ridge of the best subsets."""
    model, most = best.model, best.largest
    along = {
        method: list(refitted_path(points, model, most)[1]) for method, points in paths.items() if method not in BY_HAND
    }
    return along | {method: list(by_hand(method, model, most)) for method in BY_HAND}


@dataclass(frozen=True, eq=False)
class Alternatives:
    """The sets found so far, with their measures.

    Attributes
    ----------
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
    k : int
        Of features at most.
    within : float
        Relative excess of the objective, such as 0.01.
    """

    only_at_work = ("_coming",)

    def __init__(self, ridge: Ridge, k: int, within: float) -> None:
        self._ridge = ridge
        self._coming = near_optimal_sets(ridge.problem(L2Budget(float(k))), within)
        self._found: NearOptimal | None = None
        self._judgements = Growing[Judgement]()

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
        """The share of the sets that are measured; 0 during the search, whose length is not known."""
        if self._found is None or not self._found.done:
            return 0.0
        return len(self._judgements) / max(len(self._found.sets), 1)

    def advance(self) -> None:
        """Search a little, or measure a set."""
        if self._found is None or not self._found.done:
            self._found = next(self._coming)
        elif not self.done:
            self._judgements.append(self._ridge.judge.judgement(self._found.sets[len(self._judgements)].weights))


@dataclass(frozen=True)
class NearOptimalSets(RidgeIngredient[Alternatives]):
    """All sets of at most k features whose objective is within a share of the lowest one, with their measures.

    Attributes
    ----------
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
