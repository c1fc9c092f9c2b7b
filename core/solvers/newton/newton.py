"""Newton's method for the l2 penalty: RankSVM-Primal (Chapelle & Keerthi 2010) without explicit pairs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.penalties.by_feature import is_ridge
from core.solvers.base import Iterate
from core.solvers.certificates import Certifier
from core.solvers.line_search import Progress, backtrack, rounding_of
from core.solvers.problem import FloatArray, Problem, needs_curvature


@dataclass(frozen=True)
class Newton:
    """Newton steps with the exact Hessian of the active pairs, and a line search.

    Parameters
    ----------
    largest_exact : int
        With more features than this, conjugate gradients on curvature products solve the Newton system, and the Hessian
        is never formed.
    """

    id: ClassVar[str] = "newton"
    title: ClassVar[str] = "Newton"
    explanation: ClassVar[str] = (
        "The loss is piecewise quadratic: once the active pairs no longer change, a Newton step reaches the optimum."
    )

    largest_exact: int = 1500

    def accepts(self, problem: Problem) -> str | None:
        if not is_ridge(problem.penalty):
            return "Newton's method is only for the ℓ2 penalty"
        return needs_curvature(problem, "Newton's method")

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        certifier = Certifier(problem)
        w, scores = start, problem.scores(start)
        evaluation = problem.loss.evaluate(scores)
        objective = evaluation.value + problem.lam * problem.penalty.value(w)
        step, passes = 0, 1.0
        progress = Progress()
        while True:
            slope = problem.pull_back(evaluation.gradient)
            passes += 1.0
            yield Iterate(step, w, objective, certifier.certify(w, objective, evaluation, slope), passes)
            gradient = slope + _price(problem) * w
            if problem.n_features <= self.largest_exact:
                direction = _exact_direction(problem, scores, gradient)
                passes += 1.0
            else:
                direction, products = _conjugate_gradient_direction(problem, scores, gradient)
                passes += 2.0 * products
            descent = float(gradient @ direction)
            worst = float(np.abs(gradient).max(initial=0.0))
            ended = progress.ended(objective, worst, -descent, rounding_of(objective, scores, evaluation))
            if descent >= 0.0 or ended:
                return
            moved = backtrack(problem, w, scores, objective, direction, descent)
            if moved is None:
                return
            w, scores, evaluation, objective = moved
            step, passes = step + 1, passes + 1.0


def _price(problem: Problem) -> FloatArray:
    """The penalty's second derivative, shape (n_features,)."""
    return problem.lam * problem.penalty.curvature(np.ones(problem.n_features))


def _exact_direction(problem: Problem, scores: FloatArray, gradient: FloatArray) -> FloatArray:
    hessian = problem.smooth_loss.hessian(scores, problem.features, np.arange(problem.n_features))
    hessian[np.diag_indices_from(hessian)] += _price(problem)
    try:
        return -np.asarray(np.linalg.solve(hessian, gradient), dtype=np.float64)
    except np.linalg.LinAlgError:  # features of very different units: lambda is lost beside the largest
        return -_in_common_units(hessian, gradient)


def _in_common_units(hessian: FloatArray, gradient: FloatArray) -> FloatArray:
    """Solve a system that rounding has made singular, in units that make its diagonal 1, by least squares."""
    unit = 1.0 / np.sqrt(hessian.diagonal())
    solution = np.linalg.lstsq(hessian * np.outer(unit, unit), gradient * unit)[0]
    return np.asarray(solution * unit, dtype=np.float64)


def _conjugate_gradient_direction(problem: Problem, scores: FloatArray, gradient: FloatArray) -> tuple[FloatArray, int]:
    """Return an approximate Newton direction (relative residual 1e-3) and the number of curvature products."""
    from scipy.sparse.linalg import LinearOperator, cg  # heavy to import, needed for wide data only

    count, price = 0, _price(problem)

    def product(v: FloatArray) -> FloatArray:
        nonlocal count
        count += 1
        return price * v + problem.pull_back(problem.smooth_loss.curvature_product(scores, problem.scores(v)))

    size = problem.n_features
    operator = LinearOperator((size, size), matvec=product, dtype=np.float64)
    direction, _ = cg(operator, -gradient, rtol=1e-3, maxiter=500)
    return direction, count
