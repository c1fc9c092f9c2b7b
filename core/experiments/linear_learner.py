"""A method of the registry as the protocol learns with it: paths of lambdas on train, a choice on vali."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.path import path_fits
from core.analysis.records import empty_optimum_record, fit_record
from core.analysis.tuning import chosen_among, settings_to_try, values_tried
from core.data import Fold, RankingData
from core.experiments.learner import Learned, Question
from core.experiments.trace_columns import trace_columns
from core.methods import EmptyOptimumError, Fit, Method, Training
from core.metrics import JudgedLists, Measure
from core.penalties import Parameter
from core.solvers import Stop

FloatArray = NDArray[np.float64]

WARM_UP = Stop(max_steps=2)  # loading compiled kernels is not the solver's time


@dataclass(frozen=True)
class LinearLearner:
    """A method and its grid."""

    method: Method

    @property
    def id(self) -> str:
        """As on the command line."""
        return self.method.id

    @property
    def title(self) -> str:
        """For people."""
        return self.method.title

    @property
    def source(self) -> str:
        """Citation."""
        return self.method.source

    @property
    def linear(self) -> bool:
        """Its models are weights of features."""
        return True

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The method's."""
        return self.method.parameters

    @property
    def missing(self) -> str | None:
        """Nothing is: methods need what the program needs."""
        return None

    def settings(self, given: Mapping[str, float | str] | None = None) -> dict[str, float]:
        """Every parameter with its value; see `Method.settings`."""
        return self.method.settings(given)

    def learn(self, fold: Fold, question: Question) -> Learned:
        """The model that ranks the validation part best; among equals the largest lambda, then the fewest features.

        Parameters with values to try have a path for each of them.

        Raises
        ------
        DataError
            If the data cannot be used.
        """
        training = self.method.training(fold.train, question.settings)
        try:
            lams = protocol_grid(self.method, training, question.points)
        except EmptyOptimumError as empty:
            fit = self.method.fit(training, 1.0, parameters=question.settings)  # the same at every lambda
            return _learned(fit, empty_optimum_record(fit, empty, {}, question.convention, trace=False), [])
        self.method.fit(training, float(lams[0]), parameters=question.settings, stop=WARM_UP)
        fit, grid = _chosen(self.method, training, lams, fold, question)
        tried = values_tried(self.method, question.settings, fold.train.n_features)
        record = fit_record(fit, {}, question.convention, trace=False) | chosen_among(tried, fit.parameters)
        return _learned(fit, record, grid)


def protocol_grid(method: Method, training: Training, points: int) -> FloatArray:
    """The method's own grid where it has no more values than that, else so many evenly spaced in log over its range.

    Raises
    ------
    DataError
        If lambda_max is 0.
    """
    lams = method.grid(training)
    return lams if len(lams) <= points else np.geomspace(lams[0], lams[-1], points)


def _chosen(
    method: Method, training: Training, lams: FloatArray, fold: Fold, question: Question
) -> tuple[Fit, list[dict[str, Any]]]:
    """The best fit so far is kept whole, its trace included; of the others what the grid's table says."""
    assert fold.vali is not None
    vali, measure = JudgedLists(fold.vali, question.convention), Measure.parse(question.measure)
    best: Fit | None = None
    grid: list[dict[str, Any]] = []
    highest = (-np.inf, 0.0, 0)
    tried = values_tried(method, question.settings, fold.train.n_features)
    for settings in settings_to_try(method, question.settings, fold.train.n_features):
        for fit in path_fits(method, training, lams, parameters=settings):
            value = vali.rank(fold.vali.features @ fit.weights).mean(measure)
            grid.append(_grid_point(fit, value, {name: fit.parameters[name] for name in tried}))
            rank = (value, fit.lam, -fit.result.nonzero)
            if best is None or rank > highest:
                best, highest = fit, rank
    assert best is not None
    return best, grid


def _learned(fit: Fit, record: dict[str, Any], grid: list[dict[str, Any]]) -> Learned:
    def score(data: RankingData) -> FloatArray:
        return np.asarray(data.features @ fit.weights)

    return Learned(
        record=record | {"model": "linear", "grid": grid},
        score=score,
        weights=fit.weights,
        trace=trace_columns(fit.result.trace),
        grid_seconds=sum(point["seconds"] for point in grid) if grid else fit.result.seconds,
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
        "certificate": {"kind": result.certificate.kind, "relative": result.certificate.relative},
        "stop": result.stop,
        "steps": result.steps,
        "passes": result.passes,
        "seconds": result.seconds,
    }
