"""An l2 solver restricted to the features that a filter has chosen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.penalties import L2, L2On, L2OnSelected, Penalty
from core.penalties.by_feature import Rescaled
from core.solvers.base import Certificate, Iterate, Solver
from core.solvers.newton.newton import Newton
from core.solvers.problem import FloatArray, Problem

SECONDS_BETWEEN = 0.3  # two looks at the clock while features are being selected


@dataclass(frozen=True)
class OnChosenFeatures:
    """Solves the l2 problem on a copy of the chosen columns; all other weights are 0.

    Where the features have yet to be selected it does that first. While a selection takes long it yields the empty
    model, so that a fit can be stopped.
    The certificate holds among the models on these features, which are those that the penalty allows.

    Parameters
    ----------
    inner : Solver
        Solver of the l2 problem.
    """

    id: ClassVar[str] = "newton-on-chosen"
    title: ClassVar[str] = "Newton on the chosen features"
    explanation: ClassVar[str] = "RankSVM-Primal on the features that the filter selects, in about five Newton steps."

    inner: Solver = field(default_factory=Newton)

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.penalty, L2On):
            return "this solver is for the ℓ2 penalty on chosen features"
        return self.inner.accepts(replace(problem, penalty=L2()))

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        assert isinstance(problem.penalty, L2On)
        if isinstance(problem.penalty, L2OnSelected):
            yield from _selecting(problem, problem.penalty)
        columns = problem.penalty.columns[problem.penalty.columns < problem.n_features]
        units, unit = problem.units, np.ones(len(columns))
        features: NDArray[np.floating] = problem.features
        penalty: Penalty = L2()
        if units is not None:
            unit = units.powers[columns]
            features, penalty = units.features, Rescaled(L2(), unit, units.rounding)
        own = np.ascontiguousarray(features[:, columns])
        within = replace(problem, features=own, penalty=penalty, units=None)
        share = len(columns) / problem.n_features  # of a pass over X
        among = problem.penalty.among if len(columns) < problem.n_features else ""
        for iterate in self.inner.iterate(within, start[columns] * unit):
            w = np.zeros(problem.n_features)
            w[columns] = iterate.weights / unit
            certificate = replace(iterate.certificate, among=among)
            yield replace(iterate, weights=w, passes=iterate.passes * share, certificate=certificate)


def _selecting(problem: Problem, penalty: L2OnSelected) -> Iterator[Iterate]:
    """Select the features; yield the empty model wherever that has taken a while."""
    looked, looks = time.perf_counter(), 0
    empty: Iterate | None = None
    for _ in penalty.select():
        if time.perf_counter() - looked < SECONDS_BETWEEN:
            continue
        empty = empty or _empty_model(problem)
        looks += 1
        yield replace(empty, hidden=(float(looks),))
        looked = time.perf_counter()


def _empty_model(problem: Problem) -> Iterate:
    at_zero = problem.loss.evaluate(np.zeros(problem.features.shape[0]))
    steepest = float(np.abs(problem.pull_back(at_zero.gradient)).max(initial=0.0))
    certificate = Certificate("stationarity", steepest, steepest / problem.lam, among=problem.penalty.among)
    return Iterate(0, np.zeros(problem.n_features), at_zero.value, certificate, 0.0, provisional=True)
