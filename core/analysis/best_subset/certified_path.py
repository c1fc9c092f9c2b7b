"""The best subsets of every size with a ridge, as a result that pictures share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from core.analysis.best_subset.refitted_sets import BY_HAND, RefittedSet, Ridge, by_hand, refitted_path
from core.analysis.best_subset.yardstick import (
    BEST,
    SECONDS_EACH,
    CertifiedSubset,
    Yardstick,
    best_known,
    certified_rows,
)
from core.analysis.evaluation import FoldJudge
from core.analysis.fold_models import FoldPath
from core.analysis.ingredient import AtOnce, Ingredient, Made
from core.data import Convention, Fold
from core.methods import Training, get_method

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
    fold : Fold
    convention : {"standard", "letor3", "letor4"}
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
    fold, convention, ridge
        As for `RidgeIngredient`.
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


@dataclass(frozen=True, eq=False)
class MethodSets(AtOnce[Mapping[str, Sequence[RefittedSet]]]):
    """The sets along paths and those of every selection by hand, by method, fitted with the ridge of the best subsets.

    Attributes
    ----------
    best : BestSubsets
    paths : sequence of FoldPath
    """

    best: BestSubsets
    paths: Sequence[FoldPath]

    what = "Fitting the methods' sets again"

    def result(self, run: None) -> dict[str, list[RefittedSet]]:
        """Fit all sets."""
        model, most = self.best.model, self.best.largest
        found = {
            path.method: list(refitted_path(path.points, model, most)[1])
            for path in self.paths
            if path.method not in BY_HAND
        }
        return found | {method: list(by_hand(method, model, most)) for method in BY_HAND}
