"""Reweighted l1 round by round, with the data of each round (Laporte et al. 2014, Algorithm 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.methods import Training
from core.penalties import Penalty, WeightedL1
from core.solvers import ProximalNewton, Stop, solve

FloatArray = NDArray[np.float64]

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

    Raises
    ------
    ValueError
        If the penalty is convex, so that there is nothing to reweight.
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
