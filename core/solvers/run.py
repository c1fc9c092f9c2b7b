"""The loop that drives every solver: stopping rules, trace and result."""

import time
from dataclasses import dataclass, field, replace

import numpy as np

from core.losses.base import SmoothLoss
from core.penalties.by_feature import penalty_in_units
from core.solvers.base import Certificate, FirstStage, FoundEmpty, Solver, StopReason, until_standstill
from core.solvers.certificates import Certifier
from core.solvers.first_order.subgradient import Subgradient
from core.solvers.problem import AtZero, FloatArray, PassCounter, Problem
from core.solvers.support import cleaned
from core.work import Growing, Snapshots

LIFTED_BY_EXTENDING: tuple[StopReason, ...] = ("the paper's rule", "the paper's step limit", "step limit", "time limit")


@dataclass(frozen=True)
class TracePoint:
    """The record of an iterate in the trace; ``seconds`` is the solver's own time so far."""

    step: int
    objective: float
    certificate: Certificate
    seconds: float
    passes: float
    nonzero: int
    provisional: bool = False


@dataclass(frozen=True)
class Stop:
    """Stopping rules of a run.

    Attributes
    ----------
    tol : float
        The run has converged when the relative certificate is at most this, and only then.
    max_seconds : float
        Limit of the solver's own time.
    change : float
        The rule of some papers: stop when a step changes the objective by at most this share of it. It says nothing
        about the distance to the optimum, so it is called the paper's rule, not convergence. By default it never holds.
    papers_limit : bool
        Whether ``max_steps`` is the limit of the method's paper.
    """

    tol: float = 1e-6
    max_steps: int = 100_000
    max_seconds: float = np.inf
    change: float = -1.0
    papers_limit: bool = False


@dataclass(frozen=True, eq=False)
class FitResult:
    """A finished fit as plain data: it can be stored, compared and drawn without refitting.

    ``first_stage`` says how the first stage of a refit ended, once the second has begun.
    """

    weights: FloatArray
    objective: float
    certificate: Certificate
    stop: StopReason
    seconds: float
    passes: float
    trace: tuple[TracePoint, ...] = field(repr=False)
    first_stage: FirstStage | None = None

    @property
    def steps(self) -> int:
        """Number of steps."""
        return self.trace[-1].step

    @property
    def nonzero(self) -> int:
        """Number of non-zero weights."""
        return int(np.count_nonzero(self.weights))

    @property
    def converged_to_a_stationary_point(self) -> bool:
        """Whether it converged by a stationarity residual, which may be nearly zero at a saddle point too."""
        return self.stop == "converged" and self.certificate.kind == "stationarity"


