"""A primal-dual interior-point method for a polyhedral loss of scores plus a penalty of weights (Mehrotra 1992)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import cho_solve, cholesky, lu_factor, lu_solve

from core.solvers.infinite_push.penalty_barriers import PenaltyBarrier
from core.solvers.problem import FloatArray, Problem

SHY = 0.99  # share of the way to the boundary that a step may go
SMALLEST_STEP = 1e-10
PATIENCE = 20  # steps that do not halve what remains
MOST_CENTRING = 0.1  # of the mean product, for the corrector's target
CHEAP = 400  # features, whose own matrix is more accurate than one of documents and costs little
JITTER = 1e-14  # on the unit diagonal of a scaled matrix


class ScoreBarrier(Protocol):
    """A polyhedral loss of the scores with its multipliers; see `PenaltyBarrier` for the methods both have."""

    def complementarity(self) -> tuple[float, int]: ...

    def multipliers(self) -> FloatArray:
        """dL/ds in terms of the multipliers, shape (n_documents,)."""
        ...

    def dual_point(self) -> tuple[float, FloatArray]:
        """Dual value of the loss and dL/ds at multipliers that are feasible exactly."""
        ...

    def linearise(self) -> None:
        """Prepare the curvature at the present point; before `aim`."""
        ...

    def gram(self, problem: Problem) -> FloatArray:
        """X^T B X, where B is the curvature with respect to the scores; shape (n_features, n_features)."""
        ...

    def score_curvature(self) -> FloatArray:
        """B, shape (n_documents, n_documents)."""
        ...

    def aim(self, target: float, *, correct: bool) -> None: ...

    def pull(self, scores: FloatArray) -> FloatArray:
        """Return r, shape (n_documents,), such that the multipliers will change by B ds - r."""
        ...

    def move(self, change: FloatArray) -> float: ...

    def promise(self, step: float) -> float: ...

    def advance(self, step: float) -> None: ...


@dataclass(frozen=True, eq=False)
class CentralPoint:
    """Where the method stands.

    Attributes
    ----------
    weights : ndarray, shape (n_features,)
        None of them exactly 0.
    dual_value : float
    score_gradient : ndarray, shape (n_documents,)
        With ``dual_value``, a dual point of the loss.
    remaining : float
        Sum of the products that vanish at the optimum: the gap, once the residuals have gone.
    """

    weights: FloatArray
    dual_value: float
    score_gradient: FloatArray
    remaining: float


def follow_central_path(
    problem: Problem,
    loss: ScoreBarrier,
    penalty: PenaltyBarrier,
    linear: FloatArray | float = 0.0,
    close: float = np.inf,
) -> Iterator[CentralPoint]:
    """Predictor-corrector steps; ends where rounding allows no further one. The barriers stay where the path was left.

    With few features, or no more than documents, a step factors X^T B X plus a diagonal, else a matrix of documents.
    Primal and dual take steps of one length, and the corrector aims for a tenth of the mean product at most: measured
    on pushes of many more documents than features, that takes half the steps of Mehrotra's own rule.

    Parameters
    ----------
    problem : Problem
        Its features; loss and penalty are the barriers'.
    linear : ndarray, shape (n_features,), optional
        A linear function of the weights to be added.
    close : float
        While more than this remains, the smaller matrix is accurate enough, however few the features.
    """
    scores = problem.scores(penalty.weights)
    parts = (loss, penalty)
    least, idle = np.inf, 0
    while True:
        (sum_1, count_1), (sum_2, count_2) = loss.complementarity(), penalty.complementarity()
        total, mean = sum_1 + sum_2, (sum_1 + sum_2) / (count_1 + count_2)
        yield CentralPoint(penalty.weights, *loss.dual_point(), total)
        if total <= 0.5 * least:
            least, idle = total, 0
        else:
            idle += 1
        if idle > PATIENCE:
            return

        gradient = problem.pull_back(loss.multipliers()) + linear
        loss.linearise()
        narrow = max(len(scores), CHEAP if total <= close else 0)
        try:
            solve = (_by_features if problem.n_features <= narrow else _by_documents)(problem, loss, penalty)
        except (np.linalg.LinAlgError, ValueError):  # no longer positive definite, or no longer finite
            return
        side = penalty.border()
        answer = None if side is None else solve(side, np.zeros(len(scores)))
        target = 0.0
        for correct in (False, True):
            for part in parts:
                part.aim(target, correct=correct)
            change = solve(penalty.pull(gradient), loss.pull(scores))
            if answer is not None:
                change = penalty.settle(change, answer)
            score_change = problem.scores(change)
            step = min(loss.move(score_change), penalty.move(change))
            left = max(loss.promise(step) + penalty.promise(step), 0.0) / total
            target = min(min(left, 1.0) ** 3, MOST_CENTRING) * mean
        step *= SHY if step < 1.0 else 1.0
        if not (np.isfinite(change).all() and step > SMALLEST_STEP):
            return
        for part in parts:
            part.advance(step)
        scores = scores + step * score_change


Solve = Callable[[FloatArray, FloatArray], FloatArray]


def _by_features(problem: Problem, loss: ScoreBarrier, penalty: PenaltyBarrier) -> Solve:
    """(X^T B X + D) dw = pull + X^T r."""
    matrix = loss.gram(problem)
    matrix[np.diag_indices_from(matrix)] += penalty.curvature()
    factor = _ScaledCholesky(matrix)
    return lambda pull, score_pull: factor.solve(pull + problem.pull_back(score_pull))


def _by_documents(problem: Problem, loss: ScoreBarrier, penalty: PenaltyBarrier) -> Solve:
    """With dg = B X dw - r: (I + B K) dg = B X D^-1 pull - r for K = X D^-1 X^T, then dw = D^-1 (pull - X^T dg)."""
    curvature = penalty.curvature()
    features = np.asarray(problem.features, dtype=np.float64)
    inner = loss.score_curvature()
    scaled = features * (1.0 / np.sqrt(curvature))
    matrix = inner @ (scaled @ scaled.T)
    matrix[np.diag_indices_from(matrix)] += 1.0
    scale = 1.0 / np.abs(matrix).max(axis=1)
    factor = lu_factor(scale[:, None] * matrix, overwrite_a=True)

    def solve(pull: FloatArray, score_pull: FloatArray) -> FloatArray:
        multipliers = lu_solve(factor, scale * (inner @ problem.scores(pull / curvature) - score_pull))
        change: FloatArray = (pull - problem.pull_back(multipliers)) / curvature
        return change

    return solve


class _ScaledCholesky:
    """The factor of a positive semi-definite matrix whose diagonal spans many orders of magnitude.

    Raises
    ------
    LinAlgError, ValueError
        If the matrix is not positive semi-definite or not finite.
    """

    def __init__(self, matrix: FloatArray) -> None:
        self._scale = np.sqrt(np.diag(matrix))
        matrix = matrix / (self._scale * self._scale[:, None])
        matrix[np.diag_indices_from(matrix)] += JITTER
        self._factor = cholesky(matrix, lower=True)

    def root(self) -> FloatArray:
        """R with R R^T the matrix."""
        root: FloatArray = self._scale[:, None] * self._factor
        return root

    def solve(self, right: FloatArray) -> FloatArray:
        solution: FloatArray = cho_solve((self._factor, True), right / self._scale) / self._scale
        return solution
