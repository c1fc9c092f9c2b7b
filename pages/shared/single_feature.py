"""The best single feature of the chosen data, as pages compare models with it."""

from __future__ import annotations

from core.analysis.tradeoff.best_single_feature import SingleFeatureReference, best_single_feature
from core.data import Convention, Fold
from pages.shared.choice.choice import Loaded
from pages.shared.kept import once


def best_single(choice: Loaded, measure: str) -> SingleFeatureReference:
    """The feature that ranks the training part best alone, worked out once."""
    return _best_single(choice.fold, choice.fingerprint, choice.where, choice.convention, measure)


@once(64)
def _best_single(
    _fold: Fold, fingerprint: str, where: str, convention: Convention, measure: str
) -> SingleFeatureReference:
    return best_single_feature(_fold, convention, measure)
