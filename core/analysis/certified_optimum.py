"""A certified lower bound of the lowest objective, as a result that pictures share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.analysis.features.rules import Rules
from core.analysis.ingredient import AtOnce
from core.methods import Training, get_method
from core.methods.refit import is_refitted
from core.solvers import Certificate, Stop, solve

EXACT = Stop(tol=1e-12, max_steps=200, max_seconds=20.0)


@dataclass(frozen=True)
class Optimum:
    """What is known of the lowest objective.

    Attributes
    ----------
    bound : float or None
        A lower bound; None where none is known.
    certificate : Certificate or None
        How far the bound may be below the optimum.
    """

    bound: float | None = None
    certificate: Certificate | None = None


@dataclass(frozen=True)
class CertifiedOptimum(AtOnce[Optimum]):
    """The best lower bound of a convex method's optimum; unknown for other methods, and for a refit."""

    training: Training
    method: str
    lam: float
    parameters: Mapping[str, float]
    rules: Rules | None = None

    what = "Certifying the optimum"

    def result(self, run: None) -> Optimum:
        """Fit with the method's first solver, as exactly as is possible within a short time."""
        method = get_method(self.method) if self.rules is None else self.rules.applied(get_method(self.method))
        if not method.convex or is_refitted(self.parameters):
            return Optimum()
        problem = method.run(self.training, self.lam, parameters=self.parameters).steps.problem
        found = solve(method.solver(), problem, EXACT)
        if found.certificate.kind != "duality gap":
            return Optimum()
        return Optimum(found.objective - found.certificate.value, found.certificate)
