"""Backtracking on F along a direction, without a pass over X."""

from __future__ import annotations

import numpy as np

from core.losses import LossEvaluation
from core.solvers.base import FloatArray, Problem


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
