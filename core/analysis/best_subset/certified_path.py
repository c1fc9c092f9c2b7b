"""The best subsets of every size with a ridge, as a result that pictures share."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.best_subset.points import BEST
from core.analysis.best_subset.refitted_sets import Ridge
from core.analysis.best_subset.yardstick import SECONDS_EACH, CertifiedSubset, Yardstick, best_known, certified_rows
from core.analysis.evaluation import FoldJudge
from core.analysis.ingredient import Ingredient
from core.data import Convention, Fold
from core.methods import get_method


@dataclass(frozen=True)
class BestSubsets(Ingredient[tuple[CertifiedSubset, ...]]):
    """The lowest objective of 1, 2, … features with its bound.

    Attributes
    ----------
    fold : Fold
    convention : {"standard", "letor3", "letor4"}
    ridge : float
        lambda / lambda_max of the ridge models.
    most : int
        The largest number of features; no more than are usable.
    seconds : float
        Solver time for the proof of a size.
    """

    fold: Fold
    convention: Convention
    ridge: float
    most: int
    seconds: float = SECONDS_EACH

    what = "Searching the best subsets"

    @property
    def model(self) -> Ridge:
        """The ridge model that all sets are fitted with."""
        training = get_method(BEST).training(self.fold.train, convention=self.convention)
        return Ridge.of(training, training.lam_at(self.ridge), FoldJudge(self.fold, self.convention))

    @property
    def c(self) -> float:
        """The C of the ridge."""
        training = get_method(BEST).training(self.fold.train, convention=self.convention)
        return training.c_of(training.lam_at(self.ridge))

    def work(self) -> Yardstick:
        """Prepare the search of all sizes."""
        model = self.model
        assert model.judge is not None
        return Yardstick(get_method(BEST), model, min(self.most, int(model.judge.usable_features.sum())), self.seconds)

    def result(self, run: Yardstick) -> tuple[CertifiedSubset, ...]:
        """What is known of each size, by ascending size."""
        return tuple(best_known(certified_rows(run)))
