"""The certified optimum of a choice, which pictures measure fits against."""

from __future__ import annotations

from core.analysis.certified_optimum import CertifiedOptimum, Optimum
from core.methods import Training
from pages.shared.choice.choice import Choice
from pages.shared.work.stepwise import at_once


def optimum_of(choice: Choice, training: Training) -> Optimum:
    """What is known of the lowest objective of a choice, whose training data these are."""
    rules = choice.rules_for(choice.method_id)
    return at_once(CertifiedOptimum(training, choice.method_id, choice.lam, dict(choice.parameters), rules))
