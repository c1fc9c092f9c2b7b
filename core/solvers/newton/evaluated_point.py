"""The loss at an iterate of proximal Newton: its gradient, its curvature on some features, and the way to the next one.

There are two kinds. A small X stays in the processor's cache: scores, gradient and curvature are a pass each, so that
only the curvature of active features is computed. A larger one is read once for all of it (`Problem.at_once`), and no
number for each document is kept; features that are likely to become active are guessed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from core.losses import LossAt, LossEvaluation
from core.losses.base import IntArray
from core.solvers.line_search import backtrack, is_lower, is_within_noise, rounding_of, rounding_of_sum
from core.solvers.problem import FloatArray, Problem


@dataclass(frozen=True, eq=False)
class Move:
    """A step that is to be tried.

    Attributes
    ----------
    direction : ndarray, shape (n_features,)
    slope : float
        Upper bound of the derivative of F along it; it is below 0.
    active : ndarray of int
        Features in which the direction may differ from 0.
    threshold : ndarray, shape (n_features,)
        Slope of the loss below which a feature stays at 0.
    expected : ndarray, shape (n_features,)
        Gradient of the loss at the end of the direction: the model's where it has one, else that at the start.
    """

    direction: FloatArray
    slope: float
    active: IntArray
    threshold: FloatArray
    expected: FloatArray


def point_at(problem: Problem, w: FloatArray) -> EvaluatedPoint:
    """Evaluate the loss at w, shape (n_features,)."""
    if problem.at_once:
        return InOnePass(problem, w, problem.at(w, np.flatnonzero(w)))
    scores = problem.scores(w)
    return FromScores.of(problem, w, scores, problem.loss.evaluate(scores))


@dataclass(frozen=True, eq=False)
class FromScores:
    """A point whose scores are known.

    Attributes
    ----------
    problem : Problem
    weights : ndarray, shape (n_features,)
    scores : ndarray, shape (n_documents,)
    ray : LossEvaluation
        The loss there, and the dual points that follow from it.
    gradient : ndarray, shape (n_features,)
        dL/dw.
    """

    problem: Problem
    weights: FloatArray
    scores: FloatArray
    ray: LossEvaluation
    gradient: FloatArray

    @classmethod
    def of(cls, problem: Problem, w: FloatArray, scores: FloatArray, evaluation: LossEvaluation) -> FromScores:
        """Pull the gradient back to the weights."""
        return cls(problem, w, scores, evaluation, problem.pull_back(evaluation.gradient))

    @property
    def value(self) -> float:
        """L."""
        return self.ray.value

    def rounding(self, objective: float) -> float:
        """Bound the rounding error of F; see `rounding_of`."""
        return rounding_of(objective, self.scores, self.ray)

    def curvature(self, distance: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return the features to move, by their distance from stationarity, and the Hessian of the loss on them."""
        active = active_features(self.weights, distance, FEWEST_NEW)
        return active, self.problem.hessian(self.scores, active)

    def moved(self, move: Move, objective: float) -> tuple[FromScores, float] | None:
        """Search along a direction; return the point that lowers F, and F there, or None if there is none."""
        found = backtrack(self.problem, self.weights, self.scores, objective, move.direction, move.slope)
        if found is None:
            return None
        w, scores, evaluation, value = found
        return FromScores.of(self.problem, w, scores, evaluation), value


