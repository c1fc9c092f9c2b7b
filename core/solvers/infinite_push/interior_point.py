"""A primal-dual interior-point method (Mehrotra 1992) for a polyhedral loss of the scores plus a penalty on weights."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from core.solvers.infinite_push.barriers import L1Barrier, SmoothBarrier
from core.solvers.infinite_push.hinge_rows import HingeRows
from core.solvers.infinite_push.top_share_barrier import TopShareBarrier
from core.solvers.problem import FloatArray, Problem

SHY = 0.99  # share of the way to the boundary that a step may go
SMALLEST_STEP = 1e-10
PATIENCE = 20  # the method gives up after so many steps that do not halve the remaining sum
MOST_CENTRING = 0.1  # largest target of the corrector, as a share of the mean product
CHEAP = 400  # up to so many features, the features' matrix is cheap, and more accurate than the documents' matrix
JITTER = 1e-14  # added to the unit diagonal of a scaled matrix
ScoreBarrier = HingeRows | TopShareBarrier
PenaltyBarrier = L1Barrier | SmoothBarrier


@dataclass(frozen=True, eq=False)
class CentralPoint:
    """A point of the central path.

    Attributes
    ----------
    weights : ndarray, shape (n_features,)
        None of them is exactly 0.
    dual_value : float
        Dual value of the loss at ``score_gradient``.
    score_gradient : ndarray, shape (n_documents,)
        A dual point of the loss.
    remaining : float
        Sum of the complementarity products, which are 0 at the optimum. It is the duality gap once the residuals are 0.
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
    """Yield the points of predictor-corrector steps, until rounding allows no further step.

    The barriers hold the last point, so a later call goes on from there.

    A step factors X^T B X plus a diagonal if there are few features or no more features than documents; otherwise it
    factors a matrix of documents by documents. Primal and dual steps have the same length. The corrector's target is at
    most a tenth of the mean product: measured on problems with many more documents than features, this halves the
    number of steps of Mehrotra's rule.

    Parameters
    ----------
    problem : Problem
        Only its features are used; loss and penalty are given by the barriers.
    linear : ndarray, shape (n_features,), optional
        Coefficients of a linear function of the weights, which is added to the objective.
    close : float
        While ``remaining`` is above it, the smaller of the two matrices is used, whatever the number of features.
    """
    scores = problem.scores(penalty.weights)
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

        loss.linearise(scores)
        penalty.linearise(problem.pull_back(loss.multipliers()) + linear)
        narrow = max(len(scores), CHEAP if total <= close else 0)
        try:
            if problem.n_features <= narrow:
                solve = _by_features(problem, loss, penalty.diagonal)
            else:
                solve = _by_documents(problem, loss, penalty.diagonal)
        except (np.linalg.LinAlgError, ValueError):  # no longer positive definite, or no longer finite
            return
        border = penalty.border()
        side = None if border is None else solve(border, np.zeros(len(scores)))

        length, _ = _move(problem, solve, side, loss, penalty, 0.0)
        if not np.isfinite(penalty.change).all():
            return
        left = max(loss.promise(length) + penalty.promise(length), 0.0) / total
        target = min(min(left, 1.0) ** 3, MOST_CENTRING) * mean
        length, score_change = _move(problem, solve, side, loss, penalty, target, correct=True)
        length *= SHY if length < 1.0 else 1.0
        if not (np.isfinite(penalty.change).all() and length > SMALLEST_STEP):
            return
        loss.take(length)
        penalty.take(length)
        scores = scores + length * score_change


@dataclass(frozen=True, eq=False)
class _Answer:
    """Solution of a step's linear system: the changes dw of the weights and, if it was an unknown, dg of dL/ds."""

    weights: FloatArray
    multipliers: FloatArray | None


Solve = Callable[[FloatArray, FloatArray], _Answer]


