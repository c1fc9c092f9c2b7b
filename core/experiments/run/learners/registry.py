"""All learners of the protocol: the methods of the registry, and references outside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.evaluation import Judgement
from core.analysis.fit_records import certificate_record, empty_optimum_record, fit_record
from core.analysis.fitting import Fitting, OnValidation
from core.analysis.penalties.several_starts import depends_on_start, starts_run
from core.analysis.tuning.tuning import Tuned, chosen_among
from core.data import Fold, RankingData
from core.experiments.run.learners.lambdamart import LambdaMart
from core.experiments.run.learners.learner import Learned, Learner, Question
from core.methods import EmptyOptimumError, Fit, Method, get_method
from core.methods.best_subset import keeping_searches
from core.methods.registry import full_title
from core.solvers import Stop
from core.solvers.problem import pair_scores

FloatArray = NDArray[np.float64]

WARM_UP = Stop(max_steps=2)  # loading compiled kernels is not the solver's time


class LinearLearner(Learner):
    """A method of the registry as a learner of the protocol: paths of lambdas on train, a choice on vali."""

    linear = True

    def __init__(self, method: Method) -> None:
        self.method = method
        self.id, self.title, self.source = method.id, full_title(method), method.source
        self.parameters = method.parameters

    @property
    def depends_on_start(self) -> bool:
        """Whether a non-convex penalty is reweighted."""
        return depends_on_start(self.method)

    def learn(self, fold: Fold, question: Question, searches: Path | None = None) -> Learned:
        """Fit the paths and choose by the question's rule on the validation part; see `core.analysis.choosing`.

        Every combination of tried parameter values has a path of its own. Searches that prove a best subset are kept
        in ``searches``.

        Raises
        ------
        DataError
            If the data cannot be used.
        """
        given = dict(question.settings)
        how = Fitting.on(fold, keeping_searches(self.method, searches), given, question.convention)
        self.method.fit(how.training, 0.1 * (how.training.lam_max or 1.0), parameters=given, stop=WARM_UP)
        try:
            tuned = how.tune(OnValidation(question.measure, question.rule, question.points, question.widen))
        except EmptyOptimumError as empty:
            fit = how.run(1.0).finish()  # the same at every lambda
            record = empty_optimum_record(fit, empty, Judgement(), question.convention, trace=False)
            return Learned(record | {"model": "linear", "grid": []}, grid_seconds=fit.result.seconds, **_model(fit))
        fit, model = tuned.fit, _model(tuned.fit)
        record = fit_record(fit, Judgement(), question.convention, trace=False)
        record |= chosen_among(tuned.tried, fit.parameters) | {"model": "linear", "grid": _grid(tuned)}
        if tuned.widening is not None:
            record["grid_widened"] = tuned.widening.record(tuned.grid_end)
        model |= {"grid_seconds": tuned.seconds, "table": tuned.table, "tried": [_scorer(one) for one in tuned.fits]}
        if question.starts > 1:
            starts = starts_run(how, fit, question.starts)
            starts.finish()
            model["minima"] = starts.minima()
        return Learned(record, **model)


def _model(fit: Fit) -> dict[str, Any]:
    return {"score": _scorer(fit), "weights": fit.weights, "trace": fit.result.trace}


def _scorer(fit: Fit) -> Callable[[RankingData], FloatArray]:
    return lambda data: pair_scores(data, fit.weights)


def _grid(tuned: Tuned) -> list[dict[str, Any]]:
    """Return the record of every fit that was tried."""
    return [
        {
            "lambda": fit.lam,
            "C": fit.c,
            "parameters": {name: fit.parameters[name] for name in tuned.tried},
            "vali": value,
            **{
                name: getattr(fit.result, name)
                for name in ("nonzero", "objective", "stop", "steps", "passes", "seconds")
            },
            "certificate": certificate_record(fit.result.certificate),
        }
        for fit, value in zip(tuned.fits, tuned.values, strict=True)
    ]


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
