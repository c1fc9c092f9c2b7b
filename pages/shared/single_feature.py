"""The best single feature of the chosen data, as pages compare models with it."""

from __future__ import annotations

from core.analysis.tradeoff.best_single_feature import BestSingleFeature, SingleFeatureReference
from pages.shared.choice.choice import Loaded
from pages.shared.work.stepwise import at_once


def best_single(choice: Loaded, measure: str) -> SingleFeatureReference:
    """The feature that ranks the training part best alone, with its values on every part."""
    return at_once(BestSingleFeature(choice.fold, choice.convention, measure))
