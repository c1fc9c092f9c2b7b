"""Everything that the protocol can have a line of: the methods of the registry, and references beside them."""

from __future__ import annotations

from collections.abc import Iterable

from core.data import DataError
from core.experiments.run.learners.lambdamart import LambdaMart
from core.experiments.run.learners.learner import Learner
from core.experiments.run.learners.linear import LinearLearner
from core.methods import get_method

REFERENCES: tuple[Learner, ...] = (LambdaMart(),)
"""Not linear, and no methods of the papers: they show what may be had from all features."""


def get_learner(learner_id: str) -> Learner:
    """The learner of that id.

    Raises
    ------
    ValueError
        Naming the closest methods, or all.
    """
    found = {reference.id: reference for reference in REFERENCES}.get(learner_id)
    return found or LinearLearner(get_method(learner_id))


def check_installed(learner_ids: Iterable[str]) -> None:
    """Nothing, where all of them can be used here.

    Raises
    ------
    DataError
        What to install first.
    """
    for learner_id in dict.fromkeys(learner_ids):
        missing = get_learner(learner_id).missing
        if missing is not None:
            raise DataError(missing)
