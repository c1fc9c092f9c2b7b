"""The search tree of a best subset, as a result that pictures share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.analysis.best_subset.growing_tree import GrowingTree, TreeSoFar
from core.analysis.best_subset.points import BEST
from core.analysis.features.feature_rules import FeatureRules, method_under_rules
from core.analysis.ingredient import Ingredient
from core.data import Convention, Fold


@dataclass(frozen=True)
class SearchTree(Ingredient[TreeSoFar]):
    """The tree by which branch and bound proves which k features are best.

    Attributes
    ----------
    fold : Fold
    c : float
    parameters : mapping
        ``k`` is how many features the model may have.
    rules : FeatureRules or None
    convention : {"standard", "letor3", "letor4"}
    """

    fold: Fold
    c: float
    parameters: Mapping[str, float | str]
    rules: FeatureRules | None
    convention: Convention

    what = "Growing the search tree"

    def work(self) -> GrowingTree:
        """Prepare the search, a part a step."""
        method = method_under_rules(BEST, self.fold.train, self.rules)
        settings = method.settings(self.parameters)
        training = method.training(self.fold.train, settings, self.convention)
        return GrowingTree(method.problem(training, training.lam_of(self.c), settings))

    def result(self, run: GrowingTree) -> TreeSoFar:
        """The tree, which ends early if it has more parts than can be seen."""
        assert run.tree is not None, "the work has begun"
        return run.tree
