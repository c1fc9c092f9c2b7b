"""ADMM for the infinite push: Algorithm 1 of Rakotomamonjy (2012), as published and with the exact prox."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.losses import LossEvaluation
from core.losses.infinite_push import InfinitePush
from core.penalties import L2
from core.solvers.admm.pairs import PairBlocks
from core.solvers.admm.prox import DualBall, exact_prox, nested_prox
from core.solvers.base import Iterate
from core.solvers.certificates import Certifier
from core.solvers.newton._quadratic_kernel import weighted_lasso
from core.solvers.problem import FloatArray, Problem

MOST_PAIRS, MOST_FEATURES = 2_000_000, 8_000  # some ten vectors with a number a pair, two matrices of features
PRIMAL_TOL = 1e-9  # of the root mean square of X w + a - 1 over the pairs
DUAL_TOL = 1e-9  # of the distance of 0 from mu X^T gamma + lam * subdifferential of the penalty, divided by lam
MOST_SWEEPS = 10_000
MOST_ROUNDS = 100
LASSO_TOL = 1e-7  # largest remaining distance of 0 to the subdifferential, over lam / mu; constant, as in the paper
MU = 0.03
"""Weight of the quadratic penalty on X w + a = 1, in units of one over the number of positive documents (the unit of
the multipliers). A large value enforces the constraint early, and the objective converges slowly."""

WeightStep = Callable[[FloatArray, FloatArray], FloatArray]
"""Minimises ||X w - s||^2 / 2 + (lam / mu) * penalty(w) over w, given the present w and X^T (X w - s) there.

