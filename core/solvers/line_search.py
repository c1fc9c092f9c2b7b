"""Backtracking line search by Armijo's rule, and the rise of the loss above its tangent."""

from __future__ import annotations

import numpy as np

from core.losses import LossEvaluation, SmoothLoss
from core.solvers.exact_line_search import exact_step
from core.solvers.problem import FloatArray, Problem

SHORT = 0.1  # of the step tried first: one that had to be halved more often is searched for exactly
SHORTEST = 1e-20
MOST_UNMEASURABLE = 3  # steps in a row whose promise is less than `rounding_of` F: the gap may still gain by them
Point = tuple[FloatArray, FloatArray, LossEvaluation, float]  # weights, scores, evaluation, F


def backtrack(
    problem: Problem, w: FloatArray, scores: FloatArray, objective: float, direction: FloatArray, slope: float
) -> Point | None:
    """Halve the step until F decreases by a hundredth of what the slope promises (Armijo).

    It costs one pass over X (the direction's scores), whatever the number of trials. If only a short step decreases F,
    a pair whose margin is just reached blocks the way: halving would stop short of it every time, nearer and nearer.
    The minimum along the line lies a little beyond, where the pair has slack, so that the next model includes the pair.

    Parameters
    ----------
    w, direction : ndarray, shape (n_features,)
    scores : ndarray, shape (n_documents,)
        X w.
    objective : float
        F(w).
    slope : float
        Upper bound of the directional derivative of F; it is below 0.

    Returns
    -------
    (weights, scores, evaluation, objective) at the accepted point, or None if F never decreases or no weight moves
    """
    score_direction = problem.scores(direction)
    size = 1.0
    while size > SHORTEST:
        trial = w + size * direction
        if np.array_equal(trial, w):
            return None
        trial_scores = scores + size * score_direction
        evaluation = problem.loss.evaluate(trial_scores)
        value = evaluation.value + problem.lam * problem.penalty.value(trial)
        if value <= objective + 0.01 * size * slope + rounding_of(value, trial_scores, evaluation):
            found = trial, trial_scores, evaluation, value
            return found if size > SHORT else _farther(problem, w, direction, score_direction, size, found)
        size *= 0.5
    return None


def rounding_of(objective: float, scores: FloatArray, evaluation: LossEvaluation) -> float:
    """Bound the rounding error of F: its own last bits, and the change of the loss with the last bits of the scores."""
    answer = float(np.abs(evaluation.gradient) @ np.abs(scores))
    return 4.0 * float(np.finfo(np.float64).eps) * (abs(objective) + answer)


def _farther(
    problem: Problem,
    w: FloatArray,
    direction: FloatArray,
    score_direction: FloatArray,
    size: float,
    found: Point,
) -> Point:
    """Minimise F along the line up to twice the accepted step; return that point if it is lower."""
    if not isinstance(problem.loss, SmoothLoss):
        return found
    moving = direction != 0.0
    path = direction[moving]

    def penalty_slope(further: float) -> float:
        at = w + (size + further) * direction
        steepness = problem.penalty.weights(at)[moving]
        side = np.where(at[moving] == 0.0, np.sign(path), np.sign(at[moving]))
        return problem.lam * float(steepness @ (side * path))

    _, from_scores, evaluation, value = found
    further, at_end = exact_step(problem.loss, from_scores, score_direction, evaluation, size, penalty_slope)
    weights = w + (size + further) * direction
    reached = at_end.value + problem.lam * problem.penalty.value(weights)
    if not reached < value:
        return found
    return weights, from_scores + further * score_direction, at_end, reached


def bend(at_z: LossEvaluation, at_new: LossEvaluation, promised: float, moved: FloatArray) -> float:
    """Compute how far the loss at the new point lies above its tangent at z.

    It uses the values where they differ enough, else (near the optimum) the change of the gradient, which is the same
    for a quadratic and does not cancel.

    Parameters
    ----------
    promised : float
        Gradient at z times the move in weights.
    moved : ndarray, shape (n_documents,)
        The move in scores.
    """
    rise = at_new.value - at_z.value
    if abs(rise) > 1e-8 * at_z.value:
        return rise - promised
    return 0.5 * float((at_new.gradient - at_z.gradient) @ moved)
