"""Fits of one method at descending lambda, until a budget of solver time is used up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.path import without_trace
from core.analysis.warm_start import WarmStart
from core.methods import Fit, Method, Training
from core.solvers import FIRST_ROUND_TOL, FitResult, Stop, along_path

FloatArray = NDArray[np.float64]


class BudgetedFits:
    """A `regularization_path` with a time budget, where all solver time counts; a single lambda starts from zero.

    Parameters
    ----------
    method : Method
    training : Training
    lams : ndarray, shape (n_fits,)
        Descending; at least one.
    budget : float
        Seconds of solver time for all of them together.
    solver : str
    parameters : mapping
    stop : Stop
        Stopping rules of every fit; its time limit is replaced by the rest of the budget.

    Attributes
    ----------
    finished : list of Fit
        The finished fits, without their traces.
    last : Fit
        The fit that the budget cut short, or the last of ``finished``. It exists once `steps` has ended.
    seconds, passes : float
        Solver time and passes over X so far.
    """

    last: Fit

    def __init__(
        self,
        method: Method,
        training: Training,
        lams: FloatArray,
        budget: float,
        *,
        solver: str,
        parameters: Mapping[str, float],
        stop: Stop,
    ) -> None:
        self.lams = lams
        self.finished: list[Fit] = []
        self.seconds = self.passes = 0.0
        self._method, self._training, self._budget = method, training, budget
        self._solver, self._parameters, self._stop = solver, parameters, stop

    def steps(self) -> Iterator[None]:
        """Take the solver steps one by one."""
        method, training = self._method, self._training
        near = np.zeros(training.data.n_features)
        own = along_path(method.solver(self._solver), self.lams, self._stop.tol)
        of_l1 = along_path(training.recipe.l1_solver, self.lams, FIRST_ROUND_TOL)
        for lam in map(float, self.lams):
            start = WarmStart(method, near)
            if len(self.lams) > 1:
                start = WarmStart.at(method, training, lam, near, of_l1)
            if start.cost is not None:  # no method gets it free
                self._count(start.cost)
            stop = replace(self._stop, max_seconds=max(self._budget - self.seconds, 0.0))
            run = method.run(training, lam, solver=own, parameters=self._parameters, stop=stop, start=start.weights)
            while not run.done:
                run.advance()
                yield
            self.last = without_trace(run.fit())
            self._count(self.last.result)
            if self.last.result.stop == "time limit":
                return
            self.finished.append(self.last)
            near = start.after(run)

    def _count(self, result: FitResult) -> None:
        self.seconds += result.seconds
        self.passes += result.passes
