"""The interface of a solver: an algorithm that yields iterates, each with a certificate of its accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

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
        ``holds_among`` decides what may be said. There is no default, so that nobody forgets it.
    """

    kind: CertificateKind
    value: float
    relative: float
    unit: str = ""
    among: str = field(kw_only=True)

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
    certificate : Certificate
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
