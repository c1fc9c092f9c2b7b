"""Reweighted l1: Algorithm 2 of Laporte et al. (2014), with each round solved by an inner solver."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.penalties import weighted_l1_of
from core.solvers.base import FIRST_ROUND_TOL, IN_ROUND, Certificate, Iterate, Solver, until_standstill
from core.solvers.certificates import Certifier
from core.solvers.first_order.fista import Fista, FistaFixed
from core.solvers.infinite_push.exact import ExactPush
from core.solvers.newton.proximal_newton import ProximalNewton
from core.solvers.problem import FloatArray, Problem
from core.solvers.support import cleaned

LEAST_CARE = 1e-3
MOST_INNER_STEPS = 5000
FINEST = 1e-12  # a relative gap below which rounds cost many steps and change little


@dataclass(frozen=True)
class _Reweighting:
    """Minimise loss + lam * sum beta_j |w_j|, set beta_j = g'(|w_j|), repeat.

    From zero the first round has beta = 1; from any other start it has the weights at that start.

    Each round minimises a majoriser of F that touches F at the last solution, so F never increases from round to round
    (eq. 13). A round is warm-started, and solved more accurately as the outer loop approaches a stationary point. The
    steps inside a round are provisional iterates; the end of a round is an iterate of the outer loop.
    """

    explanation: ClassVar[str] = (
        "Algorithm 2 of Laporte et al.: solve a weighted ℓ1 problem, recompute the weights, repeat. The objective "
        "never rises from round to round."
    )

    inner: ClassVar[Solver]
    as_published: ClassVar[bool] = False

    def accepts(self, problem: Problem) -> str | None:
        if problem.penalty.convex:
            return "reweighting is for the non-convex penalties"
        first = weighted_l1_of(problem.penalty, problem.penalty.first_weights(problem.n_features))
        return self.inner.accepts(replace(problem, penalty=first))

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        certifier = Certifier(problem)
        w, step, passes = start, 0, 0.0
        penalty = problem.penalty
        beta = penalty.weights(start) if np.any(start) else penalty.first_weights(problem.n_features)
        residual = np.inf
        care = 1.0  # lowered where a round ended where it began: its problem was not solved tightly enough to move
        while True:
            inner = replace(problem, penalty=weighted_l1_of(penalty, beta))
            opening = closing = None
            for iterate in until_standstill(self.inner.iterate(inner, w)):
                opening = iterate.objective if opening is None else opening
                closing = iterate
                lower = iterate.objective <= opening
                if lower and (self._settled(iterate.certificate, residual, care) or iterate.step >= MOST_INNER_STEPS):
                    break
                smooth = iterate.objective - inner.lam * inner.penalty.value(iterate.weights)
                yield replace(
                    iterate,
                    step=step,
                    objective=smooth + problem.lam * problem.penalty.value(iterate.weights),
                    passes=passes + iterate.passes,
                    certificate=replace(iterate.certificate, among=IN_ROUND),
                    provisional=True,
                )
                step += 1
            assert closing is not None
            found = closing.weights
            if not self.as_published:  # a weight that copies share falls to one of them
                found, _ = cleaned(inner, found, closing.objective)
            unmoved = np.array_equal(found, w) and np.isfinite(residual)
            w, passes = found, passes + closing.passes
            evaluation = problem.loss.evaluate(problem.scores(w))
            gradient = problem.pull_back(evaluation.gradient)
            passes += 2.0
            certificate = self._certificate(certifier, w, gradient, opening, closing)
            objective = evaluation.value + problem.lam * problem.penalty.value(w)
            yield Iterate(step, w, objective, certificate, passes)
            step += 1
            if unmoved and care < LEAST_CARE:
                return
            care = 0.1 * care if unmoved else 1.0
            residual = certificate.relative
            beta = problem.penalty.weights(w)

    def _certificate(
        self, certifier: Certifier, w: FloatArray, gradient: FloatArray, opening: float | None, closing: Iterate
    ) -> Certificate:
        """Make the certificate of F at w, the end of a round."""
        return certifier.stationarity(w, gradient)

    def _settled(self, certificate: Certificate, residual: float, care: float) -> bool:
        """Tell whether the round is solved accurately enough; a gap shrinks with the square of the residual."""
        if not np.isfinite(residual):
            return certificate.relative <= FIRST_ROUND_TOL
        wanted = 0.1 * care * min(residual, 0.1)
        return certificate.relative <= max(
            wanted * wanted if certificate.kind == "duality gap" else wanted, FINEST * care * care
        )


@dataclass(frozen=True)
class ReweightedL1(_Reweighting):
    """Algorithm 2 with proximal Newton as inner solver."""

    id: ClassVar[str] = "reweighted-l1"
    title: ClassVar[str] = "reweighted ℓ1 (nested, proximal Newton)"
    inner: ClassVar[Solver] = ProximalNewton()


@dataclass(frozen=True)
class ReweightedFista(_Reweighting):
    """Algorithm 2 with FISTA (backtracking and restart) as inner solver."""

    id: ClassVar[str] = "reweighted-fista"
    title: ClassVar[str] = "reweighted ℓ1 (nested, FISTA)"
    inner: ClassVar[Solver] = Fista()


@dataclass(frozen=True)
class ReweightedFistaFixed(_Reweighting):
    """Algorithm 2 with Algorithm 1 as inner solver, both as published."""

    id: ClassVar[str] = "reweighted-fista-fixed"
    title: ClassVar[str] = "reweighted ℓ1 (as published)"
    as_published: ClassVar[bool] = True
    inner: ClassVar[Solver] = FistaFixed()


@dataclass(frozen=True)
class ReweightedPush(_Reweighting):
    """Algorithm 2 with the exact infinite push as inner solver.

    The loss has kinks, and no single subgradient shows whether w is stationary. The certificate is instead the largest
    decrease that a round can achieve on its own problem, from its duality gap: it is 0 if and only if w solves the
    problem that w defines, which is stationarity.
    """

    id: ClassVar[str] = "reweighted-interior-point"
    title: ClassVar[str] = "reweighted ℓ1 (interior point)"

    inner: ClassVar[Solver] = ExactPush()

    def _certificate(
        self, certifier: Certifier, w: FloatArray, gradient: FloatArray, opening: float | None, closing: Iterate
    ) -> Certificate:
        assert opening is not None
        lowered = max(opening - (closing.objective - closing.certificate.value), 0.0)
        relative, among = lowered / opening if opening > 0.0 else 0.0, certifier.among
        return Certificate("stationarity", lowered, relative, unit="F", among=among)
