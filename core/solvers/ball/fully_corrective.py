"""Fully corrective Frank-Wolfe: Newton steps within the l1 ball on a growing set of features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.solvers.ball.frank_wolfe import BallWalk, InBall
from core.solvers.base import Iterate
from core.solvers.problem import FloatArray, Problem


@dataclass(frozen=True)
class FullyCorrective(InBall):
    """Fully corrective Frank-Wolfe on FenchelRank's problem: add the steepest feature, then correct all chosen weights.

    The correction minimises the loss's second-order model on these features within the ball, followed by exact line
    search. Once the features have settled these are Newton steps. The paper does not use it.
    """

    id: ClassVar[str] = "fully-corrective"
    title: ClassVar[str] = "fully corrective Frank-Wolfe"
    explanation: ClassVar[str] = (
        "Ours, on FenchelRank's problem: each step adds the steepest feature, then a Newton step within the ball moves "
        "the weights of all features in the model. It takes little more than one step a feature and then converges "
        "quadratically."
    )

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        walk = BallWalk(problem, start)
        while True:
            yield walk.look()
            target = _corrected(walk)
            mu = walk.search(walk.scores_of(target - walk.w), 1.0)
            if mu == 0.0:  # what the model promises is lost in rounding: the plain step, if that still falls
                target = walk.best_vertex()
                mu = walk.search(walk.scores_of(target) - walk.scores, 1.0)
            if mu == 0.0:
                return
            walk.w = target if mu == 1.0 else (1.0 - mu) * walk.w + mu * target


def _corrected(walk: BallWalk) -> FloatArray:
    """Minimise the second-order model within the ball on the chosen features and the steepest one."""
    problem, vertex = walk.problem, walk.best_vertex()
    active = np.union1d(np.flatnonzero(walk.w), np.flatnonzero(vertex))
    hessian = problem.smooth_loss.hessian(walk.scores, problem.features, active)
    walk.passes += len(active) / problem.n_features
    signs = np.sign(np.where(walk.w == 0.0, vertex, walk.w))
    target = np.zeros_like(walk.w)
    target[active] = quadratic_in_ball(hessian, walk.gradient[active], walk.w[active], signs[active], walk.radius)
    return target


def quadratic_in_ball(
    hessian: FloatArray, gradient: FloatArray, start: FloatArray, signs: FloatArray, radius: float
) -> FloatArray:
    """Minimise gradient.(u - start) + (u - start).H.(u - start) / 2 over ||u||_1 <= radius with these signs.

    This is an active-set method. It moves towards the minimum on the remaining weights, on the sphere or not, as far as
    signs and ball allow. A weight that reaches 0 stays 0, and a point that returns to the sphere stays on it, so that
    rounding cannot make it cycle. The model decreases with every move; the result is the minimum on the weights that
    remain.

    Parameters
    ----------
    hessian : ndarray, shape (k, k)
        Symmetric, positive semi-definite, with the gradient in its range.
    gradient, start : ndarray, shape (k,)
        The start lies in the ball.
    signs : ndarray, shape (k,)
        1 or -1; equal to the sign of the start where the start is not 0.
    radius : float

    Returns
    -------
    ndarray, shape (k,)
    """
    u = start.copy()
    pull = hessian @ start - gradient
    left = np.ones(len(u), dtype=bool)
    on_sphere, to_stay = float(signs @ u) >= radius * (1.0 - ON_SPHERE), False
    while left.any():
        inner, sides = hessian[np.ix_(left, left)], signs[left]
        if on_sphere:
            best, multiplier = _minimum_on_sphere(inner, pull[left], sides, radius)
            on_sphere = multiplier >= 0.0 or to_stay
        if not on_sphere:
            best = np.linalg.lstsq(inner, pull[left], rcond=None)[0]
        move = np.zeros_like(u)
        move[left] = best - u[left]
        shrinks = left & (signs * (u + move) < 0.0)
        room = np.full_like(u, np.inf)
        room[shrinks] = -u[shrinks] / move[shrinks]
        growth = float(signs @ move)
        to_sphere = (radius - float(signs @ u)) / growth if not on_sphere and growth > 0.0 else np.inf
        length = min(float(room.min()), to_sphere, 1.0)
        u = u + length * move
        if length == 1.0:
            break
        if length == to_sphere:
            on_sphere = to_stay = True
        else:
            left[room == length] = False
            u[room == length] = 0.0
    return u


ON_SPHERE = 1e-12  # of the radius: so close, and the limit binds


def _minimum_on_sphere(
    hessian: FloatArray, pull: FloatArray, signs: FloatArray, radius: float
) -> tuple[FloatArray, float]:
    """Minimise u.H.u / 2 - pull.u where signs.u = radius, and return the multiplier too.

    A negative multiplier means that a smaller norm is better.
    """
    bordered = np.block([[hessian, signs[:, None]], [signs[None, :], np.zeros((1, 1))]])
    solution = np.linalg.lstsq(bordered, np.append(pull, radius), rcond=None)[0]
    return solution[:-1], float(solution[-1])
