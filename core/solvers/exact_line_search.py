"""Exact line search on a smooth loss by a few sweeps, without sorted breakpoints and without a pass over X."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.losses import LossEvaluation, SmoothLoss
from core.solvers.problem import FloatArray

ACCURACY = 1e-8  # of the first slope; the decrease is then right to some sixteen digits
ROUNDING = 1e-16  # of the sum that a slope is, taken without signs
MOST_SWEEPS = 60


def exact_step(
    loss: SmoothLoss,
    scores: FloatArray,
    along: FloatArray,
    evaluation: LossEvaluation,
    longest: float,
    further_slope: Callable[[float], float] = lambda mu: 0.0,
) -> tuple[float, LossEvaluation]:
    """Minimise loss(scores + mu * along) over 0 <= mu <= longest (Lai et al. 2013, eq. 19 and 20).

    For the squared hinge the slope in mu is non-decreasing and piecewise linear, with a breakpoint for every pair; the
    paper sorts them all. The root of the slope needs no sorting: the method takes a Newton step with the loss's
    curvature along the line, then secant steps inside a bracket. A trial costs one evaluation of the loss.

    Parameters
    ----------
    loss : SmoothLoss
        Convex.
    scores, along : ndarray, shape (n_documents,)
    evaluation : LossEvaluation
        The evaluation at the scores.
    longest : float
        Finite, >= 0.
    further_slope : callable
        Maps mu to the slope of a function that is added to the loss; 0 by default.

    Returns
    -------
    (step, evaluation)
        0 and the given evaluation if the loss does not decrease along the line.
    """
    first = float(evaluation.gradient @ along) + further_slope(0.0)
    if first >= 0.0 or longest <= 0.0:
        return 0.0, evaluation
    flat = max(-ACCURACY * first, ROUNDING * float(np.abs(evaluation.gradient) @ np.abs(along)))
    low, low_slope, at_low = 0.0, first, evaluation
    high, high_slope = longest, np.inf  # unknown until it has been tried
    before, slope_before = 0.0, first
    curvature = float(along @ loss.curvature_product(scores, along))
    mu = min(-first / curvature, longest) if curvature > 0.0 else longest
    for _ in range(MOST_SWEEPS):
        trial = loss.evaluate(scores + mu * along)
        slope = float(trial.gradient @ along) + further_slope(mu)
        if abs(slope) <= flat or (slope < 0.0 and mu == longest):
            return mu, trial
        if slope < 0.0:
            low, low_slope, at_low = mu, slope, trial
        else:
            high, high_slope = mu, slope
        bend = (slope - slope_before) / (mu - before)
        before, slope_before = mu, slope
        mu = _within(low, low_slope, high, high_slope, mu - slope / bend if bend > 0.0 else np.inf)
        if mu in (low, before):
            break  # nothing is left between the ends but rounding
    return low, at_low


def _within(low: float, low_slope: float, high: float, high_slope: float, secant: float) -> float:
    """Return the secant's root if it lies in the bracket; else the end not tried yet, or a point well inside."""
    if low < secant < high:
        return secant
    if high_slope == np.inf:
        return high
    chord = low - low_slope * (high - low) / (high_slope - low_slope)
    return 0.5 * (chord + 0.5 * (low + high))  # the chord's root alone may creep along one end
