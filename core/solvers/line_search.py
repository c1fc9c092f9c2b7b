"""What decides the length of a step: Armijo's rule along a direction, and how far the loss bends above a tangent."""

from __future__ import annotations

import numpy as np

from core.losses import LossEvaluation
from core.solvers.problem import FloatArray, Problem


def backtrack(
    problem: Problem, w: FloatArray, scores: FloatArray, objective: float, direction: FloatArray, slope: float
) -> tuple[FloatArray, FloatArray, LossEvaluation, float] | None:
    """Halve the step until F falls by a hundredth of what the slope promises (Armijo).

    Costs one pass over X (the direction's scores) however many trials it takes.

    Parameters
    ----------
    w, direction : ndarray, shape (n_features,)
    scores : ndarray, shape (n_documents,)
        X w.
    objective : float
        F(w).
    slope : float
        Upper bound, below 0, of the directional derivative of F.

    Returns
    -------
    (weights, scores, evaluation, objective) at the accepted point, or None where F never falls
    """
    rounding = 4.0 * np.finfo(np.float64).eps * abs(objective)
    score_direction = problem.scores(direction)
    size = 1.0
    while size > 1e-10:
        trial = w + size * direction
        trial_scores = scores + size * score_direction
        evaluation = problem.loss.evaluate(trial_scores)
        value = evaluation.value + problem.lam * problem.penalty.value(trial)
        if value <= objective + 0.01 * size * slope + rounding:
            return trial, trial_scores, evaluation, value
        size *= 0.5
    return None


def bend(at_z: LossEvaluation, at_new: LossEvaluation, promised: float, moved: FloatArray) -> float:
    """How far the loss at the new point lies above its tangent at z.

    From the values where they differ enough, else (near the optimum) from the change of the gradient, which for a
    quadratic is the same and does not cancel.

    Parameters
    ----------
    promised : float
        Gradient at z times the move, in weights.
    moved : ndarray, shape (n_documents,)
        The move in scores.
    """
    rise = at_new.value - at_z.value
    if abs(rise) > 1e-8 * at_z.value:
        return rise - promised
    return 0.5 * float((at_new.gradient - at_z.gradient) @ moved)
