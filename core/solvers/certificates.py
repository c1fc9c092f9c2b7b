"""Certificates of an iterate, from quantities that the solver has computed anyway, unless features are exempt."""

from __future__ import annotations

import numpy as np

from core.losses.base import DualRay
from core.solvers.base import Certificate
from core.solvers.exempt_features import dual_point_with_exempt
from core.solvers.problem import FloatArray, Problem


class Certifier:
    """Makes certificates: the duality gap where the problem offers one, else the stationarity residual.

    Every dual value is a lower bound of the optimum, so the best one so far is kept.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._best_bound = -np.inf
        self._exempt = problem.penalty.exempt(problem.n_features)

    def add_bound(self, w: FloatArray, ray: DualRay, gradient: FloatArray) -> None:
        """Use the dual point of any scores, not only the iterate's; ``w`` are weights near the optimum."""
        problem = self._problem
        if self._exempt.any():
            found = dual_point_with_exempt(problem, w, self._exempt)
            ray, gradient = found or (ray, gradient)
        penalty, constant = problem.penalty.support(w)
        bound = penalty.dual_bound(ray.dual_slope, ray.dual_curvature, gradient, problem.lam, limit=ray.dual_limit)
        if bound is not None:
            self._best_bound = max(self._best_bound, bound + problem.lam * constant)

    @property
    def among(self) -> str:
        """The models among which its certificates hold; see `Certificate.among`."""
        return self._problem.penalty.among

    @property
    def has_bound(self) -> bool:
        """Whether a finite lower bound is known."""
        return bool(np.isfinite(self._best_bound))

    def gap(self, objective: float) -> Certificate:
        """Return F(w) minus the best lower bound so far (at least 0, against rounding)."""
        gap = max(objective - self._best_bound, 0.0)
        relative = gap / objective if objective > 0.0 else 0.0
        return Certificate("duality gap", gap, relative, among=self.among)

    def stationarity(self, w: FloatArray, gradient: FloatArray) -> Certificate:
        """Return the largest distance of 0 from the subdifferential of F at w."""
        problem = self._problem
        distance = problem.penalty.distance_to_stationarity(w, gradient, problem.lam)
        worst = float(distance.max(initial=0.0))
        return Certificate("stationarity", worst, worst / min(problem.lam, problem.steepest), among=self.among)

    def certify(self, w: FloatArray, objective: float, ray: DualRay, gradient: FloatArray) -> Certificate:
        """Return the certificate at w, given the loss's dual points and the gradient there."""
        if self._problem.penalty.convex:
            self.add_bound(w, ray, gradient)
            if self.has_bound:
                return self.gap(objective)
        return self.stationarity(w, gradient)
