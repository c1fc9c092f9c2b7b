"""Refit (debiasing): a sparse model fitted again on its support by ridge RankSVM.

A penalty selects features and shrinks the weights of those it keeps. A refit keeps the selection and undoes the
shrinkage, so that methods can be compared by their selection alone. Every sparse method that does not end with a ridge
model lists ``REFITTING`` among its parameters; nothing else is needed. RSRank and the infinite pushes select with
another loss than RankSVM's, so their refit changes loss and shrinkage at once: compare it with other refits, not with
the method itself.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.methods.training import RANKSVM_LOSS, Training
from core.penalties import Parameter, Refitted
from core.solvers import Problem, Stop

REFIT = Parameter.choice(
    "refit", "refit", ("no", "yes"),
    "Whether ridge RankSVM fits the model again on the features that it keeps: the penalty then selects, but no longer "
    "shrinks. The objective is that of the refit, and its certificate holds among models on these features. RSRank and "
    "the infinite pushes select by another loss: their refit changes loss and shrinkage at once, so compare it with "
    "other refits.",
)  # fmt: skip
YES = float(REFIT.choices.index("yes"))
RIDGE = Parameter(
    "ridge", "λ_r/λ_max", 0.001, 1e-9, 1e3,
    "λ of the refit's ℓ2 penalty, as a share of λ_max; a larger one shrinks the refitted weights more.",
    tried=(1e-4, 1e-3, 0.01, 0.1), needs=(REFIT.name, YES),
)  # fmt: skip
REFITTING = (REFIT, RIDGE)


def is_refitted(parameters: Mapping[str, float]) -> bool:
    """Tell whether these parameters ask for a refit."""
    return parameters.get(REFIT.name, 0.0) == YES


def ranksvm(training: Training) -> Training:
    """Return the same data with RankSVM's loss, on which every refit is fitted."""
    if training.recipe is RANKSVM_LOSS:
        return training
    make = RANKSVM_LOSS.make
    return training.once(
        "with RankSVM's loss",
        lambda: Training(training.data, make(training.data, {}), RANKSVM_LOSS, training.convention),
    )


def refitted_problem(first: Problem, training: Training, parameters: Mapping[str, float]) -> Problem:
    """Return the first stage's problem with the refit's penalty around its own; lambda stays that of the first stage.

    Raises a `DataError` if RankSVM's lambda_max is 0, because the refit's lambda is a share of it.
    """
    ratio = ranksvm(training).lam_at(parameters[RIDGE.name]) / first.lam
    return replace(first, penalty=Refitted(first.penalty, ratio))


def both_stages(stop: Stop) -> tuple[Stop, Stop]:
    """Return the stopping rules of the first stage and of the whole fit.

    The first stage ends as it would without a refit, except for the time limit, which belongs to the whole fit. The
    refit runs to this program's tolerance, whatever the paper's rule for the first stage: it costs a few Newton steps.
    """
    whole = Stop(
        tol=min(stop.tol, Stop().tol), max_steps=stop.max_steps + MOST_REFIT_STEPS, max_seconds=stop.max_seconds
    )
    return replace(stop, max_seconds=np.inf), whole


MOST_REFIT_STEPS = 100