@dataclass(frozen=True, eq=False)
class InOnePass:
    """A point of which one pass over X has found all; scores are computed where the full step is too long.

    It has what `FromScores` has but scores. ``wanted`` are columns that the Hessian at every point reached from here is
    to have, too.
    """

    problem: Problem
    weights: FloatArray
    ray: LossAt
    wanted: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @property
    def value(self) -> float:
        return self.ray.value

    @property
    def gradient(self) -> FloatArray:
        return self.ray.gradient

    def rounding(self, objective: float) -> float:
        return rounding_of_sum(objective, self.ray.answer)

    def curvature(self, distance: FloatArray) -> tuple[IntArray, FloatArray]:
        """See `FromScores.curvature`.

        The pass has computed the Hessian of features that were likely to become active. Of the active ones, those among
        them do, unless one that violates its optimality condition more is missing: a pass for the Hessian is worth as
        much as a step.
        """
        active, known = active_features(self.weights, distance, FEWEST_AT_ONCE), self.ray.columns
        within = np.isin(active, known)
        missed = float(distance[active[~within]].max(initial=0.0))
        if missed > float(distance[active[within]].max(initial=0.0)):
            if not self.weights.any():
                return active, self.problem.hessian_at_zero(active)
            return active, self.problem.at(self.weights, active).hessian
        active = active[within]
        places = np.searchsorted(known, active)
        return active, self.ray.hessian[np.ix_(places, places)]

    def moved(self, move: Move, objective: float) -> tuple[InOnePass, float] | None:
        problem, size = self.problem, self._size(move)
        w = self.weights + size * move.direction
        if np.array_equal(w, self.weights):
            return None
        fewest = FEWEST_LIKELY if size == 1.0 else FEWEST_LIKELY_FAR
        columns = reduce(np.union1d, (np.flatnonzero(w), likely_next(move, w, fewest), self.wanted))
        full = replace(self, weights=w, ray=problem.at(w, columns))
        value = full._objective()
        rounding = full.rounding(value)
        if is_lower(value, objective, size, move.slope, rounding):
            return full, value
        if is_within_noise(value, objective, move.slope, rounding) and full._residual() <= 0.5 * self._residual():
            return full, value
        scores = problem.scores(self.weights)
        found = backtrack(problem, self.weights, scores, objective, move.direction, move.slope, size=0.5 * size)
        if found is None:
            return None
        shorter = replace(self, weights=found[0], ray=problem.at(found[0], columns))
        return shorter, shorter._objective()

    def _size(self, move: Move) -> float:
        """Return the length of the step to be tried.

        The first is too short by itself. It stays so where more features are likely to become active than its model
        had: what is best for these alone leads away.
        """
        if self.weights.any() or 2 * np.count_nonzero(move.direction) > FEWEST_AT_ONCE:
            return 1.0
        slope = float(self.gradient @ move.direction)
        curvature = float((move.expected - self.gradient) @ move.direction)
        return self.problem.one_pass_loss.step_from_zero(slope, curvature, move.slope - slope)

    def _objective(self) -> float:
        return self.ray.value + self.problem.lam * self.problem.penalty.value(self.weights)

    def _residual(self) -> float:
        return self.problem.residual(self.weights, self.gradient)


EvaluatedPoint = FromScores | InOnePass


def likely_next(move: Move, w: FloatArray, fewest: int) -> IntArray:
    """Return features at 0 that may violate their optimality condition at ``w``: those expected nearest to it.

    They are half as many as the non-zeros, and at least ``fewest``.
    """
    steep = np.abs(move.expected)
    near = np.flatnonzero((w == 0.0) & (steep > NEAR * move.threshold))
    most = max(fewest, np.count_nonzero(w) // 2)
    return np.sort(near[np.argsort(move.threshold[near] - steep[near], kind="stable")[:most]])


NEAR = 0.5


def active_features(w: FloatArray, distance: FloatArray, fewest: int) -> IntArray:
    """Return the non-zero features and the worst violators: as many as there are non-zeros, at least ``fewest``.

    At zero nearly every feature violates its optimality condition, few of them stay in the model, and the Hessian's
    cost grows with the square of their number.
    """
    violators = np.flatnonzero((w == 0.0) & (distance > 0.0))
    most = max(fewest, int(np.count_nonzero(w)))
    if len(violators) > most:
        violators = violators[np.argsort(-distance[violators], kind="stable")[:most]]
    return np.union1d(np.flatnonzero(w), violators)


FEWEST_LIKELY, FEWEST_LIKELY_FAR = 5, 10
"""More where the step goes farther than its model."""

FEWEST_NEW, FEWEST_AT_ONCE = 10, 20
"""Violators that join the active set: more where every step saved is a pass over an X that no cache holds."""
