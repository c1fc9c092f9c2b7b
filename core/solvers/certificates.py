"""Certificates of an iterate, from quantities that the solver has computed anyway.

Only where some features pay no penalty is the dual point computed for its own sake.
"""

import numpy as np
from numpy.typing import NDArray

from core.losses import LossEvaluation, SmoothLoss
from core.penalties.base import DualRay
from core.solvers.base import Certificate
from core.solvers.problem import FloatArray, Problem


class Certifier:
    """Makes certificates: the duality gap where the problem offers one, else the stationarity residual.

    Every dual value is a lower bound of the optimum, so the best one so far is kept.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._best_bound = -np.inf
        self._exempt = problem.penalty.exempt(problem.n_features)

    def add_bound(self, w: FloatArray, ray: DualRay, gradient: FloatArray) -> None:
        """Use the dual point of any scores, not only the iterate's; ``w`` are weights near the optimum."""
        problem = self._problem
        if self._exempt.any():
            found = dual_point_with_exempt(problem, w, self._exempt)
            ray, gradient = found or (ray, gradient)
        penalty, constant = problem.penalty.support(w)
        bound = penalty.dual_bound(ray, gradient, problem.lam)
        if bound is not None:
            self._best_bound = max(self._best_bound, bound + problem.lam * constant)

    @property
    def among(self) -> str:
        """The models among which its certificates hold; see `Certificate.among`."""
        return self._problem.penalty.among

    @property
    def has_bound(self) -> bool:
        """Whether a finite lower bound is known."""
        return bool(np.isfinite(self._best_bound))

    def gap(self, objective: float) -> Certificate:
        """Return F(w) minus the best lower bound so far."""
        return Certificate.of_bound(objective, self._best_bound, self.among)

    def stationarity(self, w: FloatArray, gradient: FloatArray) -> Certificate:
        """Return the largest distance of 0 from the subdifferential of F at w."""
        problem = self._problem
        worst = problem.residual(w, gradient)
        return Certificate("stationarity", worst, worst / min(problem.lam, problem.steepest), among=self.among)

    def certify(self, w: FloatArray, objective: float, ray: DualRay, gradient: FloatArray) -> Certificate:
        """Return the certificate at w, given the loss's dual points and the gradient there."""
        if self._problem.penalty.convex:
            self.add_bound(w, ray, gradient)
            if self.has_bound:
                return self.gap(objective)
        return self.stationarity(w, gradient)


ZERO = 1e-13  # of the sum of absolute values: a slope that small is the rounding error of its own sum
MOST_STEPS = 30


def dual_point_with_exempt(
    problem: Problem, w: FloatArray, exempt: NDArray[np.bool_]
) -> tuple[LossEvaluation, FloatArray] | None:
    """Return the loss and its gradient near w where the slope along every exempt feature is 0, to rounding.

    A feature without a penalty needs slope 0 at the dual point, which no scaling provides. So the loss is minimised
    over the weights of the exempt features alone, from w, by Newton steps: the loss is piecewise quadratic, and there
    are few such features. The scores at which that ends need not be those of any iterate.

    Parameters
    ----------
    problem : Problem
        With a smooth loss.
    w : ndarray, shape (n_features,)
    exempt : ndarray of bool, shape (n_features,)

    Returns
    -------
    tuple of LossEvaluation and ndarray, or None
        None where the slopes do not reach 0, or the loss has kinks.
    """
    loss = problem.loss
    if not isinstance(loss, SmoothLoss):
        return None
    held = (problem.penalty.signs(problem.n_features) != 0.0) & (w == 0.0)  # at 0 by their sign, whatever the slope
    columns = np.flatnonzero(exempt & ~held)
    own = np.asarray(problem.features[:, columns], dtype=np.float64)
    scores = problem.scores(w)
    evaluation = loss.evaluate(scores)
    for _ in range(MOST_STEPS):
        slope = own.T @ evaluation.gradient
        if np.all(np.abs(slope) <= ZERO * (np.abs(own).T @ np.abs(evaluation.gradient))):
            gradient = problem.pull_back(evaluation.gradient)
            gradient[columns] = 0.0
            return evaluation, gradient
        direction = own @ _newton_move(loss.hessian(scores, problem.features, columns), slope)
        scores, evaluation = _shortened(loss, scores, evaluation, direction)
    return None


def _newton_move(hessian: FloatArray, slope: FloatArray) -> FloatArray:
    """Compute the Newton step; features that never differ within a query, or twice the same, leave it singular."""
    diagonal = hessian.diagonal()
    unit = np.where(diagonal > 0.0, 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0)), 0.0)
    move = np.linalg.lstsq(hessian * np.outer(unit, unit), -slope * unit, rcond=1e-12)[0] * unit
    return np.asarray(move, dtype=np.float64)


def _shortened(
    loss: SmoothLoss, scores: FloatArray, evaluation: LossEvaluation, direction: FloatArray
) -> tuple[FloatArray, LossEvaluation]:
    """Halve the step until the slope along it has not grown in size: a convex loss then has a minimum nearer by."""
    before = abs(float(evaluation.gradient @ direction))
    size = 1.0
    while True:
        trial = scores + size * direction
        found = loss.evaluate(trial)
        if abs(float(found.gradient @ direction)) <= before or size < 1e-6:
            return trial, found
        size *= 0.5
