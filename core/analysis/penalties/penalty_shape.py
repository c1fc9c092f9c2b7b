"""The shape of a penalty of one weight in a few numbers: slopes, and threshold and leap of its prox.

With reweighted l1 round by round, which takes tangents of that shape (Laporte et al. 2014, Algorithm 2).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.data.ranking_data import FloatArray
from core.methods import Method, Training
from core.methods.registry import RANKSVM
from core.penalties import Penalty, WeightedL1
from core.solvers import ProximalNewton, Stop, solve


@dataclass(frozen=True)
class PenaltyShape:
    """A penalty's numbers at one step of its prox.

    Attributes
    ----------
    at_one : float
        g(1).
    slope_at_zero, slope_at_one : float
        g'(0+), which may be infinite, and g'(1).
    threshold : float
        Largest v that the prox maps to exactly 0; 0 if there is none.
    leap : float
        Weight to which the prox jumps at the threshold; 0 if it is continuous there.
    """

    at_one: float
    slope_at_zero: float
    slope_at_one: float
    threshold: float
    leap: float


def penalty_methods() -> tuple[Method, ...]:
    """Return the methods that differ only in their penalty, each of which is a curve of one weight."""
    return RANKSVM


def penalty_of(method: Method, parameters: Mapping[str, float]) -> Penalty:
    """Return a method's penalty, with defaults for the parameters that are not given."""
    return method.make_penalty(method.settings(parameters), 1.0)


def penalty_shape(penalty: Penalty, step: float) -> PenaltyShape:
    """Measure the shape of a penalty; ``step`` > 0 is the step of its prox."""
    one, zero = np.ones(1), np.zeros(1)
    threshold = _threshold(penalty, step)
    leap = float(penalty.prox(np.array([threshold * (1.0 + 1e-9)]), step)[0]) if threshold > 0.0 else 0.0
    return PenaltyShape(
        at_one=float(penalty.curve(one)[0]),
        slope_at_zero=float(penalty.weights(zero)[0]),
        slope_at_one=float(penalty.weights(one)[0]),
        threshold=threshold,
        leap=leap if leap > 1e-3 * threshold else 0.0,
    )


def _threshold(penalty: Penalty, step: float) -> float:
    """Find the threshold by bisection: the prox is 0 up to there and nowhere beyond."""
    low, high = 0.0, 1.0
    while float(penalty.prox(np.array([high]), step)[0]) == 0.0:
        low, high = high, 2.0 * high
    for _ in range(80):
        middle = 0.5 * (low + high)
        if float(penalty.prox(np.array([middle]), step)[0]) == 0.0:
            low = middle
        else:
            high = middle
    return low if low > 1e-12 else 0.0


EXACTLY = Stop(tol=1e-12, max_steps=200)
SETTLED = 1e-7
MOST_ROUNDS = 40


@dataclass(frozen=True, eq=False)
class Round:
    """One round of reweighting: a weighted l1 problem and its minimiser.

    Attributes
    ----------
    number : int
        Counted from 1; the first round is plain l1.
    beta : ndarray, shape (n_features,)
        Weight of each |w_j| in this round; infinite for a feature that cannot return.
    before, weights : ndarray, shape (n_features,)
        The start of the round, and the minimiser of its problem.
    objective : float
        F with the penalty itself at ``weights``; it never increases from one round to the next (eq. 13).
    """

    number: int
    beta: FloatArray
    before: FloatArray
    weights: FloatArray
    objective: float


def reweighting_rounds(training: Training, penalty: Penalty, lam: float) -> tuple[Round, ...]:
    """Solve with beta = 1, set beta_j = g'(|w_j|), and repeat until the weights no longer change.

    Every round is solved accurately, which the solvers of a fit need not do.

    Raises a `ValueError` if the penalty is convex, so that there is nothing to reweight.
    """
    if penalty.convex:
        msg = f"{penalty.title} is convex: there is nothing to reweight"
        raise ValueError(msg)
    loss = training.loss
    w, beta = np.zeros(training.data.n_features), np.ones(training.data.n_features)
    rounds: list[Round] = []
    while len(rounds) < MOST_ROUNDS:
        problem = training.problem(WeightedL1(beta), lam)
        after = solve(ProximalNewton(), problem, EXACTLY, w).weights
        objective = loss.evaluate(problem.scores(after)).value + lam * penalty.value(after)
        rounds.append(Round(len(rounds) + 1, beta, w, after, objective))
        if len(rounds) > 1 and np.abs(after - w).max() <= SETTLED:
            break
        w, beta = after, penalty.weights(after)
    return tuple(rounds)


def majoriser(penalty: Penalty, touch: float, at: FloatArray) -> FloatArray:
    """Compute g(u0) + g'(u0) (u - u0), the tangent at u0 = ``touch`` >= 0, which lies above a concave g everywhere.

    Where the slope is infinite (lp at 0), it is infinite beyond u0 and touches g at u0 only.
    """
    at = np.asarray(at, dtype=np.float64)
    u0 = np.array([touch])
    height, slope = float(penalty.curve(u0)[0]), float(penalty.weights(u0)[0])
    ahead = at - touch
    return height + np.where(ahead == 0.0, 0.0, slope * np.where(ahead == 0.0, 1.0, ahead))
