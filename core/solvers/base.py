"""What a solver is: an algorithm that yields iterates, each with a certificate of how far it is from done."""

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
    """How far from done, at most, and among which models that holds.

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
        Of a gap: among which models it holds, in words that follow "no model"; empty: among all. Of a residual: into
        the directions of which models alone it looks; empty: into all. A residual compares no models, so see
        ``holds_among`` for what may be said of them. There is no default, so that none can be left out.
    """

    kind: CertificateKind
    value: float
    relative: float
    unit: str = ""
    among: str = field(kw_only=True)

    @property
    def share_of(self) -> str:
        """What ``relative`` is a share of: F, lambda, or the loss of the empty model."""
        return self.unit or ("F" if self.kind == "duality gap" else "λ")

    @property
    def holds_among(self) -> str | None:
        """``among`` as records have it: the empty text only of a gap, among all models; None of a residual, which
        compares with none, unless it looks only into some directions."""
        return self.among or ("" if self.kind == "duality gap" else None)


@dataclass(frozen=True)
class FirstStage:
    """How the model ended that chose the features of a refitted one.

    Attributes
    ----------
    stop : str
        Why it stopped.
    certificate : Certificate
        Of its own problem, where it stopped.
    """

    stop: StopReason
    certificate: Certificate


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
    hidden : tuple of float
        Numbers that change with what the algorithm carries beside the weights (multipliers, a barrier, a number of
        features left): while they do, the same weights again are no standstill.
    ends : str or None
        Why the algorithm ends here, where it has found the empty model optimal: at every lambda, among all models or on
        the features that are left.
    first_stage : FirstStage or None
        Of a refit, once its second stage has begun: how the first has ended.
    """

    step: int
    weights: FloatArray
    objective: float
    certificate: Certificate
    passes: float
    measuring: float = 0.0
    provisional: bool = False
    hidden: tuple[float, ...] = ()
    ends: FoundEmpty | None = None
    first_stage: FirstStage | None = None


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
