"""FenchelRank: Frank-Wolfe on the l1 ball, whose models are those of the l1 penalty; its radius is another lambda."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.methods.base import Method
from core.methods.refit import REFITTING
from core.methods.sources import LAI_2013_FENCHELRANK, LOSS_LATEX
from core.methods.training import Training
from core.penalties import L1, L1Ball, Parameter
from core.solvers import AwaySteps, FrankWolfe, FrankWolfeShortStep, FullyCorrective, Problem, Stop, solve

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

    Raises a `ValueError` if the radius is not a positive number, and a `DataError` if lambda_max is 0, so that the
    empty model is best in every ball.

    Parameters
    ----------
    training : Training
        Its loss must be smooth.
    radius : float
        r > 0.
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


PAPER_RADII = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)  # Lai et al. 2013, section 8.3
RADIUS = Parameter(
    "radius", "r", 0.0, 0.0, 1e9,
    "The radius of the ball ‖w‖₁ ≤ r; a larger one allows more features. At 0, the radius follows from C; any other "
    "value is used as given, and C follows from it.",
)  # fmt: skip


def _problem(training: Training, lam: float, parameters: Mapping[str, float]) -> Problem:
    """Return the problem on the ball that belongs to lambda; a given radius sets lambda instead."""
    radius = parameters["radius"]
    if radius == 0.0:
        radius = radius_of(training, lam)
    elif training.lam_max > 0.0:
        lam = lam_of_radius(training, radius)
    return training.problem(L1Ball(radius), lam)


def _grid(training: Training, parameters: Mapping[str, float]) -> NDArray[np.float64]:
    """Return the lambdas of all radii of the paper.

    They include balls that do not constrain the model: the paper's early stop gives other models there.
    """
    return np.array([lam_of_radius(training, radius) for radius in PAPER_RADII])


FENCHELRANK = Method(
    id="fenchelrank",
    title="FenchelRank",
    source=f"{LAI_2013_FENCHELRANK}, eq. 3, Algorithm 1",
    objective=LOSS_LATEX + r" \quad\text{subject to}\quad \lVert w\rVert_1 \le r",
    explanation=(
        "The ℓ1 model, found by another algorithm: it limits ‖w‖₁ to a radius r, which follows from C, instead of "
        "adding a penalty. Each step takes the feature with the steepest slope and moves towards it as far as the "
        "loss falls, so the model has few features after few steps. The duality gap is known at every step and falls "
        "as O(1/k): a gap of ε takes at most 16r²/ε steps. Use it for a rough sparse model or a small r; for an "
        "accurate model use its fully corrective variant, or ℓ1. The paper chooses r among 1, 2, 4, …, 256. If r is "
        "so large that it limits nothing, the λ shown is not a penalty; it only identifies the ball."
    ),
    make_penalty=lambda parameters, c: L1Ball(parameters["radius"] or 1.0),  # 1: the paper's scaled ball
    make_problem=_problem,
    make_grid=_grid,
    solvers=(FrankWolfe(), FrankWolfeShortStep(), AwaySteps(), FullyCorrective()),
    parameters=(RADIUS, *REFITTING),
    path_start="zero",
    stopping=(
        "at a duality gap of 0.001 of L(0), which is certified, or after 1000 steps, which is only a limit: the gap "
        "bounds the distance to the optimum. Setting another tolerance removes the limit."
    ),
    stop=Stop(tol=1e-3, max_steps=1000, papers_limit=True),
)
