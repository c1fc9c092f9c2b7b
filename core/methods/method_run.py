"""One fit of a method in progress, and what it leaves."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.methods.refit import both_stages, ranksvm
from core.methods.training import FloatArray, Training, enough_precision
from core.penalties import L1, FeatureWeighted, Penalty, Refitted, Signed
from core.solvers import EmptyModel, FitResult, Problem, RefitOnSupport, Solver, SolverRun, Stop
from core.work import OpenEndedWork


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted model with the settings that made it, as plain data.

    ``under_rules`` says that the penalty was not the method's own: features had factors or signs (see `FeatureWeighted`
    and `Signed`), which the settings do not hold.
    """

    method: str
    solver: str
    parameters: Mapping[str, float]
    lam: float
    c: float
    lam_max: float
    feature_names: tuple[str, ...]
    result: FitResult
    under_rules: bool = False

    @property
    def weights(self) -> FloatArray:
        """The weights, shape (n_features,)."""
        return self.result.weights

    @property
    def selected(self) -> NDArray[np.int64]:
        """Columns (from 0) of the non-zero features, largest absolute weight first."""
        chosen = np.flatnonzero(self.weights)
        return chosen[np.argsort(-np.abs(self.weights[chosen]), kind="stable")]


class MethodRun(OpenEndedWork):
    """The fit of a problem of a method in progress; see `SolverRun`. ``parameters`` has a value for each of them."""

    def __init__(
        self, method: str, solver: Solver, training: Training, problem: Problem, parameters: Mapping[str, float],
        stop: Stop, start: FloatArray | None,
    ) -> None:  # fmt: skip
        empty = training.lam_max == 0.0 and training.recipe.convex
        works: Solver = EmptyModel() if empty else solver
        if isinstance(problem.penalty, Refitted):
            first_stage, stop = both_stages(stop)
            works = RefitOnSupport(works, ranksvm(training).loss, first_stage)
        self.steps = SolverRun(works, problem, stop, start)
        self._method, self._solver, self._training, self._parameters = method, solver.id, training, parameters
        self._of_first_stage = self.steps.weights

    @property
    def done(self) -> bool:
        """Whether a stopping rule holds."""
        return self.steps.reason is not None

    def advance(self) -> None:
        """Take one iterate.

        Raises a `DataError` if double precision does not suffice.
        """
        with enough_precision():
            point = self.steps.advance()
        if point is not None and point.provisional:
            self._of_first_stage = self.steps.weights

    @property
    def next_start(self) -> FloatArray:
        """The start of the model at the next lambda of a path, shape (n_features,).

        For a refitted model it is the end of the first stage, so that the features along a path do not depend on the
        refit.
        """
        return self._of_first_stage if isinstance(self.steps.problem.penalty, Refitted) else self.steps.weights

    def extend(self) -> None:
        """Where a limit has been reached, allow as much again."""
        self.steps.extend()

    def fit(self) -> Fit:
        """What has been reached so far."""
        lam, training = self.steps.problem.lam, self._training
        return Fit(
            method=self._method,
            solver=self._solver,
            parameters=self._parameters,
            lam=lam,
            c=training.c_of(lam),
            lam_max=training.lam_max,
            feature_names=training.data.feature_names,
            result=self._on_first_copies(self.steps.result()),
            under_rules=_has_rules(self.steps.problem.penalty),
        )

    def _on_first_copies(self, result: FitResult) -> FitResult:
        """Give the weight that an ℓ1 model shares among copies of a feature to the first of them.

        All scores stay, and the penalty is not larger: how weight is shared says nothing of the features.
        """
        if type(self.steps.problem.penalty) is not L1:
            return result
        weights = result.weights.copy()
        for group in self._training.copies:
            columns = list(group)
            if np.count_nonzero(weights[columns]) > 1:
                total = float(weights[columns].sum())
                weights[columns] = 0.0
                weights[group[0]] = total
        return result if np.array_equal(weights, result.weights) else replace(result, weights=weights)

    def finish(self) -> Fit:
        """Run until a stopping rule holds."""
        while not self.done:
            self.advance()
        return self.fit()


def _has_rules(penalty: Penalty) -> bool:
    """Tell whether features have factors or signs."""
    selects = penalty.first if isinstance(penalty, Refitted) else penalty
    return isinstance(selects, FeatureWeighted | Signed)
