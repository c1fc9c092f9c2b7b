"""The interface of a solver: an algorithm that yields iterates, each with a certificate of its accuracy.

With what solvers share: the end of one that repeats its iterates to the last bit, and the solver of the empty model.
"""

from collections import Counter, deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol, Self

import numpy as np

from core.solvers.problem import FloatArray, Problem

CertificateKind = Literal["duality gap", "stationarity"]
FoundEmpty = Literal["empty model", "empty model on what is left"]
FIRST_ROUND_TOL = 1e-4  # relative gap at which the l1 round of a concave penalty ends
StopReason = Literal[
    "converged",
    "the paper's rule",
    "the paper's step limit",
    "step limit",
    "time limit",
    "stopped",
    "no further progress",
    FoundEmpty,
]
IN_ROUND = "in this round's own problem"  # among which models the certificate of a step inside a reweighting counts


@dataclass(frozen=True)
class Certificate:
    """A bound on the distance from optimality, and the models among which it holds.

    Attributes
    ----------
    kind : {"duality gap", "stationarity"}
        A duality gap bounds F(w) - F*. A stationarity residual is the largest distance of 0 from the subdifferential of
        F; it serves problems that are not convex or have no usable dual point.
    value : float
        The gap in units of F, or the residual in units of its gradient.
    relative : float
        The gap over F, or the residual over lambda, unless ``unit`` says otherwise.
    unit : str
        What ``relative`` is a share of, if it is neither F (gap) nor lambda (residual).
    among : str
        For a gap: the models among which it holds, in words that follow "no model"; empty means all. For a residual:
        the models towards which it considers directions; empty means all. A residual compares no models, so
        ``holds_among`` decides what may be said. There is no default, so that it is never forgotten.
    """

    kind: CertificateKind
    value: float
    relative: float
    unit: str = ""
    among: str = field(kw_only=True)

    @classmethod
    def of_bound(cls, objective: float, bound: float, among: str) -> Self:
        """Make the duality gap that follows from a lower bound of the optimum: at least 0, against rounding."""
        gap = max(objective - bound, 0.0)
        return cls("duality gap", gap, gap / objective if objective > 0.0 else 0.0, among=among)

    @property
    def share_of(self) -> str:
        """The unit of ``relative``: F, lambda, or the loss of the empty model."""
        return self.unit or ("F" if self.kind == "duality gap" else "λ")

    @property
    def holds_among(self) -> str | None:
        """``among`` for records: None for a residual that considers all directions, because it compares no models.

        For a gap among all models it is the empty text.
        """
        return self.among or ("" if self.kind == "duality gap" else None)


@dataclass(frozen=True)
class FirstStage:
    """How the fit ended that selected the features of a refitted model.

    Attributes
    ----------
    stop : str
        The reason why it stopped.
    certificate : Certificate
        The certificate of its own problem at its end.
    """

    stop: StopReason
    certificate: Certificate


@dataclass(frozen=True, eq=False)
class Iterate:
    """One step of a solver.

    Attributes
    ----------
    step : int
        Number of the step; 0 is the start.
    weights : ndarray, shape (n_features,)
    objective : float
        F(w).
    passes : float
        Passes over X so far; one pass reads every entry once.
    measuring : float
        Seconds of this step spent on measuring only; a solver's time does not include them.
    spent : float or None
        The solver's seconds for this step, where a process took it that has ended since; else they are measured.
    provisional : bool
        Whether it is a step on another problem, such as a round of reweighting. It need not lower F, no stopping rule
        applies to it, and its certificate is that of the other problem.
    hidden : tuple of float
        Numbers that change with the algorithm's state beside the weights (multipliers, a barrier, the number of
        features left). While they change, equal weights are no standstill.
    ends : str or None
        Set if the algorithm ends because it has found the empty model optimal at every lambda, among all models or on
        the features that are left.
    first_stage : FirstStage or None
        In the second stage of a refit: how the first stage ended.
    """

    step: int
    weights: FloatArray
    objective: float
    certificate: Certificate
    passes: float
    measuring: float = 0.0
    spent: float | None = None
    provisional: bool = False
    hidden: tuple[float, ...] = ()
    ends: FoundEmpty | None = None
    first_stage: FirstStage | None = None


class Solver(Protocol):
    """Interface of a solver: a generator of iterates, which ends only where no progress is possible."""

    id: ClassVar[str]
    title: ClassVar[str]
    explanation: ClassVar[str]

    def accepts(self, problem: Problem) -> str | None:
        """Return None, or one sentence that says why this solver cannot solve the problem."""
        ...

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        """Yield iterates from ``start``, shape (n_features,); the first one is the start itself."""
        ...


RETURNS = 5  # of one iterate: fewer may be chance
WINDOW = 100  # steps within which they count


def until_standstill(iterates: Iterator[Iterate]) -> Iterator[Iterate]:
    """Yield the iterates until one has returned five times among the last hundred.

    If the next step depends on the present state only, a state that returns will return for ever: at once if a step
    changes nothing, after some steps if the last bits cycle. Two iterates are equal if weights, objective, certificate
    and `Iterate.hidden` are. So an objective that waits for growing multipliers or a rising bound is no standstill.

    Parameters
    ----------
    iterates : iterator of Iterate
        The iterates of any solver, or of a round within one.
    """
    recent: deque[Hashable] = deque()
    seen: Counter[Hashable] = Counter()
    for iterate in iterates:
        yield iterate
        here = (iterate.objective, iterate.certificate, iterate.hidden, hash(iterate.weights.tobytes()))
        seen[here] += 1
        if seen[here] > RETURNS:
            return
        recent.append(here)
        if len(recent) > WINDOW:
            old = recent.popleft()
            seen[old] -= 1
            if seen[old] == 0:
                del seen[old]


class EmptyModel:
    """Returns the empty model in one step, for a loss that 0 minimises: then no penalty makes another model better.

    The gap is 0 among all models, even where the penalty allows only some.
    """

    id: ClassVar[str] = "empty-model"
    title: ClassVar[str] = "empty model"
    explanation: ClassVar[str] = "Nothing to compute: the empty model is optimal at every λ."

    def accepts(self, problem: Problem) -> str | None:
        return None

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        w = np.zeros(problem.n_features)
        objective = problem.loss.evaluate(problem.scores(w)).value
        yield Iterate(0, w, objective, Certificate("duality gap", 0.0, 0.0, among=""), 1.0, ends="empty model")


def empty_start(problem: Problem, among: str) -> Iterate:
    """Return the empty model as a provisional iterate: the start of a solver that has features yet to select."""
    at_zero = problem.loss.evaluate(np.zeros(problem.features.shape[0]))
    steepest = float(np.abs(problem.pull_back(at_zero.gradient)).max(initial=0.0))
    certificate = Certificate("stationarity", steepest, steepest / problem.lam, among=among)
    return Iterate(0, np.zeros(problem.n_features), at_zero.value, certificate, 0.0, provisional=True)
