"""Proximal Newton: the exact Hessian on an active set, coordinate descent on the model, line search on F."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.penalties import weighted_l1_of
from core.solvers.base import FIRST_ROUND_TOL, IN_ROUND, Iterate
from core.solvers.certificates import Certifier
from core.solvers.line_search import Progress
from core.solvers.newton._quadratic_kernel import weighted_lasso
from core.solvers.newton.evaluated_point import EvaluatedPoint, Move, point_at
from core.solvers.problem import FloatArray, Problem, needs_curvature


@dataclass(frozen=True)
class ProximalNewton:
    """Proximal Newton for (weighted) l1; for concave penalties it reweights inside every step.

    Each step works on the active set: the non-zero features and those that violate their optimality condition. It
    replaces the loss by its second-order model there, and a concave penalty by its tangent with weights beta = g'(|w|),
    which lies above it. Both agree with F to first order at w, so the step is a descent direction, and a line search on
    F makes sure of it.

    From zero, a concave penalty starts with a round of plain l1 (beta = 1), as in Algorithm 2 of Laporte et al. (2014).
    Any other start is used as it is, and another start may end in another minimum. The papers do not use this solver.
    """

    id: ClassVar[str] = "proximal-newton"
    title: ClassVar[str] = "proximal Newton"
    explanation: ClassVar[str] = (
        "Each step builds a quadratic model with the curvature of the active features, minimises it by "
        "coordinate descent, and searches along the line for a lower F. It converges quadratically, in about ten "
        "steps."
    )

    def accepts(self, problem: Problem) -> str | None:
        if not problem.penalty.sparse:
            return "proximal Newton needs a sparse penalty; use Newton for ℓ2"
        return needs_curvature(problem, "proximal Newton")

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        if problem.penalty.convex or np.any(start):
            yield from _descend(problem, start)
            return
        step, passes, w = 0, 0.0, start
        for iterate in _first_round(problem, start):
            yield iterate
            step, passes, w = iterate.step, iterate.passes, iterate.weights
        yield from _descend(problem, w, step + 1, passes)


def _first_round(problem: Problem, start: FloatArray) -> Iterator[Iterate]:
    """Solve the l1 problem (beta = 1) to a loose gap; the iterates report F."""
    beta = problem.penalty.first_weights(problem.n_features)
    plain = replace(problem, penalty=weighted_l1_of(problem.penalty, beta))
    for iterate in _descend(plain, start):
        w = iterate.weights
        smooth = iterate.objective - plain.lam * plain.penalty.value(w)
        objective = smooth + problem.lam * problem.penalty.value(w)
        certificate = replace(iterate.certificate, among=IN_ROUND)
        yield replace(iterate, objective=objective, certificate=certificate, provisional=True)
        if iterate.certificate.relative <= FIRST_ROUND_TOL:
            return


def _descend(problem: Problem, start: FloatArray, first_step: int = 0, passes: float = 0.0) -> Iterator[Iterate]:
    """Take `newton_steps` from weights."""
    before = problem.counter.passes - passes
    for iterate, _ in newton_steps(problem, point_at(problem, start), first_step, before):
        yield iterate


def newton_steps(
    problem: Problem, point: EvaluatedPoint, first_step: int = 0, before: float = 0.0
) -> Iterator[tuple[Iterate, EvaluatedPoint]]:
    """Take proximal Newton steps until no step decreases F measurably; yield each iterate with its point.

    Parameters
    ----------
    point : EvaluatedPoint
        The start.
    first_step : int
        Its number.
    before : float
        Passes of the problem's counter that do not count as these steps'.
    """
    penalty, lam, counter = problem.penalty, problem.lam, problem.counter
    certifier, signs = Certifier(problem), penalty.signs(problem.n_features)
    objective = point.value + lam * penalty.value(point.weights)
    step = first_step
    progress = Progress()
    while True:
        w, gradient = point.weights, point.gradient
        certificate = certifier.certify(w, objective, point.ray, gradient)
        yield Iterate(step, w, objective, certificate, float(counter.passes - before)), point

        threshold = lam * penalty.weights(w)
        distance = penalty.distance_to_stationarity(w, gradient, lam)
        worst = float(distance.max(initial=0.0))
        if worst == 0.0:
            return
        active, hessian = point.curvature(distance)
        hessian = _with_penalty_curvature(hessian, lam * penalty.curvature(w)[active])
        accuracy = min(0.1, worst / lam) * 0.1 * worst
        target = minimise_sparse_quadratic(
            hessian, gradient[active], w[active], threshold[active], accuracy, signs[active]
        )
        direction = np.zeros_like(w)
        direction[active] = target - w[active]
        slope = float(gradient[active] @ direction[active]) + float(
            threshold[active] @ (np.abs(target) - np.abs(w[active]))
        )
        ended = progress.ended(objective, worst, -slope, point.rounding(objective))
        if slope >= 0.0 or ended:
            return
        expected = gradient.copy()
        expected[active] += hessian @ direction[active]
        moved = point.moved(Move(direction, slope, active, threshold, expected), objective)
        if moved is None:
            return
        point, objective = moved
        step += 1


def _with_penalty_curvature(hessian: FloatArray, curvature: FloatArray) -> FloatArray:
    """Add as much of a concave penalty's own curvature as keeps the model convex.

    Tangent weights alone converge linearly; with the curvature, the last steps are Newton steps on F. A coordinate that
    is concave on its own has no minimum nearby and keeps its tangent.
    """
    curvature = np.where(np.diag(hessian) + curvature > 0.0, curvature, 0.0)
    share = 1.0
    while share > 0.05 and np.any(curvature < 0.0):
        model = hessian + np.diag(share * curvature)
        values = np.linalg.eigvalsh(model)
        if values[0] > -FLAT * values[-1]:
            return model
        share *= 0.5
    return hessian


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
