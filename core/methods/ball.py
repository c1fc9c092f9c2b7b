"""Conversion between lambda and the radius of the l1 ball, two parameters of the same models.

See Lai et al. (2013), eq. 2 and 3.
"""

from __future__ import annotations

import numpy as np

from core.methods.training import Training
from core.penalties import L1, L1Ball
from core.solvers import FullyCorrective, Stop, solve

SMALLEST_SHARE = 1e-6  # of lambda_max: a ball with a smaller multiplier no longer holds the model back
TIGHT = Stop(tol=1e-12, max_steps=1000)
LOOSE = Stop(tol=1e-8, max_steps=50)  # for a radius that is a convention; at so small a lambda more is rounding


def radius_of(training: Training, lam: float) -> float:
    """Compute r(lambda) = ||w||_1 of the l1 model at this lambda: the ball of this radius has the same optimum.

    The radius decreases with lambda, to 0 at lambda_max. It is well defined: all minimisers of the l1 problem have the
    same ||w||_1, because the squared hinge is strictly convex in the slacks of the pairs. Below ``SMALLEST_SHARE`` of
    lambda_max the radius is the largest such r divided by lambda's share of that bound. This is a convention, so that
    larger balls have a lambda too; see `lam_of_radius`.

    Parameters
    ----------
    training : Training
        Its loss must be smooth.
    lam : float
        > 0.
    """
    smallest = SMALLEST_SHARE * training.lam_max
    if 0.0 < lam < smallest:
        return _loosest(training) * smallest / lam
    return training.once(("radius", lam), lambda: _size_of_l1_model(training, lam, TIGHT))


def _size_of_l1_model(training: Training, lam: float, stop: Stop) -> float:
    problem = training.problem(L1(), lam)
    return float(np.abs(solve(training.recipe.l1_solver, problem, stop).weights).sum())


def _loosest(training: Training) -> float:
    """Return the radius beyond which the ball counts as no constraint."""
    return training.once("loosest ball", lambda: _size_of_l1_model(training, training.lam_at(SMALLEST_SHARE), LOOSE))


def lam_of_radius(training: Training, radius: float) -> float:
    """Compute lambda(r) = ||grad L||_inf at the best model within the ball: the multiplier of the constraint.

    It is the inverse of `radius_of`, computed from the ball's own problem. A radius beyond ||w||_1 of the unconstrained
    minimiser has the multiplier 0, which is no lambda, and all such balls have the same optima. An algorithm that stops
    before the optimum ends elsewhere in each of them, so each gets a lambda of its own as a name: ``SMALLEST_SHARE`` of
    lambda_max, times the largest constraining radius, divided by r. It is no price of an l1 penalty.

    Parameters
    ----------
    training : Training
        Its loss must be smooth.
    radius : float
        r > 0.

    Raises
    ------
    ValueError
        If the radius is not a positive number.
    DataError
        If lambda_max is 0, so that the empty model is best in every ball.
    """
    if not (np.isfinite(radius) and radius > 0.0):
        msg = f"the radius must be a positive number, not {radius:g}"
        raise ValueError(msg)
    smallest = training.lam_at(SMALLEST_SHARE)
    loosest = _loosest(training)
    if radius >= loosest:
        return smallest * loosest / radius
    problem = training.problem(L1Ball(radius), smallest)
    weights = solve(FullyCorrective(), problem, TIGHT).weights
    gradient = problem.pull_back(training.loss.evaluate(problem.scores(weights)).gradient)
    lam = max(float(np.abs(gradient).max()), smallest)
    training.once(("radius", lam), lambda: radius)  # who comes back from this lambda need not solve for it
    return lam
