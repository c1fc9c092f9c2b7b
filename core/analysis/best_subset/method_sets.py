"""The sets of features that methods keep, refitted with one ridge, as a result that pictures share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.best_subset.certified_path import BestSubsets
from core.analysis.best_subset.refitted_sets import BY_HAND, RefittedSet, by_hand, refitted_path
from core.analysis.fold_models import FoldPath
from core.analysis.ingredient import AtOnce


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
