"""FSMRank's algorithm: Nesterov's accelerated gradient with Nemirovski's line search, on 2d non-negative variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.losses import LossEvaluation
from core.penalties import ImportanceSimilarity
from core.solvers.base import Iterate
from core.solvers.certificates import Certifier
from core.solvers.first_order.fista import next_momentum
from core.solvers.line_search import bend
from core.solvers.problem import FloatArray, Problem, needs_curvature

ROUNDING = 1e-15  # of the loss: what a difference of two of its values may be off by


@dataclass(frozen=True)
class NesterovNemirovski:
    """Algorithm 1 of Lai et al. (2013, FSMRank): w = w+ - w-, both parts at least 0, as 2d variables.

    The smooth part Phi is the loss plus the similarity term. The importance-weighted l1 term is linear on the 2d
    variables, so the projection step (their eq. 3) is a shift and a cut at 0. The estimate L of Phi's curvature starts
    at L_0 / gamma^10, is multiplied by gamma while Phi curves more than L says, and never decreases. The certificate
    uses the gradient at z, which the algorithm computes anyway.

    Parameters
    ----------
    gamma : float
        Above 1; the paper's is 2.
    """

    id: ClassVar[str] = "nesterov-nemirovski"
    title: ClassVar[str] = "Nesterov with Nemirovski's line search"
    explanation: ClassVar[str] = (
        "Algorithm 1 of Lai et al. (FSMRank): a gradient step with momentum on the positive and the negative parts of "
        "the weights; a line search finds its length. It converges as O(1/k²), and the objective may rise on the way."
    )

    gamma: float = 2.0

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.penalty, ImportanceSimilarity):
            return "this form of Nesterov's method is for FSMRank's penalty; choose FISTA"
        return needs_curvature(problem, "Nesterov's method")

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        penalty, lam = problem.penalty, problem.lam
        assert isinstance(penalty, ImportanceSimilarity)
        certifier = Certifier(problem)
        price = lam * penalty.price
        curvature = curvature_bound(problem) / self.gamma**10
        parts = np.stack([np.maximum(start, 0.0), np.maximum(-start, 0.0)])
        scores = problem.scores(start)
        at_z = problem.loss.evaluate(scores)
        z, z_scores = parts, scores
        slope = problem.pull_back(at_z.gradient)
        objective = at_z.value + lam * penalty.value(start)
        alpha, step, passes = 1.0, 0, 2.0
        yield Iterate(step, start, objective, certifier.certify(start, objective, at_z, slope), passes)
        while True:
            toll = lam * penalty.toll(z.sum(axis=0))
            gradient = np.stack([slope + toll, -slope + toll])
            while True:
                new = np.maximum(z - (gradient + price) / curvature, 0.0)
                w = new[0] - new[1]
                new_scores = problem.scores(w)
                at_new = problem.loss.evaluate(new_scores)
                passes += 1.0
                move = new - z
                allowed = 0.5 * curvature * float((move * move).sum())
                if _rise(problem, at_z, at_new, slope, move, new_scores - z_scores) <= allowed + ROUNDING * at_z.value:
                    break
                curvature *= self.gamma
            objective = at_new.value + lam * penalty.value(w)
            step += 1
            yield Iterate(step, w, objective, certifier.gap(objective), passes)
            later = next_momentum(alpha)
            momentum, alpha = (alpha - 1.0) / later, later
            z = new + momentum * (new - parts)
            z_scores = new_scores + momentum * (new_scores - scores)
            parts, scores = new, new_scores
            at_z = problem.loss.evaluate(z_scores)
            slope = problem.pull_back(at_z.gradient)
            passes += 1.0
            certifier.add_bound(z[0] - z[1], at_z, slope)


def curvature_bound(problem: Problem) -> float:
    """Compute L_0 = (4 r^2 + 2 lambda_1) d of Theorem 1, r the largest range of a feature (1 for scaled features)."""
    assert isinstance(problem.penalty, ImportanceSimilarity)
    widest = float(np.ptp(problem.features, axis=0).max(initial=0.0)) or 1.0  # constant features: any step will do
    return (4.0 * widest * widest + 2.0 * problem.lam * problem.penalty.ratio) * problem.n_features


def _rise(
    problem: Problem,
    at_z: LossEvaluation,
    at_new: LossEvaluation,
    slope: FloatArray,
    move: FloatArray,
    score_move: FloatArray,
) -> float:
    """Compute Phi at the new point less its tangent at z; the quadratic part is exact."""
    assert isinstance(problem.penalty, ImportanceSimilarity)
    size = move.sum(axis=0)
    similar = 0.5 * problem.lam * float(size @ problem.penalty.toll(size))
    return bend(at_z, at_new, float(slope @ (move[0] - move[1])), score_move) + similar
