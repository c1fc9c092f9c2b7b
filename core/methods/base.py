"""A published recipe: loss, penalty, solvers and grid, under the name its paper gave it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.data import DataError, RankingData
from core.losses import Loss, SquaredHinge
from core.penalties import Parameter, Penalty
from core.solvers import FitResult, Problem, ProximalNewton, Solver, SolverRun, Stop

FloatArray = NDArray[np.float64]
DEFAULT_RATIOS: FloatArray = np.geomspace(1.0, 1e-4, 50)


def steepest_slope(data: RankingData, loss: Loss) -> float:
    """||dL/dw at 0||_inf: at or above it the l1 model is empty. 0 where no feature helps at all."""
    score_gradient = loss.evaluate(np.zeros(data.n_documents)).gradient
    gradient = data.features.T @ score_gradient
    largest = float(np.abs(gradient).max(initial=0.0))
    features = data.features
    scale = max(float(features.max()), -float(features.min())) * float(np.abs(score_gradient).sum())
    return largest if largest > 1e-14 * scale else 0.0  # constant features leave rounding only


@dataclass(frozen=True, eq=False)
class Training:
    """Training data with its loss: everything that does not depend on penalty, C or solver.

    Parameters
    ----------
    data : RankingData
    loss : Loss
        Of these documents.
    largest_lam : callable
        From data and loss to the smallest lambda at which the l1 model is empty.
    """

    data: RankingData
    loss: Loss
    largest_lam: Callable[[RankingData, Loss], float] = steepest_slope

    @cached_property
    def lam_max(self) -> float:
        """At or above it the l1 model is empty. 0 where it is empty at every lambda."""
        return self.largest_lam(self.data, self.loss)

    def c_of(self, lam: float) -> float:
        """C = 1 / (lambda n_terms); n_terms is P for RankSVM, as in Laporte et al. (2014, eq. 7)."""
        return 1.0 / (lam * self.loss.n_terms)

    def lam_of(self, c: float) -> float:
        """lambda = 1 / (C n_terms).

        Raises
        ------
        ValueError
            If C is not a positive number.
        """
        if not (np.isfinite(c) and c > 0):
            msg = f"C must be a positive number, not {c:g}"
            raise ValueError(msg)
        scaled = c * self.loss.n_terms
        if not (np.isfinite(scaled) and np.isfinite(1.0 / scaled)):
            msg = f"C = {c:g} is beyond what can be computed with; take one nearer to 1"
            raise ValueError(msg)
        return 1.0 / scaled

    def lam_at(self, ratio: float) -> float:
        """lambda at a share of lambda_max.

        Raises
        ------
        ValueError
            If the ratio is not a positive number.
        DataError
            If lambda_max is 0.
        """
        if not (np.isfinite(ratio) and ratio > 0):
            msg = f"lambda / lambda_max must be a positive number, not {ratio:g}"
            raise ValueError(msg)
        if self.lam_max == 0.0:
            msg = (
                "no feature differs, on average, between documents that are preferred and those they are preferred to, "
                "so the empty model is optimal at every lambda; check that the features vary within queries"
            )
            raise DataError(msg)
        return ratio * self.lam_max


def squared_hinge(data: RankingData, parameters: Mapping[str, float]) -> Loss:
    """The loss of RankSVM; it has no parameters."""
    return SquaredHinge.of(data)


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted model with the settings that made it; plain data."""

    method: str
    solver: str
    parameters: Mapping[str, float]
    lam: float
    c: float
    lam_max: float
    feature_names: tuple[str, ...]
    result: FitResult

    @property
    def weights(self) -> FloatArray:
        """Shape (n_features,)."""
        return self.result.weights

    @property
    def selected(self) -> NDArray[np.int64]:
        """Columns (from 0) of the non-zero features, largest weight first."""
        chosen = np.flatnonzero(self.weights)
        return chosen[np.argsort(-np.abs(self.weights[chosen]), kind="stable")]


class MethodRun:
    """A method's fit under way; see `SolverRun`."""

    def __init__(self, method: Method, solver: Solver, training: Training, lam: float, parameters: Mapping[str, float],
                 stop: Stop, start: FloatArray | None) -> None:  # fmt: skip
        penalty = method.make_penalty(parameters, training.c_of(lam))
        problem = Problem(training.data.features, training.loss, penalty, lam)
        self.steps = SolverRun(solver, problem, stop, start)
        self._method, self._solver, self._training, self._parameters = method, solver, training, dict(parameters)

    @property
    def done(self) -> bool:
        """Whether a stopping rule holds."""
        return self.steps.reason is not None

    def advance(self) -> None:
        """Take one iterate."""
        self.steps.advance()

    def extend(self) -> None:
        """Where a limit has been reached, allow as much again."""
        self.steps.extend()

    def fit(self) -> Fit:
        """What has been reached so far."""
        lam = self.steps.problem.lam
        return Fit(
            method=self._method.id,
            solver=self._solver.id,
            parameters=self._parameters,
            lam=lam,
            c=self._training.c_of(lam),
            lam_max=self._training.lam_max,
            feature_names=self._training.data.feature_names,
            result=self.steps.result(),
        )

    def finish(self) -> Fit:
        """Run until a stopping rule holds."""
        while not self.done:
            self.advance()
        return self.fit()


