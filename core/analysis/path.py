"""Regularization paths: a method's models at descending lambda, from the empty one at lambda_max, warm-started."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.evaluation import FoldJudge, Judgement, Metrics
from core.analysis.warm_start import WarmStart
from core.methods import Fit, Method, MethodRun, Training
from core.solvers import FIRST_ROUND_TOL, Stop, along_path

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PathPoint:
    """One model of a path.

    Attributes
    ----------
    fit : Fit
    metrics : dict
        Values by part, then by measure, in expectation over the orders of tied documents; empty without a judge.
    in_file_order : dict
        Those which an official script counts differently; see `Judgement`.
    """

    fit: Fit
    metrics: Metrics
    in_file_order: Metrics = field(default_factory=dict)

    @classmethod
    def of(cls, fit: Fit, judgement: Judgement) -> PathPoint:
        """Make the point of a model that has been judged."""
        point = cls(fit, judgement.metrics, judgement.in_file_order)
        vars(point)["judgement"] = judgement  # the same object, whose digest is computed once
        return point

    @cached_property
    def judgement(self) -> Judgement:
        """Both kinds of its metrics as a `Judgement`."""
        return Judgement(self.metrics, self.in_file_order)


def lambda_grid(lam_max: float, points: int, smallest_ratio: float = 1e-4) -> FloatArray:
    """Space ``points`` values of lambda evenly in log from lam_max down to ``smallest_ratio * lam_max``.

    Raises
    ------
    ValueError
        If ``points`` is below 1, or the ratio is not between 0 and 1.
    """
    if points < 1 or not 0.0 < smallest_ratio < 1.0:
        msg = f"a path needs at least 1 point and a smallest ratio between 0 and 1, not {points} and {smallest_ratio:g}"
        raise ValueError(msg)
    return lam_max * np.geomspace(1.0, smallest_ratio, points)


def path_grid(
    method: Method, training: Training, points: int | None = None, smallest_ratio: float | None = None
) -> FloatArray:
    """Return the lambdas of a path from lambda_max down, evenly spaced in log; see `Method.shares_of_largest`.

    Parameters
    ----------
    method : Method
    training : Training
    points : int, optional
        By default as many as the method's own range has.
    smallest_ratio : float, optional
        The last lambda as a share of lambda_max; by default that of the method's own range.

    Raises
    ------
    ValueError
        If a number cannot be used.
    DataError
        If lambda_max is 0; an `EmptyOptimumError` if that is a result and not an error in the data.
    """
    points = len(method.ratios) if points is None else points
    last = float(method.ratios[-1]) if smallest_ratio is None else smallest_ratio
    return method.shares_of_largest(training, lambda_grid(1.0, points, last))


def regularization_path(
    method: Method,
    training: Training,
    lams: FloatArray,
    judge: FoldJudge | None = None,
    *,
    solver: str | None = None,
    parameters: Mapping[str, float] | None = None,
    stop: Stop | None = None,
) -> Iterator[PathPoint]:
    """Yield the models at descending lambda one by one, without their traces; see `path_fits`.

    Parameters
    ----------
    lams : ndarray, shape (n_points,)
        Falling.
    judge : FoldJudge, optional
        Measures every model on the parts of its fold.
    """
    return path_points(path_fits(method, training, lams, solver=solver, parameters=parameters, stop=stop), judge)


def path_points(fits: Iterable[Fit], judge: FoldJudge | None) -> Iterator[PathPoint]:
    """Yield fits as points without their traces; with metrics if there is a judge."""
    for fit in fits:
        yield PathPoint.of(without_trace(fit), judge.judgement(fit.weights) if judge else Judgement())


def path_fits(
    method: Method,
    training: Training,
    lams: FloatArray,
    *,
    solver: str | None = None,
    parameters: Mapping[str, float] | None = None,
    stop: Stop | None = None,
    finish: Callable[[MethodRun], Fit] = MethodRun.finish,
) -> Iterator[Fit]:
    """Fits at falling lambda with all of their traces; stop by not taking the next.

    Where each of them starts, `core.analysis.warm_start` says. Where a step reads X once, l1 models at neighbouring
    lambda share passes (see `NewtonAlongPath`): the fit that needs a pass first counts it and its seconds, the others
    do not, so that the sums over a path are right.

    Parameters
    ----------
    lams : ndarray, shape (n_points,)
        Falling.
    finish : callable
        Ends a fit; one that shows progress, for instance.
    """
    settings = method.settings(parameters)
    stop = stop or method.stop
    own = along_path(method.solver(solver), lams, stop.tol)
    of_l1 = along_path(training.recipe.l1_solver, lams, FIRST_ROUND_TOL)
    near = np.zeros(training.data.n_features)
    for lam in map(float, lams):
        start = WarmStart.at(method, training, lam, near, of_l1)
        run = method.run(training, lam, solver=own, parameters=settings, stop=stop, start=start.weights)
        fit = finish(run)
        near = start.after(run)
        yield fit


def without_trace(fit: Fit) -> Fit:
    """Return the fit with only the last point of its trace, because a path keeps hundreds of fits."""
    return replace(fit, result=replace(fit.result, trace=fit.result.trace[-1:]))
