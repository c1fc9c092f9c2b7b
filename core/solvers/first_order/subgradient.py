"""Descent by plain steps: subgradient descent, the slow baseline of FSMRank's Fig. 5, and truncated gradient.

Truncated gradient (Langford, Li & Zhang 2009) is a gradient step, after which every weight is soft-thresholded.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.losses import LossEvaluation
from core.losses.importance_weighted import ImportanceWeightedHuber
from core.solvers.base import Iterate
from core.solvers.certificates import Certifier
from core.solvers.problem import FloatArray, Problem, needs_curvature


@dataclass(frozen=True)
class Subgradient:
    """w <- w - (a / sqrt(k)) (gradient of the loss + lam * subgradient of the penalty).

    Parameters
    ----------
    scale : float
        a in units of 1/L, where L is the largest curvature of the loss (`steepest_curvature`).
    """

    id: ClassVar[str] = "subgradient"
    title: ClassVar[str] = "subgradient descent"
    explanation: ClassVar[str] = (
        "Step k goes along a subgradient, with length a/√k. It converges as O(1/√k) and hardly ever sets a weight to "
        "exactly zero."
    )

    scale: float = 1.0

    def accepts(self, problem: Problem) -> str | None:
        if not problem.penalty.convex:
            return "subgradient descent needs a convex penalty"
        if np.any(problem.penalty.signs(problem.n_features)):
            return "subgradient descent does not support signs of weights; choose proximal Newton or FISTA"
        return needs_curvature(problem, "subgradient descent")

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        length = self.scale / steepest_curvature(problem)

        def moved(w: FloatArray, gradient: FloatArray, step: int) -> FloatArray:
            steepness = problem.penalty.weights(w)
            allowed = np.isfinite(
                steepness
            )  # 0 is a subgradient of |.| at 0, and the only one where moving is forbidden
            slope = np.where(allowed, gradient + problem.lam * np.sign(w) * np.where(allowed, steepness, 0.0), 0.0)
            reached: FloatArray = w - length / np.sqrt(step) * slope
            return reached

        yield from descent(problem, start, moved)


def descent(
    problem: Problem, start: FloatArray, moved: Callable[[FloatArray, FloatArray, int], FloatArray]
) -> Iterator[Iterate]:
    """Yield the start and the weights after each step, without end, with a certificate each.

    Parameters
    ----------
    moved : callable
        Maps the weights, the gradient of the loss there, and the number of the step, from 1, to the next weights.
    """
    certifier = Certifier(problem)
    w, step, passes = start, 0, float(2 * POWER_STEPS)
    while True:
        evaluation = problem.loss.evaluate(problem.scores(w))
        gradient = problem.pull_back(evaluation.gradient)
        passes += 2.0
        objective = evaluation.value + problem.lam * problem.penalty.value(w)
        yield Iterate(step, w, objective, certifier.certify(w, objective, evaluation, gradient), passes)
        step += 1
        w = moved(w, gradient, step)


POWER_STEPS = 12


def steepest_curvature(problem: Problem) -> float:
    """Estimate the largest eigenvalue of the loss's Hessian with all pairs active, from below, by power iteration."""
    zero = np.zeros(problem.features.shape[0])
    v = np.random.default_rng(0).normal(size=problem.n_features)
    size = 1.0
    for _ in range(POWER_STEPS):
        v = v / np.linalg.norm(v)
        v = problem.pull_back(problem.smooth_loss.curvature_product(zero, problem.scores(v)))
        size = float(np.linalg.norm(v))
        if size == 0.0:
            return 1.0
    return size


