"""Backtracking line search by Armijo's rule, and the rise of the loss above its tangent."""

from collections.abc import Callable

import numpy as np

from core.losses import LossEvaluation, SmoothLoss
from core.solvers.problem import FloatArray, Problem

SHORT = 0.1  # of the step tried first: one that had to be halved more often is searched for exactly
SHORTEST = 1e-20
MOST_LOST = 3  # steps in a row whose promise is less than `rounding_of` F: the gap may still gain by them
MOST_IDLE = 20  # steps of a run that neither lower F measurably nor halve the residual
SHORTEST_JUDGED = 1 / 64  # of the step tried first: shorter ones are not judged by the residual
ARMIJO = 0.01  # share of the promised decrease that a step must reach
Point = tuple[FloatArray, FloatArray, LossEvaluation, float]  # weights, scores, evaluation, F


def backtrack(
    problem: Problem,
    w: FloatArray,
    scores: FloatArray,
    objective: float,
    direction: FloatArray,
    slope: float,
    size: float = 1.0,
) -> Point | None:
    """Halve the step until F decreases by a hundredth of what the slope promises (Armijo).

    It costs one pass over X (the direction's scores), whatever the number of trials. If only a short step decreases F,
    a pair whose margin is just reached blocks the way: halving would stop short of it every time, nearer and nearer.
    The minimum along the line lies a little beyond, where the pair has slack, so that the next model includes the pair.

    Near the optimum the decrease that Armijo asks for is less than the rounding error of F, which then rejects good
    steps at random. The residual judges in its place: a step that makes it smaller is accepted unless F rises
    measurably.

    Parameters
    ----------
    w, direction : ndarray, shape (n_features,)
    scores : ndarray, shape (n_documents,)
        X w.
    objective : float
        F(w).
    slope : float
        Upper bound of the directional derivative of F; it is below 0.
    size : float
        The step that is tried first.

    Returns
    -------
    (weights, scores, evaluation, objective) at the accepted point, or None if F never decreases or no weight moves
    """
    score_direction = problem.scores(direction)
    residual: float | None = None
    while size > SHORTEST:
        trial = w + size * direction
        if np.array_equal(trial, w):
            return None
        trial_scores = scores + size * score_direction
        evaluation = problem.loss.evaluate(trial_scores)
        value = evaluation.value + problem.lam * problem.penalty.value(trial)
        rounding = rounding_of(value, trial_scores, evaluation)
        found = trial, trial_scores, evaluation, value
        if is_lower(value, objective, size, slope, rounding):
            return found if size > SHORT else _farther(problem, w, direction, score_direction, size, found)
        if size >= SHORTEST_JUDGED and is_within_noise(value, objective, slope, rounding):
            if residual is None:
                residual = problem.residual(w, problem.pull_back(problem.loss.evaluate(scores).gradient))
            if problem.residual(trial, problem.pull_back(evaluation.gradient)) <= (1.0 - 0.5 * size) * residual:
                return found
        size *= 0.5
    return None


def is_lower(value: float, objective: float, size: float, slope: float, rounding: float) -> bool:
    """Whether F has decreased to ``value`` by Armijo's share of what the slope promises a step of this size."""
    return value <= objective + ARMIJO * size * slope + rounding


def is_within_noise(value: float, objective: float, slope: float, rounding: float) -> bool:
    """Whether Armijo's rule asks for less than rounding hides, and F has not risen by more."""
    noise = rounding / ARMIJO
    return -slope < noise and value <= objective + noise


def rounding_of(objective: float, scores: FloatArray, evaluation: LossEvaluation) -> float:
    """Bound the rounding error of F: its own last bits, and the change of the loss with the last bits of the scores."""
    return rounding_of_sum(objective, float(np.abs(evaluation.gradient) @ np.abs(scores)))


def rounding_of_sum(objective: float, answer: float) -> float:
    """Do as `rounding_of` where the sum of |dL/ds| |s| over the documents is known."""
    return 4.0 * float(np.finfo(np.float64).eps) * (abs(objective) + answer)


class Progress:
    """Tells when the steps of a solver have stopped making progress that double precision can show.

    A step makes progress if it lowers F by more than its rounding error, or halves the residual. F is compared with its
    lowest value so far: a step up within rounding, and down again, would else count as progress for ever.
    """

    def __init__(self) -> None:
        self._lowest = self._smallest = np.inf
        self._lost = self._idle = 0

    def ended(self, objective: float, residual: float, promised: float, rounding: float) -> bool:
        """Count the point that the last step has reached, and tell whether to end there.

        Parameters
        ----------
        objective, residual : float
            At this point.
        promised : float
            The decrease of F that the model promises for the next step.
        rounding : float
            See `rounding_of`.
        """
        lower, nearer = objective < self._lowest - rounding, residual <= 0.5 * self._smallest
        if lower:
            self._lowest = objective
        if nearer:
            self._smallest = residual
        self._idle += not (lower or nearer)
        self._lost = self._lost + 1 if promised < rounding and not nearer else 0
        return self._lost > MOST_LOST or self._idle > MOST_IDLE


def _farther(
    problem: Problem,
    w: FloatArray,
    direction: FloatArray,
    score_direction: FloatArray,
    size: float,
    found: Point,
) -> Point:
    """Minimise F along the line up to twice the accepted step; return that point if it is lower."""
    if not problem.has_curvature:
        return found
    moving = direction != 0.0
    path = direction[moving]

    def penalty_slope(further: float) -> float:
        at = w + (size + further) * direction
        steepness = problem.penalty.weights(at)[moving]
        side = np.where(at[moving] == 0.0, np.sign(path), np.sign(at[moving]))
        return problem.lam * float(steepness @ (side * path))

    _, from_scores, evaluation, value = found
    further, at_end = exact_step(problem.smooth_loss, from_scores, score_direction, evaluation, size, penalty_slope)
    weights = w + (size + further) * direction
    reached = at_end.value + problem.lam * problem.penalty.value(weights)
    if not reached < value:
        return found
    return weights, from_scores + further * score_direction, at_end, reached


def bend(at_z: LossEvaluation, at_new: LossEvaluation, promised: float, moved: FloatArray) -> float:
    """Compute how far the loss at the new point lies above its tangent at z.

    It uses the values where they differ enough, else (near the optimum) the change of the gradient, which is the same
    for a quadratic and does not cancel.

    Parameters
    ----------
    promised : float
        Gradient at z times the move in weights.
    moved : ndarray, shape (n_documents,)
        The move in scores.
    """
    rise = at_new.value - at_z.value
    if abs(rise) > 1e-8 * at_z.value:
        return rise - promised
    return 0.5 * float((at_new.gradient - at_z.gradient) @ moved)


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