class SolverRun(Snapshots):
    """A fit in progress. Each `advance` takes one iterate, so stopping, resuming and time limits need nothing else.

    Raises a `ValueError` if the solver does not accept the problem, or the start has another length.

    Parameters
    ----------
    solver, problem
        The solver and its problem.
    stop : Stop, optional
        May be replaced between steps; a stopped run continues with the next `advance`.
    start : ndarray, shape (n_features,), optional
        Zeros by default.
    """

    only_at_work = ("_iterates",)

    def __init__(
        self, solver: Solver, problem: Problem, stop: Stop | None = None, start: FloatArray | None = None
    ) -> None:
        refusal = solver.accepts(problem)
        if refusal is not None:
            raise ValueError(refusal)
        self.problem = replace(problem, counter=PassCounter())
        self.stop = stop or Stop()
        self.trace = Growing[TracePoint]()
        self.weights = np.zeros(problem.n_features) if start is None else np.array(start, dtype=np.float64)
        if self.weights.shape != (problem.n_features,):
            msg = f"a start needs {problem.n_features} weights, one a feature, not shape {self.weights.shape}"
            raise ValueError(msg)
        self._own = in_units_of_its_own(self.problem, solver)
        self._powers = np.ones(problem.n_features) if self._own is self.problem else self.problem.weight_units
        self._iterates = until_standstill(solver.iterate(self._own, self.weights * self._powers))
        self._exhausted = False
        self._ends: FoundEmpty | None = None
        self._first_stage: FirstStage | None = None

    def advance(self) -> TracePoint | None:
        """Take one iterate; return None if the solver has none left or repeats itself."""
        begun = time.perf_counter()
        iterate = next(self._iterates, None)
        spent = time.perf_counter() - begun
        if iterate is None:
            self._exhausted = True
            if self.trace:
                self._clean()
            return None
        before = self.trace[-1].seconds if self.trace else 0.0
        own = max(spent - iterate.measuring, 0.0) if iterate.spent is None else iterate.spent
        point = TracePoint(
            iterate.step,
            iterate.objective,
            iterate.certificate,
            before + own,
            iterate.passes,
            int(np.count_nonzero(iterate.weights)),
            iterate.provisional,
        )
        self.weights = iterate.weights / self._powers
        self._ends, self._first_stage = iterate.ends, iterate.first_stage
        self.trace.append(point)
        if self.reason is not None:
            self._clean()
        return self.trace[-1]

    def _clean(self) -> None:
        """Take weights that nothing but rounding keeps out of the finished model, and certify it anew.

        A gap's lower bound is one for every model. A residual must not become worse, unless it stays within tolerance.
        """
        last, certificate = self.trace[-1], self.trace[-1].certificate
        if last.provisional:
            return
        weights, objective = cleaned(self._own, self.weights * self._powers, last.objective)
        weights /= self._powers
        if np.array_equal(weights, self.weights):
            return
        if certificate.kind == "duality gap":
            gap = max(objective - (last.objective - certificate.value), 0.0)
            share = certificate.relative / certificate.value if certificate.value > 0.0 else 1.0 / objective
            certificate = replace(certificate, value=gap, relative=gap * share)
        elif isinstance(self._own.loss, SmoothLoss):
            certificate = self._residual(weights)
        else:
            return
        if certificate.relative <= max(last.certificate.relative, self.stop.tol):
            self.weights, nonzero = weights, int(np.count_nonzero(weights))
            self.trace[-1] = replace(last, objective=objective, certificate=certificate, nonzero=nonzero)

    @property
    def reason(self) -> StopReason | None:
        """The reason to stop now; None to go on."""
        if not self.trace:
            return None
        last = self.trace[-1]
        if self._ends is not None:
            return self._ends
        if not last.provisional and last.certificate.relative <= self.stop.tol:
            return "converged"
        if not last.provisional and self._settled:
            return "the paper's rule"
        if self._exhausted:
            return "no further progress"
        if last.step >= self.stop.max_steps:
            return "the paper's step limit" if self.stop.papers_limit else "step limit"
        if last.seconds >= self.stop.max_seconds:
            return "time limit"
        return None

    @property
    def _settled(self) -> bool:
        """Whether the last step changed the objective by no more than the paper's rule allows."""
        if self.stop.change < 0.0 or len(self.trace) < 2:
            return False
        before, now = self.trace[-2].objective, self.trace[-1].objective
        return abs(now - before) <= self.stop.change * abs(before)

    def extend(self) -> None:
        """Double a limit that has been reached; where the paper's rule holds, continue to the tolerance."""
        if self.reason == "the paper's rule":
            most = max(self.stop.max_steps, Stop().max_steps)
            self.stop = replace(self.stop, change=Stop().change, max_steps=most, papers_limit=False)
        elif self.reason in ("step limit", "the paper's step limit"):
            self.stop = replace(self.stop, max_steps=2 * self.stop.max_steps, papers_limit=False)
        elif self.reason == "time limit":
            self.stop = replace(self.stop, max_seconds=2 * self.stop.max_seconds)

    def result(self) -> FitResult:
        """Return the result so far."""
        if not self.trace:
            self.advance()  # the start itself
        last = self.trace[-1]
        return FitResult(
            weights=self.weights.copy(),
            objective=last.objective,
            certificate=self._residual(self.weights) if last.provisional else last.certificate,
            stop=self.reason or "stopped",
            seconds=last.seconds,
            passes=last.passes,
            trace=tuple(self.trace),
            first_stage=self._first_stage,
        )

    def finish(self) -> FitResult:
        """Run until a stopping rule holds."""
        while self.reason is None:
            self.advance()
        return self.result()

    def _residual(self, weights: FloatArray) -> Certificate:
        """Compute the residual of F itself, in place of the certificate of a provisional iterate."""
        problem, w = self._own, weights * self._powers
        gradient = problem.pull_back(problem.loss.evaluate(problem.scores(w)).gradient)
        return Certifier(problem).stationarity(w, gradient)


def solve(solver: Solver, problem: Problem, stop: Stop | None = None, start: FloatArray | None = None) -> FitResult:
    """Run a solver until a stopping rule holds.

    Parameters
    ----------
    start : ndarray, shape (n_features,), optional
        Zeros by default.
    """
    return SolverRun(solver, problem, stop, start).finish()


def in_units_of_its_own(problem: Problem, solver: Solver) -> Problem:
    """Return the problem that the solver is to solve: in units of its own where it has such and the solver takes them.

    A subgradient step would leap over 0 where a unit makes a weight dear, so it stays as published.
    """
    units = problem.units
    penalty = None if units is None else penalty_in_units(problem.penalty, units.powers, units.rounding)
    if units is None or penalty is None or isinstance(solver, Subgradient):
        return problem
    own = replace(problem, features=units.features, penalty=penalty, units=None)
    if not penalty.convex and problem.has_curvature:
        zero = own.at_zero if own.at_zero and own.at_zero.features is own.features else None
        found = (zero or AtZero.of(own.features, own.loss)).found
        own = replace(own, steepest=float(np.abs(found.gradient).max()) or np.inf)
    return own if solver.accepts(own) is None else problem
