"""Frank-Wolfe on the l1 ball: FenchelRank (Lai et al. 2013, Algorithm 1), its short step, away steps, full correction.

The ball's vertices are +-r e_j. All methods choose the feature with the steepest slope, and all but the short step use
exact line search. They report the gap of the paper's eq. 16 at every step. The objective is the loss, because the
penalty is 0 inside the ball.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.losses import LossEvaluation
from core.penalties import L1Ball
from core.solvers.base import Certificate, Iterate
from core.solvers.line_search import exact_step
from core.solvers.problem import FloatArray, Problem, needs_curvature


def frank_wolfe_gap(w: FloatArray, gradient: FloatArray, radius: float) -> float:
    """Compute <gradient, w> + r ||gradient||_inf, an upper bound of L(w) - L* (Lai et al. 2013, eq. 16 and Theorem 2).

    The paper's d_t^T K is minus r times the gradient and its w is w / r.
    """
    return max(float(gradient @ w) + radius * float(np.abs(gradient).max(initial=0.0)), 0.0)


class InBall:
    """What Frank-Wolfe's method and its variants can solve."""

    def accepts(self, problem: Problem) -> str | None:
        if not isinstance(problem.penalty, L1Ball):
            return "Frank-Wolfe is for weights in an ℓ1 ball"
        return needs_curvature(problem, "Frank-Wolfe")


class BallWalk:
    """State of a Frank-Wolfe method: weights, scores, loss, gradient and gap, updated together.

    A forward step costs a pass over X for the gradient and one column for the direction's scores.
    """

    def __init__(self, problem: Problem, start: FloatArray) -> None:
        assert isinstance(problem.penalty, L1Ball)
        self.problem = problem
        self.radius = problem.penalty.radius
        self.w = problem.penalty.prox(start, 1.0)
        self.scores = problem.scores(self.w)
        self.evaluation: LossEvaluation = problem.loss.evaluate(self.scores)
        self.step, self.passes = 0, 1.0

    def look(self) -> Iterate:
        """Compute the gradient at the present weights and return an iterate with its gap.

        The relative certificate is the gap itself: the paper's epsilon is absolute, and L(0) = 1 sets the scale.
        """
        self.gradient = self.problem.pull_back(self.evaluation.gradient)
        self.passes += 1.0
        gap = frank_wolfe_gap(self.w, self.gradient, self.radius)
        shown = Certificate("duality gap", gap, gap, unit="L(0)", among=self.problem.penalty.among)
        return Iterate(self.step, self.w, self.evaluation.value, shown, self.passes)

    def best_vertex(self) -> FloatArray:
        """Return -r sign(gradient_j) e_j for the j with the steepest slope, shape (n_features,)."""
        corner, j = np.zeros_like(self.w), int(np.argmax(np.abs(self.gradient)))
        corner[j] = -self.radius * np.sign(self.gradient[j])
        return corner

    def scores_of(self, w: FloatArray) -> FloatArray:
        """Compute X w for few non-zero features, shape (n_documents,); this reads only their columns."""
        chosen = np.flatnonzero(w)
        self.passes += len(chosen) / max(len(w), 1)
        columns: FloatArray = self.problem.features[:, chosen].astype(np.float64, copy=False)
        return columns @ w[chosen]

    def search(self, along: FloatArray, longest: float) -> float:
        """Find the exact step along a direction in scores, 0 where the loss does not decrease, and move the scores."""
        mu, self.evaluation = exact_step(self.problem.smooth_loss, self.scores, along, self.evaluation, longest)
        self.scores = self.scores + mu * along
        self.step += 1
        return mu

    def short_step(self, along: FloatArray) -> float:
        """Take the step up to 1 that minimises a quadratic upper bound of the loss, and move the scores.

        The step is 0 where no step decreases the bound. The bound has the slope of the loss here and the curvature with
        every pair active, as at the scores 0: no curvature is larger.
        """
        slope = float(self.evaluation.gradient @ along)
        curvature = float(along @ self.problem.smooth_loss.curvature_product(np.zeros_like(along), along))
        if slope >= 0.0 or curvature <= 0.0:
            return 0.0
        mu = min(-slope / curvature, 1.0)
        self.scores = self.scores + mu * along
        self.evaluation = self.problem.loss.evaluate(self.scores)
        self.step += 1
        return mu


