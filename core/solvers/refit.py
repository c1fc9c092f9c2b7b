"""Refit of a sparse model on its support, without the penalty that selected it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from core.losses import Loss
from core.penalties import L2On, Refitted
from core.solvers.base import Certificate, FirstStage, FoundEmpty, Iterate, Solver
from core.solvers.newton.chosen_features import OnChosenFeatures
from core.solvers.problem import FloatArray, Problem
from core.solvers.run import SolverRun, Stop


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
    ridge : Solver
        Solver of the second stage.
    """

    id: ClassVar[str] = "refit-on-support"
    title: ClassVar[str] = "refit on the support"
    explanation: ClassVar[str] = (
        "Fits the sparse model first, then the ℓ2 model of the features that it keeps, in about five more Newton steps."
    )

    inner: Solver
    loss: Loss
    stop: Stop = field(default_factory=Stop)
    ridge: Solver = field(default_factory=OnChosenFeatures)

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.penalty, Refitted):
            return "a refit is for the ℓ2 penalty on the support of another"
        if np.any(problem.penalty.first.signs(problem.n_features)):
            return "a refit does not support signs of weights; set refit to no"
        second = replace(problem, loss=self.loss, penalty=L2On(np.arange(problem.n_features)))
        return self.inner.accepts(replace(problem, penalty=problem.penalty.first)) or self.ridge.accepts(second)

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
        for iterate in self.ridge.iterate(second, weights):
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