@dataclass(frozen=True)
class TruncatedGradient:
    """w <- T(w - eta_k gradient, eta_k lam), T the soft threshold, eta_k = (1/L) k^-decay.

    Langford, Li & Zhang truncate only weights below a level theta and every K-th step. Here theta = inf and K = 1: then
    the fixed point is the l1 optimum, which another theta or K would miss. Their gradient is that of one example.
    TGRank's is that of all pairs (Lai et al. 2013, section 8.5.1, say only "truncated gradient descent" on eq. 2).
    Steps of 1/L never increase the objective: L is the loss's largest curvature, reached where all pairs are active.

    Parameters
    ----------
    decay : float
        0 is Langford's constant rate; see `TruncatedGradientDecaying`.
    """

    id: ClassVar[str] = "truncated-gradient"
    title: ClassVar[str] = "truncated gradient"
    explanation: ClassVar[str] = (
        "A gradient step of constant length 1/L, after which every weight shrinks towards 0 by λ/L. It converges as "
        "O(1/k): the objective falls at every step, but slowly where features are similar."
    )

    decay: float = 0.0

    def accepts(self, problem: Problem) -> str | None:
        if not (problem.penalty.convex and problem.penalty.sparse):
            return "truncated gradient needs a convex sparse penalty"
        return needs_curvature(problem, "truncated gradient")

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        longest = 1.0 / (CAUTION * steepest_curvature(problem))
        yield from descent(
            problem, start, lambda w, gradient, step: truncated(problem, w, gradient, longest * step**-self.decay)
        )


CAUTION = 1.05  # the power iteration comes near the largest curvature from below


@dataclass(frozen=True)
class TruncatedGradientDecaying(TruncatedGradient):
    """Truncated gradient with steps that shrink as 1/sqrt(k), the schedule of subgradient descent.

    The paper compares its rate to that of subgradient descent.
    """

    id: ClassVar[str] = "truncated-gradient-decaying"
    title: ClassVar[str] = "truncated gradient, decaying steps"
    explanation: ClassVar[str] = (
        "Truncated gradient with steps that shrink as 1/√k, as in subgradient descent. It is slower here, because the "
        "loss is smooth and allows longer steps."
    )

    decay: float = 0.5


@dataclass(frozen=True)
class ImportanceTruncatedGradient:
    """Truncated gradient for a loss whose importances of pairs follow the ranking: RSRank.

    Every step holds the importances of the current ranking fixed, takes a truncated gradient step on the resulting
    convex problem, and ranks again. Backtracking finds the step's length, because the curvature changes with the
    importances: it is halved until the loss lies below its quadratic bound, then grows again. The objective is that
    with the importances of the iterate's own ranking, so it may increase. The certificate is the stationarity residual
    with these importances held, which is 0 at a fixed point of the step.
    """

    id: ClassVar[str] = "truncated-gradient"
    title: ClassVar[str] = "truncated gradient, importances updated each step"
    explanation: ClassVar[str] = (
        "Each step ranks the documents, weights every pair by the change in NDCG if its two documents swapped places, "
        "takes a gradient step and shrinks every weight towards 0. The weights of the pairs change with the ranking, "
        "so the objective may rise on the way."
    )

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.loss, ImportanceWeightedHuber):
            return "this truncated gradient is for a loss whose importances follow the ranking"
        if not (problem.penalty.convex and problem.penalty.sparse):
            return "truncated gradient needs a convex sparse penalty"
        return None

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        assert isinstance(problem.loss, ImportanceWeightedHuber)
        certifier = Certifier(problem)
        w, scores = start, problem.scores(start)
        length, step, passes = 1.0, 0, 1.0
        while True:
            held = problem.loss.held(scores)
            evaluation = held.evaluate(scores)
            gradient = problem.pull_back(evaluation.gradient)
            passes += 1.0
            objective = evaluation.value + problem.lam * problem.penalty.value(w)
            yield Iterate(step, w, objective, certifier.stationarity(w, gradient), passes)
            while True:
                new = truncated(problem, w, gradient, length)
                new_scores = problem.scores(new)
                passes += 1.0
                if _below_bound(evaluation, held.evaluate(new_scores), gradient, new - w, length):
                    break
                length *= 0.5
            if np.array_equal(new, w):
                return
            w, scores = new, new_scores
            step, length = step + 1, length * GROWTH


GROWTH = 1.2


def truncated(problem: Problem, w: FloatArray, gradient: FloatArray, length: float) -> FloatArray:
    """Take a gradient step of this length, then soft-threshold accordingly."""
    return problem.penalty.prox(w - length * gradient, length * problem.lam)


def _below_bound(
    at_w: LossEvaluation, at_new: LossEvaluation, gradient: FloatArray, move: FloatArray, length: float
) -> bool:
    """Tell whether the loss lies below its tangent plus ||move||^2 / (2 length), up to rounding."""
    bound = at_w.value + float(gradient @ move) + float(move @ move) / (2.0 * length)
    return at_new.value <= bound + 1e-14 * abs(at_w.value)
