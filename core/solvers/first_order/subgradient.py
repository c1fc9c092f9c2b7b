"""Subgradient descent, the slow baseline of FSMRank's Fig. 5."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

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
