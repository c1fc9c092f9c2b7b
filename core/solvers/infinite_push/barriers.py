"""What an interior-point method asks of a loss and of a penalty, one step at a time.

A barrier holds a point: weights or scores, their multipliers and slacks. What a step needs goes from call to call::

    barrier --tangent--> at this point --aim--> right-hand side --move--> step --take--> the barrier's next point
                                            <------ aim (corrected) ------

Only ``take`` changes the point.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from core.losses.base import IntArray
from core.solvers.problem import FloatArray, Problem


class Step(Protocol):
    """How a barrier answers to a change of weights or scores.

    Attributes
    ----------
    longest : float
        The longest step, up to 1, that keeps all multipliers and slacks above 0.
    """

    @property
    def longest(self) -> float: ...

    def promise(self, length: float) -> float:
        """Sum of the products after a step of this length."""
        ...

    def take(self, length: float) -> None:
        """Move the barrier's point."""
        ...


class ScoreStep(Step, Protocol):
    """Of a loss."""

    def aim(self, target: float) -> ScoreAim:
        """Set out anew from the same point, for products equal to the target less this step's products of changes.

        Its arrays may be used again: ask nothing more of this step then.
        """
        ...


class ScoreAim(Protocol):
    """A loss on the way to given products.

    Attributes
    ----------
    pull : ndarray, shape (n_documents,)
        r such that the multipliers will change by B ds - r, where B is the curvature.
    """

    @property
    def pull(self) -> FloatArray: ...

    def move(self, change: FloatArray, multipliers: FloatArray | None) -> ScoreStep:
        """The step that a change of the scores leads to.

        Parameters
        ----------
        change : ndarray, shape (n_documents,)
        multipliers : ndarray, shape (n_documents,), or None
            The change of dL/ds, B ds - r, where the linear system was solved for it. Where the curvature is large, B
            multiplies the rounding of ds, and this is the more accurate of the two.
        """
        ...


class ScoreTangent(Protocol):
    """A loss, linearised at the point where its barrier stands."""

    def gram(self, problem: Problem) -> FloatArray:
        """X^T B X, where B is the curvature with respect to the scores; shape (n_features, n_features)."""
        ...

    def score_curvature(self) -> FloatArray:
        """B, shape (n_documents, n_documents); the rows of a query sum to 0."""
        ...

    def aim(self, target: float) -> ScoreAim:
        """Set out for products equal to the target."""
        ...


class ScoreBarrier(Protocol):
    """A polyhedral loss of the scores with its multipliers.

    Attributes
    ----------
    starts : ndarray of int, shape (n_queries,)
        First row of every query. One number added to all scores of a query does not change the loss.
    """

    starts: IntArray

    def complementarity(self) -> tuple[float, int]:
        """Sum of the products that vanish at the optimum, and their number."""
        ...

    def multipliers(self) -> FloatArray:
        """dL/ds in terms of the multipliers, shape (n_documents,)."""
        ...

    def dual_point(self) -> tuple[float, FloatArray]:
        """Dual value of the loss and dL/ds at multipliers that are feasible exactly."""
        ...

    def tangent(self, scores: FloatArray) -> ScoreTangent:
        """Linearise at the present point, where the documents have these scores."""
        ...


class PenaltyStep(Step, Protocol):
    """Of a penalty.

    Attributes
    ----------
    change : ndarray, shape (n_features,)
        Of the weights, once the further unknown is known, where there is one.
    further : float
        Change of the further unknown; 0 where there is none.
    """

    @property
    def change(self) -> FloatArray: ...

    @property
    def further(self) -> float: ...

    def aim(self, target: float) -> PenaltyAim:
        """Set out anew from the same point, for products equal to the target less this step's products of changes."""
        ...


class PenaltyAim(Protocol):
    """A penalty on the way to given products.

    Attributes
    ----------
    pull : ndarray, shape (n_features,)
        Right-hand side of the step.
    """

    @property
    def pull(self) -> FloatArray: ...

    def move(self, change: FloatArray, side: FloatArray | None) -> PenaltyStep:
        """The step that a change of the weights leads to.

        Parameters
        ----------
        change : ndarray, shape (n_features,)
            The answer to ``pull``, as if the further unknown stayed.
        side : ndarray, shape (n_features,), or None
            The answer to the tangent's ``border``, where there is one.
        """
        ...


class PenaltyTangent(Protocol):
    """A penalty, linearised at the point where its barrier stands.

    Attributes
    ----------
    diagonal : ndarray, shape (n_features,)
        What it adds to the Hessian.
    """

    @property
    def diagonal(self) -> FloatArray: ...

    def border(self) -> FloatArray | None:
        """Right-hand side for one further unknown, where there is one; shape (n_features,)."""
        ...

    def aim(self, target: float) -> PenaltyAim:
        """Set out for products equal to the target."""
        ...


class PenaltyBarrier(Protocol):
    """A function of the weights with the multipliers that certify its minimum.

    Attributes
    ----------
    weights : ndarray, shape (n_features,)
    """

    weights: FloatArray

    def complementarity(self) -> tuple[float, int]:
        """Sum of the products that vanish at the optimum, and their number."""
        ...

    def tangent(self, gradient: FloatArray) -> PenaltyTangent:
        """Linearise at the present point, given X^T times the scores' multipliers, shape (n_features,)."""
        ...


LEAST = 1e-100


def longest_step(values: FloatArray, changes: FloatArray) -> float:
    """The longest step up to 1 that keeps every value, each above 0, at or above 0."""
    return -1.0 / float((changes / values).min(initial=-1.0))


def above_zero(values: FloatArray) -> FloatArray:
    """The values after a step; one that rounding has put on the boundary stays just inside, and soon ends the path."""
    kept: FloatArray = np.maximum(values, LEAST)
    return kept
