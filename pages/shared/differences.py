"""What models of the chosen data are compared with, each worked out once: every page quotes the same numbers."""

from __future__ import annotations

from core.analysis.convergence import Optimum, certified_optimum
from core.analysis.evaluation import FloatArray
from core.analysis.tradeoff.best_single_feature import SingleFeatureReference, best_single_feature
from core.experiments.results.difference import Difference, model_difference
from core.methods import Training
from pages.shared.cache import cached
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.work.stepwise import at_once

_difference = cached()(model_difference)


def difference(choice: Loaded, model: FloatArray, other: FloatArray, part: str, measure: str) -> Difference:
    """The first model's mean minus the other's on a part of the chosen fold, with its interval over queries."""
    return _difference(choice.judge, model, other, part, measure)


def optimum_of(choice: Choice, training: Training) -> Optimum:
    """What is known of the lowest objective of a choice, whose training data these are."""
    rules = choice.rules_for(choice.method_id)
    return at_once(certified_optimum.of(training, choice.method_id, choice.lam, dict(choice.parameters), rules))


def best_single(choice: Loaded, measure: str) -> SingleFeatureReference:
    """The feature that ranks the training part best alone, with its values on every part."""
    return at_once(best_single_feature.of(choice.fold, choice.convention, measure))
