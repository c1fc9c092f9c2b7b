"""Debiasing: a sparse method's model, fitted again on its support by ridge RankSVM.

A penalty does two things: it selects features, and it shrinks the weights of those it keeps. A refit keeps the first
and undoes the second, so that methods can be compared by their selection alone. Every sparse method that does not end
with a ridge model by itself lists ``REFITTING`` among its parameters; nothing else is needed. RSRank and the infinite
pushes select by another loss than RankSVM's: their refit changes loss and shrinkage at once, and compares with other
refits, not with the method itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.methods.training import RANKSVM_LOSS, Training
from core.penalties import Parameter, Refitted
from core.solvers import Problem, Stop

REFIT = Parameter.choice(
    "refit", "refit", ("no", "yes"),
    "Whether the model is fitted again on the features that it keeps, by ridge RankSVM: the penalty then selects, and "
    "no longer shrinks. The objective is that of the refit, and its certificate holds among models on these features. "
    "RSRank and the infinite pushes select by another loss: their refit changes loss and shrinkage at once, so compare "
    "it with other refits.",
)  # fmt: skip
YES = float(REFIT.choices.index("yes"))
RIDGE = Parameter(
    "ridge", "λ_r/λ_max", 0.001, 1e-9, 1e3,
    "λ of the refit's ℓ2 penalty, as a share of λ_max; a larger one shrinks the refitted weights.",
    tried=(1e-4, 1e-3, 0.01, 0.1), needs=(REFIT.name, YES),
)  # fmt: skip
REFITTING = (REFIT, RIDGE)


def is_refitted(parameters: Mapping[str, float]) -> bool:
    """Whether the model is fitted again on its support."""
    return parameters.get(REFIT.name, 0.0) == YES


def ranksvm(training: Training) -> Training:
    """The same data with RankSVM's loss: what a refit is fitted to, whatever loss has selected the features."""
    if training.recipe is RANKSVM_LOSS:
        return training
    make = RANKSVM_LOSS.make
    return training.once(
        "with RankSVM's loss",
        lambda: Training(training.data, make(training.data, {}), RANKSVM_LOSS, training.convention),
    )


def refitted_problem(first: Problem, training: Training, parameters: Mapping[str, float]) -> Problem:
    """The first stage's problem with the refit's penalty around its own; lambda stays that of the first stage.

    Raises
    ------
    DataError
        If RankSVM's lambda_max is 0, of which the refit's lambda is a share.
    """
    ratio = ranksvm(training).lam_at(parameters[RIDGE.name]) / first.lam
    return replace(first, penalty=Refitted(first.penalty, ratio))


def both_stages(stop: Stop) -> tuple[Stop, Stop]:
    """When the first stage ends, and when the whole does.

    The first ends as it would without a refit, but for the time limit, which is the whole's. The refit is brought to
    this program's tolerance, whatever a paper says of the first stage: it costs a few Newton steps.
    """
    whole = Stop(
        tol=min(stop.tol, Stop().tol), max_steps=stop.max_steps + MOST_REFIT_STEPS, max_seconds=stop.max_seconds
    )
    return replace(stop, max_seconds=np.inf), whole


MOST_REFIT_STEPS = 100
