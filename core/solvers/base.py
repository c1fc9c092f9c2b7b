"""What a solver is: an algorithm that yields iterates, each with a certificate of how far it is from done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from core.solvers.problem import FloatArray, Problem

CertificateKind = Literal["duality gap", "stationarity"]
FIRST_ROUND_TOL = 1e-4  # relative gap at which the l1 round of a concave penalty ends


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
