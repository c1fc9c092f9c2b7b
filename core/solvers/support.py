"""What is kept is kept: a finished model without weights that only rounding, or a flat direction, has left.

Features that tell no pair apart in some combination (copies, complements, sums of others) leave a convex problem many
optima with one objective. Along such a direction the penalty is linear up to the next weight that reaches 0, so a
model with fewer features is as good; and a weight too small to move any score is the rest of a sum.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from core.losses import Loss
from core.losses.base import SmoothLoss
from core.solvers.problem import FloatArray, Problem

NEGLIGIBLE = 1e-9
"""A weight whose feature moves scores by less than this share of what the model's largest term does is looked at."""
FLAT = 1e-12
"""Share of the largest eigenvalue of pairs' curvature, each feature in its own unit, below which no pair sees a
direction."""
ROUNDING = 1e-12
"""Share of the objective by which a model without such weights may exceed the one with them."""
MOST_FEATURES = 400
_curvatures: WeakKeyDictionary[Loss, FloatArray] = WeakKeyDictionary()
"""Of losses, each of one training set: at w = 0 every pair counts."""


def cleaned(problem: Problem, w: FloatArray, objective: float) -> tuple[FloatArray, float]:
    """Return the model without weights that nothing but rounding keeps, and its objective; else the model as it is.

    Parameters
    ----------
    problem : Problem
        With a sparse penalty; any other problem keeps its model.
    w : ndarray, shape (n_features,)
    objective : float
        F(w).
    """
    if not problem.penalty.sparse or np.count_nonzero(w) < 2:
        return w, objective
    found = w
    if problem.penalty.convex and (curvature := _curvature(problem)) is not None:
        found = _at_a_vertex(problem, w, curvature)
    units = 1.0 if problem.units is None else problem.units.powers
    size = np.abs(found) * units
    tiny = (size > 0.0) & (size <= NEGLIGIBLE * size.max()) & ~problem.penalty.exempt(len(w))
    found = np.where(tiny, 0.0, found)
    if np.array_equal(found, w):
        return w, objective
    value = problem.loss.evaluate(problem.scores(found)).value + problem.lam * problem.penalty.value(found)
    return (found, value) if value <= objective + ROUNDING * abs(objective) else (w, objective)


def _curvature(problem: Problem) -> FloatArray | None:
    """Second derivative of the loss at w = 0 over all pairs; None where it would take long, or has full rank."""
    loss, features = problem.loss, problem.features
    if not isinstance(loss, SmoothLoss) or problem.at_once or problem.n_features > MOST_FEATURES:
        return None
    if loss not in _curvatures:
        hessian = loss.hessian(np.zeros(len(features)), features, np.arange(problem.n_features))
        _curvatures[loss] = hessian if _flat_direction(hessian) is not None else np.zeros((0, 0))
    return _curvatures[loss] if _curvatures[loss].size else None


def _flat_direction(hessian: FloatArray) -> FloatArray | None:
    """Return a direction that no pair sees, of features that some pair sees; None if there is none."""
    scale = np.sqrt(np.diag(hessian))
    seen = np.flatnonzero(scale > 0.0)
    if len(seen) < 2:
        return None
    values, vectors = np.linalg.eigh(hessian[np.ix_(seen, seen)] / np.outer(scale[seen], scale[seen]))
    if values[0] > FLAT * values[-1]:
        return None
    direction = np.zeros(len(hessian))
    direction[seen] = vectors[:, 0] / scale[seen]
    size = np.abs(direction) * scale
    direction[size <= 1e-6 * size.max()] = 0.0  # the eigenvector's own rounding
    return direction


def _at_a_vertex(problem: Problem, w: FloatArray, curvature: FloatArray) -> FloatArray:
    """Move along directions that no pair sees until the kept features tell pairs apart each in its own way."""
    exempt = problem.penalty.exempt(len(w))
    found = w.copy()
    while len(kept := np.flatnonzero(found)) > 1:
        direction = _flat_direction(curvature[np.ix_(kept, kept)])
        if direction is None:
            break
        moves = np.zeros_like(found)
        moves[kept] = direction
        stops = np.flatnonzero((moves != 0.0) & ~exempt)
        if not len(stops):
            break
        ends = []
        lengths = -found[stops] / moves[stops]
        for side in (-1.0, 1.0):
            ahead = side * lengths > 0.0
            if ahead.any():
                nearest = np.abs(lengths[ahead]).min()
                first = stops[ahead][np.abs(lengths[ahead]) <= nearest * (1.0 + 1e-6)].max()
                ends.append((problem.penalty.value(_moved(found, moves, side * nearest, first)), nearest, first, side))
        cheapest = min(value for value, *_ in ends)
        near = [end for end in ends if end[0] <= cheapest * (1.0 + 1e-9)]
        shortest = min(length for _, length, *_ in near)
        _, length, first, side = max((e for e in near if e[1] <= shortest * (1.0 + 1e-6)), key=lambda e: e[2])
        found = _moved(found, moves, side * length, first)
    return found


def _moved(w: FloatArray, direction: FloatArray, length: float, gone: int) -> FloatArray:
    moved = w + length * direction
    moved[gone] = 0.0
    return moved
