"""Solvers on chosen features: of a model's support, without the penalty that selected it, and under another solver."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.losses import Loss
from core.penalties import L2, L2On, L2OnSelected, Penalty, Refitted
from core.penalties.by_feature import Rescaled
from core.solvers.base import Certificate, FirstStage, FoundEmpty, Iterate, Solver, empty_start
from core.solvers.newton.newton import Newton
from core.solvers.problem import FloatArray, Problem
from core.solvers.run import SolverRun, Stop

SECONDS_BETWEEN = 0.3  # two looks at the clock while features are being selected


@dataclass(frozen=True)
class OnChosenFeatures:
    """Solves the l2 problem on a copy of the chosen columns; all other weights are 0.

    Where the features have yet to be selected it does that first. While a selection takes long it yields the empty
    model, so that a fit can be stopped.
    The certificate holds among the models on these features, which are those that the penalty allows.
    """

    id: ClassVar[str] = "newton-on-chosen"
    title: ClassVar[str] = "Newton on the chosen features"
    explanation: ClassVar[str] = "RankSVM-Primal on the features that the filter selects, in about five Newton steps."

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.penalty, L2On):
            return "this solver is for the ℓ2 penalty on chosen features"
        return Newton().accepts(replace(problem, penalty=L2()))

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
        for iterate in Newton().iterate(within, start[columns] * unit):
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
        empty = empty or empty_start(problem, problem.penalty.among)
        looks += 1
        yield replace(empty, hidden=(float(looks),))
        looked = time.perf_counter()


@dataclass(frozen=True)
class RefitOnSupport:
    """Two stages: a sparse model by any solver, then the l2 model of its non-zero features.

    The steps of the first stage are provisional, with the objective and certificate of its own problem. The certificate
    of the second stage holds among the models on these features; it does not compare with other supports. So every
    iterate of the second stage also carries how the first stage ended. An empty support gives the empty model.

    Parameters
    ----------
    inner : Solver
        Solver of the first stage.
    loss : Loss
        Loss of the second stage; the first stage uses the problem's loss.
    stop : Stop
        When the first stage ends. The second then begins, whether the first has converged or not.
    """

    id: ClassVar[str] = "refit-on-support"
    title: ClassVar[str] = "refit on the support"
    explanation: ClassVar[str] = (
        "Fits the sparse model first, then the ℓ2 model of the features that it keeps, in about five more Newton steps."
    )

    inner: Solver
    loss: Loss
    stop: Stop = field(default_factory=Stop)

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.penalty, Refitted):
            return "a refit is for the ℓ2 penalty on the support of another"
        if np.any(problem.penalty.first.signs(problem.n_features)):
            return "a refit does not support signs of weights; set refit to no"
        second = replace(problem, loss=self.loss, penalty=L2On(np.arange(problem.n_features)))
        return self.inner.accepts(replace(problem, penalty=problem.penalty.first)) or OnChosenFeatures().accepts(second)

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        """Yield the first stage from ``start``, then the second stage from the end of the first."""
        assert isinstance(problem.penalty, Refitted)
        first = SolverRun(self.inner, replace(problem, penalty=problem.penalty.first), self.stop, start)
        yield from _provisional(first)
        weights, last = first.weights, first.trace[-1]
        reached = first.result()
        first_stage = FirstStage(reached.stop, reached.certificate)
        columns = np.flatnonzero(weights)
        if len(columns) == 0:
            loss = self.loss.evaluate(np.zeros(len(problem.features))).value
            only_one = Certificate("duality gap", 0.0, 0.0, among=ON_THESE)
            ends: FoundEmpty | None = "empty model" if first.reason == "empty model" else None
            yield Iterate(last.step + 1, weights, loss, only_one, last.passes, ends=ends, first_stage=first_stage)
            return
        lam = problem.penalty.ratio * problem.lam
        second = replace(problem, loss=self.loss, penalty=L2On(columns), lam=lam)
        for iterate in OnChosenFeatures().iterate(second, weights):
            yield replace(
                iterate,
                step=last.step + 1 + iterate.step,
                passes=last.passes + iterate.passes,
                certificate=replace(iterate.certificate, among=ON_THESE),
                first_stage=first_stage,
            )


ON_THESE = "on these features"


def _provisional(run: SolverRun) -> Iterator[Iterate]:
    """Yield the steps of a run until it stops."""
    seconds = 0.0
    while run.reason is None:
        begun = time.perf_counter()
        point = run.advance()
        spent = time.perf_counter() - begun
        if point is not None:
            measuring = max(spent - (point.seconds - seconds), 0.0)
            seconds = point.seconds
            yield Iterate(
                point.step,
                run.weights,
                point.objective,
                point.certificate,
                point.passes,
                measuring,
                provisional=True,
                hidden=(point.step,),  # whether the first stage repeats itself is for its own run to say
            )