Line 6 of the paper has lam instead of lam / mu; section 3.2 has lam / mu, which is right.
"""


def weight_step(problem: Problem, gram: FloatArray, mu: float) -> WeightStep:
    """Make the step for the problem's penalty: the closed form for l2 (section 3.2), else coordinate descent.

    That uses covariance updates: it needs X^T X and the slope, not X or s. It descends on the active set, that is the
    non-zero features and those that violate their optimality condition, usually few. The other slopes are updated when
    these have settled.

    Parameters
    ----------
    gram : ndarray of float64, shape (n_features, n_features)
        X^T X of the pairs.
    """
    penalty, price = problem.penalty, problem.lam / mu
    if isinstance(penalty, L2):
        from scipy.linalg import cho_factor, cho_solve  # heavy to import, and no page begins with it

        gram[np.diag_indices_from(gram)] += price
        factor = cho_factor(gram)
        return lambda w, slope: w - np.asarray(cho_solve(factor, slope + price * w), dtype=np.float64)
    tolerance = LASSO_TOL * price

    def descend(w: FloatArray, slope: FloatArray) -> FloatArray:
        threshold, signs = price * penalty.weights(w), penalty.signs(len(w))
        for _ in range(MOST_ROUNDS):
            distance = penalty.distance_to_stationarity(w, slope, price)
            if distance.max(initial=0.0) <= tolerance:
                break
            active = np.flatnonzero((w != 0.0) | (distance > tolerance))
            columns = gram[active]
            hessian = np.ascontiguousarray(columns[:, active])
            settled = weighted_lasso(
                hessian, slope[active], w[active], threshold[active], 0.5 * tolerance, MOST_SWEEPS, signs[active]
            )
            slope = slope + (settled - w[active]) @ columns
            w = w.copy()
            w[active] = settled
        return w

    return descend


@dataclass(frozen=True)
class AdmmExactProx:
    """Algorithm 1 with the exact proximal operator of the loss: one projection instead of three nested loops.

    It minimises lam * penalty(w) + g(a) subject to X w + a = 1, where g is the loss of the margins 1 - a of the pairs.

    Each step updates the weights, the slacks a and the multipliers gamma (scaled by 1 / mu). The negated multipliers,
    times mu, tend to a dual point of the loss. Scaled into the dual ball, it gives a lower bound of the optimum. A run
    ends where `PRIMAL_TOL` and `DUAL_TOL` both hold.
    """

    id: ClassVar[str] = "admm-exact-prox"
    title: ClassVar[str] = "ADMM, exact prox"
    explanation: ClassVar[str] = (
        "The paper's ADMM with an exact proximal operator of the loss: one scalar equation for the threshold that all "
        "top negatives share replaces the nested loops."
    )

    prox = staticmethod(exact_prox)

    def accepts(self, problem: Problem) -> str | None:
        loss, penalty = problem.loss, problem.penalty
        if not isinstance(loss, InfinitePush):
            return "ADMM is only for the infinite push loss; choose another solver"
        if not (isinstance(penalty, L2) or (penalty.convex and penalty.sparse)):
            return "ADMM needs an ℓ1 or ℓ2 penalty; choose the exact solver"
        n_pairs = loss.groups.n_pairs
        if n_pairs > MOST_PAIRS:
            return (
                f"ADMM stores a number for every pair of a positive and a negative, at most {MOST_PAIRS:,}, and "
                f"here there are {n_pairs:,}; choose the exact solver"
            )
        if problem.n_features > MOST_FEATURES:
            return (
                f"ADMM stores a matrix of features by features, at most {MOST_FEATURES:,} of them, and here there "
                f"are {problem.n_features:,}; choose the exact solver"
            )
        return None

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        loss = problem.loss
        assert isinstance(loss, InfinitePush)  # `accepts` says so
        ball = _dual_ball(loss)
        pairs = ball.pairs
        mu = MU / pairs.height.sum()
        step_in_w = weight_step(problem, pairs.gram(problem.features), mu)
        certifier, dual_residual = Certifier(problem), np.inf

        def shown() -> Iterate:
            """Compute objective and certificate; the algorithm itself needs neither."""
            nonlocal dual_residual
            begun = time.perf_counter()
            value, scaled = loss.evaluate(scores).value, mu * multipliers
            alpha = ball.scaled_inside(np.maximum(-scaled, 0.0))
            on_documents = -pairs.on_documents(alpha)
            gradient = problem.pull_back(on_documents)
            dual = LossEvaluation(float(alpha.sum()), 0.0, 1.0, value=value, gradient=on_documents)
            objective = value + problem.lam * problem.penalty.value(w)
            certificate = certifier.certify(w, objective, dual, gradient)
            dual_residual = problem.residual(w, gradient) / problem.lam
            hidden = (float(scaled.sum()), float(scaled @ scaled))
            return Iterate(step, w, objective, certificate, passes, time.perf_counter() - begun, hidden=hidden)

        w, scores = start, problem.scores(start)
        multipliers = np.zeros(len(pairs))  # gamma; a starts from 0 as well, so only the Lasso step sees the start
        slope = problem.pull_back(pairs.on_documents(pairs.differences(scores) - 1.0))  # X^T (X w + a - 1 + gamma)
        step, passes = 0, 3.0  # scores, slope, and one for the Gram matrix
        yield shown()
        while True:
            w = step_in_w(w, slope)
            scores = problem.scores(w)
            s = 1.0 - multipliers - pairs.differences(scores)
            before, multipliers = multipliers, self.prox(ball, s, 1.0 / mu) - s  # = gamma + X w + a - 1
            residual = multipliers - before  # X w + a - 1
            slope = problem.pull_back(pairs.on_documents(residual + multipliers))
            step, passes = step + 1, passes + 2.0
            yield shown()
            primal = float(np.sqrt(np.mean(residual * residual)))
            if primal <= PRIMAL_TOL and dual_residual <= DUAL_TOL:
                return


def _dual_ball(loss: InfinitePush) -> DualBall:
    pairs = PairBlocks.of(loss.groups, loss.n_documents)
    radius = 1.0 / (len(pairs.height) * pairs.height)
    return DualBall(pairs, radius, radius / loss.top)


@dataclass(frozen=True)
class Admm(AdmmExactProx):
    """Algorithm 1 of Rakotomamonjy (2012), with its nested proximal operator."""

    id: ClassVar[str] = "admm"
    title: ClassVar[str] = "ADMM"
    explanation: ClassVar[str] = (
        "Algorithm 1 of Rakotomamonjy: each step solves a Lasso, then computes the loss's proximal operator by three "
        "nested loops (coordinate descent, Douglas–Rachford, ℓ1,∞ projection), then updates the multipliers. It stores "
        "a number for every pair."
    )

    prox = staticmethod(nested_prox)
