"""Proximal Newton for the fits of a path: models at neighbouring lambda share passes over X."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from core.losses import LossAt
from core.losses.base import IntArray
from core.penalties import WeightedL1
from core.solvers.base import Iterate, Solver
from core.solvers.certificates import Certifier
from core.solvers.newton.evaluated_point import EvaluatedPoint, InOnePass, point_at
from core.solvers.newton.proximal_newton import FLAT, ProximalNewton, minimise_sparse_quadratic, newton_steps
from core.solvers.problem import FloatArray, Problem

LARGEST_RATIO = 2.5  # of the lambda before a batch to the smallest one in it: farther apart, its ends tell less
MOST_MODELS = 32  # of a batch
MOST_NUMBERS = 1 << 18  # of the gradients of its models, for each chunk of X in hand
MOST_ROUNDS = 6  # of evaluations, each of which makes a gap some ten times smaller
TIGHTEST = 1e-8  # tolerance for which that pays
ACCURACY = 0.01  # of a quadratic model's minimum, as a share of the tolerance times lambda


class BetweenModels:
    """Minima of second-order models of the loss plus weighted l1, at lambdas between those of two models.

    A share of 0 is the last of the two models, 1 the first one; lambda is linear in between. The curvature is taken to
    be linear in the share. The gradient at a share of s follows from the last model's by the mean curvature on the way,
    and s^2 times what this misses at the first model, since the error of a second-order model grows with the square of
    the way.

    Parameters
    ----------
    first, last : ndarray, shape (n_features,)
        Weights of the two models.
    at_first, at_last : LossAt
        The loss there. The last one's Hessian has the columns of all features that are not 0 in either.
    """

    def __init__(self, first: FloatArray, at_first: LossAt, last: FloatArray, at_last: LossAt) -> None:
        self.last, self._columns, self._hessian = last, at_last.columns, at_last.hessian
        self._gradient = at_last.gradient[self._columns]
        self._more = _hessian_on(self._columns, at_first, self._hessian) - self._hessian
        way = (first - last)[self._columns]
        self._missed = at_first.gradient[self._columns] - self._gradient - (self._hessian + 0.5 * self._more) @ way

    def predicted(self, share: float, threshold: FloatArray, accuracy: float) -> FloatArray:
        """Predict the model at a share of the way.

        Parameters
        ----------
        threshold : ndarray, shape (n_features,)
            Price of a unit of every weight, above 0.
        accuracy : float
            Largest distance of 0 from the subdifferential of the quadratic model at its minimum.
        """
        gradient = self._gradient + share**2 * self._missed
        return self._minimum(self._hessian + 0.5 * share * self._more, gradient, self.last, threshold, accuracy)

    def corrected(
        self, share: float, w: FloatArray, gradient: FloatArray, threshold: FloatArray, accuracy: float
    ) -> FloatArray:
        """Correct the model at a share of the way by the gradient of the loss at its weights w."""
        hessian = self._hessian + share * self._more
        return self._minimum(hessian, gradient[self._columns], w, threshold, accuracy)

    def _minimum(
        self, hessian: FloatArray, gradient: FloatArray, w: FloatArray, threshold: FloatArray, accuracy: float
    ) -> FloatArray:
        columns, found = self._columns, np.zeros_like(w)
        found[columns] = minimise_sparse_quadratic(
            hessian, gradient, w[columns], threshold[columns], accuracy, np.zeros(len(columns))
        )
        return found


def _hessian_on(columns: IntArray, at: LossAt, otherwise: FloatArray) -> FloatArray:
    """Return the Hessian on these columns, with entries of another one where it is not known.

    If the two do not fit together, so that they would curve downwards somewhere, the other one takes its place.
    """
    known = np.isin(columns, at.columns)
    places = np.searchsorted(at.columns, columns[known])
    mixed = otherwise.copy()
    mixed[np.ix_(known, known)] = at.hessian[np.ix_(places, places)]
    values = np.linalg.eigvalsh(mixed)
    return mixed if values.min(initial=0.0) >= -FLAT * values.max(initial=0.0) else otherwise


def along_path(solver: Solver, lams: Sequence[float] | FloatArray, tol: float) -> Solver:
    """Return a solver for the fits at these falling lambdas, one after the other; itself if they can share nothing.

    Parameters
    ----------
    tol : float
        Relative gap at which the fits will stop.
    """
    shares = isinstance(solver, ProximalNewton) and tol >= TIGHTEST
    return NewtonAlongPath(solver, lams, tol) if shares else solver


class NewtonAlongPath:
    """Proximal Newton for one path of (weighted) l1 fits at falling lambda, where a step reads X once.

    The first fit of a batch of lambdas finds the model at the smallest of them, by Newton steps from the model before
    the batch. The loss at these two predicts the models between them (see `BetweenModels`). One pass over X evaluates
    all of those; each then has a duality gap of its own, from its own gradient. Those whose gap is too large are
    corrected, and evaluated again in one pass. One that does not settle is left to Newton steps.

    A pass counts for the fit that needed it first. A fit in a batch begins at the model that the batch has for it, not
    at its start. Every problem of another kind is left to ``alone``.

    Parameters
    ----------
    alone : Solver
        Proximal Newton.
    lams : sequence of float
        Falling.
    tol : float
        Relative gap at which the fits will stop. A fit that goes on beyond it takes Newton steps.
    """

    id: ClassVar[str] = ProximalNewton.id
    title: ClassVar[str] = ProximalNewton.title
    explanation: ClassVar[str] = ProximalNewton.explanation

    def __init__(self, alone: Solver, lams: Sequence[float] | FloatArray, tol: float) -> None:
        self._alone, self._lams, self._tol = alone, [float(lam) for lam in lams], tol
        self._reached: InOnePass | None = None
        self._batch: dict[float, _Model] = {}

    def accepts(self, problem: Problem) -> str | None:
        return self._alone.accepts(problem)

    def iterate(self, problem: Problem, start: FloatArray) -> Iterator[Iterate]:
        if not _one_pass_l1(problem):
            yield from self._alone.iterate(problem, start)
            return
        before, step = problem.counter.passes, 0
        model = self._model(problem)
        if model is not None:
            if model.latest is not None:
                yield replace(model.latest, step=step, passes=float(problem.counter.passes - before))
                step += 1
            while model.open:
                yield replace(self._round(problem, model), step=step, passes=float(problem.counter.passes - before))
                step += 1
            start = model.best
        yield from self._newton(problem, start, step, before)

    def _newton(self, problem: Problem, start: FloatArray, step: int, before: int) -> Iterator[Iterate]:
        """Take Newton steps. Where they start at the model reached before, the loss is known there."""
        reached = self._reached
        falls = reached is None or _falls(reached.problem, problem)
        if reached and falls and np.array_equal(start, reached.weights):
            point: EvaluatedPoint = InOnePass(problem, reached.weights, reached.ray)
        else:
            point = point_at(problem, start)
        for iterate, here in newton_steps(problem, point, step, before):
            if falls and iterate.certificate.relative <= self._tol:
                self._reached = _in_one_pass(here)
            yield iterate

    def _model(self, problem: Problem) -> _Model | None:
        """Return what the batch has for this problem, after beginning a batch if there is none."""
        if problem.lam not in self._batch:
            self._batch = {model.problem.lam: model for model in self._begun(problem)}
        model = self._batch.pop(problem.lam, None)
        return model if model is not None and _same_but_lam(model.problem, problem) else None

    def _begun(self, problem: Problem) -> list[_Model]:
        """Find the last model of the batch that begins at this lambda, and predict those before it."""
        first = self._reached
        if first is None or not _falls(first.problem, problem):
            return []
        lam, tol = first.problem.lam, self._tol
        lams = [other for other in self._lams if problem.lam >= other >= lam / LARGEST_RATIO]
        lams = lams[: min(MOST_MODELS, MOST_NUMBERS // problem.n_features)]
        if len(lams) < 2 or lams[0] != problem.lam:
            return []
        at_end = replace(problem, lam=lams[-1])
        start = InOnePass(at_end, first.weights, first.ray, wanted=np.flatnonzero(first.weights))
        steps = newton_steps(at_end, start, before=problem.counter.passes)
        accurate = next((found for found in steps if found[0].certificate.relative <= tol), None)
        if accurate is None:
            return []
        end, self._reached = accurate[0], _in_one_pass(accurate[1])
        between = BetweenModels(first.weights, first.ray, end.weights, self._reached.ray)
        models = [
            _Model(replace(problem, lam=other), between, (other - at_end.lam) / (lam - at_end.lam), tol)
            for other in lams[:-1]
        ]
        return [*models, _Model(at_end, between, 0.0, tol, end)]

    def _round(self, problem: Problem, model: _Model) -> Iterate:
        """Evaluate this model, and in the same pass all others of its batch whose gap is not small enough."""
        models = [model, *(other for other in self._batch.values() if other.open)]
        points = np.array([each.next_point() for each in models])
        found = [each.evaluate(w, at) for each, w, at in zip(models, points, problem.at_each(points), strict=True)]
        return found[0]


class _Model:
    """A model of a batch: predicted, evaluated, then corrected and evaluated again.

    Attributes
    ----------
    latest : Iterate or None
        The point evaluated last.
    best : ndarray, shape (n_features,)
        That with the smallest gap; before any, the model at the end of the batch.
    open : bool
        Whether a further round is to evaluate it.
    """

    def __init__(
        self, problem: Problem, between: BetweenModels, share: float, tol: float, latest: Iterate | None = None
    ) -> None:
        self.problem, self.latest, self.best = problem, latest, between.last
        self._between, self._share, self._tol = between, share, tol
        self._certifier, self._gradient = Certifier(problem), np.empty(0)
        self._rounds, self._smallest = 0, np.inf

    @property
    def open(self) -> bool:
        accurate = self.latest is not None and self.latest.certificate.relative <= self._tol
        return not accurate and self._rounds < MOST_ROUNDS

    def next_point(self) -> FloatArray:
        """Return the weights to evaluate next, shape (n_features,)."""
        lam = self.problem.lam
        threshold, accuracy = lam * self.problem.penalty.weights(self.best), ACCURACY * self._tol * lam
        if self.latest is None:
            return self._between.predicted(self._share, threshold, accuracy)
        return self._between.corrected(self._share, self.latest.weights, self._gradient, threshold, accuracy)

    def evaluate(self, w: FloatArray, at: LossAt) -> Iterate:
        """Certify the model at w, where the loss has been computed."""
        objective = at.value + self.problem.lam * self.problem.penalty.value(w)
        certificate = self._certifier.certify(w, objective, at, at.gradient)
        self.latest, self._gradient = Iterate(0, w, objective, certificate, 0.0), at.gradient
        self._rounds += 1
        if certificate.relative < self._smallest:
            self.best, self._smallest = w, certificate.relative
        return self.latest


def _one_pass_l1(problem: Problem) -> bool:
    """Whether a step reads X once, and every feature has a price."""
    penalty = problem.penalty
    return problem.at_once and isinstance(penalty, WeightedL1) and bool(np.all(penalty.beta > 0.0))


def _in_one_pass(point: EvaluatedPoint) -> InOnePass:
    assert isinstance(point, InOnePass)
    return point


def _falls(before: Problem, problem: Problem) -> bool:
    """Whether a problem differs from the one before in a smaller lambda alone."""
    return problem.lam < before.lam and _same_but_lam(before, problem)


def _same_but_lam(one: Problem, other: Problem) -> bool:
    assert isinstance(one.penalty, WeightedL1)
    assert isinstance(other.penalty, WeightedL1)
    same = one.features is other.features and one.loss is other.loss
    return same and np.array_equal(one.penalty.beta, other.penalty.beta)
