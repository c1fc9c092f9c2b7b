"""The interface through which the interior-point method uses a loss and a penalty.

A barrier holds a point: weights or scores, with their multipliers and slacks. A step takes four calls, each on the
result of the one before::

    barrier --tangent--> linearisation --aim--> right-hand side --move--> step --take--> the barrier's next point
                                            <------ aim (corrected) ------

Only ``take`` changes the point. "Products" are the complementarity products, multiplier times slack, which are 0 at the
optimum.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from core.losses.base import IntArray
from core.solvers.problem import FloatArray, Problem


class Step(Protocol):
    """The change of a barrier's variables that follows from a change of weights or scores."""

    @property
    def longest(self) -> float:
        """The longest step, up to 1, that keeps all multipliers and slacks above 0."""
        ...

    def aim(self, target: float) -> Aim:
        """Make the corrector's right-hand side at the same point.

        It aims at products equal to the target minus the products of this step's changes. It may overwrite the arrays
        of this step, so do not use the step afterwards.
        """
        ...

    def promise(self, length: float) -> float:
        """Compute the sum of the products after a step of this length."""
        ...

    def take(self, length: float) -> None:
        """Move the barrier to the point after a step of this length."""
        ...


class Aim(Protocol):
    """The right-hand side of a loss for a step towards given products."""

    @property
    def pull(self) -> FloatArray:
        """The r such that the multipliers will change by B ds - r, where B is the curvature; shape (n_documents,)."""
        ...

    def move(self, change: FloatArray, known: FloatArray | None) -> Step:
        """Return the step that follows from a change of the scores.

        Parameters
        ----------
        change : ndarray, shape (n_documents,)
        known : ndarray, shape (n_documents,), or None
            The change of dL/ds, B ds - r, if the linear system was solved for it. Where the curvature is large, B
            multiplies the rounding error of ds, so this value is more accurate.
        """
        ...


class ScoreTangent(Protocol):
    """A loss, linearised at the present point of its barrier."""

    def gram(self, problem: Problem) -> FloatArray:
        """Compute X^T B X, where B is the curvature in the scores; shape (n_features, n_features)."""
        ...

    def score_curvature(self) -> FloatArray:
        """Compute B, shape (n_documents, n_documents); the rows of a query sum to 0."""
        ...

    def aim(self, target: float) -> Aim:
        """Make the right-hand side for products equal to the target."""
        ...


class ScoreBarrier(Protocol):
    """A polyhedral loss of the scores, with its multipliers.

    Attributes
    ----------
    starts : ndarray of int, shape (n_queries,)
        First row of every query. The loss does not change if one number is added to all scores of a query.
    """

    starts: IntArray

    def complementarity(self) -> tuple[float, int]:
        """Return the sum of the products, and their number."""
        ...

    def multipliers(self) -> FloatArray:
        """Return dL/ds as the multipliers give it, shape (n_documents,)."""
        ...

    def dual_point(self) -> tuple[float, FloatArray]:
        """Return the dual value of the loss, and dL/ds, at multipliers that are exactly feasible."""
        ...

    def tangent(self, scores: FloatArray) -> ScoreTangent:
        """Linearise the loss at the present point; these are its scores, shape (n_documents,)."""
        ...


class PenaltyStep(Step, Protocol):
    """A step of a penalty."""

    @property
    def change(self) -> FloatArray:
        """Change of the weights, with the effect of the further unknown if there is one; shape (n_features,)."""
        ...

    @property
    def further(self) -> float:
        """Change of the further unknown (the multiplier of a ball, for instance); 0 if the penalty has none."""
        ...

    def aim(self, target: float) -> PenaltyAim: ...


class PenaltyAim(Aim, Protocol):
    """The right-hand side of a penalty; ``pull`` is that of the step, shape (n_features,)."""

    def move(self, change: FloatArray, known: FloatArray | None) -> PenaltyStep:
        """Return the step that follows from a change of the weights.

        Parameters
        ----------
        change : ndarray, shape (n_features,)
            Solution of the linear system for ``pull``, with the further unknown held fixed.
        known : ndarray, shape (n_features,), or None
            Solution of the linear system for the tangent's ``border``, if there is one.
        """
        ...


class PenaltyTangent(Protocol):
    """A penalty, linearised at the present point of its barrier."""

    @property
    def diagonal(self) -> FloatArray:
        """The penalty's part of the Hessian, which is diagonal; shape (n_features,)."""
        ...

    def border(self) -> FloatArray | None:
        """Return the right-hand side for the further unknown, shape (n_features,); None if there is none."""
        ...

    def aim(self, target: float) -> PenaltyAim:
        """Make the right-hand side for products equal to the target."""
        ...


class PenaltyBarrier(Protocol):
    """A function of the weights, with the multipliers that certify its minimum.

    Attributes
    ----------
    weights : ndarray, shape (n_features,)
    """

    weights: FloatArray

    def complementarity(self) -> tuple[float, int]:
        """Return the sum of the products, and their number."""
        ...

    def tangent(self, gradient: FloatArray) -> PenaltyTangent:
        """Linearise the penalty at the present point; ``gradient`` is X^T times the scores' multipliers."""
        ...


LEAST = 1e-100


def longest_step(values: FloatArray, changes: FloatArray) -> float:
    """Return the longest step, up to 1, that keeps all values >= 0; each is above 0 now."""
    return -1.0 / float((changes / values).min(initial=-1.0))


def above_zero(values: FloatArray) -> FloatArray:
    """Return the values with those that rounding has put on the boundary moved just inside it.

    Such a value allows only tiny steps, so it soon ends the path.
    """
    kept: FloatArray = np.maximum(values, LEAST)
    return kept