def _move(
    problem: Problem,
    solve: Solve,
    side: _Answer | None,
    loss: ScoreBarrier,
    penalty: PenaltyBarrier,
    target: float,
    *,
    correct: bool = False,
) -> tuple[float, FloatArray]:
    """Make the step of loss and penalty; return its longest length and the change of scores, shape (n_documents,)."""
    pull = penalty.aim(target, correct=correct)
    answer = solve(pull, loss.aim(target, correct=correct))
    longest = penalty.move(answer.weights, None if side is None else side.weights)
    multipliers = answer.multipliers
    if multipliers is not None and side is not None and side.multipliers is not None:
        multipliers = multipliers - penalty.further * side.multipliers
    score_change = problem.scores(penalty.change)
    return min(loss.move(score_change, multipliers), longest), score_change


def _by_features(problem: Problem, loss: ScoreBarrier, diagonal: FloatArray) -> Solve:
    """Return the solver of (X^T B X + D) dw = pull + X^T r."""
    matrix = loss.gram(problem)
    matrix[np.diag_indices_from(matrix)] += diagonal
    factor = _ScaledCholesky(matrix)
    return lambda pull, score_pull: _Answer(factor.solve(pull + problem.pull_back(score_pull)), None)


def _by_documents(problem: Problem, loss: ScoreBarrier, diagonal: FloatArray) -> Solve:
    """Return the solver of the same system by way of dg = B X dw - r, a system of documents.

    With K = X D^-1 X^T it solves (I + B K) dg = B X D^-1 pull - r, and then dw = D^-1 (pull - X^T dg).

    The equations of a query sum to sum dg = -sum r, because the rows of B of a query sum to 0. Near the optimum B K is
    so large that rounding loses this sum, and the matrix becomes singular. So in every query the sum replaces one
    equation, the one with the largest curvature.

    Raises
    ------
    LinAlgError, ValueError
        If the matrix is singular nevertheless, or not finite.
    """
    from scipy.linalg import lu_factor, lu_solve  # heavy to import, and no page begins with it

    features = np.asarray(problem.features, dtype=np.float64)
    inner = loss.score_curvature()
    scaled = features * (1.0 / np.sqrt(diagonal))
    matrix = inner @ (scaled @ scaled.T)
    matrix[np.diag_indices_from(matrix)] += 1.0
    starts, ends = loss.starts, np.append(loss.starts[1:], len(inner))
    steepest = [a + int(np.argmax(np.diag(inner)[a:b])) for a, b in zip(starts, ends, strict=True)]
    matrix[steepest] = np.add.reduceat(np.eye(len(inner)), starts)
    scale = 1.0 / np.abs(matrix).max(axis=1)
    factor = lu_factor(scale[:, None] * matrix, overwrite_a=True)
    if not np.diag(factor[0]).all():
        message = "a singular matrix"
        raise np.linalg.LinAlgError(message)

    def solve(pull: FloatArray, score_pull: FloatArray) -> _Answer:
        right = inner @ problem.scores(pull / diagonal) - score_pull
        right[steepest] = -np.add.reduceat(score_pull, starts)
        multipliers = lu_solve(factor, scale * right)
        return _Answer((pull - problem.pull_back(multipliers)) / diagonal, multipliers)

    return solve


class _ScaledCholesky:
    """The factor of a positive semi-definite matrix whose diagonal spans many orders of magnitude.

    Raises
    ------
    LinAlgError, ValueError
        If the matrix is not positive semi-definite or not finite.
    """

    def __init__(self, matrix: FloatArray) -> None:
        from scipy.linalg import cholesky  # heavy to import, and no page begins with it

        self._scale = np.sqrt(np.diag(matrix))
        matrix = matrix / (self._scale * self._scale[:, None])
        matrix[np.diag_indices_from(matrix)] += JITTER
        self._factor = cholesky(matrix, lower=True)

    def solve(self, right: FloatArray) -> FloatArray:
        from scipy.linalg import cho_solve

        solution: FloatArray = cho_solve((self._factor, True), right / self._scale) / self._scale
        return solution
