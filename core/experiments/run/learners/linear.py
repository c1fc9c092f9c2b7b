"""A method of the registry as a learner: paths of lambdas on train, a choice on vali."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.evaluation import Judgement
from core.analysis.fit_records import certificate_record, empty_optimum_record, fit_record
from core.analysis.fitting import Fitting, OnValidation, fitted
from core.analysis.penalties.starts_spread import depends_on_start, starts_run
from core.analysis.tuning.tuned import Tuned
from core.analysis.tuning.tuning import chosen_among
from core.data import Fold, RankingData
from core.experiments.run.learners.learner import Learned, Learner, Question, trace_columns
from core.methods import Fit, Method
from core.methods.best_subset import keeping_searches
from core.methods.registry import full_title
from core.solvers import Stop
from core.solvers.problem import pair_scores

FloatArray = NDArray[np.float64]

WARM_UP = Stop(max_steps=2)  # loading compiled kernels is not the solver's time


class LinearLearner(Learner):
    """A method of the registry as a learner of the protocol."""

    linear = True

    def __init__(self, method: Method) -> None:
        self.method = method
        self.id, self.title, self.source = method.id, full_title(method), method.source
        self.parameters = method.parameters

    @property
    def depends_on_start(self) -> bool:
        """Whether a non-convex penalty is reweighted."""
        return depends_on_start(self.method)

    def settings(self, given: Mapping[str, float | str] | None = None) -> dict[str, float]:
        """Return every parameter with its value; see `Method.settings`."""
        return self.method.settings(given)

    def learn(self, fold: Fold, question: Question, searches: Path | None = None) -> Learned:
        """Fit the paths and choose by the question's rule on the validation part; see `core.analysis.choosing`.

        Every combination of tried parameter values has a path of its own. Searches that prove a best subset are kept
        in ``searches``.

        Raises
        ------
        DataError
            If the data cannot be used.
        """
        how = Fitting.on(fold, keeping_searches(self.method, searches), question.settings, question.convention)
        self.method.fit(how.training, 0.1 * (how.training.lam_max or 1.0), parameters=question.settings, stop=WARM_UP)
        found = fitted(how, OnValidation(question.measure, question.rule, question.points, question.widen))
        if found.empty is not None:
            record = empty_optimum_record(found.fit, found.empty, Judgement(), question.convention, trace=False)
            return _learned(found.fit, record)
        assert found.tuned is not None
        record = fit_record(found.fit, Judgement(), question.convention, trace=False)
        learned = _learned(found.fit, record | chosen_among(found.tuned.tried, found.fit.parameters), found.tuned)
        if question.starts == 1:
            return learned
        starts = starts_run(how, found.fit, question.starts)
        starts.finish()
        return replace(learned, minima=starts.minima())


def _scorer(fit: Fit) -> Callable[[RankingData], FloatArray]:
    return lambda data: pair_scores(data, fit.weights)


def _learned(fit: Fit, record: dict[str, Any], tuned: Tuned | None = None) -> Learned:
    return Learned(
        record=record | {"model": "linear", "grid": [] if tuned is None else _grid(tuned)} | _widened(tuned),
        score=_scorer(fit),
        weights=fit.weights,
        trace=trace_columns(fit.result.trace),
        grid_seconds=fit.result.seconds if tuned is None else tuned.seconds,
        table=None if tuned is None else tuned.table,
        tried=() if tuned is None else [_scorer(one) for one in tuned.fits],
    )


def _widened(tuned: Tuned | None) -> dict[str, Any]:
    """Return how far the grid was widened, if that was asked for."""
    if tuned is None or tuned.widening is None:
        return {}
    return {"grid_widened": tuned.widening.record(tuned.grid_end)}


def _grid(tuned: Tuned) -> list[dict[str, Any]]:
    return [
        _grid_point(fit, value, {name: fit.parameters[name] for name in tuned.tried})
        for fit, value in zip(tuned.fits, tuned.values, strict=True)
    ]


def _grid_point(fit: Fit, value: float, tried: dict[str, float]) -> dict[str, Any]:
    result = fit.result
    return {
        "lambda": fit.lam,
        "C": fit.c,
        "parameters": tried,
        "vali": value,
        "nonzero": result.nonzero,
        "objective": result.objective,
        "certificate": certificate_record(result.certificate),
        "stop": result.stop,
        "steps": result.steps,
        "passes": result.passes,
        "seconds": result.seconds,
    }
