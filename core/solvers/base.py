"""Problem, iterate, result, and the one loop that drives every solver."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from core.losses import Loss, SmoothLoss
from core.losses.threads import over_chunks
from core.penalties import Penalty

FloatArray = NDArray[np.float64]
CertificateKind = Literal["duality gap", "stationarity"]
StopReason = Literal["converged", "step limit", "time limit", "stopped", "no further progress", "empty model"]


@dataclass(frozen=True, eq=False)
class Problem:
    """Minimise F(w) = loss(X w) + lam * penalty(w).

    Attributes
    ----------
    features : ndarray, shape (n_documents, n_features)
        X. Only `scores` and `pull_back` touch it (and the loss's Hessian).
    lam : float
        lambda > 0.
    """

    features: NDArray[np.floating]
    loss: Loss
    penalty: Penalty
    lam: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.lam) and self.lam > 0):
            msg = f"lambda must be a positive number, not {self.lam:g}"
            raise ValueError(msg)

    @property
    def smooth_loss(self) -> SmoothLoss:
        """The loss with its second derivative; `needs_curvature` tells in words where it has none.

        Raises
        ------
        TypeError
            If the loss has kinks.
        """
        if not isinstance(self.loss, SmoothLoss):
            msg = f"{type(self.loss).__name__} has no second derivative"
            raise TypeError(msg)
        return self.loss

    @property
    def n_features(self) -> int:
        return int(self.features.shape[1])

    def scores(self, w: FloatArray) -> FloatArray:
        """X w, shape (n_documents,): one pass over X."""
        parts = over_chunks(lambda first, last: self._rows(first, last) @ w, self._blocks)
        return np.concatenate(parts)

    def pull_back(self, score_gradient: FloatArray) -> FloatArray:
        """X^T g, shape (n_features,): one pass over X."""
        total = np.zeros(self.n_features)
        for part in over_chunks(lambda a, b: self._rows(a, b).T @ score_gradient[a:b], self._blocks):
            total += part
        return total

    def _rows(self, first: int, last: int) -> FloatArray:
        """A block of X in float64, without a float64 copy of all of a float32 matrix."""
        block: FloatArray = self.features[first:last].astype(np.float64, copy=False)
        return block

    @cached_property
    def _blocks(self) -> list[tuple[int, int]]:
        """Ranges of rows, large enough to be worth a thread each."""
        rows = max(BLOCK_ENTRIES // max(self.n_features, 1), 1)
        n = len(self.features)
        return [(first, min(first + rows, n)) for first in range(0, n, rows)]


BLOCK_ENTRIES = 1 << 20
FIRST_ROUND_TOL = 1e-4  # relative gap at which the l1 round of a concave penalty ends


def needs_curvature(problem: Problem, who: str) -> str | None:
    """None, or one sentence why a solver that uses the loss's second derivative cannot work on the problem."""
    return None if isinstance(problem.loss, SmoothLoss) else f"{who} needs a smooth loss; this one has kinks"


@dataclass(frozen=True)
class Certificate:
    """How far from done, at most.

    Attributes
    ----------
    kind : {"duality gap", "stationarity"}
        A gap bounds F(w) - F*; a stationarity residual is the largest distance of 0 from the subdifferential of F, for
        problems that are not convex or have no usable dual point.
    value : float
        In units of F for a gap, of its gradient for a residual.
    relative : float
        The gap over F, or the residual over lambda, unless ``unit`` says otherwise.
    unit : str
        What ``relative`` is a share of, where that is something else.
    among : str
        Among which models the gap counts, in words that follow "no model"; empty: among all.
    """

    kind: CertificateKind
    value: float
    relative: float
    unit: str = ""
    among: str = ""

    @property
    def share_of(self) -> str:
        """What ``relative`` is a share of: F, lambda, or the loss of the empty model."""
        return self.unit or ("F" if self.kind == "duality gap" else "λ")


@dataclass(frozen=True, eq=False)
class Iterate:
    """One step of a solver.

    Attributes
    ----------
    step : int
        0 is the start.
    weights : ndarray, shape (n_features,)
    objective : float
        F(w).
    certificate : Certificate
    passes : float
        Passes over X so far; one is reading every entry once.
    measuring : float
        Seconds of this step that only served to measure, which a solver's time does not include.
    provisional : bool
        Inside a round of reweighting: a step on the round's own problem, which need not lower F and is nothing to
        stop at. Its certificate is the round's.
    """

    step: int
    weights: FloatArray
    objective: float
    certificate: Certificate
    passes: float
    measuring: float = 0.0
    provisional: bool = False


class Solver(Protocol):
    """An algorithm: an endless stream of iterates, or one that ends where no progress is possible."""

    id: ClassVar[str]
    title: ClassVar[str]
    explanation: ClassVar[str]

    def accepts(self, problem: Problem) -> str | None:
        """None, or one sentence why this solver cannot work on the problem."""
        ...

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        """Iterates from ``start``, shape (n_features,); the first one is the start itself."""
        ...


@dataclass(frozen=True)
class TracePoint:
    """What is kept of an iterate once it has passed; ``seconds`` is the solver's own time so far."""

    step: int
    objective: float
    certificate: Certificate
    seconds: float
    passes: float
    nonzero: int
    provisional: bool = False


@dataclass(frozen=True)
class Stop:
    """When to stop.

    Attributes
    ----------
    tol : float
        Converged where the relative certificate is at or below it.
    max_steps : int
    max_seconds : float
        Of the solver's own time.
    change : float
        Converged, too, where a step changes the objective by at most this share of it: some papers stop there, without
        knowing how far the optimum is. By default no step is small enough.
    """

    tol: float = 1e-6
    max_steps: int = 100_000
    max_seconds: float = np.inf
    change: float = -1.0


@dataclass(frozen=True, eq=False)
class FitResult:
    """A finished fit as plain data: it can be stored, compared and drawn without refitting."""

    weights: FloatArray
    objective: float
    certificate: Certificate
    stop: StopReason
    seconds: float
    passes: float
    trace: tuple[TracePoint, ...] = field(repr=False)

    @property
    def steps(self) -> int:
        return self.trace[-1].step

    @property
    def nonzero(self) -> int:
        return int(np.count_nonzero(self.weights))


class SolverRun:
    """A fit under way: take the next iterate or don't. Stop, resume and time-outs are nothing more.

    Parameters
    ----------
    solver, problem
        What to run.
    stop : Stop, optional
        May be replaced between steps; an exhausted or stopped run goes on with the next `advance`.
    start : ndarray, shape (n_features,), optional
        Zeros by default.

    Raises
    ------
    ValueError
        If the solver does not accept the problem, or the start has another length.
    """

    def __init__(
        self, solver: Solver, problem: Problem, stop: Stop | None = None, start: FloatArray | None = None
    ) -> None:
        refusal = solver.accepts(problem)
        if refusal is not None:
            raise ValueError(refusal)
        self.problem = problem
        self.stop = stop or Stop()
        self.trace: list[TracePoint] = []
        self.weights = np.zeros(problem.n_features) if start is None else np.array(start, dtype=np.float64)
        if self.weights.shape != (problem.n_features,):
            msg = f"a start needs {problem.n_features} weights, one a feature, not shape {self.weights.shape}"
            raise ValueError(msg)
        self._iterates = solver.iterate(problem, self.weights.copy())
        self._exhausted = False

    def advance(self) -> TracePoint | None:
        """Take one iterate; None where the solver has none left."""
        begun = time.perf_counter()
        iterate = next(self._iterates, None)
        spent = time.perf_counter() - begun
        if iterate is None:
            self._exhausted = True
            return None
        before = self.trace[-1].seconds if self.trace else 0.0
        point = TracePoint(
            iterate.step,
            iterate.objective,
            iterate.certificate,
            before + max(spent - iterate.measuring, 0.0),
            iterate.passes,
            int(np.count_nonzero(iterate.weights)),
            iterate.provisional,
        )
        self.weights = iterate.weights
        self.trace.append(point)
        return point

    @property
    def reason(self) -> StopReason | None:
        """Why to stop now, or None to go on."""
        if not self.trace:
            return None
        last = self.trace[-1]
        if not last.provisional and (last.certificate.relative <= self.stop.tol or self._settled):
            return "converged"
        if self._exhausted:
            return "no further progress"
        if last.step >= self.stop.max_steps:
            return "step limit"
        if last.seconds >= self.stop.max_seconds:
            return "time limit"
        return None

    @property
    def _settled(self) -> bool:
        """Whether the last step hardly changed the objective."""
        if len(self.trace) < 2:
            return False
        before, now = self.trace[-2].objective, self.trace[-1].objective
        return abs(now - before) <= self.stop.change * abs(before)

    def extend(self) -> None:
        """Where a limit has been reached, allow as much again."""
        if self.reason == "step limit":
            self.stop = replace(self.stop, max_steps=2 * self.stop.max_steps)
        elif self.reason == "time limit":
            self.stop = replace(self.stop, max_seconds=2 * self.stop.max_seconds)

    def result(self) -> FitResult:
        """What has been reached so far."""
        if not self.trace:
            self.advance()  # the start itself
        last = self.trace[-1]
        weights = self.weights.copy()
        return FitResult(
            weights=weights,
            objective=last.objective,
            certificate=self._residual(weights) if last.provisional else last.certificate,
            stop=self.reason or "stopped",
            seconds=last.seconds,
            passes=last.passes,
            trace=tuple(self.trace),
        )

    def _residual(self, weights: FloatArray) -> Certificate:
        """Of F itself, where the trace's last certificate is that of a round of reweighting."""
        problem = self.problem
        gradient = problem.pull_back(problem.loss.evaluate(problem.scores(weights)).gradient)
        distance = problem.penalty.distance_to_stationarity(weights, gradient, problem.lam)
        worst = float(distance.max(initial=0.0))
        return Certificate("stationarity", worst, worst / problem.lam)


def solve(solver: Solver, problem: Problem, stop: Stop | None = None, start: FloatArray | None = None) -> FitResult:
    """Run a solver until a stopping rule holds.

    Parameters
    ----------
    solver : Solver
    problem : Problem
    stop : Stop, optional
    start : ndarray, shape (n_features,), optional
        Zeros by default.

    Returns
    -------
    FitResult
    """
    run = SolverRun(solver, problem, stop, start)
    while run.reason is None:
        run.advance()
    return run.result()
