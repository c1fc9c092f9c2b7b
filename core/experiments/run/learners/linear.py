"""A method of the registry as a learner: paths of lambdas on train, a choice on vali."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.choosing import ChoiceTable
from core.analysis.evaluation import Judgement
from core.analysis.fit_records import certificate_record, empty_optimum_record, fit_record
from core.analysis.path import path_fits
from core.analysis.tuning.tuning import chosen_among, settings_to_try, values_tried
from core.data import Fold, RankingData
from core.experiments.run.learners.learner import Learned, Question
from core.experiments.run.learners.trace_columns import trace_columns
from core.methods import EmptyOptimumError, Fit, Method, Training
from core.methods.branch_and_bound import keeping_searches
from core.metrics import JudgedLists, Measure
from core.penalties import Parameter
from core.solvers import Stop
from core.solvers.problem import scores_of

FloatArray = NDArray[np.float64]

WARM_UP = Stop(max_steps=2)  # loading compiled kernels is not the solver's time


@dataclass(frozen=True)
class LinearLearner:
    """A method of the registry as a learner of the protocol."""

    method: Method

    @property
    def id(self) -> str:
        """Name on the command line."""
        return self.method.id

    @property
    def title(self) -> str:
        """Name for people."""
        return self.method.title

    @property
    def source(self) -> str:
        """Citation."""
        return self.method.source

    @property
    def linear(self) -> bool:
        """True: its models are weights of features."""
        return True

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the method."""
        return self.method.parameters

    @property
    def missing(self) -> str | None:
        """None: a method needs nothing that the program does not need."""
        return None

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
        training = self.method.training(fold.train, question.settings, question.convention)
        try:
            lams = protocol_grid(self.method, training, question.points, question.settings)
        except EmptyOptimumError as empty:
            fit = self.method.fit(training, 1.0, parameters=question.settings)  # the same at every lambda
            return _learned(fit, empty_optimum_record(fit, empty, Judgement(), question.convention, trace=False), [])
        self.method.fit(training, float(lams[0]), parameters=question.settings, stop=WARM_UP)
        fits, table = _every(keeping_searches(self.method, searches), training, lams, fold, question)
        tried = values_tried(self.method, question.settings, fold.train.n_features)
        grid = [
            _grid_point(fit, float(values.mean()), {name: fit.parameters[name] for name in tried})
            for fit, values in zip(fits, table.values, strict=True)
        ]
        fit = fits[table.choose(question.rule)]
        record = fit_record(fit, Judgement(), question.convention, trace=False) | chosen_among(tried, fit.parameters)
        return _learned(fit, record, grid, table, [_scorer(one) for one in fits])


def protocol_grid(
    method: Method, training: Training, points: int, settings: Mapping[str, float] | None = None
) -> FloatArray:
    """Return the method's own grid if it has at most ``points`` values, else ``points`` values spaced evenly in log.

    Raises
    ------
    DataError
        If lambda_max is 0.
    """
    lams = method.grid(training, settings)
    return lams if len(lams) <= points else np.geomspace(lams[0], lams[-1], points)


def _every(
    method: Method, training: Training, lams: FloatArray, fold: Fold, question: Question
) -> tuple[list[Fit], ChoiceTable]:
    """Return all fits with their traces, because any may be chosen, and the table of the choice."""
    assert fold.vali is not None
    vali, measure = JudgedLists(fold.vali, question.convention), Measure.parse(question.measure)
    fits = [
        fit
        for settings in settings_to_try(method, question.settings, fold.train.n_features)
        for fit in path_fits(method, training, lams, parameters=settings)
    ]
    values = [vali.expect(scores_of(fold.vali.features, fit.weights)).per_query(measure) for fit in fits]
    return fits, ChoiceTable.of_fits(fits, values)


def _scorer(fit: Fit) -> Callable[[RankingData], FloatArray]:
    return lambda data: scores_of(data.features, fit.weights)


def _learned(
    fit: Fit,
    record: dict[str, Any],
    grid: list[dict[str, Any]],
    table: ChoiceTable | None = None,
    tried: Sequence[Callable[[RankingData], FloatArray]] = (),
) -> Learned:
    return Learned(
        record=record | {"model": "linear", "grid": grid},
        score=_scorer(fit),
        weights=fit.weights,
        trace=trace_columns(fit.result.trace),
        grid_seconds=sum(point["seconds"] for point in grid) if grid else fit.result.seconds,
        table=table,
        tried=tried,
    )


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
