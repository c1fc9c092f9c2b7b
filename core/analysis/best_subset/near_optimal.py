"""All sets of features near the best one, as a result that pictures share."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.best_subset.alternatives import Alternatives, AlternativesRun
from core.analysis.best_subset.certified_path import RidgeIngredient


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
