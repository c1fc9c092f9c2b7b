"""Minimisation of a quadratic plus weighted l1 on few features: coordinate descent, then an active-set method."""

from __future__ import annotations

import numpy as np

from core.solvers.newton._quadratic_kernel import weighted_lasso
from core.solvers.problem import FloatArray

MOST_SWEEPS = 1000
FLAT = 1e-13  # of the largest eigenvalue: a direction that is curved less counts as curved so much


def minimise_sparse_quadratic(
    hessian: FloatArray,
    gradient: FloatArray,
    start: FloatArray,
    threshold: FloatArray,
    tolerance: float,
    signs: FloatArray,
) -> FloatArray:
    """Minimise gradient.(u - start) + (u - start).H.(u - start) / 2 + sum threshold_j |u_j| over u.

    A move of coordinate descent has about the size of threshold over curvature. At a tiny lambda the minimum can lie
    far off along a direction in which the quadratic is flat, which would take too many sweeps. The rest is then left to
    an active-set method.

    Parameters
    ----------
    hessian : ndarray, shape (k, k)
        Symmetric, positive semi-definite, with the gradient in its range.
    gradient, start, threshold : ndarray, shape (k,)
        Each threshold above 0.
    tolerance : float
        Largest remaining distance of 0 to the subdifferential, rounding aside.
    signs : ndarray, shape (k,)
        That u_j is to have if it is not 0; 0 where it may have either. The start has them.

    Returns
    -------
    ndarray, shape (k,)
    """
    u: FloatArray = weighted_lasso(hessian, gradient, start, threshold, tolerance, MOST_SWEEPS, signs)
    slope = gradient + hessian @ (u - start)
    if _distance(u, slope, threshold, signs).max(initial=0.0) <= 10.0 * tolerance:
        return u
    return _by_active_set(hessian, slope, u, threshold, tolerance, signs)


def _steepness(slope: FloatArray, signs: FloatArray) -> FloatArray:
    """Compute how steeply the quadratic falls where each coordinate may go from 0."""
    return np.where(signs * slope > 0.0, 0.0, np.abs(slope))


def _distance(u: FloatArray, slope: FloatArray, threshold: FloatArray, signs: FloatArray) -> FloatArray:
    """Compute the distance of 0 from the subdifferential, per coordinate."""
    at_zero = np.maximum(_steepness(slope, signs) - threshold, 0.0)
    return np.where(u == 0.0, at_zero, np.abs(slope + np.sign(u) * threshold))


def _by_active_set(
    hessian: FloatArray,
    slope: FloatArray,
    start: FloatArray,
    threshold: FloatArray,
    tolerance: float,
    signs: FloatArray,
) -> FloatArray:
    """Take Newton steps on the non-zero coordinates, each as far as no sign changes.

    A coordinate at 0 joins if it violates its optimality condition.

    Parameters
    ----------
    slope : ndarray, shape (k,)
        Slope of the quadratic at the start.
    """
    u, sides = start.copy(), np.sign(start)
    free = start != 0.0
    for _ in range(10 * len(start)):
        here = slope + hessian @ (u - start)
        move = np.zeros_like(u)
        move[free] = _newton_move(hessian[np.ix_(free, free)], here[free] + threshold[free] * sides[free])
        shrinks = free & (sides * (u + move) < 0.0)
        room = np.full_like(u, np.inf)
        room[shrinks] = -u[shrinks] / move[shrinks]
        length = min(float(room.min(initial=np.inf)), 1.0)
        u = u + length * move
        if length < 1.0:
            u[room == length] = 0.0
            free[room == length] = False
            continue
        here = slope + hessian @ (u - start)
        outside = np.where(free, 0.0, np.maximum(_steepness(here, signs) - threshold, 0.0))
        worst = int(np.argmax(outside))
        if outside[worst] <= tolerance:
            break
        free[worst], sides[worst] = True, -np.sign(here[worst])
    return u


def _newton_move(hessian: FloatArray, slope: FloatArray) -> FloatArray:
    """Compute the move to the minimum; along a flat direction it is long, and a change of sign ends it."""
    if len(slope) == 0:
        return slope
    values, vectors = np.linalg.eigh(hessian)
    values = np.maximum(values, FLAT * max(float(values[-1]), np.finfo(np.float64).tiny))
    move: FloatArray = -(vectors @ ((vectors.T @ slope) / values))
    return move