@dataclass(frozen=True, eq=False, kw_only=True)
class Method:
    """A row of the registry.

    Attributes
    ----------
    id : str
        As on the command line.
    title : str
        For people.
    source : str
        Citation.
    objective : str
        What it minimises, LaTeX.
    explanation : str
        A short paragraph: what it does and when to use it.
    make_penalty : callable
        From the parameters and C to the penalty.
    solvers : tuple of Solver
        The first is the default.
    parameters : tuple of Parameter
    convex : bool
    ratios : ndarray
        The default grid, as shares of lambda_max, falling.
    make_loss : callable
        From the data and the parameters to the loss.
    loss_parameters : tuple of str
        Names of the parameters that the loss depends on.
    largest_lam : callable
        From data and loss to lambda_max.
    l1_solver : Solver
        For the l1 problem with which the reweighting of a concave penalty begins.
    """

    id: str
    title: str
    source: str
    objective: str
    explanation: str
    make_penalty: Callable[[Mapping[str, float], float], Penalty]
    solvers: tuple[Solver, ...]
    parameters: tuple[Parameter, ...] = ()
    convex: bool = True
    ratios: FloatArray = field(default_factory=lambda: DEFAULT_RATIOS, repr=False)
    make_loss: Callable[[RankingData, Mapping[str, float]], Loss] = squared_hinge
    loss_parameters: tuple[str, ...] = ()
    largest_lam: Callable[[RankingData, Loss], float] = steepest_slope
    l1_solver: Solver = field(default_factory=ProximalNewton)

    @property
    def sparse(self) -> bool:
        """Whether its penalty can set weights to exactly 0."""
        return self.make_penalty(self.settings(), 1.0).sparse

    def training(self, data: RankingData, parameters: Mapping[str, float] | None = None) -> Training:
        """Prepare training data for this method.

        Raises
        ------
        DataError
            If there are no preference pairs in it.
        ValueError
            If a parameter cannot be.
        """
        return Training(data, self.make_loss(data, self.settings(parameters)), self.largest_lam)

    def training_key(self, parameters: Mapping[str, float] | None = None) -> tuple[object, ...]:
        """Methods and settings with the same key share their training data and its loss."""
        settings = self.settings(parameters)
        return (self.make_loss, self.largest_lam, *(settings[name] for name in self.loss_parameters))

    def solver(self, solver_id: str | None = None) -> Solver:
        """The solver of that id, or the default one.

        Raises
        ------
        ValueError
            Naming the solvers this method has.
        """
        if solver_id is None:
            return self.solvers[0]
        for solver in self.solvers:
            if solver.id == solver_id:
                return solver
        msg = f"method {self.id} has no solver {solver_id!r}; it has {', '.join(s.id for s in self.solvers)}"
        raise ValueError(msg)

    def settings(self, given: Mapping[str, float] | None = None) -> dict[str, float]:
        """Every parameter with its value, defaults where none is given.

        Raises
        ------
        ValueError
            If a name is unknown or a value out of range.
        """
        given = dict(given or {})
        values = {p.name: p.check(given.pop(p.name, p.default)) for p in self.parameters}
        if given:
            has = ", ".join(values) or "no parameters"
            msg = f"method {self.id} has no parameter {next(iter(given))!r}; it has {has}"
            raise ValueError(msg)
        return values

    def run(
        self,
        training: Training,
        lam: float,
        *,
        solver: str | None = None,
        parameters: Mapping[str, float] | None = None,
        stop: Stop | None = None,
        start: FloatArray | None = None,
    ) -> MethodRun:
        """A fit, not yet begun. See `fit` for the parameters."""
        return MethodRun(self, self.solver(solver), training, lam, self.settings(parameters), stop or Stop(), start)

    def fit(
        self,
        training: Training,
        lam: float,
        *,
        solver: str | None = None,
        parameters: Mapping[str, float] | None = None,
        stop: Stop | None = None,
        start: FloatArray | None = None,
    ) -> Fit:
        """Fit at one lambda.

        Parameters
        ----------
        training : Training
            From `training`.
        lam : float
            lambda > 0; `Training.lam_of` and `Training.lam_at` give it from C or a share of lambda_max.
        solver : str, optional
        parameters : mapping, optional
        stop : Stop, optional
        start : ndarray, shape (n_features,), optional

        Raises
        ------
        ValueError
            If solver, parameter or lambda cannot be.
        """
        return self.run(training, lam, solver=solver, parameters=parameters, stop=stop, start=start).finish()
