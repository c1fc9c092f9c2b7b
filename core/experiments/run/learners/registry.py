"""All learners of the protocol: the methods of the registry, and references outside it."""

from __future__ import annotations

from core.experiments.run.learners.lambdamart import LambdaMart
from core.experiments.run.learners.learner import Learner
from core.experiments.run.learners.linear import LinearLearner
from core.methods import get_method

REFERENCES: tuple[Learner, ...] = (LambdaMart(),)
"""References: they are not linear and no methods of the papers, and show what quality all features allow."""


def get_learner(learner_id: str) -> Learner:
    """Return the learner of that id.

    Raises
    ------
    ValueError
        If there is no such learner; the message lists similar methods, or all.
    """
    found = {reference.id: reference for reference in REFERENCES}.get(learner_id)
    return found or LinearLearner(get_method(learner_id))
