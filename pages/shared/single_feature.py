"""The best single feature of the chosen data, as pages compare models with it."""

from __future__ import annotations

from core.analysis.tradeoff.best_single_feature import SingleFeatureReference, best_single_feature
from core.data import Convention, Fold
from pages.shared.cache import cached
from pages.shared.choice.choice import Loaded


def best_single(choice: Loaded, measure: str) -> SingleFeatureReference:
    """The feature that ranks the training part best alone, with its values on every part."""
    return _best_single(choice.fold, choice.convention, measure)


@cached()
def _best_single(fold: Fold, convention: Convention, measure: str) -> SingleFeatureReference:
    return best_single_feature(fold, convention, measure)