def _towards_vertices(walk: BallWalk, step: Callable[[BallWalk, FloatArray], float]) -> Iterator[Iterate]:
    """Run Algorithm 1: move towards the steepest vertex by the length that ``step`` returns.

    ``step`` takes the walk and the direction in scores.
    """
    while True:
        yield walk.look()
        vertex = walk.best_vertex()
        mu = step(walk, walk.scores_of(vertex) - walk.scores)
        if mu == 0.0:
            return
        walk.w = (1.0 - mu) * walk.w + mu * vertex


@dataclass(frozen=True)
class FrankWolfe(InBall):
    """FenchelRank as published: w <- (1 - mu) w + mu * vertex of the steepest feature, mu by exact line search."""

    id: ClassVar[str] = "frank-wolfe"
    title: ClassVar[str] = "Frank-Wolfe (FenchelRank)"
    explanation: ClassVar[str] = (
        "Algorithm 1 of Lai et al.: each step takes the feature with the steepest slope and moves towards it as far as "
        "the loss falls. It takes O(1/ε) steps. A step adds at most one feature, so early models are sparse."
    )

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        return _towards_vertices(BallWalk(problem, start), lambda walk, along: walk.search(along, 1.0))


@dataclass(frozen=True)
class FrankWolfeShortStep(InBall):
    """FenchelRank with the closed-form step that Lai et al. (2013, section 5.6) mention as another choice.

    mu = min(max(p <d, K b> / (2 r^2 ||K b||^2), 0), 1) maximises the paper's lower bound of a step's gain, eq. 28, so
    Theorem 1 holds for it as for the exact search. The printed step has two errors, taken for misprints: it is
    max(min(0, .), 1), which is always 1, and it lacks the factor p / (2 r^2), without which it would hardly move.
    """

    id: ClassVar[str] = "frank-wolfe-short-step"
    title: ClassVar[str] = "Frank-Wolfe, short steps (FenchelRank, §5.6)"
    explanation: ClassVar[str] = (
        "FenchelRank with the other step that Lai et al. name: instead of a line search, a closed form minimises an "
        "upper bound of the loss, in which every pair counts. This step is never longer than the exact one, and the "
        "same bound of 16r²/ε steps holds."
    )

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        return _towards_vertices(BallWalk(problem, start), BallWalk.short_step)


@dataclass(frozen=True)
class AwaySteps(InBall):
    """Frank-Wolfe with away steps (Guelat & Marcotte 1986; Lacoste-Julien & Jaggi 2015) on FenchelRank's problem.

    w is a convex combination of the vertices sign(w_j) r e_j, with shares |w_j| / r, and of the origin, with the
    remaining share. A step moves away from the worst of them if that promises more than moving towards the best vertex,
    at most until the share is 0. Features can thus leave the model, and convergence is linear. The paper does not use
    it.
    """

    id: ClassVar[str] = "away-steps"
    title: ClassVar[str] = "Frank-Wolfe with away steps"
    explanation: ClassVar[str] = (
        "Ours, on FenchelRank's problem: a step goes either towards the steepest feature or away from the worst one in "
        "the model. It converges linearly, and features that were a mistake leave the model."
    )

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        walk = BallWalk(problem, start)
        while True:
            shown = walk.look()
            yield shown
            away, share = _worst_part(walk)
            promised = float(walk.gradient @ (away - walk.w))
            if shown.certificate.value >= promised or share >= 1.0:
                vertex = walk.best_vertex()
                mu = walk.search(walk.scores_of(vertex) - walk.scores, 1.0)
                walk.w = (1.0 - mu) * walk.w + mu * vertex
            else:
                most = share / (1.0 - share)
                mu = walk.search(walk.scores - walk.scores_of(away), most)
                walk.w = walk.w + mu * (walk.w - away)
                if mu == most:
                    walk.w[away != 0.0] = 0.0
            if mu == 0.0:
                return


def _worst_part(walk: BallWalk) -> tuple[FloatArray, float]:
    """Return the part of the combination with the largest <gradient, part>, shape (n_features,), and its share."""
    w, radius = walk.w, walk.radius
    chosen = np.flatnonzero(w)
    uphill = walk.gradient[chosen] * np.sign(w[chosen])
    origin = max(1.0 - float(np.abs(w).sum()) / radius, 0.0) if radius > 0.0 else 1.0
    part = np.zeros_like(w)
    if len(chosen) == 0 or (origin > SMALLEST_SHARE and uphill.max() <= 0.0):
        return part, origin
    worst = chosen[np.argmax(uphill)]
    part[worst] = radius * np.sign(w[worst])
    return part, min(float(np.abs(w[worst])) / radius, 1.0)


SMALLEST_SHARE = 1e-14  # of the mixture: less than it is rounding


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
