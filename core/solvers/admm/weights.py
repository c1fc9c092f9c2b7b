"""The step in w of ADMM (Algorithm 1, line 6): a warm-started Lasso, or a ridge regression factored once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.penalties import L2, Penalty
from core.solvers.newton._quadratic_kernel import weighted_lasso
from core.solvers.problem import FloatArray, Problem

MOST_SWEEPS = 10_000
MOST_ROUNDS = 100


class WeightStep(Protocol):
    """Minimises ||X w - s||^2 / 2 + (lam / mu) * penalty(w) over w.

    Line 6 of the paper has lam instead of lam / mu; section 3.2 has lam / mu, which is right.
    """

    def __call__(self, w: FloatArray, slope: FloatArray) -> FloatArray:
        """Return the minimiser, given the present w and X^T (X w - s) there, both of shape (n_features,)."""
        ...


@dataclass(frozen=True, eq=False)
class LassoStep:
    """Coordinate descent on the quadratic in w with covariance updates: it needs X^T X and the slope, not X or s.

    It descends on the active set, that is the non-zero features and those that violate their optimality condition,
    usually few. The other slopes are updated when these have settled.

    Attributes
    ----------
    gram : ndarray of float64, shape (n_features, n_features)
        X^T X.
    penalty : Penalty
    price : float
        lam / mu.
    tolerance : float
        Largest remaining distance of 0 to the subdifferential.
    """

    gram: FloatArray
    penalty: Penalty
    price: float
    tolerance: float

    def __call__(self, w: FloatArray, slope: FloatArray) -> FloatArray:
        threshold, signs = self.price * self.penalty.weights(w), self.penalty.signs(len(w))
        for _ in range(MOST_ROUNDS):
            distance = self.penalty.distance_to_stationarity(w, slope, self.price)
            if distance.max(initial=0.0) <= self.tolerance:
                break
            active = np.flatnonzero((w != 0.0) | (distance > self.tolerance))
            columns = self.gram[active]
            hessian = np.ascontiguousarray(columns[:, active])
            settled = weighted_lasso(
                hessian, slope[active], w[active], threshold[active], 0.5 * self.tolerance, MOST_SWEEPS, signs[active]
            )
            slope = slope + (settled - w[active]) @ columns
            w = w.copy()
            w[active] = settled
        return w


@dataclass(frozen=True, eq=False)
class RidgeStep:
    """The closed form of the step for the l2 penalty (section 3.2).

    Attributes
    ----------
    factor : tuple of ndarray and bool
        Cholesky factor of X^T X + price * I.
    price : float
        lam / mu.
    """

    factor: tuple[FloatArray, bool]
    price: float

    def __call__(self, w: FloatArray, slope: FloatArray) -> FloatArray:
        from scipy.linalg import cho_solve  # heavy to import, and no page begins with it

        return w - np.asarray(cho_solve(self.factor, slope + self.price * w), dtype=np.float64)


def weight_step(problem: Problem, gram: FloatArray, mu: float, lasso_tol: float) -> WeightStep:
    """Make the step for the problem's penalty.

    Parameters
    ----------
    gram : ndarray of float64, shape (n_features, n_features)
        X^T X of the pairs.
    mu : float
    lasso_tol : float
        Accuracy of the Lasso, as a share of lam / mu.
    """
    price = problem.lam / mu
    if isinstance(problem.penalty, L2):
        from scipy.linalg import cho_factor

        gram[np.diag_indices_from(gram)] += price
        return RidgeStep(cho_factor(gram), price)
    return LassoStep(gram, problem.penalty, price, lasso_tol * price)
