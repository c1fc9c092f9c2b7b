"""Accelerated gradients: FISTA as in Laporte et al. (2014) and in a practical form, and FSMRank's algorithm."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.losses import LossEvaluation
from core.penalties import ImportanceSimilarity
from core.solvers.base import Iterate
from core.solvers.certificates import Certifier
from core.solvers.line_search import bend
from core.solvers.problem import FloatArray, Problem, needs_curvature


def pair_lipschitz_bound(problem: Problem) -> float:
    """Compute (2/P) sum over pairs of ||x_i - x_j||^2, a Lipschitz constant of the loss's gradient in w.

    Laporte et al. (2014, Proposition 1) give the sum without the factor 2 of the squared hinge's derivative; it is
    restored here. Costs one pass over X.
    """
    zero = np.zeros(problem.features.shape[0])
    total = 0.0
    for j in range(problem.n_features):
        column = problem.features[:, j].astype(np.float64)
        total += float(column @ problem.smooth_loss.curvature_product(zero, column))
    return total


def next_momentum(t: float) -> float:
    """Compute t_{k+1} = (1 + sqrt(1 + 4 t_k^2)) / 2 (Algorithm 1, line 6)."""
    return 0.5 * (1.0 + float(np.sqrt(1.0 + 4.0 * t * t)))


class _Convex:
    """What either form of FISTA can solve."""

    def accepts(self, problem: Problem) -> str | None:
        if not problem.penalty.convex:
            return "FISTA needs a convex penalty; choose a reweighting solver"
        return needs_curvature(problem, "FISTA")


@dataclass(frozen=True)
class FistaFixed(_Convex):
    """Algorithm 1 of Laporte et al. (2014) as published: step 1/L with their Lipschitz constant, no restart.

    The constant sums over all pairs, so the steps are very short. The solver exists for comparison.
    """

    id: ClassVar[str] = "fista-fixed"
    title: ClassVar[str] = "FISTA, fixed step"
    explanation: ClassVar[str] = (
        "Algorithm 1 of Laporte et al.: a gradient step of length 1/L, the proximal operator, and momentum. It "
        "converges as O(1/k²), but the paper's L is cautious, so steps are very short. The objective may rise on the "
        "way."
    )

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        certifier = Certifier(problem)
        lipschitz = pair_lipschitz_bound(problem) or 1.0  # 0 where no pair differs: then any step will do
        w = z = start
        w_scores = z_scores = problem.scores(w)
        evaluation = problem.loss.evaluate(z_scores)
        gradient = problem.pull_back(evaluation.gradient)
        yield _iterate(problem, certifier, 0, w, evaluation, gradient, evaluation, 3.0)
        t, step, passes = 1.0, 0, 3.0
        while True:
            new = problem.penalty.prox(z - gradient / lipschitz, problem.lam / lipschitz)
            new_scores = problem.scores(new)
            begun = time.perf_counter()
            at_new = problem.loss.evaluate(new_scores)  # only to report F: the algorithm needs it at z
            step, passes = step + 1, passes + 1.0
            shown = _iterate(problem, certifier, step, new, at_new, gradient, evaluation, passes)
            yield replace(shown, measuring=time.perf_counter() - begun)
            t, momentum = next_momentum(t), (t - 1.0) / next_momentum(t)
            z = new + momentum * (new - w)
            z_scores = new_scores + momentum * (new_scores - w_scores)
            w, w_scores = new, new_scores
            evaluation = problem.loss.evaluate(z_scores)
            gradient = problem.pull_back(evaluation.gradient)
            passes += 1.0


@dataclass(frozen=True)
class Fista(_Convex):
    """FISTA with backtracking on the step (Beck & Teboulle 2009) and adaptive restart (O'Donoghue & Candes 2015).

    The objective never increases: if momentum would increase it, the step is repeated without momentum.
    """

    id: ClassVar[str] = "fista"
    title: ClassVar[str] = "FISTA, backtracking and restart"
    explanation: ClassVar[str] = (
        "A gradient step whose length backtracking finds, the proximal operator, and momentum, which restarts where it "
        "points uphill. It converges as O(1/k²) at worst, and linearly once the selected features no longer change."
    )

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        penalty, lam, loss = problem.penalty, problem.lam, problem.loss
        certifier = Certifier(problem)
        w, w_scores = start, problem.scores(start)
        at_z = loss.evaluate(w_scores)
        gradient = problem.pull_back(at_z.gradient)
        objective = at_z.value + lam * penalty.value(w)
        z, z_scores = w, w_scores
        lipschitz = _curvature_along(problem, w_scores, gradient)
        t, step, passes = 1.0, 0, 3.0
        shown = _iterate(problem, certifier, 0, w, at_z, gradient, at_z, passes)
        yield shown
        stale, best, lowest = 0, shown.certificate.relative, objective
        while stale < STALE_STEPS:
            while True:
                new = penalty.prox(z - gradient / lipschitz, lam / lipschitz)
                new_scores = problem.scores(new)
                at_new = loss.evaluate(new_scores)
                passes += 1.0
                move = new - z
                bent = bend(at_z, at_new, float(gradient @ move), new_scores - z_scores)
                if not np.any(move) or bent <= 0.5 * lipschitz * float(move @ move) + 1e-16 * at_z.value:
                    break
                lipschitz *= GROWTH
            reached = at_new.value + lam * penalty.value(new)
            rises = reached > objective + ROUNDING * abs(objective)
            if rises and t > 1.0:  # momentum overshot: from w again, without it
                t, z, z_scores = 1.0, w, w_scores
            elif rises or (t == 1.0 and not np.any(new - w)):
                return  # even the plain step is lost in rounding
            else:
                step += 1
                begun = time.perf_counter()
                shown = _iterate(problem, certifier, step, new, at_new, gradient, at_z, passes)
                yield replace(shown, measuring=time.perf_counter() - begun)
                better = reached < lowest - 1e-16 * abs(lowest) or shown.certificate.relative < 0.99 * best
                stale = 0 if better else stale + 1
                best, lowest = min(best, shown.certificate.relative), min(lowest, reached)
                uphill = float((z - new) @ (new - w)) > 0.0
                later = next_momentum(t)
                momentum = 0.0 if uphill else (t - 1.0) / later
                t = 1.0 if uphill else later
                z = new + momentum * (new - w)
                z_scores = new_scores + momentum * (new_scores - w_scores)
                w, w_scores, objective = new, new_scores, reached
                lipschitz *= SHRINK
            at_z = loss.evaluate(z_scores)
            gradient = problem.pull_back(at_z.gradient)
            passes += 1.0


GROWTH, SHRINK = 2.0, 0.9  # of the curvature that a step is too long for, and after every step
STALE_STEPS = 100  # without any gain in objective or certificate: only rounding is left
ROUNDING = 1e-14  # of F: what its sum over all pairs may be off by


def _curvature_along(problem: Problem, scores: FloatArray, direction: FloatArray) -> float:
    """Compute the curvature of the loss along a direction in w: a first guess of L, likely too small."""
    along = problem.scores(direction)
    length = float(direction @ direction)
    curvature = float(along @ problem.smooth_loss.curvature_product(scores, along))
    return curvature / length if length > 0.0 and curvature > 0.0 else 1.0


def _iterate(
    problem: Problem,
    certifier: Certifier,
    step: int,
    w: FloatArray,
    at_w: LossEvaluation,
    gradient: FloatArray,
    at_gradient: LossEvaluation,
    passes: float,
) -> Iterate:
    """Make an iterate at w, bounded from below by the dual point at which the last gradient was taken."""
    objective = at_w.value + problem.lam * problem.penalty.value(w)
    certifier.add_bound(w, at_gradient, gradient)
    if certifier.has_bound:
        return Iterate(step, w, objective, certifier.gap(objective), passes)
    own = problem.pull_back(at_w.gradient)
    return Iterate(step, w, objective, certifier.stationarity(w, own), passes)


GAMMA = 2.0  # above 1; the paper's
OF_LOSS = 1e-15  # of the loss: what a difference of two of its values may be off by


@dataclass(frozen=True)
class NesterovNemirovski:
    """Algorithm 1 of Lai et al. (2013, FSMRank): w = w+ - w-, both parts at least 0, as 2d variables.

    The smooth part Phi is the loss plus the similarity term. The importance-weighted l1 term is linear on the 2d
    variables, so the projection step (their eq. 3) is a shift and a cut at 0. The estimate L of Phi's curvature starts
    at L_0 / gamma^10, is multiplied by gamma while Phi curves more than L says, and never decreases. The certificate
    uses the gradient at z, which the algorithm computes anyway.
    """

    id: ClassVar[str] = "nesterov-nemirovski"
    title: ClassVar[str] = "Nesterov with Nemirovski's line search"
    explanation: ClassVar[str] = (
        "Algorithm 1 of Lai et al. (FSMRank): a gradient step with momentum on the positive and the negative parts of "
        "the weights; a line search finds its length. It converges as O(1/k²), and the objective may rise on the way."
    )

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.penalty, ImportanceSimilarity):
            return "this form of Nesterov's method is for FSMRank's penalty; choose FISTA"
        return needs_curvature(problem, "Nesterov's method")

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        penalty, lam = problem.penalty, problem.lam
        assert isinstance(penalty, ImportanceSimilarity)
        certifier = Certifier(problem)
        price = lam * penalty.price
        curvature = curvature_bound(problem) / GAMMA**10
        parts = np.stack([np.maximum(start, 0.0), np.maximum(-start, 0.0)])
        scores = problem.scores(start)
        at_z = problem.loss.evaluate(scores)
        z, z_scores = parts, scores
        slope = problem.pull_back(at_z.gradient)
        objective = at_z.value + lam * penalty.value(start)
        alpha, step, passes = 1.0, 0, 2.0
        yield Iterate(step, start, objective, certifier.certify(start, objective, at_z, slope), passes)
        while True:
            toll = lam * penalty.toll(z.sum(axis=0))
            gradient = np.stack([slope + toll, -slope + toll])
            while True:
                new = np.maximum(z - (gradient + price) / curvature, 0.0)
                w = new[0] - new[1]
                new_scores = problem.scores(w)
                at_new = problem.loss.evaluate(new_scores)
                passes += 1.0
                move = new - z
                allowed = 0.5 * curvature * float((move * move).sum())
                if _rise(problem, at_z, at_new, slope, move, new_scores - z_scores) <= allowed + OF_LOSS * at_z.value:
                    break
                curvature *= GAMMA
            objective = at_new.value + lam * penalty.value(w)
            step += 1
            yield Iterate(step, w, objective, certifier.gap(objective), passes)
            later = next_momentum(alpha)
            momentum, alpha = (alpha - 1.0) / later, later
            z = new + momentum * (new - parts)
            z_scores = new_scores + momentum * (new_scores - scores)
            parts, scores = new, new_scores
            at_z = problem.loss.evaluate(z_scores)
            slope = problem.pull_back(at_z.gradient)
            passes += 1.0
            certifier.add_bound(z[0] - z[1], at_z, slope)


def curvature_bound(problem: Problem) -> float:
    """Compute L_0 = (4 r^2 + 2 lambda_1) d of Theorem 1, r the largest range of a feature (1 for scaled features)."""
    assert isinstance(problem.penalty, ImportanceSimilarity)
    widest = float(np.ptp(problem.features, axis=0).max(initial=0.0)) or 1.0  # constant features: any step will do
    return (4.0 * widest * widest + 2.0 * problem.lam * problem.penalty.ratio) * problem.n_features


def _rise(
    problem: Problem,
    at_z: LossEvaluation,
    at_new: LossEvaluation,
    slope: FloatArray,
    move: FloatArray,
    score_move: FloatArray,
) -> float:
    """Compute Phi at the new point less its tangent at z; the quadratic part is exact."""
    assert isinstance(problem.penalty, ImportanceSimilarity)
    size = move.sum(axis=0)
    similar = 0.5 * problem.lam * float(size @ problem.penalty.toll(size))
    return bend(at_z, at_new, float(slope @ (move[0] - move[1])), score_move) + similar
